/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Repeats: frames that arrive again on the port on which they were first seen. Profile loop
 * lets them pass, unless there is a sign of a loop at that port. N is the guard's parameter
 * "repeat". The signs:
 *
 *	a suspicion	until its round of probes ends, for at most 500 ms, once in 10 s
 *	a proved loop	while its port is blocked (dry run: while it would be blocked)
 *	many repeats	more than N per second on the port, in the frame's VLAN
 *	a burst		more than N / 20, and more than 50, within 10 ms on the port, but
 *			only if another port has returned a frame of this port within
 *			the last minute. Lasts 500 ms, at most four times a minute; if
 *			the guard sends no probes, 2 s
 *
 * During a sign each frame passes once in 100 ms, and at most N repeats per second pass on
 * the port. Ten repeats to control groups pass on the port in 100 ms.
 *
 * Direction of error: if several CPUs begin a second at the same time, the counts are too
 * low, and a few more repeats pass.
 */
#ifndef SEEN_GUARD_REPEAT_H
#define SEEN_GUARD_REPEAT_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "guard_vlan.h"

struct seen_port;
struct seen_link;

/* Number of counters per port. VLANs whose IDs have the same last four bits share a counter. */
#define SEEN_REPEAT_VLANS	16

#define SEEN_REPEAT_DEFAULT	1000

/* ns for which a suspicion is a sign of a loop, unless its round of probes ends earlier */
#define SEEN_SUSPICION_SIGN	(500 * NSEC_PER_MSEC)

/**
 * struct seen_rate - number of repeats within a span of time
 * @span: number of the span: the time divided by the length of a span
 * @count: repeats in this span
 * @until: seen_now() until which they are a sign of a loop; 0: no sign
 */
struct seen_rate {
	u64 span;
	atomic_t count;
	u64 until;
};

/**
 * struct seen_repeats - repeats on a port
 * @vlan: repeats per second in the VLANs that share an entry, and their signs
 * @burst: repeats within 10 ms
 * @passed: repeats per second that passed during a sign
 * @control: repeats to control groups, within 100 ms, during a sign
 * @suspicion: seen_now() until which a suspicion is a sign for the port; 0: no sign
 * @suspected: seen_now() when that sign began; 0: never
 * @loop: seen_now() until which a proved loop is a sign for the port; 0: no sign
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
 * seen_repeat_passes() - packet path: count a repeat, and decide whether it passes
 * @port: of a guard with verdict loop
 * @link: link layer of the frame
 * @vlan: VLAN of the frame
 * @again: the frame has already passed within 100 ms
 *
 * Return: true if it passes; false: it is a duplicate.
 */
bool seen_repeat_passes(struct seen_port *port, const struct seen_link *link,
			struct seen_vlan vlan, bool again);

/* The next functions are called under seen_guard.evidence_lock. */

/* seen_repeat_suspect() - begin the sign of a suspicion, unless one began within 10 s */
void seen_repeat_suspect(struct seen_port *port, u64 now);
/* seen_repeat_answered() - end that sign, because the round of probes has ended */
void seen_repeat_answered(struct seen_port *port);
/* seen_repeat_proved() - set the end of the sign of a proved loop; 0: end it now */
void seen_repeat_proved(struct seen_port *port, u64 until);

#endif
