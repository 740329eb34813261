/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module under the fake kernel: one namespace, filters, requests, packets.
 * limit.c, event.c and netlink.c are not linked. In their place module.c charges
 * nothing, counts events, and allocates replies.
 */
#ifndef SEEN_FAKE_MODULE_H
#define SEEN_FAKE_MODULE_H

#include "../../kmod/event.h"
#include "../../kmod/filter.h"
#include "../../kmod/netlink.h"
#include "../../kmod/binding.h"

/* The namespace. */
extern struct seen_net fake_sn;

/* fake_sn_begin() - nothing is in it */
void fake_sn_begin(void);

/* Bytes of a key. */
#define FAKE_KEY_LEN	4

/**
 * fake_filter() - a filter that no slot has yet
 * @geo: its geometry, planned or not
 *
 * A key is a packet's interface index. All filters have the same secret.
 */
struct seen_filter *fake_filter(const struct seen_geometry *geo);

/* fake_packet() - a packet that came in by interface @number */
struct sk_buff fake_packet(u32 number);

/* fake_item() - what @filter knows the key of fake_packet(@number) by */
struct seen_item fake_item(const struct seen_filter *filter, u32 number);

/* Events that were sent, and the last one with a copy of its finding. */
extern u32 fake_events;
extern struct seen_event fake_event;
/* The command of the event before that. */
extern u8 fake_event_before;

/**
 * struct fake_request - of a command
 * @info: what the handler gets
 * @attrs: by number
 * @extack: why it is refused
 * @header: the command
 */
struct fake_request {
	struct genl_info info;
	struct nlattr *attrs[64];
	struct netlink_ext_ack extack;
	struct genlmsghdr header;
};

/* fake_request() - of the namespace, without attributes */
void fake_request(struct fake_request *request);

/* fake_attr() - an attribute with a copy of @data; the caller frees it */
struct nlattr *fake_attr(int type, const void *data, u16 bytes);

#define fake_string(type, text)	fake_attr(type, text, strlen(text) + 1)

/* Bytes that a reply has at most, however many were asked for. */
extern size_t fake_room;

/* fake_reply() - attribute of the last reply, or NULL */
const struct nlattr *fake_reply(int type);

#endif
