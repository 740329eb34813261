/* SPDX-License-Identifier: GPL-2.0 */
/* Fixtures: the objects that requests need, and the parts of requests. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "libseen.h"

/*
 * A window so long that no tick ends during the test. (Ticks count from the guest's boot.) So
 * the reported state of a filter's keys does not change by itself.
 */
#define AGES	(10 * 365 * 24 * 3600000000000ULL)

/**
 * struct sort - a sort of filters, one for each way in which the kernel stores keys
 * @name: for reports
 * @config: parameters of a filter, without name, key and secret
 * @key: key description in seenctl's syntax
 * @range: for a bitmap: range in seenctl's syntax
 * @no_del: keys cannot be deleted
 * @counts: keys can be counted
 * @merges: two filters can be merged
 * @folds: a filter can be folded
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

/* answer() - add bytes of the answer to the request under test, in their order */
void answer(const void *bytes, size_t len);

/* answer_take() - a hash of all bytes since the last call */
uint64_t answer_take(void);

/* fixture_open() - connect, and listen to events */
void fixture_open(void);

/* must() - end the program if a request that is not under test failed */
void must(int err);

/* fixture_config() - a filter called @name */
struct seen_filter_config fixture_config(const char *name,
					 const struct sort *sort);
/* fixture_filter() - a filter with five keys */
void fixture_filter(const char *name, const struct sort *sort);

/* fixture_key() - the key with this number. Return: its length, at most 16 bytes */
uint16_t fixture_key(const struct sort *sort, unsigned int number,
		     uint8_t *key);

/* fixture_keys() - send a request with @count keys, from number @first on */
int fixture_keys(enum seen_cmd cmd, const char *name, const struct sort *sort,
		 bool if_new, unsigned int first, unsigned int count);

/* A request built key by key: start it (with or without values), add a key, send it. */
void fixture_keys_none(bool values);
void fixture_keys_put(const struct sort *sort, unsigned int number);
int fixture_keys_send(enum seen_cmd cmd, const char *name, bool if_new);

/* fixture_keys_refused() - index of the key for which the last request was refused; -1: none */
int fixture_keys_refused(void);

/* fixture_guard() - parameters that all guards here share; with @profile or with @filter */
struct seen_guard_config fixture_guard(enum seen_guard_kind kind,
				       const char *dev, uint32_t profile,
				       const char *filter);

/* fixture_port() - name of a device; fixture_reset() deletes those from 0 on */
const char *fixture_port(unsigned int number);

/* fixture_cap() - set the namespace's cap in bytes; 0: no cap */
void fixture_cap(uint64_t bytes);

/* fixture_reset() - delete all guards, filters and devices */
void fixture_reset(void);

/*
 * fixture_account() - is an empty namespace charged the same as at the first call? Waits until
 * deleted objects are freed.
 */
bool fixture_account(void);

#endif
