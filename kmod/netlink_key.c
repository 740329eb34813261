// SPDX-License-Identifier: GPL-2.0
/*
 * Keys in bulk: thousands a message. The whole message is checked before the
 * first key is applied; then keys are applied in order until one is refused.
 * The reply has an answer for every key that was tried.
 */
#include <linux/sched.h>

#include "allow.h"
#include "netlink.h"

/* Keys applied between two chances to be scheduled away. */
#define SLICE	256
/* Bytes of an allow list that one reply tells. */
#define LISTING		16384

/**
 * struct record - a cursor over SEEN_A_KEY_DATA
 * @key: the bytes
 * @len: how many
 */
struct record {
	const u8 *key;
	u16 len;
};

/* Returns where the next record begins, or NULL if this one is cut short. */
static const u8 *next_record(const u8 *at, const u8 *end, struct record *record)
{
	if (end - at < (ptrdiff_t)sizeof(record->len))
		return NULL;
	memcpy(&record->len, at, sizeof(record->len));
	record->key = at + sizeof(record->len);
	if (end - record->key < record->len)
		return NULL;
	return record->key + record->len;
}

/* Counts the records, or refuses them all. */
static int check(const struct nlattr *data, const struct seen_keyspec *spec,
		 struct netlink_ext_ack *extack)
{
	const u8 *at = nla_data(data), *end = at + nla_len(data);
	struct record record;
	int count = 0;

	while (at < end) {
		at = next_record(at, end, &record);
		if (!at) {
			NL_SET_ERR_MSG_ATTR(extack, data,
					    "keys: the last record is cut short");
			return -EINVAL;
		}
		if (!seen_keyspec_check(spec, record.len)) {
			NL_SET_ERR_MSG_ATTR(extack, data,
					    "keys: a key's length does not fit the filter's key");
			return -EINVAL;
		}
		count++;
	}
	if (count)
		return count;
	NL_SET_ERR_MSG_ATTR(extack, data, "keys: none given");
	return -EINVAL;
}

/*
 * What is done with each key. Return: enum seen_key_result, or an error, with its
 * text: the key is refused.
 */
typedef int key_op(struct seen_slot *slot, const struct record *record,
		   struct netlink_ext_ack *extack);

static int answer(enum seen_result result, struct netlink_ext_ack *extack)
{
	static const u8 answers[] = {
		[SEEN_NEW] = SEEN_KEY_NEW,
		[SEEN_SEEN] = SEEN_KEY_SEEN,
		[SEEN_ABSENT] = SEEN_KEY_ABSENT,
		[SEEN_STALE] = SEEN_KEY_STALE,
	};

	switch (result) {
	case SEEN_FULL:
		NL_SET_ERR_MSG(extack, "keys: the filter is full");
		return -ENOSPC;
	case SEEN_COPIES:
		NL_SET_ERR_MSG(extack,
			       "keys: as many copies as fit of this key are there");
		return -EOVERFLOW;
	default:
		return answers[result];
	}
}

static u64 hash(const struct seen_filter *filter, const struct record *record)
{
	return seen_filter_hash(filter, record->key, record->len);
}

static int add(struct seen_slot *slot, const struct record *record,
	       struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_slot_filter(slot);

	return answer(seen_filter_add(filter, hash(filter, record)), extack);
}

static int add_new(struct seen_slot *slot, const struct record *record,
		   struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_slot_filter(slot);

	return answer(seen_filter_test_and_add(filter, hash(filter, record)),
		      extack);
}

static int test(struct seen_slot *slot, const struct record *record,
		struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_slot_filter(slot);
	struct seen_allow *allow = seen_slot_allow(slot);

	if (allow && seen_allow_find(allow, record->key, record->len))
		return SEEN_KEY_ALLOWED;
	return answer(seen_filter_test(filter, hash(filter, record)), extack);
}

static int del(struct seen_slot *slot, const struct record *record,
	       struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_slot_filter(slot);

	return answer(seen_filter_del(filter, hash(filter, record)), extack);
}

static int allow(struct seen_slot *slot, const struct record *record,
		 struct netlink_ext_ack *extack)
{
	int err = seen_allow_add(slot, record->key, record->len, extack);

	if (err < 0)
		return err;
	return err ? SEEN_KEY_SEEN : SEEN_KEY_NEW;
}

static int disallow(struct seen_slot *slot, const struct record *record,
		    struct netlink_ext_ack *extack)
{
	return seen_allow_del(slot, record->key, record->len) ?
	       SEEN_KEY_SEEN : SEEN_KEY_ABSENT;
}

/* Returns the error of the key that was refused, if one was. */
static int apply(struct seen_slot *slot, const struct nlattr *data, key_op *op,
		 u8 *results, u32 *done, struct netlink_ext_ack *extack)
{
	const u8 *at = nla_data(data), *end = at + nla_len(data);
	struct record record;
	int result;

	for (*done = 0; at < end; ++*done) {
		at = next_record(at, end, &record);
		result = op(slot, &record, extack);
		if (result < 0) {
			results[*done] = result == -EOVERFLOW ?
					 SEEN_KEY_COPIES : SEEN_KEY_FULL;
			return result;
		}
		results[*done] = result;
		if (*done % SLICE == SLICE - 1)
			cond_resched();
	}
	return 0;
}

