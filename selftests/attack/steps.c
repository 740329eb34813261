// SPDX-License-Identifier: GPL-2.0
/*
 * The longest time of an add, measured in accesses to shared memory. Each kind is filled to
 * twice its capacity, many times, with different secrets, with random keys and with keys that
 * an attacker with the secret makes. Each fill has a worst add, and a worst add that stored its
 * key. The worst of all fills must be within three times the median of the fills with random
 * keys, for both figures, and within the number of accesses that a search may need in total.
 * Random keys stored up to the capacity need less: no more than three levels of a search.
 */
#include "cuckoo.h"
#include "sets.h"

#define CAPACITY	1000
/* Adds in a fill: up to the capacity, and then as many again. */
#define ADDS		(2 * CAPACITY)
#define TIMES		3
/*
 * kmod/core/cuckoo_path.c and map_path.c: the number of buckets that a search visits, and for
 * each the other buckets of its four entries. Then a path of at most four moves is locked,
 * checked and walked.
 */
#define BUCKETS		(170 * (1 + SEEN_CUCKOO_SLOTS))
#define MOVES		500
/* The same for the first three levels of a search, 2 + 8 + 32 buckets. */
#define NEAR_BUCKETS	(42 * (1 + SEEN_CUCKOO_SLOTS))
/* All accesses of an add that moves no entry. */
#define STAY		100

enum attack {
	ATTACK_NONE,
	ATTACK_FEW_PLACES,	/* keys for a sixteenth of the table */
	ATTACK_FULL_FIRST,	/* the same, after random keys have filled the table */
	ATTACKS,
};

static const char * const attack_name[ATTACKS] = {
	"random", "few places", "full, then few places",
};

static int by_size(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

static u64 most(const u64 *values, u32 count)
{
	u64 most = 0;

	while (count--)
		most = values[count] > most ? values[count] : most;
	return most;
}

static u64 median(u64 *values, u32 count)
{
	qsort(values, count, sizeof(*values), by_size);
	return values[count / 2];
}

static bool fits(const struct seen_set *set, u64 hash)
{
	u64 few = set->geo.blocks / 16 + 1;
	u32 values;
	u64 bucket;

	if (seen_range(hash, 16))
		return false;
	if (set->geo.kind != SEEN_SET_CUCKOO)
		return true;
	/* Both buckets of the key must be among the few. */
	values = U32_MAX >> (32 - set->geo.fp_bits);
	bucket = seen_range(hash, set->geo.blocks);
	return seen_cuckoo_other(set, bucket,
				 1 + seen_range(seen_remix(hash), values)) < few;
}

static struct key pick(const struct seen_set *set,
		       const struct seen_secret *secret, bool crafted)
{
	struct key key;

	do {
		key = key_random();
	} while (crafted && !fits(set, key_hash(&key, secret)));
	return key;
}

/* Accesses that load a bucket; a map's bucket has a head for each slot. */
static u32 bucket_loads(const struct seen_geometry *geo)
{
	if (geo->kind == SEEN_SET_MAP)
		return SEEN_MAP_SLOTS;
	switch (geo->fp_bits) {
	case 12:
	case 24:
		return 3;
	case 32:
		return 2;
	default:
		return 1;
	}
}

static bool searches(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_CUCKOO || geo->kind == SEEN_SET_MAP;
}

static u64 ceiling(const struct seen_geometry *geo)
{
	return searches(geo) ? BUCKETS * bucket_loads(geo) + MOVES : STAY;
}

/* The limit for random keys that are stored up to the capacity. */
static u64 near_ceiling(const struct seen_geometry *geo)
{
	return searches(geo) ? NEAR_BUCKETS * bucket_loads(geo) + STAY : STAY;
}

/*
 * One fill: the worst and the median add, the worst add that stored its key, and the worst that
 * stored a random key up to the capacity.
 */
struct fill {
	u64 worst;
	u64 stored_worst;
	u64 near_worst;
	u64 middle;
	bool full;
};

static void raise(u64 *most, u64 value)
{
	if (value > *most)
		*most = value;
}

static struct fill fill(const struct victim *victim, enum attack attack)
{
	const struct seen_secret secret = { { random64(), random64() } };
	struct seen_set *set = victim_new(victim, CAPACITY);
	u64 most = ceiling(&victim->geo);
	static u64 each[ADDS];
	struct fill fill = { };
	u32 i;

	steps = 0;
	for (i = 0; i < ADDS && steps <= most; i++) {
		bool crafted = attack == ATTACK_FEW_PLACES ||
			       (attack == ATTACK_FULL_FIRST && i >= CAPACITY);
		struct key key = pick(set, &secret, crafted);

		steps = 0;
		if (bring(set, &key, &secret) == SEEN_FULL) {
			fill.full = true;
		} else {
			raise(&fill.stored_worst, steps);
			if (i < CAPACITY && !crafted)
				raise(&fill.near_worst, steps);
		}
		each[i] = steps;
	}
	fill.middle = median(each, i);
	fill.worst = each[i - 1];
	set_free(set);
	return fill;
}

static u64 worst_of_all;

static void bound(const struct victim *victim, u32 fills)
{
	static u64 worst[ATTACKS * 1000], stored[ATTACKS * 1000];
	u64 middle = 0, near_worst = 0, worst_add, worst_stored;
	u32 i, j, n = 0, full = 0;
	enum attack attack;
	struct fill one;

	for (attack = 0; attack < ATTACKS; attack++)
		for (i = 0; i < fills; i++) {
			one = fill(victim, attack);
			stored[n] = one.stored_worst;
			worst[n++] = one.worst;
			raise(&near_worst, one.near_worst);
			full += one.full;
			middle += one.middle;
		}
	middle /= n;
	worst_add = most(worst, n);
	worst_stored = most(stored, n);
	/* The medians of fills with random keys, which come first in the arrays. */
	i = median(worst, fills);
	j = median(stored, fills);
	ok(worst_add <= TIMES * i && worst_add <= ceiling(&victim->geo) &&
	   worst_stored <= TIMES * j &&
	   near_worst <= near_ceiling(&victim->geo),
	   "%s: worst add %llu steps of %llu, of those stored %llu, up to the capacity %llu of %llu; median of the worst of %u random fills %u, stored %u, of all adds %llu; %u were full",
	   victim->name, (unsigned long long)worst_add,
	   (unsigned long long)ceiling(&victim->geo),
	   (unsigned long long)worst_stored,
	   (unsigned long long)near_worst,
	   (unsigned long long)near_ceiling(&victim->geo), fills, i, j,
	   (unsigned long long)middle, full);
	raise(&worst_of_all, worst_add);
}

int main(void)
{
	u32 fills = getenv("LONG") && *getenv("LONG") ? 1000 : 40;
	u32 i;

	if (sanitized())
		fills = scale(fills);
	test_begin(VICTIMS);
	for (i = 0; i < VICTIMS; i++)
		bound(&victims[i], fills);
	printf("# figure: steps: %u kinds, %u fills each (%s, %s, %s): worst add %llu steps\n",
	       VICTIMS, ATTACKS * fills, attack_name[0], attack_name[1],
	       attack_name[2], (unsigned long long)worst_of_all);
	return test_end();
}
