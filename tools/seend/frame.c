// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "frame.h"

/* A keyframe of which more than this part of the capacity is used is refused, percent. */
#define FULL_MOST	95
/* A filter with less than this part of its capacity is as good as empty. */
#define EMPTY_PART	100

void frame_put(struct writer *to, const struct frame *frame)
{
	size_t len = strlen(frame->geometry);

	put_bytes(to, frame->node.head, CHAIN_LEN);
	put_number(to, frame->node.epoch, 8);
	put_number(to, frame->node.sequence, 8);
	put_number(to, frame->node.time, 8);
	engine_id_put(to, frame->node.id);
	engine_id_put(to, frame->node.covers);
	put_number(to, frame->leader, 8);
	put_number(to, frame->roster, 4);
	put_number(to, frame->capacity, 8);
	put_number(to, frame->entries, 8);
	put_number(to, frame->id, 8);
	put_number(to, frame->parts, 8);
	put_number(to, frame->plain, 8);
	put_number(to, frame->packed, 8);
	put_bytes(to, frame->hash, FRAME_HASH);
	put_number(to, len, 1);
	put_bytes(to, frame->geometry, len);
}

static void frame_copy(struct cursor *from, void *to, size_t len)
{
	const uint8_t *bytes = get_bytes(from, len);

	if (bytes)
		memcpy(to, bytes, len);
}

void frame_get(struct cursor *from, struct frame *frame)
{
	memset(frame, 0, sizeof(*frame));
	frame_copy(from, frame->node.head, CHAIN_LEN);
	frame->node.epoch = get_number(from, 8);
	frame->node.sequence = get_number(from, 8);
	frame->node.time = get_number(from, 8);
	frame->node.id = engine_id_get(from);
	frame->node.covers = engine_id_get(from);
	frame->leader = get_number(from, 8);
	frame->roster = get_number(from, 4);
	frame->capacity = get_number(from, 8);
	frame->entries = get_number(from, 8);
	frame->id = get_number(from, 8);
	frame->parts = get_number(from, 8);
	frame->plain = get_number(from, 8);
	frame->packed = get_number(from, 8);
	frame_copy(from, frame->hash, FRAME_HASH);
	/* One byte, so that the text fits with its NUL. */
	frame_copy(from, frame->geometry, get_number(from, 1));
	if (from->left)
		from->bad = true;
}

void frame_chunk_name(char name[FRAME_NAME], const struct frame *frame, uint64_t chunk)
{
	snprintf(name, FRAME_NAME, "frame:%" PRIx64 ":%" PRIu64, frame->id, chunk);
}

enum reason frame_judge(const struct group *group, const struct frame *frame,
			const struct store_info *info)
{
	if (!group->deletes && strcmp(frame->geometry, info->geometry))
		return REASON_FRAME_GEOMETRY;
	if (group_sectioned(group) && frame->roster != group->roster)
		return REASON_ROSTER;
	/* The keys are counted when they are there; this saves the way. */
	return group->each ? REASON_NONE : frame_judge_keys(group, frame->entries, info);
}

enum reason frame_judge_keys(const struct group *group, uint64_t entries,
			     const struct store_info *info)
{
	uint64_t more = entries > info->entries ? entries - info->entries : 0;

	if (group->force)
		return REASON_NONE;
	if (entries > info->capacity * FULL_MOST / 100)
		return REASON_FRAME_FULL;
	/* A new host may have stored a few keys of its own before. */
	if (info->entries * EMPTY_PART >= info->capacity &&
	    more > info->capacity * group->limits.growth / 100)
		return REASON_FRAME_GROWTH;
	return REASON_NONE;
}
