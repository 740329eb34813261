// SPDX-License-Identifier: GPL-2.0
/*
 * Work that packets leave to process context. A packet sets a bit of its port and queues the
 * guard's work, which sends events, updates alarms and ends blocks. The bit of an alarm stays
 * set while it lasts, so that in a storm the packet path only tests a bit.
 */
#include <linux/etherdevice.h>
#include <linux/math64.h>
#include <linux/rtnetlink.h>

#include "guard_port.h"
#include "limit.h"
#include "packet.h"

/* A port's saturation, and its loop that trails prove, are reported at most once in this time. */
#define REPORT_PAUSE	(10 * NSEC_PER_SEC)
/* Time until the next try, if rtnl could not be taken. */
#define RTNL_PAUSE	(10 * NSEC_PER_MSEC)

struct seen_event seen_guard_event(const struct seen_guard *guard, u8 cmd)
{
	return (struct seen_event) {
		.cmd = cmd,
		.has_guard = true,
		.guard_id = guard->id,
		.filter_id = guard->binding->id,
		.kind = guard->config.kind,
		.hook = guard->config.hook,
		.dev = guard->config.dev,
		.filter = guard->binding->name,
	};
}

static void guard_tell(struct seen_guard *guard, u8 cmd, u32 change)
{
	struct seen_event event = seen_guard_event(guard, cmd);

	lockdep_assert_held(&guard->sn->lock);
	event.guard = guard;
	event.change = change;
	seen_event_send(guard->sn, &event);
}

void seen_guard_tell(struct seen_guard *guard, u8 cmd)
{
	guard_tell(guard, cmd, 0);
}

void seen_guard_changed(struct seen_guard *guard, u32 change)
{
	guard_tell(guard, SEEN_CMD_GUARD_CHANGE_NTF, change);
}

void seen_port_tell(struct seen_port *port, enum seen_tell tell)
{
	if (!test_bit(tell, &port->events) &&
	    !test_and_set_bit(tell, &port->events))
		mod_delayed_work(seen_wq, &port->guard->work, 0);
}

void seen_sighting_fill(struct seen_sighting *sighting,
			const struct seen_link *link, u32 first)
{
	ether_addr_copy(sighting->smac, link->eth.h_source);
	ether_addr_copy(sighting->dmac, link->eth.h_dest);
	sighting->ethertype = ntohs(link->eth.h_proto);
	sighting->vlan = link->vlan;
	WRITE_ONCE(sighting->first, first);
	WRITE_ONCE(sighting->when, seen_now());
}

/* Only the first packet of a jiffy is recorded, to limit the writes in a storm. */
void seen_port_saw(struct seen_port *port, const struct seen_link *link, u32 first)
{
	bool other = first && first != port->number;
	struct seen_sighting *last = other ? &port->last_other : &port->last;

	if (READ_ONCE(last->when) != seen_now() &&
	    spin_trylock_bh(&port->last_lock)) {
		seen_sighting_fill(last, link, first);
		spin_unlock_bh(&port->last_lock);
	}
	seen_port_tell(port, SEEN_TELL_ALARM);
}

struct seen_sighting seen_port_last(struct seen_port *port, bool other)
{
	struct seen_sighting last;

	spin_lock_bh(&port->last_lock);
	last = other ? port->last_other : port->last;
	spin_unlock_bh(&port->last_lock);
	return last;
}

void seen_port_dup(const struct seen_port *port,
		   const struct seen_sighting *sighting, struct seen_dup *dup)
{
	const struct seen_port *first = NULL;

	lockdep_assert_held(&port->sn->lock);
	if (sighting->first)
		first = xa_load(&port->sn->ports, sighting->first);
	*dup = (struct seen_dup) {
		.vlan = sighting->vlan,
		.ethertype = sighting->ethertype,
		.when = sighting->when,
	};
	ether_addr_copy(dup->smac, sighting->smac);
	ether_addr_copy(dup->dmac, sighting->dmac);
	strscpy(dup->port, port->name, sizeof(dup->port));
	if (first)
		strscpy(dup->first, first->name, sizeof(dup->first));
}

struct seen_event seen_port_event(const struct seen_port *port, u8 cmd)
{
	struct seen_event event = seen_guard_event(port->guard, cmd);

	event.port = port->name;
	return event;
}

void seen_port_tell_sighting(const struct seen_port *port,
			     const struct seen_sighting *sighting,
			     struct seen_event *event)
{
	struct seen_dup dup;

	seen_port_dup(port, sighting, &dup);
	event->dup = &dup;
	seen_event_send(port->sn, event);
}

static void event_tell_saturated(struct seen_port *port)
{
	struct seen_event event = seen_port_event(port, SEEN_CMD_SATURATED_NTF);

	event.count = seen_port_told(port, SEEN_COUNT_OVER_BUDGET);
	seen_event_send(port->sn, &event);
}

static void event_tell_circled(struct seen_port *port)
{
	struct seen_finding finding = {
		.kind = SEEN_FINDING_KIND_TRAIL, .left = port->number,
		.nodes = READ_ONCE(port->circle),
	};

	seen_guard_found(port->guard, SEEN_CMD_CIRCLED_NTF, &finding);
}

/*
 * Report what a bit of @port.events stands for, if that is due; returns when to call it again, as
 * each event_look_at_…() does.
 * @reported: when @report was last called; 0: not within the last REPORT_PAUSE
 */
