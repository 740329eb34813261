/* SPDX-License-Identifier: GPL-2.0 */
/* Keys in messages: one nest for each, or, in a request, all of them in one attribute. */
#ifndef SEEN_NETLINK_ENTRY_H
#define SEEN_NETLINK_ENTRY_H

#include "netlink.h"

/* Bytes of an entry in a reply: its result, and its value. */
#define SEEN_NL_RESULT_BYTES	nla_total_size(nla_total_size(sizeof(u32)))
#define SEEN_NL_VALUE_BYTES	nla_total_size(sizeof(u32))

/**
 * struct seen_nl_entry - a key of a request
 * @bytes: of the key, not trusted
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
 * @attr: entries: the next attribute of the message
 * @rest: bytes of the message from @attr on
 * @packed: SEEN_A_KEY_PACKED, or NULL: the keys are entries
 * @at: packed: bytes of it that were read
 */
struct seen_nl_cursor {
	const struct nlattr *attr;
	int rest;
	const struct nlattr *packed;
	int at;
};

/* seen_nl_cursor_begin() - before the first key of a request */
void seen_nl_cursor_begin(struct seen_nl_cursor *cursor,
			  const struct genl_info *info);

/**
 * seen_nl_cursor_next() - read the next key
 * @cursor: of a request whose attributes its policy has accepted
 * @entry: out
 * @extack: why the key cannot be read
 *
 * Return: 1; 0: there is no key left; -EINVAL.
 */
int seen_nl_cursor_next(struct seen_nl_cursor *cursor, struct seen_nl_entry *entry,
			struct netlink_ext_ack *extack);

/* seen_nl_cursor_end() - go to the end: no key is read any more */
void seen_nl_cursor_end(struct seen_nl_cursor *cursor);

/* seen_nl_entry_read() - the key of one nest; -EINVAL, with a text: there is none */
int seen_nl_entry_read(const struct nlattr *nest, struct seen_nl_entry *entry,
		       struct netlink_ext_ack *extack);

/* seen_nl_entry_put_result() - an entry of a reply; @value may be NULL. 0 or -EMSGSIZE */
int seen_nl_entry_put_result(struct sk_buff *skb, u32 result, const u32 *value);

/* seen_nl_entry_put_key() - an entry of a dump; @value may be NULL. 0 or -EMSGSIZE */
int seen_nl_entry_put_key(struct sk_buff *skb, const void *key, u16 len,
			  const u32 *value);

#endif
