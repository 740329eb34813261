/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Local filters: the module's own data structures in the caller's memory or in a file. They need
 * neither the kernel module nor a privilege.
 *
 * Functions that can fail return 0 or a negative errno, and then seen_local_error() returns one
 * line for people. Times are nanoseconds, rates whole numbers of 10^-12. Any number of threads
 * may test, add and delete keys in one filter at the same time. While one thread creates,
 * closes, saves, merges or folds a filter, no other thread may use it.
 */
#ifndef LIBSEEN_LOCAL_H
#define LIBSEEN_LOCAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libseen.h"

#ifdef __cplusplus
extern "C" {
#endif

struct seen_local;

/**
 * seen_local_error() - why the last call of this thread failed
 *
 * Context: any thread.
 * Return: a line for people, valid until the next call of this thread.
 */
const char *seen_local_error(void);

/**
 * seen_local_create() - create an empty filter
 * @local: out: the filter; free it with seen_local_close()
 * @config: as for the kernel; without a secret, a random one is generated; @name
 *          (printable, without blanks and slashes) and @on_full are only stored
 *
 * Context: any thread.
 * Return: 0; -EINVAL: a value is refused, or a reserved member of @config is not 0; -ENOMEM.
 */
int seen_local_create(struct seen_local **local,
		      const struct seen_filter_config *config);

/**
 * seen_local_open() - create a filter from a snapshot, completely or not at all
 * @local: out: the filter; free it with seen_local_close()
 * @path: of the file; "-": standard input
 * @secret: SEEN_SECRET_LEN bytes, if the file has no secret; or NULL
 *
 * Changes stay in memory until seen_local_save(). An uncompressed file, of any type but map and
 * without a window, is mapped instead of read. While the filter is open such a file may be
 * replaced, as seen_local_save() does, but must not be modified in place. If another process
 * truncates it, this process may get SIGBUS.
 *
 * Context: any thread.
 * Return: 0; -EBADMSG: the file is damaged, and seen_local_error() says where;
 * -EPROTONOSUPPORT: its format is newer than this library; -ENOKEY: the secret is missing or
 * wrong; -ENOMEM; an errno of the file access.
 */
int seen_local_open(struct seen_local **local, const char *path,
		    const uint8_t *secret);

/* How a snapshot is written. */
enum seen_local_flags {
	SEEN_LOCAL_WITH_SECRET	= 1,	/* with the secret; a new file has mode 0600 */
	SEEN_LOCAL_COMPRESS	= 2,	/* with zstd, if the file gets smaller */
	SEEN_LOCAL_NEW		= 4,	/* fail with -EEXIST if the file exists */
};

/**
 * seen_local_save() - write a snapshot to a file, atomically
 * @local: the filter
 * @path: of the file; "-": standard output
 * @flags: enum seen_local_flags
 *
 * The snapshot is written to a new file, which then replaces the file at @path: at any time
 * @path is the complete old or the complete new file. A symbolic link is followed. Owner and
 * mode of the old file are kept, but if a secret is stored in a file that had no secret, only
 * the owner may access it from then on. To a device or a pipe the snapshot is written in place.
 *
 * Context: one thread, while no other one uses the filter.
 * Return: 0; -EEXIST: see SEEN_LOCAL_NEW; -ENOMEM; an errno of the file access.
 */
int seen_local_save(struct seen_local *local, const char *path,
		    unsigned int flags);

/**
 * seen_local_close() - free a filter, and its mapping of a file
 * @local: the filter, or NULL; changes that were not saved are lost
 *
 * Context: one thread, while no other one uses the filter.
 */
void seen_local_close(struct seen_local *local);

/**
 * seen_local_info() - read a filter's configuration and state
 * @local: the filter
 * @info: out: as the kernel would report the filter; counters and users are 0
 *
 * Context: any thread.
 */
void seen_local_info(struct seen_local *local, struct seen_filter_info *info);

/**
 * seen_local_test() - test whether a key is seen
 * @local: the filter
 * @key: canonical bytes
 * @len: bytes of @key
 *
 * Context: any thread.
 * Return: SEEN_KEY_RESULT_SEEN, SEEN_KEY_RESULT_NEW or SEEN_KEY_RESULT_STALE; -EINVAL:
 * @len is not the length of the filter's keys.
 */
int seen_local_test(struct seen_local *local, const void *key, size_t len);

/**
 * seen_local_add() - store a key
 * @local: the filter
 * @key: canonical bytes
 * @len: bytes of @key
 *
 * Context: any thread.
 * Return: SEEN_KEY_RESULT_NEW or SEEN_KEY_RESULT_SEEN: the key is stored; another enum
 * seen_key_result: it is not stored; -EINVAL: the key does not fit the filter; -E2BIG: the filter
 * already has 64 other prefix lengths.
 */
int seen_local_add(struct seen_local *local, const void *key, size_t len);

/**
 * seen_local_test_and_add() - test whether a key is seen, and store it, atomically
 * @local: the filter
 * @key: canonical bytes
 * @len: bytes of @key
 *
 * If several threads add the same new key, exactly one of them gets SEEN_KEY_RESULT_NEW.
 *
 * Context: any thread.
 * Return: as seen_local_add().
 */
int seen_local_test_and_add(struct seen_local *local, const void *key,
			    size_t len);

/**
 * seen_local_del() - delete one copy of a key, or decrease its count by one
 * @local: the filter, of a type that can delete, such as cuckoo
 * @key: canonical bytes
 * @len: bytes of @key
 *
 * Context: any thread.
 * Return: SEEN_KEY_RESULT_SEEN: the key was deleted; another enum seen_key_result: it was not
 * stored; -EINVAL: the key does not fit the filter; -EOPNOTSUPP: the type cannot delete.
 */
int seen_local_del(struct seen_local *local, const void *key, size_t len);

/**
 * seen_local_count() - read how often a key was stored
 * @local: the filter
 * @key: canonical bytes
 * @len: bytes of @key
 * @count: out: an estimate; except for cmm it is never below the true count
 *
 * Context: any thread.
 * Return: enum seen_key_result; -EINVAL: the key does not fit the filter; -EOPNOTSUPP: the type
 * does not count.
 */
int seen_local_count(struct seen_local *local, const void *key, size_t len,
		     uint32_t *count);

/**
 * seen_local_value() - read the value of a key in a map
 * @local: the filter, a map
 * @key: canonical bytes
 * @len: bytes of @key
 * @value: out
 *
 * Context: any thread.
 * Return: SEEN_KEY_RESULT_SEEN; SEEN_KEY_RESULT_NEW: the key is not in the map; -EINVAL: the
 * key does not fit the map; -EOPNOTSUPP: the filter is not a map.
 */
int seen_local_value(struct seen_local *local, const void *key, size_t len,
		     uint32_t *value);

/**
 * seen_local_put() - store a key and its value in a map
 * @local: the filter, a map
 * @key: canonical bytes
 * @len: bytes of @key
 * @value: of the key; replaces its former value
 *
 * Context: any thread.
 * Return: as seen_local_add(); -EOPNOTSUPP: the filter is not a map.
 */
int seen_local_put(struct seen_local *local, const void *key, size_t len,
		   uint32_t value);

/* Most keys in one call; their memory is prefetched before the first one is processed. */
#define SEEN_LOCAL_BATCH	32

/**
 * seen_local_test_and_add_many() - test and store several keys, in order
 * @local: the filter
 * @key: the keys, canonical bytes
 * @len: bytes of each key
 * @count: number of keys, at most SEEN_LOCAL_BATCH
 * @result: out: enum seen_key_result of each key
 *
 * For a key that does not fit the filter the result is SEEN_KEY_RESULT_NEW, and it is not
 * stored.
 *
 * Context: any thread.
 */
void seen_local_test_and_add_many(struct seen_local *local,
				  const void *const *key, const size_t *len,
				  size_t count, uint8_t *result);

/**
 * seen_local_test_many() - test several keys
 * @local: the filter
 * @key: the keys, canonical bytes
 * @len: bytes of each key
 * @count: number of keys, at most SEEN_LOCAL_BATCH
 * @result: out: enum seen_key_result of each key
 *
 * For a key that does not fit the filter the result is SEEN_KEY_RESULT_NEW.
 *
 * Context: any thread.
 */
void seen_local_test_many(struct seen_local *local, const void *const *key,
			  const size_t *len, size_t count, uint8_t *result);

/**
 * seen_local_merge() - add the keys of another filter
 * @local: the filter
 * @from: the other filter, of the same geometry, key and secret
 * @force: merge even if that exceeds the promised capacity
 *
 * Context: one thread, while no other one uses either filter.
 * Return: 0; -EINVAL: both are the same filter, or they differ, and seen_local_error() says in
 * what; -ENOSPC: the promised capacity would be exceeded, or a key has no room; -E2BIG: both
 * together have more than 64 different prefix lengths; -ENOMEM.
 */
int seen_local_merge(struct seen_local *local, struct seen_local *from,
		     bool force);

/**
 * seen_local_fold() - make a filter as small as its promised rate allows
 * @local: the filter
 * @keys: number of keys that must fit; 0: the number of keys stored now
 *
 * Context: one thread, while no other one uses the filter.
 * Return: 0; -ENOSPC: the keys do not fit a smaller filter; -EOPNOTSUPP: the type cannot be
 * folded; -ENOMEM.
 */
int seen_local_fold(struct seen_local *local, uint64_t keys);

/**
 * seen_local_clock() - set the time for every local filter of the process
 * @now: ns; an earlier time than before is ignored. Until the first call, the time is
 *       CLOCK_MONOTONIC
 *
 * For keys that have time stamps of their own, such as the packets of a capture.
 *
 * Context: any thread.
 */
void seen_local_clock(uint64_t now);

#ifdef __cplusplus
}
#endif

#endif
