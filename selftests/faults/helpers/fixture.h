/* SPDX-License-Identifier: GPL-2.0 */
/* Fixtures: what requests are made of, and what has to be there before them. */
#ifndef FIXTURE_H
#define FIXTURE_H

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

/* fixture_open() - connect, and listen to events */
void fixture_open(void);

/* must() - this request is no test: it is done, or all ends here */
void must(int err);

/* fixture_config() - a filter called @name */
struct seen_filter_config fixture_config(const char *name,
					 const struct sort *sort);
/* fixture_filter() - a filter with five keys */
void fixture_filter(const char *name, const struct sort *sort);

/* fixture_key() - the key with this number, up to 16 bytes; how many */
uint16_t fixture_key(const struct sort *sort, unsigned int number,
		     uint8_t *key);

/* fixture_keys() - a request for the keys numbered @first and on */
int fixture_keys(enum seen_cmd cmd, const char *name, const struct sort *sort,
		 bool if_new, unsigned int first, unsigned int count);

/* A request for keys, one by one: an empty one, with a value each or without; a key. */
void fixture_keys_none(bool values);
void fixture_keys_put(const struct sort *sort, unsigned int number);
int fixture_keys_send(enum seen_cmd cmd, const char *name, bool if_new);

/* fixture_keys_refused() - which key the last request was refused for; -1: for none */
int fixture_keys_refused(void);

/* fixture_guard() - what all guards here have in common; @profile or @filter */
struct seen_guard_config fixture_guard(enum seen_guard_kind kind,
				       const char *dev, uint32_t profile,
				       const char *filter);

/* fixture_port() - name of a device; fixture_reset() deletes those from 0 on */
const char *fixture_port(unsigned int number);

/* fixture_cap() - what the namespace may be charged; 0: no cap */
void fixture_cap(uint64_t bytes);

/* fixture_reset() - nothing is left: guards, filters, devices */
void fixture_reset(void);

/*
 * fixture_account() - whether an empty namespace is charged what it was at the first
 * call. What was deleted is freed soon, and waited for.
 */
bool fixture_account(void);

#endif
