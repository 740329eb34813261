// SPDX-License-Identifier: GPL-2.0
/*
 * Maps, compared with plain arrays: keys of all lengths, values, deletes, rehashes one
 * slice at a time between changes, refusals that change nothing. Capacity is tested in
 * test_map_room.c, exports in test_map_walk.c.
 */
#include "map_keys.h"

static void plans(void)
{
	struct seen_geometry geo = { .kind = SEEN_SET_MAP, .capacity = 100 };
	bool good;

	good = seen_plan(&geo, MIN_TICK) == SEEN_PLAN_KEY_BYTES;
	geo.key_bytes = SEEN_ITEM_KEY_MAX + 1;
	good &= seen_plan(&geo, MIN_TICK) == SEEN_PLAN_KEY_BYTES;
	ok(good, "a key has 1 to 48 bytes");

	geo.key_bytes = 4;
	geo.window = SECOND;
	ok(seen_plan(&geo, MIN_TICK) == SEEN_PLAN_WINDOW_KIND, "no window");

	geo.window = 0;
	geo.capacity = SEEN_CAPACITY_MAX;
	ok(seen_plan(&geo, MIN_TICK) == SEEN_PLAN_SIZE, "2^32 buckets at most");

	good = true;
	for (geo.key_bytes = 1; geo.key_bytes <= 48; geo.key_bytes++) {
		geo.capacity = 100;
		good &= seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK &&
			geo.hashes == 8 && geo.blocks % 2 == 0 &&
			seen_geometry_bytes(&geo) % 64 == 0;
	}
	ok(good, "a geometry for each length");
}

/* In a map for keys of up to @bytes, keys of all lengths up to that. */
static u64 wrong_lengths(u32 bytes)
{
	struct seen_geometry geo = map_planned(bytes, 100 * bytes);
	struct seen_set *set = set_new(&geo);
	struct seen_item item;
	u32 len, n, value;
	u64 bad = 0;

	for (len = 1; len <= bytes; len++)
		for (n = 0; n < 100; n++) {
			item = map_item(set, len, n);
			bad += seen_item_put(set, &item, len * n) != SEEN_NEW;
		}
	for (len = 1; len <= bytes; len++)
		for (n = 0; n < 200; n++) {
			item = map_item(set, len, n);
			if (n >= 100)
				bad += seen_item_value(set, &item, &value);
			else
				bad += !seen_item_value(set, &item, &value) ||
				       value != len * n;
		}
	bad += map_used(set) != 100 * bytes || !seen_set_full(set) ||
	       seen_set_entries(set) != 100 * bytes;
	set_free(set);
	return bad;
}

/* Hashes that are the same leave it to the key. */
static u64 wrong_bytes(u32 len)
{
	struct seen_geometry geo = map_planned(len, 10);
	struct seen_set *set = set_new(&geo);
	struct seen_item item = map_item(set, len, 7), like;
	u32 i, value;
	u64 bad = 0;

	seen_item_put(set, &item, 1);
	for (i = 0; i < 8 * len; i++) {
		like = item;
		like.key[i / 8] ^= 1 << i % 8;
		bad += seen_item_value(set, &like, &value);
	}
	for (i = 0; i < len; i++) {
		like = item;
		like.len = i;
		memset(like.key + i, 0, sizeof(like.key) - i);
		bad += seen_item_value(set, &like, &value);
	}
	like.len = 1;
	for (i = 0; i < 7; i++) {
		like.key[0] = 8 + i;
		bad += seen_item_put(set, &like, i) != SEEN_NEW;
	}
	for (i = 0; i < 7; i++) {
		like.key[0] = 8 + i;
		bad += !seen_item_value(set, &like, &value) || value != i;
	}
	bad += !seen_item_value(set, &item, &value) || value != 1;
	set_free(set);
	return bad;
}

static void each(u64 (*wrong)(u32 bytes), const char *name)
{
	u64 bad = 0, now;
	u32 bytes;

	for (bytes = 1; bytes <= SEEN_ITEM_KEY_MAX; bytes++) {
		now = wrong(bytes);
		if (now)
			note("%u bytes: %llu wrong", bytes,
			     (unsigned long long)now);
		bad += now;
	}
	ok(!bad, "for 1 to 48 bytes: %s", name);
}

enum { MODEL_KEYS = 3000 };

/* The expected keys of a map, and the rehash that is in progress. */
struct model {
	struct seen_set *set;
	struct seen_item item[MODEL_KEYS];
	u32 keys;		/* number of items that are added and deleted */
	u32 value[MODEL_KEYS];
	bool held[MODEL_KEYS];
	u32 told[MODEL_KEYS];	/* by a walk */
	u64 entries;
	struct seen_map_table next;
	u64 at;			/* slots that are copied */
	u64 rehashes, failures, refused;
	u64 wrong;
};

