/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the core tests share: results in TAP, a printed seed, keys, sets in
 * fresh memory, a clock that the test drives, threads that start together.
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
/* Two jiffies at 250 HZ: what the tests give seen_plan(). */
#define MIN_TICK	(8 * MS)
#define FPP_ONE		(2 * SEEN_FPP_MAX)

/**
 * test_begin() - announce how many results will come, and the seed
 * @results: calls of ok()
 *
 * The seed is the same in every run; TEST_SEED in the environment changes it, see
 * seed.h.
 * The clock stands at an arbitrary time.
 */
void test_begin(int results);

/* test_seed() - the same without results: for programs that are no test */
void test_seed(void);

/* ok() - one result; returns @good */
bool ok(bool good, const char *name, ...)
	__attribute__((__format__(__printf__, 2, 3)));

/* note() - a line for people */
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
 * deadline() - until when threads torment a set
 * @seconds: from now on, under ThreadSanitizer; a tenth of it otherwise; of
 *	either a part in a short run
 *
 * Seconds in which a machine does nothing else: time that its CPUs spend on the
 * test. It says how much is done, never what is right.
 *
 * Return: what passed() and go_on() want.
 */
u64 deadline(u64 seconds);

/* passed() - is it over? */
bool passed(u64 deadline);

/* go_on() - is it not, after @i times? Looks at each 256th, but the first */
bool go_on(u64 i, u64 deadline);

/* random64() - of a sequence that the seed begins; of one thread */
u64 random64(void);
/* random_below() - from 0 to @n - 1 */
u64 random_below(u64 n);

/**
 * hash_of() - the hash of the @n-th key of a family
 * @family: families have no key in common
 * @n: number
 *
 * SipHash-1-3 under a secret from the seed, as the kernel would have it.
 */
u64 hash_of(u32 family, u64 n);

/* In which order keys are numbered, before they are hashed. */
enum order { RANDOM, SEQUENTIAL, ORDERS };

extern const char * const order_name[];

/* hash_in() - hash_of() for the @n-th key in an order */
u64 hash_in(enum order order, u32 family, u64 n);

/* reseed() - another secret for hash_of(), from the sequence */
void reseed(void);

/* set_new() - an empty set; ends the test if there is no memory */
struct seen_set *set_new(const struct seen_geometry *geo);
void set_free(struct seen_set *set);

/* set_planned() - the same from a request that seen_plan() must take */
struct seen_set *set_planned(struct seen_geometry request);

/* copy_table() - what the table holds, to free(); same_table(): still? */
void *copy_table(const struct seen_set *set);
bool same_table(const struct seen_set *set, const void *copy);

/* The clock that seen_now() reads, in ns. */
extern u64 test_clock;
void clock_set(u64 now);
void clock_add(u64 ns);

/*
 * Seeds may be random, so that a test must not fail by chance. What a test counts is a
 * random number. A test compares it with a bound which the number exceeds with a
 * chance of 10^-9 if the code is right. One run of all tests compares some
 * thousand numbers: one run in some hundred thousand fails by chance.
 */

/* A normal variable is further from its mean, in standard deviations, with 10^-9. */
#define SIGMAS		6.1

/**
 * by_chance() - can chance make this count of its mean?
 * @count: of independent events
 * @due: the mean, above 0
 *
 * A Poisson variable comes to @count, or to a number further off on the same side,
 * with a chance of at most exp(@due - @count) (@count / @due)^-@count: Chernoff's
 * bound. The bound holds for a binomial variable, too, which spreads less.
 *
 * Return: false if that chance is below 10^-9.
 */
bool by_chance(double count, double due);

/**
 * is_estimate() - can a sketch take so many distinct keys for another number?
 * @geo: of the sketch
 * @keys: that came, in its window
 * @told: seen_set_entries(), which follows from the counters in use in 1024 columns
 *
 * Return: false unless by_chance() allows the number of those counters, and the number
 * of the empty ones.
 */
bool is_estimate(const struct seen_geometry *geo, double keys, double told);

/**
 * rate_kept() - was a false-positive rate kept?
 * @hits: keys called seen
 * @keys: new keys asked for
 * @fpp: the promise, in 10^-12
 *
 * A tenth more than promised is allowed. It covers the hashes of a classic filter,
 * which are a whole number (5 %), and the spread of the rate from table to table,
 * which is 1 % where so many hits are due that it counts.
 *
 * Return: false if more hits came than by_chance() allows above that.
 */
bool rate_kept(u64 hits, u64 keys, u64 fpp);

/**
 * ok_rate() - one result: rate_kept(), and as predicted
 * @hits: keys called seen
 * @keys: new keys asked for
 * @geo: what was promised
 * @stored: keys in the set, of the geo->capacity that were brought
 * @name: of the case; what was judged is added
 *
 * The prediction is seen_rate()'s: for the capacity, as "plan" prints it, and
 * for what is stored, as "show" does. It is judged from 10,000 hits on: they must be
 * within 2 % and what by_chance() allows beyond that, 6 % of 10,000 and less of more.
 */
void ok_rate(u64 hits, u64 keys, const struct seen_geometry *geo, u64 stored,
	     const char *name, ...)
	__attribute__((__format__(__printf__, 5, 6)));

/* in_threads() - run fn(0, arg) to fn(count - 1, arg) at the same time */
void in_threads(int count, void (*fn)(int id, void *arg), void *arg);

#endif
