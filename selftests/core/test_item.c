// SPDX-License-Identifier: GPL-2.0
/*
 * Items: which keys are in the range of a bitmap, and their numbers, compared with an
 * exact model; the hashes and keys of items of other kinds.
 */
#include <string.h>

#include "item.h"
#include "test.h"

static const struct seen_secret secret = { { 1, 2 } };

static const struct range {
	const char *name;
	u64 numbers;
	struct seen_span span;
} ranges[] = {
	{ "one number", 1, { { 7 }, 1, 0 } },
	{ "protocols", 256, { { 0 }, 1, 0 } },
	{ "ports", 65536, { { 0 }, 2, 0 } },
	{ "ports from 1024", 1000, { { 4, 0 }, 2, 0 } },
	{ "192.0.2.0/24", 256, { { 192, 0, 2, 0 }, 4, 0 } },
	{ "a hundred from 192.0.2.200, across bytes", 100,
	  { { 192, 0, 2, 200 }, 4, 0 } },
	{ "all of IPv4", 1ULL << 32, { { 0 }, 4, 0 } },
	{ "the end of IPv4", 256, { { 255, 255, 255, 0 }, 4, 0 } },
	{ "prefixes of 24 bits in 10.0.0.0/8", 65536, { { 10 }, 4, 8 } },
	{ "prefixes of 1 bit", 2, { { 0 }, 4, 31 } },
	{ "hardware addresses of one maker", 1 << 24,
	  { { 0, 0x1b, 0x21 }, 6, 0 } },
	{ "2001:db8::/112", 65536, { { 0x20, 1, 0xd, 0xb8 }, 16, 0 } },
	{ "prefixes of 64 bits in 2001:db8::/48", 65536,
	  { { 0x20, 1, 0xd, 0xb8 }, 16, 64 } },
	{ "prefixes of 48 bits in 2001:db8::/32", 65536,
	  { { 0x20, 1, 0xd, 0xb8 }, 16, 80 } },
	{ "prefixes of 1 bit of IPv6", 2, { { 0 }, 16, 127 } },
	{ "IPv6 across its halves", 512,
	  { { 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0,
	      255, 255, 255, 255, 255, 255, 255, 0 }, 16, 0 } },
	{ "the end of IPv6", 16,
	  { { 255, 255, 255, 255, 255, 255, 255, 255,
	      255, 255, 255, 255, 255, 255, 255, 240 }, 16, 0 } },
};

/* The first key and @n times 2^shift, by hand; false: that has no such key. */
static bool key_of(const struct range *r, u64 n, u8 *key)
{
	u32 bit = r->span.shift;
	u32 carry = 0, sum;
	int i;

	memcpy(key, r->span.first, r->span.len);
	for (i = r->span.len - 1; i >= 0; i--) {
		sum = key[i] + carry;
		if (bit >= 8) {
			bit -= 8;
		} else {
			sum += (n << bit) & 255;
			n >>= 8 - bit;
			bit = 0;
		}
		key[i] = sum;
		carry = sum >> 8;
	}
	return !n && !carry;
}

static bool make(const struct range *r, const void *key, size_t len,
		 u64 *number)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_BITMAP,
		.capacity = r->numbers,
	};
	struct seen_item item;
	bool made = seen_item_make(&geo, &secret, &r->span, key, len, &item);

	*number = item.hash;
	return made && !item.len;
}

/* Numbers in the range are those; the next ones are not in it. */
static bool is(const struct range *r, u64 n)
{
	u64 number;
	u8 key[16];

	if (!key_of(r, n, key))
		return n >= r->numbers;
	if (make(r, key, r->span.len, &number))
		return n < r->numbers && number == n;
	return n >= r->numbers;
}

static void test_inside(const struct range *r)
{
	u64 bad = 0, i;

	for (i = 0; i < r->numbers && i < 70000; i++)
		bad += !is(r, i);
	for (i = 0; i < 10000; i++)
		bad += !is(r, random_below(r->numbers));
	for (i = 0; i < 1000; i++)
		bad += !is(r, r->numbers + i);
	bad += !is(r, r->numbers - 1);
	ok(!bad, "%s: each key has its number, no key outside has one", r->name);
}

/* One number below the first, and the same number with other high bytes. */
static void test_outside(const struct range *r)
{
	u64 number, inside, bad = 0;
	u8 key[16], first[16];
	int i, byte;

	memcpy(first, r->span.first, sizeof(first));
	for (i = r->span.len - 1; i >= 0 && !first[i]--; i--)
		;
	if (i >= 0)
		bad += make(r, first, r->span.len, &number);
	for (i = 0; i < 1000; i++) {
		inside = random_below(r->numbers);
		key_of(r, inside, key);
		byte = random_below(r->span.len);
		key[byte] ^= 1 + random_below(255);
		if (make(r, key, r->span.len, &number))
			bad += !key_of(r, number, first) ||
			       (memcmp(key, first, r->span.len) &&
				r->span.shift == 0);
	}
	ok(!bad, "%s: no other key has one of its numbers", r->name);
}

