// SPDX-License-Identifier: GPL-2.0
/*
 * commands FILE CPUS SECONDS DIVISOR: gives commands that are long by their nature,
 * in turn, while streams of frames (stream.c) pass through guards, one on each of
 * CPUS CPUs. DIVISOR makes the filters smaller. Tells of each command how often it
 * came, the longest that it took, the longest gap between two frames of a stream
 * meanwhile, how many frames passed, how many the streams would have sent in that
 * time by themselves, and of the stream that had the fewest how many passed.
 *
 * commands FILE CPUS SECONDS 0: the same of just that time, without a command.
 *
 * A command is judged by frames and not by time: it is repeated until so many would
 * have been due in all its times together that some must have passed. A stream shares
 * its CPU with the command, or with the work that frees what it has left. Where that
 * is allocating and freeing pages, which is not the module's own, the stream with the
 * most frames tells whether packets had to wait for it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "meter.h"

#define MIB		1048576ULL
#define MS		1000000ULL
/* Of each stream, in all times of a command together. */
#define DUE		1000
#define TIMES		1000
/* Seconds in which the streams show their own. */
#define PACE		1
/* Of a millisecond, until something that must come is taken for lost. */
#define POLLS		120000
#define SMALL_FILTERS	1000
#define SNAPSHOT	"/tmp/load.snapshot"

static struct seen_client *client;
static struct meters *meters;
static uint32_t cpus;
static uint64_t divisor;
static uint64_t at_first;

static void must(int err)
{
	if (!err)
		return;
	errno = 0;
	fatal(seen_error(client));
}

/* For what sends no event: a millisecond of @polls, which end. */
static void wait_more(uint32_t *polls, const char *what)
{
	errno = 0;
	if (++*polls == POLLS)
		fatal(what);
	usleep(1000);
}

/* --- filters ----------------------------------------------------------------- */

static void add(const char *name, enum seen_type type, uint64_t capacity,
		uint64_t window)
{
	struct seen_filter_config config = {
		.type = type,
		.capacity = capacity,
		.fpp = 10000000000ULL,
		.window = window,
		.has_secret = true,
		.key.profile = SEEN_KEY_PROFILE_BYTES,
	};

	snprintf(config.name, sizeof(config.name), "%s", name);
	must(seen_filter_add(client, &config));
}

static void put(const char *name)
{
	static struct seen_keys keys;

	keys_fill(&keys, 0, 1000);
	must(seen_keys_send(client, SEEN_CMD_KEY_ADD, name, false, &keys));
}

/* At 1 %, of blocked lines: ten bits a key. */
static uint64_t bloom_of(uint64_t mib)
{
	return mib * MIB * 8 / 10 / divisor;
}

static void delete(const char *name)
{
	must(seen_filter_del(client, name, false));
}

static uint64_t vmalloc_used(void)
{
	return meminfo_bytes("VmallocUsed");
}

/* --- commands ------------------------------------------------------------------ */

static void add_many(void)
{
	char name[SEEN_NAME_MAX];
	int i;

	for (i = 0; i < SMALL_FILTERS; i++) {
		snprintf(name, sizeof(name), "small%d", i);
		add(name, SEEN_TYPE_BLOOM, 1000, 0);
	}
}

static void delete_many(void)
{
	char name[SEEN_NAME_MAX];
	int i;

	for (i = 0; i < SMALL_FILTERS; i++) {
		snprintf(name, sizeof(name), "small%d", i);
		delete(name);
	}
}

static void dump(void)
{
	struct seen_filter_info *list;
	size_t count;

	must(seen_filter_list(client, &list, &count));
	free(list);
	if (count < SMALL_FILTERS)
		fatal("filters are missing");
}

static void add_huge(void)
{
	add("huge", SEEN_TYPE_BLOOM, bloom_of(1024), 0);
}

/* Tables are freed later. What there was at first is all that shall be left. */
static void await_memory(void)
{
	uint32_t polls = 0;

	while (vmalloc_used() > at_first + MIB)
		wait_more(&polls, "tables are not freed");
}

