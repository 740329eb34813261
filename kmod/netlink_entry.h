/* SPDX-License-Identifier: GPL-2.0 */
/* Keys in messages: one nest per key, or, in a request, all keys in SEEN_A_KEY_PACKED. */
#ifndef SEEN_NETLINK_ENTRY_H
#define SEEN_NETLINK_ENTRY_H

#include "netlink.h"

/* Bytes of an entry in a reply: the nest with its result, and the value in it. */
#define SEEN_NL_RESULT_BYTES	nla_total_size(nla_total_size(sizeof(u32)))
#define SEEN_NL_VALUE_BYTES	nla_total_size(sizeof(u32))

/**
 * struct seen_nl_entry - a key of a request
 * @bytes: canonical key, not trusted
 * @len: number of @bytes
 * @value: SEEN_A_ENTRY_VALUE, or NULL
 */
struct seen_nl_entry {
	const u8 *bytes;
	u16 len;
	const struct nlattr *value;
};

/**
 * struct seen_nl_cursor - a walk over the keys of a request
 * @attr: without @packed: the next attribute of the message
 * @rest: without @packed: bytes of the message from @attr on
 * @packed: SEEN_A_KEY_PACKED; NULL: the keys are SEEN_A_KEY_ENTRY
 * @at: bytes of @packed that were read
 */
struct seen_nl_cursor {
	const struct nlattr *attr;
	int rest;
	const struct nlattr *packed;
	int at;
};

/* seen_nl_cursor_begin() - start a walk before the first key of a request */
void seen_nl_cursor_begin(struct seen_nl_cursor *cursor,
			  const struct genl_info *info);

/**
 * seen_nl_cursor_next() - read the next key
 * @cursor: the walk; the request has passed its policy
 * @entry: out: the key
 * @extack: receives the text of an error; may be NULL
 *
 * Return: 1; 0: no key is left; -EINVAL: malformed.
 */
int seen_nl_cursor_next(struct seen_nl_cursor *cursor, struct seen_nl_entry *entry,
			struct netlink_ext_ack *extack);

/* seen_nl_cursor_end() - end the walk: seen_nl_cursor_next() returns 0 from now on */
void seen_nl_cursor_end(struct seen_nl_cursor *cursor);

/* seen_nl_entry_read() - read the key of a nest; -EINVAL, with a text: the nest has no key */
int seen_nl_entry_read(const struct nlattr *nest, struct seen_nl_entry *entry,
		       struct netlink_ext_ack *extack);

/* seen_nl_entry_put_result() - put an entry of a reply; @value may be NULL; 0 or -EMSGSIZE */
int seen_nl_entry_put_result(struct sk_buff *skb, u32 result, const u32 *value);

/* seen_nl_entry_put_key() - put an entry of a dump; @value may be NULL; 0 or -EMSGSIZE */
int seen_nl_entry_put_key(struct sk_buff *skb, const void *key, u16 len,
			  const u32 *value);

#endif
