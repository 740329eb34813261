/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists of keys: what a line of one means, whatever is done with the keys. The formats
 * are in Documentation/files.md.
 */
#ifndef SEENCTL_LIST_H
#define SEENCTL_LIST_H

#include "../lib/key_lengths.h"
#include "csv.h"
#include "seenctl.h"

struct lines;

#define LIST_ERROR_LEN	512

/**
 * struct list - keys on their way from text
 * @config: of the filter that they are keys of
 * @values: the last word of a line is a map's value
 * @longest: bytes of the longest key that can be stored; 0: keys are not stored
 * @lengths: lengths of prefixes that are held, to which those of the list are added;
 *           a key of one length too many is a bad one. NULL: lengths are not counted
 * @bare: addresses of the list without a length that became whole prefixes
 * @csv: lines are rows; NULL: they are not
 * @key: room for one key
 * @error: why the last line was bad
 */
struct list {
	const struct seen_filter_config *config;
	bool values;
	size_t longest;
	struct seen_key_lengths *lengths;
	uint64_t bare;
	struct csv *csv;
	uint8_t *key;
	char error[LIST_ERROR_LEN];
};

/**
 * struct list_key - a key of a list
 * @text: as it was written, without the rest of its line
 * @key: canonical
 * @len: its bytes
 * @value: for a map
 * @has_value: it was given
 */
struct list_key {
	const char *text;
	const uint8_t *key;
	size_t len;
	uint32_t value;
	bool has_value;
};

/* What is done with a key; the exit status. */
typedef int (*list_take_fn)(void *context, const struct list_key *key);

/* Beside an exit status: @error says why there is no key. */
#define LIST_BAD	(-1)
/* The same, and no other line will be better. */
#define LIST_USELESS	(-2)

/* list_open() - @list is filled but for @key; DONE or REFUSED */
int list_open(struct list *list);
void list_close(struct list *list);

/**
 * list_line() - the keys of a line
 * @list: the list
 * @line: the line, which is changed
 * @take: called for each key; a return other than DONE ends it
 * @context: handed to it
 *
 * Return: DONE, also without a key: a comment; what @take returned; LIST_BAD or
 * LIST_USELESS.
 */
int list_line(struct list *list, char *line, list_take_fn take, void *context);

/* list_word() - the same of a word of the command line; @key: with text and value */
int list_word(struct list *list, struct list_key *key, list_take_fn take,
	      void *context);

/* list_line_error() - why lines_next() failed, in words; @err: -errno */
const char *list_line_error(int err);

/**
 * list_report() - say that a line is bad
 * @path: of the list; NULL: standard input, which is not named
 * @number: of the line
 * @error: why; control characters of a list do not reach the terminal
 *
 * Return: USAGE.
 */
int list_report(const char *path, uint64_t number, const char *error);

/**
 * list_refuse() - say that a key of a line is refused, which ends the list
 * @lines: the list
 * @number: of the line
 * @text: the key
 * @why: it was refused
 *
 * Return: REFUSED.
 */
int list_refuse(struct lines *lines, uint64_t number, const char *text,
		const char *why);

/* list_note() - say, once a load, that addresses stand for whole prefixes */
void list_note(const struct list *list);

/* list_counts() - does a filter of this type count each add, instead of storing keys? */
bool list_counts(uint32_t type);

/* read_csv() - of struct param: the columns, as struct csv */
int read_csv(const struct param *param, const char *value);

#endif
