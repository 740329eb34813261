// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>

#include "clock.h"
#include "pattern.h"
#include "test.h"

#define THREADS_MAX	16
#define HITS_MANY	10000

#ifndef __has_feature
#define __has_feature(feature)	0
#endif
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOWNESS	16
#else
#define SLOWNESS	1
#endif

static int planned, results, failures;
static u64 state;
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

void test_begin(int count)
{
	const char *seed = getenv("TEST_SEED");

	setvbuf(stdout, NULL, _IOLBF, 0);
	planned = count;
	state = seed ? strtoull(seed, NULL, 0) : 20240229;
	printf("TAP version 13\n1..%d\n# TEST_SEED=%llu\n", count,
	       (unsigned long long)state);
	reseed();
	seen_pattern_init();
	clock_set(1000 * SECOND + random_below(SECOND));
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

u64 scale(u64 small, u64 full)
{
	const char *wish = getenv("FULL");

	if (wish && !strcmp(wish, "1"))
		return full;
	return small / SLOWNESS ? small / SLOWNESS : 1;
}

bool rate_kept(u64 hits, u64 keys, u64 fpp)
{
	double due = (double)keys * fpp / FPP_ONE;

	return hits <= 1.1 * due + 3 * sqrt(due);
}

bool rate_foreseen(u64 hits, u64 keys, double rate)
{
	double due = keys * rate;

	return due < HITS_MANY || fabs(hits - due) <= 0.05 * due;
}

static void *memory(size_t bytes)
{
	void *p = aligned_alloc(SEEN_LINE_BYTES, bytes);

	if (!p) {
		printf("Bail out! no memory for %zu bytes\n", bytes);
		exit(1);
	}
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

u64 seen_now(void)
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
