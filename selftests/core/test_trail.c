// SPDX-License-Identifier: GPL-2.0
/* Trails: their bytes, what does not verify, the visits of nodes, and false hits. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "trail.h"

#define FORMATS		4
#define ADDRESSES	12
#define LENGTH		70

static const u8 addresses[ADDRESSES] = {
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02, 0, 0, 0, 0, 0x01,
};

/* Each format under a secret of its own. */
static struct seen_trail_domain domain_of(u32 format)
{
	return (struct seen_trail_domain) {
		.secret = { { 0x0706050403020100ULL + format, 0x0f0e0d0c0b0a0908ULL } },
		.wide = format & 1,
		.sign = format & 2,
	};
}

static struct seen_trail random_trail(const struct seen_trail_domain *domain)
{
	struct seen_trail trail = {
		.nonce = random64(), .hops = random64(), .strike = random64() & 1,
	};
	u32 i;

	for (i = 0; i < (domain->wide ? 4 : 2); i++)
		trail.filter[i] = random64();
	return trail;
}

static bool same_trail(const struct seen_trail *a, const struct seen_trail *b)
{
	return !memcmp(a->filter, b->filter, sizeof(a->filter)) && a->nonce == b->nonce &&
	       a->hops == b->hops && a->strike == b->strike;
}

/* --- bytes ------------------------------------------------------------------------ */

static void test_golden(void)
{
	static const u8 want[SEEN_TRAIL_BYTES_MIN] = {
		1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80,
		0x34, 0x12, 0x11, 3, 70, 0, 0x88, 0xb6,
	};
	const struct seen_trail trail = {
		.filter = { 1, 1ULL << 63 }, .nonce = 0x1234, .hops = 3, .strike = true,
	};
	struct seen_trail_domain domain = domain_of(0);
	u8 end[SEEN_TRAIL_BYTES_MAX];

	seen_trail_write(&domain, addresses, &trail, LENGTH, end);
	ok(!memcmp(end, want, sizeof(want)), "the bytes of a trail");
}

/* No byte can change, except that a trail without a tag may have another content. */
static bool verifies_only_itself(const struct seen_trail_domain *domain)
{
	u32 bytes = seen_trail_bytes(domain), bit, filter = domain->wide ? 32 : 16;
	struct seen_trail trail = random_trail(domain), got;
	u8 end[SEEN_TRAIL_BYTES_MAX], other[ADDRESSES];
	bool good;

	seen_trail_write(domain, addresses, &trail, LENGTH, end);
	good = seen_trail_read(domain, addresses, end, LENGTH, &got) &&
	       same_trail(&trail, &got) &&
	       !seen_trail_read(domain, addresses, end, LENGTH + 1, &got) &&
	       !seen_trail_read(domain, addresses, end, LENGTH + 65536, &got);
	for (bit = 0; bit < 8 * bytes; bit++) {
		u32 at = bit / 8, from_end = bytes - at;
		bool content = at < filter || from_end > 6 || from_end == 5 ||
			       (from_end == 6 && bit % 8 == 0);

		end[at] ^= 1 << bit % 8;
		good = good && seen_trail_read(domain, addresses, end, LENGTH, &got) ==
			       (!domain->sign && content);
		end[at] ^= 1 << bit % 8;
	}
	for (bit = 0; bit < 8 * ADDRESSES; bit++) {
		memcpy(other, addresses, ADDRESSES);
		other[bit / 8] ^= 1 << bit % 8;
		good = good && seen_trail_read(domain, other, end, LENGTH, &got) ==
			       !domain->sign;
	}
	return good;
}

static void test_formats(void)
{
	static const u32 bytes[FORMATS] = { 24, 40, 28, 44 };
	bool sizes = true, itself = true, others = true;
	struct seen_trail_domain from, to;
	u8 end[2 * SEEN_TRAIL_BYTES_MAX];
	struct seen_trail trail, got;
	u32 i, j;

	for (i = 0; i < FORMATS; i++) {
		from = domain_of(i);
		sizes = sizes && seen_trail_bytes(&from) == bytes[i];
		itself = itself && verifies_only_itself(&from);
		for (j = 0; j < FORMATS; j++) {
			to = domain_of(j);
			trail = random_trail(&from);
			seen_trail_write(&from, addresses, &trail, LENGTH,
					 end + sizeof(end) - bytes[i]);
			others = others && (i == j) ==
				 seen_trail_read(&to, addresses, end + sizeof(end) - bytes[j],
						 LENGTH, &got);
		}
	}
	ok(sizes, "24 bytes; a wide filter takes 16 more, a tag 4");
	ok(itself, "a trail verifies with its own length, addresses and bits only");
	ok(others, "each format takes the others for payload");
}