static void test_length(const struct range *r)
{
	u8 key[SEEN_ITEM_KEY_MAX + 1] = { };
	u64 number, bad = 0;
	size_t len;

	memcpy(key, r->span.first, r->span.len);
	for (len = 0; len <= SEEN_ITEM_KEY_MAX + 1; len++)
		bad += make(r, key, len, &number) != (len == r->span.len);
	ok(!bad, "%s: no shorter and no longer key", r->name);
}

/* Through the operations of all kinds. */
static void test_bitmap(void)
{
	static const struct range *r = &ranges[4];
	struct seen_set *set = set_planned((struct seen_geometry) {
		.kind = SEEN_SET_BITMAP,
		.capacity = r->numbers,
	});
	struct seen_item item[2];
	u8 key[4];
	bool good;
	int i;

	for (i = 0; i < 2; i++) {
		key_of(r, 100 + i, key);
		seen_item_make(&set->geo, &secret, &r->span, key, sizeof(key),
			       &item[i]);
	}
	good = !seen_item_needs_key(&set->geo) &&
	       seen_item_test(set, &item[0]) == SEEN_NEW &&
	       seen_item_test_and_add(set, &item[0]) == SEEN_NEW &&
	       seen_item_test_and_add(set, &item[0]) == SEEN_SEEN &&
	       seen_item_add(set, &item[0]) == SEEN_SEEN &&
	       seen_item_test(set, &item[1]) == SEEN_NEW &&
	       seen_item_del(set, &item[1]) == SEEN_ABSENT &&
	       seen_item_add(set, &item[1]) == SEEN_NEW &&
	       seen_item_del(set, &item[0]) == SEEN_SEEN &&
	       seen_item_test(set, &item[0]) == SEEN_NEW &&
	       seen_item_test(set, &item[1]) == SEEN_SEEN;
	ok(good && !seen_set_can_count(&set->geo), "bitmap: operations");
	set_free(set);
}

static void test_counting(void)
{
	struct seen_set *set = set_planned((struct seen_geometry) {
		.kind = SEEN_SET_COUNTING,
		.capacity = 1000,
		.fpp = FPP_ONE / 100,
		.threshold = 2,
	});
	struct seen_item item;
	u32 count = 0;
	bool good;

	good = seen_item_make(&set->geo, &secret, NULL, "key", 3, &item) &&
	       item.hash == seen_siphash13("key", 3, &secret) &&
	       !item.len && !seen_item_needs_key(&set->geo) &&
	       seen_item_add(set, &item) == SEEN_NEW &&
	       seen_item_test(set, &item) == SEEN_NEW &&
	       seen_item_add_count(set, &item, 0, &count) == SEEN_NEW &&
	       count == 2 && seen_item_test(set, &item) == SEEN_SEEN &&
	       seen_item_test_and_add(set, &item) == SEEN_SEEN &&
	       seen_item_count(set, &item) == 2 &&
	       seen_item_del(set, &item) == SEEN_SEEN &&
	       seen_item_test(set, &item) == SEEN_NEW &&
	       seen_item_count(set, &item) == 1 &&
	       seen_item_del(set, &item) == SEEN_SEEN &&
	       seen_item_del(set, &item) == SEEN_ABSENT;
	ok(good, "counting, seen from twice on: operations");
	set_free(set);
}

/* Hashed bytes may have any length, stored keys may not. */
static void test_bytes(void)
{
	struct seen_geometry geo = { .kind = SEEN_SET_MAP, .key_bytes = 20 };
	u8 key[SEEN_ITEM_KEY_MAX + 1];
	struct seen_item item;
	u64 bad = 0;
	size_t len, i;

	for (i = 0; i < sizeof(key); i++)
		key[i] = 1 + i;
	for (len = 1; len <= sizeof(key); len++) {
		bad += seen_item_make(&geo, &secret, NULL, key, len, &item) !=
		       (len <= geo.key_bytes);
		if (len > geo.key_bytes)
			continue;
		bad += item.len != len ||
		       item.hash != seen_siphash13(key, len, &secret) ||
		       memcmp(item.key, key, len);
		for (i = len; i < SEEN_ITEM_KEY_MAX; i++)
			bad += item.key[i];
	}
	ok(!bad && seen_item_needs_key(&geo),
	   "map: keys up to the longest, and zeroes after them");
	geo.kind = SEEN_SET_BLOCKED;
	for (len = 1; len <= sizeof(key); len++)
		bad += !seen_item_make(&geo, &secret, NULL, key, len, &item) ||
		       item.len ||
		       item.hash != seen_siphash13(key, len, &secret);
	ok(!bad, "bloom: a hash, of any length");
}

int main(void)
{
	u32 i;

	test_begin(3 * ARRAY_SIZE(ranges) + 4);
	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		test_inside(&ranges[i]);
		test_outside(&ranges[i]);
		test_length(&ranges[i]);
	}
	test_bitmap();
	test_counting();
	test_bytes();
	return test_end();
}
