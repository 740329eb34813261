// SPDX-License-Identifier: GPL-2.0
/* Requests for guards. */
#include <stdio.h>
#include <string.h>

#include "pool.h"
#include "request.h"

static uint32_t put_id(struct draw *draw, struct message *message)
{
	uint32_t kind = draw_chance(draw, 30) ? SEEN_GUARD_KIND_BRIDGE :
						SEEN_GUARD_KIND_DEV;
	char name[64];

	if (draw_chance(draw, 1))
		kind = pool_edge(draw);
	pool_device(draw, kind, name);
	message_put_u32(message, SEEN_A_GUARD_KIND, kind);
	message_put_text(message, SEEN_A_GUARD_DEV, name);
	if (draw_chance(draw, kind == SEEN_GUARD_KIND_DEV ? 40 : 5))
		message_put_u32(message, SEEN_A_GUARD_HOOK,
				draw_chance(draw, 95) ? 1 + draw_below(draw, 2) :
				pool_edge(draw));
	return kind;
}

/* The ports of all guards, or of a current or former guard by its id, its place or both. */
static void put_ports(struct draw *draw, const struct memory *memory,
		      struct message *message)
{
	const struct known_guard *guard =
		&memory->guards[draw_below(draw, GUARDS)];
	bool by_id = draw_chance(draw, 50);

	if (!guard->id || draw_chance(draw, 20))
		return;
	if (by_id)
		message_put_u32(message, SEEN_A_PORT_GUARD_ID, guard->id);
	if (by_id && draw_chance(draw, 60))
		return;
	message_put_u32(message, SEEN_A_PORT_GUARD_KIND, guard->kind);
	message_put_u32(message, SEEN_A_PORT_GUARD_HOOK, guard->hook);
	message_put_text(message, SEEN_A_PORT_GUARD_DEV, guard->dev);
}

/* Puts the id of a current or former guard. */
static void put_guard(struct draw *draw, const struct memory *memory,
		      struct message *message)
{
	const struct known_guard *guard =
		&memory->guards[draw_below(draw, GUARDS)];

	if (!guard->id || draw_chance(draw, 60)) {
		put_id(draw, message);
		return;
	}
	message_put_u32(message, SEEN_A_GUARD_ID, guard->id);
	if (draw_chance(draw, 70))
		return;
	message_put_u32(message, SEEN_A_GUARD_KIND, guard->kind);
	message_put_u32(message, SEEN_A_GUARD_HOOK, guard->hook);
	message_put_text(message, SEEN_A_GUARD_DEV, guard->dev);
}

static void put_filter(struct draw *draw, struct message *message)
{
	char name[64];

	pool_name(draw, name);
	message_put_text(message, SEEN_A_GUARD_FILTER, name);
}

/* Most filters have addresses as keys, so most verdicts are those for addresses. */
static void put_verdict(struct draw *draw, struct message *message)
{
	static const uint32_t verdicts[] = {
		SEEN_VERDICT_LISTED, SEEN_VERDICT_LISTED, SEEN_VERDICT_DUP,
		SEEN_VERDICT_OTHER_PORT, SEEN_VERDICT_LOOP,
		SEEN_VERDICT_HEAVY, __SEEN_VERDICT_MAX,
	};

	if (draw_chance(draw, 70))
		message_put_u32(message, SEEN_A_GUARD_VERDICT,
				PICK(draw, verdicts));
}

static void put_action(struct draw *draw, struct message *message)
{
	uint32_t action = 1 + draw_below(draw, SEEN_ACTION_MAX);

	if (draw_chance(draw, 60))
		message_put_u32(message, SEEN_A_GUARD_ACTION, action);
	else
		action = SEEN_ACTION_COUNT;
	if (action == SEEN_ACTION_MARK && draw_chance(draw, 60))
		message_put_u32(message, SEEN_A_GUARD_MARK, pool_edge(draw));
	else if (action == SEEN_ACTION_MARK)
		message_put(message, SEEN_A_GUARD_MARK_VALUE, NULL, 0);
	if (draw_chance(draw, 10))
		message_put(message, SEEN_A_GUARD_NO_BLOCK, NULL, 0);
}

