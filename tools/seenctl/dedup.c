// SPDX-License-Identifier: GPL-2.0
/*
 * dedup: lines that came before are dropped, without sorting and in a memory that
 * does not depend on their length.
 *
 * Direction of error: a false positive drops a line that was unique. The rate is
 * low unless asked for otherwise, and how many lines that may have cost is told at
 * the end. Whatever cannot be judged passes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/memory.h"
#include "chain.h"
#include "columns.h"
#include "progress.h"
#include "seenctl.h"
#include "strain.h"
#include "stream.h"
#include "timeline.h"

#define FPP_DEFAULT	(SEEN_FPP_ONE / 1000000)
/* Where nothing tells how many lines there will be. */
#define CAPACITY_DEFAULT	1000000
/* A file is sampled at so many places, so many bytes each. */
#define SAMPLES		64
#define SAMPLE_BYTES	16384

/**
 * struct dedup - a run
 * @strain: the lines
 * @chain: what was seen
 * @columns: the key
 * @time: column of the time, 0: when they arrive
 * @timeline: of such times
 * @arena: room for the keys of one group of lines, @room bytes
 * @progress: on the terminal
 * @quiet: no statistics
 * @dropped: lines
 * @keyless: lines that passed since they have no key
 * @untimed: lines without a time, judged at that of the line before
 */
struct dedup {
	struct strain strain;
	struct chain chain;
	struct columns columns;
	uint32_t time;
	struct timeline timeline;
	char *arena;
	size_t room;
	struct progress progress;
	bool quiet;
	uint64_t dropped;
	uint64_t keyless;
	uint64_t untimed;
};

/* Lines of one time that have a key. */
struct group {
	const void *key[SEEN_LOCAL_BATCH];
	size_t len[SEEN_LOCAL_BATCH];
	bool *drop[SEEN_LOCAL_BATCH];
	size_t count;
};

static void ask(struct dedup *dedup, struct group *group)
{
	bool seen[SEEN_LOCAL_BATCH];

	chain_ask(&dedup->chain, group->key, group->len, group->count, seen);
	for (size_t i = 0; i < group->count; i++) {
		*group->drop[i] = seen[i];
		dedup->dropped += seen[i];
	}
	group->count = 0;
}

/* Seconds, with a fraction or without. */
static bool read_time(const char *text, size_t len, uint64_t *ns)
{
	uint64_t unit = 1000000000;
	bool fraction = false;

	*ns = 0;
	for (size_t i = 0; i < len; i++) {
		unsigned int digit = text[i] - '0';

		if (text[i] == '.' && !fraction && i) {
			fraction = true;
			continue;
		}
		if (digit > 9 || (!fraction && *ns > INT64_MAX / 20))
			return false;
		if (fraction)
			unit /= 10;
		else
			*ns *= 10;
		*ns += digit * unit;
	}
	return len;
}

/* What comes late is judged as if it were of now. */
static int follow_time(struct dedup *dedup, const struct strain_line *line,
		       struct group *group)
{
	size_t len = line->len;
	const char *text;
	uint64_t ns;
	bool moved;
	int status;

	text = columns_get(&dedup->columns, dedup->time, line->text, &len);
	if (!text || !read_time(text, len, &ns)) {
		dedup->untimed++;
		return DONE;
	}
	status = timeline_step(&dedup->timeline, ns, &moved);
	if (status || !moved)
		return status;
	ask(dedup, group);
	seen_local_clock(dedup->timeline.clock);
	return DONE;
}

/*
 * Room for keys that consist of several columns: none is longer than its line. A key
 * of no bytes has a place, too.
 */
static int make_room(struct dedup *dedup, const struct strain_line *line,
		     size_t count)
{
	size_t sum = 1;
	char *arena;

	for (size_t i = 0; i < count; i++)
		sum += line[i].len;
	if (!dedup->columns.key || sum <= dedup->room)
		return DONE;
	arena = realloc(dedup->arena, sum);
	if (!arena)
		return refused("no memory for keys of %zu bytes", sum);
	dedup->arena = arena;
	dedup->room = sum;
	return DONE;
}

static int judge(const struct strain_line *line, size_t count, bool *drop,
		 void *context)
{
	struct dedup *dedup = context;
	struct group group = {};
	int status = make_room(dedup, line, count);
	char *to = dedup->arena;

	for (size_t i = 0; i < count && !status; i++) {
		size_t len = line[i].len;
		const char *key;

		if (dedup->time)
			status = follow_time(dedup, &line[i], &group);
		drop[i] = false;
		key = columns_key(&dedup->columns, line[i].text, &len, to);
		if (!key) {
			dedup->keyless++;
			continue;
		}
		if (key == to)
			to += len;
		group.key[group.count] = key;
		group.len[group.count] = len;
		group.drop[group.count++] = &drop[i];
	}
	if (!status)
		ask(dedup, &group);
	return status;
}

static void step(const struct strain *strain, void *context)
{
	struct dedup *dedup = context;

	progress_step(&dedup->progress, strain->bytes, strain->lines);
}

