/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events: the multicast group "events" of the family, per namespace. Built and
 * sent in process context; the packet path only sets a bit and queues work.
 */
#ifndef SEEN_EVENT_H
#define SEEN_EVENT_H

#include <linux/if_ether.h>
#include <linux/netdevice.h>

#include "seen.h"

struct genl_family;
struct sk_buff;

/**
 * struct seen_dup - a duplicate frame, for events and for `guard show -s`
 * @smac: source MAC address
 * @dmac: destination MAC address
 * @vlan: VLAN ID; 0xffff: untagged
 * @ethertype: of the frame without its VLAN tags; host byte order
 * @first: name of the port on which the frame was first seen, "" if not known
 * @port: name of the port on which the duplicate arrived
 * @when: seen_now() when it arrived
 */
struct seen_dup {
	u8 smac[ETH_ALEN];
	u8 dmac[ETH_ALEN];
	u16 vlan;
	u16 ethertype;
	char first[IFNAMSIZ];
	char port[IFNAMSIZ];
	u64 when;
};

/**
 * struct seen_finding - result of a round of probes, or of a frame's trail
 * @kind: enum seen_finding_kind
 * @left: number of the port that sent the probe, or received the frame
 * @came: number of the port that received it; 0: the probe did not return
 * @vlan: ID of the VLAN in which it was sent; 0: the bridge has no VLANs
 * @into: ID of the VLAN in which it arrived, if @kind is a leak
 * @nodes: if @kind is a trail: nodes of the loop, and of the way to it
 * @count: how often this was found; 0: unused
 * @when: seen_now() when this was last found
 */
struct seen_finding {
	u32 kind;
	u32 left;
	u32 came;
	u16 vlan;
	u16 into;
	u16 nodes;
	u64 count;
	u64 when;
};

struct seen_binding;
struct seen_guard;

/**
 * struct seen_event - contents of an event; NULL or 0: the event has no such attribute
 * @cmd: enum seen_cmd, one of the _NTF
 * @filter: name of the filter
 * @filter_id: id of the filter
 * @binding: include the whole filter; seen_net.lock held
 * @guard_id: id of the guard
 * @guard: include the whole guard; seen_net.lock held
 * @change: enum seen_change
 * @old_name: former name of a renamed filter
 * @has_guard: include the guard: @guard, or if it is NULL, @guard_id, @kind, @dev and @hook
 * @kind: enum seen_guard_kind
 * @hook: enum seen_hook
 * @dev: name of the guard's device
 * @port: name of the port
 * @other: name of the port that sees the same packets as @port, or of the other port of a loop
 * @dup: the duplicate frame
 * @finding: the finding; @port and @other are its ports
 * @count: see SEEN_A_EVENT_COUNT
 * @duration: ns
 * @window: effective window in ns; included, even if 0, when @promised is set
 * @promised: window of the filter in ns
 * @rate: duplicates in the last second
 * @peak: maximum of @rate since the port was last calm
 */
struct seen_event {
	u8 cmd;
	bool has_guard;
	u32 kind;
	u32 hook;
	u32 filter_id;
	u32 guard_id;
	u32 change;
	struct seen_binding *binding;
	struct seen_guard *guard;
	const char *filter;
	const char *old_name;
	const char *dev;
	const char *port;
	const char *other;
	const struct seen_dup *dup;
	const struct seen_finding *finding;
	u64 count;
	u64 duration;
	u64 window;
	u64 promised;
	u64 rate;
	u64 peak;
};

/**
 * seen_event_send() - send an event to the listeners of a namespace
 * @sn: the namespace
 * @event: its contents
 *
 * An event that cannot be built or sent is counted as lost; the next event reports the count.
 * An event is not built while no socket of any namespace listens. The kernel keeps one list
 * of listeners for all namespaces, so one listener causes events to be built in all of them.
 * Netlink drops the events of a namespace without a listener.
 *
 * Context: process.
 */
void seen_event_send(struct seen_net *sn, const struct seen_event *event);

/**
 * struct seen_event_sender - functions and family needed to send an event
 * @family: its first multicast group is "events"
 * @put_filter: adds a whole filter to a message; returns 0 or -EMSGSIZE
 * @put_guard: adds a whole guard to a message; returns 0 or -EMSGSIZE
 */
struct seen_event_sender {
	const struct genl_family *family;
	int (*put_filter)(struct sk_buff *skb, struct seen_binding *binding);
	int (*put_guard)(struct sk_buff *skb, struct seen_guard *guard);
};

/**
 * seen_event_open() - start to send events
 * @sender: its family is registered
 */
void seen_event_open(const struct seen_event_sender *sender);

/**
 * seen_event_close() - stop sending events
 *
 * To be called before the family is unregistered, because its multicast group may then be
 * given to another family. Waits for each event that is being sent.
 *
 * Context: process; sleeps.
 */
void seen_event_close(void);

/**
 * seen_finding_put() - add a finding to a message
 * @skb: message
 * @attr: attribute type of the nest
 * @finding: the finding
 * @port: name of the port that sent the probes, or received the frame
 * @other: name of the port that received one, or NULL
 *
 * Return: 0 or -EMSGSIZE.
 */
int seen_finding_put(struct sk_buff *skb, int attr,
		     const struct seen_finding *finding, const char *port,
		     const char *other);

/* seen_dup_put() - add a duplicate to a message, as a nest of type @attr; 0 or -EMSGSIZE */
int seen_dup_put(struct sk_buff *skb, int attr, const struct seen_dup *dup);

#endif
