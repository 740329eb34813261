// SPDX-License-Identifier: GPL-2.0
/*
 * commands FILE CPUS ours DIVISOR SECONDS: runs long commands, in turn, while streams of frames
 * (stream.c) pass through guards, one stream on each of CPUS CPUs. DIVISOR makes the filters
 * smaller. Prints for each command: how often it ran; its longest and its total time; how long
 * the streams were watched for it, until the memory that it left had been freed; the longest gap
 * between two frames of a stream in that time, and the most frames that other streams sent in a
 * gap; how many frames passed during the command, how many the streams would have sent in that
 * time without it, and the frames of the stream with the fewest.
 *
 * commands FILE CPUS plain DIVISOR NS...: the same for comparable work of the kernel without the
 * module (plain.c), each watched for at least NS nanoseconds.
 *
 * commands FILE CPUS alone SECONDS: the same while no command runs.
 *
 * Commands are judged by frames, not by time. A command is repeated until so many frames would
 * have been due in its total time that some of each stream must have passed. A stream shares its
 * CPU with the command, or with the work that frees its memory, so more frames must have been due
 * if this work consists mostly of the kernel's own handling of pages.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "work.h"

#define MS		1000000ULL
#define WINDOW		(1600 * MS)
/* Frames of each stream due in the total time of a command; and if it mostly handles pages. */
#define DUE		1000
#define DUE_PAGES	(5 * DUE)
#define TIMES		1000
#define TRIES		20
/* Seconds in which the pace of the streams without a command is measured. */
#define PACE		1
#define SMALL_FILTERS	1000
#define SNAPSHOT	"/tmp/load.snapshot"

static struct seen_client *client;
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

