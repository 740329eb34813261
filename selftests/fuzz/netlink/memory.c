// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "memory.h"

uint32_t memory_pick(const struct memory *memory, struct draw *draw, bool own,
		     uint32_t types)
{
	uint32_t first = own ? NAMES : 0, count = own ? OWN : NAMES;
	uint32_t number = draw_below(draw, count), i;

	for (i = 0; i < count; i++, number = (number + 1) % count)
		if (types & 1u << memory->filters[first + number].type)
			break;
	return first + number;
}

void memory_name(const struct memory *memory, uint32_t number, char *name)
{
	if (number < NAMES)
		sprintf(name, "f%u", number);
	else
		own_name(memory->owner, number - NAMES, name);
}

/* The number of the filter with this name, or -1. */
static int number_of(const struct memory *memory, const char *name)
{
	int number = own_number(memory->owner, name), len = 0;

	if (number >= 0)
		return NAMES + number;
	if (sscanf(name, "f%d%n", &number, &len) != 1 || name[len] ||
	    number >= NAMES)
		return -1;
	return number;
}

/* Bytes of a field in a key; for a payload, of its length. */
static const uint8_t bytes[SEEN_FIELD_MAX + 1] = {
	0, 6, 6, 2, 2, 16, 16, 1, 1, 1, 4, 2, 2, 2, 4, 4, 4, 4, 0, 4,
};

/* The offset of the prefix length in a key. */
static uint32_t prefix_of(const struct nlattr *key)
{
	const struct nlattr *field;
	uint32_t at = 0, sum = 0, id;

	while (key && (field = attr_next(attr_data(key), attr_len(key), &at))) {
		id = attr_u32(attr_find(attr_data(field), attr_len(field),
					SEEN_A_FIELD_ID));
		sum += id <= SEEN_FIELD_MAX ? bytes[id] : 0;
		if ((id == SEEN_FIELD_SRC || id == SEEN_FIELD_DST) &&
		    attr_u32(attr_find(attr_data(field), attr_len(field),
				       SEEN_A_FIELD_PARAM)) == SEEN_PREFIX_ANY)
			return sum + 1;
	}
	return 0;
}

/* Bytes of a key before its payload, with the payload's length. */
static uint32_t head_of(const struct nlattr *key)
{
	const struct nlattr *field;
	bool payload = false;
	uint32_t at = 0, sum = 0, id;

	while (key && (field = attr_next(attr_data(key), attr_len(key), &at))) {
		id = attr_u32(attr_find(attr_data(field), attr_len(field),
					SEEN_A_FIELD_ID));
		payload |= id == SEEN_FIELD_PAYLOAD;
		sum += id <= SEEN_FIELD_MAX ? bytes[id] : 0;
	}
	return payload ? sum : 0;
}

void memory_read(const uint8_t *attrs, uint32_t len,
		 struct known_filter *filter)
{
	const struct nlattr *first = attr_find(attrs, len,
					       SEEN_A_FILTER_FIRST);

	memset(filter, 0, sizeof(*filter));
	filter->type = attr_u32(attr_find(attrs, len, SEEN_A_FILTER_TYPE));
	filter->key_len = attr_u32(attr_find(attrs, len,
					     SEEN_A_FILTER_KEY_LEN));
	filter->prefix = prefix_of(attr_find(attrs, len, SEEN_A_FILTER_KEY));
	filter->head = head_of(attr_find(attrs, len, SEEN_A_FILTER_KEY));
	if (first && attr_len(first) <= sizeof(filter->first))
		memcpy(filter->first, attr_data(first), attr_len(first));
}

static void learn_filter(struct memory *memory, const uint8_t *attrs,
			 uint32_t len)
{
	const struct nlattr *name = attr_find(attrs, len, SEEN_A_FILTER_NAME);
	int number;

	number = name ? number_of(memory, (const char *)attr_data(name)) : -1;
	if (number < 0)
		return;
	memory_read(attrs, len, &memory->filters[number]);
	if (number < NAMES)
		memory->filters[number].id =
			attr_u32(attr_find(attrs, len, SEEN_A_FILTER_ID));
}