static void put_paused(struct draw *draw, struct message *message)
{
	uint8_t paused = draw_chance(draw, 97) ? draw_below(draw, 2) :
						 pool_edge(draw);

	message_put(message, SEEN_A_GUARD_PAUSED, &paused, sizeof(paused));
}

/* Puts a nest of enum seen_a_prefix. */
static void put_prefix(struct message *message, uint16_t attr,
		       const void *address, uint32_t size, uint8_t len)
{
	uint32_t nest = message_nest(message, attr);

	message_put(message, SEEN_A_PREFIX_ADDRESS, address, size);
	message_put(message, SEEN_A_PREFIX_LEN, &len, sizeof(len));
	message_nest_end(message, nest);
}

static void put_exempt(struct draw *draw, struct message *message)
{
	const uint8_t group[8] = { draw_chance(draw, 95), 0x0c };
	uint32_t count, bits;

	for (count = draw_below(draw, 18); count; count--) {
		bits = draw_chance(draw, 98) ? 8 + draw_below(draw, 41) :
					       draw_below(draw, 60);
		put_prefix(message, SEEN_A_GUARD_EXEMPT, group,
			   draw_chance(draw, 99) ? 6 : draw_below(draw, 9),
			   bits);
	}
}

/* A time in seconds, mostly valid. */
static void put_time(struct draw *draw, struct message *message, uint16_t attr)
{
	uint64_t ns = draw_chance(draw, 90) ? draw_below(draw, 61) * 1000000000ULL
					    : pool_edge(draw);

	message_put(message, attr, &ns, sizeof(ns));
}

/* Attributes that only profile loop accepts. */
static void put_loop(struct draw *draw, struct message *message,
		     uint32_t chance)
{
	uint8_t no_probe = draw_chance(draw, 95) ? draw_below(draw, 2) : 2;

	if (draw_chance(draw, chance))
		message_put_u32(message, SEEN_A_GUARD_REPEAT,
				draw_chance(draw, 90) ? 1 + draw_below(draw, 5000)
						      : pool_edge(draw));
	if (draw_chance(draw, chance))
		message_put(message, SEEN_A_GUARD_NO_PROBE, &no_probe, 1);
	if (draw_chance(draw, chance))
		message_put_u32(message, SEEN_A_GUARD_SUSPECT,
				draw_below(draw, 18));
	if (draw_chance(draw, chance))
		put_time(draw, message, SEEN_A_GUARD_BLOCK_FIRST_NS);
	if (draw_chance(draw, chance))
		put_time(draw, message, SEEN_A_GUARD_BLOCK_MAX_NS);
	if (draw_chance(draw, chance))
		put_exempt(draw, message);
}

static void put_address(struct draw *draw, struct message *message,
			uint16_t attr)
{
	static const uint8_t address[16] = { 10 };
	bool short_one = draw_chance(draw, 50);

	put_prefix(message, attr, address, short_one ? 4 : 16,
		   draw_below(draw, short_one ? 34 : 130));
}

static void put_range(struct draw *draw, struct message *message)
{
	uint16_t first = draw_below(draw, 5000);
	uint16_t last = 4900 + draw_below(draw, 5000);
	uint32_t nest = message_nest(message, SEEN_A_GUARD_UDP);

	message_put(message, SEEN_A_RANGE_FIRST, &first, sizeof(first));
	message_put(message, SEEN_A_RANGE_LAST, &last, sizeof(last));
	message_nest_end(message, nest);
}

static void put_conditions(struct draw *draw, struct message *message)
{
	uint32_t count;

	for (count = draw_below(draw, 4); count; count--)
		put_range(draw, message);
	for (count = draw_below(draw, 3); count; count--)
		put_address(draw, message, SEEN_A_GUARD_SRC);
	for (count = draw_below(draw, 3); count; count--)
		put_address(draw, message, SEEN_A_GUARD_DST);
}

