// SPDX-License-Identifier: GPL-2.0
/*
 * Fingerprints with stamps: no false negatives, the false-positive rate, the window to
 * the tick, stamps that wrap, a late sweep, tables that overflow.
 */
#include "clock.h"
#include "cuckoo_window.h"
#include "kinds.h"
#include "test.h"

static const u32 sizes[] = { 8, 12, 16, 24, 32 };

enum family { MEMBER, STRANGER };

static struct seen_geometry request(u32 fp_bits, u64 capacity)
{
	return (struct seen_geometry) {
		.kind = SEEN_SET_CUCKOO_WINDOW,
		.fp_bits = fp_bits,
		.capacity = capacity,
		.window = SECOND,
	};
}

static u64 count(struct seen_set *set, enum family family, u64 n,
		 enum seen_result result)
{
	u64 found = 0;

	while (n--)
		found += seen_set_test(set, hash_of(family, n)) == result;
	return found;
}

static u64 count_seen(struct seen_set *set, enum order order,
		      enum family family, u64 from, u64 n)
{
	u64 hits = 0;

	for (; n--; from++)
		hits += seen_set_test(set, hash_in(order, family, from)) ==
			SEEN_SEEN;
	return hits;
}

static void sweep(struct seen_set *set)
{
	u64 at = 0;

	do
		at = seen_set_sweep(set, at, 7);
	while (at);
}

/* Advances the clock, with the sweep as often as it must be. */
static void pass_ticks(struct seen_set *set, u64 ticks)
{
	u64 period = seen_set_sweep_period(&set->geo) / set->geo.tick;

	while (ticks--) {
		clock_add(set->geo.tick);
		if (seen_now() / set->geo.tick % period == 0)
			sweep(set);
	}
}

/* The full figures in one order; more where a rate below 10^-6 can be seen. */
static u64 strangers(u32 fp_bits, enum order order)
{
	if (order == SEQUENTIAL)
		return scale(3000000);
	return scale(fp_bits == 24 ? 100000000 : 12000000);
}

/*
 * All keys come within one tick. In each tick of the window a seventh of them
 * is asked for, in turn; so are others, in all as many as strangers() says.
 * With 8 bits a tick has hits enough to be judged alone.
 */
static void rate(u32 fp_bits, enum order order)
{
	u64 n = scale(order == RANDOM ? 10000004 : 1000006);
	u64 asked = strangers(fp_bits, order);
	struct seen_set *set = set_planned(request(fp_bits, n));
	u64 share = asked / (set->geo.ticks + 1) + 1;
	u64 stored = 0, bad = 0, sum = 0, hits, i;
	enum seen_result result;
	u64 seventh = n / 7;
	u32 age;

	for (i = 0; i < n; i++) {
		result = seen_set_test_and_add(set, hash_in(order, MEMBER, i));
		stored += result == SEEN_NEW;
		bad += result == SEEN_FULL;
	}
	for (age = 0; age <= set->geo.ticks; age++) {
		bad += seventh - count_seen(set, order, MEMBER,
					  age % 7 * seventh, seventh);
		hits = count_seen(set, order, STRANGER, age * share, share);
		if (fp_bits == 8)
			ok_rate(hits, share, &set->geo, stored,
				"%u bits, %s keys, in tick %u", fp_bits,
				order_name[order], age);
		sum += hits;
		clock_add(set->geo.tick);
	}
	ok(!bad, "%u bits: all of %llu %s keys are seen in each tick", fp_bits,
	   (unsigned long long)n, order_name[order]);
	if (fp_bits != 8)
		ok_rate(sum, age * share, &set->geo, stored,
			"%u bits, %s keys", fp_bits, order_name[order]);
	note("%u bits: %.2f bits a key", fp_bits,
	     8.0 * seen_geometry_bytes(&set->geo) / n);
	ok(!count_seen(set, order, MEMBER, 0, n), "no key is seen after the window");
	set_free(set);
}

enum policy { FIRST, LAST, RESTART };

static const char * const policy_name[] = {
	"first sighting", "last sighting", "restarted by add",
};

/* Is @seen the wrong answer for a key that was last stored at @since? */
static bool wrong(const struct seen_set *set, u64 since, bool seen)
{
	u64 age = seen_now() - since;

	if (since && age <= set->geo.window)
		return !seen;
	if (!since || age > set->geo.window + set->geo.tick)
		return seen;
	return false;
}

