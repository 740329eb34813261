// SPDX-License-Identifier: GPL-2.0
/*
 * Predicted false-positive rates. They are exact in the model that a hash is a random function:
 * the number of keys in the line of the looked-up key is binomial, and for each number the rate
 * is computed. The formulas do not assume many lines; they hold from one line on.
 */
#include <math.h>
#include <stdbool.h>

#include "plan.h"
#include "rate.h"

#define WORDS		8	/* in a line */
#define WORD_BITS	64
#define PICKED		3	/* words of a line that a key touches */
#define LANES		5	/* words in a generation */
#define LANE_BITS	32
#define BITS_MAX	16	/* more bits than a key has in a word or lane */
#define COUNTERS	16	/* in a word */
/* With this many keys, no bit of a line is clear. */
#define LINE_FULL	10000

static double choose(int n, int k)
{
	double ways = 1;
	int i;

	if (k < 0 || k > n)
		return 0;
	for (i = 1; i <= k; i++)
		ways = ways * (n - k + i) / i;
	return ways;
}

/* (1 - part)^times */
static double none(double part, double times)
{
	return part >= 1 ? 0 : exp(times * log1p(-part));
}

/*
 * The probability that one key of the line sets none of the @asked[i] bits that are tested in
 * word i of three. A key picks each triple of the eight words with equal probability, and in a
 * word each pattern of @bits.
 */
static double miss(const int asked[PICKED], int bits)
{
	double chance, sum = 0;
	int common, hit, i;

	for (hit = 0; hit < 1 << PICKED; hit++) {
		chance = 1;
		common = 0;
		for (i = 0; i < PICKED; i++) {
			if (!(hit >> i & 1))
				continue;
			common++;
			chance *= choose(WORD_BITS - asked[i], bits) /
				  choose(WORD_BITS, bits);
		}
		sum += chance * choose(WORDS - PICKED, PICKED - common) /
		       choose(WORDS, PICKED);
	}
	return sum;
}

/* Inclusion and exclusion over the tested bits that no key has set. */
static double blocked(const struct seen_geometry *geo, double keys)
{
	int bits = geo->hashes / PICKED;
	double lines = geo->blocks;
	int a[PICKED];
	double sum = 0;
	double term;

	for (a[0] = 0; a[0] <= bits; a[0]++)
		for (a[1] = 0; a[1] <= bits; a[1]++)
			for (a[2] = 0; a[2] <= bits; a[2]++) {
				term = choose(bits, a[0]) * choose(bits, a[1]) *
				       choose(bits, a[2]) *
				       none((1 - miss(a, bits)) / lines, keys);
				sum += (a[0] + a[1] + a[2]) & 1 ? -term : term;
			}
	return fmax(sum, 0);
}

/*
 * The probability that a key of the line raises none of the counters that are tested in the
 * words of the bitmask @asked. A key has one counter in each of @hashes adjacent words, and
 * starts at each of the eight words with equal probability.
 */
static double untouched(unsigned int asked, unsigned int hashes)
{
	unsigned int first, common, i;
	double sum = 0;

	for (first = 0; first < WORDS; first++) {
		common = 0;
		for (i = 0; i < hashes; i++)
			common += asked >> (first + i) % WORDS & 1;
		sum += pow(1 - 1.0 / COUNTERS, common);
	}
	return sum / WORDS;
}

/* Inclusion and exclusion over the tested counters that no key has raised. */
static double counting(const struct seen_geometry *geo, double keys)
{
	double lines = geo->blocks;
	unsigned int asked, i;
	double sum = 0;
	double term;
	bool odd;

	for (asked = 0; asked < 1U << geo->hashes; asked++) {
		odd = false;
		for (i = 0; i < geo->hashes; i++)
			odd ^= asked >> i & 1;
		term = none((1 - untouched(asked, geo->hashes)) / lines, keys);
		sum += odd ? -term : term;
	}
	return fmax(sum, 0);
}

/* The distribution of the number of distinct bits in @bits independent picks of a lane. */
static void distinct(double chance[BITS_MAX], int bits)
{
	int i, n;

	chance[0] = 1;
	for (i = 1; i < BITS_MAX; i++)
		chance[i] = 0;
	for (n = 0; n < bits; n++) {
		for (i = n + 1; i > 0; i--)
			chance[i] = chance[i] * i / LANE_BITS +
				    chance[i - 1] * (LANE_BITS - i + 1) /
				    LANE_BITS;
		chance[0] = 0;
	}
}

