// SPDX-License-Identifier: GPL-2.0
/* The keys of a run, and how long they were under way. */
#include <sodium.h>
#include <stdlib.h>

#include "load.h"

/* The hash is a permutation of 64-bit numbers, so that it can be undone: SplitMix64's finisher. */
#define FACTOR_A	0xbf58476d1ce4e5b9ULL
#define FACTOR_B	0x94d049bb133111ebULL
#define INVERSE_A	0x96de1b173f119089ULL
#define INVERSE_B	0x319642b2d24d8ec3ULL

_Static_assert(FACTOR_A * INVERSE_A == 1 && FACTOR_B * INVERSE_B == 1, "inverse");

uint64_t plan_hash(uint64_t number)
{
	uint64_t z = number + 1;

	z = (z ^ z >> 30) * FACTOR_A;
	z = (z ^ z >> 27) * FACTOR_B;
	return z ^ z >> 31;
}

uint64_t plan_number(uint64_t hash)
{
	uint64_t z = hash ^ hash >> 31 ^ hash >> 62;

	z *= INVERSE_B;
	z = (z ^ z >> 27 ^ z >> 54) * INVERSE_A;
	return (z ^ z >> 30 ^ z >> 60) - 1;
}

static int plan_compare(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	return (x->when > y->when) - (x->when < y->when);
}

void plan_make(struct plan *plan, size_t keys, double seconds, size_t owners)
{
	plan->begin = UINT64_MAX;
	plan->keys = keys;
	plan->key = calloc(keys + 1, sizeof(*plan->key));
	if (!plan->key)
		fail("no memory");
	for (size_t i = 0; i < keys; i++) {
		struct key *key = &plan->key[i];

		key->when = randombytes_random() / 4294967296.0 * seconds * NS_PER_SEC;
		key->owner = randombytes_uniform(owners);
	}
	qsort(plan->key, keys, sizeof(*plan->key), plan_compare);
}

void plan_arrived(struct plan *plan, size_t number, uint64_t late)
{
	struct key *key = &plan->key[number];
	unsigned long long slowest = key->slowest;
	uint64_t class = late / CLASS_NS;

	plan->classes[class < CLASSES ? class : CLASSES - 1]++;
	while (late > slowest && !atomic_compare_exchange_weak(&key->slowest, &slowest, late))
		;
	key->known++;
}

size_t plan_missing(const struct plan *plan, size_t hosts)
{
	size_t missing = 0;

	for (size_t i = 0; i < plan->keys; i++)
		missing += plan->key[i].known < hosts;
	return missing;
}

static int number_compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

uint64_t plan_slowest(const struct plan *plan, double part)
{
	uint64_t *times = calloc(plan->keys + 1, sizeof(*times)), time;

	if (!times)
		fail("no memory");
	for (size_t i = 0; i < plan->keys; i++)
		times[i] = plan->key[i].slowest;
	qsort(times, plan->keys, sizeof(*times), number_compare);
	time = plan->keys ? times[(size_t)(part * (plan->keys - 1))] : 0;
	free(times);
	return time;
}

uint64_t plan_each(const struct plan *plan, double part)
{
	uint64_t all = 0, below = 0;
	size_t i = 0;

	for (size_t j = 0; j < CLASSES; j++)
		all += plan->classes[j];
	for (; i < CLASSES - 1 && below + plan->classes[i] < part * all; i++)
		below += plan->classes[i];
	return (i + 1) * CLASS_NS;
}
