/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Longest-prefix match: is a prefix of a key in a set? lengths.h describes how a key
 * holds its prefix.
 *
 * Each length is looked up once, and that answer is final. Because the set may change
 * at any time, a second lookup of a prefix that was found could miss it, although a
 * shorter prefix is in the set.
 *
 * Direction of error: that of the set, once for each length.
 */
#ifndef SEEN_CORE_LPM_H
#define SEEN_CORE_LPM_H

#include "lengths.h"
#include "set.h"

/* Bytes of the longest key. */
#define SEEN_LPM_KEY_MAX	100
/* A prefix matches if the set reports it as seen. */
#define SEEN_LPM_SEEN		U32_MAX

/**
 * struct seen_lpm_walk - the prefixes of a key that may be in a set, the longest first
 * @key: the key with its current prefix
 * @len: bytes of @key
 * @prefix: the prefix in @key
 * @index: index of the longest length that is left; -1 at the end
 */
struct seen_lpm_walk {
	u8 key[SEEN_LPM_KEY_MAX];
	u32 len;
	u8 *prefix;
	int index;
};

/**
 * seen_lpm_begin() - call before the first seen_lpm_next()
 * @walk: out
 * @key: canonical key with a valid prefix (seen_lengths_index())
 * @len: bytes of @key, at most SEEN_LPM_KEY_MAX
 * @at: offset of the prefix in @key
 */
void seen_lpm_begin(struct seen_lpm_walk *walk, const void *key, u32 len, u32 at);

/* seen_lpm_next() - cut @walk->key to the next length of @lengths; false: no length is left */
static inline bool seen_lpm_next(struct seen_lpm_walk *walk,
				 const struct seen_lengths *lengths)
{
	return seen_lengths_walk(lengths, walk->prefix, &walk->index);
}

/**
 * struct seen_lpm - a set, and when a prefix in it matches
 * @set: neither a bitmap nor a sketch
 * @secret: secret of the set's hash
 * @lengths: lengths that the set holds
 * @over: sets that count: a prefix matches if its count is above this; SEEN_LPM_SEEN: a
 *        prefix matches if the set reports it as seen
 */
struct seen_lpm {
	struct seen_set *set;
	const struct seen_secret *secret;
	const struct seen_lengths *lengths;
	u32 over;
};

/**
 * seen_lpm_ask() - find the longest prefix that matches
 * @lpm: where to look, and when a prefix matches
 * @key: canonical key with a valid prefix (seen_lengths_index())
 * @len: bytes of @key, at most SEEN_LPM_KEY_MAX
 * @at: offset of the prefix in @key
 * @value: out: value in a map, or the count if @lpm->over is a count; 0 if no prefix
 *         matches
 *
 * Context: any but hard interrupt; caller keeps the set alive.
 * Return: SEEN_SEEN, SEEN_NEW (no prefix matches), or SEEN_STALE.
 */
enum seen_result seen_lpm_ask(const struct seen_lpm *lpm, const void *key, u32 len,
			      u32 at, u32 *value);

#endif
