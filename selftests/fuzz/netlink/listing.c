// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "listing.h"
#include "numbers.h"
#include "talk.h"

/* Little, so that a dump goes on in several messages. */
#define DUMP_BYTES	4096

uint64_t item_u64(const struct item *item, uint16_t type)
{
	return attr_u64(attr_find(item->attrs, item->len, type));
}

uint32_t item_u32(const struct item *item, uint16_t type)
{
	return attr_u32(attr_find(item->attrs, item->len, type));
}

bool item_flag(const struct item *item, uint16_t type)
{
	return attr_find(item->attrs, item->len, type);
}

const char *item_text(const struct item *item, uint16_t type)
{
	const struct nlattr *attr = attr_find(item->attrs, item->len, type);

	return attr ? (const char *)attr_data(attr) : "";
}

const char *listing_name(uint8_t cmd, const struct item *item)
{
	return item_text(item, cmd == SEEN_CMD_FILTER_GET ?
			       SEEN_A_FILTER_NAME : SEEN_A_GUARD_DEV);
}

/* Ports are counted; all else is kept. */
static void add_attrs(struct item *item, bool guard, const uint8_t *attrs,
		      uint32_t len)
{
	const struct nlattr *attr;
	uint32_t at = 0, size;

	while ((attr = attr_next(attrs, len, &at))) {
		if (guard && attr_type(attr) == SEEN_A_GUARD_PORT) {
			item->ports++;
			continue;
		}
		size = NLA_ALIGN(attr->nla_len);
		if (item->len + size > ITEM_MAX)
			fatal("an object is told at too great a length");
		memcpy(item->attrs + item->len, attr, size);
		item->len += size;
	}
}

static bool same_guard(const struct item *a, const struct item *b)
{
	return !strcmp(item_text(a, SEEN_A_GUARD_DEV),
		       item_text(b, SEEN_A_GUARD_DEV)) &&
	       item_u32(a, SEEN_A_GUARD_KIND) ==
	       item_u32(b, SEEN_A_GUARD_KIND) &&
	       item_u32(a, SEEN_A_GUARD_HOOK) ==
	       item_u32(b, SEEN_A_GUARD_HOOK);
}

static void hear(void *context, const struct reply *reply)
{
	bool guard = reply->cmd == SEEN_CMD_GUARD_GET;
	struct listing *listing = context;
	struct item *item;

	if (listing->count == LISTED)
		fatal("too many objects in a listing");
	listing->interrupted |= reply->flags & NLM_F_DUMP_INTR;
	item = &listing->items[listing->count];
	item->len = 0;
	item->ports = 0;
	add_attrs(item, guard, reply->attrs, reply->len);
	/* A guard of many ports is told in several messages. */
	if (guard && listing->count && same_guard(item - 1, item))
		(item - 1)->ports += item->ports;
	else
		listing->count++;
}

static struct message *request(uint8_t cmd, uint16_t flags)
{
	static struct message message;

	message.cmd = cmd;
	message.version = SEEN_FAMILY_VERSION;
	message.flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	message.len = 0;
	return &message;
}

void listing_read(int fd, uint16_t family, uint8_t cmd,
		  struct listing *listing)
{
	listing->count = 0;
	listing->interrupted = false;
	talk_receive(DUMP_BYTES);
	if (talk_ask(fd, family, request(cmd, NLM_F_DUMP), hear, listing).err)
		fatal("a dump failed");
	talk_receive(RECEIVE_BYTES);
}

void listing_put_id(struct message *message, uint8_t cmd,
		    const struct item *item)
{
	if (cmd == SEEN_CMD_FILTER_GET) {
		message_put_text(message, SEEN_A_FILTER_NAME,
				 listing_name(cmd, item));
		return;
	}
	message_put_u32(message, SEEN_A_GUARD_KIND,
			item_u32(item, SEEN_A_GUARD_KIND));
	message_put_u32(message, SEEN_A_GUARD_HOOK,
			item_u32(item, SEEN_A_GUARD_HOOK));
	message_put_text(message, SEEN_A_GUARD_DEV, listing_name(cmd, item));
}

int listing_get(int fd, uint16_t family, uint8_t cmd, const struct item *like,
		struct item *item)
{
	struct message *message = request(cmd, 0);
	static struct listing one;
	int err;

	one.count = 0;
	listing_put_id(message, cmd, like);
	err = talk_ask(fd, family, message, hear, &one).err;
	if (!err && one.count != 1)
		fatal("a request for one object was not answered by one");
	*item = one.items[0];
	return err;
}

bool listing_has(const struct listing *listing, uint8_t cmd, const char *name)
{
	uint32_t i;

	for (i = 0; i < listing->count; i++)
		if (!strcmp(listing_name(cmd, &listing->items[i]), name))
			return true;
	return false;
}
