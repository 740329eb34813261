/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Repeats: frames that come again by the port that they came by before. Profile loop
 * lets them pass, unless there is a sign of a loop at that port:
 *
 *	a suspicion	until its probes are answered, for 500 ms at most, once in 10 s
 *	a proved loop	while its port is blocked, or would be
 *	many repeats	more than N in a second on the port, in the frame's VLAN
 *	a burst		more than N / 20 in 10 ms on the port, and more than 50, if
 *			another port has returned a frame of this one's within a
 *			minute: for 500 ms, at most four times a minute; where no
 *			probes are sent, for 2 s
 *
 * With a sign each frame passes once in 100 ms, and N repeats of the port a second pass
 * in all; of a control group, ten in 100 ms on the port.
 *
 * Direction of error: the counts are not exact where several CPUs begin a second at
 * once; then a few repeats more pass.
 */
#ifndef SEEN_GUARD_REPEAT_H
#define SEEN_GUARD_REPEAT_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "guard_vlan.h"

struct seen_port;
struct seen_link;

/* Counters of a port's VLANs; VLANs share them by the last four bits. */
#define SEEN_REPEAT_VLANS	16

#define SEEN_REPEAT_DEFAULT	1000

/* ns for which a suspicion is a sign, unless its probes are answered before */
#define SEEN_SUSPICION_SIGN	(500 * NSEC_PER_MSEC)

/**
 * struct seen_rate - events within a span of time
 * @span: number of the span
 * @count: events in it
 * @until: seen_now() up to which there is a sign; 0: none
 */
struct seen_rate {
	u64 span;
	atomic_t count;
	u64 until;
};

/**
 * struct seen_repeats - repeats on a port
 * @vlan: all of them; a sign each
 * @burst: all of them, in a short time
 * @passed: that passed in spite of a sign
 * @control: the same, of control groups
 * @suspicion: seen_now() up to which a suspicion is a sign for the port; 0: none
 * @suspected: seen_now() when that began; 0: never
 * @loop: seen_now() up to which a proved loop is one; 0: none
 */
struct seen_repeats {
	struct seen_rate vlan[SEEN_REPEAT_VLANS];
	struct seen_rate burst;
	struct seen_rate passed;
	struct seen_rate control;
	u64 suspicion;
	u64 suspected;
	u64 loop;
};

/* seen_repeat_signed() - packet path: is there a sign of a loop for this VLAN? */
bool seen_repeat_signed(const struct seen_port *port, u16 vlan);

/**
 * seen_repeat_passes() - packet path: count a repeat; does it pass?
 * @port: of a guard with verdict loop
 * @link: the frame's link layer
 * @vlan: the frame's
 * @again: it has passed within 100 ms
 */
bool seen_repeat_passes(struct seen_port *port, const struct seen_link *link,
			struct seen_vlan vlan, bool again);

/* These are called under seen_guard.evidence_lock. */

/* seen_repeat_suspect() - a suspicion at @port is a sign, unless one was just before */
void seen_repeat_suspect(struct seen_port *port, u64 now);
/* seen_repeat_answered() - its probes are answered: the sign ends */
void seen_repeat_answered(struct seen_port *port);
/* seen_repeat_proved() - a proved loop is a sign until then; 0: not any more */
void seen_repeat_proved(struct seen_port *port, u64 until);

#endif
