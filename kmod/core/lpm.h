/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Longest-prefix match: is one of the prefixes of a key in a set? lengths.h says how a
 * key holds its prefix.
 *
 * Each length is asked for once, and that answer counts: a set changes meanwhile, and a
 * second look at what was found may miss it, although a shorter prefix is there.
 *
 * Direction of error: that of the set, once for each length.
 */
#ifndef SEEN_CORE_LPM_H
#define SEEN_CORE_LPM_H

#include "lengths.h"
#include "set.h"

/* Bytes of the longest key. */
#define SEEN_LPM_KEY_MAX	100
/* A prefix matches if the set calls it seen. */
#define SEEN_LPM_SEEN		U32_MAX

/**
 * struct seen_lpm_walk - the prefixes of a key that may be held, the longest first
 * @key: with the present one
 * @len: its bytes
 * @prefix: where in it the prefix is
 * @index: of the longest length that is left; -1: none
 */
struct seen_lpm_walk {
	u8 key[SEEN_LPM_KEY_MAX];
	u32 len;
	u8 *prefix;
	int index;
};

/**
 * seen_lpm_begin() - before the first seen_lpm_next()
 * @walk: to fill
 * @key: canonical; its prefix is one (seen_lengths_index())
 * @len: its bytes, at most SEEN_LPM_KEY_MAX
 * @at: where in it the prefix begins
 */
void seen_lpm_begin(struct seen_lpm_walk *walk, const void *key, u32 len, u32 at);

/* seen_lpm_next() - cut @walk->key to the next length of @lengths; false: none is left */
static inline bool seen_lpm_next(struct seen_lpm_walk *walk,
				 const struct seen_lengths *lengths)
{
	return seen_lengths_walk(lengths, walk->prefix, &walk->index);
}

/**
 * struct seen_lpm - where to ask, and for what
 * @set: neither a bitmap nor a sketch
 * @secret: of its hash
 * @lengths: that it holds
 * @over: a prefix matches if it was counted more often than this, for sets that count;
 *        or SEEN_LPM_SEEN
 */
struct seen_lpm {
	struct seen_set *set;
	const struct seen_secret *secret;
	const struct seen_lengths *lengths;
	u32 over;
};

/**
 * seen_lpm_ask() - find the longest prefix that matches
 * @lpm: where
 * @key: canonical; its prefix is one (seen_lengths_index())
 * @len: its bytes, at most SEEN_LPM_KEY_MAX
 * @at: where in it the prefix begins
 * @value: out: a map's value, or the count where @over is one; 0 if none matches
 *
 * Context: any but hard interrupt; the set stays.
 * Return: SEEN_SEEN, SEEN_NEW, or SEEN_STALE.
 */
enum seen_result seen_lpm_ask(const struct seen_lpm *lpm, const void *key, u32 len,
			      u32 at, u32 *value);

#endif
