// SPDX-License-Identifier: GPL-2.0
#include "quota.h"

#define SCALE	1000000000ULL

bool quota_take(struct quota *quota, uint64_t rate, uint64_t period, uint64_t burst,
		uint64_t keys, uint64_t now)
{
	__uint128_t passed = quota->time && now > quota->time ? now - quota->time : 0, more = 0;

	/* Both factors have less than 64 bits; two steps keep the rest below 128. */
	if (period)
		more = passed * rate / period * SCALE + passed * rate % period * SCALE / period;
	quota->taken = quota->taken > more ? quota->taken - more : 0;
	/* Times of messages that go back and forth must not refill the bucket twice. */
	quota->time = quota->time > now ? quota->time : now;
	if (keys > burst || quota->taken + (__uint128_t)keys * SCALE > (__uint128_t)burst * SCALE)
		return false;
	quota->taken += (__uint128_t)keys * SCALE;
	return true;
}

void quota_step(struct quota *quota, uint64_t back)
{
	quota->time -= quota->time > back ? back : quota->time;
}

void quota_charge(struct quota *quota, uint64_t keys)
{
	quota->taken += (__uint128_t)keys * SCALE;
}

void quota_return(struct quota *quota, uint64_t keys)
{
	__uint128_t more = (__uint128_t)keys * SCALE;

	quota->taken = quota->taken > more ? quota->taken - more : 0;
}
