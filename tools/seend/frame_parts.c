// SPDX-License-Identifier: GPL-2.0
/* The content of a keyframe. */
#include <stdlib.h>
#include <string.h>

#include "frame.h"

/* Bytes that the parts grow by: more than any section has. */
#define GROW	(4 * MESSAGE_MOST)

/* Make room for @more bytes. */
static bool frame_grow(struct writer *to, size_t more)
{
	uint8_t *data;
	size_t room;

	if (to->room - to->used >= more)
		return true;
	if (__builtin_add_overflow(to->room, more + to->room / 2, &room))
		return false;
	data = realloc(to->data, room);
	if (!data)
		return false;
	to->data = data;
	to->room = room;
	return true;
}

/* Add the snapshot of a filter. */
static bool frame_snapshot(struct member *member, struct writer *to, size_t who, uint64_t name)
{
	uint8_t *bytes = NULL;
	size_t len;
	bool fits;

	if (member->store->ops->save(member->store, who, member_now(member), &bytes, &len)) {
		member_count(member, REASON_STORE, 1);
		return false;
	}
	fits = frame_grow(to, len + 2 * VARINT_MAX);
	if (fits) {
		put_varint(to, name);
		put_varint(to, len);
		put_bytes(to, bytes, len);
	}
	free(bytes);
	return fits;
}

static bool frame_snapshots(struct member *member, struct frame *frame, struct writer *to)
{
	const struct group *group = member->group;

	if (!group->each) {
		frame->parts = 1;
		return frame_snapshot(member, to, STORE_OWN, 0);
	}
	for (size_t i = 0; i < group->count; i++) {
		if (!group->peers[i].publishes)
			continue;
		frame->parts++;
		if (!frame_snapshot(member, to, i == group->self ? STORE_OWN : i, i + 1))
			return false;
	}
	return true;
}

/* Add a section of the keys that are collected. */
static bool frame_section(struct member *member, struct frame *frame, struct writer *to,
			  size_t publisher, size_t count)
{
	if (!count)
		return true;
	if (!frame_grow(to, GROW))
		return false;
	frame->parts++;
	put_varint(to, publisher);
	section_put(to, member->keys, keys_sort(member->keys, count, member->scratch),
		    member->group->window);
	return !to->full;
}

static bool frame_holder(struct member *member, struct frame *frame, struct writer *to,
			 size_t publisher)
{
	const struct holders *holders = &member->state->holders;
	uint64_t now = member_now(member);
	size_t count = 0;

	for (size_t i = 0; i < HOLDERS_ENTRIES; i++) {
		const struct holder *holder = &holders->entry[i];

		if (holder->who != HOLDER_FIRST + publisher)
			continue;
		member->keys[count++] = (struct seen_feed_record) {
			holder->hash, now > holder->when ? now - holder->when : 0, false,
		};
		if (count == OUT_KEYS) {
			if (!frame_section(member, frame, to, publisher, count))
				return false;
			count = 0;
		}
	}
	return frame_section(member, frame, to, publisher, count);
}

static bool frame_holders(struct member *member, struct frame *frame, struct writer *to)
{
	for (size_t i = 0; i < member->group->count; i++)
		if (member->group->peers[i].publishes && !frame_holder(member, frame, to, i))
			return false;
	return true;
}

bool frame_content(struct member *member, struct frame *frame, uint8_t **bytes, size_t *len)
{
	struct writer to = { NULL, 0, 0, false };
	bool done;

	frame->parts = 0;
	done = frame_grow(&to, GROW) && (member->group->deletes ?
					 frame_holders(member, frame, &to) :
					 frame_snapshots(member, frame, &to));
	if (!done) {
		free(to.data);
		return false;
	}
	*bytes = to.data;
	*len = to.used;
	return true;
}

/* @plain is where @from began. */
static bool frame_apply_snapshot(struct member *member, struct cursor *from, uint8_t *plain)
{
	const struct group *group = member->group;
	uint64_t name = get_varint(from), len = get_varint(from);
	const uint8_t *bytes = get_bytes(from, len);
	size_t who = STORE_OWN;

	if (!bytes || (group->each ? !name || name > group->count : name)) {
		member_count(member, REASON_FRAME_BYTES, 1);
		return false;
	}
	if (name && name - 1 == group->self)
		return true;
	if (name)
		who = name - 1;
	if (!member->store->ops->load(member->store, who, member_now(member),
				      plain + (bytes - plain), len))
		return true;
	member_count(member, REASON_STORE, 1);
	return false;
}

static bool frame_apply_section(struct member *member, const struct frame *frame,
				struct cursor *from)
{
	uint64_t publisher = get_varint(from);
	size_t count = section_get(from, member->keys, OUT_KEYS, member->group->window);
	uint64_t now = member_now(member);
	uint64_t passed = now > frame->node.time ? now - frame->node.time : 0;

	if (from->bad || publisher >= member->group->count) {
		member_count(member, REASON_FRAME_BYTES, 1);
		return false;
	}
	if (member->group->each && publisher == member->group->self)
		return true;
	for (size_t i = 0; i < count; i++)
		member->keys[i].age += passed;
	return holding_apply(member, publisher, count, frame->node.time);
}

bool frame_apply(struct member *member, const struct frame *frame, uint8_t *bytes, size_t len)
{
	struct cursor from = { bytes, len, false };

	member->reader.late = false;
	for (uint64_t i = 0; i < frame->parts && !member->reader.late; i++)
		if (!(member->group->deletes ? frame_apply_section(member, frame, &from) :
		      frame_apply_snapshot(member, &from, bytes)))
			return false;
	return !member->reader.late;
}
