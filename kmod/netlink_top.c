// SPDX-License-Identifier: GPL-2.0
/* What is told of a sketch's heaviest keys. */
#include <linux/mm.h>

#include "core/top.h"
#include "netlink.h"
#include "binding.h"

static size_t records_bytes(const struct seen_top_entry *list, u32 count)
{
	size_t bytes = 0;
	u32 i;

	for (i = 0; i < count; i++)
		bytes += sizeof(list[i].item.len) + list[i].item.len;
	return bytes;
}

static int put_keys(struct sk_buff *reply, const struct seen_top_entry *list,
		    u32 count)
{
	struct nlattr *data = nla_reserve(reply, SEEN_A_KEY_DATA,
					  records_bytes(list, count));
	u8 *to;
	u32 i;

	if (!data)
		return -EMSGSIZE;
	to = nla_data(data);
	for (i = 0; i < count; i++) {
		const struct seen_item *item = &list[i].item;

		memcpy(to, &item->len, sizeof(item->len));
		to += sizeof(item->len);
		memcpy(to, item->key, item->len);
		to += item->len;
	}
	return 0;
}

static int nl_top_put_counts(struct sk_buff *reply, const struct seen_top_entry *list,
			     u32 count)
{
	struct nlattr *values = nla_reserve(reply, SEEN_A_KEY_VALUES,
					    count * sizeof(u32));
	u32 *to, i;

	if (!values)
		return -EMSGSIZE;
	to = nla_data(values);
	for (i = 0; i < count; i++)
		to[i] = list[i].count;
	return 0;
}

static int nl_top_tell(struct genl_info *info, const struct seen_top_entry *list,
		       u32 count)
{
	struct sk_buff *reply;
	void *header;

	reply = seen_nl_reply(info,
			      nla_total_size(records_bytes(list, count)) +
			      nla_total_size(count * sizeof(u32)));
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &seen_family, 0,
				   SEEN_CMD_TOP_GET);
	return seen_nl_send(info, reply, header,
			    !header || put_keys(reply, list, count) ||
			    nl_top_put_counts(reply, list, count));
}

/* What was counted while the sweep turned late is 0, or a part. */
static int refuse_late(const struct seen_set *set, struct netlink_ext_ack *extack)
{
	if (!seen_set_stale(set))
		return 0;
	NL_SET_ERR_MSG(extack, "top: the sweep is late, and no count is known");
	return -EAGAIN;
}

int seen_nl_top_get(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_top_entry *list;
	struct seen_binding *binding;
	struct seen_set *set;
	u32 count;
	int err;

	binding = seen_nl_binding_find(info, &seen_nl_key_filter);
	if (IS_ERR(binding))
		return PTR_ERR(binding);
	set = &seen_binding_filter(binding)->set;
	if (!set->top) {
		NL_SET_ERR_MSG(info->extack,
			       "top: this filter keeps no list; types cms and cmm can");
		return -EOPNOTSUPP;
	}
	list = kvcalloc(set->geo.top, sizeof(*list), GFP_KERNEL);
	if (!list) {
		NL_SET_ERR_MSG(info->extack, "top: not enough memory");
		return -ENOMEM;
	}
	count = seen_top_list(set, list, set->geo.top);
	err = refuse_late(set, info->extack) ?: nl_top_tell(info, list, count);
	kvfree(list);
	return err;
}
