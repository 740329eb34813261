// SPDX-License-Identifier: GPL-2.0
/*
 * Adds with an age: a key expires as if it had been stored at its sighting, to the tick; no
 * stamp gets older; an older key evicts no younger one; sets that sleep; mirrors.
 */
#include <string.h>

#include "arrival.h"
#include "clock.h"
#include "sets.h"

#define W	SECOND

enum { KEYS = 60 };

static struct seen_geometry request(enum seen_set_kind kind, bool refresh)
{
	return windowed(kind, 100000, W, refresh);
}

static bool seen(struct seen_set *set, u64 n)
{
	return seen_set_test(set, hash_of(1, n)) == SEEN_SEEN;
}

/* The contents that a set must have: the tick of each key's last sighting that counts; 0: none. */
struct model {
	struct seen_set *set;
	u64 last[KEYS];
};

static bool alive(const struct model *model, u32 n)
{
	return model->last[n] &&
	       seen_now() / model->set->geo.tick - model->last[n] <= model->set->geo.ticks;
}

/* Return: is the result wrong? */
static bool add_aged(struct model *model, u32 n, u64 age)
{
	u64 tick = (seen_now() - age) / model->set->geo.tick;
	enum seen_result result = seen_set_add_aged(model->set, hash_of(1, n), age);
	bool was = alive(model, n);

	if (age > W)
		return result != SEEN_EXPIRED;
	if (!was || tick > model->last[n])
		model->last[n] = tick;
	return result != (was ? SEEN_SEEN : SEEN_NEW);
}

static bool add(struct model *model, u32 n, bool restart)
{
	u64 hash = hash_of(1, n);
	enum seen_result result = restart ? seen_set_add(model->set, hash) :
					    seen_set_test_and_add(model->set, hash);
	bool was = alive(model, n);

	if (!was || restart || model->set->geo.refresh)
		model->last[n] = seen_now() / model->set->geo.tick;
	return result != (was ? SEEN_SEEN : SEEN_NEW);
}

static bool del(struct model *model, u32 n)
{
	bool was = alive(model, n);

	model->last[n] = 0;
	return seen_set_del(model->set, hash_of(1, n)) != (was ? SEEN_SEEN : SEEN_ABSENT);
}

static bool step(struct model *model)
{
	bool can_del = seen_set_can_del(&model->set->geo);
	u32 n = random_below(KEYS);

	switch (random_below(8)) {
	case 0:
		return add(model, n, false);
	case 1:
		return add(model, n, true);
	case 2:
		return can_del && del(model, n);
	case 3:
		return add_aged(model, n, W + random_below(2));
	case 4:
		/* Near a boundary of ticks. */
		return add_aged(model, n, random_below(model->set->geo.ticks) *
					  model->set->geo.tick +
					  seen_now() % model->set->geo.tick +
					  random_below(2));
	default:
		return add_aged(model, n, random_below(W + W / 10));
	}
}

/* Has the set other keys than the model? */
static bool differs(const struct model *model)
{
	u64 count = 0;
	u32 n;

	for (n = 0; n < KEYS; n++) {
		count += alive(model, n);
		if (seen(model->set, n) != alive(model, n))
			return true;
	}
	return model->set->geo.kind == SEEN_SET_BLOOM_WINDOW &&
	       seen_set_entries(model->set) != count;
}

static void exact(const char *name, enum seen_set_kind kind, bool refresh)
{
	struct model model = {};
	u64 steps = scale(200000), wrong = 0, off = 0, i;

	clock_set(1000 * SECOND + random_below(SECOND));
	model.set = set_planned(request(kind, refresh));
	for (i = 0; i < steps; i++) {
		wrong += step(&model);
		off += differs(&model);
		if (random_below(3) == 0)
			clock_add(random_below(model.set->geo.tick));
		if (i % 50 == 0)
			sweep_all(model.set);
	}
	ok(!wrong, "%s%s: new, seen and expired, in %llu steps", name,
	   refresh ? ", refresh" : "", (unsigned long long)steps);
	ok(!off, "%s%s: the keys of a model, and their number", name,
	   refresh ? ", refresh" : "");
	set_free(model.set);
}

/* One key at each phase of a tick and with ages around each tick. */
static void edges(const char *name, enum seen_set_kind kind)
{
	struct seen_set *set = set_planned(request(kind, false));
	u64 tick = set->geo.tick, bad = 0, key = 0, base, phase, age, last;

	for (phase = 0; phase < tick; phase += tick / 7)
		for (age = 0; age <= W; age += tick / 5, key++) {
			base = (seen_now() / tick + 2 * set->geo.ticks) * tick;
			clock_set(base);
			sweep_all(set);
			clock_set(base + phase);
			last = (seen_now() - age) / tick;
			bad += seen_set_add_aged(set, hash_of(1, key), age) != SEEN_NEW;
			clock_set((last + set->geo.ticks + 1) * tick - 1);
			bad += !seen(set, key);
			clock_add(1);
			bad += seen(set, key);
		}
	ok(!bad, "%s: expires to the nanosecond, %llu ages", name,
	   (unsigned long long)key);
	set_free(set);
}

