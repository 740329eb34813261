/* SPDX-License-Identifier: GPL-2.0 */
/* Work that packets leave to process context: duplicates, events, timers. */
#ifndef SEEN_GUARD_EVENT_H
#define SEEN_GUARD_EVENT_H

#include <linux/if_ether.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "event.h"

struct seen_guard;
struct seen_port;
struct seen_link;

/* Events that the packet path leaves to the guard's work item; bits of seen_port.events. */
enum seen_tell {
	SEEN_TELL_ALARM,	/* set as long as the port is not calm */
	SEEN_TELL_SATURATED,	/* set until the next such event is allowed */
	SEEN_TELL_CIRCLED,	/* the same */
	SEEN_TELL_BLOCKED,
	SEEN_TELL_FORGET,	/* the bridge must forget stations behind a blocked port */
};

/**
 * struct seen_sighting - a duplicate, as recorded by the packet path
 * @smac: source MAC address
 * @dmac: destination MAC address
 * @vlan: VLAN ID; 0xffff: untagged
 * @ethertype: of the frame without its VLAN tags; host byte order
 * @first: number of the port on which the frame was first seen; 0: not known
 * @when: seen_now() when the duplicate arrived; 0: no duplicate yet
 */
struct seen_sighting {
	u8 smac[ETH_ALEN];
	u8 dmac[ETH_ALEN];
	u16 vlan;
	u16 ethertype;
	u32 first;
	u64 when;
};

/* seen_guard_event() - an event that identifies a guard and its filter */
struct seen_event seen_guard_event(const struct seen_guard *guard, u8 cmd);
/* seen_guard_tell() - send an event with the whole guard; seen_net.lock held */
void seen_guard_tell(struct seen_guard *guard, u8 cmd);
/* seen_guard_changed() - the same for SEEN_CMD_GUARD_CHANGE_NTF; @change: enum seen_change */
void seen_guard_changed(struct seen_guard *guard, u32 change);
/* seen_port_event() - an event that identifies a guard, its filter and a port */
struct seen_event seen_port_event(const struct seen_port *port, u8 cmd);
/* seen_port_tell_sighting() - add a sighting to an event and send it; seen_net.lock held */
void seen_port_tell_sighting(const struct seen_port *port,
			     const struct seen_sighting *sighting,
			     struct seen_event *event);
/*
 * seen_port_saw() - packet path: record a duplicate that was first seen on port number
 * @first, or a hit, with @first 0
 */
void seen_port_saw(struct seen_port *port, const struct seen_link *link,
		   u32 first);
/* seen_sighting_fill() - record a packet that was first seen on port number @first */
void seen_sighting_fill(struct seen_sighting *sighting,
			const struct seen_link *link, u32 first);
/*
 * seen_port_close() - before a port is deleted: report the end of its block and of its alarm;
 * seen_net.lock held for writing
 */
void seen_port_close(struct seen_port *port);
/* seen_port_tell() - packet path: set @event in seen_port.events and queue the guard's work */
void seen_port_tell(struct seen_port *port, enum seen_tell event);
/* seen_port_last() - a consistent copy of seen_port.last_other if @other, else of .last */
struct seen_sighting seen_port_last(struct seen_port *port, bool other);
/* seen_port_dup() - fill @dup from a sighting, with names of ports; seen_net.lock held */
void seen_port_dup(const struct seen_port *port,
		   const struct seen_sighting *sighting, struct seen_dup *dup);
/* seen_guard_work() - function of seen_guard.work */
void seen_guard_work(struct work_struct *work);

#endif
