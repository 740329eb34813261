// SPDX-License-Identifier: GPL-2.0
/*
 * Keys in bulk: thousands a message. The whole message is checked before the
 * first key is applied; then keys are applied in order until one is refused.
 * The reply has an answer for every key that was tried.
 */
#include <linux/sched.h>

#include "netlink.h"
#include "registry.h"

/* Keys applied between two chances to be scheduled away. */
#define SLICE	256

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

static const u8 answers[] = {
	[SEEN_NEW] = SEEN_KEY_NEW,
	[SEEN_SEEN] = SEEN_KEY_SEEN,
	[SEEN_FULL] = SEEN_KEY_FULL,
	[SEEN_COPIES] = SEEN_KEY_COPIES,
	[SEEN_ABSENT] = SEEN_KEY_ABSENT,
	[SEEN_STALE] = SEEN_KEY_STALE,
};

static bool refused(enum seen_result result)
{
	return result == SEEN_FULL || result == SEEN_COPIES;
}

/* Returns how many keys were tried; the last of them may have been refused. */
static u32 apply(struct seen_filter *filter, const struct nlattr *data,
		 enum seen_result (*op)(struct seen_filter *filter, u64 hash),
		 u8 *results)
{
	const u8 *at = nla_data(data), *end = at + nla_len(data);
	struct record record;
	u32 done = 0;

	while (at < end) {
		enum seen_result result;

		at = next_record(at, end, &record);
		result = op(filter, seen_filter_hash(filter, record.key,
						     record.len));
		results[done++] = answers[result];
		if (refused(result))
			break;
		if (done % SLICE == 0)
			cond_resched();
	}
	return done;
}

static int refuse(u8 answer, struct netlink_ext_ack *extack)
{
	if (answer == SEEN_KEY_FULL) {
		NL_SET_ERR_MSG(extack, "keys: the filter is full");
		return -ENOSPC;
	}
	if (answer == SEEN_KEY_COPIES) {
		NL_SET_ERR_MSG(extack,
			       "keys: as many copies as fit of this key are there");
		return -EOVERFLOW;
	}
	return 0;
}

static struct seen_filter *find(struct genl_info *info)
{
	struct seen_slot *slot;

	if (!info->attrs[SEEN_A_KEY_DATA]) {
		NL_SET_ERR_MSG(info->extack, "keys: none given");
		return ERR_PTR(-EINVAL);
	}
	slot = seen_slot_find(seen_info_net(info),
			      info->attrs[SEEN_A_KEY_FILTER], info->extack);
	return IS_ERR(slot) ? ERR_CAST(slot) : seen_slot_filter(slot);
}

/*
 * The reply goes out even if a key was refused: it tells which. The error with
 * its text follows.
 */
static int run(struct genl_info *info, struct seen_filter *filter,
	       enum seen_result (*op)(struct seen_filter *filter, u64 hash))
{
	const struct nlattr *data = info->attrs[SEEN_A_KEY_DATA];
	struct nlattr *results;
	struct sk_buff *reply;
	void *header;
	int count, err;
	u32 done;

	count = check(data, &filter->spec, info->extack);
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
	done = apply(filter, data, op, nla_data(results));
	err = refuse(((u8 *)nla_data(results))[done - 1], info->extack);
	if (nla_put_u32(reply, SEEN_A_KEY_DONE, err ? done - 1 : done) ||
	    (err && nla_put_u32(reply, SEEN_A_KEY_FAILED, done - 1))) {
		nlmsg_free(reply);
		return -EMSGSIZE;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info) ?: err;
}

int seen_nl_key_add(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_filter *filter = find(info);

	if (IS_ERR(filter))
		return PTR_ERR(filter);
	return run(info, filter, info->attrs[SEEN_A_KEY_IF_NEW] ?
				 seen_filter_test_and_add : seen_filter_add);
}

int seen_nl_key_test(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_filter *filter = find(info);

	if (IS_ERR(filter))
		return PTR_ERR(filter);
	return run(info, filter, seen_filter_test);
}

int seen_nl_key_del(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_filter *filter = find(info);

	if (IS_ERR(filter))
		return PTR_ERR(filter);
	if (!seen_set_can_del(&filter->set.geo)) {
		NL_SET_ERR_MSG(info->extack,
			       "type: a Bloom filter cannot forget a key; use type cuckoo");
		return -EOPNOTSUPP;
	}
	return run(info, filter, seen_filter_del);
}
