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
 * @smac: source
 * @dmac: destination
 * @vlan: VID, 0xffff: untagged
 * @ethertype: host order, inside the tags
 * @first: name of the port that was first, "" if not known
 * @port: name of the port that it came back on
 * @when: seen_now() then
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
 * struct seen_finding - what came of probes
 * @kind: enum seen_finding_kind
 * @left: number of the port that they left by
 * @came: number of the port that they came in by; 0: none
 * @vlan: that they left in; 0: no VLANs
 * @into: that they came in, if @kind is a leak
 * @count: how often it was found
 * @when: seen_now() when it was found last
 */
struct seen_finding {
	u32 kind;
	u32 left;
	u32 came;
	u16 vlan;
	u16 into;
	u64 count;
	u64 when;
};

struct seen_binding;
struct seen_guard;

/**
 * struct seen_event - what an event tells; NULL and 0: nothing
 * @cmd: enum seen_cmd, one of the _NTF
 * @filter: name
 * @filter_id: of it
 * @binding: the event carries the whole filter; seen_net.lock or .changes held
 * @guard_id: of the guard
 * @guard: the event carries the whole guard; seen_net.lock held
 * @change: enum seen_change
 * @old_name: of a filter that was renamed
 * @has_guard: @kind, @dev and @hook are told
 * @kind: enum seen_guard_kind
 * @hook: enum seen_hook
 * @dev: the guard's device
 * @port: name
 * @other: the device it clashes with, or the other port of a loop
 * @dup: the frame
 * @finding: of probes that left by @port and came in by @other
 * @count: see SEEN_A_EVENT_COUNT
 * @duration: ns
 * @window: ns; told with @promised
 * @promised: ns
 * @rate: duplicates in the last second
 * @peak: the most of that
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
 * seen_event_send() - tell the namespace's listeners
 * @sn: where
 * @event: what
 *
 * What cannot be told is counted, and the count goes with the next event.
 * An event is not built while no socket of any namespace listens. The kernel keeps one list
 * of listeners for all namespaces, so a listener in one has events built in all of them;
 * netlink drops those that nobody in their namespace hears.
 *
 * Context: process.
 */
void seen_event_send(struct seen_net *sn, const struct seen_event *event);

/**
 * struct seen_event_sender - what an event is sent by
 * @family: has the multicast group "events" as its first
 * @put_filter: puts a whole filter into a message; 0 or -EMSGSIZE
 * @put_guard: the same of a guard
 */
struct seen_event_sender {
	const struct genl_family *family;
	int (*put_filter)(struct sk_buff *skb, struct seen_binding *binding);
	int (*put_guard)(struct sk_buff *skb, struct seen_guard *guard);
};

/**
 * seen_event_open() - events can be sent from now on
 * @sender: its family is registered
 */
void seen_event_open(const struct seen_event_sender *sender);

/**
 * seen_event_close() - tell nothing more
 *
 * Before the family goes, whose multicast group another family may get. Waits for each
 * event that is being sent.
 *
 * Context: process; sleeps.
 */
void seen_event_close(void);

/**
 * seen_finding_put() - what probes have found
 * @skb: message
 * @attr: of the nest
 * @finding: with its count and time, or 0
 * @port: name of the port that they left by
 * @other: name of the port that they came in by, or NULL
 *
 * Return: 0 or -EMSGSIZE.
 */
int seen_finding_put(struct sk_buff *skb, int attr,
		     const struct seen_finding *finding, const char *port,
		     const char *other);

/* seen_dup_put() - as a nest of @attr; 0 or -EMSGSIZE */
int seen_dup_put(struct sk_buff *skb, int attr, const struct seen_dup *dup);

#endif
