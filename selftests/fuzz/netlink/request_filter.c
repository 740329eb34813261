// SPDX-License-Identifier: GPL-2.0
/* Requests for filters, and the steps of exports and imports. */
#include "keys.h"
#include "policy.h"
#include "pool.h"
#include "request.h"

#define OF(type)	(1u << SEEN_TYPE_##type)
#define SKETCHES	(OF(CMS) | OF(CMM))
/* Any type, and any known type. */
#define ANY		(~0u)
#define KNOWN		(~1u)
/* Number of sets of filters that differ only in their names, so that they can be merged. */
#define LIKES		6

static void put_name(struct draw *draw, struct message *message, uint16_t attr)
{
	char name[64];

	pool_name(draw, name);
	message_put_text(message, attr, name);
}

/* Puts the name of a filter of these types, if one is known. */
static void put_name_of(struct draw *draw, const struct memory *memory,
			uint32_t types, struct message *message, uint16_t attr)
{
	char name[64];

	memory_name(memory, memory_pick(memory, draw, false, types), name);
	message_put_text(message, attr, name);
}

/* Percentage of requests that use one of the process's own filters. */
static uint32_t of_own(uint8_t cmd)
{
	switch (cmd) {
	case SEEN_CMD_FILTER_ADD:
		return 30;
	case SEEN_CMD_FILTER_GET:
	case SEEN_CMD_FILTER_FLUSH:
	case SEEN_CMD_FILTER_SET:
	case SEEN_CMD_FILTER_FOLD:
		return 20;
	case SEEN_CMD_FILTER_DEL:
		return 10;
	}
	return 0;
}

/* Puts the name of the filter that the command is about. */
static void put_main_name(struct draw *draw, const struct memory *memory,
			  uint32_t types, struct message *message)
{
	char name[64];

	if (draw_chance(draw, of_own(message->cmd))) {
		memory_name(memory, memory_pick(memory, draw, true, types),
			    name);
		message_put_text(message, SEEN_A_FILTER_NAME, name);
	} else if (types == ANY) {
		put_name(draw, message, SEEN_A_FILTER_NAME);
	} else {
		put_name_of(draw, memory, types, message, SEEN_A_FILTER_NAME);
	}
}

static void put_vxlan(struct draw *draw, struct message *message)
{
	uint32_t count = draw_below(draw, 4);
	uint16_t port = 4788;

	for (; count; count--) {
		port += draw_below(draw, 20) ? 1 : 0;
		message_put(message, SEEN_A_FILTER_VXLAN_PORT, &port,
			    sizeof(port));
	}
}

static void put_key(struct draw *draw, struct message *message, uint32_t type)
{
	uint16_t first = 0;
	uint8_t key[16];

	if (type == SEEN_TYPE_BITMAP || draw_chance(draw, 40)) {
		pool_fields(draw, message, type, SEEN_A_FILTER_KEY, &first);
	} else {
		static const uint32_t profiles[] = {
			SEEN_KEY_PROFILE_HOST, SEEN_KEY_PROFILE_HOST,
			SEEN_KEY_PROFILE_HOST, SEEN_KEY_PROFILE_FLOW,
			SEEN_KEY_PROFILE_BYTES, SEEN_KEY_PROFILE_FRAME,
			SEEN_KEY_PROFILE_PACKET, SEEN_KEY_PROFILE_RELAY,
		};

		message_put_u32(message, SEEN_A_FILTER_PROFILE,
				PICK(draw, profiles));
	}
	if (type == SEEN_TYPE_BITMAP)
		message_put(message, SEEN_A_FILTER_FIRST, key,
			    pool_first(first, key));
	if (!draw_chance(draw, 10))
		return;
	if (draw_chance(draw, 90))
		message_put(message, SEEN_A_FILTER_INNER, NULL, 0);
	if (draw_chance(draw, 50))
		put_vxlan(draw, message);
}

static bool draw_of(struct draw *draw, uint32_t type, uint32_t types,
		    uint32_t percent)
{
	return (types & 1u << type) && draw_chance(draw, percent);
}

