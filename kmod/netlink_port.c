// SPDX-License-Identifier: GPL-2.0
/*
 * Dump the ports of one guard, or of all guards. Each message has one port, because a guard
 * may have more ports than fit into one message.
 */
#include <net/sock.h>

#include "guard_port.h"
#include "netlink.h"

static int nl_port_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, SEEN_A_PORT_PAD);
}

static int port_put_flag(struct sk_buff *skb, int attr, bool set)
{
	return set ? nla_put_flag(skb, attr) : 0;
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
	[SEEN_COUNT_TRAIL_ADDED] = SEEN_A_PORT_TRAIL_ADDED,
	[SEEN_COUNT_TRAIL_NONE] = SEEN_A_PORT_TRAIL_NONE,
	[SEEN_COUNT_TRAIL_STRIKE] = SEEN_A_PORT_TRAIL_STRIKE,
	[SEEN_COUNT_TRAIL_LOOP] = SEEN_A_PORT_TRAIL_LOOP,
	[SEEN_COUNT_TRAIL_STRIPPED] = SEEN_A_PORT_TRAIL_STRIPPED,
	[SEEN_COUNT_TRAIL_WITHHELD] = SEEN_A_PORT_TRAIL_WITHHELD,
};

static int nl_port_put_counts(struct sk_buff *skb, const struct seen_port *port)
{
	enum seen_count count;
	u64 judged = 0, sum;

	for (count = 0; count < SEEN_COUNTS; count++) {
		sum = seen_port_told(port, count);
		if (count <= SEEN_COUNT_HIT && !port->self)
			judged += sum;
		if (nl_port_put_u64(skb, count_attrs[count], sum))
			return -EMSGSIZE;
	}
	return nl_port_put_u64(skb, SEEN_A_PORT_JUDGED, judged);
}

static int nl_port_put_block(struct sk_buff *skb, struct seen_port *port)
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
	if (nl_port_put_u64(skb, SEEN_A_PORT_BLOCKS, blocks) ||
	    nl_port_put_u64(skb, SEEN_A_PORT_WOULD_BLOCK, would_block))
		return -EMSGSIZE;
	if (until <= now)
		return 0;
	return (peer && nla_put_string(skb, SEEN_A_PORT_PEER, peer->name)) ||
	       nl_port_put_u64(skb, SEEN_A_PORT_BLOCKED_SINCE, now - since) ||
	       nl_port_put_u64(skb, SEEN_A_PORT_BLOCKED_UNTIL, until - now);
}

static int nl_port_put_alarm(struct sk_buff *skb, const struct seen_port_alarm *alarm)
{
	return nla_put_u32(skb, SEEN_A_PORT_ALARM, READ_ONCE(alarm->state)) ||
	       nl_port_put_u64(skb, SEEN_A_PORT_RATE, READ_ONCE(alarm->rate)) ||
	       nl_port_put_u64(skb, SEEN_A_PORT_PEAK, READ_ONCE(alarm->peak));
}

static int nl_port_put_last(struct sk_buff *skb, struct seen_port *port, int attr,
			    bool other)
{
	struct seen_sighting last = seen_port_last(port, other);
	struct seen_dup dup;

	if (!last.when)
		return 0;
	seen_port_dup(port, &last, &dup);
	return seen_dup_put(skb, attr, &dup);
}

