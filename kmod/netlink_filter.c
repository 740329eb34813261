// SPDX-License-Identifier: GPL-2.0
/* Filter requests and replies. */
#include <linux/math64.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <net/sock.h>

#include "allow.h"
#include "netlink.h"

/* Units looked at for the fill ratio; of more, a sample. */
#define SLICE		256
#define SAMPLES		16

/* How long a filter that is to go waits for its last user. */
#define DEL_PATIENCE	(2 * HZ)

static int need(struct genl_info *info, int attr, const char *msg)
{
	if (info->attrs[attr])
		return 0;
	info->extack->_msg = msg;
	return -EINVAL;
}

static int parse_kind(struct genl_info *info, struct seen_geometry *geo)
{
	struct nlattr **attrs = info->attrs;
	u32 layout = SEEN_LAYOUT_BLOCKED;

	if (attrs[SEEN_A_FILTER_LAYOUT])
		layout = nla_get_u32(attrs[SEEN_A_FILTER_LAYOUT]);
	if (layout > SEEN_LAYOUT_MAX) {
		NL_SET_ERR_MSG_ATTR(info->extack, attrs[SEEN_A_FILTER_LAYOUT],
				    "layout: must be blocked or classic");
		return -EINVAL;
	}
	switch (nla_get_u32(attrs[SEEN_A_FILTER_TYPE])) {
	case SEEN_TYPE_BLOOM:
		if (layout == SEEN_LAYOUT_CLASSIC)
			geo->kind = SEEN_SET_CLASSIC;
		else
			geo->kind = geo->window ? SEEN_SET_BLOOM_WINDOW
						: SEEN_SET_BLOCKED;
		if (!geo->fp_bits)
			return 0;
		NL_SET_ERR_MSG_ATTR(info->extack, attrs[SEEN_A_FILTER_FP_BITS],
				    "bits: only type cuckoo has fingerprints");
		return -EINVAL;
	case SEEN_TYPE_CUCKOO:
		geo->kind = geo->window ? SEEN_SET_STAMPED : SEEN_SET_CUCKOO;
		if (!attrs[SEEN_A_FILTER_LAYOUT])
			return 0;
		NL_SET_ERR_MSG_ATTR(info->extack, attrs[SEEN_A_FILTER_LAYOUT],
				    "layout: only type bloom has one");
		return -EINVAL;
	}
	NL_SET_ERR_MSG_ATTR(info->extack, attrs[SEEN_A_FILTER_TYPE],
			    "type: must be bloom or cuckoo");
	return -EINVAL;
}

static u64 get_u64(struct genl_info *info, int attr)
{
	return info->attrs[attr] ? nla_get_u64(info->attrs[attr]) : 0;
}

static int parse_geometry(struct genl_info *info, struct seen_geometry *geo)
{
	struct nlattr **attrs = info->attrs;

	geo->capacity = get_u64(info, SEEN_A_FILTER_CAPACITY);
	geo->fpp = get_u64(info, SEEN_A_FILTER_FPP);
	geo->window = get_u64(info, SEEN_A_FILTER_WINDOW);
	geo->refresh = attrs[SEEN_A_FILTER_REFRESH];
	if (attrs[SEEN_A_FILTER_FP_BITS]) {
		geo->fp_bits = nla_get_u32(attrs[SEEN_A_FILTER_FP_BITS]);
		if (!geo->fp_bits)
			geo->fp_bits = U32_MAX;	/* 0 would mean "choose" */
	}
	if (attrs[SEEN_A_FILTER_WINDOW] && !geo->window) {
		NL_SET_ERR_MSG_ATTR(info->extack, attrs[SEEN_A_FILTER_WINDOW],
				    "window: must be above 0; leave it out for ever");
		return -EINVAL;
	}
	if (geo->refresh && !geo->window) {
		NL_SET_ERR_MSG_ATTR(info->extack, attrs[SEEN_A_FILTER_REFRESH],
				    "refresh: has no meaning without a window");
		return -EINVAL;
	}
	if (!attrs[SEEN_A_FILTER_FPP] && !geo->fp_bits) {
		NL_SET_ERR_MSG(info->extack,
			       "fpp: which false-positive rate (or bits of a fingerprint)?");
		return -EINVAL;
	}
	return parse_kind(info, geo);
}

