// SPDX-License-Identifier: GPL-2.0
/* Commands of allow lists. */
#include <net/sock.h>

#include "allow.h"
#include "netlink_key.h"

static int nl_allow_add(struct seen_binding *binding, struct seen_nl_record *record,
			struct netlink_ext_ack *extack)
{
	int err = seen_allow_add(binding, &record->key, extack);

	if (err < 0)
		return err;
	return err ? SEEN_KEY_RESULT_SEEN : SEEN_KEY_RESULT_NEW;
}

static int nl_allow_del(struct seen_binding *binding, struct seen_nl_record *record,
			struct netlink_ext_ack *extack)
{
	return seen_allow_del(binding, &record->key) ?
	       SEEN_KEY_RESULT_SEEN : SEEN_KEY_RESULT_ABSENT;
}

static u32 allow_count(const struct seen_binding *binding)
{
	const struct seen_allow *allow = seen_binding_allow(binding);

	return allow ? allow->count : 0;
}

/* Announce a change even after an error: keys before the refused key were processed. */
static int allow_run(struct genl_info *info, const struct seen_nl_task *task)
{
	struct seen_binding *binding = seen_nl_key_find(info, true);
	u32 before;
	int err;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	before = allow_count(binding);
	err = seen_nl_key_run(info, binding, task);
	if (allow_count(binding) != before)
		seen_binding_changed_unlocked(binding, SEEN_CHANGE_ALLOW);
	return err;
}

int seen_nl_allow_add(struct sk_buff *skb, struct genl_info *info)
{
	static const struct seen_nl_task task = {
		.op = nl_allow_add, .listed = true, .adds = true,
	};

	return allow_run(info, &task);
}

int seen_nl_allow_del(struct sk_buff *skb, struct genl_info *info)
{
	static const struct seen_nl_task task = { .op = nl_allow_del };

	return allow_run(info, &task);
}

/*
 * Continues after the number of the last key. So a key that stays on the list is in the dump
 * exactly once.
 */
static int nl_allow_put(struct sk_buff *skb, struct netlink_callback *cb,
			const struct seen_allow *allow)
{
	const struct seen_allowed *allowed = NULL;
	u32 last = cb->args[0];
	void *header;

	if (allow && last != U32_MAX)
		allowed = seen_allow_from(allow, last + 1);
	if (!allowed)
		return 0;
	header = seen_nl_dump_begin(skb, cb, SEEN_CMD_ALLOW_GET);
	if (!header)
		return -EMSGSIZE;
	for (; allowed; allowed = seen_allow_next(allowed)) {
		if (seen_nl_entry_put_key(skb, allowed->key, allowed->len, NULL))
			break;
		cb->args[0] = allowed->number;
	}
	return seen_nl_dump_end(skb, header, cb->args[0] != last);
}

int seen_nl_allow_start(struct netlink_callback *cb)
{
	/* The buffer has room for the longest key and its headers. */
	BUILD_BUG_ON(SEEN_ALLOWED_MAX + 1024 > SEEN_NL_DUMP_BYTES);
	cb->min_dump_alloc = SEEN_NL_DUMP_BYTES;
	return 0;
}

int seen_nl_allow_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct seen_net *sn = seen_net(sock_net(skb->sk));
	struct seen_binding *binding;
	int err;

	down_read(&sn->lock);
	binding = seen_nl_binding_find_to_dump(cb, &seen_nl_key_filter);
	err = PTR_ERR_OR_ZERO(binding);
	if (!err) {
		cb->seq = binding->allow_seq + 1;
		err = nl_allow_put(skb, cb, seen_binding_allow(binding));
	}
	up_read(&sn->lock);
	return err ?: skb->len;
}