static void test_secret(void)
{
	struct seen_trail_domain one = domain_of(2), other = one;
	struct seen_trail trail = random_trail(&one), got;
	u8 end[SEEN_TRAIL_BYTES_MAX];

	other.secret.k[1] ^= 1;
	seen_trail_write(&one, addresses, &trail, LENGTH, end);
	ok(!seen_trail_read(&other, addresses, end, LENGTH, &got),
	   "a signed trail of another domain is payload");
}

/* In memory of exactly @room bytes, which the sanitizers check. */
static u32 peek(const u8 *behind, u32 room, u32 length, struct seen_trail_domain *domain,
		struct seen_trail *trail)
{
	u8 *exact = malloc(room + !room);
	u32 bytes;

	memcpy(exact, behind - room, room);
	bytes = seen_trail_peek(exact + room, room, length, domain, trail);
	free(exact);
	return bytes;
}

/* Bits of the last six bytes: another strike or other hops, another format, or no trail. */
static bool peeks_flipped(u8 *behind, u32 bytes, u32 bit)
{
	bool content = bit == 0 || bit / 8 == 1, format = bit == 1 || bit == 2;
	struct seen_trail_domain domain;
	u8 *byte = behind - 6 + bit / 8;
	struct seen_trail trail;
	u32 found;

	*byte ^= 1 << bit % 8;
	found = peek(behind, bytes, LENGTH, &domain, &trail);
	*byte ^= 1 << bit % 8;
	return content ? found == bytes : format ? found != bytes : !found;
}

static bool peeks_only_itself(const struct seen_trail_domain *from)
{
	struct seen_trail trail = random_trail(from), got;
	u32 bytes = seen_trail_bytes(from), room, bit;
	u8 end[SEEN_TRAIL_BYTES_MAX + 10] = {};
	u8 *behind = end + sizeof(end);
	struct seen_trail_domain domain;
	bool good = true;

	seen_trail_write(from, addresses, &trail, LENGTH, behind - bytes);
	for (room = 0; room <= sizeof(end); room++)
		good = good && peek(behind, room, LENGTH, &domain, &got) ==
			       (room < bytes ? 0 : bytes);
	good = good && domain.wide == from->wide && domain.sign == from->sign &&
	       same_trail(&trail, &got) &&
	       !peek(behind, sizeof(end), LENGTH + 1, &domain, &got) &&
	       !peek(behind, sizeof(end), LENGTH + 65536, &domain, &got);
	for (bit = 0; bit < 48; bit++)
		good = good && peeks_flipped(behind, bytes, bit);
	return good;
}

static void test_peek(void)
{
	struct seen_trail_domain domain;
	bool good = true;
	u32 format;

	for (format = 0; format < FORMATS; format++) {
		domain = domain_of(format);
		good = good && peeks_only_itself(&domain);
	}
	ok(good, "a trail is found without its domain, and only whole");
}

/* --- members ---------------------------------------------------------------------- */

static bool same_bits(const struct seen_trail_bits *a, const struct seen_trail_bits *b)
{
	return !memcmp(a, b, sizeof(*a));
}

static void test_draw(void)
{
	struct seen_trail_member node = { SEEN_TRAIL_NODE, 0x0123456789abcdefULL, 5 };
	struct seen_trail_member other = node;
	struct seen_trail_domain domain = domain_of(0);
	struct seen_trail_bits bits = seen_trail_draw(&domain, &node, 7), second;

	second = seen_trail_draw(&domain, &node, 7);
	ok(same_bits(&bits, &second), "a node has the same bits again");
	second = seen_trail_draw(&domain, &node, 8);
	ok(!same_bits(&bits, &second), "but others with another nonce");
	other.vlan = 6;
	second = seen_trail_draw(&domain, &other, 7);
	ok(!same_bits(&bits, &second), "others in another VLAN");
	other = node;
	other.kind = SEEN_TRAIL_SEGMENT;
	second = seen_trail_draw(&domain, &other, 7);
	ok(!same_bits(&bits, &second), "a segment of the same number has others");
}

