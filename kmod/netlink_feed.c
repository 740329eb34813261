// SPDX-License-Identifier: GPL-2.0
/* Commands of feeds: add, delete, take records. */
#include <linux/log2.h>

#include "binding.h"
#include "guard.h"
#include "netlink.h"

static int nl_feed_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, SEEN_A_FEED_PAD);
}

static int nl_feed_fill(struct sk_buff *skb, struct seen_feed *feed)
{
	struct seen_feed_state state;

	seen_feed_state(feed, &state);
	return nla_put_u32(skb, SEEN_A_FEED_RECORDS, feed->records) ||
	       nl_feed_put_u64(skb, SEEN_A_FEED_STALE, feed->stale_after) ||
	       nl_feed_put_u64(skb, SEEN_A_FEED_TOTAL, state.total) ||
	       nl_feed_put_u64(skb, SEEN_A_FEED_LOST, state.lost) ||
	       nl_feed_put_u64(skb, SEEN_A_FEED_PENDING, state.pending) ||
	       (state.has_news &&
		nl_feed_put_u64(skb, SEEN_A_FEED_AGE, state.age)) ||
	       (state.stale && nla_put_flag(skb, SEEN_A_FEED_IS_STALE));
}

int seen_nl_feed_put(struct sk_buff *skb, int attr, struct seen_feed *feed)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || nl_feed_fill(skb, feed))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Caller holds seen_net.lock. */
static int nl_feed_check(const struct seen_binding *binding,
			 struct netlink_ext_ack *extack)
{
	const struct seen_filter *filter = seen_binding_filter(binding);

	if (binding->feed) {
		SEEN_SET_ERR_MSG_FMT(binding->sn, extack, "filter \"%s\" has a feed already",
				     binding->name);
		return -EEXIST;
	}
	return seen_feed_check(&filter->set.geo, &filter->spec, extack) ?:
	       seen_guard_check_feed(binding, extack);
}

static int nl_feed_check_unlocked(struct genl_info *info, struct seen_binding *binding)
{
	struct seen_net *sn = seen_info_net(info);
	int err;

	down_read(&sn->lock);
	err = nl_feed_check(binding, info->extack);
	up_read(&sn->lock);
	return err;
}

/* seen_net.changes keeps the filter, its guards and its feed as they were checked. */
int seen_nl_feed_add(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *records = info->attrs[SEEN_A_FEED_RECORDS];
	const struct nlattr *stale = info->attrs[SEEN_A_FEED_STALE];
	struct seen_binding *binding =
		seen_nl_binding_find_to_change(info, &seen_nl_feed_filter);
	struct seen_net *sn = seen_info_net(info);
	struct seen_feed *feed;
	int err;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	if (records && !is_power_of_2(nla_get_u32(records)))
		return seen_nl_refuse(info, records, "records: must be a power of two");
	err = nl_feed_check_unlocked(info, binding);
	if (err)
		return err;
	feed = seen_feed_create(sn, records ? nla_get_u32(records) :
				SEEN_FEED_RECORDS_DEFAULT,
				stale ? nla_get_u64(stale) : SEEN_FEED_STALE_DEFAULT,
				info->extack);
	if (IS_ERR(feed))
		return PTR_ERR(feed);
	down_write(&sn->lock);
	seen_binding_feed_add(binding, feed);
	up_write(&sn->lock);
	return 0;
}

/* Return: the binding that a request names, which has a feed, or ERR_PTR. */
static struct seen_binding *nl_feed_find(struct genl_info *info)
{
	struct seen_binding *binding = seen_nl_binding_find(info, &seen_nl_feed_filter);

	if (IS_ERR(binding) || binding->feed)
		return binding;
	SEEN_SET_ERR_MSG_FMT(binding->sn, info->extack,
			     "filter \"%s\" has no feed; use feed add", binding->name);
	return ERR_PTR(-ENOENT);
}

int seen_nl_feed_del(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_binding *binding = nl_feed_find(info);

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	seen_binding_feed_del(binding);
	return 0;
}

/* Caller holds the feed's lock. Return: not 0: an attribute did not fit. */
static int nl_feed_put_batch(struct sk_buff *skb, struct seen_feed *feed, const u64 *done)
{
	struct seen_feed_batch batch;
	struct nlattr *data;

	seen_feed_choose(feed, done, SEEN_RECORDS_MAX, &batch);
	if (nl_feed_put_u64(skb, SEEN_A_FEED_BATCH, batch.number) ||
	    nl_feed_put_u64(skb, SEEN_A_FEED_LOST, batch.lost) ||
	    nl_feed_put_u64(skb, SEEN_A_FEED_PENDING, batch.pending))
		return -EMSGSIZE;
	data = nla_reserve(skb, SEEN_A_FEED_DATA, batch.count * SEEN_RECORD_BYTES);
	if (!data)
		return -EMSGSIZE;
	seen_feed_read(feed, nla_data(data));
	return 0;
}

static size_t nl_feed_batch_bytes(void)
{
	return 3 * nla_total_size_64bit(sizeof(u64)) +
	       nla_total_size(SEEN_RECORDS_MAX * SEEN_RECORD_BYTES);
}

/* The reply is allocated before the last batch is released. */
int seen_nl_feed_get(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *done = info->attrs[SEEN_A_FEED_DONE];
	u64 number = done ? nla_get_u64(done) : 0;
	struct seen_binding *binding = nl_feed_find(info);
	struct sk_buff *reply;
	void *header;
	int err;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	reply = seen_nl_reply(info, nl_feed_batch_bytes());
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &seen_family, 0, info->genlhdr->cmd);
	if (!header)
		return seen_nl_send(info, reply, header, -EMSGSIZE);
	mutex_lock(&binding->feed->lock);
	err = nl_feed_put_batch(reply, binding->feed, done ? &number : NULL);
	mutex_unlock(&binding->feed->lock);
	return seen_nl_send(info, reply, header, err);
}
