// SPDX-License-Identifier: GPL-2.0
/*
 * Sets that report which entries they renewed: once in each half of a window. With these
 * reports another set has a key for at least half of the window after each sighting here,
 * however often the key is seen. And which deletes left a key with the same fingerprint.
 */
#include "arrival.h"
#include "clock.h"
#include "sets.h"

#define W	SECOND

/* How a key is seen again. */
enum how { TEST_ADD, ADD, ARRIVAL, RECORD };

static const struct {
	const char *name;
	enum seen_set_kind kind;
	bool refresh;
	enum how how;
} ways[] = {
	{ "cuckoo", SEEN_SET_CUCKOO_WINDOW, false, TEST_ADD },
	{ "cuckoo, refresh", SEEN_SET_CUCKOO_WINDOW, true, TEST_ADD },
	{ "cuckoo, add", SEEN_SET_CUCKOO_WINDOW, false, ADD },
	{ "cuckoo, ports", SEEN_SET_CUCKOO_WINDOW, false, ARRIVAL },
	{ "cuckoo, ports, refresh", SEEN_SET_CUCKOO_WINDOW, true, ARRIVAL },
	{ "cuckoo, frames of the bridge", SEEN_SET_CUCKOO_WINDOW, false, RECORD },
	{ "bloom", SEEN_SET_BLOOM_WINDOW, false, TEST_ADD },
	{ "bloom, refresh", SEEN_SET_BLOOM_WINDOW, true, TEST_ADD },
	{ "bloom, add", SEEN_SET_BLOOM_WINDOW, false, ADD },
};

static struct seen_set *set_of(enum seen_set_kind kind, bool refresh)
{
	return set_planned(windowed(kind, 1000, W, refresh));
}

static enum seen_result arrives(struct seen_set *set, u64 hash, bool judged)
{
	const struct seen_arrival_rule dup = { .same = set->geo.ticks, .other = set->geo.ticks };
	struct seen_arrival_answer answer;

	answer = judged ? seen_arrival_commit(set, hash, 7, &dup) :
			  seen_arrival_record(set, hash, 7);
	if (answer.result == SEEN_ARRIVAL_NEW)
		return SEEN_NEW;
	return answer.renewed ? SEEN_RENEWED : SEEN_SEEN;
}

static enum seen_result sighting(struct seen_set *set, u32 way, u64 hash)
{
	switch (ways[way].how) {
	case ADD:
		return seen_set_add(set, hash);
	case ARRIVAL:
		return arrives(set, hash, true);
	case RECORD:
		return arrives(set, hash, false);
	default:
		return seen_set_test_and_add(set, hash);
	}
}

/* Does a sighting renew a key that is there? */
static bool renews(u32 way)
{
	return ways[way].refresh || ways[way].how == ADD || ways[way].how == RECORD;
}

static u64 half_of(const struct seen_set *set)
{
	u64 ticks = set->geo.kind == SEEN_SET_BLOOM_WINDOW || set->geo.ticks < 2 ?
		    1 : set->geo.ticks / 2;

	return seen_now() / set->geo.tick / ticks;
}

/* A key that is @age ticks old, stored @phase ticks after the start of a window. */
static bool reports_at(u32 way, u32 phase, u32 age)
{
	u64 hash = hash_of(1, 1), before;
	enum seen_result due = SEEN_SEEN;
	struct seen_set *set;
	bool good;

	clock_set(0);
	set = set_of(ways[way].kind, ways[way].refresh);
	clock_set((100 * set->geo.ticks + phase) * set->geo.tick);
	sweep_all(set);
	before = half_of(set);
	sighting(set, way, hash);
	clock_add(age * set->geo.tick);
	if (renews(way) && half_of(set) != before)
		due = SEEN_RENEWED;
	WRITE_ONCE(set->reports, true);
	good = sighting(set, way, hash) == due;
	/* Renewed just now. */
	if (due == SEEN_RENEWED)
		good &= sighting(set, way, hash) == SEEN_SEEN;
	WRITE_ONCE(set->reports, false);
	clock_add(set->geo.ticks * set->geo.tick);
	good &= sighting(set, way, hash) != SEEN_RENEWED;
	set_free(set);
	return good;
}

