// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <time.h>

#include "clock.h"
#include "pattern.h"
#include "rate.h"
#include "seed.h"
#include "test.h"

#define THREADS_MAX	16
#define LARGE_PAGE	(2UL << 20)
/* From so many hits on a prediction is judged. */
#define HITS_MANY	10000
/* Columns that a sketch looks at for an estimate; see sketch.c. */
#define ESTIMATE_COLUMNS	1024
/*
 * The prediction of fingerprints takes them for independent of each other. A pair of
 * buckets that test-and-add has filled has no two that are equal: with 8 bits the
 * rate is up to 1.6 % higher.
 */
#define MODEL_ERROR	0.02
/* An event with a chance of 10^-9 counts as impossible: see by_chance(). */
#define CHANCE		(9 * M_LN10)
/* Of go_on(): so often the machine's clock is read. */
#define ROUNDS		256

#ifndef __has_feature
#define __has_feature(feature)	0
#endif
#if __has_feature(thread_sanitizer)
#define SLOWNESS	32
#define TORTURE_NS	(SECOND / 2)
#elif __has_feature(address_sanitizer)
#define SLOWNESS	64
#define TORTURE_NS	(SECOND / 10)
#else
#define SLOWNESS	1
#define TORTURE_NS	(SECOND / 10)
#endif
/* A short run divides the keys and seconds of a long run by this number. */
#define SHORTER		8

const char * const order_name[] = { "random", "sequential" };

static int planned, results, failures;
static u64 seed, state;
static struct seen_secret secret;

u64 test_clock;

u64 random64(void)
{
	state += 0x9e3779b97f4a7c15ULL;
	return seen_remix(state);
}

u64 random_below(u64 n)
{
	return seen_range64(random64(), n);
}

void reseed(void)
{
	secret.k[0] = random64();
	secret.k[1] = random64();
}

u64 hash_of(u32 family, u64 n)
{
	struct {
		u64 n;
		u64 family;
	} key = { n, family };

	return seen_siphash13(&key, sizeof(key), &secret);
}

u64 hash_in(enum order order, u32 family, u64 n)
{
	return hash_of(family, order == RANDOM ? seen_remix(n) : n);
}

void test_seed(void)
{
	seed = seed_choose();
	state = seed;
	reseed();
	seen_pattern_init();
	clock_set(1000 * SECOND + random_below(SECOND));
}

void test_begin(int count)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	planned = count;
	test_seed();
	printf("TAP version 13\n1..%d\n# TEST_SEED=%llu\n", count,
	       (unsigned long long)seed);
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

int test_end(void)
{
	return failures || results != planned;
}

static bool long_run(void)
{
	const char *value = getenv("LONG");

	return value && *value;
}

bool sanitized(void)
{
	return SLOWNESS > 1;
}

static u64 part(u64 n, u64 of)
{
	return n < of ? 1 : n / of;
}

u64 much(u64 n)
{
	return part(n, long_run() ? 1 : SHORTER);
}

u64 scale(u64 n)
{
	return sanitized() ? part(n, SLOWNESS) : much(n);
}

/* Time that each CPU has spent on this test. */
static u64 spent(void)
{
	struct timespec all;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &all);
	return (all.tv_sec * SECOND + all.tv_nsec) /
	       sysconf(_SC_NPROCESSORS_ONLN);
}

u64 deadline(u64 seconds)
{
	return spent() + much(seconds * TORTURE_NS);
}

bool passed(u64 end)
{
	return spent() >= end;
}

bool go_on(u64 i, u64 end)
{
	return !i || i % ROUNDS || !passed(end);
}

bool by_chance(double count, double due)
{
	double odds = due - count;

	if (count > 0)
		odds += count * log(count / due);
	return odds <= CHANCE;
}

bool is_estimate(const struct seen_geometry *geo, double keys, double told)
{
	double looked = fmin(geo->blocks, ESTIMATE_COLUMNS) * geo->hashes;
	double due = looked * exp(-keys / geo->blocks);
	double empty = looked * exp(-told / geo->blocks);

	return by_chance(empty, due) && by_chance(looked - empty, looked - due);
}

/* A tenth more: see rate_kept() in test.h. */
bool rate_kept(u64 hits, u64 keys, u64 fpp)
{
	double most = 1.1 * keys * fpp / FPP_ONE;

	return hits <= most || by_chance(hits, most);
}