static int check_on_full(const struct seen_geometry *geo, u32 on_full,
			 struct netlink_ext_ack *extack)
{
	switch (on_full) {
	case SEEN_ON_FULL_REJECT:
	case SEEN_ON_FULL_PASS:
		return 0;
	case SEEN_ON_FULL_EVICT:
		if (geo->kind == SEEN_SET_STAMPED)
			return 0;
		NL_SET_ERR_MSG(extack,
			       "on-full: evict is for type cuckoo with a window, which knows the oldest key");
		return -EINVAL;
	case SEEN_ON_FULL_ROTATE:
		if (geo->kind == SEEN_SET_BLOOM_WINDOW)
			return 0;
		NL_SET_ERR_MSG(extack,
			       "on-full: rotate is for type bloom with a window, which has generations");
		return -EINVAL;
	}
	NL_SET_ERR_MSG(extack,
		       "on-full: must be reject, evict, rotate or pass");
	return -EINVAL;
}

static int parse_on_full(struct genl_info *info,
			 struct seen_filter_config *config)
{
	struct nlattr *attr = info->attrs[SEEN_A_FILTER_ON_FULL];
	u32 on_full = attr ? nla_get_u32(attr) : SEEN_ON_FULL_DEFAULT;

	if (on_full == SEEN_ON_FULL_DEFAULT)
		on_full = config->geo.kind == SEEN_SET_STAMPED ?
			  SEEN_ON_FULL_EVICT : SEEN_ON_FULL_REJECT;
	config->on_full = on_full;
	return check_on_full(&config->geo, on_full, info->extack);
}

static void parse_secret(struct genl_info *info, struct seen_secret *secret)
{
	const struct nlattr *attr = info->attrs[SEEN_A_FILTER_SECRET];

	if (attr)
		seen_secret_set(secret, nla_data(attr));
	else
		get_random_bytes(secret, sizeof(*secret));
}

/* Before a large table is allocated for nothing. */
static int check_name(struct genl_info *info)
{
	struct seen_net *sn = seen_info_net(info);
	int err;

	down_read(&sn->lock);
	err = seen_slot_check_name(sn,
				   nla_data(info->attrs[SEEN_A_FILTER_NAME]),
				   info->extack);
	up_read(&sn->lock);
	return err;
}

static int publish(struct genl_info *info, struct seen_filter *filter)
{
	const char *name = nla_data(info->attrs[SEEN_A_FILTER_NAME]);
	struct seen_net *sn = seen_info_net(info);
	struct seen_slot *slot;

	down_write(&sn->lock);
	slot = seen_slot_add(sn, name, filter, false, info->extack);
	if (IS_ERR(slot))
		seen_filter_destroy(filter);
	up_write(&sn->lock);
	return PTR_ERR_OR_ZERO(slot);
}

int seen_nl_filter_add(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_filter_config config = {};
	struct seen_filter *filter;
	int err;

	err = need(info, SEEN_A_FILTER_NAME, "name: of the new filter?") ?:
	      need(info, SEEN_A_FILTER_TYPE, "type: bloom or cuckoo?") ?:
	      need(info, SEEN_A_FILTER_CAPACITY, "capacity: how many keys?") ?:
	      parse_geometry(info, &config.geo) ?:
	      seen_keyspec_parse(&config.spec,
				 info->attrs[SEEN_A_FILTER_PROFILE],
				 info->attrs[SEEN_A_FILTER_KEY],
				 info->attrs[SEEN_A_FILTER_INNER],
				 info->extack) ?:
	      parse_on_full(info, &config);
	if (err)
		return err;
	err = check_name(info);
	if (err)
		return err;
	parse_secret(info, &config.secret);
	filter = seen_filter_create(seen_info_net(info), &config, false,
				    info->extack);
	memzero_explicit(&config.secret, sizeof(config.secret));
	return IS_ERR(filter) ? PTR_ERR(filter) : publish(info, filter);
}

