/* SPDX-License-Identifier: GPL-2.0 */
/* Requests with many keys: the operation on each key, and the loop over all keys. */
#ifndef SEEN_NETLINK_KEY_H
#define SEEN_NETLINK_KEY_H

#include "binding.h"
#include "netlink_entry.h"

/**
 * struct seen_nl_record - a key of a request
 * @key: the key; points into the message
 * @value: in: value that a map stores with the key; out: value in the map, or a count
 * @last: the map was rehashed for this key, or the rehash failed: do not return -EAGAIN
 */
struct seen_nl_record {
	struct seen_key key;
	u32 value;
	bool last;
};

/**
 * struct seen_nl_task - how a command handles its keys
 * @op: called for each key; returns enum seen_key_result or a negative error; -EAGAIN: call
 *      again after seen_rehash()
 * @stored: refuse keys that the filter cannot hold
 * @listed: refuse keys that an allow list cannot hold
 * @valued: accept SEEN_A_ENTRY_VALUE
 * @tells: the reply has a value for each key
 * @adds: the reply to packed keys has counts of new and stale keys instead of entries
 */
struct seen_nl_task {
	int (*op)(struct seen_binding *binding, struct seen_nl_record *record,
		  struct netlink_ext_ack *extack);
	bool stored;
	bool listed;
	bool valued;
	bool tells;
	bool adds;
};

/* seen_nl_key_answer() - convert to enum seen_key_result, or to an error with a text */
int seen_nl_key_answer(enum seen_result result, struct netlink_ext_ack *extack);

/**
 * seen_nl_key_find() - find the filter that a request with keys names
 * @info: the request
 * @change: true: seen_net.changes is held and seen_net.lock is not; false: the lock is held
 *
 * Return: the binding of the filter, or ERR_PTR with a text.
 */
struct seen_binding *seen_nl_key_find(struct genl_info *info, bool change);

/* seen_nl_key_run() - check all keys, apply them in order, reply; 0 or an error with a text */
int seen_nl_key_run(struct genl_info *info, struct seen_binding *binding,
		    const struct seen_nl_task *task);

/* seen_nl_key_find_and_run() - seen_nl_key_find() without @change, then seen_nl_key_run() */
int seen_nl_key_find_and_run(struct genl_info *info,
			     const struct seen_nl_task *task);

#endif
