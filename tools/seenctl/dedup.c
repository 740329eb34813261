// SPDX-License-Identifier: GPL-2.0
/* The command dedup; see dedup.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/memory.h"
#include "dedup.h"
#include "stream.h"

#define FPP_DEFAULT	(SEEN_FPP_ONE / 1000000)
/* Capacity, in lines, if the number of lines cannot be estimated. */
#define CAPACITY_DEFAULT	1000000
/* Not /tmp, which is often in memory. */
#define TEMP_DEFAULT	"/var/tmp"

static void step(const struct line_filter *line_filter, void *context)
{
	struct dedup *dedup = context;

	progress_step(&dedup->progress, line_filter->bytes, line_filter->lines);
}

/* Half of the machine's memory, but not more than is available now. */
static void choose_memory(struct scalable *scalable)
{
	uint64_t half = (uint64_t)sysconf(_SC_PHYS_PAGES) *
			sysconf(_SC_PAGESIZE) / 2;
	uint64_t room = seen_memory_free("");

	scalable->limit = half < room ? SCALABLE_HALF : SCALABLE_AVAILABLE;
	scalable->memory = half < room ? half : room;
}

/* Without --capacity, estimate it from the input, or derive it from the memory. */
static void choose_capacity(struct dedup *dedup, bool memory_given)
{
	struct scalable *scalable = &dedup->scalable;
	uint64_t room;

	if (scalable->capacity)
		return;
	room = scalable_room(scalable, scalable->memory);
	scalable->capacity = inputs_lines(&dedup->line_filter.inputs,
					  dedup->line_filter.terminator);
	if (!scalable->capacity)
		scalable->capacity = memory_given ? room : CAPACITY_DEFAULT;
	if (scalable->capacity > room)
		scalable->capacity = room;
}

/* Load the filters of an earlier run, or create a new filter. */
static int start_scalable(struct dedup *dedup, bool memory_given)
{
	struct scalable *scalable = &dedup->scalable;
	int status;

	scalable->limit = SCALABLE_GIVEN;
	if (!scalable->memory)
		choose_memory(scalable);
	status = state_open(&dedup->state, scalable);
	if (status || scalable->parts)
		return status;
	choose_capacity(dedup, memory_given);
	return scalable_start(scalable);
}

static int start_ledger(struct dedup *dedup)
{
	int err;

	if (!dedup->exact && !dedup_at_end(dedup))
		return DONE;
	if (!dedup->temp)
		dedup->temp = getenv("TMPDIR");
	if (!dedup->temp || !*dedup->temp)
		dedup->temp = TEMP_DEFAULT;
	dedup->scalable.suspect = true;
	err = ledger_open(&dedup->ledger, dedup->temp, dedup_at_end(dedup));
	return err ? refused("%s: %s", dedup->temp, strerror(-err)) : DONE;
}

static int print_ledger(struct dedup *dedup)
{
	const struct ledger_print how = {
		.out = dedup->line_filter.out,
		.terminator = dedup->line_filter.terminator,
		.least = dedup->repeated ? 2 : 1,
		.counts = dedup->counts,
	};

	if (!dedup_at_end(dedup))
		return DONE;
	return ledger_print(dedup->ledger, &how, &dedup->printed);
}

/*
 * The state records that lines have passed, so the lines must be on the disk first. A
 * pipe or terminal cannot be synced; its reader is responsible for the data.
 */
static int save_state(struct dedup *dedup)
{
	if (!dedup->state.path)
		return DONE;
	if (fsync(dedup->line_filter.out) && errno != EINVAL && errno != EROFS)
		return refused("standard output: %s", strerror(errno));
	return state_save(&dedup->state, &dedup->scalable);
}

static int pass_lines(struct dedup *dedup)
{
	int status;

	progress_start(&dedup->progress, -1);
	dedup->progress.total = inputs_bytes(&dedup->line_filter.inputs);
	dedup->progress.noun = "lines";
	status = line_filter_run(&dedup->line_filter);
	progress_end(&dedup->progress);
	if (!status)
		status = print_ledger(dedup);
	return status ? status : save_state(dedup);
}

