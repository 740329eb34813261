/* SPDX-License-Identifier: GPL-2.0 */
/* Suspicion of a loop, blocks of ports, and their end. */
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
 * @when: seen_now() then; 0: none
 */
struct seen_evidence {
	u64 hash;
	u64 when;
};

/**
 * seen_guard_evidence() - packet path: a frame came back on another port
 * @port: where it came back, of a guard with verdict loop
 * @link: the frame's link layer
 * @vlan: of the frame
 * @hash: of the frame
 * @answer: the verdict
 *
 * When seen_guard_config.suspect distinct frames come back within a second, the guard
 * suspects a loop and sends probes.
 */
void seen_guard_evidence(struct seen_port *port, const struct seen_link *link,
			 struct seen_vlan vlan, u64 hash,
			 const struct seen_arrival_answer *answer);

/**
 * seen_guard_circles() - packet path: does a frame circle, that comes again and again?
 * @port: where it does, of a guard with verdict loop
 * @link: the frame's link layer
 * @vlan: of the frame
 * @many: more often than stations repeat; else it circles if another port has returned
 *        a frame of @port's lately
 *
 * If it may, that is a suspicion, too. Takes a look at all ports.
 *
 * Return: ns for which it is a sign of a loop; 0: none.
 */
u64 seen_guard_circles(struct seen_port *port, const struct seen_link *link,
		       struct seen_vlan vlan, bool many);

/**
 * seen_guard_block() - packet path: a loop is proved: block one of its two ports
 * @guard: evidence_lock held
 * @back: number of the port on which copies came back: this one, if it may be
 * @left: number of a port of the loop
 * @came: number of the other one
 *
 * Effective at once. Blocks neither a protected port nor the last open one.
 */
void seen_guard_block(struct seen_guard *guard, u32 back, u32 left, u32 came);

/* seen_guard_port() - by number, or NULL; RCU read lock, seen_net.lock or rtnl held */
struct seen_port *seen_guard_port(const struct seen_guard *guard, u32 number);

/* seen_port_open() - has it a carrier, and no block? The bridge itself is no such port */
bool seen_port_open(const struct seen_port *port);

/* seen_guard_controls() - packet path: is it the address of a control group? */
bool seen_guard_controls(const struct seen_port *port, const u8 *dest);

/* seen_port_unblock() - its block is over now; seen_port_release() ends it */
void seen_port_unblock(struct seen_port *port);

/* seen_port_protect() - may it be blocked? A block of it is over; seen_net.lock held */
void seen_port_protect(struct seen_port *port, bool protect);

/* seen_guard_keep_open() - a port has gone, or its carrier: another must be open; rtnl held */
void seen_guard_keep_open(struct seen_guard *guard);

/**
 * seen_port_release() - end a block whose time is up, and whose beginning was told
 * @port: seen_net.lock held
 * @lasted: out: ns, if one has ended
 *
 * Return: seen_now() when the block that goes on will end, or was to; 0: none goes on.
 */
u64 seen_port_release(struct seen_port *port, u64 *lasted);

#endif
