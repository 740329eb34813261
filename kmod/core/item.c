// SPDX-License-Identifier: GPL-2.0
/* Makes items from keys, and calls the functions of their kind; see item.h. */
#include "item.h"
#include "map.h"
#include "top.h"

bool seen_item_needs_key(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_MAP || geo->top;
}

/* 128 bits; compilers for 32-bit machines have no such type. */
struct wide {
	u64 high;
	u64 low;
};

/* Up to 16 bytes, big-endian. */
static struct wide item_number(const u8 *bytes, size_t len)
{
	struct wide n = { 0, 0 };

	while (len--) {
		n.high = n.high << 8 | n.low >> 56;
		n.low = n.low << 8 | *bytes++;
	}
	return n;
}

static struct wide item_shifted(struct wide n, unsigned int shift)
{
	if (shift >= 64)
		return (struct wide){ 0, n.high >> (shift - 64) };
	if (!shift)
		return n;
	return (struct wide){ n.high >> shift,
			      n.high << (64 - shift) | n.low >> shift };
}

/* Distance of a key from the first key of the range. Return: false if it is outside. */
static bool item_place(const struct seen_geometry *geo, const struct seen_span *span,
		       const u8 *key, size_t len, u64 *at)
{
	struct wide first, n;

	if (len != span->len)
		return false;
	first = item_number(span->first, len);
	n = item_number(key, len);
	if (n.high < first.high ||
	    (n.high == first.high && n.low < first.low))
		return false;
	n.high -= first.high + (n.low < first.low);
	n.low -= first.low;
	n = item_shifted(n, span->shift);
	*at = n.low;
	return !n.high && n.low < geo->capacity;
}

static void item_copy(struct seen_item *item, const u8 *key, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		item->key[i] = key[i];
	for (; i < SEEN_ITEM_KEY_MAX; i++)
		item->key[i] = 0;
	item->len = len;
}

bool seen_item_takes_all(const struct seen_geometry *geo)
{
	return geo->kind != SEEN_SET_BITMAP && !seen_item_needs_key(geo);
}

bool seen_item_make(const struct seen_geometry *geo,
		    const struct seen_secret *secret,
		    const struct seen_span *span, const void *key, size_t len,
		    struct seen_item *item)
{
	item->len = 0;
	if (geo->kind == SEEN_SET_BITMAP)
		return item_place(geo, span, key, len, &item->hash);
	if (seen_item_needs_key(geo)) {
		if (len > geo->key_bytes)
			return false;
		item_copy(item, key, len);
	}
	item->hash = seen_siphash13(key, len, secret);
	return true;
}

enum seen_result seen_item_test(struct seen_set *set,
				const struct seen_item *item)
{
	u32 value;

	if (set->geo.kind == SEEN_SET_MAP)
		return seen_map_test(set, item, &value) ? SEEN_SEEN : SEEN_NEW;
	return seen_set_test(set, item->hash);
}

enum seen_result seen_item_test_and_add(struct seen_set *set,
					const struct seen_item *item)
{
	if (set->geo.kind == SEEN_SET_MAP)
		return seen_map_add(set, item, 0, false);
	return seen_set_test_and_add(set, item->hash);
}

enum seen_result seen_item_add(struct seen_set *set,
			       const struct seen_item *item)
{
	u32 threshold = set->geo.threshold ? set->geo.threshold : 1;
	u32 count;

	if (set->geo.kind == SEEN_SET_MAP)
		return seen_map_add(set, item, 0, false);
	if (seen_set_can_test_and_add(&set->geo))
		return seen_set_add(set, item->hash);
	if (seen_item_add_count(set, item, 0, &count) == SEEN_STALE)
		return SEEN_STALE;
	return count >= threshold ? SEEN_SEEN : SEEN_NEW;
}

enum seen_result seen_item_del(struct seen_set *set,
			       const struct seen_item *item)
{
	if (set->geo.kind == SEEN_SET_MAP)
		return seen_map_del(set, item);
	return seen_set_del(set, item->hash);
}

enum seen_result seen_item_add_count(struct seen_set *set,
				     const struct seen_item *item, u32 max,
				     u32 *count)
{
	enum seen_result result;

	result = seen_set_add_count(set, item->hash, max, count);
	if (set->top && result != SEEN_STALE)
		seen_top_note(set, item, *count);
	return result;
}

u32 seen_item_count(struct seen_set *set, const struct seen_item *item)
{
	return seen_set_count(set, item->hash);
}

bool seen_item_value(struct seen_set *set, const struct seen_item *item,
		     u32 *value)
{
	return seen_map_test(set, item, value);
}

enum seen_result seen_item_put(struct seen_set *set,
			       const struct seen_item *item, u32 value)
{
	return seen_map_add(set, item, value, true);
}