static struct seen_slot *find(struct genl_info *info)
{
	return seen_slot_find(seen_info_net(info),
			      info->attrs[SEEN_A_FILTER_NAME], info->extack);
}

static int del_unused(struct genl_info *info)
{
	struct seen_slot *slot = find(info);

	if (IS_ERR(slot))
		return PTR_ERR(slot);
	if (slot->owned) {
		NL_SET_ERR_MSG(info->extack,
			       "name: the filter belongs to a guard, and goes with it");
		return -EBUSY;
	}
	if (seen_slot_used(slot)) {
		SEEN_SET_ERR_MSG_FMT(info->extack,
				     "name: the filter is in use (guards: %u, rules: %u); delete them first",
				     slot->guards, slot->rules);
		return slot->guards ? -EBUSY : -EAGAIN;
	}
	seen_slot_del(slot);
	return 0;
}

/*
 * nftables frees rules late, from a work item: whoever has deleted the last rule
 * may well come here first. Guards go at once, and nobody waits for them. Nothing
 * is locked in between.
 */
int seen_nl_filter_del(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_net *sn = seen_info_net(info);
	long left = info->attrs[SEEN_A_FILTER_NO_WAIT] ? 0 : DEL_PATIENCE;
	u32 releases;
	int err;

	while (true) {
		/* What an earlier try was refused for is no warning. */
		info->extack->_msg = NULL;
		releases = READ_ONCE(sn->releases);
		mutex_lock(&sn->changes);
		down_write(&sn->lock);
		err = del_unused(info);
		up_write(&sn->lock);
		mutex_unlock(&sn->changes);
		if (err != -EAGAIN)
			return err;
		if (!left)
			return -EBUSY;
		left = wait_event_interruptible_timeout(sn->released,
							READ_ONCE(sn->releases) != releases,
							left);
		if (left < 0)
			return left;
	}
}

/* Only the policy can change live. */
static int check_set(struct genl_info *info)
{
	static const char only[] =
		"on-full: this is what can change live; for the rest, add another filter and swap";
	int attr;

	for (attr = SEEN_A_FILTER_NEW_NAME; attr <= SEEN_A_FILTER_INNER;
	     attr++) {
		if (attr == SEEN_A_FILTER_ON_FULL || !info->attrs[attr])
			continue;
		NL_SET_BAD_ATTR(info->extack, info->attrs[attr]);
		info->extack->_msg = only;
		return -EINVAL;
	}
	return need(info, SEEN_A_FILTER_ON_FULL, only);
}

int seen_nl_filter_set(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_slot *slot = find(info);
	struct seen_filter *filter;
	u32 on_full;
	int err;

	if (IS_ERR(slot))
		return PTR_ERR(slot);
	err = check_set(info);
	if (err)
		return err;
	filter = seen_slot_filter(slot);
	on_full = nla_get_u32(info->attrs[SEEN_A_FILTER_ON_FULL]);
	err = check_on_full(&filter->set.geo, on_full, info->extack);
	if (err)
		return err;
	WRITE_ONCE(filter->on_full, on_full);
	WRITE_ONCE(filter->set.geo.evict, on_full == SEEN_ON_FULL_EVICT);
	return 0;
}

int seen_nl_filter_flush(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_slot *slot = find(info);

	return IS_ERR(slot) ? PTR_ERR(slot)
			    : seen_slot_flush(slot, info->extack);
}

int seen_nl_filter_rename(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_slot *slot = find(info);

	return IS_ERR(slot) ? PTR_ERR(slot) :
	       seen_slot_rename(slot, info->attrs[SEEN_A_FILTER_NEW_NAME],
				info->extack);
}

