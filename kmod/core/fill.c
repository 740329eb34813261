// SPDX-License-Identifier: GPL-2.0
/*
 * Estimates the number of keys from the bits that are set (Swamidass and Baldi,
 * "Mathematical correction for fingerprint similarity measures to improve chemical
 * retrieval", 2007): after n keys of b distinct bits each, a share of (1 - b/w)^n of
 * the bits of a w-bit word is clear. Each word is a sample of its own, so keys that are
 * spread unevenly over the lines are counted as well. A word without a clear bit counts
 * as a word with half a clear bit.
 */
#include "keycount.h"
#include "kinds.h"
#include "log.h"
#include "unit.h"
#include "unit_set.h"

/* Lines in the sample. */
#define SAMPLE		16384
/* Fraction bits of the sums: a sum is below 2^14 lines * 2^4 words * 2^3 (log2 of a word). */
#define SHIFT		20
#define WORD_MAX	64

/**
 * struct scale - how to estimate keys from a word
 * @bytes: bytes of a word
 * @words: words of a unit, or of one generation in it
 * @keys: indexed by the number of bits set: log2 of w / (w - bits)
 * @one: what one key adds to the sum over all words of a line
 */
struct scale {
	u32 bytes;
	u32 words;
	u64 keys[WORD_MAX + 1];
	u64 one;
};

static u64 fill_ratio(u32 all, u32 part)
{
	return (seen_log2(all) - seen_log2(part)) >> (SEEN_LOG_SHIFT - SHIFT);
}

static void fill_set_scale(const struct seen_geometry *geo, struct scale *scale)
{
	bool window = geo->kind == SEEN_SET_BLOOM_WINDOW;
	u32 width = window ? 32 : WORD_MAX;
	u32 i;

	scale->bytes = width / 8;
	scale->words = window ? SEEN_GENERATION_BITS / width :
				SEEN_LINE_BITS / width;
	for (i = 0; i < width; i++)
		scale->keys[i] = fill_ratio(width, width - i);
	scale->keys[width] = fill_ratio(2 * width, 1);
	/* Blocked: distinct bits in three words. Others: independent bits. */
	if (geo->kind == SEEN_SET_BLOCKED)
		scale->one = 3 * fill_ratio(width, width - geo->hashes / 3);
	else
		scale->one = geo->hashes * fill_ratio(width, width - 1);
}

bool seen_fill_known(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_BLOCKED || geo->kind == SEEN_SET_CLASSIC ||
	       geo->kind == SEEN_SET_BLOOM_WINDOW;
}

static u64 fill_look(struct seen_set *set, struct seen_set *other, u64 unit, u32 age,
		     const struct scale *scale)
{
	u32 first = age * scale->words * scale->bytes;
	u8 a[SEEN_LINE_BYTES], b[SEEN_LINE_BYTES];
	u64 sum = 0, word;
	u32 i, at;

	seen_unit_read(set, unit, a);
	if (other)
		seen_unit_read(other, unit, b);
	for (i = 0; i < scale->words; i++) {
		at = first + i * scale->bytes;
		word = seen_unit_get(a + at, scale->bytes);
		if (other)
			word |= seen_unit_get(b + at, scale->bytes);
		sum += scale->keys[seen_weight(word)];
	}
	return sum;
}

u64 seen_fill_keys(struct seen_set *set, struct seen_set *other, u32 age)
{
	u64 units = seen_unit_count(&set->geo);
	u64 looks = units < SAMPLE ? units : SAMPLE;
	struct scale scale;
	u64 sum = 0;
	u64 i;

	fill_set_scale(&set->geo, &scale);
	for (i = 0; i < looks; i++)
		sum += fill_look(set, other, i * units / looks, age, &scale);
	/* keys per unit, with SHIFT bits of fraction */
	sum = (sum << SHIFT) / (looks * scale.one);
	return seen_multiply_shift(sum, units, SHIFT);
}

void seen_fill_count(struct seen_set *set)
{
	u64 epoch;
	u32 age;

	if (set->geo.kind != SEEN_SET_BLOOM_WINDOW) {
		seen_keycount_put(set, 0, seen_fill_keys(set, NULL, 0));
		return;
	}
	epoch = seen_generation_epoch(set);
	for (age = 0; age < SEEN_GENERATIONS; age++)
		seen_keycount_put(set, epoch - age, seen_fill_keys(set, NULL, age));
}
