// SPDX-License-Identifier: GPL-2.0
/* Numbers, bits and sections of keys: what is written is read back, anything else is refused. */
#include <stdlib.h>
#include <string.h>

#include "../../tools/seend/bits.h"
#include "../../tools/seend/body.h"
#include "tap.h"

#define ROOM	0x100000

static uint8_t data[ROOM];
static struct seen_feed_record keys[OUT_KEYS], back[OUT_KEYS], scratch[OUT_KEYS];

static bool varint_is(uint64_t value, size_t bytes)
{
	struct writer to = { data, ROOM, 0, false };
	struct cursor from = { data, 0, false };

	put_varint(&to, value);
	from.left = to.used;
	return to.used == bytes && get_varint(&from) == value && !from.left && !from.bad;
}

static bool varint_refused(const char *bytes, size_t len)
{
	struct cursor from = { (const uint8_t *)bytes, len, false };

	get_varint(&from);
	return from.bad;
}

static void test_varints(void)
{
	ok(varint_is(0, 1) && varint_is(127, 1) && varint_is(128, 2) && varint_is(1 << 14, 3) &&
	   varint_is(UINT64_MAX, 10) && varint_is(1ULL << 63, 10), "varints");
	ok(varint_refused("", 0) && varint_refused("\x80", 1), "an incomplete varint");
	ok(varint_refused("\x80\x00", 2), "a varint that is longer than necessary");
	ok(varint_refused("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10),
	   "a varint above 64 bits");
}

static bool rice_is(uint64_t value, unsigned int low)
{
	struct writer to = { data, ROOM, 0, false };
	struct bit_writer bits = { .to = &to };
	struct cursor from = { data, 0, false };
	struct bit_cursor read = { .from = &from };

	bits_put(&bits, 5, 3);
	rice_put(&bits, value, low);
	bit_writer_end(&bits);
	from.left = to.used;
	if (bits_get(&read, 3) != 5 || rice_get(&read, low) != value)
		return false;
	bit_cursor_end(&read);
	return !from.bad && !from.left;
}

static void test_rice(void)
{
	uint8_t ones[64];
	struct cursor from = { ones, sizeof(ones), false };
	struct bit_cursor bits = { .from = &from };
	bool good = true;

	for (unsigned int low = 0; low < 64; low++)
		good &= rice_is(0, low) && rice_is(100, low) &&
			rice_is((1ULL << low) - 1, low) && rice_is(1ULL << low, low);
	ok(good && rice_is(UINT64_MAX, 63) && rice_is(UINT64_MAX, 60), "Rice codes");
	memset(ones, 0xff, sizeof(ones));
	rice_get(&bits, 60);
	ok(from.bad && from.left, "a code above 64 bits ends there");
}

/* keys_fill() - @count keys; @spread: bits of the hashes */
static size_t keys_fill(size_t count, unsigned int spread)
{
	for (size_t i = 0; i < count; i++)
		keys[i] = (struct seen_feed_record) {
			random64() >> (64 - spread), random_below(100) * AGE_UNIT,
			!random_below(4),
		};
	return keys_sort(keys, count, scratch);
}

static bool same(size_t count, bool aged)
{
	for (size_t i = 0; i < count; i++)
		if (keys[i].hash != back[i].hash || keys[i].deleted != back[i].deleted ||
		    (aged && !keys[i].deleted ? keys[i].age : 0) != back[i].age)
			return false;
	return true;
}

static bool section_is(size_t count, bool aged, size_t *used)
{
	struct writer to = { data, ROOM, 0, false };
	struct cursor from = { data, 0, false };

	section_put(&to, keys, count, aged);
	from.left = to.used;
	*used = to.used;
	return !to.full && section_get(&from, back, OUT_KEYS, aged) == count && !from.bad &&
	       !from.left && same(count, aged);
}

static void test_sections(void)
{
	static const size_t counts[] = { 0, 1, 2, 3, 7, 64, 512, 4096, OUT_KEYS };
	static const unsigned int spreads[] = { 1, 8, 20, 40, 64 };
	bool good = true, small = true;
	size_t used;

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		for (size_t j = 0; j < sizeof(spreads) / sizeof(*spreads); j++) {
			size_t count = keys_fill(counts[i], spreads[j]);

			good &= section_is(count, j & 1, &used);
			small &= used <= 6 + count * 10;
		}
	ok(good, "sections of any size and spread");
	ok(small, "no section has more than ten bytes for a key, and six");
	keys[0] = (struct seen_feed_record) { .hash = UINT64_MAX };
	ok(section_is(1, false, &used), "the highest hash");
}

/* 1,000 keys a second in the group have a budget of 12 kB a second. */
static void test_size(void)
{
	size_t count, used;

	for (size_t i = 0; i < 200; i++)
		keys[i] = (struct seen_feed_record) { random64(), 0, false };
	count = keys_sort(keys, 200, scratch);
	ok(section_is(count, true, &used) && used < 200 * 85 / 10,
	   "200 keys have less than 8.5 bytes each");
}

static void test_sort(void)
{
	struct seen_feed_record list[] = {
		{ 7, 1, false }, { 5, 2, true }, { 7, 3, true }, { 5, 4, false }, { 9, 5, true },
		{ 9, 6, true },
	};
	struct seen_feed_record late[] = {
		{ 1, 2, false }, { 2, 3, false }, { 1, 8, false }, { 2, 4, true }, { 2, 9, false },
	};
	size_t count = keys_sort(list, 6, scratch);

	ok(count == 3 && list[0].hash == 5 && list[0].age == 4 && !list[0].deleted &&
	   list[1].hash == 7 && list[1].deleted && list[2].hash == 9 && list[2].age == 6,
	   "of the events of a key only the last one stays");
	ok(keys_sort(late, 5, scratch) == 2 && late[0].age == 2 && late[1].age == 9,
	   "with the latest sighting since the key was deleted");
}

/* Every cut and every flipped bit of a section is refused, or is another valid section. */
static void test_damage(void)
{
	struct writer again = { data + ROOM / 2, ROOM / 2, 0, false };
	struct writer to = { data, ROOM, 0, false };
	size_t count = keys_fill(100, 64);
	bool cut = true, canonical = true;

	section_put(&to, keys, count, true);
	for (size_t len = 0; len < to.used; len++) {
		struct cursor from = { data, len, false };

		cut &= !section_get(&from, back, OUT_KEYS, true) && from.bad;
	}
	ok(cut, "a truncated section is refused");
	for (size_t bit = 0; bit < to.used * 8; bit++) {
		struct cursor from = { data, to.used, false };
		size_t got;

		data[bit / 8] ^= 1 << bit % 8;
		got = section_get(&from, back, OUT_KEYS, true);
		if (!from.bad) {
			again.used = 0;
			section_put(&again, back, got, true);
			canonical &= again.used == to.used - from.left &&
				     !memcmp(again.data, data, again.used);
		}
		data[bit / 8] ^= 1 << bit % 8;
	}
	ok(canonical, "keys have one encoding");
}

static void test_bounds(void)
{
	struct cursor from = { data, ROOM, false };
	size_t count = keys_fill(100, 64), used;
	struct writer to = { data, 50, 0, false };

	memset(data, 0xff, ROOM);
	ok(!section_get(&from, back, OUT_KEYS, true) && from.bad, "a section of ones is refused");
	section_put(&to, keys, count, true);
	ok(to.full && to.used <= 50, "a section that does not fit is noticed");
	section_is(count, true, &used);
	from = (struct cursor) { data, used, false };
	ok(!section_get(&from, back, count - 1, true) && from.bad,
	   "a section with more keys than there is room for is refused");
}

static void test_out(void)
{
	static struct out_head head, got;
	struct writer to = { data, ROOM, 0, false };
	struct cursor from = { data, 0, false };
	bool cut = true;

	head.has_base = true;
	memset(head.base, 3, CHAIN_LEN);
	head.covers = (struct engine_id) { 1234567890123, 45 };
	head.roster = 77;
	head.refusals = 2;
	head.refusal[0] = (struct refusal) { 1, 2, 3, REASON_QUOTA };
	head.refusal[1] = (struct refusal) { 4, 5, 6, REASON_MISSING };
	head.sections = 9;
	out_head_put(&to, &head);
	from.left = to.used;
	out_head_get(&from, &got);
	ok(!from.bad && !from.left && !memcmp(&got, &head, sizeof(head)), "head of a batch");
	for (size_t len = 0; len < to.used; len++) {
		from = (struct cursor) { data, len, false };
		out_head_get(&from, &got);
		cut &= from.bad;
	}
	ok(cut, "a truncated head is refused");
	memset(data, 0xff, ROOM);
	from = (struct cursor) { data, ROOM, false };
	out_head_get(&from, &got);
	ok(from.bad && got.refusals <= REFUSALS_MAX, "a head of ones is refused");
}

int main(void)
{
	tap_begin(20);
	test_varints();
	test_rice();
	test_sections();
	test_size();
	test_sort();
	test_damage();
	test_bounds();
	test_out();
	return tap_end();
}
