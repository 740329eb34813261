// SPDX-License-Identifier: GPL-2.0
/* Requests for keys, allow lists and the heaviest keys. */
#include <string.h>

#include "keys.h"
#include "pool.h"
#include "request.h"

/* Keys in most messages; and in some, as many as fit. */
#define FEW	24
#define MANY	3500
#define BYTES	30000
/* Percentage of messages for the process's own filters. */
#define OF_OWN	40

static uint8_t records[BYTES];

/* Types for which the command is not refused. */
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

/* Return: the filter that was named; an empty one if nothing is known about it. */
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

/* @values: percentage of entries with a value */
static void put_entries(struct draw *draw, struct message *message, uint32_t len,
			uint32_t values)
{
	struct key_walk walk = { .attrs = records, .len = len, .packed = true };
	struct key key;
	uint32_t value;

	while (key_walk_next(&walk, &key)) {
		value = draw_next(draw);
		keys_put_entry(message, SEEN_A_KEY_ENTRY, key.bytes, key.len,
			       draw_chance(draw, values) ? &value : NULL);
	}
}

static void put_keys(struct draw *draw, const struct known_filter *filter,
		     struct message *message)
{
	uint32_t count = 1 + draw_below(draw, FEW), len;
	bool if_new = message->cmd == SEEN_CMD_KEY_ADD && draw_chance(draw, 30);

	if (draw_chance(draw, 2))
		count = MANY;
	len = pool_keys(draw, filter, count, records, sizeof(records));
	/* Seldom pack keys with if-new: its answer does not show the new ones. */
	if (draw_chance(draw, if_new ? 5 : 40))
		message_put(message, SEEN_A_KEY_PACKED, records, len);
	else
		put_entries(draw, message, len, message->cmd == SEEN_CMD_KEY_ADD &&
			    filter->type == SEEN_TYPE_MAP ? 60 : 0);
	if (draw_chance(draw, 1))
		put_entries(draw, message, len, 50);
	if (if_new)
		message_put(message, SEEN_A_KEY_IF_NEW, NULL, 0);
}

void request_key(struct draw *draw, const struct memory *memory,
		 struct message *message)
{
	const struct known_filter *filter = put_name(draw, memory, message);

	switch (message->cmd) {
	case SEEN_CMD_TOP_GET:
	case SEEN_CMD_ALLOW_GET:
		break;
	default:
		put_keys(draw, filter, message);
		break;
	}
}