static void delete_huge(void)
{
	delete("huge");
	await_memory();
}

static void add_full(void)
{
	add_huge();
	put("huge");
}

static void fold_huge(void)
{
	struct seen_filter_info info;

	must(seen_filter_fold(client, "huge", 0, &info));
}

static void add_large(void)
{
	add("large", SEEN_TYPE_BLOOM, bloom_of(256), 0);
	put("large");
}

static void flush_large(void)
{
	must(seen_filter_flush(client, "large"));
}

static void delete_large(void)
{
	delete("large");
}

static void add_two(void)
{
	add_large();
	add("other", SEEN_TYPE_BLOOM, bloom_of(256), 0);
	put("other");
}

static void merge_two(void)
{
	struct seen_filter_info info;

	must(seen_filter_merge(client, "large", "other", false, &info));
}

static void delete_two(void)
{
	delete("other");
	delete("large");
}

static void add_export(void)
{
	add("large", SEEN_TYPE_BLOOM, bloom_of(64), 0);
	put("large");
}

static void export(void)
{
	must(seen_filter_export(client, "large", SNAPSHOT, true));
}

static void import(void)
{
	must(seen_filter_import(client, "large", SNAPSHOT, NULL, true));
}

static void export_and_import(void)
{
	export();
	import();
}

/* 128 MiB in three generations of 800 ms each. */
static void add_window(void)
{
	add("window", SEEN_TYPE_BLOOM, 128 * MIB * 8 / 48 / divisor,
	    1600 * MS);
	put("window");
}

static uint64_t window_entries(void)
{
	struct seen_filter_info info;

	must(seen_filter_get(client, "window", &info));
	if (info.stats[SEEN_A_STATS_STALE])
		fatal("the sweep was late");
	return info.entries;
}

/* All generations end, one after the other, and are swept. */
static void rotate(void)
{
	uint32_t polls = 0;

	if (!window_entries())
		fatal("the keys are not there");
	while (window_entries())
		wait_more(&polls, "no generation has ended");
}

static void delete_window(void)
{
	delete("window");
}

/**
 * struct command - one that is long
 * @what: it does
 * @mib: to so much
 * @before: makes what it needs
 * @run: is measured
 * @after: clears up
 * @pages: most of it is the allocation of pages
 */
struct command {
	const char *what;
	uint64_t mib;
	void (*before)(void);
	void (*run)(void);
	void (*after)(void);
	bool pages;
};

/**
 * struct tally - of a command, in all rounds
 * @times: that it was given
 * @longest: ns that it took
 * @gap: ns, the longest between two frames meanwhile
 * @took: ns, all times together
 * @frames: that passed meanwhile, of each stream
 */
struct tally {
	uint64_t times;
	uint64_t longest;
	uint64_t gap;
	uint64_t took;
	uint64_t frames[METER_CPUS];
};

static void nothing(void)
{
}

static const struct command commands[] = {
	{ "dump of 1000 filters", 0, add_many, dump, delete_many, false },
	{ "creation", 1024, nothing, add_huge, delete_huge, true },
	{ "deletion", 1024, add_huge, delete_huge, nothing, true },
	{ "fold", 1024, add_full, fold_huge, delete_huge, false },
	{ "flush", 256, add_large, flush_large, delete_large, true },
	{ "merge", 256, add_two, merge_two, delete_two, false },
	{ "export and import", 64, add_export, export_and_import,
	  delete_large, false },
	{ "all generations end", 128, add_window, rotate, delete_window,
	  false },
};

#define COMMANDS	(sizeof(commands) / sizeof(commands[0]))

/* --- measures -------------------------------------------------------------------- */

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

static uint64_t frames(uint32_t cpu)
{
	return __atomic_load_n(&meters->of[cpu].frames, __ATOMIC_RELAXED);
}

