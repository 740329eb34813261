// SPDX-License-Identifier: GPL-2.0
#include "policy.h"
#include "pool.h"
#include "request.h"

/* Percentage of messages that are made from the policy alone. */
#define BY_POLICY	10

/* Relative frequency of each command. */
static const uint8_t weights[COMMANDS] = {
	[SEEN_CMD_FILTER_ADD] = 12,
	[SEEN_CMD_FILTER_DEL] = 4,
	[SEEN_CMD_FILTER_GET] = 8,
	[SEEN_CMD_FILTER_SET] = 5,
	[SEEN_CMD_FILTER_FLUSH] = 3,
	[SEEN_CMD_FILTER_RENAME] = 4,
	[SEEN_CMD_FILTER_SWAP] = 3,
	[SEEN_CMD_KEY_ADD] = 14,
	[SEEN_CMD_KEY_TEST] = 6,
	[SEEN_CMD_KEY_DEL] = 8,
	[SEEN_CMD_GUARD_ADD] = 8,
	[SEEN_CMD_GUARD_DEL] = 3,
	[SEEN_CMD_GUARD_GET] = 4,
	[SEEN_CMD_GUARD_SET] = 5,
	[SEEN_CMD_ALLOW_ADD] = 4,
	[SEEN_CMD_ALLOW_DEL] = 3,
	[SEEN_CMD_ALLOW_GET] = 3,
	[SEEN_CMD_KEY_COUNT] = 5,
	[SEEN_CMD_TOP_GET] = 4,
	[SEEN_CMD_FILTER_MERGE] = 4,
	[SEEN_CMD_FILTER_FOLD] = 2,
	[SEEN_CMD_FILTER_EXPORT] = 4,
	[SEEN_CMD_FILTER_IMPORT] = 4,
	[SEEN_CMD_PORT_GET] = 3,
	[SEEN_CMD_FEED_ADD] = 4,
	[SEEN_CMD_FEED_DEL] = 2,
	[SEEN_CMD_FEED_GET] = 5,
	[SEEN_CMD_HASH_ADD] = 6,
	[SEEN_CMD_HASH_DEL] = 3,
};

static uint8_t draw_command(struct draw *draw)
{
	uint32_t sum = 0, at;
	uint8_t cmd;

	for (cmd = 0; cmd < COMMANDS; cmd++)
		sum += policy_of(cmd)->known ? (weights[cmd] ?: 4) : 0;
	at = draw_below(draw, sum);
	for (cmd = 0; cmd < COMMANDS; cmd++) {
		sum = policy_of(cmd)->known ? (weights[cmd] ?: 4) : 0;
		if (at < sum)
			break;
		at -= sum;
	}
	return cmd;
}

/* Half of all requests continue a running export or import, or these would never end. */
static uint8_t choose(struct draw *draw, const struct transfer *transfer)
{
	uint8_t cmd = draw_command(draw);

	if (!transfer->head_len && cmd == SEEN_CMD_FILTER_IMPORT &&
	    draw_chance(draw, 90))
		return SEEN_CMD_FILTER_EXPORT;
	if (!transfer->head_len || draw_chance(draw, 50))
		return cmd;
	if (transfer->import && !transfer->data_len &&
	    !(transfer->begun && !transfer->next))
		return SEEN_CMD_FILTER_EXPORT;
	return SEEN_CMD_FILTER_IMPORT;
}

void request_put_any(struct draw *draw, struct message *message, uint16_t type)
{
	const struct command_policy *policy = policy_of(message->cmd);
	uint64_t value = pool_edge(draw);
	uint8_t bytes[64] = {};
	char name[64];

	switch (policy->known ? policy->attr[type].type : 0) {
	case NL_ATTR_TYPE_FLAG:
		message_put(message, type, NULL, 0);
		break;
	case NL_ATTR_TYPE_U8:
		message_put(message, type, &value, 1);
		break;
	case NL_ATTR_TYPE_U32:
	case NL_ATTR_TYPE_S32:
		message_put_u32(message, type, value);
		break;
	case NL_ATTR_TYPE_NUL_STRING:
		pool_name(draw, name);
		message_put_text(message, type, name);
		break;
	case NL_ATTR_TYPE_NESTED:
		message_nest(message, type);
		break;
	case NL_ATTR_TYPE_BINARY:
		message_put(message, type, bytes, draw_below(draw, 65));
		break;
	default:
		message_put_u64(message, type, value);
		break;
	}
}

/* Seldom adds an attribute that the command accepts, or any other one. */
static void put_more(struct draw *draw, struct message *message)
{
	if (draw_chance(draw, 2))
		request_put_any(draw, message, 1 + draw_below(draw, ATTRS - 1));
}

/* Without a recipe: some of the attributes that the command accepts. */
static void request_by_policy(struct draw *draw, struct message *message)
{
	const struct command_policy *policy = policy_of(message->cmd);
	uint16_t type;

	for (type = 1; type < ATTRS; type++)
		if (policy->attr[type].type && draw_chance(draw, 30))
			request_put_any(draw, message, type);
}

static void request_by_recipe(struct draw *draw, const struct memory *memory,
			      struct message *message)
{
	switch (message->cmd) {
	case SEEN_CMD_FILTER_EXPORT:
	case SEEN_CMD_FILTER_IMPORT:
		request_transfer(draw, memory, message);
		break;
	case SEEN_CMD_KEY_ADD:
	case SEEN_CMD_KEY_TEST:
	case SEEN_CMD_KEY_DEL:
	case SEEN_CMD_KEY_COUNT:
	case SEEN_CMD_ALLOW_ADD:
	case SEEN_CMD_ALLOW_DEL:
	case SEEN_CMD_ALLOW_GET:
	case SEEN_CMD_TOP_GET:
		request_key(draw, memory, message);
		break;
	case SEEN_CMD_GUARD_ADD:
	case SEEN_CMD_GUARD_DEL:
	case SEEN_CMD_GUARD_GET:
	case SEEN_CMD_GUARD_SET:
	case SEEN_CMD_PORT_GET:
		request_guard(draw, memory, message);
		break;
	case SEEN_CMD_FEED_ADD:
	case SEEN_CMD_FEED_DEL:
	case SEEN_CMD_FEED_GET:
	case SEEN_CMD_HASH_ADD:
	case SEEN_CMD_HASH_DEL:
		request_feed(draw, memory, message);
		break;
	default:
		request_filter(draw, memory, message);
		break;
	}
	request_put_ids(draw, memory, message);
	put_more(draw, message);
}

void request_make(struct draw *draw, const struct memory *memory,
		  struct message *message)
{
	message->cmd = choose(draw, &memory->transfer);
	message->version = SEEN_FAMILY_VERSION;
	message->reserved = 0;
	message->flags = NLM_F_REQUEST | NLM_F_ACK;
	message->cut = 0;
	message->len = 0;
	if (policy_of(message->cmd)->dumps &&
	    draw_chance(draw, policy_of(message->cmd)->asks ? 40 : 95))
		message->flags |= NLM_F_DUMP;
	message->by_policy = draw_chance(draw, BY_POLICY);
	if (message->by_policy)
		request_by_policy(draw, message);
	else
		request_by_recipe(draw, memory, message);
}