/* Keys come and go at random; the clock moves by less than a tick mostly. */
static void window(enum policy policy, u64 length)
{
	enum { KEYS = 500 };
	struct seen_geometry geo = request(32, KEYS);
	u64 steps = scale(1000000);
	u64 noted[KEYS] = { };
	u64 errors = 0, swept = 0, start;
	struct seen_set *set;
	enum seen_result result;
	u32 k;

	geo.window = length;
	geo.refresh = policy == LAST;
	set = set_planned(geo);
	start = seen_now();
	while (steps--) {
		clock_add(random_below(16) ? random_below(geo.window / 1000)
					   : random_below(set->geo.tick * 3));
		if (seen_now() - swept > seen_set_sweep_period(&set->geo)) {
			swept = seen_now();
			sweep(set);
		}
		k = random_below(KEYS);
		result = seen_set_test(set, hash_of(MEMBER, k));
		errors += wrong(set, noted[k], result == SEEN_SEEN);
		if (random_below(4))
			continue;
		if (policy == RESTART)
			result = seen_set_add(set, hash_of(MEMBER, k));
		else
			result = seen_set_test_and_add(set, hash_of(MEMBER, k));
		errors += wrong(set, noted[k], result == SEEN_SEEN);
		if (result == SEEN_NEW || policy != FIRST)
			noted[k] = seen_now();
	}
	ok(!errors, "window of %llu us, %s: right for %llu ticks",
	   (unsigned long long)length / 1000, policy_name[policy],
	   (unsigned long long)((seen_now() - start) / set->geo.tick));
	set_free(set);
}

/* Every age in ticks, at each phase of a tick. */
static void edges(void)
{
	struct seen_set *set = set_planned(request(32, 100));
	u64 tick = set->geo.tick;
	u64 errors = 0;
	u64 phase, after, key = 0;

	for (phase = 0; phase < tick; phase += tick / 10) {
		for (after = 0; after <= 2 * SECOND; after += tick / 10) {
			pass_ticks(set, 2);
			clock_set(seen_now() / tick * tick + phase);
			seen_set_test_and_add(set, hash_of(MEMBER, ++key));
			clock_add(after);
			sweep(set);
			errors += wrong(set, seen_now() - after,
					seen_set_test(set, hash_of(MEMBER, key))
					== SEEN_SEEN);
		}
	}
	ok(!errors, "seen until the window, not a tick after it");
	set_free(set);
}

/* In the same tick a key is written once. */
static void writes(void)
{
	struct seen_geometry geo = request(16, 100);
	u64 key = hash_of(MEMBER, 0);
	struct seen_set *set;
	void *before;
	bool good;

	geo.refresh = true;
	set = set_planned(geo);
	seen_set_test_and_add(set, key);
	clock_set(seen_now() / set->geo.tick * set->geo.tick);
	seen_set_test_and_add(set, key);
	before = copy_table(set);
	clock_add(set->geo.tick - 1);
	good = seen_set_test_and_add(set, key) == SEEN_SEEN &&
	       seen_set_add(set, key) == SEEN_SEEN;
	ok(good && same_table(set, before), "one write per tick is enough");
	clock_add(1);
	seen_set_test_and_add(set, key);
	ok(!same_table(set, before), "there is one write per tick");
	free(before);
	set_free(set);
}

/* A table that nobody touches but the sweep. */
static void alone(u64 ticks)
{
	struct seen_set *set = set_planned(request(32, 100));

	seen_set_test_and_add(set, hash_of(MEMBER, 0));
	pass_ticks(set, ticks);
	ok(seen_set_test(set, hash_of(MEMBER, 0)) == SEEN_NEW &&
	   seen_set_test_and_add(set, hash_of(MEMBER, 0)) == SEEN_NEW,
	   "a bucket without access for %llu ticks answers new",
	   (unsigned long long)ticks);
	set_free(set);
}

