// SPDX-License-Identifier: GPL-2.0
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "frame.h"

/* Values of a keyframe expire after this time, ms. */
#define EXPIRE		1800000
/* Keyframes are at least so far apart, ns. */
#define LEAST_TIME	(10 * NS_PER_SEC)
#define LEVEL		3

static bool frame_is_due(const struct member *member, const struct store_info *info)
{
	const struct aggregator *aggregator = &member->aggregator;
	uint64_t passed = member->mono - aggregator->frame_time;

	/* A host that misses keys must not hand that on. */
	if (!member->state->chain.current || member->state->chain.gap)
		return false;
	if (!aggregator->frame_time)
		return info->entries;
	return passed >= FRAME_TIME ||
	       (passed >= LEAST_TIME &&
		info->entries > aggregator->frame_entries + aggregator->frame_entries / 10 + 8);
}

static bool frame_send(struct member *member, struct frame *frame, const uint8_t *packed)
{
	struct writer to = { member->body, BODY_MOST, 0, false };
	struct message message = { .type = MESSAGE_FRAME, .epoch = member->aggregator.epoch };
	char name[FRAME_NAME];
	size_t len;

	for (uint64_t at = 0; at < frame->packed; at += FRAME_CHUNK) {
		len = frame->packed - at < FRAME_CHUNK ? frame->packed - at : FRAME_CHUNK;
		frame_chunk_name(name, frame, at / FRAME_CHUNK);
		if (!member_engine(member, member->engine->ops->put(member->engine, name,
								    packed + at, len, EXPIRE)))
			return false;
	}
	crypto_generichash(frame->hash, FRAME_HASH, packed, frame->packed, NULL, 0);
	frame_put(&to, frame);
	message.time = member_now(member);
	message.sequence = frame->id;
	message.body = member->body;
	message.len = to.used;
	len = message_write(member->group, &message, member->bytes);
	return member_engine(member, member->engine->ops->put(member->engine, "frame",
							      member->bytes, len, EXPIRE));
}

static void frame_make(struct member *member, const struct store_info *info)
{
	const struct chain *chain = &member->state->chain;
	/* The place comes first: the filter then has at least what was applied up to it. */
	struct frame frame = {
		.node = *chain_at(chain),
		.leader = chain->leader,
		.roster = member->group->roster,
		.capacity = info->capacity,
		.entries = info->entries,
		.id = member_now(member),
	};
	uint8_t *plain = NULL, *packed;
	size_t len;

	memcpy(frame.geometry, info->geometry, sizeof(frame.geometry));
	if (!frame_content(member, &frame, &plain, &len))
		return;
	packed = malloc(ZSTD_compressBound(len));
	frame.plain = len;
	frame.packed = packed ? ZSTD_compress(packed, ZSTD_compressBound(len), plain, len, LEVEL) :
		0;
	free(plain);
	if (packed && !ZSTD_isError(frame.packed) && frame_send(member, &frame, packed)) {
		member->aggregator.frame_time = member->mono;
		member->aggregator.frame_entries = info->entries;
	}
	free(packed);
}

void frame_tick(struct member *member)
{
	struct store_info info;

	if (member->mono < member->aggregator.frame_next)
		return;
	member->aggregator.frame_next = member->mono + NS_PER_SEC;
	if (member->store->ops->info(member->store, STORE_OWN, &info)) {
		member_count(member, REASON_STORE, 1);
		return;
	}
	if (frame_is_due(member, &info))
		frame_make(member, &info);
}