/* The probability that @keys keys set all @bits picks of another key in a lane. */
static double cover(int bits, double keys)
{
	double chance[BITS_MAX];
	double sum = 0, part;
	int d, s;

	distinct(chance, bits);
	for (d = 0; d <= bits; d++) {
		part = 0;
		for (s = 0; s <= d; s++)
			part += choose(d, s) * (s & 1 ? -1 : 1) *
				pow(1 - (double)s / LANE_BITS, bits * keys);
		sum += chance[d] * part;
	}
	return sum;
}

/* The probability that @n of @keys keys fall into one given line of @lines. */
static double binomial(double keys, double n, double lines)
{
	if (lines <= 1)
		return n == keys;
	return exp(lgamma(keys + 1) - lgamma(n + 1) - lgamma(keys - n + 1) -
		   n * log(lines) + (keys - n) * log1p(-1 / lines));
}

static double generation(const struct seen_geometry *geo, double keys)
{
	double mean = keys / geo->blocks;
	double reach = 12 * sqrt(mean) + 40;
	double n = fmax(0, floor(mean - reach));
	double end = fmin(keys, ceil(mean + reach));
	int long_lanes = geo->hashes % LANES;
	int bits = geo->hashes / LANES;
	double sum = 0;

	/* All lines are full. Negated so that a table without lines (mean NaN) ends here, too. */
	if (!(mean - reach <= LINE_FULL))
		return 1;
	for (; n <= end; n++)
		sum += binomial(keys, n, geo->blocks) *
		       pow(cover(bits + 1, n), long_lanes) *
		       pow(cover(bits, n), LANES - long_lanes);
	return sum;
}

/*
 * The textbook formula, corrected by the variance of the number of set bits, which matters in
 * small filters (Bose et al., "On the false-positive rate of Bloom filters", 2008).
 */
static double classic(const struct seen_geometry *geo, double keys)
{
	double bits = geo->blocks;
	double k = geo->hashes;
	double clear = none(1 / bits, k * keys);
	double both = none(2 / bits, k * keys);
	double set = 1 - clear;
	double spread;

	if (!keys)
		return 0;
	spread = clear / bits + (1 - 1 / bits) * both - clear * clear;
	return pow(set, k) * exp(k * (k - 1) / 2 * spread / (set * set));
}

/* Each slot of a key is occupied with equal probability, and then matches with 1 / @values. */
static double fingerprint(const struct seen_geometry *geo, double keys,
			  double values)
{
	double slots = geo->hashes / 2 * (double)geo->blocks;

	return 1 - none(fmin(keys / slots, 1) / values, geo->hashes);
}

/* A reply or a file may state no blocks, or too many hashes. */
static bool fits(const struct seen_geometry *geo)
{
	if (!geo->blocks)
		return false;
	switch (geo->kind) {
	case SEEN_SET_BLOCKED:
		return geo->hashes / PICKED < BITS_MAX;
	case SEEN_SET_BLOOM_WINDOW:
		return geo->hashes / LANES + 1 < BITS_MAX;
	case SEEN_SET_COUNTING:
		return geo->hashes <= WORDS;
	default:
		return true;
	}
}

static double rate(const struct seen_geometry *geo, __u64 keys)
{
	switch (geo->kind) {
	case SEEN_SET_BLOCKED:
		return blocked(geo, keys);
	case SEEN_SET_CLASSIC:
		return classic(geo, keys);
	case SEEN_SET_BLOOM_WINDOW:
		return generation(geo, keys);
	case SEEN_SET_CUCKOO:
		return fingerprint(geo, keys, exp2(geo->fp_bits) - 1);
	case SEEN_SET_CUCKOO_WINDOW:
		return fingerprint(geo, keys, exp2(geo->fp_bits));
	case SEEN_SET_BITMAP:
	case SEEN_SET_MAP:
		return 0;
	case SEEN_SET_COUNTING:
		return counting(geo, keys);
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		break;
	}
	return 1;
}

double seen_rate(const struct seen_geometry *geo, __u64 keys)
{
	double seen = fits(geo) ? rate(geo, keys) : 1;

	if (geo->asks)
		seen = 1 - none(seen, geo->asks);
	/* If the rate could not be computed, it is NaN. */
	return seen >= 0 && seen <= 1 ? seen : 1;
}

/*
 * In each row a counter exceeds the true count by, on average, 1 / columns of the sum of all
 * counts. By Markov's inequality the excess is above @part / capacity of that sum with at most the
 * probability @row. The count is the minimum over the rows (Cormode and Muthukrishnan, 2005).
 */
double seen_excess(const struct seen_geometry *geo, double part)
{
	double row = geo->capacity / (part * geo->blocks);

	return row < 1 ? pow(row, geo->hashes) : 1;
}
