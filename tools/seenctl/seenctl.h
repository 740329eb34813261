/* SPDX-License-Identifier: GPL-2.0 */
/*
 * seenctl: the command line of seen.
 *
 *	main.c		objects and their commands
 *	option.c	options; version.c: -V
 *	word.c		abbreviations and suggestions
 *	message.c	errors and notes
 *	batch.c		commands from a file
 *	args.c		words on the command line and their values
 *	text.c		values for people, color.c: and colors; json.c: for programs
 *	filter.c, key.c, allow.c, guard.c, top.c, plan.c, monitor.c, save.c,
 *	restore.c, reset.c: an object each
 *	advice.c	what was probably meant; device.c: bridges
 *	file.c		filters as files, without a kernel; file_key.c: their keys
 *	content.c	what exact filters hold; diff.c: two of them
 *	exist.c		is what is there as it shall be?
 *	transfer.c	filters to and from files, and to each other
 *	keys.c		keys from words and lists; list.c: what a line means,
 *			csv.c: rows, key_bulk.c: requests to the kernel, gather.c: batches
 *	explain.c	keys of captured packets
 *	dedup.c, pcap*.c lines and packets that came before; scalable.c: a set that grows,
 *			columns.c: a line's key, line_filter.c: lines in blocks,
 *			inputs.c: the files that they come from, dedup_judge.c: which
 *			of them pass, dedup_tell.c: statistics, ledger.c: lines that
 *			passed, sorted.c: places by hash, tally.c: counters,
 *			spool.c: temporary files,
 *			state.c: filters from one run to the next,
 *			stream.c: data on standard output, pairs.c: what is a copy of what
 *	capture*.c	captures, linktype.c: their link types; pack.c, unpack.c: gzip and such
 *	condition.c	a guard's UDP ports and addresses
 *	*_show.c	how filters, guards and plans are told
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

/* How a command ends: the exit status, but that NOT_SEEN is told as REFUSED. */
enum {
	DONE,
	REFUSED,	/* by the kernel */
	USAGE,
	NOT_SEEN,	/* key test: not all are; a batch goes on */
	FAILED,		/* file: damaged, missing or full; told as 3 */
};

/**
 * struct seenctl - what all commands share
 * @json: answer in JSON
 * @stats: tell counters too
 * @exist: what is there, and as it shall be, is no error
 * @oneline: an object a line
 * @color: text has colors
 * @client: to the kernel, from connect_kernel() on
 * @object: name of the object that the command is about
 * @command: name of the command, or ""
 * @batch: file that commands come from, or NULL
 * @line: there
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

/* The words that a command has still to read. */
struct args {
	int argc;
	char **argv;
};

/**
 * struct command - something to do with an object
 * @name: of it; may be abbreviated
 * @run: does it; returns the exit status
 * @synopsis: what follows the name
 * @list: what it tells in JSON stands in an array
 * @gathers: neighbouring lines of a batch may be done together, by gather()
 * @alone: done where no command is named
 */
struct command {
	const char *name;
	int (*run)(struct args *args);
	const char *synopsis;
	bool list;
	bool gathers;
	bool alone;
};

/**
 * struct object - what commands are about
 * @name: of it; may be abbreviated
 * @summary: a line for the list of objects
 * @command: its commands; one without a name: the object itself is one
 * @commands: how many
 * @help: what stands below the list of commands
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
extern const struct object top_object;
extern const struct object plan_object;
extern const struct object monitor_object;
extern const struct object save_object;
extern const struct object restore_object;
extern const struct object reset_object;
extern const struct object file_object;
extern const struct object dedup_object;
extern const struct object pcap_object;

/* run_command() - one command line without options; returns the exit status */
int run_command(struct args *args);

/* gathers() - is this the line of a command that gathers? */
bool gathers(const struct args *args);

/* gather.c: gather_end() - do what waits; returns the exit status */
int gather_end(void);

/* run_batch() - the command lines of a file, "-": of standard input */
int run_batch(const char *path);

/* connect_kernel() - DONE, with ctl.client ready, or REFUSED and said so */
int connect_kernel(void);

/* message.c: one line on standard error; they return REFUSED and USAGE. */
int refused(const char *format, ...) __printf(1, 2);
int usage(const char *format, ...) __printf(1, 2);
/* no_memory() - the same where memory was refused */
int no_memory(void);
/* refused_object() - the text names its object, so the command is not named */
int refused_object(const char *format, ...) __printf(1, 2);

/* from_kernel() - the exit status for an answer of libseen, said if not 0 */
int from_kernel(int err);

/* message.c: remark() - a line for people that is neither an answer nor an error */
void remark(const char *format, ...) __printf(1, 2);

/* args.c */
const char *args_next(struct args *args);
int args_end(const struct args *args);

/* args_name() - the next word is a filter's name; DONE or USAGE */
int args_name(struct args *args, const char *what, char *name);
/* args_all() - is the next word "all"? It is taken then. */
bool args_all(struct args *args);

/**
 * struct param - a word that may be on the command line
 * @word: the word
 * @read: reads the value that follows it; NULL: none does, @into is a bool
 * @into: what @read stores to
 * @names: read_word(): the values
 * @many: it may come more than once
 * @frozen: why it may not come here; NULL: it may
 */
struct param {
	const char *word;
	int (*read)(const struct param *param, const char *value);
	void *into;
	const struct seen_names *names;
	bool many;
	const char *frozen;
};

