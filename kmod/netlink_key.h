/* SPDX-License-Identifier: GPL-2.0 */
/* Requests for many keys: what is done with each of them, and how they run. */
#ifndef SEEN_NETLINK_KEY_H
#define SEEN_NETLINK_KEY_H

#include "binding.h"
#include "netlink_entry.h"

/**
 * struct seen_nl_record - a key of a request
 * @key: refers to the message
 * @value: in: that a map stores with the key; out: that the map has, or a count
 * @last: a map has other hashes by now, or gets none
 */
struct seen_nl_record {
	struct seen_key key;
	u32 value;
	bool last;
};

/**
 * struct seen_nl_task - what a command does with keys
 * @op: done with each key: its enum seen_key_result, or an error; -EAGAIN: again, after
 *      seen_rehash()
 * @stored: keys that the filter cannot hold are refused
 * @listed: keys that an allow list cannot hold are refused
 * @valued: a key may have a value
 * @tells: the reply has a value for each key
 * @adds: the reply to packed keys has no entries, but how many keys were new
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

/* seen_nl_key_answer() - enum seen_key_result, or -ENOSPC or -EOVERFLOW with a text */
int seen_nl_key_answer(enum seen_result result, struct netlink_ext_ack *extack);

/**
 * seen_nl_key_find() - the filter of a request
 * @info: the request
 * @change: seen_net.changes is held, and not its lock
 *
 * Return: its binding, or ERR_PTR with a text.
 */
struct seen_binding *seen_nl_key_find(struct genl_info *info, bool change);

/* seen_nl_key_run() - check all keys, apply them, reply; 0 or an error with a text */
int seen_nl_key_run(struct genl_info *info, struct seen_binding *binding,
		    const struct seen_nl_task *task);

/* seen_nl_key_find_and_run() - both */
int seen_nl_key_find_and_run(struct genl_info *info,
			     const struct seen_nl_task *task);

#endif
