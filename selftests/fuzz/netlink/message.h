/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink messages: attributes as they are put, and as they are found. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "linux/seen.h"

/* Bytes of the longest one, and of the longest list of attributes in one. */
#define MESSAGE_MAX	69632
#define ATTRS_MAX	65536

/**
 * struct message - a request in the making
 * @cmd: enum seen_cmd, or any other
 * @version: of the family
 * @reserved: of struct genlmsghdr
 * @flags: NLM_F_*
 * @by_policy: no recipe made it
 * @cut: bytes that are sent too few
 * @len: bytes of @attrs
 * @attrs: in the order in which they were put
 */
struct message {
	uint8_t cmd;
	uint8_t version;
	uint16_t reserved;
	uint16_t flags;
	bool by_policy;
	uint32_t cut;
	uint32_t len;
	uint8_t attrs[ATTRS_MAX];
};

/* message_put() - an attribute; what does not fit is left out: returns false */
bool message_put(struct message *message, uint16_t type, const void *data,
		 uint32_t len);
bool message_put_u32(struct message *message, uint16_t type, uint32_t value);
bool message_put_u64(struct message *message, uint16_t type, uint64_t value);
/* with its closing NUL */
bool message_put_text(struct message *message, uint16_t type,
		      const char *text);

/* message_nest() - begins one; message_nest_end() takes what it returned */
uint32_t message_nest(struct message *message, uint16_t type);
void message_nest_end(struct message *message, uint32_t nest);

/* message_write() - all of it, as it is sent; returns its bytes, aligned */
uint32_t message_write(const struct message *message, uint16_t family,
		       uint32_t seq, uint8_t *to);

/*
 * attr_next() - a walk over @len bytes of attributes, *@at being 0 at first. Returns
 * NULL behind the last, and where what follows is none.
 */
const struct nlattr *attr_next(const uint8_t *attrs, uint32_t len,
			       uint32_t *at);
/* message_attr() - what the kernel takes for it: the last of a type, if it is sent */
const struct nlattr *message_attr(const struct message *message, uint16_t type);
/* attr_find() - the first of a type, or NULL */
const struct nlattr *attr_find(const uint8_t *attrs, uint32_t len,
			       uint16_t type);

static inline uint16_t attr_type(const struct nlattr *attr)
{
	return attr->nla_type & NLA_TYPE_MASK;
}

static inline uint32_t attr_len(const struct nlattr *attr)
{
	return attr->nla_len - NLA_HDRLEN;
}

static inline const uint8_t *attr_data(const struct nlattr *attr)
{
	return (const uint8_t *)attr + NLA_HDRLEN;
}

/* attr_u32(), attr_u64() - 0 where there is none, or a shorter one */
uint32_t attr_u32(const struct nlattr *attr);
uint64_t attr_u64(const struct nlattr *attr);

#endif
