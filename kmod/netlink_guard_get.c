// SPDX-License-Identifier: GPL-2.0
/* Put guards into replies, dumps and events. netlink_port.c dumps their ports. */
#include <linux/etherdevice.h>
#include <net/sock.h>

#include "guard_port.h"
#include "netlink.h"
#include "netlink_guard_conf.h"

/* Buffer size of a reply: an upper bound for a guard with all attributes. */
#define FINDING_BYTES	144
#define TRAIL_PORT_BYTES nla_total_size(nla_total_size(IFNAMSIZ) + nla_total_size(4))
#define GUARD_BYTES	(512 + SEEN_PROTECT_MAX * nla_total_size(IFNAMSIZ) + \
			 SEEN_EXEMPT_MAX * SEEN_NL_PREFIX_BYTES(ETH_ALEN) + \
			 SEEN_FINDINGS * FINDING_BYTES + \
			 SEEN_TRAIL_PORTS_MAX * TRAIL_PORT_BYTES + \
			 SEEN_NL_CONDITIONS_BYTES)

static int guard_get_put_protect(struct sk_buff *skb, const struct seen_protect *protect)
{
	u32 i;

	for (i = 0; i < protect->count; i++)
		if (nla_put_string(skb, SEEN_A_GUARD_PROTECT,
				   protect->name[i]))
			return -EMSGSIZE;
	return 0;
}

static u32 guard_get_state_of(const struct seen_guard *guard)
{
	if (!guard->ifindex)
		return SEEN_GUARD_STATE_WAITING;
	return guard->config.paused ? SEEN_GUARD_STATE_PAUSED : SEEN_GUARD_STATE_ARMED;
}

static int guard_get_put_thresholds(struct sk_buff *skb, u64 same, u64 other)
{
	return nla_put_u64_64bit(skb, SEEN_A_GUARD_SAME_NS, same,
				 SEEN_A_GUARD_PAD) ||
	       nla_put_u64_64bit(skb, SEEN_A_GUARD_OTHER_NS, other,
				 SEEN_A_GUARD_PAD);
}

static int guard_get_put_exempts(struct sk_buff *skb, const struct seen_guard *guard)
{
	const struct seen_exempts *exempts;
	u32 i;

	exempts = rcu_dereference_protected(guard->exempts,
					    lockdep_is_held(&guard->sn->lock));
	for (i = 0; exempts && i < exempts->count; i++) {
		const struct seen_group *group = &exempts->group[i];

		if (seen_nl_prefix_put(skb, SEEN_A_GUARD_EXEMPT, group->addr,
				       ETH_ALEN, group->bits))
			return -EMSGSIZE;
	}
	return 0;
}

/* A finding is not shown if one of its ports was deleted. */
static int guard_get_put_finding(struct sk_buff *skb, const struct seen_guard *guard,
				 const struct seen_finding *finding)
{
	struct xarray *ports = &guard->sn->ports;
	const struct seen_port *left = xa_load(ports, finding->left);
	const struct seen_port *came = xa_load(ports, finding->came);

	if (!finding->count || !left || (finding->came && !came))
		return 0;
	return seen_finding_put(skb, SEEN_A_GUARD_FINDING, finding, left->name,
				came ? came->name : NULL);
}

static int guard_get_put_findings(struct sk_buff *skb, struct seen_guard *guard)
{
	struct seen_finding findings[SEEN_FINDINGS];
	int i;

	seen_probe_findings(guard, findings);
	for (i = 0; i < SEEN_FINDINGS; i++)
		if (guard_get_put_finding(skb, guard, &findings[i]))
			return -EMSGSIZE;
	return 0;
}

static int guard_get_put_blocking(struct sk_buff *skb,
				  const struct seen_guard_config *config)
{
	if (!seen_guard_may_block(config))
		return 0;
	return nla_put_u32(skb, SEEN_A_GUARD_SUSPECT, config->suspect) ||
	       nla_put_u64_64bit(skb, SEEN_A_GUARD_BLOCK_FIRST_NS,
				 config->block_first, SEEN_A_GUARD_PAD) ||
	       nla_put_u64_64bit(skb, SEEN_A_GUARD_BLOCK_MAX_NS,
				 config->block_max, SEEN_A_GUARD_PAD);
}

/* Attributes of verdict loop. */
static int guard_get_put_loop(struct sk_buff *skb, struct seen_guard *guard)
{
	const struct seen_guard_config *config = &guard->config;

	if (config->verdict != SEEN_VERDICT_LOOP)
		return 0;
	return nla_put_u32(skb, SEEN_A_GUARD_REPEAT, config->repeat) ||
	       guard_get_put_blocking(skb, config) ||
	       nla_put_u8(skb, SEEN_A_GUARD_NO_PROBE, config->no_probe) ||
	       guard_get_put_exempts(skb, guard) || guard_get_put_findings(skb, guard) ||
	       seen_nl_trail_put(skb, guard);
}

