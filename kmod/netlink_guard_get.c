// SPDX-License-Identifier: GPL-2.0
/*
 * Replies about guards. One guard may have a thousand ports, more than a message
 * of a dump holds: the dump then tells the guard again, with its next ports, in
 * the next message; receivers join messages about the same guard.
 */
#include <linux/etherdevice.h>
#include <net/sock.h>

#include "guard_port.h"
#include "netlink.h"

/*
 * Bytes of a reply: without ports, and for each of them. These are more than there can
 * be: a guard with all that it may have and one port fit NLMSG_GOODSIZE.
 */
#define FINDING_BYTES	144
#define GUARD_BYTES	(512 + SEEN_PROTECT_MAX * nla_total_size(IFNAMSIZ) + \
			 SEEN_EXEMPT_MAX * SEEN_NL_PREFIX_BYTES(ETH_ALEN) + \
			 SEEN_FINDINGS * FINDING_BYTES + \
			 SEEN_NL_CONDITIONS_BYTES)
#define PORT_BYTES	1024

static int nl_guard_dump_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, SEEN_A_PORT_PAD);
}

static int put_flag(struct sk_buff *skb, int attr, bool set)
{
	return set ? nla_put_flag(skb, attr) : 0;
}

static int put_protect(struct sk_buff *skb, const struct seen_protect *protect)
{
	u32 i;

	for (i = 0; i < protect->count; i++)
		if (nla_put_string(skb, SEEN_A_GUARD_PROTECT,
				   protect->name[i]))
			return -EMSGSIZE;
	return 0;
}

static u32 state_of(const struct seen_guard *guard)
{
	if (!guard->device)
		return SEEN_STATE_WAITING;
	return guard->config.paused ? SEEN_STATE_PAUSED : SEEN_STATE_ARMED;
}

static int put_thresholds(struct sk_buff *skb, u64 same, u64 other)
{
	return nla_put_u64_64bit(skb, SEEN_A_GUARD_SAME_NS, same,
				 SEEN_A_GUARD_PAD) ||
	       nla_put_u64_64bit(skb, SEEN_A_GUARD_OTHER_NS, other,
				 SEEN_A_GUARD_PAD);
}

static int put_exempts(struct sk_buff *skb, const struct seen_guard *guard)
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

