/* SPDX-License-Identifier: GPL-2.0 */
/* Builds and reads netlink messages. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "linux/seen.h"

/* Bytes of the longest message, and of the longest list of attributes in a message. */
#define MESSAGE_MAX	69632
#define ATTRS_MAX	65536

/**
 * struct message - a request that is being built
 * @cmd: enum seen_cmd, or any other number
 * @version: version of the family
 * @reserved: reserved field of struct genlmsghdr
 * @flags: NLM_F_*
 * @by_policy: made from the policy alone, without a recipe
 * @cut: number of bytes cut off at the end
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

/* message_put() - append an attribute. Return: false if there is no room for it */
bool message_put(struct message *message, uint16_t type, const void *data,
		 uint32_t len);
bool message_put_u32(struct message *message, uint16_t type, uint32_t value);
bool message_put_u64(struct message *message, uint16_t type, uint64_t value);
/* message_put_text() - append a string with its NUL */
bool message_put_text(struct message *message, uint16_t type,
		      const char *text);

/* message_nest() - begin a nest; message_nest_end() ends it, with the value returned here */
uint32_t message_nest(struct message *message, uint16_t type);
void message_nest_end(struct message *message, uint32_t nest);

/* message_write() - write the message as it is sent. Return: bytes written, aligned */
uint32_t message_write(const struct message *message, uint16_t family,
		       uint32_t seq, uint8_t *to);

/*
 * attr_next() - walk over @len bytes of attributes; *@at is 0 at first
 *
 * Return: the next attribute; NULL at the end, or if the remaining bytes are no attribute.
 */
const struct nlattr *attr_next(const uint8_t *attrs, uint32_t len,
			       uint32_t *at);
/* message_attr() - the attribute that the kernel uses: the last of a type, unless it is cut off */
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

/* attr_u32(), attr_u64() - the value; 0 if the attribute is missing or too short */
uint32_t attr_u32(const struct nlattr *attr);
uint64_t attr_u64(const struct nlattr *attr);

#endif
