// SPDX-License-Identifier: GPL-2.0
/*
 * Prefixes of any length in a filter of the library: keys of another length are refused,
 * and threads that add lengths together find as many as there is room for.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/seen.h>

#include "local.h"

enum { THREADS = 4, BYTES = 17, BOTH = 19, LONG = 300 };

static int results, failures;

static void ok(bool good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++results, name);
	failures += !good;
}

static struct seen_local *made(uint32_t type, const char *key)
{
	struct seen_filter_config config = {
		.type = type, .capacity = 1000,
		.fp_bits = type == SEEN_TYPE_CUCKOO ? 32 : 0,
	};
	char error[SEEN_KEY_ERROR_LEN];
	struct seen_local *local;

	if (seen_key_spec_parse(&config.key, key, error) ||
	    seen_local_create(&local, &config)) {
		puts("Bail out! no filter");
		exit(1);
	}
	return local;
}

/* A prefix of 2001::, with zeroes behind it. */
static void prefix(uint8_t *key, unsigned int bits)
{
	memset(key, 0, LONG);
	key[0] = 0x20;
	key[BYTES - 1] = bits;
}

static bool is_refused(struct seen_local *local, const uint8_t *key, size_t len)
{
	const void *keys[] = { key };
	uint8_t result;
	uint32_t value;

	seen_local_test_many(local, keys, &len, 1, &result);
	return seen_local_test(local, key, len) == -EINVAL &&
	       seen_local_add(local, key, len) == -EINVAL &&
	       seen_local_test_and_add(local, key, len) == -EINVAL &&
	       seen_local_value(local, key, len, &value) < 0 &&
	       result == SEEN_KEY_RESULT_NEW;
}

static void lengths_of_keys(uint32_t type, const char *name)
{
	struct seen_local *one = made(type, "src/*"), *both = made(type, "src/*,dport");
	uint8_t key[LONG];

	prefix(key, 16);
	ok(is_refused(one, key, LONG) && is_refused(one, key, BYTES + 1) &&
	   is_refused(one, key, BYTES - 1) && is_refused(one, key, 0) &&
	   is_refused(both, key, BYTES), name);
	ok(seen_local_add(one, key, BYTES) == SEEN_KEY_RESULT_NEW &&
	   seen_local_add(both, key, BOTH) == SEEN_KEY_RESULT_NEW &&
	   seen_local_test(one, key, BYTES) == SEEN_KEY_RESULT_SEEN, "a whole address is stored");
	seen_local_close(one);
	seen_local_close(both);
}

struct adder {
	struct seen_local *local;
	unsigned int first;
	unsigned int added;
};

/* All lengths of IPv6, from another one on in each thread. */
static void *add_all(void *arg)
{
	struct adder *adder = arg;
	uint8_t key[LONG];
	unsigned int i;

	for (i = 0; i < 125; i++) {
		prefix(key, 3 + (adder->first + i) % 125);
		adder->added += seen_local_add(adder->local, key, BYTES) >= 0;
	}
	return NULL;
}

static bool as_many_as_fit(void)
{
	struct seen_local *local = made(SEEN_TYPE_MAP, "src/*");
	struct adder adders[THREADS];
	struct seen_filter_info info;
	pthread_t thread[THREADS];
	unsigned int i;

	for (i = 0; i < THREADS; i++) {
		adders[i] = (struct adder) { .local = local, .first = 31 * i };
		pthread_create(&thread[i], NULL, add_all, &adders[i]);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	seen_local_info(local, &info);
	seen_local_close(local);
	return info.entries == SEEN_LENGTHS_MAX && info.lengths == SEEN_LENGTHS_MAX;
}

int main(void)
{
	bool all = true;
	int i;

	puts("TAP version 13\n1..5");
	lengths_of_keys(SEEN_TYPE_CUCKOO, "cuckoo: keys of another length are refused");
	lengths_of_keys(SEEN_TYPE_MAP, "map: they are, too");
	for (i = 0; i < 200; i++)
		all = all && as_many_as_fit();
	ok(all, "threads add at most 64 lengths");
	return failures;
}