/* Each bit is drawn equally often: chi-squared, with a limit that one run in 10^9 exceeds. */
static bool is_uniform(const struct seen_trail_domain *domain)
{
	u32 count[64 * SEEN_TRAIL_WORDS] = {}, bits = domain->wide ? 256 : 128, i, j;
	u32 draws = domain->wide ? SEEN_TRAIL_DRAWS_WIDE : SEEN_TRAIL_DRAWS, n = 100000;
	struct seen_trail_member node = { .kind = SEEN_TRAIL_NODE };
	double p = 1 - pow(1 - 1.0 / bits, draws), chi = 0, diff;
	struct seen_trail_bits got;

	for (i = 0; i < n; i++) {
		node.id = random64();
		got = seen_trail_draw(domain, &node, i);
		for (j = 0; j < 64 * SEEN_TRAIL_WORDS; j++)
			count[j] += got.word[j / 64] >> j % 64 & 1;
	}
	for (j = 0; j < bits; j++) {
		diff = count[j] - n * p;
		chi += diff * diff / (n * p * (1 - p));
	}
	for (; j < 64 * SEEN_TRAIL_WORDS; j++)
		if (count[j])
			return false;
	note("%u bits: chi-squared %.0f", bits, chi);
	return fabs(chi - bits) < 6.5 * sqrt(2.0 * bits);
}

static void test_uniform(void)
{
	struct seen_trail_domain narrow = domain_of(0), wide = domain_of(1);

	ok(is_uniform(&narrow) && is_uniform(&wide), "all bits are drawn equally often");
}

/* --- visits ----------------------------------------------------------------------- */

/* The trail of a frame that has passed @nodes nodes, or was dropped. Return: nodes passed. */
static u32 pass(const struct seen_trail_domain *domain, const struct seen_trail_member *nodes,
		u32 count, u32 visits, struct seen_trail *trail)
{
	struct seen_trail_bits bits;
	u32 i;

	for (i = 0; i < visits; i++) {
		bits = seen_trail_draw(domain, &nodes[i % count], trail->nonce);
		if (seen_trail_visit(trail, &bits) == SEEN_TRAIL_LOOP)
			break;
	}
	return i;
}

static void random_nodes(struct seen_trail_member *nodes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		nodes[i] = (struct seen_trail_member) { SEEN_TRAIL_NODE, random64(), i % 3 };
}

/* Earlier, if a false hit has made a strike, but never later. */
static void test_loops(void)
{
	u32 format, count, passed, n = much(20000), i, early = 0;
	struct seen_trail_domain domain;
	struct seen_trail_member nodes[8];
	struct seen_trail trail;
	bool late = false;

	for (format = 0; format < 2; format++)
		for (count = 1; count <= 8; count++)
			for (i = 0; i < n / 8; i++) {
				domain = domain_of(format);
				trail = (struct seen_trail) { .nonce = random64() };
				random_nodes(nodes, count);
				passed = pass(&domain, nodes, count, 100, &trail);
				late = late || passed > count + 1 ||
				       trail.hops != passed;
				early += passed < count + 1;
			}
	ok(!late, "a frame in a loop passes each node once, and one twice");
	note("%u of %u were dropped earlier", early, n * 2);
	ok(early <= n * 2 / 1000, "it is rarely dropped earlier");
}

static void test_hops(void)
{
	struct seen_trail trail = { .hops = 254 };
	struct seen_trail_bits bits = { { 1 } };
	enum seen_trail_result first = seen_trail_visit(&trail, &bits), second, third;

	second = seen_trail_visit(&trail, &bits);
	third = seen_trail_visit(&trail, &bits);
	ok(first == SEEN_TRAIL_ADDED && second == SEEN_TRAIL_STRIKE &&
	   third == SEEN_TRAIL_LOOP && trail.strike && trail.hops == 255,
	   "added, a strike, a loop; 255 hops are the most");
}

int main(void)
{
	test_begin(14);
	test_golden();
	test_formats();
	test_secret();
	test_peek();
	test_draw();
	test_uniform();
	test_loops();
	test_hops();
	return test_end();
}
