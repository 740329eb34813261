// SPDX-License-Identifier: GPL-2.0
/*
 * The secret has leaked. Measures what an attacker with the secret can do to a filter of each
 * kind, and checks what must hold even then: stored keys are found, the rest of the table is
 * not affected by the flooded place, and a key is refused rather than another one lost (unless
 * the policy is to evict).
 */
#include <math.h>

#include "cuckoo.h"
#include "cuckoo_window.h"
#include "map_table.h"
#include "rate.h"
#include "sets.h"
#include "sketch.h"

#define CAPACITY	2000
#define STORED		500
#define ASKED		20000
/* Number of keys for one place: more than any structure has room for there. */
#define FLOOD		1500
/* So many new keys in a row that are reported as seen: every further one is, too. */
#define ALL		50
/* Forged keys for each kind. The expected number of tries deviates by 1 / sqrt(FORGED). */
#define FORGED		300
/* A small table's own rate may differ from the expected one by this fraction. */
#define RATE_PART	0.1
/* Number of tables in which a line is flooded. The keys that one takes deviate by a fifth. */
#define FLOODS		16

static struct seen_secret secret;
static struct key crafted[FLOOD];

static u64 unordered(u64 a, u64 b)
{
	return a < b ? a << 32 | b : b << 32 | a;
}

static u64 map_place(const struct seen_set *set, u64 hash)
{
	const struct seen_map_view view = seen_map_view(set, set->table);
	u64 head = (hash & ~0xffULL) | (sizeof(struct key) + 1);

	return unordered(seen_map_bucket(&view, head, 0),
			 seen_map_bucket(&view, head, 1));
}

static u64 cuckoo_place(const struct seen_set *set, u64 hash)
{
	u32 values = U32_MAX >> (32 - set->geo.fp_bits);
	u32 fp = 1 + seen_range(seen_remix(hash), values);
	u64 bucket = seen_range(hash, set->geo.blocks);

	return unordered(bucket, seen_cuckoo_other(set, bucket, fp));
}

static u64 cuckoo_window_place(const struct seen_set *set, u64 hash)
{
	struct seen_place place = seen_cuckoo_window_place(set, hash);

	return unordered(place.bucket[0] - (u64 *)set->table,
			 place.bucket[1] - (u64 *)set->table);
}

/* Keys of one place share their line, or both of their buckets. */
static u64 place_of(const struct seen_set *set, const struct key *key)
{
	u64 hash = key_hash(key, &secret);

	switch (set->geo.kind) {
	case SEEN_SET_CUCKOO:
		return cuckoo_place(set, hash);
	case SEEN_SET_CUCKOO_WINDOW:
		return cuckoo_window_place(set, hash);
	case SEEN_SET_MAP:
		return map_place(set, hash);
	default:
		return seen_range(hash, set->geo.blocks);
	}
}

/* Two values of place_of() that have a bucket in common. */
static bool meet(u64 a, u64 b)
{
	return a >> 32 == b >> 32 || (u32)a == (u32)b ||
	       a >> 32 == (u32)b || (u32)a == b >> 32;
}

static bool has_places(const struct seen_set *set)
{
	return set->geo.kind != SEEN_SET_CLASSIC && !is_sketch(set);
}

static void craft(const struct seen_set *set, u32 count)
{
	u64 place;
	u32 i;

	crafted[0] = key_random();
	place = place_of(set, &crafted[0]);
	for (i = 1; i < count; i++)
		do {
			crafted[i] = key_random();
		} while (place_of(set, &crafted[i]) != place);
}

/* The result of flooding one place. */
struct outcome {
	u32 enough;	/* crafted keys, before many in a row are seen or refused */
	u32 stored;
	u32 seen;
	u32 refused;
};

static struct outcome flood(struct seen_set *set, u32 count)
{
	struct outcome outcome = { };
	u32 i, row = 0;

