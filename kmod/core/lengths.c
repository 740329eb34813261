// SPDX-License-Identifier: GPL-2.0
/* Prefix lengths; lengths.h. */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/log2.h>

#include "lengths.h"

#define ADDRESS		16
/* Bits of ::ffff:a.b.c.d before the IPv4 address. */
#define MAPPED_BITS	96
#define WORD_BITS	64
#define LENGTHS		(SEEN_PREFIX4_MAX + SEEN_PREFIX6_MAX)

static bool lengths_is_ipv4(const u8 *prefix)
{
	int i;

	for (i = 0; i < 10; i++)
		if (prefix[i])
			return false;
	return prefix[10] == 0xff && prefix[11] == 0xff &&
	       prefix[ADDRESS] > MAPPED_BITS;
}

/* Number of bits that a length keeps of an address. */
static u32 lengths_kept_by(int index)
{
	return index < SEEN_PREFIX4_MAX ? MAPPED_BITS + index + 1 : index - SEEN_PREFIX4_MAX + 1;
}

/* Mask of the bits of byte @byte that a prefix of @bits bits leaves out. */
static u8 lengths_left_out(u32 bits, u32 byte)
{
	if (bits >= 8 * (byte + 1))
		return 0;
	return bits <= 8 * byte ? 0xff : 0xff >> bits % 8;
}

int seen_lengths_index(const u8 *prefix)
{
	u32 bits = prefix[ADDRESS], i;

	if (!bits || bits > SEEN_PREFIX6_MAX)
		return -1;
	for (i = 0; i < ADDRESS; i++)
		if (prefix[i] & lengths_left_out(bits, i))
			return -1;
	return lengths_is_ipv4(prefix) ? bits - MAPPED_BITS - 1 :
					 SEEN_PREFIX4_MAX + bits - 1;
}

static bool lengths_holds(const struct seen_lengths *lengths, int index)
{
	return READ_ONCE(lengths->word[index / WORD_BITS]) >>
	       index % WORD_BITS & 1;
}

u32 seen_lengths_count(const struct seen_lengths *lengths)
{
	u32 count = 0, i;
	u64 word;

	for (i = 0; i < SEEN_LENGTHS_WORDS; i++)
		for (word = READ_ONCE(lengths->word[i]); word; word &= word - 1)
			count++;
	return count;
}

static void lengths_set_word(u64 *word, u64 bits)
{
	u64 old = READ_ONCE(*word);

	while ((old & bits) != bits && !try_cmpxchg(word, &old, old | bits))
		;
}

bool seen_lengths_add(struct seen_lengths *lengths, int index)
{
	if (lengths_holds(lengths, index))
		return true;
	if (seen_lengths_count(lengths) >= SEEN_PREFIX_LENGTHS)
		return false;
	lengths_set_word(&lengths->word[index / WORD_BITS], 1ULL << index % WORD_BITS);
	return true;
}

bool seen_lengths_merge(struct seen_lengths *lengths,
			const struct seen_lengths *from)
{
	struct seen_lengths both;
	u32 i;

	for (i = 0; i < SEEN_LENGTHS_WORDS; i++)
		both.word[i] = READ_ONCE(lengths->word[i]) |
			       READ_ONCE(from->word[i]);
	if (seen_lengths_count(&both) > SEEN_PREFIX_LENGTHS)
		return false;
	for (i = 0; i < SEEN_LENGTHS_WORDS; i++)
		lengths_set_word(&lengths->word[i], both.word[i]);
	return true;
}

/* Index of the shortest length of the same family. */
static int lengths_shortest(int index)
{
	return index < SEEN_PREFIX4_MAX ? 0 : SEEN_PREFIX4_MAX;
}

int seen_lengths_next(const struct seen_lengths *lengths, int index)
{
	int floor = lengths_shortest(index);
	int i = index / WORD_BITS, found;
	u64 below = ~0ULL >> (WORD_BITS - 1 - index % WORD_BITS), word;

	for (; i >= 0; i--, below = ~0ULL) {
		word = READ_ONCE(lengths->word[i]) & below;
		if (!word)
			continue;
		found = i * WORD_BITS + ilog2(word);
		return found < floor ? -1 : found;
	}
	return -1;
}

static void lengths_cut(u8 *prefix, int index)
{
	u32 bits = lengths_kept_by(index), i;

	for (i = bits / 8; i < ADDRESS; i++)
		prefix[i] &= ~lengths_left_out(bits, i);
	prefix[ADDRESS] = bits;
}

bool seen_lengths_walk(const struct seen_lengths *lengths, u8 *prefix, int *index)
{
	int next = *index < 0 ? -1 : seen_lengths_next(lengths, *index);

	if (next < 0)
		return false;
	lengths_cut(prefix, next);
	*index = next == lengths_shortest(next) ? -1 : next - 1;
	return true;
}

u32 seen_lengths_list(const struct seen_lengths *lengths, u8 *to)
{
	u32 count = 0;
	int i;

	for (i = 0; i < LENGTHS && count < SEEN_PREFIX_LENGTHS; i++)
		if (lengths_holds(lengths, i))
			to[count++] = i + 1;
	return count;
}

bool seen_lengths_take(struct seen_lengths *lengths, const u8 *from, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (!from[i] || from[i] > LENGTHS ||
		    !seen_lengths_add(lengths, from[i] - 1))
			return false;
	return true;
}
