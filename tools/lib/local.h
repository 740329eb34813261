/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters without a kernel: the module's own structures in the caller's memory, or
 * in a file. Nothing here needs a privilege.
 *
 * Functions that can fail return 0 or a negative errno, and leave one line for
 * people in seen_local_error(). Times are nanoseconds, rates whole numbers of
 * 10^-12. Any number of threads may test, add and delete in one filter at the same
 * time; creation, closing, saving, merging and folding are for one thread alone.
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
 * seen_local_create() - make an empty filter
 * @local: out: to be closed by seen_local_close()
 * @config: as for the kernel; without a secret a random one is drawn; @name,
 *          printable without blanks and slashes, and @on_full are only noted
 *
 * Context: any thread.
 * Return: 0; -EINVAL: a value is refused, or what is reserved in @config is not 0; -ENOMEM.
 */
int seen_local_create(struct seen_local **local,
		      const struct seen_filter_config *config);

/**
 * seen_local_open() - read a snapshot, all or nothing
 * @local: out
 * @path: of the file, "-": standard input
 * @secret: SEEN_SECRET_LEN bytes where the file has none, or NULL
 *
 * What is changed stays in memory until seen_local_save(). A file that is not
 * compressed, of a type without a window other than map, is not read but mapped:
 * it may be replaced meanwhile, as seen_local_save() does it, but not changed in
 * place; if others truncate it the process may end by SIGBUS.
 *
 * Context: any thread.
 * Return: 0; -EBADMSG: damaged, and where; -EPROTONOSUPPORT: of a later version;
 * -ENOKEY: it has no secret and none was given, or a wrong one; -ENOMEM; an errno of the
 * file.
 */
int seen_local_open(struct seen_local **local, const char *path,
		    const uint8_t *secret);

/* How a snapshot is written. */
enum seen_local_flags {
	SEEN_LOCAL_WITH_SECRET	= 1,	/* mode 0600 */
	SEEN_LOCAL_COMPRESS	= 2,	/* by zstd, if that is smaller */
	SEEN_LOCAL_NEW		= 4,	/* -EEXIST if there is such a file */
};

/**
 * seen_local_save() - write a snapshot: to a new file that then takes the name, so
 * that the name has the old one whole or the new one whole
 * @local: the filter
 * @path: "-": standard output
 * @flags: enum seen_local_flags
 *
 * A symbolic link is followed, and an old file's owner and mode are kept, but for the
 * first secret that comes into it. A device or a pipe is written to.
 *
 * Context: one thread, while no other one uses the filter.
 * Return: 0; -EEXIST: see SEEN_LOCAL_NEW; -ENOMEM; an errno of the file.
 */
int seen_local_save(struct seen_local *local, const char *path,
		    unsigned int flags);

/**
 * seen_local_close() - free a filter, and its mapping of a file
 * @local: the filter, or NULL; what was not saved is lost
 *
 * Context: one thread, while no other one uses the filter.
 */
void seen_local_close(struct seen_local *local);

/**
 * seen_local_info() - read a filter's configuration and state
 * @local: the filter
 * @info: out: as the kernel would report it; counters and users are 0
 *
 * Context: any thread.
 */
void seen_local_info(struct seen_local *local, struct seen_filter_info *info);

/**
 * seen_local_test() - ask for a key
 * @local: the filter
 * @key: canonical bytes
 * @len: bytes of @key
 *
 * Context: any thread.
 * Return: SEEN_KEY_RESULT_SEEN, SEEN_KEY_RESULT_NEW or SEEN_KEY_RESULT_STALE; -EINVAL: the
 * length of @key is not that of the filter's keys.
 */
int seen_local_test(struct seen_local *local, const void *key, size_t len);

/**
 * seen_local_add() - store a key
 * @local: the filter
 * @key: canonical bytes
 * @len: bytes of @key
 *
 * Context: any thread.
 * Return: SEEN_KEY_RESULT_NEW or SEEN_KEY_RESULT_SEEN: it is stored; another enum
 * seen_key_result: it is not; -EINVAL: no such key fits the filter; -E2BIG: a prefix of a
 * 65th length.
 */
int seen_local_add(struct seen_local *local, const void *key, size_t len);

/**
 * seen_local_test_and_add() - ask for a key, and store it, in one step
 * @local: the filter
 * @key: canonical bytes
 * @len: bytes of @key
 *
 * Of several threads that bring one new key, exactly one gets SEEN_KEY_RESULT_NEW.
 *
 * Context: any thread.
 * Return: as seen_local_add().
 */
