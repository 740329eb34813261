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

/* The keys of all filters; false: a filter cannot be read. */
static bool frame_entries(struct member *member, uint64_t *entries)
{
	const struct group *group = member->group;
	struct store_info info;

	*entries = 0;
	for (size_t i = 0; i < group->count; i++) {
		size_t who = !group->each || i == group->self ? STORE_OWN : i;

		if (group->each ? !group->peers[i].publishes : i > 0)
			continue;
		if (member->store->ops->info(member->store, who, &info)) {
			member_count(member, REASON_STORE, 1);
			return false;
		}
		*entries += info.entries;
	}
	return true;
}

/* May a keyframe be due? A host that misses keys must not hand that on. */
static bool frame_is_possible(const struct member *member)
{
	const struct aggregator *aggregator = &member->aggregator;
	const struct chain *chain = &member->state->chain;

	return chain->current && !chain->gap &&
	       (!aggregator->frame_time ||
		member->mono - aggregator->frame_time >= LEAST_TIME);
}

static bool frame_is_due(const struct member *member, uint64_t entries)
{
	const struct aggregator *aggregator = &member->aggregator;

	if (!aggregator->frame_time)
		return entries;
	return member->mono - aggregator->frame_time >= FRAME_TIME ||
	       entries > aggregator->frame_entries + aggregator->frame_entries / 10 + 8;
}

size_t frame_sign(struct member *member, const struct frame *frame)
{
	struct writer to = { member->body, BODY_MOST, 0, false };
	struct message message = {
		.type = MESSAGE_FRAME,
		.epoch = member->aggregator.epoch,
		.sequence = frame->id,
		.time = member_now(member),
		.body = member->body,
	};

	frame_put(&to, frame);
	message.len = to.used;
	return message_write(member->group, &message, member->bytes);
}

static bool frame_send(struct member *member, const struct frame *frame, const uint8_t *packed)
{
	char name[FRAME_NAME];
	size_t len;

	for (uint64_t at = 0; at < frame->packed; at += FRAME_CHUNK) {
		len = frame->packed - at < FRAME_CHUNK ? frame->packed - at : FRAME_CHUNK;
		frame_chunk_name(name, frame, at / FRAME_CHUNK);
		if (!member_engine(member, member->engine->ops->put(member->engine, name,
								    packed + at, len, EXPIRE)))
			return false;
	}
	len = frame_sign(member, frame);
	return member_engine(member, member->engine->ops->put(member->engine, "frame",
							      member->bytes, len, EXPIRE));
}

/* Encrypt the compressed content in place; it has room for that. */
static void frame_seal(const struct group *group, struct frame *frame, uint8_t *packed)
{
	uint8_t *box = packed + crypto_secretbox_NONCEBYTES;

	if (!group->sealed)
		return;
	memmove(box, packed, frame->packed);
	randombytes_buf(packed, crypto_secretbox_NONCEBYTES);
	crypto_secretbox_easy(box, box, frame->packed, packed, group->seal);
	frame->packed += SEAL_LEN;
}

bool frame_pack(struct member *member, struct frame *frame, uint8_t **packed)
{
	uint8_t *plain = NULL;
	struct store_info info;
	size_t len, room;

	if (member->store->ops->info(member->store, STORE_OWN, &info) ||
	    !frame_entries(member, &frame->entries) ||
	    !frame_content(member, frame, &plain, &len))
		return false;
	frame->roster = member->group->roster;
	frame->capacity = info.capacity;
	frame->id = member_now(member);
	memcpy(frame->geometry, info.geometry, sizeof(frame->geometry));
	frame->plain = len;
	room = ZSTD_compressBound(len);
	*packed = malloc(room + SEAL_LEN);
	if (*packed)
		frame->packed = ZSTD_compress(*packed, room, plain, len, LEVEL);
	free(plain);
	if (!*packed || ZSTD_isError(frame->packed)) {
		free(*packed);
		return false;
	}
	frame_seal(member->group, frame, *packed);
	crypto_generichash(frame->hash, FRAME_HASH, *packed, frame->packed, NULL, 0);
	return true;
}

static void frame_make(struct member *member)
{
	const struct chain *chain = &member->state->chain;
	/* The place comes first: the filter then has at least what was applied up to it. */
	struct frame frame = { .node = *chain_at(chain), .leader = chain->leader };
	uint8_t *packed;

	if (!frame_pack(member, &frame, &packed))
		return;
	if (frame_send(member, &frame, packed)) {
		member->aggregator.frame_time = member->mono;
		member->aggregator.frame_entries = frame.entries;
	}
	free(packed);
}

void frame_tick(struct member *member)
{
	uint64_t entries;

	if (member->mono < member->aggregator.frame_next)
		return;
	member->aggregator.frame_next = member->mono + NS_PER_SEC;
	if (frame_is_possible(member) && frame_entries(member, &entries) &&
	    frame_is_due(member, entries))
		frame_make(member);
}
