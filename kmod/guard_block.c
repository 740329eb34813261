// SPDX-License-Identifier: GPL-2.0
/*
 * Suspicion and blocks. A frame that was first seen on port p and comes back on port q may
 * have circled in a loop, may have been reflected, or may be forged. Several such frames
 * (parameter "suspect") raise a suspicion, which sends probes (guard_probe.c). Only a loop
 * that the probes prove blocks a port. Dropping the copies alone would end the storm, but the
 * bridges in the loop would still learn senders on the wrong port; a cut corrects that, too.
 *
 * Ports are blocked one after another: frames that passed before the latest block prove
 * nothing, because they may have come back over a path that is cut now. Times are of
 * seen_now(), which is constant within a jiffy; in doubt a frame is not evidence.
 *
 * A dry run (action count) does the same, but only records the blocks that it would make.
 * These blocks last as long as real ones and prevent other blocks, but packets ignore them.
 */
#include <linux/etherdevice.h>
#include <linux/math64.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/rtnetlink.h>

#include "guard_port.h"

/* The frames of a suspicion must come back within this time. */
#define EVIDENCE_SPAN	NSEC_PER_SEC
/* Repeats may circle in a loop for this time after a copy came back on another port. */
#define RETURN_SPAN	(60 * NSEC_PER_SEC)
/* Duration of the sign of circling repeats, if the guard sends no probes. */
#define CIRCLE_SIGN	(2 * NSEC_PER_SEC)
/* Minimum time between two suspicions at a port. During it a copy costs only a clock read. */
#define QUIET_SPAN	(100 * NSEC_PER_MSEC)

static bool block_is_blocked(const struct seen_port *port)
{
	u64 until = READ_ONCE(port->blocked_until);

	return until && seen_now() < until;
}

static bool block_has_carrier(const struct seen_port *port)
{
	return port->self ||
	       (netif_running(port->dev) && netif_carrier_ok(port->dev));
}

bool seen_port_open(const struct seen_port *port)
{
	return !port->self && block_has_carrier(port) && !block_is_blocked(port);
}

/* Is there no other open port? The last open port is never blocked. */
static bool block_is_last(const struct seen_guard *guard,
			  const struct seen_port *port)
{
	const struct seen_port *other;

	list_for_each_entry_rcu(other, &guard->ports, list)
		if (other != port && seen_port_open(other))
			return false;
	return true;
}

struct seen_port *seen_guard_port(const struct seen_guard *guard, u32 number)
{
	struct seen_port *port;

	list_for_each_entry_rcu(port, &guard->ports, list,
				lockdep_is_held(&guard->sn->lock) ||
				lockdep_rtnl_is_held())
		if (port->number == number)
			return port;
	return NULL;
}

/*
 * Is a port already blocked in a dry run? That port is really open, so probes still return;
 * assume that they came through it, and record no second block.
 */
static bool block_is_cut(const struct seen_guard *guard)
{
	const struct seen_port *port;

	list_for_each_entry_rcu(port, &guard->ports, list)
		if (block_is_blocked(port))
			return true;
	return false;
}

/* Blocks of a dry run do not lengthen real blocks. */
static u64 block_next_penalty(const struct seen_port *port, bool shadow, u64 now)
{
	const struct seen_guard_config *config = &port->guard->config;
	u64 first = READ_ONCE(config->block_first);
	u64 longest = READ_ONCE(config->block_max);

	if (!port->penalty || port->shadow != shadow ||
	    now - port->released >= longest)
		return first;
	return min(max(2 * port->penalty, first), longest);
}

/* Vary the length by up to a quarter, so that two bridges do not stay in step. */
static u64 block_jitter(u64 ns)
{
	return ns * 3 / 4 + mul_u64_u32_shr(ns / 2, get_random_u32(), 32);
}

/* While a port is blocked, also in a dry run, both ports of the loop have a sign of it. */
static void block_sign(struct seen_port *port, u64 until)
{
	struct seen_port *peer = seen_guard_port(port->guard, port->peer);

	seen_repeat_proved(port, until);
	if (peer)
		seen_repeat_proved(peer, until);
}

static void block_port(struct seen_port *port, u32 peer)
{
	struct seen_guard *guard = port->guard;
	bool shadow = READ_ONCE(guard->config.action) != SEEN_ACTION_BLOCK;
	u64 now = seen_now(), until;

	lockdep_assert_held(&guard->evidence_lock);
	port->penalty = block_next_penalty(port, shadow, now);
	port->peer = peer;
	if (shadow)
		port->would_block++;
	else
		port->blocks++;
	port->blocked_since = now;
	WRITE_ONCE(guard->latest_block, now);
	WRITE_ONCE(port->shadow, shadow);
	until = now + block_jitter(port->penalty);
	block_sign(port, until);
	/* Pairs with seen_port_blocked(). */
	smp_store_release(&port->blocked_until, until);
	seen_port_tell(port, SEEN_TELL_BLOCKED);
	if (!shadow)
		seen_port_tell(port, SEEN_TELL_FORGET);
}

