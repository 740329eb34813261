// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "message.h"

bool message_put(struct message *message, uint16_t type, const void *data,
		 uint32_t len)
{
	struct nlattr attr = { .nla_len = NLA_HDRLEN + len, .nla_type = type };
	uint8_t *at = message->attrs + message->len;

	if (NLA_HDRLEN + len > UINT16_MAX ||
	    message->len + NLA_HDRLEN + NLA_ALIGN(len) > ATTRS_MAX)
		return false;
	memcpy(at, &attr, sizeof(attr));
	memset(at + NLA_HDRLEN, 0, NLA_ALIGN(len));
	if (len)
		memcpy(at + NLA_HDRLEN, data, len);
	message->len += NLA_HDRLEN + NLA_ALIGN(len);
	return true;
}

bool message_put_u32(struct message *message, uint16_t type, uint32_t value)
{
	return message_put(message, type, &value, sizeof(value));
}

bool message_put_u64(struct message *message, uint16_t type, uint64_t value)
{
	return message_put(message, type, &value, sizeof(value));
}

bool message_put_text(struct message *message, uint16_t type,
		      const char *text)
{
	return message_put(message, type, text, strlen(text) + 1);
}

uint32_t message_nest(struct message *message, uint16_t type)
{
	uint32_t nest = message->len;

	message_put(message, type | NLA_F_NESTED, NULL, 0);
	return nest;
}

void message_nest_end(struct message *message, uint32_t nest)
{
	struct nlattr *attr = (struct nlattr *)(message->attrs + nest);

	if (nest < message->len)
		attr->nla_len = message->len - nest;
}

uint32_t message_write(const struct message *message, uint16_t family,
		       uint32_t seq, uint8_t *to)
{
	const struct genlmsghdr genl = {
		.cmd = message->cmd,
		.version = message->version,
		.reserved = message->reserved,
	};
	struct nlmsghdr header = {
		.nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN + message->len -
			     message->cut,
		.nlmsg_type = family,
		.nlmsg_flags = message->flags,
		.nlmsg_seq = seq,
	};

	memset(to, 0, NLMSG_ALIGN(header.nlmsg_len + message->cut));
	memcpy(to + NLMSG_HDRLEN, &genl, sizeof(genl));
	memcpy(to + NLMSG_HDRLEN + GENL_HDRLEN, message->attrs, message->len);
	memcpy(to, &header, sizeof(header));
	return NLMSG_ALIGN(header.nlmsg_len);
}

const struct nlattr *attr_next(const uint8_t *attrs, uint32_t len,
			       uint32_t *at)
{
	const struct nlattr *attr = (const struct nlattr *)(attrs + *at);

	if (*at + NLA_HDRLEN > len || attr->nla_len < NLA_HDRLEN ||
	    *at + attr->nla_len > len)
		return NULL;
	*at += NLA_ALIGN(attr->nla_len);
	return attr;
}

const struct nlattr *attr_find(const uint8_t *attrs, uint32_t len,
			       uint16_t type)
{
	const struct nlattr *attr;
	uint32_t at = 0;

	while ((attr = attr_next(attrs, len, &at)))
		if (attr_type(attr) == type)
			return attr;
	return NULL;
}

const struct nlattr *message_attr(const struct message *message, uint16_t type)
{
	uint32_t len = message->len > message->cut ?
		       message->len - message->cut : 0;
	const struct nlattr *attr, *last = NULL;
	uint32_t at = 0;

	while ((attr = attr_next(message->attrs, len, &at)))
		if (attr_type(attr) == type)
			last = attr;
	return last;
}

uint32_t attr_u32(const struct nlattr *attr)
{
	uint32_t value = 0;

	if (attr && attr_len(attr) >= sizeof(value))
		memcpy(&value, attr_data(attr), sizeof(value));
	return value;
}

uint64_t attr_u64(const struct nlattr *attr)
{
	uint64_t value = 0;

	if (attr && attr_len(attr) >= sizeof(value))
		memcpy(&value, attr_data(attr), sizeof(value));
	return value;
}