/* Without a sweep: right while ages are known, then no answer. */
static void unswept(void)
{
	struct seen_set *set = set_planned(request(32, 100));
	u32 limit = 255 - 2 * set->geo.ticks;
	u64 wrong_answers = 0;
	enum seen_result due;
	void *before;
	u32 tick;

	seen_set_test_and_add(set, hash_of(MEMBER, 0));
	before = copy_table(set);
	for (tick = 0; tick < 70000; tick++) {
		due = tick <= set->geo.ticks ? SEEN_SEEN :
		      tick < limit ? SEEN_NEW : SEEN_STALE;
		wrong_answers += seen_set_test(set, hash_of(MEMBER, 0)) != due;
		if (due == SEEN_STALE)
			wrong_answers +=
				seen_set_test_and_add(set, hash_of(MEMBER, 1))
				!= SEEN_STALE ||
				seen_set_add(set, hash_of(MEMBER, 2))
				!= SEEN_STALE ||
				seen_set_del(set, hash_of(MEMBER, 0))
				!= SEEN_STALE;
		clock_add(set->geo.tick);
	}
	ok(!wrong_answers && same_table(set, before),
	   "a late sweep: stale, and nothing is stored");
	free(before);
	set_free(set);
}

/* A sweep that comes late leaves nothing that looks young. */
static void late(void)
{
	struct seen_set *set = set_planned(request(32, 100));
	u64 ghosts = 0, stale = 0, lost = 0;
	u32 ticks;

	for (ticks = set->geo.ticks + 1; ticks < 1000; ticks++) {
		seen_set_test_and_add(set, hash_of(MEMBER, ticks));
		clock_add(ticks * set->geo.tick);
		stale += seen_set_test(set, hash_of(MEMBER, ticks)) ==
			 SEEN_STALE;
		sweep(set);
		ghosts += seen_set_test(set, hash_of(MEMBER, ticks)) !=
			  SEEN_NEW;
		seen_set_test_and_add(set, hash_of(STRANGER, ticks));
		lost += seen_set_test(set, hash_of(STRANGER, ticks)) !=
			SEEN_SEEN;
	}
	ok(stale == 1000 - (255 - 2 * set->geo.ticks),
	   "each late sweep was detected");
	ok(!ghosts && !lost, "after the sweep old keys are new, new ones are seen");
	set_free(set);
}

/* Its last key has gone: so long without a sweep, then a key and its copy. */
static bool sleeps(struct seen_set *set, u32 seconds)
{
	clock_add((set->geo.ticks + 2) * set->geo.tick);
	sweep(set);
	sweep(set);
	if (!seen_set_asleep(set))
		return false;
	clock_add(seconds * SECOND);
	return !seen_set_stale(set) &&
	       seen_set_test(set, hash_of(MEMBER, 0)) == SEEN_NEW &&
	       seen_set_test_and_add(set, hash_of(MEMBER, 0)) == SEEN_NEW &&
	       seen_set_test_and_add(set, hash_of(MEMBER, 0)) == SEEN_SEEN &&
	       !seen_set_asleep(set) && seen_set_woken(set) &&
	       !seen_set_woken(set) && !seen_set_stale(set);
}

static void asleep(void)
{
	static const u32 idle[] = { 10, 60, 600 };
	struct seen_set *set = set_planned(request(32, 100));
	u32 i;

	for (i = 0; i < ARRAY_SIZE(idle); i++)
		ok(sleeps(set, idle[i]),
		   "a copy is seen after %u seconds without a key or a sweep",
		   idle[i]);
	sweep(set);
	sweep(set);
	ok(!seen_set_asleep(set), "a set that has keys stays awake");
	clock_add((set->geo.ticks + 2) * set->geo.tick);
	sweep(set);
	ok(!seen_set_asleep(set), "one sweep that finds nothing is not enough");
	seen_set_add(set, hash_of(MEMBER, 1));
	clock_add((set->geo.ticks + 2) * set->geo.tick);
	sweep(set);
	ok(!seen_set_asleep(set) && !seen_set_woken(set),
	   "a key between two sweeps keeps it awake");
	set_free(set);
}

/* Two buckets: 16 slots are all there are. */
static struct seen_set *tiny(bool evict)
{
	struct seen_geometry geo = request(32, 16);

	geo.evict = evict;
	if (seen_plan(&geo, MIN_TICK))
		abort();
	geo.blocks = 2;
	return set_new(&geo);
}

