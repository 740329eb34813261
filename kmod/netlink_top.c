// SPDX-License-Identifier: GPL-2.0
/* Dump the heaviest keys of a sketch. */
#include <linux/mm.h>
#include <net/sock.h>

#include "binding.h"
#include "core/top.h"
#include "limit.h"
#include "netlink_entry.h"

/**
 * struct nl_top - the copied list of a dump, from its start to its end
 * @count: number of keys
 * @next: index of the next key to dump
 * @list: the keys with their counts, heaviest first
 */
struct nl_top {
	u32 count;
	u32 next;
	struct seen_top_entry list[];
};

/* While the sweep is late, counts are 0 or too low. */
static int nl_top_refuse_late(const struct seen_set *set,
			      struct netlink_ext_ack *extack)
{
	if (!seen_set_stale(set))
		return 0;
	NL_SET_ERR_MSG(extack, "top: the sweep is late and counts are incomplete; try again");
	return -EAGAIN;
}

static int nl_top_copy(struct netlink_callback *cb, struct seen_set *set)
{
	struct nl_top *top;
	int err;

	if (!set->top) {
		NL_SET_ERR_MSG(cb->extack,
			       "top: this filter has no list; add a filter of type cms or cmm with top");
		return -EOPNOTSUPP;
	}
	top = kvzalloc(struct_size(top, list, set->geo.top), SEEN_GFP);
	if (!top) {
		NL_SET_ERR_MSG(cb->extack, SEEN_TEXT_MEMORY("top"));
		return -ENOMEM;
	}
	top->count = seen_top_list(set, top->list, set->geo.top);
	err = nl_top_refuse_late(set, cb->extack);
	if (err)
		kvfree(top);
	else
		cb->args[0] = (unsigned long)top;
	return err;
}

/* Copy the list once, so that all messages of the dump show the same moment. */
static int nl_top_begin(struct netlink_callback *cb)
{
	struct seen_net *sn = seen_net(sock_net(cb->skb->sk));
	struct seen_binding *binding;
	int err;

	down_read(&sn->lock);
	binding = seen_nl_binding_find_to_dump(cb, &seen_nl_key_filter);
	err = IS_ERR(binding) ? PTR_ERR(binding) :
	      nl_top_copy(cb, &seen_binding_filter(binding)->set);
	up_read(&sn->lock);
	return err;
}

int seen_nl_top_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	int err = cb->args[0] ? 0 : nl_top_begin(cb);
	const struct seen_top_entry *entry;
	struct nl_top *top;
	void *header;
	u32 first;

	if (err)
		return err;
	top = (struct nl_top *)cb->args[0];
	first = top->next;
	if (first == top->count)
		return 0;
	header = seen_nl_dump_begin(skb, cb, SEEN_CMD_TOP_GET);
	if (!header)
		return -EMSGSIZE;
	for (; top->next < top->count; top->next++) {
		entry = &top->list[top->next];
		if (seen_nl_entry_put_key(skb, entry->item.key, entry->item.len,
					  &entry->count))
			break;
	}
	return seen_nl_dump_end(skb, header, top->next > first) ?: skb->len;
}

int seen_nl_top_done(struct netlink_callback *cb)
{
	kvfree((void *)cb->args[0]);
	return 0;
}
