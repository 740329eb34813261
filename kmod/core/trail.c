// SPDX-License-Identifier: GPL-2.0
/* The format of trails, and their filter; see trail.h. */
#include "siphash_rounds.h"
#include "trail.h"

#define VERSION		1
#define SUFFIX		0xb688	/* 88 b6 in the frame */
#define FLAG_STRIKE	0x01
#define FLAG_SIGNED	0x02
#define FLAG_WIDE	0x04
#define TAG_BYTES	4
/* Behind the filter and the tag. */
#define TAIL_BYTES	8
/* The flags in these bytes. */
#define FLAGS_AT	2
/* Destination and source of a frame. */
#define ADDRESSES	12

static u32 trail_words(const struct seen_trail_domain *domain)
{
	return domain->wide ? SEEN_TRAIL_WORDS : SEEN_TRAIL_WORDS / 2;
}

static u32 trail_tag_bytes(const struct seen_trail_domain *domain)
{
	return domain->sign ? TAG_BYTES : 0;
}

u32 seen_trail_bytes(const struct seen_trail_domain *domain)
{
	return 8 * trail_words(domain) + trail_tag_bytes(domain) + TAIL_BYTES;
}

static u8 trail_flags(const struct seen_trail_domain *domain, bool strike)
{
	return VERSION << 4 | (domain->wide ? FLAG_WIDE : 0) |
	       (domain->sign ? FLAG_SIGNED : 0) | (strike ? FLAG_STRIKE : 0);
}

static void trail_copy(u8 *to, const u8 *from, u32 bytes)
{
	u32 i;

	for (i = 0; i < bytes; i++)
		to[i] = from[i];
}

/* The tag of a frame's addresses and of its trail but the tag. */
static u32 trail_tag(const struct seen_trail_domain *domain, const u8 *addresses,
		     const u8 *end)
{
	u8 text[ADDRESSES + SEEN_TRAIL_BYTES_MAX];
	u32 filter = 8 * trail_words(domain);

	trail_copy(text, addresses, ADDRESSES);
	trail_copy(text + ADDRESSES, end, filter);
	trail_copy(text + ADDRESSES + filter, end + filter + TAG_BYTES, TAIL_BYTES);
	return seen_siphash13(text, ADDRESSES + filter + TAIL_BYTES, &domain->secret);
}

/* Read a trail, but for its tag. */
static bool trail_parse(const struct seen_trail_domain *domain, const u8 *end, u32 length,
			struct seen_trail *trail)
{
	const u8 *tail = end + 8 * trail_words(domain) + trail_tag_bytes(domain);
	u32 i;

	if (seen_le16_get(tail + 6) != SUFFIX || seen_le16_get(tail + 4) != length ||
	    (tail[2] & ~FLAG_STRIKE) != trail_flags(domain, false))
		return false;
	*trail = (struct seen_trail) {
		.nonce = seen_le16_get(tail),
		.strike = tail[2] & FLAG_STRIKE,
		.hops = tail[3],
	};
	for (i = 0; i < trail_words(domain); i++)
		trail->filter[i] = seen_le64_get(end + 8 * i);
	return true;
}

bool seen_trail_read(const struct seen_trail_domain *domain, const u8 *addresses,
		     const u8 *end, u32 length, struct seen_trail *trail)
{
	if (!trail_parse(domain, end, length, trail))
		return false;
	return !domain->sign || seen_le32_get(end + 8 * trail_words(domain)) ==
				trail_tag(domain, addresses, end);
}

u32 seen_trail_peek(const u8 *behind, u32 room, u32 length, struct seen_trail_domain *domain,
		    struct seen_trail *trail)
{
	u32 bytes;

	if (room < SEEN_TRAIL_BYTES_MIN)
		return 0;
	*domain = (struct seen_trail_domain) {
		.wide = behind[FLAGS_AT - TAIL_BYTES] & FLAG_WIDE,
		.sign = behind[FLAGS_AT - TAIL_BYTES] & FLAG_SIGNED,
	};
	bytes = seen_trail_bytes(domain);
	return bytes <= room && trail_parse(domain, behind - bytes, length, trail) ? bytes : 0;
}

