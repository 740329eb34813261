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

/* Add the snapshot of the filter of a publisher. */
static bool frame_snapshot(struct member *member, struct writer *to, size_t who, size_t publisher)
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
		if (member->group->each)
			put_number(to, member->group->peers[publisher].number, 4);
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
		if (!frame_snapshot(member, to, i == group->self ? STORE_OWN : i, i))
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
	put_number(to, member->group->peers[publisher].number, 4);
	section_put(to, member->keys, keys_sort(member->keys, count, member->scratch),
		    member->group->window);
	return !to->full;
}

/* Copy the publishers that hold keys, sorted by their numbers; the caller frees them. */
static struct holder *frame_holders(const struct holders *holders, size_t *count)
{
	struct holder *sorted;

	*count = 0;
	sorted = malloc((holders_count(holders, HOLDER_PUBLISHER) + 1) * sizeof(*sorted));
	for (size_t i = 0; sorted && i < HOLDERS_ENTRIES; i++)
		if (holders->entry[i].kind == HOLDER_PUBLISHER)
			sorted[(*count)++] = holders->entry[i];
	holders_sort(sorted, *count);
	return sorted;
}

static bool frame_sections(struct member *member, struct frame *frame, struct writer *to)
{
	uint64_t now = member_now(member);
	struct holder *sorted;
	size_t count, keys = 0;
	bool fits = true;

	sorted = frame_holders(&member->state->holders, &count);
	for (size_t i = 0; sorted && i < count && fits; i++) {
		const struct holder *holder = &sorted[i];
		int publisher = group_numbered(member->group, holder->who);

		member->keys[keys++] = (struct seen_feed_record) {
			holder->hash, now > holder->when ? now - holder->when : 0, false,
		};
		if (keys < OUT_KEYS && i + 1 < count && holder[1].who == holder->who)
			continue;
		fits = publisher < 0 || frame_section(member, frame, to, publisher, keys);
		keys = 0;
	}
	free(sorted);
	return sorted && fits;
}

bool frame_content(struct member *member, struct frame *frame, uint8_t **bytes, size_t *len)
{
	struct writer to = { NULL, 0, 0, false };
	bool done;

	frame->parts = 0;
	done = frame_grow(&to, GROW) && (member->group->deletes ?
					 frame_sections(member, frame, &to) :
					 frame_snapshots(member, frame, &to));
	if (!done) {
		free(to.data);
		return false;
	}
	*bytes = to.data;
	*len = to.used;
	return true;
}

/* The publisher of the next part; PEERS_MAX if it is not in this host's list. */
static size_t frame_publisher(const struct group *group, struct cursor *from)
{
	int publisher = group_numbered(group, get_number(from, 4));

	return publisher < 0 || !group->peers[publisher].publishes ? PEERS_MAX : publisher;
}

/* Load a snapshot, unless it has more keys than this host accepts at once. */
static bool frame_load_snapshot(struct member *member, size_t who, uint8_t *bytes, size_t len)
{
	struct store *store = member->store;
	enum reason reason = REASON_NONE;
	struct store_info info;
	uint64_t entries;

	if (store->ops->info(store, who, &info) ||
	    store->ops->load(store, who, member_now(member), bytes, len, &entries))
		reason = REASON_STORE;
	else
		reason = frame_judge_keys(member->group, entries, &info);
	if (!reason && store->ops->merge(store, who))
		reason = REASON_STORE;
	store->ops->unload(store);
	member_count(member, reason, !!reason);
	return !reason;
}

/* @plain is where @from began. */
static bool frame_apply_snapshot(struct member *member, struct cursor *from, uint8_t *plain)
{
	const struct group *group = member->group;
	size_t who = group->each ? frame_publisher(group, from) : STORE_OWN;
	uint64_t len = get_varint(from);
	const uint8_t *bytes = get_bytes(from, len);

	if (!bytes) {
		member_count(member, REASON_FRAME_BYTES, 1);
		return false;
	}
	if (who == PEERS_MAX || (group->each && who == group->self))
		return true;
	return frame_load_snapshot(member, who, plain + (bytes - plain), len);
}

static bool frame_apply_section(struct member *member, const struct frame *frame,
				struct cursor *from)
{
	size_t publisher = frame_publisher(member->group, from);
	size_t count = section_get(from, member->keys, OUT_KEYS, member->group->window);
	uint64_t now = member_now(member);
	uint64_t passed = now > frame->id ? now - frame->id : 0;

	if (from->bad) {
		member_count(member, REASON_FRAME_BYTES, 1);
		return false;
	}
	if (publisher == PEERS_MAX || (member->group->each && publisher == member->group->self))
		return true;
	for (size_t i = 0; i < count; i++)
		member->keys[i].age += passed;
	return holding_apply(member, publisher, count);
}

static int frame_compare_hashes(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The hashes of all sections; their number, or more than HOLDERS_ENTRIES. */
static size_t frame_hashes(struct member *member, const struct frame *frame, struct cursor *from,
			   uint64_t *hashes)
{
	size_t total = 0;

	for (uint64_t i = 0; i < frame->parts && !from->bad; i++) {
		size_t count;

		get_number(from, 4);
		count = section_get(from, member->keys, OUT_KEYS, member->group->window);
		if (total + count > HOLDERS_ENTRIES)
			return total + count;
		for (size_t j = 0; j < count; j++)
			hashes[total++] = member->keys[j].hash;
	}
	return total;
}

/* May the keys of the sections be added? Several publishers may hold the same ones. */
static enum reason frame_judge_sections(struct member *member, const struct frame *frame,
					struct cursor from)
{
	uint64_t *hashes = malloc(HOLDERS_ENTRIES * sizeof(*hashes));
	enum reason reason = REASON_FRAME_FULL;
	struct store_info info;
	size_t total, keys = 0;

	if (!hashes || member->store->ops->info(member->store, STORE_OWN, &info)) {
		free(hashes);
		return REASON_STORE;
	}
	total = frame_hashes(member, frame, &from, hashes);
	if (from.bad) {
		reason = REASON_FRAME_BYTES;
	} else if (total <= HOLDERS_ENTRIES) {
		qsort(hashes, total, sizeof(*hashes), frame_compare_hashes);
		for (size_t i = 0; i < total; i++)
			keys += !i || hashes[i] != hashes[i - 1];
		reason = frame_judge_keys(member->group, keys, &info);
	}
	free(hashes);
	return reason;
}

static bool frame_apply_parts(struct member *member, const struct frame *frame, uint8_t *bytes,
			      size_t len)
{
	struct cursor from = { bytes, len, false };

	for (uint64_t i = 0; i < frame->parts && !member->reader.late; i++)
		if (!(member->group->deletes ? frame_apply_section(member, frame, &from) :
		      frame_apply_snapshot(member, &from, bytes)))
			return false;
	return !member->reader.late;
}

bool frame_apply(struct member *member, const struct frame *frame, uint8_t *bytes, size_t len)
{
	struct cursor from = { bytes, len, false };
	enum reason reason = REASON_NONE;

	member->reader.late = false;
	if (!member->group->deletes)
		return frame_apply_parts(member, frame, bytes, len);
	/* In mode "each" the keys are of several filters. */
	if (!member->group->each)
		reason = frame_judge_sections(member, frame, from);
	if (reason) {
		member_count(member, reason, 1);
		return false;
	}
	holding_frame_begin(member);
	member->reader.torn = !frame_apply_parts(member, frame, bytes, len) ||
		!holding_frame_end(member);
	return !member->reader.torn;
}