/* How many lines a file has, as far as samples tell; 0: it is no file. */
static uint64_t estimate(int fd, char terminator)
{
	uint64_t left = stream_left(fd), read = 0, ends = 0;
	off_t start = lseek(fd, 0, SEEK_CUR);
	char bytes[SAMPLE_BYTES];

	for (unsigned int i = 0; i < SAMPLES && left; i++) {
		uint64_t skip = left > SAMPLES * SAMPLE_BYTES ?
				left / SAMPLES : SAMPLE_BYTES;
		ssize_t got = pread(fd, bytes, sizeof(bytes), start + i * skip);

		for (ssize_t at = 0; at < got; at++)
			ends += bytes[at] == terminator;
		read += got > 0 ? got : 0;
	}
	/* Samples are not exact: a bit more. */
	return read ? 1000 + 1.05 * left * ends / read : 0;
}

/* Half of the machine's, but no more than there is now. */
static uint64_t default_memory(void)
{
	uint64_t half = (uint64_t)sysconf(_SC_PHYS_PAGES) *
			sysconf(_SC_PAGESIZE) / 2;
	uint64_t room = seen_memory_free("");

	return half < room ? half : room;
}

/* What is not said of the capacity: by the input, or the memory. */
static void choose_capacity(struct dedup *dedup, bool memory_given)
{
	struct chain *chain = &dedup->chain;
	uint64_t room;

	if (!chain->memory)
		chain->memory = default_memory();
	if (chain->capacity)
		return;
	room = chain_room(chain, chain->memory);
	chain->capacity = estimate(dedup->strain.in, dedup->strain.terminator);
	if (!chain->capacity)
		chain->capacity = memory_given ? room : CAPACITY_DEFAULT;
	if (chain->capacity > room)
		chain->capacity = room;
}

static double expected_lost(const struct dedup *dedup)
{
	/* With a window: at most. */
	if (dedup->chain.window)
		return real_rate(dedup->chain.fpp) *
		       (dedup->strain.lines - dedup->dropped);
	return chain_lost(&dedup->chain);
}

/* What is told at the end, beside what is in @dedup. */
struct figures {
	double seconds;
	double lost;
	double fill;
	uint64_t kept;
};

static void tell_text(const struct dedup *dedup, const struct figures *figures)
{
	const struct chain *chain = &dedup->chain;
	const struct strain *strain = &dedup->strain;
	char text[TEXT_LEN];

	printf("lines %ju unique %ju dropped %ju", strain->lines,
	       strain->lines - dedup->dropped, dedup->dropped);
	put("expected-lost", "%.3g", figures->lost);
	if (dedup->keyless)
		put_number("keyless", dedup->keyless);
	if (dedup->untimed)
		put_number("untimed", dedup->untimed);
	if (dedup->timeline.earlier)
		put_number("earlier", dedup->timeline.earlier);
	if (dedup->timeline.restarts)
		put_number("restarts", dedup->timeline.restarts);
	if (chain->unstored)
		put_number("unstored", chain->unstored);
	printf("\n    filters %u capacity %ju bytes %s fill %.1f%%",
	       chain->links, chain_capacity(chain),
	       text_bytes(text, chain->bytes), 100 * figures->fill);
	if (chain->window)
		put("window-kept", "%s", text_about(text, figures->kept));
	put("seconds", "%.2f", figures->seconds);
	put("lines-a-second", "%.0f", strain->lines / figures->seconds);
	putchar('\n');
}

static void tell_json(const struct dedup *dedup, const struct figures *figures)
{
	const struct chain *chain = &dedup->chain;

	json_open(NULL, '{');
	json_number("lines", dedup->strain.lines);
	json_number("unique", dedup->strain.lines - dedup->dropped);
	json_number("dropped", dedup->dropped);
	json_real("expected-lost", figures->lost);
	json_number("keyless", dedup->keyless);
	json_number("untimed", dedup->untimed);
	json_number("earlier", dedup->timeline.earlier);
	json_number("restarts", dedup->timeline.restarts);
	json_number("unstored", chain->unstored);
	json_number("filters", chain->links);
	json_number("capacity", chain_capacity(chain));
	json_number("bytes", chain->bytes);
	json_real("fill", figures->fill);
	if (chain->window)
		json_number("window-kept", figures->kept);
	json_real("seconds", figures->seconds);
	json_real("lines-a-second", dedup->strain.lines / figures->seconds);
	json_close();
}

/* Repeats that passed for lack of memory are a failure. */
static int tell(const struct dedup *dedup, double seconds)
{
	struct figures figures = {
		.seconds = seconds, .lost = expected_lost(dedup),
	};

	chain_look(&dedup->chain, &figures.fill, &figures.kept);
	if (ctl.json)
		tell_json(dedup, &figures);
	else if (!dedup->quiet)
		tell_text(dedup, &figures);
	if (!dedup->chain.unstored)
		return DONE;
	return refused("no memory for %ju unique lines; repeats of them passed",
		       dedup->chain.unstored);
}

