/* SPDX-License-Identifier: GPL-2.0 */
/*
 * seenctl: the command line of seen.
 *
 *	main.c		objects and their commands
 *	option.c	options; version.c: option -V
 *	word.c		abbreviations and suggestions
 *	message.c	errors and notes
 *	overview.c	one screen about all objects; trouble.c: what is wrong with them
 *	batch.c		commands from a file
 *	complete.c	completion on the shell's command line: shell_line.c: its words,
 *			synopsis.c, syntax.c: which words may follow, live.c: names, offer.c: output
 *	args.c		words on the command line and their values
 *	text.c		text output; wrap.c: lines of 80 columns; grid.c: tables;
 *			color.c: colors; json.c: JSON output
 *	filter.c, key.c, allow.c, guard.c, feed.c, top.c, plan.c, monitor.c, save.c,
 *	restore.c, reset.c: one object each; exec.c: programs of the monitor;
 *	loss.c: errors of a restore that goes on
 *	advice.c	notes about a doubtful guard; device.c: bridges
 *	file.c		filters as files, without a kernel; file_key.c: their keys
 *	fleet.c		groups of seend: fleet_status.c: its status, fleet_show.c: output,
 *			fleet_ask.c: hosts that may have a key; secret_file.c: files with the
 *			secret of a filter
 *	content.c	keys of exact filters; diff.c: compare two exact filters
 *	exist.c		-exist: compare an existing object with the requested one
 *	transfer.c	export, import, merge and fold of filters
 *	keys.c		keys from words and lists; list.c: lines of a list,
 *			csv.c: rows, key_bulk.c: requests to the kernel, gather.c: batches
 *	explain.c	keys of captured packets
 *	dedup.c		repeated lines: columns.c: keys of lines, inputs.c: input files,
 *			line_filter.c: lines in blocks, dedup_judge.c: which lines pass,
 *			dedup_tell.c: statistics, scalable.c: growing filters,
 *			state.c: filters between runs, ledger.c: lines that passed,
 *			sorted.c: file offsets by hash, tally.c: counters,
 *			spool.c: temporary files, stream.c: data on standard output
 *	pcap*.c		repeated packets: capture*.c: captures, linktype.c: link types,
 *			pairs.c: originals of copies, timeline.c: clock of a capture,
 *			pack.c, unpack.c: compression
 *	condition.c	UDP ports and addresses of a guard
 *	*_show.c	output about filters, guards and plans; guard_ports.c: ports of a guard,
 *			finding.c: results of probes and frames that came again
 */
#ifndef SEENCTL_H
#define SEENCTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lib/libseen.h"
#include "json.h"

#define __printf(f, v) \
	__attribute__(( \
		__format__(__printf__, f, v)))
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof(*(array)))

/* Result of a command. The value is the exit status, except for NOT_SEEN and FAILED. */
enum {
	DONE,
	REFUSED,	/* by the kernel, or another failure */
	USAGE,
	NOT_SEEN,	/* key test: not all keys are seen; exit status 1, a batch continues */
	FAILED,		/* file: damaged, missing or full; exit status 3 */
};

/**
 * struct seenctl - state shared by all commands
 * @json: print JSON
 * @stats: print counters, too
 * @exist: adding an object that exists with the same parameters is no error
 * @oneline: print each object on one line
 * @color: print text with colors
 * @client: connection to the kernel, or NULL; set by connect_kernel()
 * @object: name of the object of the current command, or ""
 * @command: name of the current command, or ""
 * @batch: path of the file that commands are read from, or NULL
 * @line: number of the current line in @batch
 */
struct seenctl {
	bool json;
	bool stats;
	bool exist;
	bool oneline;
	bool color;
	struct seen_client *client;
	const char *object;
	const char *command;
	const char *batch;
	unsigned int line;
};

extern struct seenctl ctl;
struct seen_sizing;

/* The words that a command has not read yet. */
struct args {
	int argc;
	char **argv;
};

/**
 * struct command - a command of an object
 * @name: name of the command, which users may abbreviate
 * @run: runs the command; returns the exit status
 * @synopsis: usage text after the name
 * @list: the JSON output is an array
 * @gathers: gather() may join neighbouring batch lines with this command
 * @alone: runs if the user names no command
 * @one: accepts a single word, which may be a name, so that "help" is no request for help
 */
struct command {
	const char *name;
	int (*run)(struct args *args);
	const char *synopsis;
	bool list;
	bool gathers;
	bool alone;
	bool one;
};

/**
 * struct object - an object of the command line, such as filter
 * @name: name of the object, which users may abbreviate
 * @summary: one line for the list of objects
 * @command: its commands; a single command with the name "" is run by the object's name
 * @commands: number of commands
 * @help: help text below the list of commands
 */
struct object {
	const char *name;
	const char *summary;
	const struct command *command;
	size_t commands;
	const char *help;
};