static int run(struct dedup *dedup, bool memory_given)
{
	double start = stream_now();
	int status;

	dedup->timeline.window = dedup->scalable.window;
	if (dedup->time)
		seen_local_clock(0);
	status = start_scalable(dedup, memory_given);
	if (!status)
		status = start_ledger(dedup);
	if (!status)
		status = pass_lines(dedup);
	if (!status)
		status = dedup_tell(dedup, stream_now() - start);
	scalable_end(&dedup->scalable);
	ledger_close(dedup->ledger);
	state_close(&dedup->state);
	free(dedup->arena);
	return status;
}

static int read_columns(const struct param *param, const char *value)
{
	if (columns_parse(param->into, value))
		return DONE;
	return usage("%s: %s is not a list of columns from 1 to %d (2; 1,3; 2-4; 3-)",
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

static int read_text(const struct param *param, const char *value)
{
	if (!*value)
		return usage("%s: must not be empty", param->word);
	*(const char **)param->into = value;
	return DONE;
}

enum {
	DEDUP_KEY, DEDUP_DELIMITER, DEDUP_FPP, DEDUP_CAPACITY, DEDUP_MEMORY,
	DEDUP_WINDOW, DEDUP_TIME, DEDUP_NUL, DEDUP_QUIET, DEDUP_EXACT,
	DEDUP_COUNT, DEDUP_REPEATED, DEDUP_TEMP, DEDUP_STATE,
};

/* The ledger stores no times; the state file stores neither times nor lines. */
static int check_pairs(uint64_t given)
{
	bool ledger = given & (1 << DEDUP_EXACT | 1 << DEDUP_COUNT |
			       1 << DEDUP_REPEATED);

	if (given & 1 << DEDUP_TEMP && !ledger)
		return usage("--temp: requires --exact, --count or --repeated");
	if (given & 1 << DEDUP_WINDOW && ledger)
		return usage("--exact, --count and --repeated exclude --window");
	if (given & 1 << DEDUP_STATE && ledger)
		return usage("--exact, --count and --repeated exclude --state");
	if (given & 1 << DEDUP_STATE && given & 1 << DEDUP_WINDOW)
		return usage("--state and --window exclude each other");
	return DONE;
}

static int check(const struct dedup *dedup, uint64_t given)
{
	if (given & 1 << DEDUP_TIME && !(given & 1 << DEDUP_WINDOW))
		return usage("--time: requires --window");
	if (given & 1 << DEDUP_TIME &&
	    (!dedup->time || dedup->time > COLUMNS_MAX))
		return usage("--time: must be 1 to %d", COLUMNS_MAX);
	if (given & 1 << DEDUP_DELIMITER &&
	    !(given & (1 << DEDUP_KEY | 1 << DEDUP_TIME)))
		return usage("--delimiter: requires --key or --time");
	if (given & 1 << DEDUP_CAPACITY && !dedup->scalable.capacity)
		return usage("--%s", seen_capacity_text);
	/* Half of the rate is for the first filter, so planning does not find this. */
	if (dedup->scalable.fpp > SEEN_FPP_ONE / 2)
		return usage("--%s", seen_fpp_text);
	return check_pairs(given);
}

/* Without a FILE, read standard input. */
static int take_inputs(struct inputs *inputs, const struct args *files)
{
	static const char *const standard = "-";

	*inputs = (struct inputs) { .path = &standard, .count = 1, .fd = -1 };
	if (files->argc) {
		inputs->path = (const char *const *)files->argv;
		inputs->count = files->argc;
	} else if (isatty(STDIN_FILENO)) {
		return usage("FILE: required if standard input is a terminal");
	}
	return inputs_check(inputs);
}

static int dedup(struct args *args)
{
	struct dedup dedup = {
		.line_filter = { .judge = dedup_judge, .step = step,
				 .context = &dedup },
		.scalable.fpp = FPP_DEFAULT,
		.columns.delimiter = -1,
		.state = { .columns = &dedup.columns, .fd = -1 },
	};
	bool nul = false;
	const struct param params[] = {
		[DEDUP_KEY] = { "--key", read_columns, &dedup.columns.key },
		[DEDUP_DELIMITER] = { "--delimiter", read_byte,
				      &dedup.columns.delimiter },
		[DEDUP_FPP] = { "--fpp", read_rate, &dedup.scalable.fpp },
		[DEDUP_CAPACITY] = { "--capacity", read_count,
				     &dedup.scalable.capacity, .checked = true },
		[DEDUP_MEMORY] = { "--memory", read_count,
				   &dedup.scalable.memory },
		[DEDUP_WINDOW] = { "--window", read_duration,
				   &dedup.scalable.window, .zero = window_zero },
		[DEDUP_TIME] = { "--time", read_u32, &dedup.time,
				 .checked = true },
		[DEDUP_NUL] = { "-0", NULL, &nul },
		[DEDUP_QUIET] = { "--quiet", NULL, &dedup.quiet },
		[DEDUP_EXACT] = { "--exact", NULL, &dedup.exact },
		[DEDUP_COUNT] = { "--count", NULL, &dedup.counts },
		[DEDUP_REPEATED] = { "--repeated", NULL, &dedup.repeated },
		[DEDUP_TEMP] = { "--temp", read_text, &dedup.temp },
		[DEDUP_STATE] = { "--state", read_text, &dedup.state.path },
	};
	struct args files;
	uint64_t given;
	int status;

	status = params_first(args, params, ARRAY_SIZE(params), &files);
	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), &given);
	if (!status)
		status = check(&dedup, given);
	if (!status)
		status = take_inputs(&dedup.line_filter.inputs, &files);
	if (status)
		return status;
	dedup.line_filter.terminator = nul ? '\0' : '\n';
	dedup.state.terminator = dedup.line_filter.terminator;
	dedup.line_filter.out = stream_out();
	if (dedup.line_filter.out < 0)
		return USAGE;
	return run(&dedup, given & 1 << DEDUP_MEMORY);
}