int seen_nl_filter_swap(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_slot *slot = find(info), *other;

	if (IS_ERR(slot))
		return PTR_ERR(slot);
	other = seen_slot_find(seen_info_net(info),
			       info->attrs[SEEN_A_FILTER_NEW_NAME],
			       info->extack);
	return IS_ERR(other) ? PTR_ERR(other)
			     : seen_slot_swap(slot, other, info->extack);
}

static int put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, SEEN_A_FILTER_PAD);
}

static u64 stat_sum(const struct seen_filter *filter, enum seen_stat stat)
{
	u64 sum = 0;
	int cpu;

	if (stat == SEEN_STAT_EVICTED)
		return seen_set_evicted(&filter->set);
	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(filter->stats, cpu)->count[stat]);
	return sum;
}

static int put_stats(struct sk_buff *skb, const struct seen_filter *filter)
{
	struct nlattr *nest = nla_nest_start(skb, SEEN_A_FILTER_STATS);
	enum seen_stat stat;

	BUILD_BUG_ON(SEEN_A_STATS_LOOKUPS + SEEN_STATS != __SEEN_A_STATS_MAX);
	if (!nest)
		return -EMSGSIZE;
	for (stat = 0; stat < SEEN_STATS; stat++)
		if (nla_put_u64_64bit(skb, SEEN_A_STATS_LOOKUPS + stat,
				      stat_sum(filter, stat),
				      SEEN_A_STATS_PAD))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Counts @slices runs of SLICE units, evenly spread. Returns units counted. */
static u64 count_used(struct seen_filter *filter, u64 slices, u64 step,
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

/* Bits or slots in use: of a large table a sample, scaled. */
static int put_fill(struct sk_buff *skb, struct seen_filter *filter)
{
	u64 units = seen_geometry_units(&filter->set.geo);
	u64 used = 0, room = 0, counted;

	if (units <= SAMPLES * SLICE)
		counted = count_used(filter, DIV_ROUND_UP(units, SLICE), SLICE,
				     &used, &room);
	else
		counted = count_used(filter, SAMPLES, units / SAMPLES,
				     &used, &room);
	return put_u64(skb, SEEN_A_FILTER_USED,
		       mul_u64_u64_div_u64(used, units, counted)) ||
	       put_u64(skb, SEEN_A_FILTER_ROOM,
		       mul_u64_u64_div_u64(room, units, counted));
}

static int put_geometry(struct sk_buff *skb, const struct seen_geometry *geo)
{
	bool cuckoo = geo->kind == SEEN_SET_CUCKOO ||
		      geo->kind == SEEN_SET_STAMPED;
	u32 layout = geo->kind == SEEN_SET_CLASSIC ? SEEN_LAYOUT_CLASSIC
						   : SEEN_LAYOUT_BLOCKED;

	return nla_put_u32(skb, SEEN_A_FILTER_TYPE,
			   cuckoo ? SEEN_TYPE_CUCKOO : SEEN_TYPE_BLOOM) ||
	       put_u64(skb, SEEN_A_FILTER_CAPACITY, geo->capacity) ||
	       put_u64(skb, SEEN_A_FILTER_FPP, geo->fpp) ||
	       nla_put_u32(skb, SEEN_A_FILTER_HASHES, geo->hashes) ||
	       put_u64(skb, SEEN_A_FILTER_BLOCKS, geo->blocks) ||
	       (cuckoo ?
		nla_put_u32(skb, SEEN_A_FILTER_FP_BITS, geo->fp_bits) :
		nla_put_u32(skb, SEEN_A_FILTER_LAYOUT, layout));
}

static int put_window(struct sk_buff *skb, struct seen_filter *filter)
{
	const struct seen_geometry *geo = &filter->set.geo;

	if (!geo->window)
		return 0;
	return put_u64(skb, SEEN_A_FILTER_WINDOW, geo->window) ||
	       put_u64(skb, SEEN_A_FILTER_TICK, geo->tick) ||
	       put_u64(skb, SEEN_A_FILTER_EFFECTIVE,
		       seen_filter_effective(filter)) ||
	       (geo->refresh && nla_put_flag(skb, SEEN_A_FILTER_REFRESH));
}

static u64 unanswered(const struct seen_slot *slot)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(slot->unanswered, cpu));
	return sum;
}