	for (i = 0; i < count; i++) {
		switch (bring(set, &crafted[i], &secret)) {
		case SEEN_NEW:
			outcome.stored++;
			if (row < ALL)
				outcome.enough = i + 1;
			row = 0;
			continue;
		case SEEN_SEEN:
			outcome.seen++;
			break;
		default:
			outcome.refused++;
		}
		row++;
	}
	return outcome;
}

static u64 missed(struct seen_set *set, const struct key *keys)
{
	u64 missing = 0;
	u32 i;

	for (i = 0; i < STORED; i++)
		missing += !ask(set, &keys[i], &secret);
	return missing;
}

static u64 seen_of_random(struct seen_set *set)
{
	u64 hits = 0;
	u32 i;

	for (i = 0; i < ASKED; i++) {
		struct key key = key_random();

		hits += ask(set, &key, &secret);
	}
	return hits;
}

/* Adds random keys, up to the capacity; returns how many found no room. */
static u32 turned_away(struct seen_set *set, u32 count)
{
	u32 refused = 0, i;

	for (i = 0; i < count; i++) {
		struct key key = key_random();

		refused += bring(set, &key, &secret) == SEEN_FULL;
	}
	return refused;
}

/* Number of keys that fill one line of a Bloom kind with lines; see Documentation. */
static u32 line_keys(const struct seen_set *set)
{
	switch (set->geo.kind) {
	case SEEN_SET_BLOCKED:
		return 480;
	case SEEN_SET_BLOOM_WINDOW:
		return 155;
	case SEEN_SET_COUNTING:
		return 100;
	default:
		return 0;
	}
}

/*
 * For tables with buckets: the number of crafted keys that were stored is the number of slots,
 * less the slots that other keys keep. If keys can be moved, only keys with both buckets there
 * stay; with a window, any key in one of the buckets may stay.
 */
static bool fills_pair(const struct seen_set *set, const struct key *others,
		       u32 stored)
{
	bool stays = set->geo.kind == SEEN_SET_CUCKOO_WINDOW;
	u32 slots = stays ? 2 * SEEN_CUCKOO_WINDOW_SLOTS : 2 * SEEN_CUCKOO_SLOTS;
	u64 place = place_of(set, &crafted[0]), other;
	u32 same = 0, near = 0, i;

	for (i = 0; i < STORED; i++) {
		other = place_of(set, &others[i]);
		same += other == place;
		near += meet(other, place);
	}
	return stays ? stored <= slots && stored + near >= slots :
		       stored + same == slots;
}

/* Fingerprints of 8 and 12 bits collide too often. */
static bool has_pairs(const struct seen_set *set)
{
	return set->geo.kind == SEEN_SET_MAP || set->geo.fp_bits >= 16;
}

/* The promised rate, plus the share of lookups that hit the flooded place. */
static u64 rate_with_place(const struct seen_set *set)
{
	return set->geo.fpp + FPP_ONE / set->geo.blocks;
}

static u32 flood_size(const struct victim *victim)
{
	/* A few hundred pairs of buckets: so many keys for one pair are found quickly. */
	return victim->geo.kind == SEEN_SET_CUCKOO ||
	       victim->geo.kind == SEEN_SET_CUCKOO_WINDOW ||
	       victim->geo.kind == SEEN_SET_MAP ? 3 * ALL / 2 : FLOOD;
}

static void flood_place(const struct victim *victim)
{
	struct seen_set *set = victim_new(victim, CAPACITY);
	struct key others[STORED];
	struct outcome outcome;
	u32 refused, count, left;
	u64 missing, hits;
	bool pair;

	choose(CHOICE_RANDOM, others, STORED, &secret);
	for (count = 0; count < STORED; count++)
		bring(set, &others[count], &secret);
	count = flood_size(victim);
	craft(set, count);
	outcome = flood(set, count);
	missing = missed(set, others);
	pair = !has_pairs(set) || fills_pair(set, others, outcome.stored);
	hits = seen_of_random(set);
	left = CAPACITY - STORED - outcome.stored;
	refused = turned_away(set, left);
	note("%s: of %u keys for one place %u are stored, %u seen, %u refused; then %u of %u",
	     victim->name, count, outcome.stored, outcome.seen,
	     outcome.refused, refused, left);
	ok(!missing && pair && outcome.enough + ALL <= count,
	   "%s: after %u keys one place is full; others' keys are found",
	   victim->name, outcome.enough);
	ok(rate_kept(hits, ASKED, rate_with_place(set)) &&
	   refused <= CAPACITY / 100,
	   "%s: outside that place nothing changes: %llu of %u seen, %u refused",
	   victim->name, (unsigned long long)hits, ASKED, refused);
	set_free(set);
}