static void expect(struct model *m, bool good)
{
	m->wrong += !good;
}

static void check_key(struct model *m, u32 k)
{
	u32 value = 0;
	bool seen = seen_item_value(m->set, &m->item[k], &value);

	expect(m, seen == m->held[k] && (!seen || value == m->value[k]));
	expect(m, (seen_item_test(m->set, &m->item[k]) == SEEN_SEEN) == seen);
}

/* The number of a key follows from its value: see store(). */
static void tell(void *context, const void *key, u32 len, u32 value)
{
	struct model *m = context;
	u32 k = value % m->keys;

	expect(m, m->held[k] && m->value[k] == value);
	expect(m, m->item[k].len == len && !memcmp(m->item[k].key, key, len));
	m->told[k]++;
}

/* An entry's item finds it in this map, and so in a copy of it. */
static void check_slots(struct model *m)
{
	u64 slots = m->set->geo.blocks * SEEN_MAP_SLOTS;
	struct seen_item item;
	u32 value, same = 0;
	u64 at;

	for (at = 0; at < slots; at++)
		if (seen_map_get(m->set, at, &item, &value)) {
			expect(m, seen_item_value(m->set, &item, &same));
			expect(m, same == value);
		}
}

static void check_all(struct model *m)
{
	u64 at = 0;
	u32 k;

	check_slots(m);
	memset(m->told, 0, sizeof(m->told));
	do
		at = seen_map_walk(m->set, at, 7, tell, m);
	while (at);
	for (k = 0; k < m->keys; k++) {
		check_key(m, k);
		expect(m, m->told[k] == m->held[k]);
	}
	expect(m, map_used(m->set) == m->entries);
	expect(m, seen_set_entries(m->set) == m->entries);
	expect(m, seen_set_full(m->set) ==
		  (m->entries == m->set->geo.capacity));
}

/* A refusal, for want of room or of other hashes, leaves all as it was. */
static void store(struct model *m, u32 k, bool replace)
{
	u32 value = random_below(1000000) * m->keys + k;
	void *before = copy_table(m->set);
	enum seen_result result;

	result = seen_map_add(m->set, &m->item[k], value, replace);
	if (m->held[k]) {
		expect(m, result == SEEN_SEEN);
		expect(m, replace || same_table(m->set, before));
	} else if (result == SEEN_FULL) {
		expect(m, same_table(m->set, before));
		expect(m, seen_set_full(m->set) || seen_map_torn(m->set));
		m->refused++;
	} else {
		expect(m, result == SEEN_NEW);
		m->held[k] = true;
		m->value[k] = value;
		m->entries++;
	}
	if (m->held[k] && replace)
		m->value[k] = value;
	free(before);
}

static void drop(struct model *m, u32 k)
{
	enum seen_result result = seen_item_del(m->set, &m->item[k]);

	expect(m, result == (m->held[k] ? SEEN_SEEN : SEEN_ABSENT));
	m->entries -= m->held[k];
	m->held[k] = false;
}

/* One more slice, or the begin, or the end. */
static void rehash(struct model *m)
{
	void *table = m->set->table;
	void *fresh = m->next.entries;
	bool torn;

	if (!fresh) {
		m->next = map_table(m->set, random64());
		seen_map_rehash_begin(m->set, &m->next);
		m->at = 0;
		return;
	}
	m->at = seen_map_rehash_step(m->set, m->at, 1 + random_below(16));
	if (m->at)
		return;
	torn = seen_map_torn(m->set);
	if (seen_map_rehash_end(m->set, &m->next)) {
		expect(m, m->set->table == fresh && m->next.entries == table);
		expect(m, !seen_map_torn(m->set));
		m->rehashes++;
	} else {
		expect(m, m->set->table == table && m->next.entries == fresh);
		expect(m, seen_map_torn(m->set) == torn);
		m->failures++;
	}
	free(m->next.entries);
	m->next.entries = NULL;
	check_all(m);
}

static void step(struct model *m, u64 i)
{
	u32 k = random_below(m->keys);

	switch (random_below(5)) {
	case 0:
		store(m, k, false);
		break;
	case 1:
		store(m, k, true);
		break;
	case 2:
		/* now it empties, now it fills */
		if (i / 4096 % 2 || !random_below(4))
			drop(m, k);
		break;
	case 3:
		rehash(m);
	}
	check_key(m, random_below(m->keys));
}