static int run(struct dedup *dedup, bool memory_given)
{
	double start = stream_now();
	int status;

	dedup->timeline.window = dedup->chain.window;
	if (dedup->time)
		seen_local_clock(0);
	choose_capacity(dedup, memory_given);
	status = chain_start(&dedup->chain);
	if (status)
		return status;
	progress_start(&dedup->progress, dedup->strain.in);
	dedup->progress.noun = "lines";
	status = strain_run(&dedup->strain);
	progress_end(&dedup->progress);
	if (!status)
		status = tell(dedup, stream_now() - start);
	chain_end(&dedup->chain);
	free(dedup->arena);
	return status;
}

static int read_columns(const struct param *param, const char *value)
{
	if (columns_parse(param->into, value))
		return DONE;
	return usage("%s: %s names no columns from 1 to %d (2; 1,3; 2-4; 3-)",
		     param->word, value, COLUMNS_MAX);
}

static int read_byte(const struct param *param, const char *value)
{
	if (!strcmp(value, "\\t"))
		value = "\t";
	if (!value[0] || value[1])
		return usage("%s: %s is not one byte", param->word, value);
	*(int *)param->into = (unsigned char)*value;
	return DONE;
}

enum {
	DEDUP_KEY, DEDUP_DELIMITER, DEDUP_FPP, DEDUP_CAPACITY, DEDUP_MEMORY,
	DEDUP_WINDOW, DEDUP_TIME, DEDUP_NUL, DEDUP_QUIET,
};

static int check(const struct dedup *dedup, uint64_t given)
{
	if (given & 1 << DEDUP_TIME && !(given & 1 << DEDUP_WINDOW))
		return usage("--time: has no meaning without --window");
	if (given & 1 << DEDUP_TIME &&
	    (!dedup->time || dedup->time > COLUMNS_MAX))
		return usage("--time: a column from 1 to %d", COLUMNS_MAX);
	if (given & 1 << DEDUP_DELIMITER &&
	    !(given & (1 << DEDUP_KEY | 1 << DEDUP_TIME)))
		return usage("--delimiter: has no meaning without --key or --time");
	if (given & 1 << DEDUP_CAPACITY && !dedup->chain.capacity)
		return usage("--capacity: at least 1");
	if (isatty(STDIN_FILENO))
		return usage("where are the lines? seenctl dedup < FILE");
	return DONE;
}

static int dedup(struct args *args)
{
	struct dedup dedup = {
		.strain = { .judge = judge, .step = step,
			    .context = &dedup },
		.chain.fpp = FPP_DEFAULT,
		.columns.delimiter = -1,
	};
	bool nul = false;
	const struct param params[] = {
		[DEDUP_KEY] = { "--key", read_columns, &dedup.columns.key },
		[DEDUP_DELIMITER] = { "--delimiter", read_byte,
				      &dedup.columns.delimiter },
		[DEDUP_FPP] = { "--fpp", read_rate, &dedup.chain.fpp },
		[DEDUP_CAPACITY] = { "--capacity", read_count,
				     &dedup.chain.capacity },
		[DEDUP_MEMORY] = { "--memory", read_count,
				   &dedup.chain.memory },
		[DEDUP_WINDOW] = { "--window", read_duration,
				   &dedup.chain.window },
		[DEDUP_TIME] = { "--time", read_u32, &dedup.time },
		[DEDUP_NUL] = { "-0", NULL, &nul },
		[DEDUP_QUIET] = { "--quiet", NULL, &dedup.quiet },
	};
	uint64_t given;
	int status;

	status = params_read(args, params, ARRAY_SIZE(params), &given);
	if (!status)
		status = check(&dedup, given);
	if (status)
		return status;
	dedup.strain.in = STDIN_FILENO;
	dedup.strain.terminator = nul ? '\0' : '\n';
	dedup.strain.out = stream_out();
	if (dedup.strain.out < 0)
		return USAGE;
	return run(&dedup, given & 1 << DEDUP_MEMORY);
}

static const struct command commands[] = {
	{ "", dedup,
	  "[--key COLUMNS] [--delimiter C] [--fpp P] [--window W [--time COLUMN]]\n"
	  "             [--capacity N] [--memory BYTES] [-0] [--quiet] < LINES > UNIQUE" },
};

const struct object dedup_object = {
	.name = "dedup",
	.summary = "lines that came before are dropped: uniq without sort",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"First occurrences pass in their order. The key is the whole line, or COLUMNS of it\n"
	"as cut has them (2; 1,3; 2-4; 3-), between white space or single bytes C; a line\n"
	"that has none of them passes.\n"
	"A new line is taken for a repeat, and lost, with a probability of at most P, 1e-6\n"
	"unless given; the statistics tell how many lines that may have been.\n"
	"Room is taken for N lines, or as many as a file seems to have; else it grows, up\n"
	"to BYTES (half of the memory). When memory ends, new lines pass, and so do their\n"
	"repeats: an error says how many, and the exit status is 1.\n"
	"With a window a line is a repeat for W after it passed, by the clock or by a column\n"
	"of seconds; if that goes back by more than W, all before it is forgotten (restarts).\n"
	"-0: lines end with a NUL.\n",
};
