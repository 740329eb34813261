/* SPDX-License-Identifier: GPL-2.0 */
/* The filters of the kernel. Internal to store_kernel.c and store_snapshot.c. */
#ifndef SEEND_STORE_KERNEL_H
#define SEEND_STORE_KERNEL_H

#include <limits.h>

#include "../lib/libseen.h"
#include "group.h"
#include "store.h"

#define ERROR_ROOM	512

/**
 * struct kernel_store - the filter of a group, and in mode "each" those of its publishers
 * @client: connection to the kernel
 * @group: names the publishers
 * @filter: name of the own filter
 * @temporary: name of a filter that exists while a snapshot is loaded
 * @path: of files of snapshots, without their ends
 * @lock: of the snapshot that is loaded; 0: none is
 * @table: of the own filter, when @secret and @check were read; 0: never
 * @secret: of the filter's hash
 * @check: see struct store_info
 * @error: see store_ops.error
 */
struct kernel_store {
	struct store store;
	struct seen_client *client;
	const struct group *group;
	char filter[SEEN_NAME_ROOM];
	char temporary[SEEN_NAME_ROOM];
	char path[PATH_MAX - 16];
	int lock;
	uint64_t table;
	uint8_t secret[SEEN_SECRET_LEN];
	uint64_t check;
	char error[ERROR_ROOM];
};

/* store_said() - note why a call of libseen about a filter failed; returns @err */
int store_said(struct kernel_store *store, const char *name, int err);

/* store_name() - the name of a filter of this host, see struct store_ops */
void store_name(const struct kernel_store *store, size_t who, char name[SEEN_NAME_ROOM]);

/* As the functions of store_ops. */
int snapshot_save(struct store *base, size_t who, uint64_t now, uint8_t **bytes, size_t *len);
int snapshot_load(struct store *base, size_t who, uint64_t now, uint8_t *bytes, size_t len,
		  uint64_t *entries);
int snapshot_merge(struct store *base, size_t who);
void snapshot_unload(struct store *base);

/* snapshot_clean() - remove what a daemon has left that was killed while it loaded a snapshot */
void snapshot_clean(struct kernel_store *store);

#endif