static bool foreseen(u64 hits, u64 keys, double rate)
{
	double due = keys * rate;
	double least = (1 - MODEL_ERROR) * due;
	double most = (1 + MODEL_ERROR) * due;

	if (hits < least)
		return by_chance(hits, least);
	return hits <= most || by_chance(hits, most);
}

void ok_rate(u64 hits, u64 keys, const struct seen_geometry *geo, u64 stored,
	     const char *name, ...)
{
	double plan = seen_rate(geo, geo->capacity);
	double show = seen_rate(geo, stored);
	bool many = keys * show >= HITS_MANY;
	bool good = rate_kept(hits, keys, geo->fpp);
	char what[128];
	va_list args;

	va_start(args, name);
	vsnprintf(what, sizeof(what), name, args);
	va_end(args);
	note("%s: %llu hits of %llu: %.4g, predicted %.4g, promised %.4g",
	     what, (unsigned long long)hits, (unsigned long long)keys,
	     (double)hits / keys, show, (double)geo->fpp / FPP_ONE);
	if (many)
		good &= foreseen(hits, keys, plan) &&
			foreseen(hits, keys, show);
	ok(good, "%s: the rate is kept%s", what, many ? " and was foreseen" :
	   ", with too few hits due to judge the prediction");
}

/* Large tables in large pages, as the kernel's vmalloc() has them. */
static void *memory(size_t bytes)
{
	bool large = bytes >= LARGE_PAGE;
	void *p;

	if (posix_memalign(&p, large ? LARGE_PAGE : SEEN_LINE_BYTES, bytes)) {
		printf("Bail out! no memory for %zu bytes\n", bytes);
		exit(1);
	}
	if (large)
		madvise(p, bytes, MADV_HUGEPAGE);
	memset(p, 0, bytes);
	return p;
}

struct seen_set *set_new(const struct seen_geometry *geo)
{
	struct seen_set *set = memory((sizeof(*set) + 63) & ~63UL);

	seen_set_init(set, geo, memory(seen_geometry_bytes(geo)),
		      memory(seen_geometry_stripes(geo) *
			     sizeof(struct seen_stripe)));
	return set;
}

void set_free(struct seen_set *set)
{
	free(set->table);
	free(set->stripes);
	free(set);
}

struct seen_set *set_planned(struct seen_geometry request)
{
	enum seen_plan_error error = seen_plan(&request, MIN_TICK);

	if (error) {
		printf("Bail out! seen_plan() refuses: %d\n", error);
		exit(1);
	}
	return set_new(&request);
}

void *copy_table(const struct seen_set *set)
{
	size_t bytes = seen_geometry_bytes(&set->geo);

	return memcpy(memory(bytes), set->table, bytes);
}

bool same_table(const struct seen_set *set, const void *copy)
{
	return !memcmp(set->table, copy, seen_geometry_bytes(&set->geo));
}

/* Weak: kmod/filter.c has one of its own. */
__attribute__((__weak__)) u64 seen_now(void)
{
	return READ_ONCE(test_clock);
}

void clock_set(u64 ns)
{
	WRITE_ONCE(test_clock, ns);
}

void clock_add(u64 ns)
{
	seen_shim_step(&test_clock, true);
	seen_shim_write(&test_clock, RMW);
	__atomic_fetch_add(&test_clock, ns, __ATOMIC_RELAXED);
}

struct thread {
	pthread_t thread;
	pthread_barrier_t *start;
	int id;
	void (*fn)(int id, void *arg);
	void *arg;
};

static void *run(void *p)
{
	struct thread *t = p;

	pthread_barrier_wait(t->start);
	t->fn(t->id, t->arg);
	return NULL;
}

void in_threads(int count, void (*fn)(int id, void *arg), void *arg)
{
	struct thread threads[THREADS_MAX];
	pthread_barrier_t start;
	int i;

	pthread_barrier_init(&start, NULL, count);
	for (i = 0; i < count; i++) {
		threads[i] = (struct thread) {
			.start = &start, .id = i, .fn = fn, .arg = arg,
		};
		if (pthread_create(&threads[i].thread, NULL, run,
				   &threads[i])) {
			printf("Bail out! no thread\n");
			exit(1);
		}
	}
	for (i = 0; i < count; i++)
		pthread_join(threads[i].thread, NULL);
	pthread_barrier_destroy(&start);
}
