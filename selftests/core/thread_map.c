// SPDX-License-Identifier: GPL-2.0
/*
 * Maps with threads, one of which rehashes all the time: a new key is new to exactly one
 * thread, and a key in the map is found at any time with a value that it had, while other
 * keys are added, deleted and moved.
 */
#include <sched.h>

#include "map_keys.h"

/* The first one rehashes. */
enum { WRITERS = 3, THREADS = WRITERS + 1 };

/* In keys' numbers, the upper half of 8 bytes. */
enum family { SHARED, STABLE, OWN };

static struct seen_item item_of(const struct seen_set *set, enum family family,
				u64 n)
{
	return map_item(set, 8, (u64)family << 32 | n);
}

/*
 * A thread that reads the table says so by an odd count: the reader's side of
 * RCU. The other side waits until each has been outside, or comes for the first
 * time after that.
 */
struct reader {
	u64 count;
	u8 pad[56];
};

static struct reader readers[THREADS];

static void reader_lock(int id)
{
	__atomic_fetch_add(&readers[id].count, 1, __ATOMIC_SEQ_CST);
}

static void reader_unlock(int id)
{
	__atomic_fetch_add(&readers[id].count, 1, __ATOMIC_RELEASE);
}

static void synchronize(void)
{
	u64 count;
	int i;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (i = 0; i < THREADS; i++) {
		count = __atomic_load_n(&readers[i].count, __ATOMIC_SEQ_CST);
		while ((count & 1) &&
		       __atomic_load_n(&readers[i].count, __ATOMIC_ACQUIRE) ==
		       count)
			sched_yield();
	}
}

/* The threads share the set, and report their results here. */
struct work {
	struct seen_set *set;
	u64 end;		/* of go_on() */
	u64 keys;
	u8 *new;		/* of each key: times that it was new */
	u32 *value;		/* stored by the thread to which the key was new */
	int running;		/* writers */
	u64 steps, wrong, rehashes;
};

/* Threads draw from sequences of their own. */
static u64 draw(u64 *state)
{
	*state += 0x9e3779b97f4a7c15ULL;
	return seen_remix(*state);
}

static void rehash_all_the_time(struct work *work)
{
	size_t bytes = seen_geometry_bytes(&work->set->geo);
	struct seen_map_table table;
	u64 at, seed = 0;

	while (__atomic_load_n(&work->running, __ATOMIC_ACQUIRE)) {
		table = map_table(work->set, draw(&seed));
		seen_map_rehash_begin(work->set, &table);
		at = 0;
		do
			at = seen_map_rehash_step(work->set, at, 100);
		while (at);
		work->rehashes += seen_map_rehash_end(work->set, &table);
		synchronize();
		memset(table.entries, 0xff, bytes);
		free(table.entries);
	}
}

static void same_keys(int id, struct work *work)
{
	struct seen_item item;
	enum seen_result r;
	u64 wrong = 0;
	u64 i;

	for (i = 0; i < work->keys; i++) {
		item = item_of(work->set, SHARED, i);
		reader_lock(id);
		r = seen_map_add(work->set, &item, id, false);
		reader_unlock(id);
		if (r == SEEN_NEW) {
			__atomic_fetch_add(&work->new[i], 1, __ATOMIC_RELAXED);
			work->value[i] = id;
		}
		wrong += r != SEEN_NEW && r != SEEN_SEEN;
	}
	__atomic_fetch_add(&work->wrong, wrong, __ATOMIC_RELAXED);
}

static void add_same_keys(int id, void *arg)
{
	struct work *work = arg;

	if (!id) {
		rehash_all_the_time(work);
		return;
	}
	same_keys(id, work);
	__atomic_fetch_sub(&work->running, 1, __ATOMIC_RELEASE);
}

static void exactly_once(u64 keys)
{
	struct seen_geometry geo = map_planned(8, keys);
	struct work work = { .keys = keys, .running = WRITERS };
	struct seen_item item;
	u64 wrong = 0, i;
	u32 value;

	work.set = set_new(&geo);
	work.new = calloc(keys, sizeof(*work.new));
	work.value = calloc(keys, sizeof(*work.value));
	in_threads(THREADS, add_same_keys, &work);
	for (i = 0; i < keys; i++) {
		item = item_of(work.set, SHARED, i);
		wrong += work.new[i] != 1 ||
			 !seen_item_value(work.set, &item, &value) ||
			 value != work.value[i];
	}
	ok(!wrong && !work.wrong && work.rehashes &&
	   map_used(work.set) == keys && seen_set_entries(work.set) == keys,
	   "%llu keys, each new to one thread, with its value, %llu rehashes",
	   (unsigned long long)keys, (unsigned long long)work.rehashes);
	free(work.new);
	free(work.value);
	set_free(work.set);
}

/*
 * Each writer adds, changes and deletes keys of its own, in a table that is so full that
 * most adds move other keys, and changes a shared key. All threads look up keys that are
 * always stored. A value modulo KEYS is the number of its key.
 */
