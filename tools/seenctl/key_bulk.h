/* SPDX-License-Identifier: GPL-2.0 */
/* Keys on their way to the kernel, thousands a request. */
#ifndef SEENCTL_KEY_BULK_H
#define SEENCTL_KEY_BULK_H

#include "lines.h"
#include "list.h"
#include "progress.h"
#include "seenctl.h"
#include "totals.h"

#define KEY_BULK_TEXT_BYTES	(256 * 1024)

/**
 * struct key_bulk_how - what a command line says, but for its keys
 * @cmd: what happens to them
 * @filter: in which filter
 * @only_new: --new: add only what is not seen, whatever the type
 * @copies: --copies: store one more copy of what is there
 * @strict: --strict: all lines are checked before the first key is sent
 * @csv: --csv: the columns, or NULL
 * @list: the keys come from standard input
 */
struct key_bulk_how {
	enum seen_cmd cmd;
	char filter[SEEN_NAME_MAX];
	bool only_new;
	bool copies;
	bool strict;
	struct csv *csv;
	bool list;
};

/**
 * struct key_bulk - keys on their way
 * @how: what happens to them
 * @if_new: of the keys of the request: add only what is not seen
 * @info: the filter
 * @list: how keys are read
 * @lengths: of prefixes; @list has them while --strict checks it
 * @stream: standard input, or NULL: the command line
 * @progress: of the stream
 * @totals: keys that were answered
 * @skipped: the last line with a key that the kernel refused, and that was skipped
 * @used: bytes of @text
 * @line: of each key of the request; in a batch that of its command
 * @at: of each key, its place in @text
 * @text: the keys of the request as they were written
 * @keys: the request
 */
struct key_bulk {
	struct key_bulk_how how;
	bool if_new;
	struct seen_filter_info info;
	struct list list;
	struct seen_key_lengths lengths;
	struct lines *stream;
	struct progress progress;
	struct totals totals;
	uint64_t skipped;
	size_t used;
	uint64_t line[SEEN_KEYS_ROOM];
	uint32_t at[SEEN_KEYS_ROOM];
	char text[KEY_BULK_TEXT_BYTES];
	struct seen_keys keys;
};

/* key_bulk_asks() - each key is answered, and nothing else is told */
bool key_bulk_asks(const struct key_bulk_how *how);

/* key_bulk_adds() - does the command add keys? */
bool key_bulk_adds(enum seen_cmd cmd);

/* key_bulk_push() - of list_take_fn; @context: the keys. Sends what is in the way. */
int key_bulk_push(void *context, const struct list_key *key);

/* key_bulk_send() - send the request; returns the exit status, and said why */
int key_bulk_send(struct key_bulk *bulk);

/* key_bulk_bad_line() - send what stands before a bad line, and report the line */
int key_bulk_bad_line(struct key_bulk *bulk, const char *error);

/* key_bulk_conclude() - the exit status that the answers give, if nothing went wrong */
int key_bulk_conclude(const struct key_bulk *bulk);

/*
 * keys.c: key_bulk_open() - none yet, for a filter that is there, or NULL and said why;
 * key_bulk_free() takes NULL, too
 */
struct key_bulk *key_bulk_open(const struct key_bulk_how *how);
void key_bulk_free(struct key_bulk *bulk);

/*
 * keys_push() - words as keys, all of which are looked at before the first is pushed;
 * returns the exit status, or LIST_BAD with list.error
 */
int keys_push(struct key_bulk *bulk, const struct args *args);

/**
 * gather() - join the keys of a line of a batch to those of the lines before it
 * @how: what the line says, but for its keys
 * @args: its keys
 *
 * Return: the exit status.
 */
int gather(const struct key_bulk_how *how, const struct args *args);

#endif
