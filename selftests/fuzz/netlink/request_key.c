// SPDX-License-Identifier: GPL-2.0
/* Requests for keys, allow lists and the heaviest ones. */
#include <string.h>

#include "pool.h"
#include "request.h"

/* Keys in most messages, and in some: as many as there is room for. */
#define FEW	24
#define MANY	4000
#define BYTES	30000
/* In a hundred messages, of filters of the process's own. */
#define OF_OWN	40

static uint8_t records[BYTES];

/* What a command is for: others are refused. */
static uint32_t types_for(uint8_t cmd)
{
	switch (cmd) {
	case SEEN_CMD_TOP_GET:
		return 1u << SEEN_TYPE_CMS | 1u << SEEN_TYPE_CMM;
	case SEEN_CMD_KEY_DEL:
		return 1u << SEEN_TYPE_CUCKOO | 1u << SEEN_TYPE_BITMAP |
		       1u << SEEN_TYPE_COUNTING | 1u << SEEN_TYPE_MAP;
	}
	return ~1u;
}

/* Returns which of the names it is, or one that nothing is known of. */
static const struct known_filter *put_name(struct draw *draw,
					   const struct memory *memory,
					   struct message *message)
{
	static const struct known_filter none;
	char name[64];
	uint32_t number;

	if (draw_chance(draw, 5)) {
		pool_name(draw, name);
		message_put_text(message, SEEN_A_KEY_FILTER, name);
		return &none;
	}
	number = memory_pick(memory, draw, draw_chance(draw, OF_OWN),
			     types_for(message->cmd));
	memory_name(memory, number, name);
	message_put_text(message, SEEN_A_KEY_FILTER, name);
	return &memory->filters[number];
}

static uint32_t count_records(uint32_t len)
{
	uint32_t at, count = 0;
	uint16_t bytes;

	for (at = 0; at < len; at += sizeof(bytes) + bytes, count++)
		memcpy(&bytes, records + at, sizeof(bytes));
	return count;
}

static void put_values(struct draw *draw, struct message *message,
		       uint32_t count)
{
	static uint32_t values[BYTES];
	uint32_t i;

	for (i = 0; i < count; i++)
		values[i] = draw_next(draw);
	message_put(message, SEEN_A_KEY_VALUES, values,
		    count * sizeof(*values));
}

static void put_keys(struct draw *draw, const struct known_filter *filter,
		     struct message *message)
{
	uint32_t count = 1 + draw_below(draw, FEW), len;

	if (draw_chance(draw, 2))
		count = MANY;
	len = pool_keys(draw, filter, count, records, sizeof(records));
	message_put(message, SEEN_A_KEY_DATA, records, len);
	if (message->cmd != SEEN_CMD_KEY_ADD)
		return;
	if (draw_chance(draw, 30))
		message_put(message, SEEN_A_KEY_IF_NEW, NULL, 0);
	if (draw_chance(draw, filter->type == SEEN_TYPE_MAP ? 60 : 2))
		put_values(draw, message, count_records(len));
}

void request_key(struct draw *draw, const struct memory *memory,
		 struct message *message)
{
	const struct known_filter *filter = put_name(draw, memory, message);

	switch (message->cmd) {
	case SEEN_CMD_TOP_GET:
		break;
	case SEEN_CMD_ALLOW_GET:
		if (draw_chance(draw, 50))
			message_put_u32(message, SEEN_A_KEY_FROM,
					draw_chance(draw, 50) ?
					draw_below(draw, 40) :
					pool_edge(draw));
		break;
	default:
		put_keys(draw, filter, message);
		break;
	}
}
