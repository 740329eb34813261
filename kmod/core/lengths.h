/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prefixes of any length in one filter. A key has the address, cut to its prefix, and
 * the prefix length behind it. A filter remembers which lengths it holds, and an address
 * asks for each of these, the longest first: hash tables searched by prefix length
 * (Waldvogel, Varghese, Turner and Plattner, "Scalable High Speed IP Routing Lookups",
 * 1997), searched one by one, since a filter has no place for markers.
 *
 * Direction of error: the filter's own, once for each length that is asked for. So a
 * filter of prefixes is planned for SEEN_PREFIX_LENGTHS questions.
 */
#ifndef SEEN_CORE_LENGTHS_H
#define SEEN_CORE_LENGTHS_H

#include <linux/types.h>

/* How many a filter holds at most. */
#define SEEN_PREFIX_LENGTHS	64
/* Bytes of a prefix in a key: the address, IPv4 as ::ffff:a.b.c.d, and its length. */
#define SEEN_PREFIX_BYTES	17
/* The longest prefix of IPv4, and of IPv6. */
#define SEEN_PREFIX4_MAX	32
#define SEEN_PREFIX6_MAX	128
#define SEEN_LENGTHS_WORDS	3

/**
 * struct seen_lengths - prefix lengths that a filter holds, or has held
 * @word: a bit for each: 1 to 32 of IPv4, then 1 to 128 of IPv6
 *
 * A length that no key has any more costs time and no more; a flush forgets it.
 */
struct seen_lengths {
	u64 word[SEEN_LENGTHS_WORDS];
};

/* seen_lengths_index() - of a prefix in a key; -1: it is none, and not trusted */
int seen_lengths_index(const u8 *prefix);

/**
 * seen_lengths_add() - a prefix of a length is to be stored
 * @lengths: one caller at a time, while any number read
 * @index: of the length
 *
 * Return: false: SEEN_PREFIX_LENGTHS others are held.
 */
bool seen_lengths_add(struct seen_lengths *lengths, int index);

/* seen_lengths_merge() - hold those of @from, too; false: more than there may be */
bool seen_lengths_merge(struct seen_lengths *lengths,
			const struct seen_lengths *from);

/**
 * seen_lengths_next() - the longest that is held, of the same family
 * @lengths: of the filter
 * @index: this long at most
 *
 * Return: its index, -1: there is none.
 */
int seen_lengths_next(const struct seen_lengths *lengths, int index);

/**
 * seen_lengths_walk() - cut a prefix to each length that is held, the longest first
 * @lengths: of the filter
 * @prefix: of a key
 * @index: at first seen_lengths_index() of it; kept for the next call
 *
 * Return: false: there is no more.
 */
bool seen_lengths_walk(const struct seen_lengths *lengths, u8 *prefix, int *index);

/* seen_lengths_count() - how many are held */
u32 seen_lengths_count(const struct seen_lengths *lengths);

/**
 * seen_lengths_list() - as bytes: 1 to 32 of IPv4, 32 + 1 to 128 of IPv6
 * @lengths: of the filter
 * @to: SEEN_PREFIX_LENGTHS of them
 *
 * Return: how many.
 */
u32 seen_lengths_list(const struct seen_lengths *lengths, u8 *to);

/**
 * seen_lengths_take() - those of a list
 * @lengths: that hold none
 * @from: bytes, not trusted
 * @count: how many
 *
 * Return: false: one of them is no length, or there are more than SEEN_PREFIX_LENGTHS.
 */
bool seen_lengths_take(struct seen_lengths *lengths, const u8 *from, u32 count);

#endif