/* Floods one line per table; the tables also hold other keys. */
static void flood_lines(const struct victim *victim)
{
	u32 i, due = 0, sum = 0;

	for (i = 0; i < FLOODS; i++) {
		struct seen_set *set = victim_new(victim, CAPACITY);
		u32 left = STORED;

		due = line_keys(set);
		while (left--) {
			struct key key = key_random();

			bring(set, &key, &secret);
		}
		craft(set, FLOOD);
		sum += flood(set, FLOOD).enough;
		set_free(set);
	}
	ok(fabs((double)sum / FLOODS - due) <= due * SIGMAS / 5 / sqrt(FLOODS),
	   "%s: %u keys fill a line, of %u tables; about %u are due",
	   victim->name, sum / FLOODS, FLOODS, due);
}

/* With lines, 10 to 15 % of random keys are seen then; otherwise no more than promised. */
static bool quarter_due(const struct seen_set *set, u64 hits)
{
	double slack = SIGMAS * sqrt(ASKED * 0.15 * 0.85);

	if (!line_keys(set))
		return rate_kept(hits, ASKED, set->geo.fpp);
	return hits >= ASKED * 0.10 - slack && hits <= ASKED * 0.15 + slack;
}

/* Random keys that belong to a quarter of the table, as many as find room there. */
static void flood_quarter(const struct victim *victim)
{
	struct seen_set *set = victim_new(victim, CAPACITY);
	u64 hits;
	u32 i;

	for (i = 0; i < CAPACITY; i++) {
		struct key key;

		do {
			key = key_random();
		} while (seen_range(key_hash(&key, &secret), 4));
		bring(set, &key, &secret);
	}
	hits = seen_of_random(set);
	ok(quarter_due(set, hits),
	   "%s: all keys in a quarter of the table: %.2g of random ones are seen, not %.2g",
	   victim->name, (double)hits / ASKED,
	   (double)set->geo.fpp / FPP_ONE);
	set_free(set);
}

/* Finds, outside of the filter, new keys that are false positives: 1 / rate tries each. */
static void forge(const struct victim *victim)
{
	struct seen_set *set = victim_new(victim, CAPACITY);
	double rate = seen_rate(&set->geo, CAPACITY);
	double each = 1 / rate, slack = RATE_PART + SIGMAS / sqrt(FORGED);
	u64 tries = 0, most = 2 * FORGED * each;
	u32 made = 0, i;

	for (i = 0; i < CAPACITY; i++) {
		struct key key = key_random();

		bring(set, &key, &secret);
	}
	for (; made < FORGED && tries < most; tries++) {
		struct key key = key_random();

		made += ask(set, &key, &secret);
	}
	ok(made == FORGED && fabs(tries / (FORGED * each) - 1) <= slack,
	   "%s: %u false positives are made in %.0f tries each, %.0f are due",
	   victim->name, made, (double)tries / FORGED, each);
	set_free(set);
}

/* Policy "evict": as many keys as a pair of buckets has slots make the victim new again. */
static void evict(void)
{
	struct seen_geometry geo = victims[11].geo;
	struct seen_set *set;
	u32 i;

	geo.capacity = CAPACITY;
	geo.evict = true;
	set = set_planned(geo);
	craft(set, 2 * SEEN_CUCKOO_WINDOW_SLOTS + 1);
	for (i = 0; i < 2 * SEEN_CUCKOO_WINDOW_SLOTS; i++) {
		bring(set, &crafted[i], &secret);
		clock_add(set->geo.tick);
	}
	ok(ask(set, &crafted[0], &secret) &&
	   seen_set_effective(set) == set->geo.window,
	   "evict: %u keys of one place are stored", i);
	bring(set, &crafted[i], &secret);
	ok(!ask(set, &crafted[0], &secret) && seen_set_evicted(set) == 1 &&
	   seen_set_effective(set) < set->geo.window,
	   "evict: one more key evicts the oldest one, and the result says so");
	set_free(set);
}

