// SPDX-License-Identifier: GPL-2.0
/* 128-bit products by the code for 32-bit compilers, compared with the compiler's type. */
#undef __SIZEOF_INT128__
#include "wide.h"
#include "test.h"

#define PAIRS	1000000

static const u64 edges[] = {
	0, 1, 2, U32_MAX - 1ULL, U32_MAX, U32_MAX + 1ULL, U32_MAX + 2ULL,
	1ULL << 62, 1ULL << 63, (1ULL << 63) - 1, U64_MAX - 1, U64_MAX,
};

static bool same(u64 a, u64 b)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	unsigned int shift;

	if (seen_multiply_high(a, b) != (u64)(product >> 64))
		return false;
	for (shift = 1; shift <= 64; shift++)
		if (seen_multiply_shift(a, b, shift) != (u64)(product >> shift))
			return false;
	return seen_multiply_round(a, b) ==
	       (u64)(((product >> 63) + 1) >> 1);
}

static bool edges_same(void)
{
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(edges); i++)
		for (j = 0; j < ARRAY_SIZE(edges); j++)
			if (!same(edges[i], edges[j]))
				return false;
	return true;
}

static bool random_same(void)
{
	u64 left;

	for (left = scale(PAIRS); left; left--)
		if (!same(random64(), random64() >> left % 64))
			return false;
	return true;
}

int main(void)
{
	test_begin(2);
	ok(edges_same(), "products at the limits of carries");
	ok(random_same(), "%llu pairs", (unsigned long long)scale(PAIRS));
	return test_end();
}
