/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes: does a frame that this bridge sends come back, and would the bridge send it again?
 *
 * Copies alone do not prove a loop: two guarded bridges return each frame once, an access
 * point may reflect broadcasts, and a station that predicts frames can forge copies. So
 * after a suspicion the guard sends broadcasts that no station can predict. If one arrives
 * on another port, in the same VLAN, and the bridge is about to forward it to the port that
 * sent it, there is a loop: the VLANs, port states, locked ports, flood flags and forward
 * rules of the bridge have let the probe pass.
 *
 *	idle --suspicion--> first --proof--> pause --50 to 300 ms--> again --proof--> block
 *	  <----------------- no proof after four tries ---------------
 *
 * In a ring of several guarded bridges, one bridge proves the loop a second time before the
 * others. Its block stops the probes of the others, so the ring is cut once.
 *
 * Direction of error: without a proof no port is blocked. A false proof needs a forged
 * SipHash of 64 bits, or a station that copies a probe from one port to the other.
 */
#ifndef SEEN_GUARD_PROBE_H
#define SEEN_GUARD_PROBE_H

#include <linux/siphash.h>
#include <linux/types.h>
#include <linux/seen.h>

#include "event.h"
#include "guard_vlan.h"

struct seen_guard;
struct seen_port;
struct sk_buff;

/* Number of findings that a guard keeps. They differ in kind, VLAN or pair of ports. */
#define SEEN_FINDINGS	4

/* Maximum number of rounds of probes that a port can cause within a minute. */
#define SEEN_PROBE_ROUNDS	4

enum seen_probe_stage {
	SEEN_PROBE_IDLE,
	SEEN_PROBE_FIRST,
	SEEN_PROBE_PAUSE,
	SEEN_PROBE_AGAIN,
	SEEN_PROBE_PROVED,
};

/**
 * struct seen_probe - the probes of a guard; all but @key under its evidence_lock
 * @key: SipHash key for the tags of probes; never changes
 * @stage: enum seen_probe_stage
 * @serial: number of the stage; each of its probes contains it
 * @tries: number of tries in this stage; a try sends a probe by one or more ports
 * @due: seen_now() when the work has something to do
 * @vlan: VLAN of the frames that came back
 * @back: number of the port on which they came back
 * @first: number of the port on which they were first seen
 * @found: the strongest finding of this stage
 * @findings: the last findings; with @count 0: unused
 */
struct seen_probe {
	siphash_key_t key;
	u32 stage;
	u32 serial;
	u32 tries;
	u64 due;
	struct seen_vlan vlan;
	u32 back;
	u32 first;
	struct seen_finding found;
	struct seen_finding findings[SEEN_FINDINGS];
};

/**
 * struct seen_probe_frame - a frame that arrived, and may be a probe
 * @left: number of the port that sent it; 0: not a probe of this guard
 * @serial: number of its stage
 * @same: it arrived on another port, in the VLAN in which it was sent
 * @fresh: it belongs to the present stage
 */
struct seen_probe_frame {
	u32 left;
	u32 serial;
	bool same;
	bool fresh;
};

/* seen_probe_init() - initialize the probes of a new guard */
void seen_probe_init(struct seen_probe *probe);

/**
 * seen_probe_follow() - initialize the probes of a guard that will replace another one
 * @probe: probes of the new guard, which has no ports yet
 * @old: probes of the old guard, which is deleted before it sends another one
 *
 * The new guard takes probes of the old guard that are still on their way for probes of an
 * earlier stage: it drops them, and they prove nothing.
 */
void seen_probe_follow(struct seen_probe *probe, const struct seen_probe *old);

/**
 * seen_probe_begin() - begin a round of probes after a suspicion
 * @port: the port on which copies came back; evidence_lock held
 * @first: number of the port on which the frames were first seen
 * @vlan: VLAN of the frames
 *
 * Return: true; false: no round has begun, since one is going on, the guard sends no probes,
 * or @port has used up its rounds.
 */
bool seen_probe_begin(struct seen_port *port, u32 first, struct seen_vlan vlan);

/* seen_probe_allowed() - does the guard send probes now? */
bool seen_probe_allowed(const struct seen_guard *guard);

/* seen_probe_round_left() - can @port cause another round now? evidence_lock held */
bool seen_probe_round_left(const struct seen_port *port, u64 now);

/* seen_probe_is_one() - packet path: cheap check whether a frame can be a probe */
static inline bool seen_probe_is_one(const struct sk_buff *skb)
{
	return skb->protocol == htons(ETH_P_802_EX1);
}

/**
 * seen_probe_came() - packet path: examine a frame that may be a probe of the port's guard
 * @port: the port on which it arrived
 * @skb: the frame, in NF_BR_PRE_ROUTING of the bridge
 *
 * Records the finding of a probe, if it is stronger than the earlier ones of this stage.
 *
 * Return: the result; its @left is 0 if the frame is not a probe of this guard.
 */
struct seen_probe_frame seen_probe_came(struct seen_port *port,
					const struct sk_buff *skb);

/* seen_probe_mine() - packet path: is it a probe of the port's guard? Records nothing. */
bool seen_probe_mine(const struct seen_port *port, const struct sk_buff *skb);

/**
 * seen_probe_forward() - packet path: the bridge is about to send a probe by @out
 * @port: the port on which it arrived
 * @out: the port by which it would leave, or NULL
 * @frame: result of seen_probe_came()
 *
 * If this proves the loop a second time, blocks a port, effective at once.
 */
void seen_probe_forward(struct seen_port *port, const struct seen_port *out,
			const struct seen_probe_frame *frame);

/**
 * seen_probe_work() - send probes that are due, and report a finding
 * @guard: seen_net.lock held
 * @rtnl: rtnl is held, so that port states can be read. If false, a try sends nothing
 *
 * Context: process.
 * Return: seen_now() when to look again, or SEEN_NEVER.
 */
u64 seen_probe_work(struct seen_guard *guard, bool rtnl);

/* seen_probe_idle() - is no round of probes going on? */
bool seen_probe_idle(const struct seen_guard *guard);

/* seen_probe_proved() - is a loop proved that has not been reported yet? */
bool seen_probe_proved(const struct seen_guard *guard);

/**
 * seen_guard_found() - keep a finding that is not of probes, and report it
 * @guard: seen_net.lock held
 * @cmd: the event
 * @finding: its @count and @when are set
 */
void seen_guard_found(struct seen_guard *guard, u8 cmd, struct seen_finding *finding);

/* seen_probe_findings() - get a consistent copy of the findings */
void seen_probe_findings(struct seen_guard *guard,
			 struct seen_finding findings[SEEN_FINDINGS]);

#endif
