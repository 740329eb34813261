// SPDX-License-Identifier: GPL-2.0
/*
 * Keys by their hash, in bulk: keys that other hosts have seen, with the age of their
 * sighting. All records are checked before the first is applied.
 */
#include <linux/jiffies.h>
#include <linux/sched.h>

#include "binding.h"
#include "core/prefetch.h"
#include "guard.h"
#include "netlink.h"

/* Records applied between two calls of cond_resched(). */
#define SLICE	256

/* The records of a request, which netlink aligns to 4 bytes. */
struct nl_hashes {
	const u8 *data;
	u32 count;
};

static struct seen_packed_record hash_at(const struct nl_hashes *hashes, u32 at)
{
	struct seen_packed_record record;

	memcpy(&record, hashes->data + at * sizeof(record), sizeof(record));
	return record;
}

/* News without a key have an age only. */
static int nl_hash_parse(struct genl_info *info, struct nl_hashes *hashes)
{
	const struct nlattr *data = info->attrs[SEEN_A_FEED_DATA];

	BUILD_BUG_ON(sizeof(struct seen_packed_record) != SEEN_RECORD_BYTES);
	*hashes = (struct nl_hashes) {};
	if (!data && info->attrs[SEEN_A_FEED_AGE])
		return 0;
	if (!data) {
		NL_SET_ERR_MSG(info->extack, "data: required");
		return -EINVAL;
	}
	if (nla_len(data) % SEEN_RECORD_BYTES)
		return seen_nl_refuse(info, data, "data: must be whole records of 16 bytes");
	hashes->data = nla_data(data);
	hashes->count = nla_len(data) / SEEN_RECORD_BYTES;
	return 0;
}

/* The request is for a filter whose entries other hosts can use. */
static struct seen_binding *nl_hash_find(struct genl_info *info, struct nl_hashes *hashes)
{
	struct seen_binding *binding = seen_nl_binding_find(info, &seen_nl_feed_filter);
	const struct seen_filter *filter;
	int err;

	if (IS_ERR(binding))
		return binding;
	filter = seen_binding_filter(binding);
	err = seen_feed_check(&filter->set.geo, &filter->spec, info->extack) ?:
	      seen_guard_check_feed(binding, info->extack) ?:
	      nl_hash_parse(info, hashes);
	return err ? ERR_PTR(err) : binding;
}

/* A deleted key has no place among keys to add. */
static int nl_hash_check_add(struct genl_info *info, const struct seen_binding *binding,
			     const struct nl_hashes *hashes)
{
	u32 i;

	if (info->attrs[SEEN_A_FEED_AGE] && !binding->feed) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[SEEN_A_FEED_AGE],
				    "age: the filter has no feed; use feed add");
		return -EINVAL;
	}
	for (i = 0; i < hashes->count; i++)
		if (hash_at(hashes, i).age & SEEN_RECORD_DELETED)
			return seen_nl_refuse(info, info->attrs[SEEN_A_FEED_DATA],
					      "data: a record is of a deleted key; use hash del");
	return 0;
}

/*
 * The age of a key may have been measured a jiffy too long, here and at its sighting; round it
 * down, so that no key expires early.
 */
static u64 nl_hash_age(u64 age)
{
	u64 jiffy = jiffies_to_nsecs(1);

	return age > jiffy ? age - jiffy : 0;
}

static u8 nl_hash_add_one(struct seen_filter *filter,
			  const struct seen_packed_record *record)
{
	switch (seen_filter_add_aged(filter, record->hash, nl_hash_age(record->age))) {
	case SEEN_NEW:
		return SEEN_HASH_NEW;
	case SEEN_FULL:
		return SEEN_HASH_FULL;
	case SEEN_STALE:
		return SEEN_HASH_STALE;
	case SEEN_EXPIRED:
		return SEEN_HASH_EXPIRED;
	default:
		return SEEN_HASH_SEEN;
	}
}

static u8 nl_hash_del_one(struct seen_filter *filter,
			  const struct seen_packed_record *record)
{
	const struct seen_item item = { .hash = record->hash };

	switch (seen_filter_del(filter, &item)) {
	case SEEN_SEEN:
		return SEEN_HASH_REMOVED;
	case SEEN_STALE:
		return SEEN_HASH_STALE;
	default:
		return SEEN_HASH_ABSENT;
	}
}

static void nl_hash_apply(struct seen_filter *filter, const struct nl_hashes *hashes,
			  u8 (*one)(struct seen_filter *filter,
				    const struct seen_packed_record *record),
			  u8 *results)
{
	struct seen_packed_record record;
	u32 i;

	for (i = 0; i < hashes->count && i < SEEN_AHEAD; i++)
		seen_set_prefetch(&filter->set, hash_at(hashes, i).hash);
	for (i = 0; i < hashes->count; i++) {
		if (i + SEEN_AHEAD < hashes->count)
			seen_set_prefetch(&filter->set,
					  hash_at(hashes, i + SEEN_AHEAD).hash);
		record = hash_at(hashes, i);
		results[i] = one(filter, &record);
		if ((i + 1) % SLICE == 0)
			cond_resched();
	}
}

/* The reply is allocated before the first record is applied. */
static int nl_hash_run(struct genl_info *info, struct seen_filter *filter,
		       const struct nl_hashes *hashes,
		       u8 (*one)(struct seen_filter *filter,
				 const struct seen_packed_record *record))
{
	struct sk_buff *reply = seen_nl_reply(info, nla_total_size(hashes->count));
	struct nlattr *results = NULL;
	void *header;

	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &seen_family, 0, info->genlhdr->cmd);
	if (header)
		results = nla_reserve(reply, SEEN_A_FEED_RESULTS, hashes->count);
	if (!results)
		return seen_nl_send(info, reply, header, -EMSGSIZE);
	nl_hash_apply(filter, hashes, one, nla_data(results));
	return seen_nl_send(info, reply, header, 0);
}

int seen_nl_hash_add(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *age = info->attrs[SEEN_A_FEED_AGE];
	struct seen_binding *binding;
	struct nl_hashes hashes;
	int err;

	binding = nl_hash_find(info, &hashes);
	if (IS_ERR(binding))
		return PTR_ERR(binding);
	err = nl_hash_check_add(info, binding, &hashes) ?:
	      nl_hash_run(info, seen_binding_filter(binding), &hashes, nl_hash_add_one);
	if (!err && age)
		seen_feed_update(binding->feed, nla_get_u64(age));
	return err;
}

int seen_nl_hash_del(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_binding *binding;
	struct nl_hashes hashes;

	binding = nl_hash_find(info, &hashes);
	if (IS_ERR(binding))
		return PTR_ERR(binding);
	if (!seen_set_can_del(&seen_binding_filter(binding)->set.geo)) {
		NL_SET_ERR_MSG(info->extack,
			       "type: bloom cannot delete keys; use cuckoo or counting");
		return -EOPNOTSUPP;
	}
	return nl_hash_run(info, seen_binding_filter(binding), &hashes, nl_hash_del_one);
}