static u64 event_look_at(struct seen_port *port, enum seen_tell tell, u64 *reported,
			 void (*report)(struct seen_port *port))
{
	u64 now = seen_now();

	if (!test_bit(tell, &port->events))
		return SEEN_NEVER;
	if (!*reported) {
		*reported = now;
		report(port);
	}
	if (now - *reported < REPORT_PAUSE)
		return *reported + REPORT_PAUSE;
	*reported = 0;
	clear_bit(tell, &port->events);
	return SEEN_NEVER;
}

/* ns to tenths of a second, rounded. */
static u64 guard_event_tenths(u64 ns)
{
	return div_u64(ns + NSEC_PER_SEC / 20, NSEC_PER_SEC / 10);
}

/* @what: "blocked for" or "released after" @ns. Containers must not write to the log. */
static void event_log_port(const struct seen_port *port, const char *what, u64 ns)
{
	u32 tenth;
	u64 seconds = div_u64_rem(guard_event_tenths(ns), 10, &tenth);

	if (!seen_is_tenant(port->sn))
		pr_notice_ratelimited("seen: %s: port %s in a loop with port %s: %s %llu.%u s\n",
				      port->guard->config.dev, port->name,
				      port->peer_name, what, seconds, tenth);
}

static const char *event_peer_name(const struct seen_port *port, u32 number)
{
	const struct seen_port *peer = xa_load(&port->sn->ports, number);

	return peer ? peer->name : NULL;
}

static void event_tell_block(struct seen_port *port)
{
	struct seen_guard *guard = port->guard;
	struct seen_sighting cause;
	struct seen_event event = seen_port_event(port, 0);
	bool shadow;
	u64 length;

	spin_lock_bh(&guard->evidence_lock);
	cause = port->cause;
	event.other = event_peer_name(port, port->peer);
	shadow = port->shadow;
	length = max(1ULL, port->blocked_until - port->blocked_since);
	spin_unlock_bh(&guard->evidence_lock);
	event.cmd = shadow ? SEEN_CMD_WOULD_BLOCK_NTF : SEEN_CMD_PORT_BLOCKED_NTF;
	event.duration = length;
	/* Keep the name, since the other port may be deleted before the block ends. */
	strscpy(port->peer_name, event.other ?: "?", sizeof(port->peer_name));
	if (!shadow)
		event_log_port(port, "blocked for", length);
	seen_port_tell_sighting(port, &cause, &event);
}

static u64 event_look_at_block(struct seen_port *port)
{
	struct seen_event event = seen_port_event(port,
						  SEEN_CMD_PORT_RELEASED_NTF);
	u64 until;

	if (test_and_clear_bit(SEEN_TELL_BLOCKED, &port->events))
		event_tell_block(port);
	until = seen_port_release(port, &event.duration);
	if (event.duration) {
		event_log_port(port, "released after", event.duration);
		seen_event_send(port->sn, &event);
	}
	return until ?: SEEN_NEVER;
}

/* While a port is blocked, frames to the addresses learned on it would be lost. */
static u64 event_look_at_addresses(struct seen_port *port, bool rtnl)
{
	if (!test_bit(SEEN_TELL_FORGET, &port->events))
		return SEEN_NEVER;
	if (!rtnl)
		return seen_now() + RTNL_PAUSE;
	clear_bit(SEEN_TELL_FORGET, &port->events);
	seen_bridge_forget(port);
	return SEEN_NEVER;
}

static bool event_wants_rtnl(struct seen_guard *guard)
{
	const struct seen_port *port;

	if (!seen_probe_idle(guard))
		return true;
	list_for_each_entry_rcu(port, &guard->ports, list)
		if (test_bit(SEEN_TELL_FORGET, &port->events))
			return true;
	return false;
}

void seen_port_close(struct seen_port *port)
{
	lockdep_assert_held_write(&port->sn->lock);
	/* A packet that is still in a hook must not begin a block, which would never end. */
	seen_port_protect(port, true);
	event_look_at_block(port);
	seen_port_alarm_end(port);
}

void seen_guard_work(struct work_struct *work)
{
	struct seen_guard *guard = container_of(to_delayed_work(work),
						struct seen_guard, work);
	struct seen_port *port;
	bool rtnl;
	u64 due, now;

	/* Do not wait for rtnl, because its holder may wait for the end of this work. */
	rcu_read_lock();
	rtnl = event_wants_rtnl(guard);
	rcu_read_unlock();
	rtnl = rtnl && rtnl_trylock();
	down_read(&guard->sn->lock);
	due = seen_probe_work(guard, rtnl);
	list_for_each_entry(port, &guard->ports, list) {
		due = min(due, seen_port_alarm(port));
		due = min(due, event_look_at(port, SEEN_TELL_SATURATED, &port->saturated,
					     event_tell_saturated));
		due = min(due, event_look_at(port, SEEN_TELL_CIRCLED, &port->circled,
					     event_tell_circled));
		due = min(due, event_look_at_addresses(port, rtnl));
		/* The loop is reported before the block that it causes. */
		if (!seen_probe_proved(guard))
			due = min(due, event_look_at_block(port));
	}
	up_read(&guard->sn->lock);
	if (rtnl)
		rtnl_unlock();
	now = seen_now();
	/* Not mod_delayed_work(): a packet may have queued the work to run at once. */
	if (due != SEEN_NEVER)
		queue_delayed_work(seen_wq, &guard->work, due <= now ? 0 :
				   nsecs_to_jiffies(due - now) + 1);
}
