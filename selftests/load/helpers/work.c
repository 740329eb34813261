// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <unistd.h>

#include "work.h"

/* A round without a gap of so long is quiet; a busy machine has none for long. */
#define QUIET_NS	20000000
#define SETTLE_ROUNDS	10

static struct meters *meters;
static uint32_t cpus;

void work_begin(struct meters *these, uint32_t count)
{
	meters = these;
	cpus = count;
}

void wait_more(uint32_t *polls, const char *what)
{
	errno = 0;
	if (++*polls == POLLS)
		fatal(what);
	usleep(1000);
}

/* All streams measure anew. */
static void begin_round(void)
{
	uint32_t round = meters->round + 1, polls = 0, cpu;

	__atomic_store_n(&meters->round, round, __ATOMIC_RELEASE);
	for (cpu = 0; cpu < cpus; cpu++)
		while (__atomic_load_n(&meters->of[cpu].round,
				       __ATOMIC_ACQUIRE) != round)
			wait_more(&polls, "a stream has stopped");
}

/* A gap that lasts shows when the stream has gone on. */
static void go_on(uint32_t cpu)
{
	uint64_t from = meter_frames(meters, cpu);
	uint32_t polls = 0;

	while (meter_frames(meters, cpu) < from + 2)
		wait_more(&polls, "a stream has stopped");
}

static void raise_to(uint64_t *most, uint64_t value)
{
	if (value > *most)
		*most = value;
}

/* The longest gap of this round. */
static uint64_t add_gaps(struct tally *tally)
{
	const struct meter *meter;
	uint64_t longest = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < cpus; cpu++) {
		meter = &meters->of[cpu];
		go_on(cpu);
		raise_to(&longest,
			 __atomic_load_n(&meter->longest, __ATOMIC_RELAXED));
		raise_to(&tally->lead,
			 __atomic_load_n(&meter->lead, __ATOMIC_RELAXED));
	}
	raise_to(&tally->gap, longest);
	return longest;
}

/*
 * What was freed is unmapped later, and a stream may wait for that: its gaps are those
 * of the work that left it behind.
 */
static void settle(struct tally *tally)
{
	unsigned int i;

	for (i = 0; i < SETTLE_ROUNDS; i++) {
		begin_round();
		usleep(QUIET_NS / 1000);
		if (add_gaps(tally) < QUIET_NS)
			return;
	}
}

void work_measure(const struct work *work, uint64_t bytes, struct tally *tally)
{
	uint64_t passed[METER_CPUS], from, took;
	struct tally before = { 0 };
	uint32_t cpu;

	if (work->before)
		work->before(bytes);
	settle(&before);
	begin_round();
	for (cpu = 0; cpu < cpus; cpu++)
		passed[cpu] = meter_frames(meters, cpu);
	from = ns();
	work->run(bytes);
	took = ns() - from;
	for (cpu = 0; cpu < cpus; cpu++)
		tally->frames[cpu] += meter_frames(meters, cpu) - passed[cpu];
	add_gaps(tally);
	settle(tally);
	if (work->after)
		work->after(bytes);
	tally->times++;
	tally->took += took;
	raise_to(&tally->longest, took);
}
