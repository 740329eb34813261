// SPDX-License-Identifier: GPL-2.0
/* Ids of filters, with names and instead of names. */
#include <string.h>

#include "policy.h"
#include "request.h"

/* Percentage of requests with an id. */
#define BY_ID		40
/* An id that no filter has: the kernel does not reach such numbers. */
#define UNKNOWN		0x80000000

/* Attributes of a command that name the same object. */
struct which {
	uint16_t name;
	uint16_t id;
};

static const struct which filters[] = {
	{ SEEN_A_FILTER_NAME, SEEN_A_FILTER_ID },
	{ SEEN_A_FILTER_NEW_NAME, SEEN_A_FILTER_NEW_ID },
	{ SEEN_A_FILTER_ALLOW_MAP, SEEN_A_FILTER_ALLOW_MAP_ID },
	{ 0 },
};

static const struct which keys[] = {
	{ SEEN_A_KEY_FILTER, SEEN_A_KEY_FILTER_ID },
	{ 0 },
};

static const struct which guards[] = {
	{ SEEN_A_GUARD_FILTER, SEEN_A_GUARD_FILTER_ID },
	{ 0 },
};

static const struct which feeds[] = {
	{ SEEN_A_FEED_FILTER, SEEN_A_FEED_FILTER_ID },
	{ 0 },
};

/* A request for ports has the id of a guard, not of a filter. */
static const struct which ports[] = { { 0 } };

static const struct which *which_of(uint8_t cmd)
{
	switch (cmd) {
	case SEEN_CMD_KEY_ADD:
	case SEEN_CMD_KEY_TEST:
	case SEEN_CMD_KEY_DEL:
	case SEEN_CMD_KEY_COUNT:
	case SEEN_CMD_ALLOW_ADD:
	case SEEN_CMD_ALLOW_DEL:
	case SEEN_CMD_ALLOW_GET:
	case SEEN_CMD_TOP_GET:
		return keys;
	case SEEN_CMD_GUARD_ADD:
	case SEEN_CMD_GUARD_DEL:
	case SEEN_CMD_GUARD_GET:
	case SEEN_CMD_GUARD_SET:
		return guards;
	case SEEN_CMD_PORT_GET:
		return ports;
	case SEEN_CMD_FEED_ADD:
	case SEEN_CMD_FEED_DEL:
	case SEEN_CMD_FEED_GET:
	case SEEN_CMD_HASH_ADD:
	case SEEN_CMD_HASH_DEL:
		return feeds;
	}
	return filters;
}

static void take_out(struct message *message, const struct nlattr *attr)
{
	uint32_t at = (const uint8_t *)attr - message->attrs;
	uint32_t len = NLA_ALIGN(attr->nla_len);

	memmove(message->attrs + at, message->attrs + at + len,
		message->len - at - len);
	message->len -= len;
}

/* An import requires the name; its id is that of a filter to replace. */
static bool is_import(const struct message *message)
{
	return message->cmd == SEEN_CMD_FILTER_IMPORT;
}

void request_put_ids(struct draw *draw, const struct memory *memory,
		     struct message *message)
{
	const struct command_policy *policy = policy_of(message->cmd);
	const struct which *which = which_of(message->cmd);
	const struct nlattr *name;
	uint32_t id;

	/* A failed export or import restarts, so too many ids would let few of them end. */
	if (message->cmd == SEEN_CMD_FILTER_EXPORT && draw_chance(draw, 90))
		return;
	if (is_import(message) && !message_attr(message, SEEN_A_FILTER_REPLACE))
		return;
	for (; which->name; which++) {
		name = message_attr(message, which->name);
		id = name ? memory_id(memory, (const char *)attr_data(name)) : 0;
		if (!id || !policy->attr[which->id].type ||
		    !draw_chance(draw, BY_ID))
			continue;
		if (!is_import(message) && draw_chance(draw, 60))
			take_out(message, name);
		message_put_u32(message, which->id, id);
	}
}

void request_tame_ids(const struct memory *memory, struct message *message)
{
	const struct which *which;
	struct nlattr *attr;
	uint32_t at = 0, id;

	while ((attr = (struct nlattr *)attr_next(message->attrs, message->len,
						  &at)))
		for (which = which_of(message->cmd); which->name; which++) {
			if (attr_type(attr) != which->id ||
			    attr_len(attr) != sizeof(id))
				continue;
			id = attr_u32(attr);
			if (memory_knows(memory, id))
				continue;
			id |= UNKNOWN;
			memcpy((uint8_t *)attr + NLA_HDRLEN, &id, sizeof(id));
		}
}
