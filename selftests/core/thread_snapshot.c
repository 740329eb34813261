// SPDX-License-Identifier: GPL-2.0
/*
 * Exports and merges while other threads write: keys that were stored before it began are
 * in the result, though writers of a cuckoo filter move them in a table that fills up.
 */
#include <sched.h>

#include "sets.h"

enum { WRITERS = 3, THREADS = WRITERS + 1 };

#define FULL_PERCENT	98

struct live {
	struct seen_set *set;
	u64 keys;		/* of each writer */
	u64 done[WRITERS];
	u64 ended;
	bool copied;		/* or about to be, for the first time */
	bool merge;
	u64 chunk;		/* units of one export at a time */
	u64 rounds, torn, lost;
};

static void write_keys(struct live *live, int id)
{
	u64 i;

	/* Else all writers may have ended before the first export. */
	while (!__atomic_load_n(&live->copied, __ATOMIC_ACQUIRE))
		sched_yield();
	for (i = 0; i < live->keys; i++) {
		if (seen_set_test_and_add(live->set, hash_of(id, i)) > SEEN_SEEN)
			break;
		__atomic_store_n(&live->done[id], i + 1, __ATOMIC_RELEASE);
	}
	__atomic_fetch_add(&live->ended, 1, __ATOMIC_RELEASE);
}

static struct seen_set *copy_of(struct live *live)
{
	struct seen_set *copy = NULL;
	u8 *table;

	if (live->merge) {
		copy = set_new(&live->set->geo);
		live->lost += !merge_all(copy, live->set, 7);
		return copy;
	}
	/* Now within a run of units under one lock, now of several. */
	table = export_all(live->set, live->chunk);
	live->chunk = live->chunk * 5 % 251;
	live->torn += !table;
	if (table)
		copy = import_all(&live->set->geo, table, 0);
	free(table);
	return copy;
}

static void copy_keys(struct live *live)
{
	struct seen_set *copy;
	u64 before[WRITERS];
	bool last;
	int i;

	do {
		last = __atomic_load_n(&live->ended, __ATOMIC_ACQUIRE) ==
		       WRITERS;
		for (i = 0; i < WRITERS; i++)
			before[i] = __atomic_load_n(&live->done[i],
						    __ATOMIC_ACQUIRE);
		__atomic_store_n(&live->copied, true, __ATOMIC_RELEASE);
		copy = copy_of(live);
		if (!copy)
			continue;
		for (i = 0; i < WRITERS; i++)
			live->lost += missed(copy, i, 0, before[i]);
		live->rounds++;
		set_free(copy);
	} while (!last);
}

static void both(int id, void *arg)
{
	if (id == WRITERS)
		copy_keys(arg);
	else
		write_keys(arg, id);
}

static void under_writers(const struct kind *kind, bool merge)
{
	u64 capacity = kind->geo.kind == SEEN_SET_CUCKOO ? scale(750000) :
							   scale(250000);
	struct live live = { .merge = merge, .chunk = 7 };

	live.set = kind_new(kind, capacity);
	live.keys = capacity / WRITERS;
	/* Beyond its capacity, where a merge might find no room. */
	if (kind->geo.kind == SEEN_SET_CUCKOO && !merge)
		live.keys = live.set->geo.blocks * SEEN_CUCKOO_SLOTS *
			    FULL_PERCENT / 100 / WRITERS;
	in_threads(THREADS, both, &live);
	ok(live.rounds && !live.lost,
	   "%s: %llu %s complete, %llu torn", kind->name,
	   (unsigned long long)live.rounds, merge ? "merges" : "exports",
	   (unsigned long long)live.torn);
	set_free(live.set);
}

static void begin_half(struct seen_set *set, u64 *cookie, u64 *next)
{
	u8 bucket[16];

	*cookie = seen_set_export_begin(set);
	*next = 0;
	do {
		seen_set_export(set, *cookie, *next, 1, bucket, next);
	} while (*next < set->geo.blocks / 2);
}

/* With the front in the middle, where every other move would cross it. */
static void avoided(void)
{
	struct seen_set *set = kind_new(&kinds[7], 20000);
	u64 cookie, next, i, torn = 0;

	begin_half(set, &cookie, &next);
	for (i = 0; i < set->geo.capacity; i++) {
		seen_set_test_and_add(set, hash_of(1, i));
		if (set->exported == cookie)
			continue;
		torn++;
		begin_half(set, &cookie, &next);
	}
	ok(torn < set->geo.capacity / 40,
	   "moves avoid the front: of %llu adds %llu have torn an export",
	   (unsigned long long)i, (unsigned long long)torn);
	set_free(set);
}

int main(void)
{
	u32 i;

	test_begin(2 * ARRAY_SIZE(kinds) + 1);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		under_writers(&kinds[i], false);
		under_writers(&kinds[i], true);
	}
	avoided();
	return test_end();
}
