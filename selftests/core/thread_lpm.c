// SPDX-License-Identifier: GPL-2.0
/*
 * Longest-prefix match with threads: an address whose short prefix is stored is seen at
 * any time, while a longer prefix is added and deleted.
 */
#include <string.h>

#include "item.h"
#include "lpm.h"
#include "map_keys.h"
#include "test.h"

/* The first one asks. */
enum { ASKERS = 1, THREADS = 2 };

/* Shared by the threads. */
struct work {
	struct seen_set *set;
	struct seen_lengths lengths;
	int asking;
	u64 changes, asked, missed;
};

/* 10.1.2.3, and prefixes of it. */
static void address(u8 *key, u32 bits)
{
	static const u8 whole[] = { 10, 1, 2, 3 };
	u32 i;

	memset(key, 0, SEEN_PREFIX_BYTES);
	key[10] = 0xff;
	key[11] = 0xff;
	for (i = 0; i < bits / 8; i++)
		key[12 + i] = whole[i];
	key[SEEN_PREFIX_BYTES - 1] = 96 + bits;
}

static struct seen_item prefix_item(struct work *work, u32 bits)
{
	u8 key[SEEN_PREFIX_BYTES];
	struct seen_item item;

	address(key, bits);
	seen_lengths_add(&work->lengths, seen_lengths_index(key));
	seen_item_make(&work->set->geo, &map_secret, NULL, key, sizeof(key), &item);
	return item;
}

static void ask(struct work *work)
{
	const struct seen_lpm lpm = {
		.set = work->set, .secret = &map_secret,
		.lengths = &work->lengths, .over = SEEN_LPM_SEEN,
	};
	u64 end = deadline(5), i;
	u8 key[SEEN_PREFIX_BYTES];
	u32 value;

	address(key, 32);
	for (i = 0; go_on(i, end); i++)
		work->missed += seen_lpm_ask(&lpm, key, sizeof(key), 0, &value) !=
				SEEN_SEEN;
	work->asked = i;
	__atomic_store_n(&work->asking, 0, __ATOMIC_RELEASE);
}

static void change(struct work *work)
{
	struct seen_item item = prefix_item(work, 16);

	while (__atomic_load_n(&work->asking, __ATOMIC_ACQUIRE)) {
		seen_item_add(work->set, &item);
		seen_item_del(work->set, &item);
		work->changes++;
	}
}

static void ask_or_change(int id, void *arg)
{
	if (id < ASKERS)
		ask(arg);
	else
		change(arg);
}

static void always_seen(const char *type, struct seen_geometry geo)
{
	struct work work = { .asking = ASKERS };
	struct seen_item item;

	if (seen_plan(&geo, MIN_TICK))
		abort();
	work.set = set_new(&geo);
	item = prefix_item(&work, 8);
	seen_item_add(work.set, &item);
	in_threads(THREADS, ask_or_change, &work);
	ok(!work.missed && work.changes,
	   "%s: a shorter prefix is found while a longer one changes, %llu of %llu missed",
	   type, (unsigned long long)work.missed, (unsigned long long)work.asked);
	set_free(work.set);
}

int main(void)
{
	test_begin(2);
	always_seen("map", (struct seen_geometry) {
		.kind = SEEN_SET_MAP, .capacity = 100,
		.key_bytes = SEEN_PREFIX_BYTES,
	});
	always_seen("cuckoo", (struct seen_geometry) {
		.kind = SEEN_SET_CUCKOO, .fp_bits = 32, .capacity = 100,
	});
	return test_end();
}
