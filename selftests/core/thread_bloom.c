// SPDX-License-Identifier: GPL-2.0
/*
 * Bloom filters with threads: a new key is new to exactly one thread, and a key that was
 * added is seen at any time in its window, while other threads add, the clock runs,
 * generations expire or are rotated, and the sweep runs.
 */
#include <string.h>

#include "clock.h"
#include "test.h"

enum { THREADS = 4 };

enum family { SHARED, OWN };

static const struct kind {
	enum seen_set_kind kind;
	const char *name;
	bool refresh;
	bool main;	/* all of the keys, under a sanitizer too */
} kinds[] = {
	{ SEEN_SET_BLOCKED, "blocked", false, true },
	{ SEEN_SET_CLASSIC, "classic", false, false },
	{ SEEN_SET_BLOOM_WINDOW, "window", false, true },
	{ SEEN_SET_BLOOM_WINDOW, "window with refresh", true, false },
};

static struct seen_set *planned(const struct kind *kind, u64 capacity)
{
	bool windowed = kind->kind == SEEN_SET_BLOOM_WINDOW;

	return set_planned((struct seen_geometry) {
		.kind = kind->kind,
		.capacity = capacity,
		.fpp = windowed ? FPP_ONE / 200 : FPP_ONE / 10000,
		.window = windowed ? SECOND : 0,
		.refresh = kind->refresh,
	});
}

struct once {
	struct seen_set *set;
	u64 keys;
	u8 *news;	/* a counter a key */
	u64 wrong;
};

static void count(u64 *sum, u64 n)
{
	__atomic_fetch_add(sum, n, __ATOMIC_RELAXED);
}

/* The same keys in the same order: the threads meet at most of them. */
static void add_all(int id, void *arg)
{
	struct once *once = arg;
	enum seen_result result;
	u64 wrong = 0, i;

	(void)id;
	for (i = 0; i < once->keys; i++) {
		result = seen_set_test_and_add(once->set, hash_of(SHARED, i));
		if (result == SEEN_NEW)
			__atomic_fetch_add(&once->news[i], 1,
					   __ATOMIC_RELAXED);
		else
			wrong += result != SEEN_SEEN;
		wrong += seen_set_test(once->set, hash_of(SHARED, i)) !=
			 SEEN_SEEN;
	}
	count(&once->wrong, wrong);
}

/* A key that is new to nobody was a false positive when it came. */
static void test_once(const struct kind *kind)
{
	struct once once = { .keys = kind->main ? much(1000000) : scale(1000000) };
	u64 twice = 0, never = 0;
	u64 i;

	once.set = planned(kind, once.keys);
	once.news = calloc(once.keys, 1);
	in_threads(THREADS, add_all, &once);
	for (i = 0; i < once.keys; i++) {
		twice += once.news[i] > 1;
		never += !once.news[i];
	}
	ok(!once.wrong && !twice,
	   "%s: no key of %llu is new to two threads, no key is lost",
	   kind->name, (unsigned long long)once.keys);
	ok(rate_kept(never, once.keys, once.set->geo.fpp) &&
	   seen_set_entries(once.set) == once.keys - never,
	   "%s: each key is new to one thread: %llu false positives", kind->name,
	   (unsigned long long)never);
	free(once.news);
	set_free(once.set);
}

struct torture {
	struct seen_set *set;
	u64 end;	/* of go_on() */
	u64 keys;	/* of each thread, at most */
	u64 lost;
	u64 ghosts;	/* false positives, or the dead */
	u64 asked;
	u64 rotated;
};

/*
 * Keys that this thread has added lately are asked for in turn. One that was
 * called seen by mistake when it came, or was refused, was not stored.
 */
enum { RECENT = 256 };

struct sighting {
	u64 hash;
	u64 epoch;
};

/* Ticks and rotations until now: a key outlasts two of them, in any mixture. */
static u64 epoch(const struct seen_set *set)
{
	if (!set->geo.window)
		return 0;
	return seen_now() / set->geo.tick + READ_ONCE(set->skip);
}

static void come_and_ask(int id, void *arg)
{
	struct torture *t = arg;
	struct sighting recent[RECENT] = { };
	u64 lost = 0, ghosts = 0;
	struct sighting *s;
	u64 i;

	for (i = 0; i < t->keys && go_on(i, t->end); i++) {
		s = &recent[i % RECENT];
		s->hash = hash_of(OWN + id, i);
		s->epoch = epoch(t->set);
		if (seen_set_test_and_add(t->set, s->hash) != SEEN_NEW)
			s->hash = 0;
		s = &recent[i * 7 % RECENT];
		if (s->hash &&
		    seen_set_test(t->set, s->hash) != SEEN_SEEN &&
		    epoch(t->set) - s->epoch < SEEN_GENERATIONS)
			lost++;
		ghosts += seen_set_test(t->set, hash_of(OWN + THREADS, i)) ==
			  SEEN_SEEN;
	}
	count(&t->lost, lost);
	count(&t->ghosts, ghosts);
	count(&t->asked, i);
}

static void rotate(struct torture *t)
{
	spin_lock_bh(&t->set->mover);
	seen_set_rotate(t->set);
	spin_unlock_bh(&t->set->mover);
	t->rotated++;
}

/* What in the kernel is the timer, the sweep, and the policy "rotate". */
static void keep_time(struct torture *t)
{
	u64 step = t->set->geo.tick / 16;
	u64 from = 0;
	u64 i;

	for (i = 0; go_on(i, t->end); i++) {
		if (!(i % 64))
			clock_add(step);
		if (i % 3000 == 1 || seen_set_full(t->set))
			rotate(t);
		from = seen_set_sweep(t->set, from, 8);
	}
}

static void torment(int id, void *arg)
{
	struct torture *t = arg;

	if (id || !t->set->geo.window)
		come_and_ask(id, arg);
	else
		keep_time(t);
}

/*
 * With a window many generations of the keys pass; without one a set is filled
 * and replaced by an empty one, time and again.
 */
static void test_torture(const struct kind *kind)
{
	bool windowed = kind->kind == SEEN_SET_BLOOM_WINDOW;
	u64 keys = windowed ? U64_MAX : 100000;
	u64 capacity = windowed ? 20000 : THREADS * keys;
	struct torture t = { .end = deadline(5), .keys = keys };
	u64 sets = 0, start = seen_now();
	struct seen_geometry geo;

	do {
		t.set = planned(kind, capacity);
		geo = t.set->geo;
		in_threads(THREADS, torment, &t);
		set_free(t.set);
		reseed();
		sets++;
	} while (!passed(t.end));
	note("%s: %llu sets, %llu ticks, %llu rotations", kind->name,
	     (unsigned long long)sets,
	     (unsigned long long)(windowed ? (seen_now() - start) / geo.tick : 0),
	     (unsigned long long)t.rotated);
	ok(!t.lost, "%s: no key is lost while other keys are added: %llu tests",
	   kind->name, (unsigned long long)t.asked);
	ok(rate_kept(t.ghosts, t.asked, geo.fpp),
	   "%s: keys that were not added are not seen: %llu", kind->name,
	   (unsigned long long)t.ghosts);
}

int main(void)
{
	u32 i;

	test_begin(4 * ARRAY_SIZE(kinds));
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		test_once(&kinds[i]);
		test_torture(&kinds[i]);
	}
	return test_end();
}
