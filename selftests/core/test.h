/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the tests of the core: results in TAP, a printed seed, keys, sets in
 * fresh memory, a clock that the test sets, threads that start together.
 */
#ifndef SEEN_TEST_H
#define SEEN_TEST_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "set.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define MS		1000000ULL
#define SECOND		(1000 * MS)
/* Two jiffies at 250 HZ: the shortest tick that the tests pass to seen_plan(). */
#define MIN_TICK	(8 * MS)
#define FPP_ONE		(2 * SEEN_FPP_MAX)

/**
 * test_begin() - print the number of results, and the seed
 * @results: number of calls of ok()
 *
 * The seed is the same in every run; TEST_SEED in the environment changes it, see
 * seed.h.
 * The clock stands at an arbitrary time.
 */
void test_begin(int results);

/* test_seed() - test_begin() without results: for programs that are not tests */
void test_seed(void);

/* ok() - one result; returns @good */
bool ok(bool good, const char *name, ...)
	__attribute__((__format__(__printf__, 2, 3)));

/* note() - print a comment line */
void note(const char *text, ...)
	__attribute__((__format__(__printf__, 1, 2)));

/* test_end() - the exit status */
int test_end(void);

/* sanitized() - is this built with a sanitizer? */
bool sanitized(void);

/**
 * much() - how much to do, under a sanitizer too
 * @n: in a long run (LONG=1 in the environment)
 *
 * Return: @n; a part of it in a short run, at least 1.
 */
u64 much(u64 n);

/**
 * scale() - how much to do
 * @n: in a long run, as gcc builds it
 *
 * Return: much(@n); a smaller part under a sanitizer, which is slow, at least 1.
 */
u64 scale(u64 n);

/**
 * deadline() - set the time for which threads work on a set
 * @seconds: CPU time from now on, under ThreadSanitizer; otherwise a tenth of it; in a
 *	short run a part of either
 *
 * CPU time of the test, divided by the number of CPUs, so that other programs do not
 * shorten the test. It determines how much is tested, not which results are right.
 *
 * Return: a value for passed() and go_on().
 */
u64 deadline(u64 seconds);

/* passed() - true after the deadline */
bool passed(u64 deadline);

/* go_on() - true before the deadline; looks only if @i is a multiple of 256, and not 0 */
bool go_on(u64 i, u64 deadline);

/* random64() - the next number of the sequence of the seed; for one thread only */
u64 random64(void);
/* random_below() - from 0 to @n - 1 */
u64 random_below(u64 n);

/**
 * hash_of() - the hash of the @n-th key of a family
 * @family: families have no key in common
 * @n: number
 *
 * SipHash-1-3 under a secret from the seed, as in the kernel.
 */
u64 hash_of(u32 family, u64 n);

/* The order in which keys are numbered, before they are hashed. */
enum order { RANDOM, SEQUENTIAL, ORDERS };

extern const char * const order_name[];

/* hash_in() - hash_of() for the @n-th key in an order */
u64 hash_in(enum order order, u32 family, u64 n);

/* reseed() - another secret for hash_of(), from the sequence */
void reseed(void);

/* set_new() - an empty set; ends the test if there is no memory */
struct seen_set *set_new(const struct seen_geometry *geo);
void set_free(struct seen_set *set);

/* set_planned() - set_new() for a request that seen_plan() must accept */
struct seen_set *set_planned(struct seen_geometry request);

/* copy_table() - a copy of the table, to free(); same_table(): the table is still equal */
void *copy_table(const struct seen_set *set);
bool same_table(const struct seen_set *set, const void *copy);

/* The clock that seen_now() reads, in ns. */
extern u64 test_clock;
void clock_set(u64 now);
void clock_add(u64 ns);

/*
 * Seeds may be random, so the counts of a test are random numbers, but a test must not
 * fail by chance. So a test compares a count with a bound that correct code exceeds with
 * a chance of 10^-9. A run of all tests compares some thousand counts: by chance one run
 * in some hundred thousand fails.
 */

/* A normal variable is more standard deviations than this from its mean with a chance of 10^-9. */
#define SIGMAS		6.1

/**
 * by_chance() - can a count differ from its mean this much by chance?
 * @count: number of independent events
 * @due: the mean, above 0
 *
 * A Poisson variable is @count, or further from the mean on the same side, with a chance
 * of at most exp(@due - @count) (@count / @due)^-@count (Chernoff's bound). The bound also
 * holds for a binomial variable, which has a smaller variance.
 *
 * Return: false if that chance is below 10^-9.
 */
bool by_chance(double count, double due);

/**
 * is_estimate() - can a sketch estimate this number of distinct keys by chance?
 * @geo: geometry of the sketch
 * @keys: number of distinct keys that were added, in its window
 * @told: the result of seen_set_entries(), which looks at the counters of 1024 columns
 *
 * Return: true if by_chance() allows the number of used counters and that of empty ones.
 */
bool is_estimate(const struct seen_geometry *geo, double keys, double told);

/**
 * rate_kept() - does a measured false-positive rate keep the promise?
 * @hits: false positives
 * @keys: number of new keys that were tested
 * @fpp: the promised rate, in 10^-12
 *
 * Allows a tenth more than promised. This covers the rounded number of hashes of a classic
 * filter (5 %), and the spread of the rate between tables, which is 1 % where there are
 * enough hits to notice it.
 *
 * Return: false if there are more hits than by_chance() allows above that.
 */
bool rate_kept(u64 hits, u64 keys, u64 fpp);

/**
 * ok_rate() - one result: rate_kept(), and the rate is as predicted
 * @hits: false positives
 * @keys: number of new keys that were tested
 * @geo: the planned geometry, with the promised rate
 * @stored: number of stored keys, of geo->capacity keys that were added
 * @name: name of the case; the checked rates are appended
 *
 * The predictions are seen_rate() for the capacity, as "plan" prints it, and for the
 * stored keys, as "show" prints it. They are checked if there are at least 10,000 hits,
 * which must be within 2 % plus the deviation that by_chance() allows (6 % of 10,000, a
 * smaller part of a larger number).
 */
void ok_rate(u64 hits, u64 keys, const struct seen_geometry *geo, u64 stored,
	     const char *name, ...)
	__attribute__((__format__(__printf__, 5, 6)));

/* in_threads() - run fn(0, arg) to fn(count - 1, arg) at the same time */
void in_threads(int count, void (*fn)(int id, void *arg), void *arg);

#endif
