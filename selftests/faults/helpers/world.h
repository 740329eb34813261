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

/* The connection of all requests, and one that listens to events. */
extern struct seen_client *client;

/* answer() - bytes of what the request under test was told, in their order */
void answer(const void *bytes, size_t len);

/* answer_take() - all since the last call, as one number */
uint64_t answer_take(void);

/* world_open() - connect, listen */
void world_open(void);

/* must() - this request is no test: it is done, or all ends here */
void must(int err);

/* world_config() - a filter called @name */
struct seen_filter_config world_config(const char *name,
				       const struct sort *sort);
/* world_filter() - a filter with five keys */
void world_filter(const char *name, const struct sort *sort);

/* world_keys() - requests for the keys numbered @first and on */
int world_keys(enum seen_cmd cmd, const char *name, const struct sort *sort,
	       bool if_new, unsigned int first, unsigned int count);

/* world_guard() - what all guards here have in common; @profile or @filter */
struct seen_guard_config world_guard(enum seen_guard_kind kind,
				     const char *dev, uint32_t profile,
				     const char *filter);

/* world_events() - of one kind, that have come since the last call; 0: any */
unsigned int world_events(enum seen_cmd cmd);

/* world_reset() - nothing is left: guards, filters, devices */
void world_reset(void);

/*
 * world_account() - whether an empty namespace is charged what it was at the first
 * call. What was deleted is freed soon, and waited for.
 */
bool world_account(void);

#endif
