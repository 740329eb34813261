/* SPDX-License-Identifier: GPL-2.0 */
/* The seed of a test's random numbers, for tests with test.h and without. */
#ifndef SEEN_TEST_SEED_H
#define SEEN_TEST_SEED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define SEED_DEFAULT	20240229

/**
 * seed_choose() - read the seed from the environment
 *
 * TEST_SEED is a number, or "random": then the test draws a number of 32 bits.
 *
 * Return: the seed, which the test must print; SEED_DEFAULT without TEST_SEED.
 */
static inline uint64_t seed_choose(void)
{
	const char *given = getenv("TEST_SEED");
	uint32_t drawn;

	if (!given || !*given)
		return SEED_DEFAULT;
	if (strcmp(given, "random"))
		return strtoull(given, NULL, 0);
	if (getentropy(&drawn, sizeof(drawn))) {
		printf("Bail out! no random seed\n");
		exit(1);
	}
	return drawn;
}

/**
 * seed_secret() - make the next secret of a filter
 * @seed: of the test
 * @secret: out: 16 bytes, others at each call
 */
static inline void seed_secret(uint64_t seed, uint8_t *secret)
{
	static uint64_t count;
	const uint64_t words[] = { seed, ++count };

	memcpy(secret, words, sizeof(words));
}

#endif