/**
 * params_read() - every word up to the end
 * @args: the words
 * @params: that may come, in any order
 * @count: how many
 * @given: out: bit i: params[i] came; may be NULL
 *
 * Return: DONE or USAGE.
 */
int params_read(struct args *args, const struct param *params, size_t count,
		uint64_t *given);

/* params_unknown() - says that @word is none of @params; returns USAGE */
int params_unknown(const struct param *params, size_t count, const char *word);

/**
 * params_first() - part the parameters of a command from its other words
 * @args: in: all words; out: the parameters, for params_read()
 * @params: that may come; a word is one if it begins with - and is longer than that
 * @count: how many
 * @rest: out: the other words, and all those behind "--"
 *
 * Return: DONE or REFUSED.
 */
int params_first(struct args *args, const struct param *params, size_t count,
		 struct args *rest);

int read_count(const struct param *param, const char *value);	/* uint64_t */
int read_size(const struct param *param, const char *value);	/* uint64_t */
int read_duration(const struct param *param, const char *value); /* uint64_t */
int read_rate(const struct param *param, const char *value);	/* uint64_t */
int read_u32(const struct param *param, const char *value);
int read_s32(const struct param *param, const char *value);
int read_word(const struct param *param, const char *value);	/* uint32_t */
int read_name(const struct param *param, const char *value);	/* a filter's */
int read_dev(const struct param *param, const char *value);	/* a device's */

/* condition.c: lists with commas */
int read_ports(const struct param *param, const char *value);	/* the config */
int read_prefixes(const struct param *param, const char *value);

/* text.c; each buffer has TEXT_LEN bytes, and is returned */
#define TEXT_LEN	64
const char *text_exact(char *text, uint64_t ns);	/* what was asked for */
const char *text_about(char *text, uint64_t ns);	/* what was measured */
const char *text_bytes(char *text, uint64_t bytes);
const char *text_mac(char *text, const uint8_t *mac);
double real_rate(uint64_t fpp);

/* A word, a blank and a value; put_flag: the word alone, if it is so. */
void put(const char *word, const char *format, ...)
	__printf(2, 3);
void put_number(const char *word, uint64_t number);
void put_flag(const char *word, bool flag);
/* next_line() - the object goes on in the next line; with -oneline, behind a backslash */
void next_line(void);

/* keys.c: reads keys, does @cmd with them; returns the exit status */
int run_keys(enum seen_cmd cmd, struct args *args);
/* key.c: learn_filter() - what to know of a filter before keys; returns the exit status */
int learn_filter(const char *filter, struct seen_filter_info *info);
/* learn_spec() - a filter's key says how to read keys; returns the exit status */
int learn_spec(const char *filter, struct seen_key_spec *spec);
/* content.c */
int key_show(struct args *args);
/* explain.c */
int key_explain(struct args *args);

/*
 * exist.c: the exit status where a filter or a guard was refused because there is
 * one: DONE if it is what was asked for, else said in what not
 */
int exist_filter(const struct seen_filter_config *want);
int exist_guard(const struct seen_guard_config *want);

/* guard.c: do both mean the same guard? */
bool guard_is(const struct seen_guard_id *a, const struct seen_guard_id *b);

/* message.c: a note on standard error */
void advise(const char *format, ...) __printf(1, 2);
/* advice.c: says on standard error where another guard was probably meant; connected */
void advise_guard(const struct seen_guard_info *guard);

/* main.c: enter_netns() - the namespace /run/netns/NAME; returns the exit status */
int enter_netns(const char *name);

/*
 * restore.c: is it a restore that leaves alone what was there when it began, and was
 * this? restore_keeps_filter() says so once for each filter.
 */
bool restore_keeps_filter(const char *name);
bool restore_keeps_guard(const struct seen_guard_id *id);
/* restore.c: restore_paused() - a guard was made that pauses */
void restore_paused(void);

/* transfer.c: commands of filter */
int filter_export(struct args *args);
int filter_import(struct args *args);
int filter_merge(struct args *args);
int filter_fold(struct args *args);
/* diff.c */
int filter_diff(struct args *args);

/* filter_add.c */
int filter_add(struct args *args);
/* filter_add.c: what is to be made, but for its name */
int filter_read(struct args *args, struct seen_filter_config *config);

/* filter_add.c: 32 hex digits; uint8_t[SEEN_SECRET_LEN] */
int read_secret(const struct param *param, const char *value);

/* filter.c: "none": it has none; connected */
int set_allow_map(const char *filter, const char *map);

/* filter_show.c */
/* filter_rate() - with what is in it now */
double filter_rate(const struct seen_filter_info *info);
void filter_tell(const struct seen_filter_info *info);

/* guard_show.c */
void guard_tell(const struct seen_guard_info *guard);
void conditions_text(const struct seen_guard_config *config);
void conditions_json(const struct seen_guard_config *config);
/* guard_notes() - what a user should know of a guard's ports; guard_reminders() - of any guard */
void guard_notes(const struct seen_guard_info *guard);
void guard_reminders(void);
void dup_json(const char *key, const struct seen_dup_info *dup);
void finding_text(const struct seen_finding_info *finding);
void finding_json(const char *key, const struct seen_finding_info *finding);
void dup_text(const struct seen_dup_info *dup);

/* The kernel's names for types have no place on this side. */
#pragma GCC poison u8 u16 u32 u64 s8 s16 s32 s64

#endif