static void put_protect(struct draw *draw, struct message *message)
{
	uint32_t count = 1 + draw_below(draw, 3);
	char name[64];

	for (; count; count--) {
		pool_device(draw, SEEN_GUARD_KIND_DEV, name);
		message_put_text(message, SEEN_A_GUARD_PROTECT, name);
	}
}

/* A port that is an edge, or belongs to a segment. */
static void put_role(struct draw *draw, struct message *message)
{
	uint32_t nest = message_nest(message, SEEN_A_TRAIL_PORT);
	char name[64];

	pool_device(draw, SEEN_GUARD_KIND_DEV, name);
	message_put_text(message, SEEN_A_ROLE_NAME, name);
	if (draw_chance(draw, 50))
		message_put_u32(message, SEEN_A_ROLE_SEGMENT,
				draw_chance(draw, 90) ? 1 + draw_below(draw, 9) :
				pool_edge(draw));
	message_nest_end(message, nest);
}

static void put_trail(struct draw *draw, struct message *message)
{
	uint32_t nest = message_nest(message, SEEN_A_GUARD_TRAIL), count;
	uint64_t node = pool_edge(draw);

	if (draw_chance(draw, 30))
		message_put_u32(message, SEEN_A_TRAIL_MODE, draw_chance(draw, 95) ?
				1 + draw_below(draw, SEEN_TRAIL_MODE_MAX) : pool_edge(draw));
	if (draw_chance(draw, 30))
		message_put_u32(message, SEEN_A_TRAIL_BITS, draw_chance(draw, 95) ?
				128U << draw_below(draw, 2) : pool_edge(draw));
	if (draw_chance(draw, 30))
		message_put_u32(message, SEEN_A_TRAIL_MOST, draw_chance(draw, 95) ?
				128 + draw_below(draw, 9000) : pool_edge(draw));
	if (draw_chance(draw, 30))
		message_put(message, SEEN_A_TRAIL_NODE, &node, sizeof(node));
	if (draw_chance(draw, 30))
		message_put(message, SEEN_A_TRAIL_AUTH, NULL, 0);
	for (count = draw_chance(draw, 97) ? draw_below(draw, 3) : 65; count; count--)
		put_role(draw, message);
	message_nest_end(message, nest);
}

static void put_profile(struct draw *draw, struct message *message,
			uint32_t kind)
{
	static const uint32_t profiles[] = {
		SEEN_GUARD_PROFILE_LOOP, SEEN_GUARD_PROFILE_LOOP, SEEN_GUARD_PROFILE_RELAY,
		SEEN_GUARD_PROFILE_RELAY, SEEN_GUARD_PROFILE_PACKET, __SEEN_GUARD_PROFILE_MAX,
	};
	uint32_t profile = PICK(draw, profiles);
	bool blocks = profile == SEEN_GUARD_PROFILE_LOOP &&
		      kind == SEEN_GUARD_KIND_BRIDGE;

	message_put_u32(message, SEEN_A_GUARD_PROFILE, profile);
	if (profile == SEEN_GUARD_PROFILE_LOOP)
		put_loop(draw, message, 30);
	if (draw_chance(draw, blocks ? 40 : 2))
		put_trail(draw, message);
	if (blocks && draw_chance(draw, 50))
		put_protect(draw, message);
	else if (blocks && draw_chance(draw, 50))
		message_put(message, SEEN_A_GUARD_NO_BLOCK, NULL, 0);
	else
		put_action(draw, message);
}

/* Attributes that need a map, and few filters are maps. */
static void put_map(struct draw *draw, const struct memory *memory,
		    struct message *message)
{
	uint32_t number = draw_below(draw, NAMES), i;
	char name[8];

	for (i = 0; i < NAMES; i++, number = (number + 1) % NAMES)
		if (memory->filters[number].type == SEEN_TYPE_MAP)
			break;
	snprintf(name, sizeof(name), "f%u", number);
	message_put_text(message, SEEN_A_GUARD_FILTER, name);
	message_put_u32(message, SEEN_A_GUARD_VERDICT, SEEN_VERDICT_LISTED);
	message_put_u32(message, SEEN_A_GUARD_ACTION, SEEN_ACTION_MARK);
	message_put(message, SEEN_A_GUARD_MARK_VALUE, NULL, 0);
}