static const struct command commands[] = {
	{ "", dedup,
	  "[--key COLUMNS] [--delimiter C] [--fpp P] [--window W [--time COLUMN]]\n"
	  "             [--capacity N] [--memory BYTES] [--exact] [--count] [--repeated]\n"
	  "             [--temp DIR] [--state FILE] [-0] [--quiet] [FILE]... > UNIQUE" },
};

const struct object dedup_object = {
	.name = "dedup",
	.summary = "drop repeated lines: uniq without sort",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"First occurrences pass in their order. The key is the whole line, or COLUMNS of\n"
	"it, as for cut (2; 1,3; 2-4; 3-), separated by white space or by the single byte\n"
	"C. A line that has no column of the key passes.\n"
	"Files are read one after the other. Without FILE, or for -, standard input is\n"
	"read. A last line without a line end equals the same line with LF or CR LF.\n"
	"A new line is taken for a repeat, and lost, with a probability of at most P,\n"
	"1e-6 unless given. The statistics report how many lines were probably lost. They\n"
	"are printed if standard error is a terminal, with seenctl -s, and in JSON with\n"
	"-j. Otherwise one note is printed if lines were dropped and at least half a line\n"
	"is expected to be lost. --quiet suppresses text statistics and the note.\n"
	"  --exact       loses no line: each line that seems to be a repeat is compared\n"
	"                with the earlier line before it is dropped\n"
	"  --count       prints each line once, at the end, after the number of its\n"
	"                occurrences, as uniq -c does; exact\n"
	"  --repeated    prints each line that occurred more than once, once, at the end;\n"
	"                exact\n"
	"  --temp DIR    folder for the temporary files of these three options, which\n"
	"                hold the lines that passed; $TMPDIR or /var/tmp unless given\n"
	"  --state FILE  keeps the filters: the next run drops the lines that earlier\n"
	"                runs passed. FILE is replaced at the end of a run; if the run\n"
	"                ends early, its lines pass again in the next run. All runs need\n"
	"                the same --key, --delimiter, --fpp and -0\n"
	"At first there is room for N lines, or for as many lines as the files seem to\n"
	"have. The filters grow when they are full, up to BYTES (half of the memory\n"
	"unless given). When memory is full, new lines pass, and so do their repeats: an\n"
	"error reports how many, and the exit status is 1. With --exact, --count and\n"
	"--repeated all later lines are compared instead.\n"
	"With a window a line is a repeat for W after it passed, and for at most W/20\n"
	"longer. The time is that of the clock, or with --time that of a column with\n"
	"seconds. A line without a time has the time of the previous line (counted as\n"
	"untimed). If time goes back by more than W, all earlier lines are forgotten\n"
	"(counted as restarts).\n"
	"-0: lines end with a NUL.\n",
};
