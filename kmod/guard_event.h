/* SPDX-License-Identifier: GPL-2.0 */
/* What packets leave for process context: duplicates, events, timers. */
#ifndef SEEN_GUARD_EVENT_H
#define SEEN_GUARD_EVENT_H

#include <linux/if_ether.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "event.h"

struct seen_guard;
struct seen_port;
struct seen_link;

/* What the packet path asks a guard's work to tell. */
enum seen_tell {
	SEEN_TELL_ALARM,	/* set for as long as it is not calm */
	SEEN_TELL_SATURATED,	/* set until the next one may be told */
	SEEN_TELL_BLOCKED,
	SEEN_TELL_FORGET,	/* the bridge knows stations behind a blocked port */
};

/**
 * struct seen_sighting - a duplicate, as the packet path notes it
 * @smac: source
 * @dmac: destination
 * @vlan: VID, 0xffff: untagged
 * @ethertype: host order, inside the tags
 * @first: number of the port that was first, 0: not known
 * @when: seen_now() then; 0: never yet
 */
struct seen_sighting {
	u8 smac[ETH_ALEN];
	u8 dmac[ETH_ALEN];
	u16 vlan;
	u16 ethertype;
	u32 first;
	u64 when;
};

/* seen_guard_event() - the parts of an event that name the guard */
struct seen_event seen_guard_event(const struct seen_guard *guard, u8 cmd);
/* seen_guard_tell() - send an event with the whole guard; seen_net.lock held */
void seen_guard_tell(struct seen_guard *guard, u8 cmd);
/* seen_guard_changed() - the same of SEEN_CMD_GUARD_CHANGE_NTF; @change: enum seen_change */
void seen_guard_changed(struct seen_guard *guard, u32 change);
/* seen_port_event() - the parts that name guard and port */
struct seen_event seen_port_event(const struct seen_port *port, u8 cmd);
/* seen_port_tell_sighting() - send it, with a packet; seen_net.lock held */
void seen_port_tell_sighting(const struct seen_port *port,
			     const struct seen_sighting *sighting,
			     struct seen_event *event);
/* seen_port_saw() - packet path: a duplicate, from port number @first; or a hit, from 0 */
void seen_port_saw(struct seen_port *port, const struct seen_link *link,
		   u32 first);
/* seen_sighting_fill() - note a packet, first seen on port number @first */
void seen_sighting_fill(struct seen_sighting *sighting,
			const struct seen_link *link, u32 first);
/* seen_port_close() - no packet comes here any more: tell what has begun */
void seen_port_close(struct seen_port *port);
/* seen_port_tell() - packet path: have the guard's work tell an event */
void seen_port_tell(struct seen_port *port, enum seen_tell event);
/* seen_port_last() - a consistent copy of the last duplicate, of another port or not */
struct seen_sighting seen_port_last(struct seen_port *port, bool other);
/* seen_port_dup() - a sighting with names; seen_net.lock held */
void seen_port_dup(const struct seen_port *port,
		   const struct seen_sighting *sighting, struct seen_dup *dup);
/* seen_guard_work() - of seen_guard.work */
void seen_guard_work(struct work_struct *work);

#endif
