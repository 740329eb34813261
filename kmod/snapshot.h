/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Imports: filters that sockets build from snapshots, a chunk a request. Nobody else
 * knows such a filter until it is whole: then it is published, or comes to stand in
 * the place of another one. It ends with the socket, with any request about it that
 * is refused, and when the socket begins another one.
 */
#ifndef SEEN_SNAPSHOT_H
#define SEEN_SNAPSHOT_H

#include "binding.h"

/**
 * struct seen_import - a filter that is being built
 * @list: in seen_net.imports
 * @portid: of the socket
 * @cookie: of this import
 * @name: that the filter shall have
 * @replace: also in the place of the filter that has it
 * @replaces: id of the filter that must then have it; 0: any, or none
 * @filter: see above
 * @next: unit that is due
 * @age: ns, of the snapshot when it began
 * @begun: seen_now() then
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
 * seen_import_begin() - of a socket, which has no other one
 * @sn: the namespace, its changes held
 * @portid: of the socket
 * @name: that the filter shall have
 * @filter: empty, nobody knows it yet; belongs to the import, also if that fails
 * @extack: why not
 *
 * Return: the import or ERR_PTR(-ENOMEM, -ENOSPC).
 */
struct seen_import *seen_import_begin(struct seen_net *sn, u32 portid,
				      const char *name,
				      struct seen_filter *filter,
				      struct netlink_ext_ack *extack);

/* seen_import_find() - of a socket; changes held. NULL: there is none */
struct seen_import *seen_import_find(struct seen_net *sn, u32 portid);

/**
 * seen_import_chunk() - units of the table
 * @import: changes held
 * @from: first unit
 * @data: they
 * @extack: why not
 *
 * Return: 0 or -EINVAL, -EBADMSG.
 */
int seen_import_chunk(struct seen_import *import, u64 from,
		      const struct nlattr *data,
		      struct netlink_ext_ack *extack);

/**
 * seen_import_top() - a key of the list of the heaviest; the table says how heavy it is
 * @import: changes held; all units are there
 * @bytes: of the key, not trusted
 * @len: number of @bytes
 * @extack: why not
 *
 * Return: 0 or -EINVAL.
 */
int seen_import_top(struct seen_import *import, const u8 *bytes, u16 len,
		    struct netlink_ext_ack *extack);

/**
 * seen_import_commit() - publish the filter; the import is over if it was
 * @import: changes held, the lock not
 * @total: sketches: all that the exported one had counted; 0: not known
 * @extack: why not
 *
 * Return: 0 or -EINVAL, -EEXIST, -ENOSPC, -ENOMEM.
 */
int seen_import_commit(struct seen_import *import, u64 total,
		       struct netlink_ext_ack *extack);

/* seen_import_end() - give it up; changes held */
void seen_import_end(struct seen_import *import);

void seen_import_net_init(struct seen_net *sn);
/* seen_import_net_exit() - those of sockets of the kernel's own, and of rmmod */
void seen_import_net_exit(struct seen_net *sn);

int seen_import_init(void);
void seen_import_exit(void);

#endif
