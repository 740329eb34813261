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

/* seen_local_error() - why this thread's last call failed */
const char *seen_local_error(void);

/**
 * seen_local_create() - make an empty filter
 * @local: out: to be closed by seen_local_close()
 * @config: as for the kernel; without a secret a random one is drawn; @name,
 *          printable without blanks and slashes, and @on_full are only noted
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
 * Return: -EBADMSG: damaged, and where; -EPROTONOSUPPORT: of a later version;
 * -ENOKEY: it has no secret and none was given, or a wrong one.
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
 */
int seen_local_save(struct seen_local *local, const char *path,
		    unsigned int flags);
void seen_local_close(struct seen_local *local);

/* seen_local_info() - as the kernel would tell it; @stats and users are 0 */
void seen_local_info(struct seen_local *local, struct seen_filter_info *info);

/* A result is enum seen_key_result, or -ERANGE: no such key fits the filter. */
int seen_local_test(struct seen_local *local, const void *key, size_t len);
int seen_local_add(struct seen_local *local, const void *key, size_t len);
int seen_local_test_and_add(struct seen_local *local, const void *key,
			    size_t len);
int seen_local_del(struct seen_local *local, const void *key, size_t len);

/* seen_local_count() - how often; a map's value: seen_local_value() */
int seen_local_count(struct seen_local *local, const void *key, size_t len,
		     uint32_t *count);
int seen_local_value(struct seen_local *local, const void *key, size_t len,
		     uint32_t *value);
int seen_local_put(struct seen_local *local, const void *key, size_t len,
		   uint32_t value);

/* Keys of one batch whose memory is fetched beforehand. */
#define SEEN_LOCAL_BATCH	32

/**
 * seen_local_test_and_add_many() - of up to SEEN_LOCAL_BATCH keys, in order
 * @local: the filter
 * @key: they
 * @len: their bytes
 * @count: how many
 * @result: out: enum seen_key_result of each
 */
void seen_local_test_and_add_many(struct seen_local *local,
				  const void *const *key, const size_t *len,
				  size_t count, uint8_t *result);

/* seen_local_test_many() - the same, and nothing is stored */
void seen_local_test_many(struct seen_local *local, const void *const *key,
			  const size_t *len, size_t count, uint8_t *result);

/**
 * seen_local_merge() - add what another filter has
 * @local: the filter
 * @from: of the same geometry, key and secret
 * @force: also beyond the promised rate
 *
 * Return: -EINVAL: they differ, and in what; -ENOSPC: the promise would be broken.
 */
int seen_local_merge(struct seen_local *local, struct seen_local *from,
		     bool force);

/**
 * seen_local_fold() - to the smallest size that keeps the promised rate
 * @local: the filter
 * @keys: that shall fit, 0: those that are in it
 */
int seen_local_fold(struct seen_local *local, uint64_t keys);

/**
 * seen_local_clock() - what time it is for every local filter of the process
 * @now: ns, never going back; until the first call it is CLOCK_MONOTONIC
 *
 * For keys that come with times of their own, as a capture's packets do.
 */
void seen_local_clock(uint64_t now);

#ifdef __cplusplus
}
#endif

#endif
