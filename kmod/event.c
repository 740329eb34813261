// SPDX-License-Identifier: GPL-2.0
/* Events: event.h. */
#include <linux/ktime.h>
#include <linux/srcu.h>
#include <net/genetlink.h>

#include "core/clock.h"
#include "event.h"

static int event_put_string(struct sk_buff *skb, int attr, const char *text)
{
	return text && *text ? nla_put_string(skb, attr, text) : 0;
}

static int event_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return value ? nla_put_u64_64bit(skb, attr, value, SEEN_A_EVENT_PAD)
		     : 0;
}

int seen_dup_put(struct sk_buff *skb, int attr, const struct seen_dup *dup)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest)
		return -EMSGSIZE;
	if (nla_put(skb, SEEN_A_DUP_SMAC, ETH_ALEN, dup->smac) ||
	    nla_put(skb, SEEN_A_DUP_DMAC, ETH_ALEN, dup->dmac) ||
	    (dup->vlan != 0xffff &&
	     nla_put_u16(skb, SEEN_A_DUP_VLAN, dup->vlan)) ||
	    nla_put_u16(skb, SEEN_A_DUP_ETHERTYPE, dup->ethertype) ||
	    event_put_string(skb, SEEN_A_DUP_PORT, dup->port) ||
	    event_put_string(skb, SEEN_A_DUP_FIRST_PORT, dup->first) ||
	    nla_put_u64_64bit(skb, SEEN_A_DUP_AGE, seen_now() - dup->when,
			      SEEN_A_DUP_PAD)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

static int event_fill_finding(struct sk_buff *skb, const struct seen_finding *finding,
			      const char *port, const char *other)
{
	return nla_put_u32(skb, SEEN_A_FINDING_KIND, finding->kind) ||
	       event_put_string(skb, SEEN_A_FINDING_PORT, port) ||
	       event_put_string(skb, SEEN_A_FINDING_OTHER, other) ||
	       (finding->vlan &&
		nla_put_u16(skb, SEEN_A_FINDING_VLAN, finding->vlan)) ||
	       (finding->kind == SEEN_FINDING_KIND_LEAK &&
		nla_put_u16(skb, SEEN_A_FINDING_INTO, finding->into)) ||
	       (finding->kind == SEEN_FINDING_KIND_TRAIL &&
		nla_put_u16(skb, SEEN_A_FINDING_NODES, finding->nodes)) ||
	       nla_put_u64_64bit(skb, SEEN_A_FINDING_COUNT, finding->count,
				 SEEN_A_FINDING_PAD) ||
	       nla_put_u64_64bit(skb, SEEN_A_FINDING_AGE,
				 seen_now() - finding->when,
				 SEEN_A_FINDING_PAD);
}

int seen_finding_put(struct sk_buff *skb, int attr,
		     const struct seen_finding *finding, const char *port,
		     const char *other)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest)
		return -EMSGSIZE;
	if (event_fill_finding(skb, finding, port, other)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

/*
 * Set after the family is registered, and NULL again before it is unregistered. An event is
 * built and sent in a read section of event_srcu, because commands, device events, works,
 * rules and the end of a namespace send events, and no other lock is held by all of them.
 */
static const struct seen_event_sender __rcu *event_sender;
DEFINE_STATIC_SRCU(event_srcu);

static int event_fill_filter(struct sk_buff *skb, const struct seen_event_sender *sender,
			     const struct seen_event *event)
{
	if (event->binding)
		return sender->put_filter(skb, event->binding);
	return event_put_string(skb, SEEN_A_FILTER_NAME, event->filter) ||
	       nla_put_u32(skb, SEEN_A_FILTER_ID, event->filter_id);
}

static int event_put_filter(struct sk_buff *skb, const struct seen_event_sender *sender,
			    const struct seen_event *event)
{
	struct nlattr *nest;

	if (!event->filter)
		return 0;
	nest = nla_nest_start(skb, SEEN_A_EVENT_FILTER);
	if (!nest || event_fill_filter(skb, sender, event))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int event_fill_guard(struct sk_buff *skb, const struct seen_event_sender *sender,
			    const struct seen_event *event)
{
	if (event->guard)
		return sender->put_guard(skb, event->guard);
	return nla_put_u32(skb, SEEN_A_GUARD_ID, event->guard_id) ||
	       nla_put_u32(skb, SEEN_A_GUARD_KIND, event->kind) ||
	       nla_put_u32(skb, SEEN_A_GUARD_HOOK, event->hook) ||
	       event_put_string(skb, SEEN_A_GUARD_DEV, event->dev);
}

static int event_put_guard(struct sk_buff *skb, const struct seen_event_sender *sender,
			   const struct seen_event *event)
{
	struct nlattr *nest;

	if (!event->has_guard)
		return 0;
	nest = nla_nest_start(skb, SEEN_A_EVENT_GUARD);
	if (!nest || event_fill_guard(skb, sender, event))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int event_put_change(struct sk_buff *skb, const struct seen_event *event)
{
	return (event->change &&
		nla_put_u32(skb, SEEN_A_EVENT_CHANGE, event->change)) ||
	       event_put_string(skb, SEEN_A_EVENT_OLD_NAME, event->old_name);
}

static int event_put_window(struct sk_buff *skb, const struct seen_event *event)
{
	if (!event->promised)
		return 0;
	/* Not event_put_u64(): an effective window of 0 must be reported, too. */
	return nla_put_u64_64bit(skb, SEEN_A_EVENT_WINDOW, event->window,
				 SEEN_A_EVENT_PAD) ||
	       event_put_u64(skb, SEEN_A_EVENT_PROMISED, event->promised);
}

static int event_put(struct sk_buff *skb, const struct seen_event_sender *sender,
		     const struct seen_event *event, u64 lost)
{
	void *header = genlmsg_put(skb, 0, 0, sender->family, 0, event->cmd);

	if (!header)
		return -EMSGSIZE;
	if (event_put_u64(skb, SEEN_A_EVENT_TIME, ktime_get_real_ns()) ||
	    event_put_filter(skb, sender, event) ||
	    event_put_guard(skb, sender, event) ||
	    event_put_change(skb, event) ||
	    event_put_string(skb, SEEN_A_EVENT_PORT, event->port) ||
	    event_put_string(skb, SEEN_A_EVENT_OTHER, event->other) ||
	    (event->dup && seen_dup_put(skb, SEEN_A_EVENT_DUP, event->dup)) ||
	    (event->finding &&
	     seen_finding_put(skb, SEEN_A_EVENT_FINDING, event->finding,
			      event->port, event->other)) ||
	    event_put_u64(skb, SEEN_A_EVENT_COUNT, event->count) ||
	    event_put_u64(skb, SEEN_A_EVENT_DURATION, event->duration) ||
	    event_put_window(skb, event) ||
	    event_put_u64(skb, SEEN_A_EVENT_RATE, event->rate) ||
	    event_put_u64(skb, SEEN_A_EVENT_PEAK, event->peak) ||
	    event_put_u64(skb, SEEN_A_EVENT_LOST, lost)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

/* Enough for a whole guard with all its attributes, and for the rest of the event. */
#define EVENT_BYTES	(2 * NLMSG_GOODSIZE)

static void event_send(const struct seen_event_sender *sender, struct seen_net *sn,
		       const struct seen_event *event)
{
	struct sk_buff *skb;
	int lost, err;

	lost = atomic_xchg(&sn->events_lost, 0);
	skb = genlmsg_new(event->guard ? EVENT_BYTES : NLMSG_GOODSIZE,
			  GFP_KERNEL);
	if (!skb)
		goto lose;
	if (event_put(skb, sender, event, lost)) {
		nlmsg_free(skb);
		goto lose;
	}
	err = genlmsg_multicast_netns(sender->family, sn->net, skb, 0, 0,
				      GFP_KERNEL);
	/* -ESRCH: there is no listener any more. Other errors: a listener lost the event. */
	if (!err || err == -ESRCH)
		return;
lose:
	atomic_add(lost + 1, &sn->events_lost);
}

void seen_event_send(struct seen_net *sn, const struct seen_event *event)
{
	const struct seen_event_sender *sender;
	int index = srcu_read_lock(&event_srcu);

	sender = srcu_dereference(event_sender, &event_srcu);
	if (sender && genl_has_listeners(sender->family, sn->net, 0))
		event_send(sender, sn, event);
	srcu_read_unlock(&event_srcu, index);
}

void seen_event_open(const struct seen_event_sender *sender)
{
	rcu_assign_pointer(event_sender, sender);
}

/*
 * Later events find no sender, and synchronize_srcu() waits for events that have found one.
 * So when the family is unregistered, no event is being sent to its multicast group. (The
 * next family may get the number of that group.) The notifier, the end of a namespace and
 * works may still call seen_event_send() after this. main.c waits for each of them before the
 * module ends.
 */
void seen_event_close(void)
{
	RCU_INIT_POINTER(event_sender, NULL);
	synchronize_srcu(&event_srcu);
}
