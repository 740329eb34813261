// SPDX-License-Identifier: GPL-2.0
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static int planned, results, failures;
static uint64_t state;

uint64_t tap_seed;

void random_seed(uint64_t seed)
{
	state = seed;
}

/* SplitMix64. */
uint64_t random64(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

uint64_t random_below(uint64_t n)
{
	return (__uint128_t)random64() * n >> 64;
}

bool long_run(void)
{
	const char *text = getenv("LONG");

	return text && *text;
}

void tap_begin(int count)
{
	const char *text = getenv("TEST_SEED");

	setvbuf(stdout, NULL, _IOLBF, 0);
	planned = count;
	tap_seed = text && *text ? strtoull(text, NULL, 0) : 1;
	random_seed(tap_seed);
	if (sodium_init() < 0)
		abort();
	printf("TAP version 13\n1..%d\n# TEST_SEED=%llu\n", count, (unsigned long long)tap_seed);
}

bool ok(bool good, const char *name, ...)
{
	va_list args;

	printf("%sok %d - ", good ? "" : "not ", ++results);
	va_start(args, name);
	vprintf(name, args);
	va_end(args);
	printf("\n");
	failures += !good;
	return good;
}

void note(const char *text, ...)
{
	va_list args;

	printf("# ");
	va_start(args, text);
	vprintf(text, args);
	va_end(args);
	printf("\n");
}

int tap_end(void)
{
	if (results != planned)
		printf("# %d results, %d planned\n", results, planned);
	return failures || results != planned;
}

static void key_of(size_t host, uint8_t public[PUBLIC_KEY_LEN], uint8_t secret[SECRET_KEY_LEN])
{
	uint8_t seed[crypto_sign_SEEDBYTES] = { host, host >> 8, 1 };

	crypto_sign_seed_keypair(public, secret, seed);
}

void group_make(struct group *group, size_t count, size_t aggregators, size_t self)
{
	uint8_t *secret = malloc(SECRET_KEY_LEN), *seal = calloc(1, SEAL_KEY_LEN);
	uint8_t other[SECRET_KEY_LEN];

	*group = (struct group) {
		.name = "bans",
		.peers = calloc(count, sizeof(*group->peers)),
		.count = count,
		.secret = secret,
		.seal = seal,
		.window = 3600 * NS_PER_SEC,
		.capacity = 1000000,
		.limits = { 100000, 100, 1000000, 50, 4096 },
	};
	for (size_t i = 0; i < count; i++) {
		struct peer *peer = &group->peers[i];

		snprintf(peer->name, sizeof(peer->name), "host%zu", i);
		key_of(i, peer->key, i == self ? secret : other);
		peer->publishes = true;
		peer->aggregates = i < aggregators;
	}
	if (group_complete(group))
		abort();
	group->check = group_check("src", (const uint8_t *)"0123456789abcdef", 16);
}

void group_free(struct group *group)
{
	free(group->peers);
	free((void *)group->secret);
	free((void *)group->seal);
}
