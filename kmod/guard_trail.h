/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trails in a guard: filters that travel in frames. Each node adds itself to a frame, and
 * recognizes a frame that it has added itself to. So a loop ends without any state in the nodes,
 * also if the window of the guard's filter is shorter than a round, or its filter is full.
 *
 * A node is a guard and a VLAN. The secret of the guard's filter chooses the bits of nodes and
 * segments, and signs: hosts whose filters have one secret are one domain.
 *
 * A port that is an edge leads to strangers: frames leave it without their trail, and a trail
 * that arrives on it is payload. A port of a segment adds the segment to frames that arrive on
 * it, and a frame with the segment does not leave by such a port: split horizon, also between
 * several bridges.
 *
 * Direction of error: of a frame without a loop, core/trail.h. A frame that cannot have a trail
 * passes, and is counted. A frame that a segment withholds wrongly does not leave by ports of that
 * segment.
 */
#ifndef SEEN_GUARD_TRAIL_H
#define SEEN_GUARD_TRAIL_H

#include "guard_port.h"
#include "guard_vlan.h"
#include "trailer.h"

/**
 * struct seen_passage - a frame that passes a node; used in the hook that fills it in only
 * @domain: of the node; valid unless @kind is SEEN_TRAILER_NEVER
 * @kind: what is at the frame's end
 * @trailer: where
 * @trail: its trail
 */
struct seen_passage {
	struct seen_trail_domain domain;
	enum seen_trailer_kind kind;
	struct seen_trailer trailer;
	struct seen_trail trail;
};

/* seen_guard_trails() - do frames of a guard have trails? */
static inline bool seen_guard_trails(const struct seen_guard *guard)
{
	return guard->config.trail.mode;
}

/**
 * seen_trail_read_frame() - read the trail of a frame
 * @port: of a guard with trails, on which the frame arrived, or seen_port.self
 * @packet: the frame, parsed, before any tunnel in it was entered; its skb may be NULL
 * @skb: the frame
 * @passage: out
 *
 * Context: a netfilter hook.
 */
void seen_trail_read_frame(const struct seen_port *port, const struct seen_packet *packet,
			   struct sk_buff *skb, struct seen_passage *passage);

/**
 * seen_trail_pass() - let a frame pass the node, and write its trail
 * @port: as for seen_trail_read_frame()
 * @skb: the frame; its head may change
 * @passage: from seen_trail_read_frame()
 * @link: link layer of the frame
 * @vlan: VLAN of the frame
 *
 * Context: a netfilter hook. May allocate memory.
 * Return: NF_ACCEPT or NF_DROP.
 */
unsigned int seen_trail_pass(struct seen_port *port, struct sk_buff *skb,
			     struct seen_passage *passage, const struct seen_link *link,
			     struct seen_vlan vlan);

/* seen_trail_leave() - may a frame leave by @port, NULL: not guarded? NF_ACCEPT or NF_DROP */
unsigned int seen_trail_leave(struct seen_port *port, struct sk_buff *skb);

/* seen_trail_strip() - remove the trail of a frame that leaves by @port, if that is an edge */
void seen_trail_strip(struct seen_port *port, struct sk_buff *skb);

/* seen_trail_out() - hook: the egress of a bridge, for frames that the host sends by it */
unsigned int seen_trail_out(void *priv, struct sk_buff *skb,
			    const struct nf_hook_state *state);

/* seen_trail_fit() - after a change of ports, or of the MTU of one; rtnl held */
void seen_trail_fit(struct seen_guard *guard);

#endif