/* A sighting before the clock began: its tick has no number, but its age has. */
static void young_clock(const char *name, enum seen_set_kind kind)
{
	struct seen_set *set;
	bool good;

	clock_set(0);
	set = set_planned(request(kind, false));
	clock_set(W / 10);
	good = seen_set_add_aged(set, hash_of(1, 0), W / 2) == SEEN_NEW && seen(set, 0);
	clock_set(W / 2);
	good &= seen(set, 0);
	clock_set(W / 2 + W / 10 + set->geo.tick);
	good &= !seen(set, 0);
	ok(good, "%s: a key older than the clock", name);
	set_free(set);
}

/* Fills the two buckets of all keys with keys that have the ages 0, 1, ... in ticks. */
static struct seen_set *full_pair(bool evict)
{
	struct seen_geometry geo = request(SEEN_SET_CUCKOO_WINDOW, false);
	struct seen_set *set;
	u32 n;

	geo.evict = evict;
	geo.capacity = 16;
	seen_plan(&geo, MIN_TICK);
	geo.blocks = 2;
	set = set_new(&geo);
	for (n = 0; n < 16; n++)
		seen_set_add_aged(set, hash_of(1, n), (n % 8 + 2) * geo.tick);
	return set;
}

static void evicts(void)
{
	struct seen_set *set = full_pair(true);
	u64 tick = set->geo.tick;
	void *before = copy_table(set);
	u64 there = 0;
	bool good;
	u32 n;

	good = seen_set_add_aged(set, hash_of(2, 0), 10 * tick) == SEEN_FULL;
	ok(good && same_table(set, before) && !seen_set_evicted(set),
	   "evict: a key older than all others is refused");
	good = seen_set_add_aged(set, hash_of(2, 0), 5 * tick) == SEEN_NEW;
	for (n = 0; n < 16; n++)
		there += seen(set, n);
	good &= seen_set_test(set, hash_of(2, 0)) == SEEN_SEEN;
	ok(good && there == 15 && seen_set_evicted(set) == 1,
	   "evict: an older key makes room");
	free(before);
	set_free(set);

	set = full_pair(false);
	before = copy_table(set);
	good = seen_set_add_aged(set, hash_of(2, 0), 0) == SEEN_FULL;
	ok(good && same_table(set, before), "reject: full, nothing changed");
	free(before);
	set_free(set);
}

/* A Bloom filter with a window that is at its capacity. */
static void fills(void)
{
	struct seen_geometry geo = request(SEEN_SET_BLOOM_WINDOW, false);
	struct seen_set *set;
	u64 added = 0, n;
	bool good;

	geo.capacity = 2000;
	set = set_planned(geo);
	clock_set(seen_now() / set->geo.tick * set->geo.tick);
	for (n = 0; n < 4000; n++)
		added += seen_set_add_aged(set, hash_of(1, n), n % 3 * (W / 2)) == SEEN_NEW;
	good = added >= 1990 && added <= 2000 && seen_set_full(set) &&
	       seen_set_add_aged(set, hash_of(1, 5000), 0) == SEEN_FULL;
	ok(good, "keys of all generations count: full at %llu of 2000",
	   (unsigned long long)added);
	clock_add(set->geo.tick);
	ok(!seen_set_full(set) && seen_set_entries(set) < added * 3 / 4,
	   "the keys of the oldest generation make room");
	set_free(set);
}

/* A key of the last tick wakes a set, and is forgotten in time. */
static void wakes(void)
{
	struct seen_set *set = set_planned(request(SEEN_SET_CUCKOO_WINDOW, false));
	u64 tick = set->geo.tick, ghosts = 0;
	bool good;
	u32 i;

	sweep_all(set);
	sweep_all(set);
	good = seen_set_asleep(set);
	clock_add(100000 * tick);
	good &= seen_set_add_aged(set, hash_of(1, 0), W) == SEEN_NEW;
	good &= !seen_set_asleep(set) && seen_set_woken(set) && seen(set, 0);
	clock_add(tick);
	for (i = 1; i < 600; i++) {
		ghosts += seen(set, 0);
		if (i % 60 == 0)
			sweep_all(set);
		clock_add(tick);
	}
	ok(good && !ghosts, "an aged key wakes a set, and expires once");
	set_free(set);
}

