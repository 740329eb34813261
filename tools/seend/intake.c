// SPDX-License-Identifier: GPL-2.0
/* Take new keys from the messages of publishers, within the quotas. */
#include "member.h"

/* A publisher can make the aggregator begin again at most so often, ns. */
#define RAISE_TIME	(60 * NS_PER_SEC)

static void intake_refuse(struct member *member, size_t peer, uint64_t first, uint64_t count,
			  enum reason reason)
{
	const struct message message = {
		.type = MESSAGE_PUBLISH, .peer = peer, .time = member_now(member),
	};
	struct out_head *out = &member->aggregator.out;

	member_refuse(member, reason, &message);
	out->refusal[out->refusals++] = (struct refusal) {
		member->group->peers[peer].id, first, count, reason,
	};
	member->aggregator.news = true;
}

/* Keep to the quotas of the publisher and of the group. */
static bool intake_allows(struct member *member, size_t peer, size_t count)
{
	const struct limits *limits = &member->group->limits;
	struct sender *sender = &member->aggregator.sender[peer];
	uint64_t now = member_now(member), share;

	share = member->group->capacity * limits->share / 100;
	/* Keys are charged to the share when they are forwarded. */
	return quota_take(&sender->share, share, member->group->window, share, 0, now) &&
	       quota_take(&sender->rate, limits->rate, NS_PER_SEC,
			  4 * limits->rate + PUBLISH_KEYS, count, now) &&
	       quota_take(&member->aggregator.quota, limits->group_rate, NS_PER_SEC,
			  4 * limits->group_rate + PUBLISH_KEYS, count, now);
}

/* The same key of two publishers is forwarded twice where their keys are kept apart. */
static struct dedup_mark intake_mark(const struct member *member, uint64_t hash, size_t peer,
				     bool deleted)
{
	return (struct dedup_mark) {
		.hash = hash,
		.who = group_sectioned(member->group) ? member->group->peers[peer].number : 0,
		.deleted = deleted,
	};
}

/*
 * Is this the first delete of a key that the publisher has in the group? Only that one gives the
 * publisher a part of its share back.
 */
static bool intake_frees(struct member *member, uint64_t hash, size_t peer, uint64_t when)
{
	struct dedup *dedup = member->aggregator.dedup;
	struct dedup_mark added = intake_mark(member, hash, peer, false);
	struct dedup_mark deleted = intake_mark(member, hash, peer, true);
	bool has = dedup_forget(dedup, added) ||
		holders_find(&member->state->holders, hash, HOLDER_PUBLISHER,
			     member->group->peers[peer].number);

	return has && dedup_pass(dedup, deleted, 0, when);
}

/* When a key was seen. A publisher that dates its messages ahead must not hide later sightings. */
static uint64_t intake_when(const struct member *member, const struct message *message,
			    const struct seen_feed_record *key)
{
	uint64_t when = message->time > key->age ? message->time - key->age : 0;
	uint64_t latest = member_now(member) + AHEAD_MOST;

	return when < latest ? when : latest;
}

static void intake_forward(struct member *member, const struct message *message, size_t count)
{
	struct aggregator *aggregator = &member->aggregator;
	struct quota *share = &aggregator->sender[message->peer].share;
	uint64_t life = member->group->window / 16;

	for (size_t i = 0; i < count; i++) {
		const struct seen_feed_record *key = &member->keys[i];
		struct dedup_mark mark = intake_mark(member, key->hash, message->peer, false);
		uint64_t when = intake_when(member, message, key);

		if (key->deleted && !member->group->deletes)
			continue;
		if (key->deleted) {
			quota_return(share, intake_frees(member, key->hash, message->peer, when));
		} else if (dedup_pass(aggregator->dedup, mark, life, when)) {
			mark.deleted = true;
			dedup_forget(aggregator->dedup, mark);
			quota_charge(share, 1);
		} else {
			aggregator->dropped++;
			continue;
		}
		aggregator->pending[aggregator->count++] = (struct pending) {
			key->hash, when,
			group_sectioned(member->group) ? message->peer : 0, key->deleted,
		};
	}
}

/* A publisher has read a higher epoch than this aggregator's. */
static void intake_raise(struct member *member, uint64_t epoch)
{
	struct aggregator *aggregator = &member->aggregator;

	if (epoch <= aggregator->epoch || epoch <= aggregator->highest ||
	    !member_epoch_may_be(member, epoch) || member->mono < aggregator->raise_next)
		return;
	aggregator->highest = epoch;
	aggregator->raise_next = member->mono + RAISE_TIME;
}

/* A message of a publisher: is it new, complete, and within the quotas? */
static enum reason intake_publish(struct member *member, const struct message *message)
{
	struct sender *sender = &member->aggregator.sender[message->peer];
	struct cursor body = { message->body, message->len, false };
	uint64_t now = member_now(member);
	size_t count;

	intake_raise(member, message->epoch);
	if (message->sequence <= sender->sequence)
		return REASON_REPLAY;
	if (sender->sequence && message->sequence > sender->sequence + 1)
		intake_refuse(member, message->peer, sender->sequence + 1,
			      message->sequence - sender->sequence - 1, REASON_MISSING);
	sender->sequence = message->sequence;
	if (message->time < now && now - message->time > KEEP_TIME) {
		intake_refuse(member, message->peer, message->sequence, 1, REASON_TIME);
		return REASON_NONE;
	}
	count = section_get(&body, member->keys, PUBLISH_KEYS, member->group->window);
	if (body.bad || body.left)
		return REASON_BODY;
	if (!intake_allows(member, message->peer, count)) {
		intake_refuse(member, message->peer, message->sequence, 1, REASON_QUOTA);
		return REASON_NONE;
	}
	intake_forward(member, message, count);
	return REASON_NONE;
}

bool intake_has_room(const struct aggregator *aggregator)
{
	return aggregator->count + PUBLISH_KEYS <= OUT_KEYS &&
	       aggregator->out.refusals + 2 <= REFUSALS_MAX;
}

bool intake_entry(void *context, struct engine_id id, const uint8_t *bytes, size_t len)
{
	struct member *member = context;
	struct aggregator *aggregator = &member->aggregator;
	struct message message;
	enum reason reason = message_read(member->group, bytes, len, member->plain, &message);

	if (!reason && message.type != MESSAGE_PUBLISH)
		reason = REASON_FORMAT;
	if (!reason)
		reason = intake_publish(member, &message);
	if (reason)
		member_refuse(member, reason, &message);
	else
		blame_end(member->blames, message.peer, true, member_now(member));
	/* Its sender must not take it for acknowledged. */
	aggregator->out.unlisted |= reason == REASON_SENDER;
	aggregator->position = id;
	aggregator->news = true;
	return intake_has_room(aggregator);
}