static void reject(void)
{
	struct seen_set *set = tiny(false);
	void *before;
	bool good;
	u64 i;

	for (i = 0; i < 16; i++)
		seen_set_test_and_add(set, hash_of(MEMBER, i));
	before = copy_table(set);
	clock_add(set->geo.tick);
	good = seen_set_test_and_add(set, hash_of(MEMBER, 16)) == SEEN_FULL &&
	       seen_set_add(set, hash_of(MEMBER, 17)) == SEEN_FULL;
	ok(good && same_table(set, before), "reject: full, nothing changed");
	ok(count(set, MEMBER, 16, SEEN_SEEN) == 16 &&
	   seen_set_effective(set) == set->geo.window, "all other keys are there");

	clock_add(set->geo.ticks * set->geo.tick);
	for (i = 16; i < 32; i++)
		good &= seen_set_test_and_add(set, hash_of(MEMBER, i)) ==
			SEEN_NEW;
	ok(good, "expired keys make room, swept or not");
	free(before);
	set_free(set);
}

static void evict(void)
{
	struct seen_set *set = tiny(true);
	bool good = true;
	u64 i;

	for (i = 0; i < 16; i++) {
		seen_set_test_and_add(set, hash_of(MEMBER, i));
		if (i < 3)
			clock_add(set->geo.tick);
	}
	ok(seen_set_evicted(set) == 0 &&
	   seen_set_effective(set) == set->geo.window, "no key was evicted");
	for (i = 0; i < 3; i++) {
		good &= seen_set_test_and_add(set, hash_of(STRANGER, i)) ==
			SEEN_NEW;
		good &= seen_set_test(set, hash_of(MEMBER, i)) == SEEN_NEW;
		good &= count(set, MEMBER, 16, SEEN_SEEN) == 15 - i;
	}
	ok(good && seen_set_evicted(set) == 3, "the oldest key is evicted first");
	/* Their ages were 3, 2, 1 ticks; at least a tick less was kept. */
	ok(seen_set_effective(set) == 0 &&
	   seen_set_effective(set) == set->geo.window,
	   "the shortest stay is reported, once");
	set_free(set);
}

/* By the definition: 0 is empty, ages are known modulo 255, and some are ahead. */
static bool lives(const struct seen_set *set, u32 stamp, u64 tick)
{
	u32 age = (tick % SEEN_STAMPS + SEEN_STAMPS - (stamp - 1)) % SEEN_STAMPS;

	return stamp && (age <= set->geo.ticks ||
			 age >= SEEN_STAMPS - set->geo.ticks);
}

/* Eight stamps at once, no two of them neighbours in their bucket. */
static bool judged(struct seen_set *set, u32 first, u64 tick)
{
	u64 *bucket = seen_cuckoo_window_bucket(set, 0);
	u64 stamps = 0, kept = 0;
	u32 used = 0;
	u32 i, stamp;

	for (i = 0; i < SEEN_CUCKOO_WINDOW_SLOTS; i++) {
		stamp = (first + 37 * i) % 256;
		stamps = seen_stamp_put(stamps, i, stamp);
		if (lives(set, stamp, tick)) {
			kept = seen_stamp_put(kept, i, stamp);
			used++;
		}
	}
	*bucket = stamps;
	if (seen_cuckoo_window_used(set, 0) != used)
		return false;
	seen_cuckoo_window_sweep(set, 0);
	return *bucket == kept;
}

/* Each stamp in each tick of a turn, with each number of ticks in a window. */
static void lifetimes(void)
{
	struct seen_set *set = tiny(true);
	u64 tick, wrong = 0;
	u32 stamp;

	for (set->geo.ticks = 1; set->geo.ticks <= SEEN_CUCKOO_WINDOW_TICKS;
	     set->geo.ticks++)
		for (tick = 0; tick < SEEN_STAMPS; tick++) {
			set->swept = seen_now() / set->geo.tick;
			for (stamp = 0; stamp < 256; stamp++)
				wrong += !judged(set, stamp, set->swept);
			clock_add(set->geo.tick);
		}
	*seen_cuckoo_window_bucket(set, 0) = 0;
	ok(!wrong, "the live keys of eight stamps, and the keys after a sweep");
	set_free(set);
}