int seen_local_test_and_add(struct seen_local *local, const void *key,
			    size_t len);

/**
 * seen_local_del() - remove one copy of a key, or take one off its count
 * @local: the filter; not of a type that only grows, such as bloom
 * @key: canonical bytes
 * @len: bytes of @key
 *
 * Context: any thread.
 * Return: SEEN_KEY_RESULT_SEEN: it is removed; another enum seen_key_result: it was not there;
 * -EINVAL: no such key fits the filter; -EOPNOTSUPP: the type cannot do it.
 */
int seen_local_del(struct seen_local *local, const void *key, size_t len);

/**
 * seen_local_count() - ask how often a key was stored
 * @local: the filter
 * @key: canonical bytes
 * @len: bytes of @key
 * @count: out: the count; never too low, but for cmm
 *
 * Context: any thread.
 * Return: enum seen_key_result; -EINVAL: no such key fits the filter; -EOPNOTSUPP: the type
 * does not count.
 */
int seen_local_count(struct seen_local *local, const void *key, size_t len,
		     uint32_t *count);

/**
 * seen_local_value() - ask for the value of a key in a map
 * @local: the filter, a map
 * @key: canonical bytes
 * @len: bytes of @key
 * @value: out
 *
 * Context: any thread.
 * Return: SEEN_KEY_RESULT_SEEN; SEEN_KEY_RESULT_NEW: it is not there; -EINVAL: no such key fits
 * the map; -EOPNOTSUPP: the filter is no map.
 */
int seen_local_value(struct seen_local *local, const void *key, size_t len,
		     uint32_t *value);

/**
 * seen_local_put() - store a key and its value in a map
 * @local: the filter, a map
 * @key: canonical bytes
 * @len: bytes of @key
 * @value: of the key; replaces the value that it had
 *
 * Context: any thread.
 * Return: as seen_local_add(); -EOPNOTSUPP: the filter is no map.
 */
int seen_local_put(struct seen_local *local, const void *key, size_t len,
		   uint32_t value);

/* Keys of one batch whose memory is fetched beforehand. */
#define SEEN_LOCAL_BATCH	32

/**
 * seen_local_test_and_add_many() - ask for keys, and store them, in order
 * @local: the filter
 * @key: the keys, canonical bytes
 * @len: bytes of each key
 * @count: number of keys, at most SEEN_LOCAL_BATCH
 * @result: out: enum seen_key_result of each key
 *
 * A key that does not fit the filter is new, and is not stored.
 *
 * Context: any thread.
 */
void seen_local_test_and_add_many(struct seen_local *local,
				  const void *const *key, const size_t *len,
				  size_t count, uint8_t *result);

/**
 * seen_local_test_many() - ask for keys
 * @local: the filter
 * @key: the keys, canonical bytes
 * @len: bytes of each key
 * @count: number of keys, at most SEEN_LOCAL_BATCH
 * @result: out: enum seen_key_result of each key
 *
 * A key that does not fit the filter is new.
 *
 * Context: any thread.
 */
void seen_local_test_many(struct seen_local *local, const void *const *key,
			  const size_t *len, size_t count, uint8_t *result);

/**
 * seen_local_merge() - add what another filter has
 * @local: the filter
 * @from: of the same geometry, key and secret
 * @force: also beyond the promised rate
 *
 * Context: one thread, while no other one uses either filter.
 * Return: 0; -EINVAL: they differ, and in what, or are one filter; -ENOSPC: beyond the
 * promised capacity, or no room for a key; -E2BIG: together they have prefixes of more than
 * 64 lengths; -ENOMEM.
 */
int seen_local_merge(struct seen_local *local, struct seen_local *from,
		     bool force);

/**
 * seen_local_fold() - to the smallest size that keeps the promised rate
 * @local: the filter
 * @keys: that shall fit, 0: those that are in it
 *
 * Context: one thread, while no other one uses the filter.
 * Return: 0; -ENOSPC: the keys have no room in a smaller one; -EOPNOTSUPP: the filter does
 * not fold;
 * -ENOMEM.
 */
int seen_local_fold(struct seen_local *local, uint64_t keys);

/**
 * seen_local_clock() - what time it is for every local filter of the process
 * @now: ns, never going back; until the first call it is CLOCK_MONOTONIC
 *
 * For keys that come with times of their own, as a capture's packets do.
 *
 * Context: any thread.
 */
void seen_local_clock(uint64_t now);

#ifdef __cplusplus
}
#endif

#endif
