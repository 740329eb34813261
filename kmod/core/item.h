/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Items: the keys that are looked up in a set or stored in it. Most kinds identify a
 * key by its hash; a bitmap by its number in the range; a map, and a sketch's list of
 * heaviest keys, by its bytes. The operations here are those of set.h, for all kinds,
 * so that the kernel and the tools share one interface.
 */
#ifndef SEEN_CORE_ITEM_H
#define SEEN_CORE_ITEM_H

#include "set.h"

/**
 * struct seen_span - the range of a bitmap
 * @first: canonical key of the first number, big-endian like all keys
 * @len: bytes of every key: 1 to 16
 * @shift: number of trailing bits that are equal in all keys (prefixes); below 128
 */
struct seen_span {
	u8 first[16];
	u8 len;
	u8 shift;
};

/* seen_item_needs_key() - must items of this geometry carry the key's bytes? */
bool seen_item_needs_key(const struct seen_geometry *geo);

/* seen_item_takes_all() - can a set of this geometry store any key? */
bool seen_item_takes_all(const struct seen_geometry *geo);

/**
 * seen_item_make() - make an item from a canonical key
 * @geo: geometry of the set
 * @secret: secret of the set's hash
 * @span: range of a bitmap; ignored for other kinds
 * @key: canonical key
 * @len: bytes of @key
 * @item: out
 *
 * Context: any.
 * Return: false if the set cannot hold the key: it is outside the range, or too long.
 * Such a key was never added.
 */
bool seen_item_make(const struct seen_geometry *geo,
		    const struct seen_secret *secret,
		    const struct seen_span *span, const void *key, size_t len,
		    struct seen_item *item);

/*
 * As seen_set_test(), _test_and_add(), _add() and _del(), with these additions:
 *
 * Kinds that count: a key is seen if its count is at least geo.threshold (0 means 1).
 * Sketches store only by seen_item_add(), which returns SEEN_SEEN if the count, including
 * this add, is at least the threshold. Test-and-add of a counting filter counts a key until
 * it is seen, so with threshold N the first N callers get SEEN_NEW.
 *
 * Map: seen_item_add() keeps the value of a key that is present; a new key gets value
 * 0.
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
 * seen_item_add_count() - seen_set_add_count(), and update the list of heaviest keys
 * @set: a set for which seen_set_can_count() is true
 * @item: the key
 * @max: as for seen_set_add_count(); only cuckoo uses it
 * @count: out: the key's count
 *
 * Return: as seen_set_add_count().
 */
enum seen_result seen_item_add_count(struct seen_set *set,
				     const struct seen_item *item, u32 max,
				     u32 *count);

/* seen_item_count() - as seen_set_count() */
u32 seen_item_count(struct seen_set *set, const struct seen_item *item);

/**
 * seen_item_value() - read a key's value in a map
 * @set: set of kind SEEN_SET_MAP
 * @item: the key
 * @value: out
 *
 * Return: false if the key is not in the map.
 */
bool seen_item_value(struct seen_set *set, const struct seen_item *item,
		     u32 *value);

/**
 * seen_item_put() - store a key with a value in a map, or change its value
 * @set: set of kind SEEN_SET_MAP
 * @item: the key
 * @value: its value
 *
 * Return: SEEN_NEW, SEEN_SEEN (the key was present and now has @value), or SEEN_FULL:
 * the map is at capacity, or needs a rehash first, see map.h.
 */
enum seen_result seen_item_put(struct seen_set *set,
			       const struct seen_item *item, u32 value);

#endif