enum {
	KEYS = 4000,
	STABLE_KEYS = KEYS / 2,
	SHARED_KEYS = 10,
	OWN_KEYS = (KEYS / 2 - SHARED_KEYS) / WRITERS,
};

static u32 value_of(u64 r, u64 n)
{
	return (u32)(r % 100000) * KEYS + n;
}

/* True if it is there with a value of its own. */
static bool right(struct seen_set *set, enum family family, u64 n)
{
	struct seen_item item = item_of(set, family, n);
	u32 value;

	return seen_item_value(set, &item, &value) && value % KEYS == n;
}

struct own {
	u64 base;		/* number of the first key */
	u32 value[OWN_KEYS];
	bool held[OWN_KEYS];
};

static bool own_right(struct seen_set *set, const struct own *own, u32 k)
{
	struct seen_item item = item_of(set, OWN, own->base + k);
	u32 value;

	if (!seen_item_value(set, &item, &value))
		return !own->held[k];
	return own->held[k] && value == own->value[k];
}

static bool change_own(struct seen_set *set, struct own *own, u64 r)
{
	u32 k = r % OWN_KEYS;
	struct seen_item item = item_of(set, OWN, own->base + k);
	bool held = own->held[k];

	if (held && (r >> 32) % 2) {
		own->held[k] = false;
		return seen_item_del(set, &item) == SEEN_SEEN;
	}
	own->held[k] = true;
	own->value[k] = r >> 16;
	return seen_item_put(set, &item, own->value[k]) ==
	       (held ? SEEN_SEEN : SEEN_NEW);
}

static u64 one_step(struct seen_set *set, struct own *own, u64 *state)
{
	u64 r = draw(state);
	u64 wrong = !right(set, STABLE, r % STABLE_KEYS);
	u64 n = (r >> 20) % SHARED_KEYS;
	struct seen_item item = item_of(set, SHARED, n);

	wrong += !right(set, SHARED, n);
	if (r >> 60 == 0)
		wrong += seen_item_put(set, &item, value_of(r >> 24, n)) !=
			 SEEN_SEEN;
	wrong += !change_own(set, own, draw(state));
	wrong += !own_right(set, own, (r >> 40) % OWN_KEYS);
	return wrong;
}

static void come_and_go(int id, void *arg)
{
	struct work *work = arg;
	struct own own = { .base = id * OWN_KEYS };
	u64 state = id, wrong = 0;
	u64 i;
	u32 k;

	if (!id) {
		rehash_all_the_time(work);
		return;
	}
	for (i = 0; go_on(i, work->end); i++) {
		reader_lock(id);
		wrong += one_step(work->set, &own, &state);
		reader_unlock(id);
	}
	reader_lock(id);
	for (k = 0; k < OWN_KEYS; k++)
		wrong += !own_right(work->set, &own, k);
	reader_unlock(id);
	for (k = 0; k < OWN_KEYS; k++) {
		struct seen_item item = item_of(work->set, OWN, own.base + k);

		if (own.held[k])
			wrong += seen_item_del(work->set, &item) != SEEN_SEEN;
	}
	__atomic_fetch_add(&work->steps, i, __ATOMIC_RELAXED);
	__atomic_fetch_add(&work->wrong, wrong, __ATOMIC_RELAXED);
	__atomic_fetch_sub(&work->running, 1, __ATOMIC_RELEASE);
}

/* At a time two thirds of the writers' keys are there: 92 % of the slots. */
static struct seen_geometry tight(void)
{
	struct seen_geometry geo = map_planned(8, KEYS);

	geo.blocks = 900;
	return geo;
}

static void never_lost(struct seen_geometry geo, const char *name)
{
	struct work work = { .running = WRITERS };
	struct seen_item item;
	u64 i;

	work.set = set_new(&geo);
	for (i = 0; i < STABLE_KEYS + SHARED_KEYS; i++) {
		bool stable = i < STABLE_KEYS;
		u64 n = stable ? i : i - STABLE_KEYS;

		item = item_of(work.set, stable ? STABLE : SHARED, n);
		seen_item_put(work.set, &item, n);
	}
	work.end = deadline(6);
	in_threads(THREADS, come_and_go, &work);
	for (i = 0; i < STABLE_KEYS; i++)
		work.wrong += !right(work.set, STABLE, i);
	ok(!work.wrong && work.rehashes &&
	   map_used(work.set) == STABLE_KEYS + SHARED_KEYS,
	   "%s: no key and no value is lost in %llu steps and %llu rehashes",
	   name, (unsigned long long)work.steps,
	   (unsigned long long)work.rehashes);
	set_free(work.set);
}

int main(void)
{
	test_begin(3);
	exactly_once(scale(1000000));
	never_lost(map_planned(8, KEYS), "as planned");
	never_lost(tight(), "nearly full");
	return test_end();
}