/*
 * A block whose end has not been reported is not over. A port without a carrier is not part of
 * a loop.
 */
static bool may_block(const struct seen_guard *guard,
		      const struct seen_port *port)
{
	return port && block_has_carrier(port) && !READ_ONCE(port->protect) &&
	       !READ_ONCE(guard->config.paused) &&
	       !READ_ONCE(port->suspended) && !port->blocked_until &&
	       !block_is_last(guard, port);
}

void seen_guard_block(struct seen_guard *guard, u32 back, u32 left, u32 came)
{
	struct seen_port *first = seen_guard_port(guard, back == left ? left : came);
	struct seen_port *second = seen_guard_port(guard, back == left ? came : left);
	const struct seen_port *cause = seen_guard_port(guard, back);

	lockdep_assert_held(&guard->evidence_lock);
	if (READ_ONCE(guard->config.action) != SEEN_ACTION_BLOCK &&
	    block_is_cut(guard))
		return;
	if (!may_block(guard, first))
		swap(first, second);
	if (!may_block(guard, first))
		return;
	if (cause)
		first->cause = cause->cause;
	block_port(first, second ? second->number : 0);
}

static bool block_is_fresh(const struct seen_evidence *evidence,
			   const struct seen_guard *guard, u64 now)
{
	return evidence->when > guard->latest_block &&
	       now - evidence->when < EVIDENCE_SPAN;
}

/* The entry for a frame: its own, if expired, else the oldest; NULL: already recorded. */
static struct seen_evidence *block_place(struct seen_port *port, u32 count, u64 hash,
					 u64 now)
{
	struct seen_evidence *oldest = &port->evidence[0];
	u32 i;

	for (i = 0; i < count; i++) {
		struct seen_evidence *evidence = &port->evidence[i];

		if (evidence->when && evidence->hash == hash)
			return block_is_fresh(evidence, port->guard, now) ? NULL
								    : evidence;
		if (evidence->when < oldest->when)
			oldest = evidence;
	}
	return oldest;
}

/* Record a frame. Returns true if "suspect" frames have come back within EVIDENCE_SPAN. */
static bool block_note(struct seen_port *port, u64 hash)
{
	u32 count = READ_ONCE(port->guard->config.suspect), i;
	u64 now = seen_now();
	struct seen_evidence *evidence = block_place(port, count, hash, now);

	if (!evidence)
		return false;
	evidence->hash = hash;
	evidence->when = now;
	for (i = 0; i < count; i++)
		if (!block_is_fresh(&port->evidence[i], port->guard, now))
			return false;
	return true;
}

bool seen_guard_controls(const struct seen_port *port, const u8 *dest)
{
	return port->ethernet &&
	       seen_control_has(rcu_dereference(port->guard->exempts), dest);
}

static bool block_is_evidence(const struct seen_port *port,
			      const struct seen_arrival_answer *answer)
{
	return answer->first && answer->first != port->number &&
	       answer->since > READ_ONCE(port->guard->latest_block) &&
	       !READ_ONCE(port->blocked_until) &&
	       seen_now() >= READ_ONCE(port->quiet);
}

/* Raise a suspicion. Returns true if a round of probes has begun. */
static bool block_suspect(struct seen_port *port, const struct seen_link *link,
			  u32 number, struct seen_vlan vlan)
{
	struct seen_guard *guard = port->guard;
	struct seen_port *first = seen_guard_port(guard, number);
	u64 now = seen_now();

	lockdep_assert_held(&guard->evidence_lock);
	memset(port->evidence, 0, sizeof(port->evidence));
	WRITE_ONCE(port->quiet, now + QUIET_SPAN);
	if (!block_has_carrier(port) || (first && !block_has_carrier(first)))
		return false;
	/* Repeats on a port itself have a sign already, but only in their VLAN. */
	if (first != port)
		seen_repeat_suspect(port, now);
	if (first && first != port)
		seen_repeat_suspect(first, now);
	seen_sighting_fill(&port->cause, link, number);
	return seen_probe_begin(port, number, vlan);
}