uint32_t memory_id(const struct memory *memory, const char *name)
{
	int number = number_of(memory, name);

	return number < 0 ? 0 : memory->filters[number].id;
}

bool memory_knows(const struct memory *memory, uint32_t id)
{
	uint32_t number;

	for (number = 0; number < NAMES; number++)
		if (id && memory->filters[number].id == id)
			return true;
	return false;
}

static void learn_guard(struct memory *memory, const uint8_t *attrs,
			uint32_t len)
{
	const struct nlattr *dev = attr_find(attrs, len, SEEN_A_GUARD_DEV);
	struct known_guard *guard = &memory->guards[memory->next_guard];

	if (!dev)
		return;
	guard->id = attr_u32(attr_find(attrs, len, SEEN_A_GUARD_ID));
	guard->kind = attr_u32(attr_find(attrs, len, SEEN_A_GUARD_KIND));
	guard->hook = attr_u32(attr_find(attrs, len, SEEN_A_GUARD_HOOK));
	snprintf(guard->dev, sizeof(guard->dev), "%s",
		 (const char *)attr_data(dev));
	memory->next_guard = (memory->next_guard + 1) % GUARDS;
}

static void learn_chunk(struct transfer *transfer, const struct nlattr *data,
			const uint8_t *attrs, uint32_t len)
{
	if (attr_len(data) > sizeof(transfer->data))
		return;
	memcpy(transfer->data, attr_data(data), attr_len(data));
	transfer->data_len = attr_len(data);
	transfer->from = transfer->next;
	transfer->next = attr_u64(attr_find(attrs, len, SEEN_A_FILTER_NEXT));
	transfer->age = attr_u64(attr_find(attrs, len, SEEN_A_FILTER_AGE));
	transfer->begun = true;
}

static void learn_export(struct transfer *transfer, const uint8_t *attrs,
			 uint32_t len)
{
	const struct nlattr *data = attr_find(attrs, len, SEEN_A_FILTER_DATA);
	const struct nlattr *name = attr_find(attrs, len, SEEN_A_FILTER_NAME);

	if (data) {
		learn_chunk(transfer, data, attrs, len);
		return;
	}
	if (!name || len > HEAD_MAX)
		return;
	memcpy(transfer->head, attrs, len);
	transfer->head_len = len;
	snprintf(transfer->name, sizeof(transfer->name), "%s",
		 (const char *)attr_data(name));
	transfer->cookie = attr_u64(attr_find(attrs, len,
					      SEEN_A_FILTER_COOKIE));
	transfer->next = 0;
	transfer->begun = false;
	transfer->data_len = 0;
}

void memory_hear(struct memory *memory, const struct reply *reply)
{
	const uint8_t *attrs = reply->attrs;
	uint32_t len = reply->len;

	switch (reply->cmd) {
	case SEEN_CMD_FILTER_GET:
	case SEEN_CMD_FILTER_FOLD:
	case SEEN_CMD_FILTER_MERGE:
		learn_filter(memory, attrs, len);
		break;
	case SEEN_CMD_GUARD_GET:
		learn_guard(memory, attrs, len);
		break;
	case SEEN_CMD_FILTER_EXPORT:
		learn_export(&memory->transfer, attrs, len);
		break;
	case SEEN_CMD_FILTER_IMPORT:
		memory->transfer.import =
			attr_u64(attr_find(attrs, len, SEEN_A_FILTER_COOKIE));
		break;
	}
}

/* A refusal ends an import, and so does a commit. */
void memory_done(struct memory *memory, const struct message *message, int err)
{
	struct transfer *transfer = &memory->transfer;

	if (message->cmd == SEEN_CMD_FILTER_EXPORT && err) {
		transfer->head_len = 0;
		return;
	}
	if (message->cmd != SEEN_CMD_FILTER_IMPORT)
		return;
	if (err || attr_find(message->attrs, message->len,
			     SEEN_A_FILTER_COMMIT))
		transfer->import = 0;
	if (err)
		transfer->head_len = 0;
	transfer->data_len = 0;
}