void seen_trail_write(const struct seen_trail_domain *domain, const u8 *addresses,
		      const struct seen_trail *trail, u32 length, u8 *end)
{
	u32 filter = 8 * trail_words(domain), i;
	u8 *tail = end + filter + trail_tag_bytes(domain);

	for (i = 0; i < trail_words(domain); i++)
		seen_le64_put(trail->filter[i], end + 8 * i);
	seen_le16_put(trail->nonce, tail);
	tail[2] = trail_flags(domain, trail->strike);
	tail[3] = trail->hops;
	seen_le16_put(length, tail + 4);
	seen_le16_put(SUFFIX, tail + 6);
	if (domain->sign)
		seen_le32_put(trail_tag(domain, addresses, end), end + filter);
}

/* @part: which hash of the member, from 0 */
static u64 trail_hash(const struct seen_trail_domain *domain,
		      const struct seen_trail_member *member, u16 nonce, u32 part)
{
	struct seen_siphash s;

	seen_siphash_start(&s, &domain->secret);
	seen_siphash_word(&s, member->id, 1);
	seen_siphash_word(&s, member->vlan | (u64)nonce << 16 | (u64)member->kind << 32 |
			      (u64)part << 40, 1);
	return seen_siphash_end(&s, 0, 16, 1, 3);
}

/* In registers, because each frame draws at each node. */
static struct seen_trail_bits trail_draw_narrow(u64 hash)
{
	u64 low = 0, high = 0;
	u32 i;

	for (i = 0; i < SEEN_TRAIL_DRAWS; i++) {
		u64 bit = 1ULL << (hash & 63), upper = -(hash >> 6 & 1);

		low |= bit & ~upper;
		high |= bit & upper;
		hash >>= 8;
	}
	return (struct seen_trail_bits) { .word = { low, high } };
}

/*
 * Each draw takes 7 or 8 bits of a hash; twelve draws of 8 bits need a second hash. The rest of
 * the first one is not used then, so that both are cut in the same way.
 */
struct seen_trail_bits seen_trail_draw(const struct seen_trail_domain *domain,
				       const struct seen_trail_member *member, u16 nonce)
{
	struct seen_trail_bits bits = {};
	u64 hash = trail_hash(domain, member, nonce, 0);
	u32 i;

	if (!domain->wide)
		return trail_draw_narrow(hash);
	for (i = 0; i < SEEN_TRAIL_DRAWS_WIDE; i++) {
		if (i == 8)
			hash = trail_hash(domain, member, nonce, 1);
		bits.word[hash >> 6 & 3] |= 1ULL << (hash & 63);
		hash >>= 8;
	}
	return bits;
}

bool seen_trail_has(const struct seen_trail *trail, const struct seen_trail_bits *bits)
{
	const u64 *filter = trail->filter, *word = bits->word;

	return !((word[0] & ~filter[0]) | (word[1] & ~filter[1]) | (word[2] & ~filter[2]) |
		 (word[3] & ~filter[3]));
}

void seen_trail_add(struct seen_trail *trail, const struct seen_trail_bits *bits)
{
	trail->filter[0] |= bits->word[0];
	trail->filter[1] |= bits->word[1];
	trail->filter[2] |= bits->word[2];
	trail->filter[3] |= bits->word[3];
}

enum seen_trail_result seen_trail_visit(struct seen_trail *trail,
					const struct seen_trail_bits *bits)
{
	bool hit = seen_trail_has(trail, bits);

	if (hit && trail->strike)
		return SEEN_TRAIL_LOOP;
	trail->hops += trail->hops < SEEN_TRAIL_HOPS_MAX;
	trail->strike |= hit;
	seen_trail_add(trail, bits);
	return hit ? SEEN_TRAIL_STRIKE : SEEN_TRAIL_ADDED;
}
