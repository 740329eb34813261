// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <unistd.h>

#include "work.h"

/* Deferred work needs a turn on a CPU that a stream uses, too; time for several at HZ=100. */
#define SETTLE_US	50000

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

/* All streams start a new measurement. */
static void begin_round(void)
{
	uint32_t round = meters->round + 1, polls = 0, cpu;

	__atomic_store_n(&meters->round, round, __ATOMIC_RELEASE);
	for (cpu = 0; cpu < cpus; cpu++)
		while (__atomic_load_n(&meters->of[cpu].round,
				       __ATOMIC_ACQUIRE) != round)
			wait_more(&polls, "a stream has stopped");
}

/* A gap is stored at its end, so wait until the stream has sent further frames. */
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

static void add_gaps(struct tally *tally)
{
	const struct meter *meter;
	uint32_t cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		go_on(cpu);
	for (cpu = 0; cpu < cpus; cpu++) {
		meter = &meters->of[cpu];
		raise_to(&tally->gap,
			 __atomic_load_n(&meter->longest, __ATOMIC_RELAXED));
		raise_to(&tally->lead,
			 __atomic_load_n(&meter->lead, __ATOMIC_RELAXED));
	}
}

static void add_run(const struct work *work, uint64_t bytes, struct tally *tally)
{
	uint64_t passed[METER_CPUS], from, took;
	uint32_t cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		passed[cpu] = meter_frames(meters, cpu);
	from = ns();
	work->run(bytes);
	took = ns() - from;
	for (cpu = 0; cpu < cpus; cpu++)
		tally->frames[cpu] += meter_frames(meters, cpu) - passed[cpu];
	tally->times++;
	tally->took += took;
	raise_to(&tally->longest, took);
}

/* Memory is unmapped some time after it was freed; a gap caused by that belongs to the work. */
void work_measure(const struct work *work, uint64_t bytes, struct tally *tally)
{
	uint64_t from;

	if (work->before)
		work->before(bytes);
	usleep(SETTLE_US);
	begin_round();
	from = ns();
	add_run(work, bytes, tally);
	if (work->rest)
		work->rest(bytes);
	usleep(SETTLE_US);
	add_gaps(tally);
	tally->watched += ns() - from;
	if (work->after)
		work->after(bytes);
}
