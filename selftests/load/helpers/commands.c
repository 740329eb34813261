// SPDX-License-Identifier: GPL-2.0
/*
 * commands FILE CPUS SECONDS DIVISOR: gives commands that are long by their nature,
 * in turn, while streams of frames (stream.c) pass through guards, one on each of
 * CPUS CPUs. DIVISOR makes the filters smaller. Tells of each command how often it
 * came, the longest that it took, the longest gap between two frames of a stream
 * meanwhile, how many frames passed, and how often it held them up.
 *
 * commands FILE CPUS SECONDS 0: the same of just that time, without a command.
 *
 * A command has held up packets if the longest gap of a stream is more than half as
 * long as itself. The machine may do that, too, but not each time: it is given a few
 * times then. A stream shares its CPU with the command, or with the work that frees
 * what it has left. Where that is allocating and freeing pages, which is not the
 * module's own, the other stream tells whether packets had to wait for it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "meter.h"

#define MIB		1048576ULL
#define MS		1000000ULL
/* So short a command is not judged: a scheduler's slice is as long. */
#define SHORT		(50 * MS)
#define TRIES		4
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
	FILE *file = fopen("/proc/meminfo", "r");
	unsigned long long kib = 0;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmallocUsed: %llu", &kib) == 1)
			break;
	if (!file)
		fatal("/proc/meminfo");
	fclose(file);
	return kib << 10;
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
	while (vmalloc_used() > at_first + MIB)
		usleep(1000);
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

/* 128 MiB with stamps, each bucket of which is visited every 160 ms. */
static void add_window(void)
{
	add("window", SEEN_TYPE_CUCKOO, 128 * MIB * 8 / 44 / divisor, 400 * MS);
	put("window");
}

static void sweep(void)
{
	sleep(1);
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
 * @frames: that passed meanwhile
 * @held: times that it has held them up
 */
struct tally {
	uint64_t times;
	uint64_t longest;
	uint64_t gap;
	uint64_t frames;
	uint64_t held;
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
	{ "sweeps for a second", 128, add_window, sweep, delete_window,
	  false },
};

#define COMMANDS	(sizeof(commands) / sizeof(commands[0]))

/* --- measures -------------------------------------------------------------------- */

/* All streams measure anew. */
static void begin_round(void)
{
	uint32_t round = meters->round + 1, cpu;

	__atomic_store_n(&meters->round, round, __ATOMIC_RELEASE);
	for (cpu = 0; cpu < cpus; cpu++)
		while (__atomic_load_n(&meters->of[cpu].round,
				       __ATOMIC_ACQUIRE) != round)
			usleep(100);
}

static uint64_t frames(void)
{
	uint64_t sum = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		sum += __atomic_load_n(&meters->of[cpu].frames,
				       __ATOMIC_RELAXED);
	return sum;
}

/* A gap that lasts shows when the stream has gone on. */
static uint64_t longest_gap(const struct meter *meter)
{
	uint64_t from = __atomic_load_n(&meter->frames, __ATOMIC_RELAXED);

	while (__atomic_load_n(&meter->frames, __ATOMIC_RELAXED) < from + 2)
		usleep(100);
	return __atomic_load_n(&meter->longest, __ATOMIC_RELAXED);
}

static void gaps(uint64_t *least, uint64_t *most)
{
	uint64_t gap;
	uint32_t cpu;

	*least = UINT64_MAX;
	*most = 0;
	for (cpu = 0; cpu < cpus; cpu++) {
		gap = longest_gap(&meters->of[cpu]);
		if (gap < *least)
			*least = gap;
		if (gap > *most)
			*most = gap;
	}
}

/* Returns whether it has held up packets. */
static bool measure(const struct command *command, struct tally *tally)
{
	uint64_t from, took, passed, least, most;

	command->before();
	begin_round();
	passed = frames();
	from = ns();
	command->run();
	took = ns() - from;
	passed = frames() - passed;
	gaps(&least, &most);
	command->after();
	await_memory();
	tally->times++;
	tally->frames += passed;
	if (took > tally->longest)
		tally->longest = took;
	if (most > tally->gap)
		tally->gap = most;
	return took > SHORT &&
	       (!passed || (command->pages ? least : most) > took / 2);
}

static void one(const struct command *command, struct tally *tally)
{
	int tries = 0;

	while (measure(command, tally))
		if (++tries == TRIES) {
			tally->held++;
			return;
		}
}

static void report(const struct command *command, const struct tally *tally)
{
	printf("%s", command->what);
	if (command->mib)
		printf(", %ju MiB", (uintmax_t)(command->mib / divisor));
	printf("\t%ju\t%ju\t%ju\t%ju\t%ju\n", (uintmax_t)tally->times,
	       (uintmax_t)tally->longest / 1000,
	       (uintmax_t)tally->gap / 1000, (uintmax_t)tally->frames,
	       (uintmax_t)tally->held);
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
	static struct tally tallies[COMMANDS];
	unsigned int i;
	double end;

	if (argc != 5)
		fatal("usage: commands FILE CPUS SECONDS DIVISOR");
	meters = meters_map(argv[1]);
	cpus = number(argv[2]);
	duration = number(argv[3]);
	divisor = number(argv[4]);
	at_first = vmalloc_used();
	if (!divisor) {
		measure(&idle, &tallies[0]);
		report(&idle, &tallies[0]);
		return 0;
	}
	client = connect_seen();
	end = now() + duration;
	do {
		for (i = 0; i < COMMANDS; i++)
			one(&commands[i], &tallies[i]);
	} while (now() < end);
	for (i = 0; i < COMMANDS; i++)
		report(&commands[i], &tallies[i]);
	seen_close(client);
	return 0;
}