static int put_users(struct sk_buff *skb, const struct seen_slot *slot)
{
	return nla_put_string(skb, SEEN_A_FILTER_NAME, slot->name) ||
	       nla_put_u32(skb, SEEN_A_FILTER_ID, slot->id) ||
	       nla_put_u32(skb, SEEN_A_FILTER_USERS,
			   slot->guards + slot->rules) ||
	       nla_put_u32(skb, SEEN_A_FILTER_RULES, slot->rules) ||
	       put_u64(skb, SEEN_A_FILTER_UNANSWERED, unanswered(slot));
}

static u32 allowed(const struct seen_slot *slot)
{
	const struct seen_allow *allow = seen_slot_allow(slot);

	return allow ? allow->count : 0;
}

static int put_slot(struct sk_buff *skb, struct seen_slot *slot)
{
	struct seen_filter *filter = seen_slot_filter(slot);

	if (put_users(skb, slot))
		return -EMSGSIZE;
	if (!filter)
		return nla_put_flag(skb, SEEN_A_FILTER_MISSING);
	return (slot->owned && nla_put_flag(skb, SEEN_A_FILTER_GUARD_OWNED)) ||
	       put_geometry(skb, &filter->set.geo) ||
	       put_window(skb, filter) ||
	       nla_put_u32(skb, SEEN_A_FILTER_ON_FULL,
			   READ_ONCE(filter->on_full)) ||
	       seen_keyspec_put(skb, &filter->spec) ||
	       nla_put_u32(skb, SEEN_A_FILTER_KEY_LEN, filter->spec.len) ||
	       put_u64(skb, SEEN_A_FILTER_BYTES, filter->bytes) ||
	       put_u64(skb, SEEN_A_FILTER_ENTRIES,
		       seen_set_entries(&filter->set)) ||
	       (seen_set_full(&filter->set) &&
		nla_put_flag(skb, SEEN_A_FILTER_FULL)) ||
	       nla_put_u32(skb, SEEN_A_FILTER_ALLOWED, allowed(slot)) ||
	       put_fill(skb, filter) ||
	       put_stats(skb, filter);
}

int seen_nl_filter_get(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_slot *slot = find(info);
	struct sk_buff *reply;
	void *header;

	if (IS_ERR(slot))
		return PTR_ERR(slot);
	reply = seen_nl_reply(info, NLMSG_GOODSIZE);
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &seen_family, 0,
				   SEEN_CMD_FILTER_GET);
	if (!header || put_slot(reply, slot)) {
		nlmsg_free(reply);
		return -EMSGSIZE;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);
}

static int dump_slot(struct sk_buff *skb, struct netlink_callback *cb,
		     struct seen_slot *slot)
{
	void *header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				   cb->nlh->nlmsg_seq, &seen_family,
				   NLM_F_MULTI, SEEN_CMD_FILTER_GET);

	if (!header)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, header);
	if (put_slot(skb, slot)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

/* Goes on behind the last id told: slots are in the order of their ids. */
int seen_nl_filter_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct seen_net *sn = seen_net(sock_net(skb->sk));
	struct seen_slot *slot;

	down_read(&sn->lock);
	cb->seq = sn->generation + 1;
	list_for_each_entry(slot, &sn->slots, list) {
		if (slot->id <= cb->args[0])
			continue;
		if (dump_slot(skb, cb, slot))
			break;
		cb->args[0] = slot->id;
	}
	up_read(&sn->lock);
	return skb->len;
}