static int guard_get_put_profile(struct sk_buff *skb, const struct seen_guard *guard)
{
	const struct seen_guard_config *config = &guard->config;
	const struct seen_filter *filter = seen_binding_filter(guard->binding);

	switch (config->profile) {
	case SEEN_GUARD_PROFILE_LOOP:
		return (config->kind == SEEN_GUARD_KIND_BRIDGE &&
			config->action == SEEN_ACTION_DROP &&
			nla_put_flag(skb, SEEN_A_GUARD_NO_BLOCK)) ||
		       guard_get_put_protect(skb, &guard->lists.protect) ||
		       guard_get_put_thresholds(skb, SEEN_LOOP_SAME, SEEN_LOOP_OTHER);
	case SEEN_GUARD_PROFILE_RELAY:
		return guard_get_put_thresholds(skb, SEEN_LOOP_SAME,
						filter->set.geo.window);
	}
	return 0;
}

static int guard_get_put_mark(struct sk_buff *skb, const struct seen_guard_config *config)
{
	if (config->action != SEEN_ACTION_MARK)
		return 0;
	return config->mark_value ?
	       nla_put_flag(skb, SEEN_A_GUARD_MARK_VALUE) :
	       nla_put_u32(skb, SEEN_A_GUARD_MARK, config->mark);
}

int seen_nl_guard_put(struct sk_buff *skb, struct seen_guard *guard)
{
	const struct seen_guard_config *config = &guard->config;

	if (nla_put_u32(skb, SEEN_A_GUARD_ID, guard->id) ||
	    nla_put_u32(skb, SEEN_A_GUARD_KIND, config->kind) ||
	    nla_put_string(skb, SEEN_A_GUARD_DEV, config->dev) ||
	    nla_put_u32(skb, SEEN_A_GUARD_HOOK, config->hook) ||
	    nla_put_string(skb, SEEN_A_GUARD_FILTER, guard->binding->name) ||
	    nla_put_u32(skb, SEEN_A_GUARD_FILTER_ID, guard->binding->id) ||
	    (config->profile &&
	     nla_put_u32(skb, SEEN_A_GUARD_PROFILE, config->profile)) ||
	    nla_put_u32(skb, SEEN_A_GUARD_MATCH, config->match) ||
	    seen_nl_conditions_put(skb, &guard->lists.conditions) ||
	    nla_put_u32(skb, SEEN_A_GUARD_VERDICT, config->verdict) ||
	    nla_put_u32(skb, SEEN_A_GUARD_ACTION, config->action) ||
	    guard_get_put_mark(skb, config) ||
	    nla_put_s32(skb, SEEN_A_GUARD_PRIORITY, config->priority) ||
	    nla_put_u32(skb, SEEN_A_GUARD_STORM, config->storm) ||
	    nla_put_u8(skb, SEEN_A_GUARD_PAUSED, config->paused) ||
	    nla_put_u32(skb, SEEN_A_GUARD_STATE, guard_get_state_of(guard)) ||
	    nla_put_u32(skb, SEEN_A_GUARD_IFINDEX, guard->ifindex) ||
	    guard_get_put_profile(skb, guard) || guard_get_put_loop(skb, guard))
		return -EMSGSIZE;
	return 0;
}

int seen_nl_guard_get(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_guard *guard = seen_info_guard(info);
	struct sk_buff *reply;
	void *header;

	if (IS_ERR(guard))
		return PTR_ERR(guard);
	reply = seen_nl_reply(info, GUARD_BYTES);
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &seen_family, 0,
				   SEEN_CMD_GUARD_GET);
	return seen_nl_send(info, reply, header,
			    !header || seen_nl_guard_put(reply, guard));
}

static int dump_guard(struct sk_buff *skb, struct netlink_callback *cb,
		      struct seen_guard *guard)
{
	void *header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				   cb->nlh->nlmsg_seq, &seen_family,
				   NLM_F_MULTI, SEEN_CMD_GUARD_GET);

	if (!header)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, header);
	if (seen_nl_guard_put(skb, guard)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

int seen_nl_guard_start(struct netlink_callback *cb)
{
	/* The buffer has room for any guard and its headers. */
	cb->min_dump_alloc = nlmsg_total_size(GENL_HDRLEN + GUARD_BYTES);
	return 0;
}

/* Continues after the last id that was reported. Guards are listed in order of their ids. */
int seen_nl_guard_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct seen_net *sn = seen_net(sock_net(skb->sk));
	struct seen_guard *guard;
	int err = seen_nl_dump_all(cb);

	if (err)
		return err;
	down_read(&sn->lock);
	cb->seq = sn->generation + 1;
	list_for_each_entry(guard, &sn->guards, list) {
		if (guard->id <= cb->args[0])
			continue;
		err = dump_guard(skb, cb, guard);
		if (err)
			break;
		cb->args[0] = guard->id;
	}
	up_read(&sn->lock);
	/* If not even one guard fits, return an error. 0 would end the dump. */
	return skb->len ?: err;
}