/* Slot by slot: the last free one of the emptier bucket, else the first of the oldest. */
static u32 choice(const struct seen_set *set, const struct seen_place *place,
		  u32 taken, const struct seen_time *now)
{
	u32 free[2], count[2] = { 0, 0 };
	u32 oldest = SEEN_SLOT_NONE, most = 0;
	u32 slot, age, half;

	for (slot = 0; slot < place->slots; slot++) {
		half = slot / SEEN_CUCKOO_WINDOW_SLOTS;
		age = seen_cuckoo_window_age(set, place, slot, now);
		if (slot == taken)
			continue;
		if (age > set->geo.ticks) {
			free[half] = slot;
			count[half]++;
		} else if (oldest == SEEN_SLOT_NONE || age > most) {
			oldest = slot;
			most = age;
		}
	}
	if (count[0] && count[0] >= count[1])
		return free[0];
	if (count[1])
		return free[1];
	return set->geo.evict ? oldest : SEEN_SLOT_NONE;
}

/* Most slots are taken: 0 is empty, a few others are of any age. */
static u32 random_stamp(const struct seen_set *set, const struct seen_time *now)
{
	u32 most = random_below(8) ? set->geo.ticks + 1 : SEEN_STAMPS;
	u32 age = random_below(most);

	if (!random_below(16))
		return 0;
	return 1 + (now->stamp + SEEN_STAMPS - 1 - age) % SEEN_STAMPS;
}

static u64 random_stamps(const struct seen_set *set, const struct seen_time *now)
{
	u64 stamps = 0;
	u32 i;

	for (i = 0; i < SEEN_CUCKOO_WINDOW_SLOTS; i++)
		stamps = seen_stamp_put(stamps, i, random_stamp(set, now));
	return stamps;
}

static void picks(bool evict)
{
	struct seen_set *set = tiny(evict);
	struct seen_place place;
	struct seen_time now;
	u32 i, taken, wrong = 0, full = 0;

	for (i = 0; i < 100000; i++) {
		clock_add(set->geo.tick);
		now = seen_cuckoo_window_time(set);
		place = seen_cuckoo_window_place(set, random64());
		*place.bucket[0] = random_stamps(set, &now);
		*place.bucket[1] = random_stamps(set, &now);
		if (i % 3 == 0)
			place.slots = SEEN_CUCKOO_WINDOW_SLOTS;
		taken = random_below(place.slots + 1);
		if (taken == place.slots)
			taken = SEEN_SLOT_NONE;
		wrong += seen_cuckoo_window_pick(set, &place, taken, &now) !=
			 choice(set, &place, taken, &now);
		full += choice(set, &place, SEEN_SLOT_NONE, &now) ==
			SEEN_SLOT_NONE;
	}
	ok(!wrong && (evict || full), "a slot is picked as one by one, %s",
	   evict ? "the oldest if none is free" : "none if none is free");
	set_free(set);
}

static void delete(void)
{
	struct seen_set *set = set_planned(request(32, 1000));
	bool good = true;
	u64 i;

	for (i = 0; i < 1000; i++)
		seen_set_test_and_add(set, hash_of(MEMBER, i));
	for (i = 0; i < 500; i++)
		good &= seen_set_del(set, hash_of(MEMBER, i)) == SEEN_SEEN &&
			seen_set_del(set, hash_of(MEMBER, i)) == SEEN_ABSENT;
	ok(good && count(set, MEMBER, 500, SEEN_NEW) == 500 &&
	   count(set, MEMBER, 1000, SEEN_SEEN) == 500, "a deleted key is new");
	set_free(set);
}

int main(void)
{
	static const u64 ticks[] = { 255, 256, 257, 510, 65535, 65536 };
	/* 20 ticks of 50 ms, of 8.05 ms; 3 ticks; 1 */
	static const u64 windows[] = {
		SECOND, 161 * MS, 25 * MS, 9 * MS + 1
	};
	u32 i, j;

	test_begin(ORDERS * (ARRAY_SIZE(sizes) * 3 + SEEN_CUCKOO_WINDOW_TICKS) +
		   ARRAY_SIZE(windows) * 3 + 1 + 2 + ARRAY_SIZE(ticks) + 1 +
		   2 + 6 + 3 + 3 + 1 + 2 + 1);
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		for (j = 0; j < ORDERS; j++)
			rate(sizes[i], j);
	for (i = 0; i < ARRAY_SIZE(windows); i++)
		for (j = FIRST; j <= RESTART; j++)
			window(j, windows[i]);
	edges();
	writes();
	for (i = 0; i < ARRAY_SIZE(ticks); i++)
		alone(ticks[i]);
	unswept();
	late();
	asleep();
	reject();
	evict();
	lifetimes();
	picks(false);
	picks(true);
	delete();
	return test_end();
}
