// SPDX-License-Identifier: GPL-2.0
/* Prefix lengths, compared with a model that handles addresses bit by bit. */
#include <string.h>

#include "lengths.h"
#include "test.h"

#define ADDRESS	16
#define LENGTHS	160

static void random_prefix(u8 *prefix, u32 bits)
{
	u32 i;

	for (i = 0; i < ADDRESS; i++)
		prefix[i] = random64();
	for (i = bits; i < 128; i++)
		prefix[i / 8] &= ~(0x80 >> i % 8);
	prefix[ADDRESS] = bits;
}

/* IPv4's as in a key. */
static void map4(u8 *prefix)
{
	memset(prefix, 0, 10);
	prefix[10] = 0xff;
	prefix[11] = 0xff;
}

static void test_index(void)
{
	bool six = true, four = true, spare = true;
	u8 prefix[SEEN_PREFIX_BYTES];
	u32 bits, i;

	for (bits = 1; bits <= 128; bits++) {
		random_prefix(prefix, bits);
		prefix[0] |= 0x80;
		six = six && seen_lengths_index(prefix) == (int)(32 + bits - 1);
		for (i = bits; i < 128; i++) {
			prefix[i / 8] ^= 0x80 >> i % 8;
			spare = spare && seen_lengths_index(prefix) < 0;
			prefix[i / 8] ^= 0x80 >> i % 8;
		}
		if (bits <= 96)
			continue;
		map4(prefix);
		four = four && seen_lengths_index(prefix) == (int)(bits - 97);
	}
	ok(six, "each length of IPv6 has its index");
	ok(four, "each length of IPv4 has its index");
	ok(spare, "a prefix has no bit behind its length");
	prefix[ADDRESS] = 0;
	ok(seen_lengths_index(prefix) < 0, "a prefix of length 0 is refused");
	prefix[ADDRESS] = 129;
	ok(seen_lengths_index(prefix) < 0, "a prefix longer than an address is refused");
}

/* As a loop over all of them says. */
static int slow_next(const bool *held, int index)
{
	int floor = index < 32 ? 0 : 32;

	while (index >= floor && !held[index])
		index--;
	return index < floor ? -1 : index;
}

static void test_next(void)
{
	bool good = true, counts = true;
	u32 round, i;

	for (round = 0; round < 1000; round++) {
		struct seen_lengths lengths = {};
		u8 list[SEEN_PREFIX_LENGTHS];
		bool held[LENGTHS] = {};
		u32 count = 0;

		for (i = 0; i < random_below(SEEN_PREFIX_LENGTHS); i++) {
			u32 index = random_below(LENGTHS);

			count += !held[index];
			held[index] = true;
			seen_lengths_add(&lengths, index);
		}
		for (i = 0; i < LENGTHS; i++)
			good = good && seen_lengths_next(&lengths, i) ==
				       slow_next(held, i);
		counts = counts && seen_lengths_count(&lengths) == count &&
			 seen_lengths_list(&lengths, list) == count;
		for (i = 0; i < count; i++)
			counts = counts && held[list[i] - 1];
	}
	ok(good, "the next shorter one of the family");
	ok(counts, "the number of lengths, and the lengths");
}

static void test_most(void)
{
	struct seen_lengths lengths = {}, other = {};
	static const u8 wrong[] = { 161 }, none[] = { 0 };
	bool good = true;
	int i;

	for (i = 0; i < SEEN_PREFIX_LENGTHS; i++)
		good = good && seen_lengths_add(&lengths, i + 20);
	ok(good, "64 lengths");
	ok(!seen_lengths_add(&lengths, 3) && seen_lengths_next(&lengths, 3) < 0,
	   "a 65th length is refused");
	ok(seen_lengths_add(&lengths, 20), "one of the 64 is added again");
	seen_lengths_add(&other, 25);
	ok(seen_lengths_merge(&lengths, &other), "a merge of the same");
	seen_lengths_add(&other, 2);
	ok(!seen_lengths_merge(&lengths, &other) &&
	   seen_lengths_count(&lengths) == SEEN_PREFIX_LENGTHS,
	   "a merge with more lengths changes nothing");
	ok(!seen_lengths_take(&other, wrong, 1) &&
	   !seen_lengths_take(&other, none, 1), "an invalid list is refused");
}

/* Where all lengths are held. */
static void test_walk(void)
{
	static const struct seen_lengths all = { { ~0ULL, ~0ULL, ~0U } };
	u8 prefix[SEEN_PREFIX_BYTES], want[SEEN_PREFIX_BYTES];
	bool good = true, ends = true;
	int round, index;
	u32 bits, least, i;

	for (round = 0; round < 1000; round++) {
		random_prefix(prefix, 128);
		least = 1;
		if (random_below(2)) {
			map4(prefix);
			least = 97;
		}
		index = seen_lengths_index(prefix);
		for (bits = 128; bits >= least; bits--) {
			memcpy(want, prefix, sizeof(want));
			for (i = bits; i < 128; i++)
				want[i / 8] &= ~(0x80 >> i % 8);
			want[ADDRESS] = bits;
			good = good && seen_lengths_walk(&all, prefix, &index) &&
			       !memcmp(prefix, want, sizeof(want));
		}
		ends = ends && !seen_lengths_walk(&all, prefix, &index);
	}
	ok(good, "an address is cut to each length in turn");
	ok(ends, "and to no length after the shortest of its family");
}

int main(void)
{
	test_begin(5 + 2 + 6 + 2);
	test_index();
	test_next();
	test_most();
	test_walk();
	return test_end();
}
