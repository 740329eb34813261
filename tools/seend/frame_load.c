// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "frame.h"

/* Bytes of a keyframe beyond the tables of the filters. */
#define SLACK		0x4000000

/* Count why a keyframe is not loaded; the reader goes on without it. */
static bool frame_refuse(struct member *member, enum reason reason)
{
	member_count(member, reason, 1);
	return true;
}

/* Read and verify the head; *@found: there is one that may be loaded. */
static bool frame_head(struct member *member, struct frame *frame, bool *found)
{
	size_t len = MESSAGE_MOST;
	struct message message;
	struct cursor body;
	uint64_t now = member_now(member);
	enum reason reason;
	int err = member->engine->ops->get(member->engine, "frame", member->bytes, &len);

	*found = false;
	if (err == -ENOENT)
		return true;
	if (err == -EMSGSIZE)
		return frame_refuse(member, REASON_SIZE);
	if (!member_engine(member, err))
		return false;
	reason = message_read(member->group, member->bytes, len, member->plain, &message);
	if (reason || message.type != MESSAGE_FRAME)
		return frame_refuse(member, reason ? reason : REASON_FORMAT);
	if (message.time < now && now - message.time > FRAME_AGE_MOST)
		return frame_refuse(member, REASON_FRAME_AGE);
	body = (struct cursor) { message.body, message.len, false };
	frame_get(&body, frame);
	if (body.bad)
		return frame_refuse(member, REASON_BODY);
	*found = true;
	return true;
}

/* The sizes are signed, but an aggregator may not fill this host's memory either. */
uint64_t frame_limit(const struct member *member, const struct store_info *info)
{
	uint64_t filters = member->group->each ? member->group->count : 1, most;

	if (__builtin_mul_overflow(2 * filters, info->bytes, &most) || most > UINT64_MAX / 4)
		return SLACK;
	return most + SLACK;
}

static bool frame_fits(const struct member *member, const struct frame *frame,
		       const struct store_info *info)
{
	uint64_t most = frame_limit(member, info);

	return frame->plain <= most && frame->packed <= most;
}

/* Read the compressed content; *@packed: NULL if it is damaged. */
static bool frame_fetch(struct member *member, const struct frame *frame, uint8_t **packed)
{
	uint8_t hash[FRAME_HASH];
	char name[FRAME_NAME];
	int err = 0;

	*packed = malloc(frame->packed + 1);
	for (uint64_t at = 0; *packed && at < frame->packed; at += FRAME_CHUNK) {
		size_t want = frame->packed - at < FRAME_CHUNK ? frame->packed - at : FRAME_CHUNK;
		size_t len = want;

		frame_chunk_name(name, frame, at / FRAME_CHUNK);
		err = member->engine->ops->get(member->engine, name, *packed + at, &len);
		if (err || len != want)
			goto damaged;
	}
	if (!*packed)
		return true;
	crypto_generichash(hash, FRAME_HASH, *packed, frame->packed, NULL, 0);
	if (!memcmp(hash, frame->hash, FRAME_HASH))
		return true;
damaged:
	free(*packed);
	*packed = NULL;
	if (!err || err == -ENOENT || err == -EMSGSIZE)
		return frame_refuse(member, REASON_FRAME_BYTES);
	return member_engine(member, err);
}

/* Decrypt the compressed content in place, if the group is sealed. */
static bool frame_unseal(const struct group *group, uint8_t **packed, size_t *len)
{
	uint8_t *box = *packed + crypto_secretbox_NONCEBYTES;

	if (!group->sealed)
		return true;
	if (*len < SEAL_LEN ||
	    crypto_secretbox_open_easy(box, box, *len - crypto_secretbox_NONCEBYTES, *packed,
				       group->seal))
		return false;
	*packed = box;
	*len -= SEAL_LEN;
	return true;
}

bool frame_unpack(struct member *member, const struct frame *frame, uint8_t *packed)
{
	uint8_t *plain = malloc(frame->plain + 1);
	size_t len = frame->packed;
	bool done = false;

	if (!frame_unseal(member->group, &packed, &len))
		member_count(member, REASON_SEAL, 1);
	else if (plain && ZSTD_decompress(plain, frame->plain, packed, len) == frame->plain)
		done = frame_apply(member, frame, plain, frame->plain);
	else
		member_count(member, REASON_FRAME_BYTES, 1);
	free(plain);
	return done;
}

/* The filter has what the keyframe has: stand there, unless this host stands behind it. */
static void frame_stand(struct member *member, const struct frame *frame)
{
	struct chain *chain = &member->state->chain;
	uint64_t node = chain_find(chain, frame->node.head);

	member->reader.frame = frame->id;
	/* Deletes behind the keyframe must be read again, because it has undone them. */
	if (node && node >= chain->gap && !member->group->deletes) {
		chain->gap = 0;
		return;
	}
	chain_jump(chain, &frame->node, frame->leader);
}

bool frame_load(struct member *member)
{
	struct store_info info;
	struct frame frame;
	enum reason reason;
	uint8_t *packed;
	bool found;

	if (!frame_head(member, &frame, &found))
		return false;
	if (!found || frame.id == member->reader.frame)
		return true;
	if (member->store->ops->info(member->store, STORE_OWN, &info)) {
		member_count(member, REASON_STORE, 1);
		return false;
	}
	reason = frame_judge(member->group, &frame, &info);
	if (!reason && !frame_fits(member, &frame, &info))
		reason = REASON_SIZE;
	if (reason)
		return frame_refuse(member, reason);
	if (!frame_fetch(member, &frame, &packed))
		return false;
	if (packed && frame_unpack(member, &frame, packed))
		frame_stand(member, &frame);
	free(packed);
	return true;
}
