// SPDX-License-Identifier: GPL-2.0
/*
 * Requests for feeds, and for keys by their hash. Never for a process's own filters, whose
 * keys and counters are predicted.
 */
#include <string.h>

#include "pool.h"
#include "request.h"

/* Records in most messages. */
#define FEW	24
/* Hashes, few enough that many requests have the same ones. */
#define HASHES	64

static struct seen_packed_record records[SEEN_RECORDS_MAX + 1];

/* Mostly types that a feed accepts. */
static uint32_t draw_types(struct draw *draw)
{
	return draw_chance(draw, 90) ?
	       1u << SEEN_TYPE_BLOOM | 1u << SEEN_TYPE_CUCKOO | 1u << SEEN_TYPE_COUNTING :
	       ~1u;
}

static void put_filter(struct draw *draw, const struct memory *memory,
		       struct message *message)
{
	char name[64];

	if (draw_chance(draw, 5))
		pool_name(draw, name);
	else
		memory_name(memory, memory_pick(memory, draw, false, draw_types(draw)), name);
	message_put_text(message, SEEN_A_FEED_FILTER, name);
}

/* An age of up to two hours, or one at a limit. */
static uint64_t draw_age(struct draw *draw)
{
	if (draw_chance(draw, 10))
		return pool_edge(draw);
	return draw_next(draw) % (2 * 3600 * UINT64_C(1000000000));
}

static void put_records(struct draw *draw, struct message *message)
{
	uint32_t count = 1 + draw_below(draw, FEW), bytes, i;

	if (draw_chance(draw, 3))
		count = SEEN_RECORDS_MAX + draw_below(draw, 2);
	for (i = 0; i < count; i++) {
		records[i].hash = draw_below(draw, HASHES) * 0x9e3779b97f4a7c15;
		records[i].age = draw_age(draw) & ~SEEN_RECORD_DELETED;
	}
	if (draw_chance(draw, 3))
		records[0].age |= SEEN_RECORD_DELETED;
	bytes = count * sizeof(*records);
	if (draw_chance(draw, 3))
		bytes -= 1 + draw_below(draw, sizeof(*records));
	message_put(message, SEEN_A_FEED_DATA, records, bytes);
}

static void put_config(struct draw *draw, struct message *message)
{
	if (draw_chance(draw, 60))
		message_put_u32(message, SEEN_A_FEED_RECORDS,
				draw_chance(draw, 90) ? 64u << draw_below(draw, 6) :
							(uint32_t)pool_edge(draw));
	if (draw_chance(draw, 60))
		message_put_u64(message, SEEN_A_FEED_STALE,
				draw_chance(draw, 80) ? draw_next(draw) % 1000000000 :
							pool_edge(draw));
}

void request_feed(struct draw *draw, const struct memory *memory,
		  struct message *message)
{
	put_filter(draw, memory, message);
	switch (message->cmd) {
	case SEEN_CMD_FEED_ADD:
		put_config(draw, message);
		break;
	case SEEN_CMD_FEED_GET:
		if (draw_chance(draw, 70))
			message_put_u64(message, SEEN_A_FEED_DONE, draw_below(draw, 8));
		break;
	case SEEN_CMD_HASH_ADD:
		if (draw_chance(draw, 95))
			put_records(draw, message);
		if (draw_chance(draw, 30))
			message_put_u64(message, SEEN_A_FEED_AGE, draw_age(draw));
		break;
	case SEEN_CMD_HASH_DEL:
		put_records(draw, message);
		break;
	}
}