static void reports(u32 way)
{
	struct seen_set *set = set_of(ways[way].kind, false);
	u32 ticks = set->geo.ticks, phase, age;
	bool good = true;

	set_free(set);
	for (phase = 0; phase <= ticks; phase++)
		for (age = 0; age <= ticks; age++)
			good &= reports_at(way, phase, age);
	ok(good, "%s: the first renewal in each half of the window is reported", ways[way].name);
}

/*
 * This set sees a key again and again: each @every ns, or with @jitter at random times of that
 * mean. The other set counts how often it does not have the key.
 */
struct sharing {
	u64 every;
	bool jitter;
	u64 sightings;
	u64 records;
	u64 missed;
};

static void share(struct sharing *sharing, u32 way, enum seen_set_kind other)
{
	u64 hash = hash_of(1, 1), last = 0, step, next, end;
	struct seen_set *here, *there;
	enum seen_result result;

	clock_set(1000 * SECOND + random_below(SECOND));
	here = set_of(ways[way].kind, ways[way].refresh);
	there = set_of(other, false);
	step = here->geo.tick / 3;
	WRITE_ONCE(here->reports, true);
	end = seen_now() + 10 * W;
	for (next = seen_now(); seen_now() < end; clock_add(step)) {
		if (seen_now() >= next) {
			next += sharing->jitter ? random_below(2 * sharing->every) :
						  sharing->every;
			result = sighting(here, way, hash);
			last = seen_now();
			sharing->sightings++;
			if (result != SEEN_SEEN) {
				sharing->records++;
				seen_set_add_aged(there, hash, 0);
			}
		}
		sharing->missed += seen_now() - last <= W / 2 &&
				   seen_set_test(here, hash) == SEEN_SEEN &&
				   seen_set_test(there, hash) != SEEN_SEEN;
		sweep_all(here);
		sweep_all(there);
	}
	set_free(here);
	set_free(there);
}

/* At all rates, with at most a record for each half of the window. */
static void shares(u32 way, enum seen_set_kind other, const char *name)
{
	static const u64 rates[] = { W / 200, W / 50, W / 9, W / 4, 2 * W / 5, W / 2, 3 * W / 4 };
	u64 missed = 0, many = 0;
	struct sharing sharing;
	u32 i;

	for (i = 0; i < 2 * ARRAY_SIZE(rates); i++) {
		sharing = (struct sharing) { .every = rates[i / 2], .jitter = i % 2 };
		share(&sharing, way, other);
		missed += sharing.missed;
		many += sharing.records > 2 * 10 + 2;
	}
	ok(!missed, "%s: %s has a key for half of the window after each sighting (missed %llu)",
	   ways[way].name, name, (unsigned long long)missed);
	ok(!many, "%s: a key makes a record in each half of the window at most", ways[way].name);
}

/* Deletes each key of a set with short fingerprints, and adds it again. */
static void twins(void)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_CUCKOO_WINDOW, .capacity = 1000, .window = W, .fp_bits = 8,
	};
	u64 wrong = 0, twins = 0, hash, n;
	struct seen_set *set;
	bool is_seen;

	clock_set(1000 * SECOND);
	set = set_planned(geo);
	for (n = 0; n < 1000; n++)
		seen_set_test_and_add(set, hash_of(2, n));
	for (n = 0; n < 2000; n++) {
		hash = hash_of(2, n % 1000);
		WRITE_ONCE(set->reports, n < 1000);
		switch (seen_set_del(set, hash)) {
		case SEEN_TWIN:
			is_seen = true;
			twins++;
			break;
		case SEEN_SEEN:
			is_seen = false;
			break;
		default:
			continue;
		}
		if (n >= 1000)
			wrong += is_seen;
		else
			wrong += (seen_set_test(set, hash) == SEEN_SEEN) != is_seen;
		seen_set_test_and_add(set, hash);
	}
	ok(!wrong && twins, "a delete reports that the key still looks present (%llu)",
	   (unsigned long long)twins);
	set_free(set);
}

int main(void)
{
	u32 way, shared = 0;

	for (way = 0; way < ARRAY_SIZE(ways); way++)
		shared += renews(way);
	test_begin(ARRAY_SIZE(ways) + 4 * shared + 1);
	for (way = 0; way < ARRAY_SIZE(ways); way++) {
		reports(way);
		if (!renews(way))
			continue;
		shares(way, SEEN_SET_CUCKOO_WINDOW, "a cuckoo");
		shares(way, SEEN_SET_BLOOM_WINDOW, "a bloom");
	}
	twins();
	return test_end();
}
