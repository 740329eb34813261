/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parse the lines of a list into keys. Documentation/files.md describes the formats.
 */
#ifndef SEENCTL_LIST_H
#define SEENCTL_LIST_H

#include "../lib/key_lengths.h"
#include "csv.h"
#include "seenctl.h"

struct lines;

#define LIST_ERROR_LEN	512

/**
 * struct list - parser of a list
 * @config: configuration of the filter of the keys
 * @values: the last word of a line is the value of the key in a map
 * @longest: maximum length of a key in bytes; 0: keys are not stored
 * @lengths: prefix lengths in the filter; lengths in the list are added to them, and a
 *           key that would exceed their maximum number is bad. NULL: not checked
 * @bare: number of addresses without a length that the filter stores as prefixes
 * @csv: parser of rows, if the lines are CSV; otherwise NULL
 * @key: buffer for one key
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
 * @text: key as the user wrote it, without the rest of its line
 * @key: canonical bytes
 * @len: number of bytes
 * @value: value of the key in a map, 0 to UINT32_MAX
 * @has_value: the user gave @value
 */
struct list_key {
	const char *text;
	const uint8_t *key;
	size_t len;
	uint32_t value;
	bool has_value;
};

/* Called for each key; returns an exit status; one other than DONE ends the line. */
typedef int (*list_take_fn)(void *context, const struct list_key *key);

/* Returned in place of an exit status: the line has no valid key; see list.error. */
#define LIST_BAD	(-1)
/* As LIST_BAD, and all further lines will fail, too. */
#define LIST_USELESS	(-2)

/* list_open() - allocate list.key; the caller sets the other members; DONE or REFUSED */
int list_open(struct list *list);
void list_close(struct list *list);

/**
 * list_line() - parse a line and call a function for each of its keys
 * @list: the list
 * @line: the line; this function modifies it
 * @take: the function
 * @context: argument of @take
 *
 * Return: DONE, also if the line has no key, such as a comment; the exit status of @take;
 * LIST_BAD or LIST_USELESS.
 */
int list_line(struct list *list, char *line, list_take_fn take, void *context);

/* list_word() - as list_line() for a word of the command line; @key: has text and value */
int list_word(struct list *list, struct list_key *key, list_take_fn take,
	      void *context);

/* list_line_error() - error text for lines_next(); @err: its negative errno */
const char *list_line_error(int err);

/**
 * list_report() - print an error message about a bad line
 * @path: path of the list; NULL: standard input, and no name is printed
 * @number: number of the line, from 1
 * @error: the reason; control characters are replaced, to protect the terminal
 *
 * Return: USAGE.
 */
int list_report(const char *path, uint64_t number, const char *error);

/**
 * list_refuse() - print an error message about a refused key, which ends the list
 * @lines: the list; its remaining lines are counted and lost
 * @number: number of the line, from 1
 * @text: the key
 * @why: the reason
 *
 * Return: REFUSED.
 */
int list_refuse(struct lines *lines, uint64_t number, const char *text,
		const char *why);

/*
 * list_no_value() - after LIST_BAD for a word that is a key: if the word is "value", set
 * list.error to the reason why no value is accepted. @adds: the command add of a filter;
 * @object: prefix of the command, such as "key "
 */
void list_no_value(struct list *list, const char *word, bool adds, const char *object);

/* list_note() - print one note if addresses without a length were stored as prefixes */
void list_note(const struct list *list);

/* list_counts() - does a filter of this type count each add of a key? */
bool list_counts(uint32_t type);

/* read_csv() - param.read for --csv; param.into: a struct csv pointer */
int read_csv(const struct param *param, const char *value);

#endif