/* A rate of 1 % in blocked lines needs ten bits per key. */
static void add_bloom(const char *name, uint64_t bytes)
{
	add(name, SEEN_TYPE_BLOOM, bytes * 8 / 10, 0);
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

static void add_many(uint64_t bytes)
{
	char name[SEEN_NAME_MAX];
	int i;

	(void)bytes;
	for (i = 0; i < SMALL_FILTERS; i++) {
		snprintf(name, sizeof(name), "small%d", i);
		add(name, SEEN_TYPE_BLOOM, 1000, 0);
	}
}

static void delete_many(uint64_t bytes)
{
	char name[SEEN_NAME_MAX];
	int i;

	(void)bytes;
	for (i = 0; i < SMALL_FILTERS; i++) {
		snprintf(name, sizeof(name), "small%d", i);
		delete(name);
	}
}

static void dump(uint64_t bytes)
{
	struct seen_filters *list;

	(void)bytes;
	must(seen_filter_list(client, &list));
	if (seen_filters_count(list) < SMALL_FILTERS)
		fatal("filters are missing");
	seen_filters_free(list);
}

static void add_one(uint64_t bytes)
{
	add_bloom("one", bytes);
}

static void delete_one(uint64_t bytes)
{
	(void)bytes;
	delete("one");
}

static uint64_t filters_bytes(void)
{
	const struct seen_filter_info *info;
	struct seen_filters *list;
	uint64_t bytes = 0;

	must(seen_filter_list(client, &list));
	for (size_t i = 0; (info = seen_filters_at(list, i)); i++)
		bytes += info->bytes;
	seen_filters_free(list);
	return bytes;
}

/* Waits until deleted tables are freed: only memory from the start, and of filters, is left. */
static void await_memory(uint64_t bytes)
{
	uint64_t left = at_first + filters_bytes() + MIB;
	uint32_t polls = 0;

	(void)bytes;
	while (vmalloc_used() > left)
		wait_more(&polls, "tables are not freed");
}

static void delete_whole(uint64_t bytes)
{
	delete_one(bytes);
	await_memory(0);
}

static void add_full(uint64_t bytes)
{
	add_one(bytes);
	put("one");
}

static void fold(uint64_t bytes)
{
	struct seen_filter_info info;

	(void)bytes;
	must(seen_filter_fold(client, "one", 0, &info));
}

static void flush(uint64_t bytes)
{
	(void)bytes;
	must(seen_filter_flush(client, "one"));
}

static void add_two(uint64_t bytes)
{
	add_full(bytes);
	add_bloom("other", bytes);
	put("other");
}

static void merge(uint64_t bytes)
{
	struct seen_filter_info info;

	(void)bytes;
	must(seen_filter_merge(client, "one", "other", false, &info));
}

static void delete_two(uint64_t bytes)
{
	delete("other");
	delete_one(bytes);
}

static void export_and_import(uint64_t bytes)
{
	(void)bytes;
	must(seen_filter_export(client, "one", SNAPSHOT, true));
	must(seen_filter_import(client, "one", SNAPSHOT, NULL, true));
}

/* Three generations of 800 ms each. */
static void add_window(uint64_t bytes)
{
	add("one", SEEN_TYPE_BLOOM, bytes * 8 / 48, WINDOW);
}

static uint64_t window_entries(void)
{
	struct seen_filter_info info;

	must(seen_filter_get(client, "one", &info));
	if (info.stats[SEEN_A_STATS_STALE])
		fatal("the sweep was late");
	return info.entries;
}

/* Waits until all generations have ended, one after the other, and were swept. */
static void rotate(uint64_t bytes)
{
	uint32_t polls = 0, tries = 0;
	uint64_t from;

	(void)bytes;
	for (;;) {
		from = ns();
		put("one");
		if (window_entries())
			break;
		if (ns() - from < WINDOW)
			fatal("keys have gone within their window");
		/* This process got no CPU for so long that the keys expired as they should. */
		if (++tries == TRIES)
			fatal("no key lasts until it is asked for");
	}
	while (window_entries())
		wait_more(&polls, "no generation has ended");
}

/**
 * struct command - a command that takes long
 * @mib: size of its filter, in MiB
 * @due: frames of each stream that must have been due
 * @ours: the command
 * @plain: comparable work of the kernel without the module
 */
struct command {
	uint64_t mib;
	uint64_t due;
	struct work ours;
	const struct work *plain;
};

static const struct command commands[] = {
	{ 0, DUE,
	  { "dump of 1000 filters", add_many, dump, NULL, delete_many },
	  &plain_dump },
	{ 1024, DUE_PAGES,
	  { "creation", NULL, add_one, NULL, delete_one },
	  &plain_make },
	{ 1024, DUE_PAGES,
	  { "deletion", add_one, delete_whole, NULL, NULL },
	  &plain_free },
	{ 1024, DUE,
	  { "fold", add_full, fold, await_memory, delete_one },
	  &plain_read },
	{ 256, DUE_PAGES,
	  { "flush", add_full, flush, await_memory, delete_one },
	  &plain_replace },
	{ 256, DUE,
	  { "merge", add_two, merge, NULL, delete_two },
	  &plain_copy },
	{ 64, DUE,
	  { "export and import", add_full, export_and_import, await_memory,
	    delete_one },
	  &plain_files },
	{ 128, DUE,
	  { "all generations end", add_window, rotate, NULL, delete_one },
	  &plain_ask },
};

#define COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static struct tally alone, tallies[COMMANDS];

static uint64_t bytes_of(const struct command *command)
{
	return command->mib * MIB / divisor;
}

static void give(const struct command *command, struct tally *tally)
{
	work_measure(&command->ours, bytes_of(command), tally);
	await_memory(0);
}

/* --- reports ----------------------------------------------------------------------- */

/* Frames of the stream with the fewest. */
static uint64_t least(const struct tally *tally)
{
	uint64_t frames = UINT64_MAX;
	uint32_t cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		if (tally->frames[cpu] < frames)
			frames = tally->frames[cpu];
	return frames;
}

/* Frames that one stream would send in the time of a command, at the pace of @alone. */
static uint64_t due(const struct tally *tally)
{
	return (double)tally->took / alone.took * least(&alone);
}

static uint64_t all(const struct tally *tally)
{
	uint64_t sum = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		sum += tally->frames[cpu];
	return sum;
}

static void report(const char *what, uint64_t mib, const struct tally *tally)
{
	printf("%s", what);
	if (mib)
		printf(", %ju MiB", (uintmax_t)(mib / divisor));
	printf("\t%ju\t%ju\t%ju\t%ju\t%ju\t%ju\t%ju\t%ju\t%ju\n",
	       (uintmax_t)tally->times, (uintmax_t)tally->longest / 1000,
	       (uintmax_t)tally->took, (uintmax_t)tally->watched,
	       (uintmax_t)tally->gap / 1000, (uintmax_t)tally->lead,
	       (uintmax_t)all(tally), (uintmax_t)due(tally),
	       (uintmax_t)least(tally));
}

/* --- modes ------------------------------------------------------------------------- */

static double duration;

static void wait_all(uint64_t bytes)
{
	(void)bytes;
	usleep(duration * 1000000);
}

static void leave_alone(double seconds)
{
	static const struct work nothing = {
		"nothing", NULL, wait_all, NULL, NULL
	};

	duration = seconds;
	work_measure(&nothing, 0, &alone);
}

static void ours(double seconds)
{
	double end = now() + seconds;
	unsigned int i;

	client = connect_seen();
	at_first = vmalloc_used() - filters_bytes();
	do {
		for (i = 0; i < COMMANDS; i++)
			give(&commands[i], &tallies[i]);
	} while (now() < end);
	for (i = 0; i < COMMANDS; i++) {
		while (due(&tallies[i]) < commands[i].due &&
		       tallies[i].times < TIMES)
			give(&commands[i], &tallies[i]);
		report(commands[i].ours.what, commands[i].mib, &tallies[i]);
	}
	seen_close(client);
}

static void plain(char **watched)
{
	const struct command *command;
	unsigned int i;

	for (i = 0; i < COMMANDS; i++) {
		command = &commands[i];
		do {
			work_measure(command->plain, bytes_of(command),
				     &tallies[i]);
		} while (tallies[i].watched < number(watched[i]));
		report(command->plain->what, command->mib, &tallies[i]);
	}
}

static void usage(void)
{
	errno = 0;
	fatal("usage: commands FILE CPUS {alone | ours DIVISOR | plain DIVISOR} N...");
}

int main(int argc, char **argv)
{
	const char *what = argc > 4 ? argv[3] : "";

	if (argc < 5)
		usage();
	cpus = number(argv[2]);
	if (!cpus || cpus > METER_CPUS)
		fatal("CPUS");
	work_begin(meters_map(argv[1]), cpus);
	if (!strcmp(what, "alone") && argc == 5) {
		leave_alone(number(argv[4]));
		report("nothing", 0, &alone);
		return 0;
	}
	divisor = number(argv[4]);
	if (!divisor)
		fatal("DIVISOR");
	leave_alone(PACE);
	if (!strcmp(what, "ours") && argc == 6)
		ours(number(argv[5]));
	else if (!strcmp(what, "plain") && argc == 5 + COMMANDS)
		plain(argv + 5);
	else
		usage();
	return 0;
}