static void put_rate(struct draw *draw, struct message *message, uint32_t type)
{
	static const uint32_t bits[] = { 8, 12, 16, 24, 32, 16, 24, 32, 9 };

	if (type == SEEN_TYPE_BITMAP || type == SEEN_TYPE_MAP)
		return;
	if (draw_of(draw, type, OF(CUCKOO), 60))
		message_put_u32(message, SEEN_A_FILTER_FP_BITS,
				PICK(draw, bits));
	else
		message_put_u64(message, SEEN_A_FILTER_FPP, pool_fpp(draw));
}

static void put_window(struct draw *draw, struct message *message,
		       uint32_t type)
{
	static const uint32_t classic[] = {
		SEEN_LAYOUT_BLOCKED, SEEN_LAYOUT_CLASSIC, __SEEN_LAYOUT_MAX,
	};

	if (draw_of(draw, type, OF(BLOOM) | OF(CUCKOO) | SKETCHES, 40)) {
		message_put_u64(message, SEEN_A_FILTER_WINDOW,
				pool_window(draw));
		if (draw_of(draw, type, OF(BLOOM) | OF(CUCKOO), 50))
			message_put(message, SEEN_A_FILTER_REFRESH, NULL, 0);
	} else if (draw_of(draw, type, OF(BLOOM), 50)) {
		message_put_u32(message, SEEN_A_FILTER_LAYOUT,
				PICK(draw, classic));
	}
}

static void put_extras(struct draw *draw, struct message *message,
		       uint32_t type)
{
	static const uint32_t thresholds[] = { 1, 2, 3, 15, 16, 0 };
	static const uint32_t tops[] = { 1, 10, 100, 1024, 1025, 0 };

	if (draw_of(draw, type, SKETCHES | OF(COUNTING), 50))
		message_put_u32(message, SEEN_A_FILTER_THRESHOLD,
				PICK(draw, thresholds));
	if (draw_of(draw, type, OF(CMS), 30))
		message_put(message, SEEN_A_FILTER_CONSERVATIVE, NULL, 0);
	if (draw_of(draw, type, SKETCHES, 80))
		message_put_u32(message, SEEN_A_FILTER_TOP, PICK(draw, tops));
	if (draw_chance(draw, 10))
		message_put_u32(message, SEEN_A_FILTER_ON_FULL,
				1 + draw_below(draw, SEEN_ON_FULL_MAX));
	if (draw_chance(draw, 30))
		message_put(message, SEEN_A_FILTER_SECRET, pool_secret(draw),
			    SEEN_SECRET_LEN);
}

static void put_filter(struct draw *draw, struct message *message)
{
	uint32_t type = 1 + draw_below(draw, SEEN_TYPE_MAX);

	message_put_u32(message, SEEN_A_FILTER_TYPE, type);
	message_put_u64(message, SEEN_A_FILTER_CAPACITY, pool_capacity(draw));
	put_rate(draw, message, type);
	put_window(draw, message, type);
	put_key(draw, message, type);
	put_extras(draw, message, type);
}

/* A rare combination: prefixes of any length, in tunnels. */
static void put_prefixes(struct message *message)
{
	static const uint16_t port = 8472;
	uint32_t nest = message_nest(message, SEEN_A_FILTER_KEY);
	uint32_t entry = message_nest(message, SEEN_A_FIELD_ENTRY);

	message_put_u32(message, SEEN_A_FIELD_ID, SEEN_FIELD_SRC);
	message_put_u32(message, SEEN_A_FIELD_PARAM, SEEN_PREFIX_ANY);
	message_nest_end(message, entry);
	message_nest_end(message, nest);
	message_put(message, SEEN_A_FILTER_INNER, NULL, 0);
	message_put(message, SEEN_A_FILTER_VXLAN_PORT, &port, sizeof(port));
}

