/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prefixes of any length in one filter. A key has the address, cut to its prefix,
 * followed by the prefix length. A filter remembers which lengths it holds. An address
 * is looked up once for each of these lengths, the longest first. This is the search of
 * hash tables by prefix length (Waldvogel, Varghese, Turner and Plattner, "Scalable High
 * Speed IP Routing Lookups", 1997). Here it is linear, because a filter has no place for
 * markers.
 *
 * Direction of error: the filter's own, once for each length that is looked up. So a
 * filter of prefixes is planned for SEEN_PREFIX_LENGTHS lookups per question.
 */
#ifndef SEEN_CORE_LENGTHS_H
#define SEEN_CORE_LENGTHS_H

#include <linux/types.h>

/* Maximum number of lengths in one filter. */
#define SEEN_PREFIX_LENGTHS	64
/* Bytes of a prefix in a key: the address, IPv4 as ::ffff:a.b.c.d, and its length. */
#define SEEN_PREFIX_BYTES	17
/* The longest prefix of IPv4, and of IPv6. */
#define SEEN_PREFIX4_MAX	32
#define SEEN_PREFIX6_MAX	128
#define SEEN_LENGTHS_WORDS	3

/**
 * struct seen_lengths - prefix lengths that a filter holds, or has held
 * @word: one bit for each length: 1 to 32 of IPv4, then 1 to 128 of IPv6
 *
 * A length whose keys were all deleted only costs time; a flush removes it.
 */
struct seen_lengths {
	u64 word[SEEN_LENGTHS_WORDS];
};

/*
 * seen_lengths_index() - index of the length of a key's prefix; -1 if @prefix, which is
 * not trusted, is invalid
 */
int seen_lengths_index(const u8 *prefix);

/**
 * seen_lengths_add() - record a length before a prefix of this length is stored
 * @lengths: lengths of the filter; one writer at a time, any number of readers
 * @index: index of the length
 *
 * Return: false if SEEN_PREFIX_LENGTHS other lengths are held.
 */
bool seen_lengths_add(struct seen_lengths *lengths, int index);

/* seen_lengths_merge() - add the lengths of @from; false if the sum exceeds the maximum */
bool seen_lengths_merge(struct seen_lengths *lengths,
			const struct seen_lengths *from);

/**
 * seen_lengths_next() - the longest length held, up to a given one of the same family
 * @lengths: lengths of the filter
 * @index: index of the maximum length
 *
 * Return: its index, or -1 if no such length is held.
 */
int seen_lengths_next(const struct seen_lengths *lengths, int index);

/**
 * seen_lengths_walk() - cut a prefix to the next length held, the longest first
 * @lengths: lengths of the filter
 * @prefix: prefix of a key; cut in place
 * @index: seen_lengths_index() of @prefix before the first call; updated for the next
 *         call
 *
 * Return: false if no length is left.
 */
bool seen_lengths_walk(const struct seen_lengths *lengths, u8 *prefix, int *index);

/* seen_lengths_count() - number of lengths held */
u32 seen_lengths_count(const struct seen_lengths *lengths);

/**
 * seen_lengths_list() - list the lengths as bytes
 * @lengths: lengths of the filter
 * @to: room for SEEN_PREFIX_LENGTHS bytes: 1 to 32 for IPv4, 32 + 1 to 32 + 128 for IPv6
 *
 * Return: number of lengths.
 */
u32 seen_lengths_list(const struct seen_lengths *lengths, u8 *to);

/**
 * seen_lengths_take() - add the lengths of a list
 * @lengths: empty
 * @from: list as from seen_lengths_list(), not trusted
 * @count: number of bytes in @from
 *
 * Return: false if a byte is not a length, or there are more than SEEN_PREFIX_LENGTHS.
 */
bool seen_lengths_take(struct seen_lengths *lengths, const u8 *from, u32 count);

#endif