extern const struct object filter_object;
extern const struct object key_object;
extern const struct object allow_object;
extern const struct object guard_object;
extern const struct object feed_object;
extern const struct object fleet_object;
extern const struct object top_object;
extern const struct object plan_object;
extern const struct object monitor_object;
extern const struct object save_object;
extern const struct object restore_object;
extern const struct object reset_object;
extern const struct object file_object;
extern const struct object dedup_object;
extern const struct object pcap_object;

/* main.c: object_at() - an object; NULL after the last one */
const struct object *object_at(size_t i);
/* Names for word_find(): of objects, and of the commands of the object @in */
const char *object_name(size_t i, const void *in);
const char *command_name(size_t i, const void *in);

/* run_command() - run a command line without options; returns the exit status */
int run_command(struct args *args);

/* gathers() - does this line have a command with command.gathers? */
bool gathers(const struct args *args);

/* gather.c: gather_end() - send the gathered keys; returns the exit status */
int gather_end(void);

/* run_batch() - run the command lines of a file; "-": of standard input */
int run_batch(const char *path);

/* connect_kernel() - open ctl.client; returns DONE, or REFUSED after an error message */
int connect_kernel(void);

/* message.c: print one line on standard error and return REFUSED or USAGE. */
int refused(const char *format, ...) __printf(1, 2);
int usage(const char *format, ...) __printf(1, 2);
/* no_memory() - REFUSED, with the text "not enough memory" */
int no_memory(void);
/* refused_object() - REFUSED; the text names its object, so the command is not printed */
int refused_object(const char *format, ...) __printf(1, 2);

/* from_kernel() - turn a result of libseen into an exit status; prints its error or note */
int from_kernel(int err);

/* message.c: remark() - print a note on standard output; not with -json or -oneline */
void remark(const char *format, ...) __printf(1, 2);

/* args.c */
const char *args_next(struct args *args);
int args_end(const struct args *args);

/* args_name() - read the name of a filter; @what: for errors; returns DONE or USAGE */
int args_name(struct args *args, const char *what, char *name);
/* args_all() - true if the next word is "all", which is consumed then */
bool args_all(struct args *args);

/**
 * struct param - a parameter of a command
 * @word: the word on the command line
 * @read: reads the value after the word; NULL: no value, and @into is a bool that is set
 * @into: variable that @read sets
 * @names: for read_word(): the possible values
 * @many: the parameter may be given more than once
 * @frozen: error text if the command does not accept this parameter, otherwise NULL
 * @least: for the readers of numbers: the smallest value
 * @checked: later code checks the range: a number that @into cannot hold becomes the largest
 *           value, which must be out of the range
 * @zero: for read_duration(): error text if the value is not above 0; NULL: later code
 *        checks that
 */
struct param {
	const char *word;
	int (*read)(const struct param *param, const char *value);
	void *into;
	const struct seen_names *names;
	bool many;
	const char *frozen;
	uint64_t least;
	bool checked;
	const char *zero;
};

/**
 * params_read() - read all remaining words as parameters
 * @args: the words
 * @params: the parameters that the command has, accepted in any order
 * @count: number of @params, at most 64
 * @given: out: bit i is set if params[i] was given; may be NULL
 *
 * Return: DONE or USAGE.
 */
int params_read(struct args *args, const struct param *params, size_t count,
		uint64_t *given);

/* value_missing() - print an error message: @word has no value after it; returns USAGE */
int value_missing(const char *word);

/* params_unknown() - print an error message: @word is not in @params; returns USAGE */
int params_unknown(const struct param *params, size_t count, const char *word);

/**
 * params_first() - separate the parameters of a command from its other words
 * @args: in: all words; out: the parameters, for params_read()
 * @params: the parameters that the command has. Each other word that begins with "-" is an
 *          unknown parameter, except "-" itself and numbers below 0
 * @count: number of @params
 * @rest: out: the other words, and all words after "--"
 *
 * Return: DONE or REFUSED.
 */
int params_first(struct args *args, const struct param *params, size_t count,
		 struct args *rest);

/*
 * parse_u32() - parse a decimal or hexadecimal number; returns false if @value is no number.
 * @into: out: the number, UINT32_MAX if it does not fit; @fits: out: 0 to UINT32_MAX
 */
bool parse_u32(const char *value, uint32_t *into, bool *fits);

int read_count(const struct param *param, const char *value);	/* uint64_t */
int read_size(const struct param *param, const char *value);	/* uint64_t */
/*
 * read_duration() - uint64_t, in ns; 0 unless above 0, if @param->zero is NULL. Later code checks
 * the range: INT64_MAX if above it.
 */
int read_duration(const struct param *param, const char *value);
/* For param.zero of a window that is optional. */
extern const char window_zero[];
/* read_rate() - uint64_t; later code checks the range: UINT64_MAX if out of 1e-12 to 1 */
int read_rate(const struct param *param, const char *value);
int read_u32(const struct param *param, const char *value);
int read_s32(const struct param *param, const char *value);
int read_word(const struct param *param, const char *value);	/* uint32_t */
int read_name(const struct param *param, const char *value);	/* name of a filter */
int read_dev(const struct param *param, const char *value);	/* name of a device */