/* Drawn from one of a few seeds, and with one secret, because merging requires equal filters. */
static void put_like(struct draw *draw, struct message *message)
{
	static const uint8_t secret[SEEN_SECRET_LEN] = "one for all";
	struct draw like = { .state = draw_below(draw, LIKES) };
	uint32_t type = like.state + 1;

	message_put_u32(message, SEEN_A_FILTER_TYPE, type);
	message_put_u64(message, SEEN_A_FILTER_CAPACITY, 500);
	if (type != SEEN_TYPE_BITMAP && type != SEEN_TYPE_MAP)
		message_put_u64(message, SEEN_A_FILTER_FPP,
				SEEN_FPP_ONE / 20);
	if (type == SEEN_TYPE_CMS || type == SEEN_TYPE_CMM)
		message_put_u32(message, SEEN_A_FILTER_TOP, 10);
	if (type == SEEN_TYPE_COUNTING || type == SEEN_TYPE_MAP)
		put_prefixes(message);
	else if (type == SEEN_TYPE_BITMAP)
		put_key(&like, message, type);
	else
		message_put_u32(message, SEEN_A_FILTER_PROFILE,
				SEEN_KEY_PROFILE_HOST);
	message_put(message, SEEN_A_FILTER_SECRET, secret, sizeof(secret));
}

static void put_set(struct draw *draw, const struct memory *memory,
		    struct message *message)
{
	put_main_name(draw, memory, KNOWN, message);
	if (draw_chance(draw, 50))
		message_put_u32(message, SEEN_A_FILTER_ON_FULL,
				draw_chance(draw, 70) ? SEEN_ON_FULL_REJECT :
				pool_edge(draw) % 6);
	if (draw_chance(draw, 30))
		message_put_text(message, SEEN_A_FILTER_ALLOW_MAP, "");
	else if (draw_chance(draw, 70))
		put_name_of(draw, memory, OF(MAP), message,
			    SEEN_A_FILTER_ALLOW_MAP);
	if (draw_chance(draw, 30))
		message_put(message, SEEN_A_FILTER_RESET, NULL, 0);
}

void request_filter(struct draw *draw, const struct memory *memory,
		    struct message *message)
{
	switch (message->cmd) {
	case SEEN_CMD_FILTER_ADD:
		put_main_name(draw, memory, ANY, message);
		if (draw_chance(draw, 40))
			put_like(draw, message);
		else
			put_filter(draw, message);
		break;
	case SEEN_CMD_FILTER_SET:
		put_set(draw, memory, message);
		break;
	case SEEN_CMD_FILTER_MERGE:
		put_name_of(draw, memory, KNOWN, message, SEEN_A_FILTER_NAME);
		put_name_of(draw, memory, KNOWN, message,
			    SEEN_A_FILTER_NEW_NAME);
		if (draw_chance(draw, 40))
			message_put(message, SEEN_A_FILTER_FORCE, NULL, 0);
		break;
	case SEEN_CMD_FILTER_FOLD:
		put_main_name(draw, memory, OF(BLOOM), message);
		if (draw_chance(draw, 30))
			message_put_u64(message, SEEN_A_FILTER_CAPACITY,
					pool_capacity(draw));
		break;
	case SEEN_CMD_FILTER_RENAME:
	case SEEN_CMD_FILTER_SWAP:
		put_name(draw, message, SEEN_A_FILTER_NEW_NAME);
		put_name(draw, message, SEEN_A_FILTER_NAME);
		break;
	default:
		put_main_name(draw, memory, ANY, message);
		break;
	}
}

/* --- exports and imports -------------------------------------------------------- */

/* Prefers types with attributes that the transfer of no other type accepts. */
static uint32_t export_types(struct draw *draw)
{
	if (draw_chance(draw, 50))
		return SKETCHES;
	return draw_chance(draw, 50) ? OF(COUNTING) | OF(MAP) : KNOWN;
}

static void export(struct draw *draw, const struct memory *memory,
		   struct message *message)
{
	const struct transfer *transfer = &memory->transfer;
	bool on = transfer->head_len &&
		  (transfer->next || !transfer->begun);

	if (!on || draw_chance(draw, 5)) {
		put_name_of(draw, memory, export_types(draw), message,
			    SEEN_A_FILTER_NAME);
		if (draw_chance(draw, 90))
			message_put(message, SEEN_A_FILTER_WITH_SECRET, NULL,
				    0);
		return;
	}
	message_put_text(message, SEEN_A_FILTER_NAME, transfer->name);
	message_put_u64(message, SEEN_A_FILTER_COOKIE, transfer->cookie);
	message_put_u64(message, SEEN_A_FILTER_FROM, transfer->next);
}

