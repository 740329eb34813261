// SPDX-License-Identifier: GPL-2.0
/* Repeats on a port: guard_repeat.h. */
#include <linux/math64.h>
#include <linux/minmax.h>

#include "guard.h"
#include "guard_repeat.h"

#define SUSPICION	(500 * NSEC_PER_MSEC)
#define SUSPICION_PAUSE	(10ULL * NSEC_PER_SEC)

#define CONTROL_SPAN	(100 * NSEC_PER_MSEC)
#define CONTROL_REPEATS	10

/* How many there are in this span, this one included; no more than @max and one. */
static u32 repeat_count(struct seen_rate *rate, u64 now, u32 span, u32 max)
{
	u64 number = div_u64(now, span);

	if (READ_ONCE(rate->span) != number) {
		WRITE_ONCE(rate->span, number);
		atomic_set(&rate->count, 0);
	}
	/* A storm writes no more than it must. */
	if ((u32)atomic_read(&rate->count) > max)
		return max + 1;
	return atomic_inc_return(&rate->count);
}

static struct seen_rate *repeat_vlan(struct seen_port *port, u16 vlan)
{
	return &port->repeats.vlan[vlan % SEEN_REPEAT_VLANS];
}

bool seen_repeat_signed(const struct seen_port *port, u16 vlan)
{
	const struct seen_repeats *repeats = &port->repeats;
	u64 until = max3(READ_ONCE(repeats->suspicion), READ_ONCE(repeats->loop),
			 READ_ONCE(repeats->vlan[vlan % SEEN_REPEAT_VLANS].until));

	return until && seen_now() < until;
}

bool seen_repeat_passes(struct seen_port *port, const struct sk_buff *skb,
			u16 vlan, bool again)
{
	u32 max = READ_ONCE(port->guard->config.repeat);
	struct seen_repeats *repeats = &port->repeats;
	struct seen_rate *rate = repeat_vlan(port, vlan);
	u64 now = seen_now();

	if (repeat_count(rate, now, NSEC_PER_SEC, max) > max)
		WRITE_ONCE(rate->until, now + NSEC_PER_SEC);
	if (!seen_repeat_signed(port, vlan))
		return true;
	if (seen_guard_controls(port, skb))
		return repeat_count(&repeats->control, now, CONTROL_SPAN,
				    CONTROL_REPEATS) <= CONTROL_REPEATS;
	return !again &&
	       repeat_count(&repeats->passed, now, NSEC_PER_SEC, max) <= max;
}

void seen_repeat_suspect(struct seen_port *port, u64 now)
{
	struct seen_repeats *repeats = &port->repeats;

	lockdep_assert_held(&port->guard->evidence_lock);
	if (repeats->suspected && now - repeats->suspected < SUSPICION_PAUSE)
		return;
	repeats->suspected = now;
	WRITE_ONCE(repeats->suspicion, now + SUSPICION);
}

void seen_repeat_answered(struct seen_port *port)
{
	lockdep_assert_held(&port->guard->evidence_lock);
	WRITE_ONCE(port->repeats.suspicion, 0);
}

void seen_repeat_proved(struct seen_port *port, u64 until)
{
	lockdep_assert_held(&port->guard->evidence_lock);
	WRITE_ONCE(port->repeats.loop, until);
}