static void model(struct seen_geometry geo, bool failures)
{
	u64 rounds = scale(200000) + 20000 + 20 * geo.capacity;
	struct model *m = calloc(1, sizeof(*m));
	u64 i;
	u32 k;

	m->set = set_new(&geo);
	m->keys = geo.capacity + geo.capacity / 4 + 2;
	if (m->keys > MODEL_KEYS)
		m->keys = MODEL_KEYS;
	for (k = 0; k < m->keys; k++) {
		u32 len = 2 + random_below(geo.key_bytes - 1);

		m->item[k] = map_item(m->set, len, k);
	}
	for (i = 0; i < rounds; i++)
		step(m, i);
	while (m->next.entries)
		rehash(m);
	check_all(m);
	ok(!m->wrong && m->rehashes && m->refused &&
	   (m->failures || !failures),
	   "%u bytes, %llu buckets: %llu rehashes, %llu failed, %llu refused",
	   geo.key_bytes, (unsigned long long)geo.blocks,
	   (unsigned long long)m->rehashes, (unsigned long long)m->failures,
	   (unsigned long long)m->refused);
	set_free(m->set);
	free(m);
}

/* A hash that leads to two buckets under the table's seed. */
static struct seen_item item_for(const struct seen_set *set, u64 a, u64 b,
				 u64 n)
{
	const struct seen_map_view view = seen_map_view(set, set->table);
	struct seen_item item = map_item(set, 8, n);
	struct seen_map_key key;

	do {
		item.hash = random64();
		key.entry.word[0] = (item.hash & ~0xffULL) | 9;
		seen_map_locate(&view, &key);
	} while (key.bucket[0] != a || key.bucket[1] != b);
	return item;
}

/* Nine keys for eight slots: the cycle that only other hashes undo. */
static void cycle(void)
{
	struct seen_geometry geo = map_planned(8, 64);
	struct seen_set *set = set_new(&geo);
	u64 half = geo.blocks / 2;
	struct seen_item item[9];
	enum seen_result result;
	u32 i, value, bad = 0;
	void *before;
	bool good;

	for (i = 0; i < 9; i++)
		item[i] = item_for(set, 3, half + 5, i);
	for (i = 0; i < 8; i++)
		bad += seen_item_put(set, &item[i], i) != SEEN_NEW;
	good = !bad && !seen_map_torn(set);
	before = copy_table(set);
	result = seen_item_put(set, &item[8], 8);
	ok(good && result == SEEN_FULL && seen_map_torn(set) &&
	   !seen_set_full(set) && same_table(set, before),
	   "a cycle: refused, torn, not full, and nothing has changed");
	free(before);

	good = map_rehash(set, 1) && !seen_map_torn(set);
	result = seen_item_put(set, &item[8], 8);
	for (i = 0; i < 9; i++)
		bad += !seen_item_value(set, &item[i], &value) || value != i;
	ok(good && result == SEEN_NEW && !bad && seen_set_entries(set) == 9,
	   "after a rehash all nine are stored");
	set_free(set);
}

/* Each of these hashes is the same: no seed helps, and none does harm. */
static void hopeless(void)
{
	struct seen_geometry geo = map_planned(8, 64);
	struct seen_set *set = set_new(&geo);
	struct seen_item item[9];
	u32 i, value, bad = 0;

	for (i = 0; i < 9; i++) {
		item[i] = map_item(set, 8, i);
		item[i].hash = item[0].hash;
		bad += seen_item_put(set, &item[i], i) !=
		       (i < 8 ? SEEN_NEW : SEEN_FULL);
	}
	for (i = 1; i < 100; i++) {
		bad += !map_rehash(set, i);
		bad += seen_item_put(set, &item[8], 8) != SEEN_FULL;
	}
	for (i = 0; i < 8; i++)
		bad += !seen_item_value(set, &item[i], &value) || value != i;
	ok(!bad, "nine keys with one hash: eight stay, through 99 rehashes");
	set_free(set);
}

int main(void)
{
	static const u32 lengths[] = { 4, 13, 16, 48 };
	static const u64 few[] = { 2, 4, 8, 14 };
	u32 i;

	test_begin(4 + 2 + 2 * ARRAY_SIZE(lengths) + ARRAY_SIZE(few) + 3);
	plans();
	each(wrong_lengths, "keys of all lengths, until the table is full");
	each(wrong_bytes, "keys that differ in one bit are different keys");
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		model(map_planned(lengths[i], 100), false);
		model(map_planned(lengths[i], 2000), false);
	}
	/* In two buckets every key may lie everywhere. */
	for (i = 0; i < ARRAY_SIZE(few); i++)
		model(map_tiny(lengths[i], few[i]), few[i] > 2);
	cycle();
	hopeless();
	return test_end();
}