/* Attributes that a reply has but an import refuses: they are derived, or belong elsewhere. */
static bool is_implied(const struct transfer *transfer,
		       const struct nlattr *attr)
{
	switch (attr_type(attr)) {
	case SEEN_A_FILTER_NAME:
	case SEEN_A_FILTER_ID:
	case SEEN_A_FILTER_COOKIE:
	case SEEN_A_FILTER_TOTAL:
		return true;
	case SEEN_A_FILTER_KEY:
	case SEEN_A_FILTER_INNER:
	case SEEN_A_FILTER_VXLAN_PORT:
		return attr_find(transfer->head, transfer->head_len,
				 SEEN_A_FILTER_PROFILE);
	}
	return false;
}

static void import_begin(struct draw *draw, const struct transfer *transfer,
			 struct message *message)
{
	const struct command_policy *policy = policy_of(message->cmd);
	const struct nlattr *attr;
	uint32_t at = 0;
	uint16_t type;

	put_name(draw, message, SEEN_A_FILTER_NAME);
	while ((attr = attr_next(transfer->head, transfer->head_len, &at))) {
		type = attr_type(attr);
		if (type >= ATTRS || !policy->attr[type].type ||
		    is_implied(transfer, attr))
			continue;
		if (type == SEEN_A_FILTER_KEY)
			type |= NLA_F_NESTED;
		message_put(message, type, attr_data(attr), attr_len(attr));
	}
	if (draw_chance(draw, 50))
		message_put(message, SEEN_A_FILTER_REPLACE, NULL, 0);
	if (draw_chance(draw, 30))
		message_put_u64(message, SEEN_A_FILTER_AGE,
				draw_below(draw, 1000000));
}

/* A sketch's list of the heaviest keys, which is not part of its table. */
static void put_top_keys(struct draw *draw, const struct transfer *transfer,
			 struct message *message)
{
	struct key_walk walk = { .packed = true };
	struct known_filter filter;
	uint8_t records[512];
	struct key key;

	memory_read(transfer->head, transfer->head_len, &filter);
	walk.attrs = records;
	walk.len = pool_keys(draw, &filter, 1 + draw_below(draw, 12), records,
			     sizeof(records));
	while (key_walk_next(&walk, &key))
		keys_put_entry(message, SEEN_A_FILTER_TOP_KEY, key.bytes, key.len,
			       NULL);
}

/* Only the import of a sketch accepts a total. */
static void put_commit(struct draw *draw, const struct transfer *transfer,
		       struct message *message)
{
	struct known_filter filter;

	memory_read(transfer->head, transfer->head_len, &filter);
	message_put(message, SEEN_A_FILTER_COMMIT, NULL, 0);
	if (draw_of(draw, filter.type, SKETCHES, 90))
		message_put_u64(message, SEEN_A_FILTER_TOTAL, pool_edge(draw));
}

static void import(struct draw *draw, const struct transfer *transfer,
		   struct message *message)
{
	if (!transfer->import || draw_chance(draw, 3)) {
		import_begin(draw, transfer, message);
		return;
	}
	message_put_u64(message, SEEN_A_FILTER_COOKIE, transfer->import);
	if (transfer->data_len) {
		message_put_u64(message, SEEN_A_FILTER_FROM, transfer->from);
		message_put(message, SEEN_A_FILTER_DATA, transfer->data,
			    transfer->data_len);
	} else if (attr_find(transfer->head, transfer->head_len,
			     SEEN_A_FILTER_TOP) && draw_chance(draw, 50)) {
		put_top_keys(draw, transfer, message);
	} else {
		put_commit(draw, transfer, message);
	}
}

void request_transfer(struct draw *draw, const struct memory *memory,
		      struct message *message)
{
	if (message->cmd == SEEN_CMD_FILTER_EXPORT)
		export(draw, memory, message);
	else
		import(draw, &memory->transfer, message);
}
