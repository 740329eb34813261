// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: the messages of a fleet. An input as it is must be refused, because nobody has signed
 * it. Its bytes are then the body of a message that is signed: what is read from it must have
 * the same encoding again, and a flipped bit of the message must be noticed.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "../../selftests/fleet/tap.h"
#include "../seend/frame.h"

/* Bytes of a keyframe before its text, which begins with its length. */
#define FRAME_FIXED	(CHAIN_LEN + 2 * 16 + 4 + 10 * 8 + FRAME_HASH)

static uint8_t bytes[MESSAGE_MOST], scratch[BODY_MOST], again[MESSAGE_MOST];
static struct seen_feed_record keys[OUT_KEYS];
static struct out_head head;
static struct group group;

static void fleet_init(void)
{
	static bool done;

	if (done)
		return;
	if (sodium_init() < 0)
		abort();
	group_make(&group, 3, 3, 0);
	done = true;
}

/* A body may not be the only one for its keys, if something follows them. */
static void fleet_same(const struct writer *to, const uint8_t *data, const struct cursor *from)
{
	if (to->full || to->used != (size_t)(from->data - data) ||
	    memcmp(to->data, data, to->used))
		abort();
}

static void fleet_publish(const uint8_t *data, size_t size)
{
	struct cursor from = { data, size, false };
	struct writer to = { again, sizeof(again), 0, false };
	size_t count = section_get(&from, keys, PUBLISH_KEYS, group.window);

	if (from.bad && count)
		abort();
	if (from.bad)
		return;
	section_put(&to, keys, count, group.window);
	fleet_same(&to, data, &from);
}

static void fleet_out(const uint8_t *data, size_t size)
{
	struct cursor from = { data, size, false };
	struct writer to = { again, sizeof(again), 0, false };

	out_head_get(&from, &head);
	if (head.refusals > REFUSALS_MAX)
		abort();
	if (from.bad)
		return;
	out_head_put(&to, &head);
	fleet_same(&to, data, &from);
	for (uint64_t i = 0; i < head.sections && !from.bad; i++) {
		const uint8_t *begin = from.data;
		struct cursor number = { begin, 4, false };
		size_t publisher, count = out_section(&group, &from, &publisher, keys, OUT_KEYS);

		if (publisher >= group.count &&
		    (publisher != PEERS_MAX || !group_sectioned(&group)))
			abort();
		if (from.bad)
			break;
		to.used = 0;
		if (group_sectioned(&group))
			put_number(&to, get_number(&number, 4), 4);
		section_put(&to, keys, count, group.window);
		fleet_same(&to, begin, &from);
	}
}

static void fleet_frame(const uint8_t *data, size_t size)
{
	struct cursor from = { data, size, false };
	struct writer to = { again, sizeof(again), 0, false };
	struct frame frame;

	frame_get(&from, &frame);
	if (from.bad)
		return;
	if (strlen(frame.geometry) >= sizeof(frame.geometry))
		abort();
	/* A text with a NUL in it is written shorter. */
	if (strlen(frame.geometry) == data[FRAME_FIXED]) {
		frame_put(&to, &frame);
		fleet_same(&to, data, &from);
	}
}

static void fleet_signed(const uint8_t *data, size_t size, uint8_t flags)
{
	struct message message = { .type = 1 + flags % 4, .body = data, .len = size }, got;
	size_t len;

	group.sealed = flags & 4;
	len = message_write(&group, &message, bytes);
	if (message_read(&group, bytes, len, scratch, &got) || got.len != size ||
	    (size && memcmp(got.body, data, size)))
		abort();
	if (got.type == MESSAGE_PUBLISH)
		fleet_publish(got.body, got.len);
	else if (got.type == MESSAGE_FRAME)
		fleet_frame(got.body, got.len);
	else
		fleet_out(got.body, got.len);
	bytes[(flags * 7919 + size * 31) % len] ^= 1 << (flags >> 5);
	if (!message_read(&group, bytes, len, scratch, &got))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct message got;

	fleet_init();
	if (!message_read(&group, data, size, scratch, &got))
		abort();
	if (!size)
		return 0;
	group.window = data[0] & 8 ? NS_PER_SEC : 0;
	group.deletes = data[0] & 16;
	fleet_signed(data + 1, size - 1, data[0]);
	return 0;
}