/* condition.c: lists separated by commas */
int read_ports(const struct param *param, const char *value);	/* struct seen_guard_config */
int read_prefixes(const struct param *param, const char *value);

/* text.c; @text has TEXT_LEN bytes and is returned */
#define TEXT_LEN	64
const char *text_exact(char *text, uint64_t ns);	/* without loss, for parameters */
const char *text_about(char *text, uint64_t ns);	/* three digits, for measurements */
const char *text_count(char *text, uint64_t count);	/* three digits, if above 9999 */
const char *text_bytes(char *text, uint64_t bytes);
const char *text_mac(char *text, const uint8_t *mac);
double real_rate(uint64_t fpp);

/* Print a word and its value; put_flag() prints the word alone, if @flag is set. */
void put(const char *word, const char *format, ...)
	__printf(2, 3);
void put_number(const char *word, uint64_t number);
void put_flag(const char *word, bool flag);
/* next_line() - print a line break within an object; with -oneline a backslash instead */
void next_line(void);

/* keys.c: run_keys() - read keys and send them with @cmd; returns the exit status */
int run_keys(enum seen_cmd cmd, struct args *args);
/* key.c: learn_filter() - connect and get a filter's info; returns the exit status */
int learn_filter(const char *filter, struct seen_filter_info *info);
/* learn_spec() - connect and get a filter's key specification; returns the exit status */
int learn_spec(const char *filter, struct seen_key_spec *spec);
/* content.c */
int key_show(struct args *args);
/* explain.c */
int key_explain(struct args *args);

/*
 * exist.c: compare an existing filter or guard with the requested one. Return: DONE if
 * they are equal, otherwise REFUSED after an error message that names the difference.
 */
int exist_filter(const struct seen_filter_config *want);
int exist_guard(const struct seen_guard_config *want);

/* guard.c: guard_is() - do both identify the same guard? */
bool guard_is(const struct seen_guard_id *a, const struct seen_guard_id *b);

/* message.c: advise() - print a note on standard error */
void advise(const char *format, ...) __printf(1, 2);
/* advice.c: advise_guard() - print notes about parameters of a guard that look like mistakes */
void advise_guard(const struct seen_guard_info *guard);
/*
 * advise_made() - print notes about packets that bypass a new guard; advise_drops() - print notes
 * about a guard that begins to drop. Commands of a batch print a note for every guard only once.
 */
void advise_made(const struct seen_guard_info *guard);
void advise_drops(void);

/* main.c: enter_netns() - enter the namespace /run/netns/NAME; returns the exit status */
int enter_netns(const char *name);

/*
 * restore.c: true if a restore without --replace is running and the filter or guard
 * existed when it began, so that it must not change. restore_keeps_filter() prints a note
 * once per filter.
 */
bool restore_keeps_filter(const char *name);
bool restore_keeps_guard(const struct seen_guard_id *id);
/* restore_runs() - true: the command is one of a restore */
bool restore_runs(void);
/* restore.c: count the guards that were added paused and not resumed */
void restore_paused(void);
void restore_resumed(void);

/* transfer.c: commands of "seenctl filter" */
int filter_export(struct args *args);
int filter_import(struct args *args);
int filter_merge(struct args *args);
int filter_fold(struct args *args);
/* diff.c */
int filter_diff(struct args *args);

/* filter_add.c */
int filter_add(struct args *args);
/*
 * filter_add.c: filter_read() - read the parameters of a new filter, without its name.
 * @chosen: the caller zeroes it; out: the type that was chosen, if the user gave none
 */
int filter_read(struct args *args, struct seen_filter_config *config,
		struct seen_sizing *chosen);
/* filter_tell_choice() - print the chosen type; nothing if the user gave the type, or in JSON */
void filter_tell_choice(const struct seen_sizing *chosen);

/* filter_add.c: read_secret() - read 32 hex digits into uint8_t[SEEN_SECRET_LEN] */
int read_secret(const struct param *param, const char *value);

/* filter.c: set_allow_map() - @map: "none" removes the allow map; needs a connection */
int set_allow_map(const char *filter, const char *map);

/* filter_show.c */
/* filter_rate() - false-positive rate with the present number of keys */
double filter_rate(const struct seen_filter_info *info);
void filter_tell(const struct seen_filter_info *info);

/* guard_show.c */
void guard_tell(const struct seen_guard_info *guard);
void conditions_text(const struct seen_guard_config *config);
void conditions_json(const struct seen_guard_config *config);

/* finding.c: the texts continue a line of wrap.h */
void dup_json(const char *key, const struct seen_dup_info *dup);
void finding_text(const struct seen_finding_info *finding);
void finding_json(const char *key, const struct seen_finding_info *finding);
void dup_text(const struct seen_dup_info *dup);

/* Userspace must not use the kernel's type names. */
#pragma GCC poison u8 u16 u32 u64 s8 s16 s32 s64

#endif