static int nl_port_put(struct sk_buff *skb, struct seen_port *port)
{
	const struct seen_filter *filter =
		seen_binding_filter(port->guard->binding);

	return nla_put_u32(skb, SEEN_A_PORT_GUARD_ID, port->guard->id) ||
	       nla_put_string(skb, SEEN_A_PORT_NAME, port->name) ||
	       nla_put_u32(skb, SEEN_A_PORT_IFINDEX, port->dev->ifindex) ||
	       port_put_flag(skb, SEEN_A_PORT_SELF, port->self) ||
	       port_put_flag(skb, SEEN_A_PORT_PROTECTED, port->protect) ||
	       port_put_flag(skb, SEEN_A_PORT_SUSPENDED, port->suspended) ||
	       port_put_flag(skb, SEEN_A_PORT_GRO,
			     !port->self && port->dev->features & NETIF_F_GRO) ||
	       port_put_flag(skb, SEEN_A_PORT_OFFLOADED, port->offloaded) ||
	       nl_port_put_u64(skb, SEEN_A_PORT_BUDGET,
			       seen_port_share(port, &filter->set.geo)) ||
	       nl_port_put_counts(skb, port) || nl_port_put_block(skb, port) ||
	       nl_port_put_alarm(skb, &port->alarm) ||
	       nl_port_put_last(skb, port, SEEN_A_PORT_LAST, false) ||
	       nl_port_put_last(skb, port, SEEN_A_PORT_LAST_OTHER, true);
}

static bool nl_port_wants_one(struct nlattr *const attrs[])
{
	return attrs[SEEN_A_PORT_GUARD_ID] || attrs[SEEN_A_PORT_GUARD_KIND] ||
	       attrs[SEEN_A_PORT_GUARD_DEV] || attrs[SEEN_A_PORT_GUARD_HOOK];
}

/* cb->args[2] becomes the id of the guard whose ports are dumped; 0: all guards. */
static int nl_port_begin(struct netlink_callback *cb)
{
	static const struct seen_nl_place place = {
		.id = SEEN_A_PORT_GUARD_ID,
		.kind = SEEN_A_PORT_GUARD_KIND,
		.dev = SEEN_A_PORT_GUARD_DEV,
		.hook = SEEN_A_PORT_GUARD_HOOK,
	};
	struct seen_net *sn = seen_net(sock_net(cb->skb->sk));
	struct nlattr **attrs = seen_dump_attrs(cb);
	struct seen_guard *guard;

	cb->args[3] = true;
	if (!nl_port_wants_one(attrs))
		return 0;
	down_read(&sn->lock);
	guard = seen_nl_guard_find(sn, attrs, &place, cb->extack);
	if (!IS_ERR(guard))
		cb->args[2] = guard->id;
	up_read(&sn->lock);
	return PTR_ERR_OR_ZERO(guard);
}

static int dump_port(struct sk_buff *skb, struct netlink_callback *cb,
		     struct seen_port *port)
{
	void *header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				   cb->nlh->nlmsg_seq, &seen_family,
				   NLM_F_MULTI, SEEN_CMD_PORT_GET);

	if (!header)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, header);
	if (nl_port_put(skb, port)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

/* Dump the ports with an id greater than *last, in order. *last becomes the last id dumped. */
static int nl_port_dump_ports(struct sk_buff *skb, struct netlink_callback *cb,
			      const struct seen_guard *guard, long *last)
{
	struct seen_port *port;

	list_for_each_entry(port, &guard->ports, list) {
		if (port->id <= *last)
			continue;
		if (dump_port(skb, cb, port))
			return -EMSGSIZE;
		*last = port->id;
	}
	return 0;
}

/*
 * Continues at the guard with id cb->args[0], after its port with id cb->args[1]. Both lists
 * are in order of ids. After nl_port_begin(), cb->args[3] is true and cb->args[2] is the id of
 * the request's guard, or 0.
 */
int seen_nl_port_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct seen_net *sn = seen_net(sock_net(skb->sk));
	int err = cb->args[3] ? 0 : nl_port_begin(cb);
	const struct seen_guard *guard;

	if (err)
		return err;
	down_read(&sn->lock);
	cb->seq = sn->generation + 1;
	list_for_each_entry(guard, &sn->guards, list) {
		if (guard->id < cb->args[0] ||
		    (cb->args[2] && guard->id != cb->args[2]))
			continue;
		if (guard->id != cb->args[0])
			cb->args[1] = 0;
		cb->args[0] = guard->id;
		err = nl_port_dump_ports(skb, cb, guard, &cb->args[1]);
		if (err)
			break;
	}
	up_read(&sn->lock);
	/* If not even one port fits, return an error. 0 would end the dump. */
	return skb->len ?: err;
}
