// SPDX-License-Identifier: GPL-2.0
/*
 * front FOLDER KEYS: put a filter in front of a store (LMDB). The filter answers most lookups of
 * keys that the store does not have, so that they do not reach the store.
 *
 * gcc -O2 front.c -o front $(pkg-config --cflags --libs libseen) -llmdb
 */
#include <lmdb.h>
#include <seen/local.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void die(const char *what, const char *why)
{
	fprintf(stderr, "front: %s: %s\n", what, why);
	exit(1);
}

static void must(int err, const char *what)
{
	if (err)
		die(what, mdb_strerror(err));
}

/* Room for all keys; of 200 lookups of missing keys, one reaches the store. */
static struct seen_local *make_filter(uint64_t keys)
{
	struct seen_filter_config config = {
		.type = SEEN_TYPE_BLOOM,
		.capacity = keys,
		.fpp = SEEN_FPP_ONE / 200,
		.key = {
			.profile = SEEN_KEY_PROFILE_BYTES,
			.count = 1,
			.field = { { .id = SEEN_FIELD_BYTES } },
		},
	};
	struct seen_local *filter;

	if (seen_local_create(&filter, &config))
		die("filter", seen_local_error());
	return filter;
}

static size_t name_key(char *text, const char *kind, uint64_t number)
{
	/* Spread the keys, so that the store's pages are not read in order. */
	return sprintf(text, "%s-%016llx", kind,
		       (unsigned long long)(number * 0x9e3779b97f4a7c15));
}

static void fill(MDB_env *env, MDB_dbi store, struct seen_local *filter,
		 uint64_t keys)
{
	MDB_txn *txn;

	must(mdb_txn_begin(env, NULL, 0, &txn), "write");
	for (uint64_t i = 0; i < keys; i++) {
		char text[64];
		MDB_val key = { name_key(text, "user", i), text };
		MDB_val value = { sizeof(i), &i };

		must(mdb_put(txn, store, &key, &value, 0), "put");
		seen_local_add(filter, text, key.mv_size);
	}
	must(mdb_txn_commit(txn), "commit");
}

/* Keys found, lookups that reached the store, and time. */
struct answer {
	uint64_t found;
	uint64_t lookups;
	double seconds;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static struct answer ask(MDB_env *env, MDB_dbi store, struct seen_local *filter,
			 const char *kind, uint64_t keys)
{
	struct answer answer = { 0 };
	double start = now();
	MDB_txn *txn;

	must(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn), "read");
	for (uint64_t i = 0; i < keys; i++) {
		char text[64];
		MDB_val key = { name_key(text, kind, i), text };
		MDB_val value;

		/* A key that the filter calls new was never stored. */
		if (filter && seen_local_test(filter, text, key.mv_size) !=
			      SEEN_KEY_RESULT_SEEN)
			continue;
		answer.lookups++;
		answer.found += !mdb_get(txn, store, &key, &value);
	}
	mdb_txn_abort(txn);
	answer.seconds = now() - start;
	return answer;
}

int main(int argc, char **argv)
{
	struct answer hits, misses, alone;
	struct seen_filter_info info;
	struct seen_local *filter;
	MDB_dbi store;
	uint64_t keys;
	MDB_env *env;
	MDB_txn *txn;

	if (argc != 3)
		die("usage", "front FOLDER KEYS");
	keys = strtoull(argv[2], NULL, 0);
	must(mdb_env_create(&env), "store");
	must(mdb_env_set_mapsize(env, keys * 256 + (16 << 20)), "store");
	must(mdb_env_open(env, argv[1], MDB_NOSYNC, 0600), argv[1]);
	must(mdb_txn_begin(env, NULL, 0, &txn), "store");
	must(mdb_dbi_open(txn, NULL, 0, &store), "store");
	must(mdb_txn_commit(txn), "store");
	filter = make_filter(keys);

	fill(env, store, filter, keys);
	hits = ask(env, store, filter, "user", keys);
	misses = ask(env, store, filter, "guest", keys);
	alone = ask(env, store, NULL, "guest", keys);

	seen_local_info(filter, &info);
	printf("stored %llu filter-bytes %llu\n", (unsigned long long)keys,
	       (unsigned long long)info.bytes);
	printf("hits asked %llu found %llu\n", (unsigned long long)keys,
	       (unsigned long long)hits.found);
	printf("misses asked %llu found %llu store-lookups %llu saved %.2f%%\n",
	       (unsigned long long)keys, (unsigned long long)misses.found,
	       (unsigned long long)misses.lookups,
	       100 - 100.0 * misses.lookups / keys);
	printf("misses without the filter: store-lookups %llu, %.1f times as long\n",
	       (unsigned long long)alone.lookups,
	       alone.seconds / misses.seconds);
	seen_local_close(filter);
	mdb_env_close(env);
	return 0;
}