/* @change: not under the lock, but its namespace's changes */
static struct seen_slot *find(struct genl_info *info, bool change)
{
	const struct nlattr *name = info->attrs[SEEN_A_KEY_FILTER];
	struct seen_net *sn = seen_info_net(info);

	if (!info->attrs[SEEN_A_KEY_DATA]) {
		NL_SET_ERR_MSG(info->extack, "keys: none given");
		return ERR_PTR(-EINVAL);
	}
	return change ? seen_slot_find_to_change(sn, name, info->extack)
		      : seen_slot_find(sn, name, info->extack);
}

/*
 * The reply goes out even if a key was refused: it tells which. The error with
 * its text follows.
 */
static int run(struct genl_info *info, struct seen_slot *slot, key_op *op)
{
	const struct nlattr *data = info->attrs[SEEN_A_KEY_DATA];
	struct nlattr *results;
	struct sk_buff *reply;
	void *header;
	int count, err;
	u32 done;

	count = check(data, &seen_slot_filter(slot)->spec, info->extack);
	if (count < 0)
		return count;
	reply = seen_nl_reply(info, nla_total_size(count) +
			      2 * nla_total_size(4));
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &seen_family, 0,
				   info->genlhdr->cmd);
	results = nla_reserve(reply, SEEN_A_KEY_RESULTS, count);
	if (!header || !results) {
		nlmsg_free(reply);
		return -EMSGSIZE;
	}
	memset(nla_data(results), 0, count);
	err = apply(slot, data, op, nla_data(results), &done, info->extack);
	if (nla_put_u32(reply, SEEN_A_KEY_DONE, done) ||
	    (err && nla_put_u32(reply, SEEN_A_KEY_FAILED, done))) {
		nlmsg_free(reply);
		return -EMSGSIZE;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info) ?: err;
}

static int find_and_run(struct genl_info *info, bool change, key_op *op)
{
	struct seen_slot *slot = find(info, change);

	return IS_ERR(slot) ? PTR_ERR(slot) : run(info, slot, op);
}

int seen_nl_key_add(struct sk_buff *skb, struct genl_info *info)
{
	key_op *op = info->attrs[SEEN_A_KEY_IF_NEW] ? add_new : add;

	return find_and_run(info, false, op);
}

int seen_nl_key_test(struct sk_buff *skb, struct genl_info *info)
{
	return find_and_run(info, false, test);
}

int seen_nl_key_del(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_slot *slot = find(info, false);

	if (IS_ERR(slot))
		return PTR_ERR(slot);
	if (!seen_set_can_del(&seen_slot_filter(slot)->set.geo)) {
		NL_SET_ERR_MSG(info->extack,
			       "type: a Bloom filter cannot forget a key; use type cuckoo");
		return -EOPNOTSUPP;
	}
	return run(info, slot, del);
}

int seen_nl_allow_add(struct sk_buff *skb, struct genl_info *info)
{
	return find_and_run(info, true, allow);
}

int seen_nl_allow_del(struct sk_buff *skb, struct genl_info *info)
{
	return find_and_run(info, true, disallow);
}

/* Keys from @from on, as many as fit; the number where to go on, 0: no more. */
static u32 put_allowed(const struct seen_allow *allow, u32 from, u8 *to,
		       u32 *used)
{
	const struct seen_allowed *allowed;

	*used = 0;
	list_for_each_entry(allowed, &allow->order, list) {
		if (allowed->number < from)
			continue;
		if (*used + sizeof(allowed->len) + allowed->len > LISTING)
			return allowed->number;
		memcpy(to + *used, &allowed->len, sizeof(allowed->len));
		*used += sizeof(allowed->len);
		memcpy(to + *used, allowed->key, allowed->len);
		*used += allowed->len;
	}
	return 0;
}

/* A listing is several requests: what is on the list all the time is told once. */
int seen_nl_allow_get(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *from = info->attrs[SEEN_A_KEY_FROM], *data;
	struct seen_slot *slot;
	struct sk_buff *reply;
	u32 used = 0, next = 0;
	void *header;

	slot = seen_slot_find(seen_info_net(info),
			      info->attrs[SEEN_A_KEY_FILTER], info->extack);
	if (IS_ERR(slot))
		return PTR_ERR(slot);
	reply = seen_nl_reply(info, nla_total_size(LISTING) +
			      nla_total_size(4));
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &seen_family, 0,
				   info->genlhdr->cmd);
	data = nla_reserve(reply, SEEN_A_KEY_DATA, LISTING);
	if (!header || !data) {
		nlmsg_free(reply);
		return -EMSGSIZE;
	}
	memset(nla_data(data), 0, LISTING);
	if (seen_slot_allow(slot))
		next = put_allowed(seen_slot_allow(slot),
				   from ? nla_get_u32(from) : 0,
				   nla_data(data), &used);
	data->nla_len = nla_attr_size(used);
	skb_trim(reply, (u8 *)data + NLA_ALIGN(data->nla_len) - reply->data);
	if (next && nla_put_u32(reply, SEEN_A_KEY_NEXT, next)) {
		nlmsg_free(reply);
		return -EMSGSIZE;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);
}