static u64 column_of(const struct seen_set *set, const struct key *key, u32 row)
{
	return seen_range64(seen_sketch_hash(key_hash(key, &secret), row + 1),
			    set->geo.blocks);
}

/* One key per row shares the victim's counter: the victim is heavy without any packet. */
static void sketch(const struct victim *victim)
{
	struct seen_set *set = victim_new(victim, CAPACITY);
	struct key target = key_random();
	u64 before, after;
	u32 row, i;

	before = ask(set, &target, &secret);
	for (row = 0; row < set->geo.hashes; row++) {
		struct key key;

		do {
			key = key_random();
		} while (column_of(set, &key, row) !=
			 column_of(set, &target, row));
		for (i = 0; i < 1000; i++)
			bring(set, &key, &secret);
	}
	after = ask(set, &target, &secret);
	ok(!before && after >= 900,
	   "%s: %u keys make a key that never occurred count %llu",
	   victim->name, set->geo.hashes, (unsigned long long)after);
	set_free(set);
}

/* A map is rehashed, and then has room for the same keys. */
static void rehash(void)
{
	const struct victim *victim = &victims[14];
	struct seen_set *set = victim_new(victim, CAPACITY);
	struct seen_set *fresh = victim_new(victim, CAPACITY);
	struct seen_map_table table = { .entries = fresh->table,
					.seed = random64() };
	struct seen_map_table old;
	u32 refused = 0, i;
	u64 at = 0;

	craft(set, 2 * ALL);
	flood(set, 2 * ALL);
	ok(seen_map_torn(set), "map: requests a rehash");
	seen_map_rehash_begin(set, &table);
	do {
		at = seen_map_rehash_step(set, at, 64);
	} while (at);
	if (seen_map_rehash_end(set, &old))
		fresh->table = old.entries;
	for (i = 0; i < 2 * ALL; i++)
		refused += bring(set, &crafted[i], &secret) == SEEN_FULL;
	ok(!refused, "map: after the rehash there is room for all of %u keys",
	   2 * ALL);
	set_free(set);
	set_free(fresh);
}

static bool can_forge(const struct victim *victim)
{
	return victim->geo.kind != SEEN_SET_MAP && victim->geo.fp_bits < 24;
}

static void attack(const struct victim *victim)
{
	struct seen_set *set = victim_new(victim, CAPACITY);
	bool places = has_places(set), counts = is_sketch(set);
	bool lines = line_keys(set);

	set_free(set);
	if (counts) {
		sketch(victim);
		return;
	}
	if (places)
		flood_place(victim);
	if (lines)
		flood_lines(victim);
	if (can_forge(victim)) {
		forge(victim);
		flood_quarter(victim);
	}
}

static int results(void)
{
	int sum = 4 + 3;	/* of kinds with lines */
	u32 i;

	for (i = 0; i < VICTIMS; i++) {
		bool counts = victims[i].geo.kind == SEEN_SET_CMS ||
			      victims[i].geo.kind == SEEN_SET_CMM;

		if (counts)
			sum++;
		else
			sum += 2 * (victims[i].geo.kind != SEEN_SET_CLASSIC) +
			       2 * can_forge(&victims[i]);
	}
	return sum;
}

int main(void)
{
	u32 i;

	test_begin(results());
	secret = (struct seen_secret) { { random64(), random64() } };
	for (i = 0; i < VICTIMS; i++)
		attack(&victims[i]);
	evict();
	rehash();
	printf("# figure: leaked secret: %u kinds, one place, a quarter, forged keys\n",
	       VICTIMS);
	return test_end();
}
