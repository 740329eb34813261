/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module on the fake kernel: one namespace, filters, requests, packets. limit.c, event.c and
 * netlink.c are not linked. module.c defines their functions: it charges nothing, counts events,
 * and allocates replies.
 */
#ifndef SEEN_FAKE_MODULE_H
#define SEEN_FAKE_MODULE_H

#include "../../kmod/event.h"
#include "../../kmod/filter.h"
#include "../../kmod/netlink.h"
#include "../../kmod/binding.h"

/* The namespace. */
extern struct seen_net fake_sn;

/* fake_sn_begin() - empty the namespace */
void fake_sn_begin(void);

/* Bytes of a key. */
#define FAKE_KEY_LEN	4

/**
 * fake_filter() - make a filter that has no name yet
 * @geo: its geometry, planned or not
 *
 * A key is a packet's interface index. All filters have the same secret.
 */
struct seen_filter *fake_filter(const struct seen_geometry *geo);

/* fake_packet() - a packet received by interface @number */
struct sk_buff fake_packet(u32 number);

/* fake_item() - the hashed key of fake_packet(@number) for @filter */
struct seen_item fake_item(const struct seen_filter *filter, u32 number);

/* Number of events sent, and the last one with a copy of its finding. */
extern u32 fake_events;
extern struct seen_event fake_event;
/* The command of the event before that. */
extern u8 fake_event_before;

/**
 * struct fake_request - a request to a command handler
 * @info: argument of the handler
 * @attrs: attributes by type
 * @extack: receives the reason of a refusal
 * @header: contains the command
 */
struct fake_request {
	struct genl_info info;
	struct nlattr *attrs[64];
	struct netlink_ext_ack extack;
	struct genlmsghdr header;
};

/* fake_request() - a request in the namespace, without attributes */
void fake_request(struct fake_request *request);

/* fake_attr() - an attribute with a copy of @data; the caller frees it */
struct nlattr *fake_attr(int type, const void *data, u16 bytes);

#define fake_string(type, text)	fake_attr(type, text, strlen(text) + 1)

/* Room of a reply in bytes, however many were requested. */
extern size_t fake_room;

/* fake_reply() - an attribute of the last reply, or NULL */
const struct nlattr *fake_reply(int type);

#endif
