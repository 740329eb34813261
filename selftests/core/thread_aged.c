// SPDX-License-Identifier: GPL-2.0
/*
 * Adds with an age, with threads: a key that some threads add by its age and others when
 * it is seen is new to exactly one of them, and lasts as long as its youngest sighting.
 */
#include "clock.h"
#include "test.h"

enum { THREADS = 4 };

struct work {
	struct seen_set *set;
	u64 keys;
	u64 wrong;
	u8 *news;		/* times that a key was new */
};

/* Thread 0 brings each key with the least age, a quarter of the window. */
static u64 age_of(const struct work *work, int id, u64 key)
{
	u64 window = work->set->geo.window;

	return id ? window / 4 + hash_of(id, key) % (window / 2) : window / 4;
}

static void same_keys(int id, void *arg)
{
	struct work *work = arg;
	enum seen_result result;
	u64 i;

	for (i = 0; i < work->keys; i++) {
		result = seen_set_add_aged(work->set, hash_of(9, i), age_of(work, id, i));
		if (result == SEEN_NEW)
			__atomic_fetch_add(&work->news[i], 1, __ATOMIC_RELAXED);
		else if (result != SEEN_SEEN)
			__atomic_fetch_add(&work->wrong, 1, __ATOMIC_RELAXED);
	}
}

static u64 count_seen(const struct work *work)
{
	u64 i, count = 0;

	for (i = 0; i < work->keys; i++)
		count += seen_set_test(work->set, hash_of(9, i)) == SEEN_SEEN;
	return count;
}

static void run(const char *name, struct seen_geometry geo)
{
	struct work work = { .keys = scale(300000) };
	u64 total = 0, twice = 0, i;
	bool lasts;

	geo.capacity = 2 * work.keys;
	work.set = set_planned(geo);
	clock_set((seen_now() / work.set->geo.tick + 2) * work.set->geo.tick);
	work.news = calloc(work.keys, 1);
	in_threads(THREADS, same_keys, &work);
	for (i = 0; i < work.keys; i++) {
		total += work.news[i];
		twice += work.news[i] > 1;
	}
	ok(!twice && !work.wrong && rate_kept(work.keys - total, work.keys, geo.fpp),
	   "%s: %llu keys, each new to one thread", name, (unsigned long long)work.keys);
	/* The end of the window of the youngest sighting. */
	clock_add(geo.window - geo.window / 4);
	lasts = count_seen(&work) == work.keys;
	clock_add(2 * work.set->geo.tick);
	ok(lasts && rate_kept(count_seen(&work), work.keys, geo.fpp),
	   "%s: each lasts as long as its youngest sighting", name);
	free(work.news);
	set_free(work.set);
}

int main(void)
{
	test_begin(4);
	run("cuckoo", (struct seen_geometry) {
		.kind = SEEN_SET_CUCKOO_WINDOW,
		.fp_bits = 32,
		.window = 500 * MS,
		.fpp = FPP_ONE / 1000000,
	});
	run("bloom", (struct seen_geometry) {
		.kind = SEEN_SET_BLOOM_WINDOW,
		.window = 500 * MS,
		.fpp = FPP_ONE / 1000,
	});
	return test_end();
}
