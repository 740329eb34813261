/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sections of keys in a message:
 *
 *	added		varint, number of keys
 *	hashes		sorted; each as difference to the one before it, less 1, in Rice code whose
 *			low bits depend on the number of keys; filled up to a whole byte
 *	ages		a varint for each key, in sixteenths of a second; only if the group has a
 *			window
 *	deleted		varint, number of keys
 *	hashes		as above
 *
 * Every list of keys has exactly one encoding. n hashes have at most 2n + 2 unary bits, because the
 * quotients of differences add up to at most 2^64 / 2^low.
 */
#ifndef SEEND_CODEC_H
#define SEEND_CODEC_H

#include "../lib/libseen_feed.h"
#include "bytes.h"

/* Age that one unit of an encoded age stands for, in ns. */
#define AGE_UNIT	(1000000000ULL / 16)

/**
 * keys_sort() - sort by deleted, then hash
 * @keys: in the order of their events; of equal hashes only the last element stays, with the
 *	  latest sighting since the key was deleted
 * @count: elements of @keys
 * @scratch: room for @count elements
 *
 * Return: the number of elements that stay.
 */
size_t keys_sort(struct seen_feed_record *keys, size_t count, struct seen_feed_record *scratch);

/**
 * section_put() - append a section
 * @to: the buffer
 * @keys: from keys_sort()
 * @count: elements of @keys
 * @aged: with ages, rounded down, so that no key expires early
 */
void section_put(struct writer *to, const struct seen_feed_record *keys, size_t count, bool aged);

/**
 * section_get() - read a section
 * @from: from here; from->bad is set if the section is malformed
 * @keys: out
 * @room: elements of @keys
 * @aged: with ages; otherwise they are set to 0
 *
 * Return: number of keys; 0 also if the section is malformed, or has more than @room.
 */
size_t section_get(struct cursor *from, struct seen_feed_record *keys, size_t room, bool aged);

#endif