/* A gap that lasts shows when the stream has gone on. */
static uint64_t longest_gap(const struct meter *meter)
{
	uint64_t from = __atomic_load_n(&meter->frames, __ATOMIC_RELAXED);
	uint32_t polls = 0;

	while (__atomic_load_n(&meter->frames, __ATOMIC_RELAXED) < from + 2)
		wait_more(&polls, "a stream has stopped");
	return __atomic_load_n(&meter->longest, __ATOMIC_RELAXED);
}

static uint64_t gaps(void)
{
	uint64_t gap, most = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < cpus; cpu++) {
		gap = longest_gap(&meters->of[cpu]);
		if (gap > most)
			most = gap;
	}
	return most;
}

static void measure(const struct command *command, struct tally *tally)
{
	uint64_t passed[METER_CPUS], from, took, gap;
	uint32_t cpu;

	command->before();
	begin_round();
	for (cpu = 0; cpu < cpus; cpu++)
		passed[cpu] = frames(cpu);
	from = ns();
	command->run();
	took = ns() - from;
	for (cpu = 0; cpu < cpus; cpu++)
		tally->frames[cpu] += frames(cpu) - passed[cpu];
	gap = gaps();
	command->after();
	await_memory();
	tally->times++;
	tally->took += took;
	if (took > tally->longest)
		tally->longest = took;
	if (gap > tally->gap)
		tally->gap = gap;
}

/* Frames of one stream in the time that a command took, at the pace of @alone. */
static uint64_t due(const struct tally *tally, const struct tally *alone)
{
	uint64_t least = UINT64_MAX;
	uint32_t cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		if (alone->frames[cpu] < least)
			least = alone->frames[cpu];
	return (double)tally->took / alone->took * least;
}

/* Those of the stream that judges the command. */
static uint64_t passed(const struct command *command, const struct tally *tally)
{
	uint64_t frames = tally->frames[0];
	uint32_t cpu;

	for (cpu = 1; cpu < cpus; cpu++)
		if (command->pages ? tally->frames[cpu] > frames :
				     tally->frames[cpu] < frames)
			frames = tally->frames[cpu];
	return frames;
}

static uint64_t all(const struct tally *tally)
{
	uint64_t sum = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		sum += tally->frames[cpu];
	return sum;
}

static void report(const struct command *command, const struct tally *tally,
		   const struct tally *alone)
{
	printf("%s", command->what);
	if (command->mib)
		printf(", %ju MiB", (uintmax_t)(command->mib / divisor));
	printf("\t%ju\t%ju\t%ju\t%ju\t%ju\t%ju\n", (uintmax_t)tally->times,
	       (uintmax_t)tally->longest / 1000, (uintmax_t)tally->gap / 1000,
	       (uintmax_t)all(tally), (uintmax_t)due(tally, alone),
	       (uintmax_t)passed(command, tally));
}

static double duration;

static void wait_all(void)
{
	usleep(duration * 1000000);
}

int main(int argc, char **argv)
{
	static const struct command idle = {
		"nothing", 0, nothing, wait_all, nothing, false
	};
	static struct tally tallies[COMMANDS], alone;
	unsigned int i;
	double end;

	if (argc != 5)
		fatal("usage: commands FILE CPUS SECONDS DIVISOR");
	meters = meters_map(argv[1]);
	cpus = number(argv[2]);
	duration = number(argv[3]);
	divisor = number(argv[4]);
	if (!cpus || cpus > METER_CPUS)
		fatal("CPUS");
	at_first = vmalloc_used();
	if (!divisor) {
		measure(&idle, &alone);
		report(&idle, &alone, &alone);
		return 0;
	}
	client = connect_seen();
	end = now() + duration;
	duration = PACE;
	measure(&idle, &alone);
	do {
		for (i = 0; i < COMMANDS; i++)
			measure(&commands[i], &tallies[i]);
	} while (now() < end);
	for (i = 0; i < COMMANDS; i++) {
		while (due(&tallies[i], &alone) < DUE &&
		       tallies[i].times < TIMES)
			measure(&commands[i], &tallies[i]);
		report(&commands[i], &tallies[i], &alone);
	}
	seen_close(client);
	return 0;
}
