/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Items: what a set is asked about. Most kinds know a key by its hash; a bitmap
 * by a number; a map, and the list of a sketch's heaviest keys, by its bytes.
 * The operations here are those of set.h for all kinds, so that the kernel and
 * the tools have one way to ask.
 */
#ifndef SEEN_CORE_ITEM_H
#define SEEN_CORE_ITEM_H

#include "set.h"

/**
 * struct seen_span - the range of a bitmap
 * @first: canonical key of its first number, big-endian as all keys are
 * @len: bytes of every key: 1 to 16
 * @shift: bits at a key's end that are the same in all (prefixes); fewer than
 *         128
 */
struct seen_span {
	u8 first[16];
	u8 len;
	u8 shift;
};

/* seen_item_needs_key() - must the items of such a set carry the key's bytes? */
bool seen_item_needs_key(const struct seen_geometry *geo);

/* seen_item_takes_all() - has such a set a place for each key, whatever its bytes? */
bool seen_item_takes_all(const struct seen_geometry *geo);

/**
 * seen_item_make() - from a canonical key to an item
 * @geo: of the set
 * @secret: of its hash
 * @span: of a bitmap, else not looked at
 * @key: canonical
 * @len: its bytes
 * @item: to fill
 *
 * Context: any.
 * Return: false: the set cannot hold such a key: it is outside of the range, or
 * too long. It was never added.
 */
bool seen_item_make(const struct seen_geometry *geo,
		    const struct seen_secret *secret,
		    const struct seen_span *span, const void *key, size_t len,
		    struct seen_item *item);

/*
 * As seen_set_test(), _test_and_add(), _add(), _del(). Kinds that count: seen is
 * what has a count of geo.threshold at least (1 if that is 0); sketches store with
 * _add() alone, which answers SEEN_SEEN if the count with this one reaches it; a
 * counting filter's test-and-add counts a key until it is seen, so that as many
 * callers as the threshold says are told SEEN_NEW.
 * Map: _add() leaves the value of a key that is there; a new one's is 0.
 */
enum seen_result seen_item_test(struct seen_set *set,
				const struct seen_item *item);
enum seen_result seen_item_test_and_add(struct seen_set *set,
					const struct seen_item *item);
enum seen_result seen_item_add(struct seen_set *set,
			       const struct seen_item *item);
enum seen_result seen_item_del(struct seen_set *set,
			       const struct seen_item *item);

/**
 * seen_item_add_count() - as seen_set_add_count(), and the list of the heaviest
 * @set: seen_set_can_count()
 * @item: the key
 * @max: see there; only cuckoo's copies are bounded by it
 * @count: out
 */
enum seen_result seen_item_add_count(struct seen_set *set,
				     const struct seen_item *item, u32 max,
				     u32 *count);

/* seen_item_count() - as seen_set_count() */
u32 seen_item_count(struct seen_set *set, const struct seen_item *item);

/**
 * seen_item_value() - a map's value
 * @set: of SEEN_SET_MAP
 * @item: the key
 * @value: out
 *
 * Return: false: it is not in it.
 */
bool seen_item_value(struct seen_set *set, const struct seen_item *item,
		     u32 *value);

/**
 * seen_item_put() - store a key with a value in a map, or change its value
 * @set: of SEEN_SET_MAP
 * @item: the key
 * @value: of it
 *
 * Return: SEEN_NEW, SEEN_SEEN (it was there, and has the value now), or
 * SEEN_FULL: no room, or none until a rehash, see map.h.
 */
enum seen_result seen_item_put(struct seen_set *set,
			       const struct seen_item *item, u32 value);

#endif
