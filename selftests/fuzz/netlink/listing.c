// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "listing.h"
#include "numbers.h"
#include "talk.h"

/* A small buffer, so that a dump needs several messages. */
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

const struct nlattr *item_nested(const struct item *item, uint16_t nest, uint16_t type)
{
	const struct nlattr *outer = attr_find(item->attrs, item->len, nest);

	return outer ? attr_find(attr_data(outer), attr_len(outer), type) : NULL;
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

static void hear(void *context, const struct reply *reply)
{
	struct listing *listing = context;
	struct item *item;

	if (listing->count == LISTED)
		fatal("too many objects in a listing");
	if (reply->len > ITEM_MAX)
		fatal("an object in a listing is too long");
	listing->interrupted |= reply->flags & NLM_F_DUMP_INTR;
	item = &listing->items[listing->count++];
	memcpy(item->attrs, reply->attrs, reply->len);
	item->len = reply->len;
	item->ports = 0;
}

static void hear_port(void *context, const struct reply *reply)
{
	uint32_t id = attr_u32(attr_find(reply->attrs, reply->len,
					 SEEN_A_PORT_GUARD_ID)), i;
	struct listing *listing = context;

	listing->interrupted |= reply->flags & NLM_F_DUMP_INTR;
	for (i = 0; i < listing->count; i++)
		listing->items[i].ports +=
			item_u32(&listing->items[i], SEEN_A_GUARD_ID) == id;
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
	if (talk_ask(fd, family, request(cmd, NLM_F_DUMP), hear, listing).err ||
	    (cmd == SEEN_CMD_GUARD_GET &&
	     talk_ask(fd, family, request(SEEN_CMD_PORT_GET, NLM_F_DUMP),
		      hear_port, listing).err))
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

/* Reads the ports of the only guard in the listing. */
static void read_ports(int fd, uint16_t family, struct listing *one)
{
	struct message *message = request(SEEN_CMD_PORT_GET, NLM_F_DUMP);

	message_put_u32(message, SEEN_A_PORT_GUARD_ID,
			item_u32(&one->items[0], SEEN_A_GUARD_ID));
	if (talk_ask(fd, family, message, hear_port, one).err)
		fatal("the ports of a guard cannot be read");
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
	if (!err && cmd == SEEN_CMD_GUARD_GET)
		read_ports(fd, family, &one);
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
