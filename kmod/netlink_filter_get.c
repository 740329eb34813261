// SPDX-License-Identifier: GPL-2.0
/* Put filters into replies, dumps and events. */
#include <linux/math64.h>
#include <linux/sched.h>
#include <net/sock.h>

#include "allow.h"
#include "netlink.h"
#include "rule.h"

/* The fill ratio is counted over at most SAMPLES slices of SLICE units. */
#define SLICE		256
#define SAMPLES		16

static int filter_get_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, SEEN_A_FILTER_PAD);
}

/* SEEN_STAT_LOOKUPS counts only lookups that were neither seen nor new; report the sum. */
static void filter_get_sum_stats(const struct seen_binding *binding, u64 sums[SEEN_STATS])
{
	enum seen_stat stat;

	for (stat = 0; stat < SEEN_STATS; stat++)
		sums[stat] = seen_binding_count(binding, stat);
	sums[SEEN_STAT_LOOKUPS] += sums[SEEN_STAT_SEEN] + sums[SEEN_STAT_NEW];
}

static int filter_get_put_stats(struct sk_buff *skb, const struct seen_binding *binding)
{
	struct nlattr *nest = nla_nest_start(skb, SEEN_A_FILTER_STATS);
	u64 sums[SEEN_STATS];
	enum seen_stat stat;

	BUILD_BUG_ON(SEEN_A_STATS_LOOKUPS + SEEN_STATS != __SEEN_A_STATS_MAX);
	if (!nest)
		return -EMSGSIZE;
	filter_get_sum_stats(binding, sums);
	for (stat = 0; stat < SEEN_STATS; stat++)
		if (nla_put_u64_64bit(skb, SEEN_A_STATS_LOOKUPS + stat,
				      sums[stat], SEEN_A_STATS_PAD))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Count @slices slices of SLICE units, @step units apart. Return: number of units counted. */
static u64 filter_get_count_used(struct seen_filter *filter, u64 slices, u64 step,
				 u64 *used, u64 *room)
{
	u64 units = seen_geometry_units(&filter->set.geo), counted = 0, i;

	for (i = 0; i < slices; i++) {
		seen_set_used(&filter->set, i * step, SLICE, used, room);
		counted += min_t(u64, SLICE, units - i * step);
		cond_resched();
	}
	return counted;
}

/* Bits or slots in use. A large table is sampled, and the result is scaled. */
static int filter_get_put_fill(struct sk_buff *skb, struct seen_filter *filter)
{
	u64 units = seen_geometry_units(&filter->set.geo);
	u64 used = 0, room = 0, counted;

	/* A bitmap counts its bits. A sample would miss a few bits among many. */
	if (filter->set.geo.kind == SEEN_SET_BITMAP)
		return filter_get_put_u64(skb, SEEN_A_FILTER_USED,
					  seen_set_entries(&filter->set)) ||
		       filter_get_put_u64(skb, SEEN_A_FILTER_ROOM,
					  filter->set.geo.capacity);
	if (units <= SAMPLES * SLICE)
		counted = filter_get_count_used(filter, DIV_ROUND_UP(units, SLICE), SLICE,
						&used, &room);
	else
		counted = filter_get_count_used(filter, SAMPLES, units / SAMPLES,
						&used, &room);
	return filter_get_put_u64(skb, SEEN_A_FILTER_USED,
				  mul_u64_u64_div_u64(used, units, counted)) ||
	       filter_get_put_u64(skb, SEEN_A_FILTER_ROOM,
				  mul_u64_u64_div_u64(room, units, counted));
}

static int filter_get_put_geometry(struct sk_buff *skb, const struct seen_geometry *geo)
{
	u32 type = seen_nl_type_of(geo->kind);
	u32 layout = geo->kind == SEEN_SET_CLASSIC ? SEEN_LAYOUT_CLASSIC
						   : SEEN_LAYOUT_BLOCKED;

	return nla_put_u32(skb, SEEN_A_FILTER_TYPE, type) ||
	       filter_get_put_u64(skb, SEEN_A_FILTER_CAPACITY, geo->capacity) ||
	       (geo->fpp && filter_get_put_u64(skb, SEEN_A_FILTER_FPP, geo->fpp)) ||
	       nla_put_u32(skb, SEEN_A_FILTER_HASHES, geo->hashes) ||
	       filter_get_put_u64(skb, SEEN_A_FILTER_BLOCKS, geo->blocks) ||
	       (geo->fold > 1 && nla_put_u32(skb, SEEN_A_FILTER_FOLD, geo->fold)) ||
	       (type == SEEN_TYPE_CUCKOO &&
		nla_put_u32(skb, SEEN_A_FILTER_FP_BITS, geo->fp_bits)) ||
	       (type == SEEN_TYPE_BLOOM &&
		nla_put_u32(skb, SEEN_A_FILTER_LAYOUT, layout));
}

static int nl_filter_dump_put_window(struct sk_buff *skb, struct seen_filter *filter)
{
	const struct seen_geometry *geo = &filter->set.geo;

	if (!geo->window)
		return 0;
	return filter_get_put_u64(skb, SEEN_A_FILTER_WINDOW, geo->window) ||
	       filter_get_put_u64(skb, SEEN_A_FILTER_TICK, geo->tick) ||
	       filter_get_put_u64(skb, SEEN_A_FILTER_EFFECTIVE,
				  seen_filter_effective(filter)) ||
	       (geo->refresh && nla_put_flag(skb, SEEN_A_FILTER_REFRESH));
}

static int filter_get_put_users(struct sk_buff *skb, const struct seen_binding *binding)
{
	return nla_put_string(skb, SEEN_A_FILTER_NAME, binding->name) ||
	       nla_put_u32(skb, SEEN_A_FILTER_USERS,
			   binding->guards + binding->rules +
				   binding->allow_maps) ||
	       nla_put_u32(skb, SEEN_A_FILTER_RULES, binding->rules) ||
	       filter_get_put_u64(skb, SEEN_A_FILTER_UNANSWERED,
				  seen_binding_unanswered(binding));
}

static u32 nl_filter_dump_allowed(const struct seen_binding *binding)
{
	const struct seen_allow *allow = seen_binding_allow(binding);

	return allow ? allow->count : 0;
}

static int nl_filter_dump_put_allowed(struct sk_buff *skb,
				      const struct seen_binding *binding)
{
	const struct seen_binding *map = seen_binding_allow_map(binding);

	return nla_put_u32(skb, SEEN_A_FILTER_ALLOWED, nl_filter_dump_allowed(binding)) ||
	       (map && (nla_put_string(skb, SEEN_A_FILTER_ALLOW_MAP, map->name) ||
			nla_put_u32(skb, SEEN_A_FILTER_ALLOW_MAP_ID, map->id)));
}

/*
 * Puts the number of entries; for a sketch also the sum of its counts, for other types whether
 * the filter is full.
 */
static int filter_get_put_load(struct sk_buff *skb, struct seen_filter *filter)
{
	struct seen_set *set = &filter->set;

	if (filter_get_put_u64(skb, SEEN_A_FILTER_ENTRIES, seen_set_entries(set)))
		return -EMSGSIZE;
	if (!seen_set_can_test_and_add(&set->geo))
		return filter_get_put_u64(skb, SEEN_A_FILTER_TOTAL,
					  seen_set_total(set));
	return seen_set_full(set) ? nla_put_flag(skb, SEEN_A_FILTER_FULL) : 0;
}

/* seen_lengths_list() returns IPv4 lengths first, then IPv6 lengths plus 32, ascending. */
static int filter_get_put_lengths(struct sk_buff *skb, const struct seen_filter *filter)
{
	u8 bytes[SEEN_LENGTHS_MAX];
	u32 count, ipv4, i;

	if (!filter->spec.prefix)
		return 0;
	count = seen_lengths_list(&filter->lengths, bytes);
	for (ipv4 = 0; ipv4 < count && bytes[ipv4] <= SEEN_PREFIX4_MAX; ipv4++)
		;
	for (i = ipv4; i < count; i++)
		bytes[i] -= SEEN_PREFIX4_MAX;
	return (ipv4 && nla_put(skb, SEEN_A_FILTER_LENGTHS4, ipv4, bytes)) ||
	       (count > ipv4 && nla_put(skb, SEEN_A_FILTER_LENGTHS6, count - ipv4,
					bytes + ipv4));
}

int seen_nl_filter_put(struct sk_buff *skb, struct seen_binding *binding)
{
	struct seen_filter *filter = seen_binding_filter(binding);

	if (filter_get_put_users(skb, binding))
		return -EMSGSIZE;
	if (!filter)
		return nla_put_flag(skb, SEEN_A_FILTER_MISSING);
	return nla_put_u32(skb, SEEN_A_FILTER_ID, binding->id) ||
	       filter_get_put_u64(skb, SEEN_A_FILTER_TABLE_ID, filter->table_id) ||
	       (binding->owned &&
		nla_put_flag(skb, SEEN_A_FILTER_GUARD_OWNED)) ||
	       nla_put_u32(skb, SEEN_A_FILTER_UNFIT_RULES,
			   seen_rule_unfit(binding)) ||
	       filter_get_put_geometry(skb, &filter->set.geo) ||
	       seen_nl_type_put(skb, filter) ||
	       nl_filter_dump_put_window(skb, filter) ||
	       (seen_filter_can_fill(&filter->set.geo) &&
		nla_put_u32(skb, SEEN_A_FILTER_ON_FULL,
			    READ_ONCE(filter->on_full))) ||
	       seen_keyspec_put(skb, &filter->spec) ||
	       nla_put_u32(skb, SEEN_A_FILTER_KEY_LEN, filter->spec.len) ||
	       filter_get_put_u64(skb, SEEN_A_FILTER_BYTES, filter->bytes) ||
	       filter_get_put_load(skb, filter) ||
	       filter_get_put_lengths(skb, filter) ||
	       nl_filter_dump_put_allowed(skb, binding) ||
	       (binding->feed &&
		seen_nl_feed_put(skb, SEEN_A_FILTER_FEED, binding->feed)) ||
	       filter_get_put_fill(skb, filter) ||
	       filter_get_put_stats(skb, binding);
}

int seen_nl_filter_reply(struct genl_info *info, struct sk_buff *reply,
			 struct seen_binding *binding)
{
	void *header;

	header = genlmsg_put_reply(reply, info, &seen_family, 0,
				   info->genlhdr->cmd);
	return seen_nl_send(info, reply, header,
			    !header || seen_nl_filter_put(reply, binding));
}

int seen_nl_filter_get(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_binding *binding;
	struct sk_buff *reply;

	binding = seen_nl_binding_find(info, &seen_nl_filter);
	if (IS_ERR(binding))
		return PTR_ERR(binding);
	reply = seen_nl_reply(info, NLMSG_GOODSIZE);
	return reply ? seen_nl_filter_reply(info, reply, binding) : -ENOMEM;
}

static int filter_get_dump_binding(struct sk_buff *skb, struct netlink_callback *cb,
				   struct seen_binding *binding)
{
	void *header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				   cb->nlh->nlmsg_seq, &seen_family,
				   NLM_F_MULTI, SEEN_CMD_FILTER_GET);

	if (!header)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, header);
	if (seen_nl_filter_put(skb, binding)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

/* Continues after the last id that was reported. Bindings are listed in order of their ids. */
int seen_nl_filter_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct seen_net *sn = seen_net(sock_net(skb->sk));
	struct seen_binding *binding;
	int err = seen_nl_dump_all(cb);

	if (err)
		return err;
	down_read(&sn->lock);
	cb->seq = sn->generation + 1;
	list_for_each_entry(binding, &sn->bindings, list) {
		if (binding->id <= cb->args[0])
			continue;
		err = filter_get_dump_binding(skb, cb, binding);
		if (err)
			break;
		cb->args[0] = binding->id;
	}
	up_read(&sn->lock);
	/* If not even one filter fits, return an error. 0 would end the dump. */
	return skb->len ?: err;
}
