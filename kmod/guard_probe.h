/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes: does this bridge send a frame round again?
 *
 * Copies alone prove no loop: two guarded bridges return each frame once, as an access
 * point does that reflects broadcasts, and whoever predicts frames can forge copies. So
 * a suspicion makes the guard send a broadcast that nobody can predict. If it comes in
 * by another port, and the bridge is about to send it by the port that it left by, in
 * the same VLAN, there is a loop: the bridge's own VLANs, port states, locks and flood
 * flags, and its forward rules, have let it through.
 *
 *	idle --suspicion--> first --proof--> pause --50 to 300 ms--> again --proof--> block
 *	  <----------------- no proof after four tries ---------------
 *
 * Of guarded bridges in a ring one proves the loop a second time before the others do;
 * its block ends their proof, so that the ring is cut once.
 *
 * Direction of error: without a proof no port is blocked. A false proof needs the 64
 * bits of a SipHash, or a frame that has gone from one port to the other.
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

/* Findings that a guard keeps, of different pairs of ports. */
#define SEEN_FINDINGS	4

/* Rounds of probes that a port may cause in a minute. */
#define SEEN_PROBE_ROUNDS	4

enum seen_probe_stage {
	SEEN_PROBE_IDLE,
	SEEN_PROBE_FIRST,
	SEEN_PROBE_PAUSE,
	SEEN_PROBE_AGAIN,
	SEEN_PROBE_PROVED,
};

/**
 * struct seen_probe - the probes of a guard; under its evidence_lock, but for @key
 * @key: makes the nonces' tags; never changes
 * @stage: enum seen_probe_stage
 * @serial: number of the stage, which its probes carry
 * @tries: sent in this stage
 * @due: seen_now() when the work has something to do
 * @vlan: of the frames that came back
 * @back: number of the port on which they came back
 * @first: number of the port on which they were first
 * @found: the strongest finding of this stage
 * @findings: the last ones; @count 0: unused
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
 * struct seen_probe_frame - a probe of this guard that came in
 * @left: number of the port that it left by; 0: this frame is none
 * @serial: of its stage
 * @same: it came by another port, in the VLAN that it left in
 * @fresh: it is of the present stage
 */
struct seen_probe_frame {
	u32 left;
	u32 serial;
	bool same;
	bool fresh;
};

/* seen_probe_init() - of a new guard */
void seen_probe_init(struct seen_probe *probe);

/**
 * seen_probe_follow() - of a guard that will take the place of another one
 * @probe: of the new guard, which has no ports yet
 * @old: of the old guard, which sends no more probes until it has gone
 *
 * Probes of the old guard that are on their way are old ones of the new guard: it drops
 * them, and they prove nothing.
 */
void seen_probe_follow(struct seen_probe *probe, const struct seen_probe *old);

/**
 * seen_probe_begin() - a suspicion: have probes sent
 * @port: where copies came back; evidence_lock held
 * @first: number of the port on which their frames were first
 * @vlan: of the frames
 *
 * Return: a round of probes has begun.
 */
bool seen_probe_begin(struct seen_port *port, u32 first, struct seen_vlan vlan);

/* seen_probe_allowed() - does the guard send probes now? */
bool seen_probe_allowed(const struct seen_guard *guard);

/* seen_probe_round_left() - may one begin for what comes back here? evidence_lock held */
bool seen_probe_round_left(const struct seen_port *port, u64 now);

/* seen_probe_is_one() - packet path, cheap: could it be a probe? */
static inline bool seen_probe_is_one(const struct sk_buff *skb)
{
	return skb->protocol == htons(ETH_P_802_EX1);
}

/**
 * seen_probe_came() - packet path: is a frame a probe of the port's guard?
 * @port: where it came in, at the bridge's NF_BR_PRE_ROUTING
 * @skb: the frame
 *
 * The strongest thing that it has shown so far is noted.
 *
 * Return: what is known of it.
 */
struct seen_probe_frame seen_probe_came(struct seen_port *port,
					const struct sk_buff *skb);

/* seen_probe_mine() - packet path: is it a probe of the port's guard? Nothing is noted */
bool seen_probe_mine(const struct seen_port *port, const struct sk_buff *skb);

/**
 * seen_probe_forward() - packet path: the bridge would send a probe by @out
 * @port: where it came in
 * @out: where it would go
 * @frame: of seen_probe_came()
 *
 * Blocks a port, effective at once, if this is the second proof.
 */
void seen_probe_forward(struct seen_port *port, const struct seen_port *out,
			const struct seen_probe_frame *frame);

/**
 * seen_probe_work() - send what is due, report what was found
 * @guard: seen_net.lock held
 * @rtnl: rtnl is held: states of ports may be asked for; without it a try is left out
 *
 * Context: process.
 * Return: seen_now() when to look again, or SEEN_NEVER.
 */
u64 seen_probe_work(struct seen_guard *guard, bool rtnl);

/* seen_probe_idle() - is no round going on? */
bool seen_probe_idle(const struct seen_guard *guard);

/* seen_probe_proved() - is a loop proved, and not reported yet? */
bool seen_probe_proved(const struct seen_guard *guard);

/* seen_probe_findings() - a consistent copy */
void seen_probe_findings(struct seen_guard *guard,
			 struct seen_finding findings[SEEN_FINDINGS]);

#endif
