/* SPDX-License-Identifier: GPL-2.0 */
/* What requests are made of, and what has to be there before them. */
#ifndef WORLD_H
#define WORLD_H

#include "libseen.h"

/*
 * A window none of whose ticks ends while this runs, counted from the guest's boot: what
 * such a filter tells of its keys stays the same.
 */
#define AGES	(10 * 365 * 24 * 3600000000000ULL)

/**
 * struct sort - of filters, one for each way in which the kernel keeps keys
 * @name: to tell
 * @config: all but name, key and secret
 * @key: as users write it
 * @range: bitmap: as users write it
 * @no_del: keys cannot be deleted
 * @counts: keys can be counted
 * @merges: two of it can be merged
 * @folds: it can be folded
 */
struct sort {
	const char *name;
	struct seen_filter_config config;
	const char *key;
	const char *range;
	bool no_del;
	bool counts;
	bool merges;
	bool folds;
};

extern const struct sort sorts[];
extern const unsigned int sort_count;

/* The connection of all requests. */
extern struct seen_client *client;

/* answer() - bytes of what the request under test was told, in their order */
void answer(const void *bytes, size_t len);

/* answer_take() - all since the last call, as one number */
uint64_t answer_take(void);

/* world_open() - connect, and listen to events */
void world_open(void);

/* must() - this request is no test: it is done, or all ends here */
void must(int err);

/* world_config() - a filter called @name */
struct seen_filter_config world_config(const char *name,
				       const struct sort *sort);
/* world_filter() - a filter with five keys */
void world_filter(const char *name, const struct sort *sort);

/* world_key() - the key with this number, up to 16 bytes; how many */
uint16_t world_key(const struct sort *sort, unsigned int number, uint8_t *key);

/* world_keys() - a request for the keys numbered @first and on */
int world_keys(enum seen_cmd cmd, const char *name, const struct sort *sort,
	       bool if_new, unsigned int first, unsigned int count);

/* A request for keys, one by one: an empty one, with a value each or without; a key. */
void world_keys_none(bool values);
void world_keys_put(const struct sort *sort, unsigned int number);
int world_keys_send(enum seen_cmd cmd, const char *name, bool if_new);

/* world_keys_refused() - which key the last request was refused for; -1: for none */
int world_keys_refused(void);

/* world_guard() - what all guards here have in common; @profile or @filter */
struct seen_guard_config world_guard(enum seen_guard_kind kind,
				     const char *dev, uint32_t profile,
				     const char *filter);

/* world_port() - the name of a device; world_reset() deletes those from 0 on */
const char *world_port(unsigned int number);

/* world_cap() - what the namespace may be charged; 0: no cap */
void world_cap(uint64_t bytes);

/* world_reset() - nothing is left: guards, filters, devices */
void world_reset(void);

/*
 * world_account() - whether an empty namespace is charged what it was at the first
 * call. What was deleted is freed soon, and waited for.
 */
bool world_account(void);

#endif
