// SPDX-License-Identifier: GPL-2.0
/*
 * Blocking: a frame that was first seen on port p and comes back on port q says
 * that p and q are joined outside of this bridge. Dropping the copies ends the
 * storm, but a bridge on the way has learned its sender behind the wrong port,
 * and only a loop that is cut leaves it right.
 *
 * One port at a time: frames that were first let through before the latest block
 * prove nothing, since they may have come back over a path that is cut by now.
 * Times are of seen_now(), which stands still within a jiffy: in doubt a frame
 * is no evidence.
 *
 * A guard that only counts goes the same way, and notes the blocks that it would
 * have made: they last as long, and keep others from being made, but packets do
 * not see them.
 */
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/rtnetlink.h>

#include "guard.h"

/* Evidence must come together within this. */
#define EVIDENCE_SPAN	NSEC_PER_SEC
/* A block's length: first, longest, and when the first is due again. */
#define PENALTY_FIRST	(5 * NSEC_PER_SEC)
#define PENALTY_MAX	(300 * NSEC_PER_SEC)
#define PENALTY_FORGET	(300 * NSEC_PER_SEC)

static bool is_blocked(const struct seen_port *port)
{
	u64 until = READ_ONCE(port->blocked_until);

	return until && seen_now() < until;
}

static bool is_open(const struct seen_port *port)
{
	return !port->self && !READ_ONCE(port->closed) && !is_blocked(port);
}

/* The last port that passes anything is never blocked. */
static bool is_last(const struct seen_guard *guard,
		    const struct seen_port *port)
{
	const struct seen_port *other;

	list_for_each_entry_rcu(other, &guard->ports, list)
		if (other != port && is_open(other))
			return false;
	return true;
}

/*
 * Where a port only would be blocked, copies go on to come back on others, of which
 * nobody can say whether they came by that port. They are taken to.
 */
static bool is_cut(const struct seen_guard *guard)
{
	const struct seen_port *port;

	list_for_each_entry_rcu(port, &guard->ports, list)
		if (is_blocked(port))
			return true;
	return false;
}

/* Blocks that were not made do not lengthen those that are. */
static u64 next_penalty(const struct seen_port *port, bool shadow, u64 now)
{
	if (!port->penalty || port->shadow != shadow ||
	    now - port->released >= PENALTY_FORGET)
		return PENALTY_FIRST;
	return min(2 * port->penalty, PENALTY_MAX);
}

/* Within a quarter either way: two bridges that blocked at once part again. */
static u64 jitter(u64 ns)
{
	return ns * 3 / 4 + ((ns / 2 * (get_random_u32() >> 12)) >> 20);
}

static void block(struct seen_port *port, const struct sk_buff *skb, u32 first)
{
	struct seen_guard *guard = port->guard;
	bool shadow = READ_ONCE(guard->config.action) != SEEN_ACTION_BLOCK;
	u64 now = seen_now();

	lockdep_assert_held(&guard->evidence_lock);
	memset(port->evidence, 0, sizeof(port->evidence));
	if (READ_ONCE(port->protect) || is_last(guard, port) ||
	    (shadow && is_cut(guard)))
		return;
	port->penalty = next_penalty(port, shadow, now);
	seen_sighting_fill(&port->cause, skb, first);
	if (shadow)
		port->would_block++;
	else
		port->blocks++;
	port->blocked_since = now;
	WRITE_ONCE(guard->latest_block, now);
	WRITE_ONCE(port->shadow, shadow);
	/* Pairs with seen_port_blocked(). */
	smp_store_release(&port->blocked_until, now + jitter(port->penalty));
	seen_port_tell(port, SEEN_TELL_BLOCKED);
}

static bool is_fresh(const struct seen_evidence *evidence,
		     const struct seen_guard *guard, u64 now)
{
	return evidence->when > guard->latest_block &&
	       now - evidence->when < EVIDENCE_SPAN;
}

/* Where to note a frame: its old place, else the oldest; NULL: it is there. */
static struct seen_evidence *place(struct seen_port *port, u64 hash, u64 now)
{
	struct seen_evidence *oldest = &port->evidence[0];
	int i;

	for (i = 0; i < SEEN_EVIDENCE; i++) {
		struct seen_evidence *evidence = &port->evidence[i];

		if (evidence->when && evidence->hash == hash)
			return is_fresh(evidence, port->guard, now) ? NULL
								    : evidence;
		if (evidence->when < oldest->when)
			oldest = evidence;
	}
	return oldest;
}

/* True: with this one, as many frames as it takes came together. */
static bool note(struct seen_port *port, u64 hash)
{
	u64 now = seen_now();
	struct seen_evidence *evidence = place(port, hash, now);
	int i;

	if (!evidence)
		return false;
	evidence->hash = hash;
	evidence->when = now;
	for (i = 0; i < SEEN_EVIDENCE; i++)
		if (!is_fresh(&port->evidence[i], port->guard, now))
			return false;
	return true;
}

static bool blocks(const struct seen_guard_config *config)
{
	u32 action = READ_ONCE(config->action);

	return action == SEEN_ACTION_BLOCK ||
	       (action == SEEN_ACTION_COUNT && seen_guard_may_block(config));
}

/* A block whose end has not been told yet is not over. */
static bool is_evidence(const struct seen_port *port,
			const struct seen_port_answer *answer)
{
	const struct seen_guard *guard = port->guard;

	return blocks(&guard->config) && answer->first &&
	       answer->first != port->number &&
	       answer->since > READ_ONCE(guard->latest_block) &&
	       !READ_ONCE(port->blocked_until);
}

void seen_guard_evidence(struct seen_port *port, const struct sk_buff *skb,
			 u64 hash, const struct seen_port_answer *answer)
{
	struct seen_guard *guard = port->guard;

	if (!is_evidence(port, answer))
		return;
	spin_lock_bh(&guard->evidence_lock);
	if (is_evidence(port, answer) && note(port, hash))
		block(port, skb, answer->first);
	spin_unlock_bh(&guard->evidence_lock);
}

static void unblock(struct seen_port *port)
{
	u64 now = seen_now();

	lockdep_assert_held(&port->guard->evidence_lock);
	if (port->blocked_until > now)
		WRITE_ONCE(port->blocked_until, now);
}

void seen_port_unblock(struct seen_port *port)
{
	struct seen_guard *guard = port->guard;

	spin_lock_bh(&guard->evidence_lock);
	unblock(port);
	spin_unlock_bh(&guard->evidence_lock);
}

/* Blocks that are decided after this has the lock see that the port is protected. */
void seen_port_protect(struct seen_port *port, bool protect)
{
	WRITE_ONCE(port->protect, protect);
	if (!protect)
		return;
	seen_port_unblock(port);
	mod_delayed_work(seen_wq, &port->guard->work, 0);
}

/* Of those that a block keeps closed the one with the shortest; NULL: one is open. */
static struct seen_port *shortest(const struct seen_guard *guard)
{
	struct seen_port *port, *found = NULL;

	list_for_each_entry(port, &guard->ports, list) {
		if (is_open(port))
			return NULL;
		if (is_blocked(port) && !READ_ONCE(port->closed) &&
		    (!found || port->blocked_until < found->blocked_until))
			found = port;
	}
	return found;
}

/* Blocks that are decided after this has the lock see that the port has gone, or closed. */
void seen_guard_keep_open(struct seen_guard *guard)
{
	struct seen_port *port;

	ASSERT_RTNL();
	spin_lock_bh(&guard->evidence_lock);
	port = shortest(guard);
	if (port)
		unblock(port);
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
	/* One whose beginning has not been told goes on until it is. */
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
