/* SPDX-License-Identifier: GPL-2.0 */
/* Send keys to the kernel, thousands per request. */
#ifndef SEENCTL_KEY_BULK_H
#define SEENCTL_KEY_BULK_H

#include "lines.h"
#include "list.h"
#include "progress.h"
#include "seenctl.h"
#include "totals.h"

#define KEY_BULK_TEXT_BYTES	(256 * 1024)

struct key_bulk;

/**
 * struct key_bulk_how - a command line without its keys
 * @cmd: command for the keys
 * @filter: name of the filter
 * @only_new: --new: add only keys that are not seen, for every type of filter
 * @copies: --copies: store a further copy of a key that exists
 * @strict: --strict: check all lines before the first key is sent
 * @csv: --csv: columns of the key, or NULL
 * @list: the keys come from standard input
 * @send: sends the request and sets its answers, in place of seen_keys_send(); may be NULL
 * @tell: with @send: prints the answer to a key
 * @context: for @send and @tell
 */
struct key_bulk_how {
	enum seen_cmd cmd;
	char filter[SEEN_NAME_MAX];
	bool only_new;
	bool copies;
	bool strict;
	struct csv *csv;
	bool list;
	int (*send)(struct key_bulk *bulk);
	void (*tell)(const struct key_bulk *bulk, uint32_t i);
	void *context;
};

/**
 * struct key_bulk - keys that are sent to the kernel
 * @how: the command line
 * @if_new: add only those keys of the request that are not seen
 * @info: configuration and state of the filter
 * @list: parser of the keys
 * @lengths: prefix lengths of the filter or its allow list; @list uses them while --strict
 *           checks the lines
 * @stream: standard input; NULL: the keys are on the command line
 * @progress: progress bar
 * @totals: number of keys by answer
 * @skipped: number of the last line with a key that the kernel refused and that was skipped
 * @used: bytes used in @text
 * @line: line number of each key in the request; in a batch the line of its command
 * @at: offset of each key in @text
 * @text: the keys of the request as the user wrote them
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

/* key_bulk_asks() - is the command test or count, which prints one answer per key? */
bool key_bulk_asks(const struct key_bulk_how *how);

/* key_bulk_print() - print a key as it was given; on a terminal only the begin of a long one */
void key_bulk_print(const char *text);

/* key_bulk_adds() - does the command add keys? */
bool key_bulk_adds(enum seen_cmd cmd);

/*
 * key_bulk_push() - add a key to the request; a list_take_fn. @context: struct key_bulk.
 * Sends the request first if the key does not fit or needs another flag.
 */
int key_bulk_push(void *context, const struct list_key *key);

/* key_bulk_send() - send the request; returns the exit status, after an error message */
int key_bulk_send(struct key_bulk *bulk);

/* key_bulk_bad_line() - send the keys before a bad line, then report the line */
int key_bulk_bad_line(struct key_bulk *bulk, const char *error);

/* key_bulk_conclude() - exit status that follows from the answers, if no request failed */
int key_bulk_conclude(const struct key_bulk *bulk);

/*
 * keys.c: key_bulk_open() - prepare a request for an existing filter; returns NULL after
 * an error message. key_bulk_free() accepts NULL.
 */
struct key_bulk *key_bulk_open(const struct key_bulk_how *how);
void key_bulk_free(struct key_bulk *bulk);

/*
 * keys_push() - check all words, then push them as keys; returns the exit status, or
 * LIST_BAD with list.error
 */
int keys_push(struct key_bulk *bulk, const struct args *args);

/* keys_words() - set @how->list by the words after the options; returns DONE or USAGE */
int keys_words(struct key_bulk_how *how, struct args *keys);

/* keys_run() - send the keys after keys_words(); takes @how->csv; returns the exit status */
int keys_run(struct key_bulk_how *how, const struct args *keys);

/**
 * gather() - add the keys of a batch line to the request of the previous lines
 * @how: the line without its keys
 * @args: the keys
 *
 * Return: the exit status.
 */
int gather(const struct key_bulk_how *how, const struct args *args);

#endif
