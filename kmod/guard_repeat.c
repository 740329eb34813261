// SPDX-License-Identifier: GPL-2.0
/* Repeats on a port: guard_repeat.h. */
#include <linux/math64.h>
#include <linux/minmax.h>

#include "guard_port.h"
#include "guard_repeat.h"

#define SUSPICION_PAUSE	(10ULL * NSEC_PER_SEC)

/*
 * A burst is more than N / BURST_PART repeats within BURST_SPAN. With a copy on another port it
 * is a sign of a loop. Its rate is five times the rate at which repeats alone are a sign.
 */
#define BURST_SPAN	(10 * NSEC_PER_MSEC)
#define BURST_LEAST	50
#define BURST_PART	20

#define CONTROL_SPAN	(100 * NSEC_PER_MSEC)
#define CONTROL_REPEATS	10

/*
 * Count an event. Returns the number of events in this span, including this one. @max + 1 is
 * returned for one event only; for all later ones the result is at least @max + 2.
 */
static u32 repeat_count(struct seen_rate *rate, u64 now, u32 span, u32 max)
{
	u64 number = div_u64(now, span);

	if (READ_ONCE(rate->span) != number) {
		WRITE_ONCE(rate->span, number);
		atomic_set(&rate->count, 0);
	}
	/* In a storm, most packets do not write the counter. */
	if ((u32)atomic_read(&rate->count) > max)
		return max + 2;
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

static void repeat_sign(struct seen_rate *rate, u64 until)
{
	if (READ_ONCE(rate->until) < until)
		WRITE_ONCE(rate->until, until);
}

/*
 * Too many repeats are a sign of a loop. Probes find out whether there is one; this is tried
 * once in each span, because seen_guard_circles() walks all ports.
 */
static void repeat_look_for_sign(struct seen_port *port, const struct seen_link *link,
				 struct seen_vlan vlan, u64 now)
{
	u32 max = READ_ONCE(port->guard->config.repeat);
	u32 max_burst = max_t(u32, BURST_LEAST, max / BURST_PART);
	struct seen_repeats *repeats = &port->repeats;
	struct seen_rate *rate = repeat_vlan(port, vlan.id);
	u32 count = repeat_count(rate, now, NSEC_PER_SEC, max);
	u32 burst = repeat_count(&repeats->burst, now, BURST_SPAN,
				 max_burst);

	if (count > max)
		repeat_sign(rate, now + NSEC_PER_SEC);
	if (count == max + 1 || burst == max_burst + 1)
		repeat_sign(rate, now + seen_guard_circles(port, link, vlan,
							   count > max));
}

bool seen_repeat_passes(struct seen_port *port, const struct seen_link *link,
			struct seen_vlan vlan, bool again)
{
	u32 max = READ_ONCE(port->guard->config.repeat);
	struct seen_repeats *repeats = &port->repeats;
	u64 now = seen_now();

	repeat_look_for_sign(port, link, vlan, now);
	if (!seen_repeat_signed(port, vlan.id))
		return true;
	if (seen_guard_controls(port, link->eth.h_dest))
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
	WRITE_ONCE(repeats->suspicion, now + SEEN_SUSPICION_SIGN);
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