/* A finding whose port has gone is not shown. */
static int put_finding(struct sk_buff *skb, const struct seen_guard *guard,
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

static int put_findings(struct sk_buff *skb, struct seen_guard *guard)
{
	struct seen_finding findings[SEEN_FINDINGS];
	int i;

	seen_probe_findings(guard, findings);
	for (i = 0; i < SEEN_FINDINGS; i++)
		if (put_finding(skb, guard, &findings[i]))
			return -EMSGSIZE;
	return 0;
}

static int put_blocking(struct sk_buff *skb,
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

/* Verdict loop's, with a profile or without. */
static int put_loop(struct sk_buff *skb, struct seen_guard *guard)
{
	const struct seen_guard_config *config = &guard->config;

	if (config->verdict != SEEN_VERDICT_LOOP)
		return 0;
	return nla_put_u32(skb, SEEN_A_GUARD_REPEAT, config->repeat) ||
	       put_blocking(skb, config) ||
	       nla_put_u8(skb, SEEN_A_GUARD_NO_PROBE, config->no_probe) ||
	       put_exempts(skb, guard) || put_findings(skb, guard);
}

static int put_profile(struct sk_buff *skb, const struct seen_guard *guard)
{
	const struct seen_guard_config *config = &guard->config;
	const struct seen_filter *filter = seen_binding_filter(guard->binding);

	switch (config->profile) {
	case SEEN_PROFILE_LOOP:
		return put_flag(skb, SEEN_A_GUARD_NO_BLOCK,
				config->action == SEEN_ACTION_DROP) ||
		       put_protect(skb, &guard->lists.protect) ||
		       put_thresholds(skb, SEEN_LOOP_SAME, SEEN_LOOP_OTHER);
	case SEEN_PROFILE_RELAY:
		return put_thresholds(skb, SEEN_LOOP_SAME,
				      filter->set.geo.window);
	}
	return 0;
}

static int put_mark(struct sk_buff *skb, const struct seen_guard_config *config)
{
	if (config->action != SEEN_ACTION_MARK)
		return 0;
	return config->mark_value ?
	       nla_put_flag(skb, SEEN_A_GUARD_MARK_VALUE) :
	       nla_put_u32(skb, SEEN_A_GUARD_MARK, config->mark);
}

static int nl_guard_dump_put_guard(struct sk_buff *skb, struct seen_guard *guard)
{
	const struct seen_guard_config *config = &guard->config;

	if (nla_put_u32(skb, SEEN_A_GUARD_ID, guard->id) ||
	    nla_put_u32(skb, SEEN_A_GUARD_KIND, config->kind) ||
	    nla_put_string(skb, SEEN_A_GUARD_DEV, config->dev) ||
	    nla_put_u32(skb, SEEN_A_GUARD_HOOK, config->hook) ||
	    nla_put_string(skb, SEEN_A_GUARD_FILTER, guard->binding->name) ||
	    (config->profile &&
	     nla_put_u32(skb, SEEN_A_GUARD_PROFILE, config->profile)) ||
	    nla_put_u32(skb, SEEN_A_GUARD_MATCH, config->match) ||
	    seen_nl_conditions_put(skb, &guard->lists.conditions) ||
	    nla_put_u32(skb, SEEN_A_GUARD_VERDICT, config->verdict) ||
	    nla_put_u32(skb, SEEN_A_GUARD_ACTION, config->action) ||
	    put_mark(skb, config) ||
	    nla_put_s32(skb, SEEN_A_GUARD_PRIORITY, config->priority) ||
	    nla_put_u32(skb, SEEN_A_GUARD_STORM, config->storm) ||
	    nla_put_u8(skb, SEEN_A_GUARD_PAUSED, config->paused) ||
	    nla_put_u32(skb, SEEN_A_GUARD_STATE, state_of(guard)) ||
	    nla_put_u32(skb, SEEN_A_GUARD_IFINDEX,
			guard->device ? guard->device->ifindex : 0) ||
	    put_profile(skb, guard) || put_loop(skb, guard))
		return -EMSGSIZE;
	return 0;
}

static const int count_attrs[SEEN_COUNTS] = {
	[SEEN_COUNT_NEW] = SEEN_A_PORT_NEW,
	[SEEN_COUNT_REPEAT] = SEEN_A_PORT_REPEAT,
	[SEEN_COUNT_DUP_SAME] = SEEN_A_PORT_DUP_SAME,
	[SEEN_COUNT_DUP_OTHER] = SEEN_A_PORT_DUP_OTHER,
	[SEEN_COUNT_HIT] = SEEN_A_PORT_HIT,
	[SEEN_COUNT_EXEMPT] = SEEN_A_PORT_EXEMPT,
	[SEEN_COUNT_NOKEY] = SEEN_A_PORT_NOKEY,
	[SEEN_COUNT_GRO_SKIPPED] = SEEN_A_PORT_GRO_SKIPPED,
	[SEEN_COUNT_OVER_BUDGET] = SEEN_A_PORT_OVER_BUDGET,
	[SEEN_COUNT_FULL] = SEEN_A_PORT_FULL,
	[SEEN_COUNT_STALE] = SEEN_A_PORT_STALE,
	[SEEN_COUNT_ALLOWED] = SEEN_A_PORT_ALLOWED,
	[SEEN_COUNT_DROPPED] = SEEN_A_PORT_DROPPED,
	[SEEN_COUNT_MARKED] = SEEN_A_PORT_MARKED,
	[SEEN_COUNT_BLOCKED_IN] = SEEN_A_PORT_BLOCKED_IN,
	[SEEN_COUNT_BLOCKED_OUT] = SEEN_A_PORT_BLOCKED_OUT,
	[SEEN_COUNT_WOULD_DROP] = SEEN_A_PORT_WOULD_DROP,
	[SEEN_COUNT_REFUSED] = SEEN_A_PORT_REFUSED,
	[SEEN_COUNT_UNRECORDED] = SEEN_A_PORT_UNRECORDED,
};

static int nl_guard_dump_put_counts(struct sk_buff *skb, const struct seen_port *port)
{
	enum seen_count count;
	u64 judged = 0, sum;

	for (count = 0; count < SEEN_COUNTS; count++) {
		sum = seen_port_told(port, count);
		if (count <= SEEN_COUNT_HIT && !port->self)
			judged += sum;
		if (nl_guard_dump_put_u64(skb, count_attrs[count], sum))
			return -EMSGSIZE;
	}
	return nl_guard_dump_put_u64(skb, SEEN_A_PORT_JUDGED, judged);
}

static int put_block(struct sk_buff *skb, struct seen_port *port)
{
	struct seen_guard *guard = port->guard;
	u64 since, until, blocks, would_block, now;
	const struct seen_port *peer;

	spin_lock_bh(&guard->evidence_lock);
	since = port->blocked_since;
	until = port->shadow ? 0 : port->blocked_until;
	blocks = port->blocks;
	would_block = port->would_block;
	peer = xa_load(&port->sn->ports, port->peer);
	spin_unlock_bh(&guard->evidence_lock);
	now = seen_now();
	if (nl_guard_dump_put_u64(skb, SEEN_A_PORT_BLOCKS, blocks) ||
	    nl_guard_dump_put_u64(skb, SEEN_A_PORT_WOULD_BLOCK, would_block))
		return -EMSGSIZE;
	if (until <= now)
		return 0;
	return (peer && nla_put_string(skb, SEEN_A_PORT_PEER, peer->name)) ||
	       nl_guard_dump_put_u64(skb, SEEN_A_PORT_BLOCKED_SINCE, now - since) ||
	       nl_guard_dump_put_u64(skb, SEEN_A_PORT_BLOCKED_UNTIL, until - now);
}

static int put_alarm(struct sk_buff *skb, const struct seen_alarm *alarm)
{
	return nla_put_u32(skb, SEEN_A_PORT_ALARM, READ_ONCE(alarm->state)) ||
	       nl_guard_dump_put_u64(skb, SEEN_A_PORT_RATE, READ_ONCE(alarm->rate)) ||
	       nl_guard_dump_put_u64(skb, SEEN_A_PORT_PEAK, READ_ONCE(alarm->peak));
}

static int put_last(struct sk_buff *skb, struct seen_port *port, int attr,
		    bool other)
{
	struct seen_sighting last = seen_port_last(port, other);
	struct seen_dup dup;

	if (!last.when)
		return 0;
	seen_port_dup(port, &last, &dup);
	return seen_dup_put(skb, attr, &dup);
}

static int fill_port(struct sk_buff *skb, struct seen_port *port)
{
	const struct seen_filter *filter =
		seen_binding_filter(port->guard->binding);

	return nla_put_string(skb, SEEN_A_PORT_NAME, port->name) ||
	       nla_put_u32(skb, SEEN_A_PORT_IFINDEX, port->dev->ifindex) ||
	       put_flag(skb, SEEN_A_PORT_SELF, port->self) ||
	       put_flag(skb, SEEN_A_PORT_PROTECTED, port->protect) ||
	       put_flag(skb, SEEN_A_PORT_SUSPENDED, port->suspended) ||
	       put_flag(skb, SEEN_A_PORT_GRO,
			!port->self && port->dev->features & NETIF_F_GRO) ||
	       put_flag(skb, SEEN_A_PORT_OFFLOADED, port->offloaded) ||
	       nl_guard_dump_put_u64(skb, SEEN_A_PORT_BUDGET,
				     seen_port_share(port, &filter->set.geo)) ||
	       nl_guard_dump_put_counts(skb, port) || put_block(skb, port) ||
	       put_alarm(skb, &port->alarm) ||
	       put_last(skb, port, SEEN_A_PORT_LAST, false) ||
	       put_last(skb, port, SEEN_A_PORT_LAST_OTHER, true);
}

static int nl_guard_dump_put_port(struct sk_buff *skb, struct seen_port *port)
{
	struct nlattr *nest = nla_nest_start(skb, SEEN_A_GUARD_PORT);

	if (!nest)
		return -EMSGSIZE;
	if (fill_port(skb, port)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

/* Ports with an id above *last; what was put is *last then. */
static int put_ports(struct sk_buff *skb, const struct seen_guard *guard,
		     long *last)
{
	struct seen_port *port;

	list_for_each_entry(port, &guard->ports, list) {
		if (port->id <= *last)
			continue;
		if (nl_guard_dump_put_port(skb, port))
			return -EMSGSIZE;
		*last = port->id;
	}
	return 0;
}

static size_t nl_guard_dump_reply_bytes(const struct seen_guard *guard)
{
	const struct seen_port *port;
	size_t bytes = GUARD_BYTES;

	list_for_each_entry(port, &guard->ports, list)
		bytes += PORT_BYTES;
	return bytes;
}

int seen_nl_guard_get(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_guard *guard = seen_info_guard(info);
	struct sk_buff *reply;
	void *header;
	long last = 0;

	if (IS_ERR(guard))
		return PTR_ERR(guard);
	reply = seen_nl_reply(info, nl_guard_dump_reply_bytes(guard));
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &seen_family, 0,
				   SEEN_CMD_GUARD_GET);
	return seen_nl_send(info, reply, header,
			    !header || nl_guard_dump_put_guard(reply, guard) ||
			    put_ports(reply, guard, &last));
}

/* 0: all was told; *last is the last port that was. */
static int dump_guard(struct sk_buff *skb, struct netlink_callback *cb,
		      struct seen_guard *guard, long *last)
{
	const long before = *last;
	void *header;
	int err;

	header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
			     cb->nlh->nlmsg_seq, &seen_family, NLM_F_MULTI,
			     SEEN_CMD_GUARD_GET);
	if (!header)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, header);
	if (nl_guard_dump_put_guard(skb, guard)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	err = put_ports(skb, guard, last);
	if (err && *last == before)
		genlmsg_cancel(skb, header);
	else
		genlmsg_end(skb, header);
	return err;
}

/*
 * Goes on behind the last guard told to its end (args[0]) and the last port told
 * of the next one (args[1]), both by ids, which ascend.
 */
int seen_nl_guard_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct seen_net *sn = seen_net(sock_net(skb->sk));
	struct seen_guard *guard;

	down_read(&sn->lock);
	cb->seq = sn->generation + 1;
	list_for_each_entry(guard, &sn->guards, list) {
		if (guard->id <= cb->args[0])
			continue;
		if (dump_guard(skb, cb, guard, &cb->args[1]))
			break;
		cb->args[0] = guard->id;
		cb->args[1] = 0;
	}
	up_read(&sn->lock);
	return skb->len;
}