/* While the sweep is late. */
static void stale(const char *name, enum seen_set_kind kind)
{
	struct seen_set *set = set_planned(request(kind, false));
	void *before = copy_table(set);
	u64 ticks = kind == SEEN_SET_BLOOM_WINDOW ? 1ULL << 27 : 255;

	clock_add(ticks * set->geo.tick);
	ok(seen_set_add_aged(set, hash_of(1, 0), 0) == SEEN_STALE &&
	   same_table(set, before), "%s: the sweep is late: nothing is stored", name);
	free(before);
	set_free(set);
}

/* Kinds without a window ignore the age, and store a key once. */
static void without_window(const struct kind *kind)
{
	struct seen_set *set = kind_new(kind, 1000);
	u64 hash = hash_of(1, 1);
	void *before;
	bool good;

	good = seen_set_add_aged(set, hash, 1000 * W) == SEEN_NEW;
	before = copy_table(set);
	good &= seen_set_add_aged(set, hash, 0) == SEEN_SEEN &&
		seen_set_test_and_add(set, hash) == SEEN_SEEN;
	ok(good && same_table(set, before), "%s: stored once, by a test-and-add",
	   kind->name);
	free(before);
	set_free(set);
}

/* Adds before, during and after a fold go to the mirror with their ages. */
static void mirrored(const struct kind *kind)
{
	u64 capacity = scale(1000000), keys = capacity / 50;
	struct seen_set *set = kind_new(kind, capacity);
	u64 age = kind->geo.window / 2, next = 0, new = 0, lost, at = 0;
	struct seen_geometry geo;
	struct seen_set *small;

	seen_fold_plan(set, keys, &geo);
	small = set_new(&geo);
	if (age)
		clock_set((seen_now() / set->geo.tick + 5) * set->geo.tick);
	for (; next < keys / 4; next++)
		new += seen_set_add_aged(set, hash_of(1, next), age) == SEEN_NEW;
	seen_set_mirror(set, small);
	do {
		for (at = seen_set_fold(set, small, at, 50); next < keys / 2; next++)
			new += seen_set_add_aged(set, hash_of(1, next), age) == SEEN_NEW;
		/* Renewed in both. */
		seen_set_add_aged(set, hash_of(1, at % (keys / 2)), 0);
	} while (at);
	seen_set_mirror_judges(set);
	/* Somebody uses the new one already. */
	for (next = keys / 2; next < keys; next++) {
		new += seen_set_add_aged(small, hash_of(1, next), age) == SEEN_NEW;
		new += seen_set_add_aged(set, hash_of(1, next), age) == SEEN_NEW;
	}
	lost = missed(small, 1, 0, keys);
	ok(small->geo.fold > 1 && !lost && new <= keys && rate_kept(keys - new, keys, set->geo.fpp),
	   "%s: in the mirror, new once (%llu of %llu)", kind->name,
	   (unsigned long long)new, (unsigned long long)keys);
	seen_set_mirror(set, NULL);
	if (!kind->geo.window)
		goto out;
	/* Half of the window is left, up to the end of its tick. */
	clock_add(kind->geo.window / 2 + set->geo.tick);
	ok(missed(small, 1, keys / 2, keys) >= keys / 2 - keys / 10,
	   "%s: they expire by their age in the mirror", kind->name);
out:
	set_free(small);
	set_free(set);
}

/* A key without its port, added by its hash, is a duplicate on every port. */
static void arrival_after(void)
{
	struct seen_set *set = set_planned(request(SEEN_SET_CUCKOO_WINDOW, false));
	struct seen_arrival_rule dup = { .same = set->geo.ticks, .other = set->geo.ticks };
	struct seen_arrival_answer answer;

	seen_set_add_aged(set, hash_of(1, 1), W / 4);
	answer = seen_arrival_commit(set, hash_of(1, 1), 7, &dup);
	ok(answer.result == SEEN_ARRIVAL_DUP_OTHER && !answer.first,
	   "a key that was added by its hash is a duplicate");
	set_free(set);
}

int main(void)
{
	static const struct {
		const char *name;
		enum seen_set_kind kind;
	} windows[] = {
		{ "cuckoo", SEEN_SET_CUCKOO_WINDOW },
		{ "bloom", SEEN_SET_BLOOM_WINDOW },
	};
	u32 i, plain = 0;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		plain += !kinds[i].geo.window;
	test_begin(2 * 7 + 3 + 2 + 1 + plain + 3 + 1 + 1);
	for (i = 0; i < ARRAY_SIZE(windows); i++) {
		exact(windows[i].name, windows[i].kind, false);
		exact(windows[i].name, windows[i].kind, true);
		edges(windows[i].name, windows[i].kind);
		young_clock(windows[i].name, windows[i].kind);
		stale(windows[i].name, windows[i].kind);
	}
	evicts();
	fills();
	wakes();
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!kinds[i].geo.window)
			without_window(&kinds[i]);
	for (i = 0; i < 3; i++)
		mirrored(&kinds[i]);
	arrival_after();
	return test_end();
}
