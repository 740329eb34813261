// SPDX-License-Identifier: GPL-2.0
/* Keys in messages; netlink_entry.h. */
#include "netlink_entry.h"

/* Bytes of the length before a packed key: struct seen_packed_key. */
#define PACKED_HEAD	2

void seen_nl_cursor_begin(struct seen_nl_cursor *cursor,
			  const struct genl_info *info)
{
	*cursor = (struct seen_nl_cursor) {
		.attr = nlmsg_attrdata(info->nlhdr, GENL_HDRLEN),
		.rest = nlmsg_attrlen(info->nlhdr, GENL_HDRLEN),
		.packed = info->attrs[SEEN_A_KEY_PACKED],
	};
}

int seen_nl_entry_read(const struct nlattr *nest, struct seen_nl_entry *entry,
		       struct netlink_ext_ack *extack)
{
	const struct nlattr *nla;
	int rest;

	*entry = (struct seen_nl_entry) {};
	nla_for_each_nested(nla, nest, rest) {
		if (nla_type(nla) == SEEN_A_ENTRY_VALUE)
			entry->value = nla;
		if (nla_type(nla) != SEEN_A_ENTRY_KEY)
			continue;
		entry->bytes = nla_data(nla);
		entry->len = nla_len(nla);
	}
	if (entry->bytes)
		return 0;
	NL_SET_ERR_ATTR_MISS(extack, nest, SEEN_A_ENTRY_KEY);
	return -EINVAL;
}

/* A packed key: its length in little-endian order, then its bytes. */
static int entry_next_packed(struct seen_nl_cursor *cursor,
			     struct seen_nl_entry *entry,
			     struct netlink_ext_ack *extack)
{
	const u8 *at = nla_data(cursor->packed) + cursor->at;
	int left = nla_len(cursor->packed) - cursor->at;

	if (!left)
		return 0;
	entry->value = NULL;
	entry->bytes = at + PACKED_HEAD;
	entry->len = left < PACKED_HEAD ? 0 : at[0] | at[1] << 8;
	if (left < PACKED_HEAD + entry->len) {
		NL_SET_ERR_MSG_ATTR(extack, cursor->packed,
				    "keys: the last packed key is truncated");
		return -EINVAL;
	}
	cursor->at += PACKED_HEAD + entry->len;
	return 1;
}

int seen_nl_cursor_next(struct seen_nl_cursor *cursor, struct seen_nl_entry *entry,
			struct netlink_ext_ack *extack)
{
	const struct nlattr *nla;

	if (cursor->packed)
		return entry_next_packed(cursor, entry, extack);
	while (nla_ok(cursor->attr, cursor->rest)) {
		nla = cursor->attr;
		cursor->attr = nla_next(nla, &cursor->rest);
		if (nla_type(nla) == SEEN_A_KEY_ENTRY)
			return seen_nl_entry_read(nla, entry, extack) ?: 1;
	}
	return 0;
}

void seen_nl_cursor_end(struct seen_nl_cursor *cursor)
{
	cursor->rest = 0;
	if (cursor->packed)
		cursor->at = nla_len(cursor->packed);
}

/* End an entry; if an attribute did not fit, remove the whole entry. */
static int entry_end(struct sk_buff *skb, struct nlattr *nest, int err)
{
	if (err) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

int seen_nl_entry_put_result(struct sk_buff *skb, u32 result, const u32 *value)
{
	struct nlattr *nest = nla_nest_start(skb, SEEN_A_KEY_ENTRY);

	if (!nest)
		return -EMSGSIZE;
	return entry_end(skb, nest,
			 nla_put_u32(skb, SEEN_A_ENTRY_RESULT, result) ||
			 (value && nla_put_u32(skb, SEEN_A_ENTRY_VALUE, *value)));
}

int seen_nl_entry_put_key(struct sk_buff *skb, const void *key, u16 len,
			  const u32 *value)
{
	struct nlattr *nest = nla_nest_start(skb, SEEN_A_KEY_ENTRY);

	if (!nest)
		return -EMSGSIZE;
	return entry_end(skb, nest,
			 nla_put(skb, SEEN_A_ENTRY_KEY, len, key) ||
			 (value && nla_put_u32(skb, SEEN_A_ENTRY_VALUE, *value)));
}
