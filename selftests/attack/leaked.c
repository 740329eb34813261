// SPDX-License-Identifier: GPL-2.0
/*
 * The secret has leaked: what an attacker who knows it can do to a filter of each
 * kind, and what not even then happens: keys that are stored are found, what is
 * beside the flooded place is as before, and a key is refused rather than another
 * one lost (but where the policy is to evict).
 */
#include "cuckoo.h"
#include "map_table.h"
#include "sets.h"
#include "sketch.h"
#include "stamped.h"

#define CAPACITY	2000
#define STORED		500
#define ASKED		20000
/* Keys for one place; no structure has room for as many there. */
#define FLOOD		1500
/* So many in a row that are seen although new: every one is. */
#define ALL		50

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

static u64 stamped_place(const struct seen_set *set, u64 hash)
{
	struct seen_place place = seen_stamped_place(set, hash);

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
	case SEEN_SET_STAMPED:
		return stamped_place(set, hash);
	case SEEN_SET_MAP:
		return map_place(set, hash);
	default:
		return seen_range(hash, set->geo.blocks);
	}
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

/* What a flood of one place came to. */
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

/* Others' keys, up to the capacity: they find room, but beside that place. */
static u32 turned_away(struct seen_set *set, u32 count)
{
	u32 refused = 0, i;

	for (i = 0; i < count; i++) {
		struct key key = key_random();

		refused += bring(set, &key, &secret) == SEEN_FULL;
	}
	return refused;
}

/* The promised rate, and all of the one place. */
static u64 rate_with_place(const struct seen_set *set)
{
	return set->geo.fpp + FPP_ONE / set->geo.blocks;
}

static u32 flood_size(const struct victim *victim)
{
	/* As many lie in one pair of buckets of a few hundred, soon enough. */
	return victim->geo.kind == SEEN_SET_CUCKOO ||
	       victim->geo.kind == SEEN_SET_STAMPED ||
	       victim->geo.kind == SEEN_SET_MAP ? 3 * ALL / 2 : FLOOD;
}

static void flood_place(const struct victim *victim)
{
	struct seen_set *set = victim_new(victim, CAPACITY);
	struct key others[STORED];
	struct outcome outcome;
	u32 refused, count, left;
	u64 missing, hits;

	choose(CHOICE_RANDOM, others, STORED, &secret);
	for (count = 0; count < STORED; count++)
		bring(set, &others[count], &secret);
	count = flood_size(victim);
	craft(set, count);
	outcome = flood(set, count);
	missing = missed(set, others);
	hits = seen_of_random(set);
	left = CAPACITY - STORED - outcome.stored;
	refused = turned_away(set, left);
	note("%s: of %u keys for one place %u are stored, %u seen, %u refused; then %u of %u",
	     victim->name, count, outcome.stored, outcome.seen,
	     outcome.refused, refused, left);
	ok(!missing && outcome.enough + ALL <= count,
	   "%s: after %u keys one place is full; others' keys are found",
	   victim->name, outcome.enough);
	ok(rate_kept(hits, ASKED, rate_with_place(set)) &&
	   refused <= CAPACITY / 100,
	   "%s: beside that place nothing changes: %llu of %u seen, %u refused",
	   victim->name, (unsigned long long)hits, ASKED, refused);
	set_free(set);
}

/* Random keys that fall where a quarter of the table is: all that there is room for. */
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
	ok(hits <= ASKED / 4 + ASKED / 50,
	   "%s: all keys in a quarter of the table: %.2g of random ones are seen, not %.2g",
	   victim->name, (double)hits / ASKED,
	   (double)set->geo.fpp / FPP_ONE);
	set_free(set);
}

/* Tried outside of the filter, a new key that it will call seen. */
static void forge(const struct victim *victim)
{
	struct seen_set *set = victim_new(victim, CAPACITY);
	u64 due = 1000 * (FPP_ONE / set->geo.fpp);
	u64 tries = 0;
	struct key key;
	u32 i;

	for (i = 0; i < CAPACITY; i++) {
		key = key_random();
		bring(set, &key, &secret);
	}
	do {
		key = key_random();
		tries++;
	} while (!ask(set, &key, &secret) && tries < due);
	ok(tries < due, "%s: a false positive is made in %llu tries",
	   victim->name, (unsigned long long)tries);
	set_free(set);
}

/* With policy "evict": as many keys as a pair has slots, and the victim is new again. */
static void evict(void)
{
	struct seen_geometry geo = victims[11].geo;
	struct seen_set *set;
	u32 i;

	geo.capacity = CAPACITY;
	geo.evict = true;
	set = set_planned(geo);
	craft(set, 2 * SEEN_STAMPED_SLOTS + 1);
	for (i = 0; i < 2 * SEEN_STAMPED_SLOTS; i++) {
		bring(set, &crafted[i], &secret);
		clock_add(set->geo.tick);
	}
	ok(ask(set, &crafted[0], &secret) &&
	   seen_set_effective(set) == set->geo.window,
	   "evict: %u keys of one place are there", i);
	bring(set, &crafted[i], &secret);
	ok(!ask(set, &crafted[0], &secret) && seen_set_evicted(set) == 1 &&
	   seen_set_effective(set) < set->geo.window,
	   "evict: one more, and the oldest is forgotten; it is told");
	set_free(set);
}

static u64 column_of(const struct seen_set *set, const struct key *key, u32 row)
{
	return seen_range64(seen_sketch_hash(key_hash(key, &secret), row + 1),
			    set->geo.blocks);
}

/* For each row a key that shares its counter: the victim is heavy without a packet. */
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
	   "%s: %u keys make one that never came count %llu",
	   victim->name, set->geo.hashes, (unsigned long long)after);
	set_free(set);
}

/* A map gets other hashes, and then there is room for the same keys. */
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
	ok(seen_map_torn(set), "map: asks for other hashes");
	seen_map_rehash_begin(set, &table);
	do {
		at = seen_map_rehash_step(set, at, 64);
	} while (at);
	if (seen_map_rehash_end(set, &old))
		fresh->table = old.entries;
	for (i = 0; i < 2 * ALL; i++)
		refused += bring(set, &crafted[i], &secret) == SEEN_FULL;
	ok(!refused, "map: and with them there is room for all of %u keys",
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

	set_free(set);
	if (counts) {
		sketch(victim);
		return;
	}
	if (places)
		flood_place(victim);
	if (can_forge(victim)) {
		forge(victim);
		flood_quarter(victim);
	}
}

static int results(void)
{
	int sum = 4;
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
