/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module under the fake kernel: one namespace, filters, requests, packets. All files
 * of the module are compiled whole. Those that no test needs are not linked: in their
 * place, caps charge nothing, and events are counted.
 */
#ifndef SEEN_FAKE_MODULE_H
#define SEEN_FAKE_MODULE_H

#include "../../kmod/event.h"
#include "../../kmod/filter.h"
#include "../../kmod/netlink.h"
#include "../../kmod/registry.h"

/* The namespace. */
extern struct seen_net fake_sn;

/* fake_sn_begin() - nothing is in it */
void fake_sn_begin(void);

/* Of fake_key(). */
#define FAKE_KEY_LEN	4

/**
 * fake_filter() - of any geometry, planned or not
 *
 * Its keys are interface indices, as packets have them. All have the same secret.
 */
struct seen_filter *fake_filter(const struct seen_geometry *geo);

/* fake_packet() - which came in by interface @number */
struct sk_buff fake_packet(u32 number);

/* fake_item() - what @filter knows that packet's key by */
struct seen_item fake_item(const struct seen_filter *filter, u32 number);

/* Events that were sent, and the last one. */
extern u32 fake_events;
extern struct seen_event fake_event;

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

/* fake_attr() - an attribute, for free() */
struct nlattr *fake_attr(int type, const void *data, u16 bytes);

#define fake_string(type, text)	fake_attr(type, text, strlen(text) + 1)

/* fake_reply() - attribute of the last reply, or NULL */
const struct nlattr *fake_reply(int type);

#endif