void seen_guard_evidence(struct seen_port *port, const struct seen_link *link,
			 struct seen_vlan vlan, u64 hash,
			 const struct seen_arrival_answer *answer)
{
	struct seen_guard *guard = port->guard;

	if (!block_is_evidence(port, answer) || seen_guard_controls(port, link->eth.h_dest))
		return;
	spin_lock_bh(&guard->evidence_lock);
	if (block_is_evidence(port, answer) && block_note(port, hash))
		block_suspect(port, link, answer->first, vlan);
	spin_unlock_bh(&guard->evidence_lock);
}

static bool block_may_suspect(const struct seen_port *port, u64 now)
{
	return !port->blocked_until && now >= port->quiet;
}

/*
 * The port that was the last to return a frame of @port, or NULL. Ports that have used up
 * their rounds of probes are ignored, so that another port can cause a round.
 */
static struct seen_port *block_returned_by(const struct seen_port *port, u64 now)
{
	struct seen_port *other, *found = NULL;
	u64 latest = max(port->guard->latest_block,
			 now > RETURN_SPAN ? now - RETURN_SPAN : 0);

	list_for_each_entry_rcu(other, &port->guard->ports, list) {
		u64 when = READ_ONCE(other->last_other.when);

		if (READ_ONCE(other->last_other.first) != port->number ||
		    when <= latest || !block_may_suspect(other, now) ||
		    !seen_probe_round_left(other, now))
			continue;
		found = other;
		latest = when;
	}
	return found;
}

/*
 * In a loop, a frame that arrived on one port and left by the other returns on the first port
 * again and again, as a repeat. On the other port it came back only once. With few senders, too
 * few frames come back there for seen_guard_evidence().
 */
u64 seen_guard_circles(struct seen_port *port, const struct seen_link *link,
		       struct seen_vlan vlan, bool many)
{
	struct seen_guard *guard = port->guard;
	u64 now = seen_now(), sign = 0;
	struct seen_port *back;

	if (seen_guard_controls(port, link->eth.h_dest))
		return 0;
	spin_lock_bh(&guard->evidence_lock);
	back = block_returned_by(port, now);
	if (back && !seen_probe_allowed(guard))
		sign = CIRCLE_SIGN;
	if (!back && many)
		back = port;
	if (back && block_may_suspect(back, now) &&
	    block_suspect(back, link, port->number, vlan) && back != port)
		sign = SEEN_SUSPICION_SIGN;
	spin_unlock_bh(&guard->evidence_lock);
	return sign;
}

static void block_unblock(struct seen_port *port)
{
	u64 now = seen_now();

	lockdep_assert_held(&port->guard->evidence_lock);
	if (port->blocked_until <= now)
		return;
	WRITE_ONCE(port->blocked_until, now);
	block_sign(port, 0);
}

void seen_port_unblock(struct seen_port *port)
{
	struct seen_guard *guard = port->guard;

	spin_lock_bh(&guard->evidence_lock);
	block_unblock(port);
	spin_unlock_bh(&guard->evidence_lock);
}

/* A block that is decided after seen_port_unblock() has held the lock sees @protect. */
void seen_port_protect(struct seen_port *port, bool protect)
{
	WRITE_ONCE(port->protect, protect);
	if (!protect)
		return;
	seen_port_unblock(port);
	mod_delayed_work(seen_wq, &port->guard->work, 0);
}

/* The port whose block ends first, or NULL if any port is open. */
static struct seen_port *block_shortest(const struct seen_guard *guard)
{
	struct seen_port *port, *found = NULL;

	list_for_each_entry(port, &guard->ports, list) {
		if (seen_port_open(port))
			return NULL;
		if (block_is_blocked(port) && block_has_carrier(port) &&
		    (!found || port->blocked_until < found->blocked_until))
			found = port;
	}
	return found;
}

/* A block that is decided after this has held the lock sees the lost port or carrier. */
void seen_guard_keep_open(struct seen_guard *guard)
{
	struct seen_port *port;

	ASSERT_RTNL();
	spin_lock_bh(&guard->evidence_lock);
	port = block_shortest(guard);
	if (port)
		block_unblock(port);
	spin_unlock_bh(&guard->evidence_lock);
	if (port)
		mod_delayed_work(seen_wq, &guard->work, 0);
}

u64 seen_port_release(struct seen_port *port, u64 *lasted)
{
	struct seen_guard *guard = port->guard;
	u64 until;

	spin_lock_bh(&guard->evidence_lock);
	until = port->blocked_until;
	/* A block whose beginning has not been reported goes on until it is. */
	if (until && seen_now() >= until &&
	    !test_bit(SEEN_TELL_BLOCKED, &port->events)) {
		if (!port->shadow)
			*lasted = max(1ULL, until - port->blocked_since);
		port->released = until;
		WRITE_ONCE(port->blocked_until, 0);
		until = 0;
	}
	spin_unlock_bh(&guard->evidence_lock);
	return until;
}
