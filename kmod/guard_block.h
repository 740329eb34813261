/* SPDX-License-Identifier: GPL-2.0 */
/* Suspicion of a loop; blocking and releasing ports. */
#ifndef SEEN_GUARD_BLOCK_H
#define SEEN_GUARD_BLOCK_H

#include <linux/types.h>

#include "guard_vlan.h"

struct seen_arrival_answer;
struct seen_guard;
struct seen_port;
struct seen_link;

/**
 * struct seen_evidence - a frame that came back on another port
 * @hash: of its key
 * @when: seen_now() when it came back; 0: unused
 */
struct seen_evidence {
	u64 hash;
	u64 when;
};

/**
 * seen_guard_evidence() - packet path: record a frame that came back on another port
 * @port: the port on which it came back, of a guard with verdict loop
 * @link: link layer of the frame
 * @vlan: VLAN of the frame
 * @hash: hash of the frame's key
 * @answer: answer of the filter for the frame
 *
 * When seen_guard_config.suspect distinct frames come back within a second, the guard
 * suspects a loop and sends probes.
 */
void seen_guard_evidence(struct seen_port *port, const struct seen_link *link,
			 struct seen_vlan vlan, u64 hash,
			 const struct seen_arrival_answer *answer);

/**
 * seen_guard_circles() - packet path: does a frame with many repeats circle in a loop?
 * @port: the port on which it repeats, of a guard with verdict loop
 * @link: link layer of the frame
 * @vlan: VLAN of the frame
 * @many: true: suspect a loop in any case. False: only if another port has returned a frame
 *        of @port within the last minute
 *
 * Such a suspicion sends probes, too. Walks all ports of the guard.
 *
 * Return: ns for which the repeats are a sign of a loop; 0: they are no sign.
 */
u64 seen_guard_circles(struct seen_port *port, const struct seen_link *link,
		       struct seen_vlan vlan, bool many);

/**
 * seen_guard_block() - packet path: block one of the two ports of a proved loop
 * @guard: evidence_lock held
 * @back: number of the port on which copies came back; blocked, if it can be
 * @left: number of one port of the loop
 * @came: number of the other port of the loop
 *
 * Effective at once. Blocks neither a protected port nor the last open one.
 */
void seen_guard_block(struct seen_guard *guard, u32 back, u32 left, u32 came);

/* seen_guard_port() - find a port by number, or NULL; RCU, seen_net.lock or rtnl held */
struct seen_port *seen_guard_port(const struct seen_guard *guard, u32 number);

/* seen_port_open() - has a port a carrier and no block? Never true for the bridge itself. */
bool seen_port_open(const struct seen_port *port);

/* seen_guard_controls() - packet path: is a destination in a control group? */
bool seen_guard_controls(const struct seen_port *port, const u8 *dest);

/* seen_port_unblock() - let packets pass a blocked port; seen_port_release() does the rest */
void seen_port_unblock(struct seen_port *port);

/*
 * seen_port_protect() - if @protect, protect a port from blocks and end its present block;
 * else stop protecting it; seen_net.lock held for writing
 */
void seen_port_protect(struct seen_port *port, bool protect);

/*
 * seen_guard_keep_open() - after a port or its carrier has gone: if no port is open, end the
 * block that would end first; rtnl held
 */
void seen_guard_keep_open(struct seen_guard *guard);

/**
 * seen_port_release() - end a block whose time is up, if its beginning has been reported
 * @port: seen_net.lock held
 * @lasted: out: length in ns of a block that has ended; not set for a dry run
 *
 * Return: seen_now() at the end of a block that continues; 0: the port is not blocked.
 */
u64 seen_port_release(struct seen_port *port, u64 *lasted);

#endif
