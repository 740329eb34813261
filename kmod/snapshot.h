/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Imports: a socket builds a filter from a snapshot, one chunk per request. The filter is
 * not published until it is complete; then it is added, or replaces another filter. An
 * import is aborted when its socket is closed, when one of its requests is refused, and when
 * the socket begins another import.
 */
#ifndef SEEN_SNAPSHOT_H
#define SEEN_SNAPSHOT_H

#include "binding.h"

/**
 * struct seen_import - a filter that a socket builds
 * @list: in seen_net.imports or seen_net.orphans
 * @portid: netlink port id of the socket
 * @cookie: identifies the import in the requests of the socket
 * @name: name of the future filter
 * @replace: replace the filter that has @name, if there is one
 * @replaces: with @replace: id that the filter with @name must have; 0: any filter, or none
 * @filter: the filter, not published
 * @next: index of the next unit that is expected
 * @age: ns, age of the snapshot when the import began, see SEEN_A_FILTER_AGE
 * @begun: seen_now() when the import began
 */
struct seen_import {
	struct list_head list;
	u32 portid;
	u64 cookie;
	char name[SEEN_NAME_MAX];
	bool replace;
	u32 replaces;
	struct seen_filter *filter;
	u64 next;
	u64 age;
	u64 begun;
};

/**
 * seen_import_begin() - begin the import of a socket that has no import
 * @sn: the namespace, its changes held
 * @portid: netlink port id of the socket
 * @name: name of the future filter
 * @filter: empty, not published; always consumed: on error it is freed
 * @extack: receives the text of an error
 *
 * Context: process.
 * Return: the import or ERR_PTR(-ENOMEM, -ENOSPC).
 */
struct seen_import *seen_import_begin(struct seen_net *sn, u32 portid,
				      const char *name,
				      struct seen_filter *filter,
				      struct netlink_ext_ack *extack);

/* seen_import_find() - the import of a socket, or NULL; changes held */
struct seen_import *seen_import_find(struct seen_net *sn, u32 portid);

/**
 * seen_import_chunk() - add units to the table
 * @import: the import; changes held
 * @from: index of the first unit; must be @import->next
 * @data: attribute with the units, not trusted
 * @extack: receives the text of an error
 *
 * Context: process; may sleep.
 * Return: 0 or -EINVAL, -EBADMSG; map: also an error of seen_rehash().
 */
int seen_import_chunk(struct seen_import *import, u64 from,
		      const struct nlattr *data,
		      struct netlink_ext_ack *extack);

/**
 * seen_import_top() - add a key to the list of the heaviest keys
 * @import: the import, with all units; changes held
 * @bytes: canonical key, not trusted
 * @len: number of @bytes
 * @extack: receives the text of an error
 *
 * The key's count comes from the table. A key with count 0 is not added.
 *
 * Return: 0 or -EINVAL.
 */
int seen_import_top(struct seen_import *import, const u8 *bytes, u16 len,
		    struct netlink_ext_ack *extack);

/**
 * seen_import_commit() - publish the filter and end the import
 * @import: the import, freed if 0 is returned; changes held, seen_net.lock not held
 * @total: sketches: sum of all counts of the exported sketch; 0: unknown
 * @extack: receives the text of an error
 *
 * Context: process; may sleep.
 * Return: 0 or -EINVAL, -EEXIST, -ENOSPC, -ENOMEM, or -ESTALE: the filter to replace was
 * deleted or renamed.
 */
int seen_import_commit(struct seen_import *import, u64 total,
		       struct netlink_ext_ack *extack);

/* seen_import_end() - abort an import and free its filter; changes held */
void seen_import_end(struct seen_import *import);

void seen_import_net_init(struct seen_net *sn);
/* seen_import_net_exit() - end all imports of a namespace, whose sockets may still exist */
void seen_import_net_exit(struct seen_net *sn);

int seen_import_init(void);
void seen_import_exit(void);

#endif