static void add(struct draw *draw, const struct memory *memory,
		struct message *message)
{
	uint32_t kind = put_id(draw, message);

	if (draw_chance(draw, 10)) {
		put_map(draw, memory, message);
	} else if (draw_chance(draw, 25)) {
		put_profile(draw, message, kind);
	} else {
		put_filter(draw, message);
		put_verdict(draw, message);
		put_action(draw, message);
	}
	if (draw_chance(draw, 30))
		put_conditions(draw, message);
	if (draw_chance(draw, 20))
		message_put_u32(message, SEEN_A_GUARD_MATCH,
				1 + draw_below(draw, SEEN_MATCH_MAX));
	if (draw_chance(draw, 10))
		message_put_u32(message, SEEN_A_GUARD_PRIORITY,
				pool_edge(draw));
	if (draw_chance(draw, 10))
		message_put_u32(message, SEEN_A_GUARD_STORM, pool_edge(draw));
	put_loop(draw, message, 2);
	if (draw_chance(draw, 20))
		put_paused(draw, message);
	if (draw_chance(draw, 30))
		message_put(message, SEEN_A_GUARD_REPLACE, NULL, 0);
}

static void put_watch(struct draw *draw, struct message *message)
{
	if (draw_chance(draw, 20))
		message_put_u32(message, SEEN_A_GUARD_MATCH,
				1 + draw_below(draw, SEEN_MATCH_MAX));
	if (draw_chance(draw, 20))
		message_put_u32(message, SEEN_A_GUARD_STORM,
				1 + draw_below(draw, 1000));
}

/* Attributes that only a bridge's guard with profile loop accepts. */
static void set_loop(struct draw *draw, struct message *message)
{
	message_put_u32(message, SEEN_A_GUARD_KIND, SEEN_GUARD_KIND_BRIDGE);
	message_put_text(message, SEEN_A_GUARD_DEV,
			 draw_chance(draw, 50) ? "br0" : "br1");
	put_watch(draw, message);
	put_loop(draw, message, 25);
	if (draw_chance(draw, 25))
		message_put(message, SEEN_A_GUARD_NO_BLOCK, NULL, 0);
	if (draw_chance(draw, 30))
		put_protect(draw, message);
}

static void set(struct draw *draw, const struct memory *memory,
		struct message *message)
{
	if (draw_chance(draw, 20)) {
		message_put(message, SEEN_A_GUARD_ALL, NULL, 0);
		put_paused(draw, message);
		return;
	}
	/* Attributes that only a guard with a map accepts. */
	if (draw_chance(draw, 20)) {
		put_guard(draw, memory, message);
		message_put_u32(message, SEEN_A_GUARD_ACTION, SEEN_ACTION_MARK);
		message_put(message, SEEN_A_GUARD_MARK_VALUE, NULL, 0);
		return;
	}
	if (draw_chance(draw, 40)) {
		set_loop(draw, message);
		return;
	}
	put_guard(draw, memory, message);
	put_watch(draw, message);
	if (draw_chance(draw, 50))
		put_paused(draw, message);
	if (draw_chance(draw, 60))
		put_action(draw, message);
	if (draw_chance(draw, 30))
		message_put(message, SEEN_A_GUARD_RESET, NULL, 0);
	put_loop(draw, message, 5);
}

void request_guard(struct draw *draw, const struct memory *memory,
		   struct message *message)
{
	switch (message->cmd) {
	case SEEN_CMD_GUARD_ADD:
		add(draw, memory, message);
		break;
	case SEEN_CMD_GUARD_SET:
		set(draw, memory, message);
		break;
	case SEEN_CMD_PORT_GET:
		put_ports(draw, memory, message);
		break;
	default:
		put_guard(draw, memory, message);
		break;
	}
}
