// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "frame.h"
#include "member.h"

/* An aggregator that has not read its own newest messages for so long gives up, ns. */
#define START_TIME	(10 * NS_PER_SEC)
/* Entries of "in" that are read at a time, and those that a new aggregator reads back. */
#define READ_MOST	256
#define SCAN_MOST	1024
#define SCAN_ALL	1000000
/* A publisher can make the aggregator begin again at most so often, ns. */
#define RAISE_TIME	(60 * NS_PER_SEC)

void aggregator_stop(struct member *member)
{
	member->aggregator.stage = AGGREGATOR_IDLE;
	member->aggregator.next = member->mono + LOCK_TIME / 3;
}

/* The epoch is above each one that was stored or read, and ascends with the engine's clock. */
static uint64_t aggregator_epoch(const struct member *member)
{
	const struct aggregator *aggregator = &member->aggregator;
	uint64_t epoch = member_now(member) / 1000000;

	epoch = epoch > member->state->chain.epoch ? epoch : member->state->chain.epoch + 1;
	epoch = epoch > aggregator->epoch ? epoch : aggregator->epoch + 1;
	return epoch > aggregator->highest ? epoch : aggregator->highest + 1;
}

/* Sign and append a message; NULL of @id is not allowed. */
static size_t aggregator_append(struct member *member, struct message *message,
				struct engine_id *id)
{
	size_t len;

	message->epoch = member->aggregator.epoch;
	message->time = member_now(member);
	len = message_write(member->group, message, member->bytes);
	if (!member_engine(member, member->engine->ops->append(member->engine, STREAM_OUT,
							       member->bytes, len, id)))
		return 0;
	return len;
}

static void aggregator_start(struct member *member)
{
	struct aggregator *aggregator = &member->aggregator;
	struct message message = { .type = MESSAGE_START };
	size_t len = aggregator_append(member, &message, &aggregator->start_id);

	if (!len)
		return;
	memcpy(aggregator->start, member->bytes, len);
	aggregator->start_len = len;
	aggregator->deadline = member->mono + START_TIME;
	aggregator->stage = AGGREGATOR_START;
}

/* A START may trim entries that this host has not read yet. */
static bool aggregator_caught_up(struct member *member)
{
	struct engine_id last;

	return member_engine(member, member->engine->ops->last(member->engine, STREAM_OUT,
							       &last)) &&
	       engine_id_compare(last, member->state->chain.position) <= 0;
}

static void aggregator_try(struct member *member)
{
	struct aggregator *aggregator = &member->aggregator;
	bool held;

	if (member->mono < aggregator->next || !member->reader.caught_up)
		return;
	aggregator->next = member->mono + LOCK_TIME / 3;
	/* A host whose replica is late must not keep the lock from the others. */
	if (member->engine->split && !aggregator_caught_up(member))
		return;
	aggregator->epoch = aggregator_epoch(member);
	snprintf(aggregator->lock, sizeof(aggregator->lock), "%016" PRIx64 ":%" PRIu64,
		 group_me(member->group)->id, aggregator->epoch);
	if (member_engine(member, member->engine->ops->lock(member->engine, aggregator->lock,
							    LOCK_TIME / 1000000, false, &held)) &&
	    held && aggregator_caught_up(member))
		aggregator_start(member);
}

/* Renew the lock; false: another host has it, or the engine is away. */
static bool aggregator_renew(struct member *member)
{
	struct aggregator *aggregator = &member->aggregator;
	bool held;

	if (member->mono < aggregator->next)
		return true;
	aggregator->next = member->mono + LOCK_TIME / 3;
	if (!member_engine(member, member->engine->ops->lock(member->engine, aggregator->lock,
							     LOCK_TIME / 1000000, true, &held)))
		return false;
	if (!held)
		aggregator_stop(member);
	return held;
}

/* Does the stream say that this host is the aggregator? */
static bool aggregator_leads(const struct member *member)
{
	const struct chain *chain = &member->state->chain;

	return chain->epoch == member->aggregator.epoch &&
	       chain->leader == group_me(member->group)->id;
}

/* The own reader has read the stream up to the START. */
static void aggregator_begin(struct member *member)
{
	struct aggregator *aggregator = &member->aggregator;
	const struct chain *chain = &member->state->chain;
	const struct chain_node *at = chain_at(chain);
	struct engine_id last;

	if (engine_id_compare(chain->position, aggregator->start_id) < 0) {
		if (member->mono > aggregator->deadline)
			aggregator_stop(member);
		return;
	}
	if (!aggregator_leads(member)) {
		aggregator_stop(member);
		return;
	}
	if (!member_engine(member, member->engine->ops->last(member->engine, STREAM_IN, &last)))
		return;
	memcpy(aggregator->base, chain_base(chain), CHAIN_LEN);
	chain_hash(aggregator->head, aggregator->start, aggregator->start_len, aggregator->base,
		   CHAIN_LEN);
	aggregator->position = at ? at->covers : (struct engine_id) { 0, 0 };
	if (engine_id_compare(aggregator->position, last) > 0)
		aggregator->position = last;
	aggregator->scan = aggregator->position;
	aggregator->scan.seq += aggregator->scan.seq < UINT64_MAX;
	aggregator->scanned = 0;
	aggregator->sequence = 0;
	aggregator->count = 0;
	aggregator->out.refusals = 0;
	aggregator->out.unlisted = false;
	aggregator->sent = 0;
	aggregator->frame_time = 0;
	for (size_t i = 0; i < member->group->count; i++)
		aggregator->sender[i].sequence = 0;
	/* Keys that the former aggregator forwarded may be lost. */
	dedup_clear(aggregator->dedup);
	aggregator->stage = AGGREGATOR_SCAN;
}

/*
 * Take the highest sequence of each publisher from its newest message. There may be many messages,
 * so the older ones are not verified.
 */
static bool aggregator_scan_entry(void *context, struct engine_id id, const uint8_t *bytes,
				  size_t len)
{
	struct member *member = context;
	struct aggregator *aggregator = &member->aggregator;
	struct message message;
	uint64_t sequence;
	size_t peer;

	aggregator->scan = id;
	aggregator->scanned++;
	if (!message_glance(member->group, bytes, len, &peer, &sequence) ||
	    sequence <= aggregator->sender[peer].sequence)
		return true;
	if (!message_read(member->group, bytes, len, member->plain, &message) &&
	    message.type == MESSAGE_PUBLISH &&
	    message.sequence > aggregator->sender[message.peer].sequence)
		aggregator->sender[message.peer].sequence = message.sequence;
	return true;
}

static void aggregator_scan(struct member *member)
{
	struct aggregator *aggregator = &member->aggregator;
	size_t before = aggregator->scanned;
	uint64_t now = member_now(member);

	if (!member_engine(member, member->engine->ops->back(member->engine, STREAM_IN,
							     aggregator->scan, SCAN_MOST,
							     aggregator_scan_entry, member)))
		return;
	if (aggregator->scanned == before || aggregator->scanned >= SCAN_ALL ||
	    aggregator->scan.ms * 1000000 + KEEP_TIME < now) {
		aggregator->stage = AGGREGATOR_RUN;
		aggregator->deadline = member->mono + START_TIME;
	}
}

static void aggregator_refuse(struct member *member, size_t peer, uint64_t first, uint64_t count,
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
static bool aggregator_allows(struct member *member, size_t peer, size_t count)
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
static struct dedup_mark aggregator_mark(const struct member *member, uint64_t hash, size_t peer,
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
static bool aggregator_frees(struct member *member, uint64_t hash, size_t peer, uint64_t when)
{
	struct dedup *dedup = member->aggregator.dedup;
	struct dedup_mark added = aggregator_mark(member, hash, peer, false);
	struct dedup_mark deleted = aggregator_mark(member, hash, peer, true);
	bool has = dedup_forget(dedup, added) ||
		holders_find(&member->state->holders, hash, HOLDER_PUBLISHER,
			     member->group->peers[peer].number);

	return has && dedup_pass(dedup, deleted, 0, when);
}

/* When a key was seen. A publisher that dates its messages ahead must not hide later sightings. */
static uint64_t aggregator_when(const struct member *member, const struct message *message,
				const struct seen_feed_record *key)
{
	uint64_t when = message->time > key->age ? message->time - key->age : 0;
	uint64_t latest = member_now(member) + AHEAD_MOST;

	return when < latest ? when : latest;
}

static void aggregator_forward(struct member *member, const struct message *message, size_t count)
{
	struct aggregator *aggregator = &member->aggregator;
	struct quota *share = &aggregator->sender[message->peer].share;
	uint64_t life = member->group->window / 16;

	for (size_t i = 0; i < count; i++) {
		const struct seen_feed_record *key = &member->keys[i];
		struct dedup_mark mark = aggregator_mark(member, key->hash, message->peer, false);
		uint64_t when = aggregator_when(member, message, key);

		if (key->deleted && !member->group->deletes)
			continue;
		if (key->deleted) {
			quota_return(share, aggregator_frees(member, key->hash, message->peer,
							     when));
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
static void aggregator_raise(struct member *member, uint64_t epoch)
{
	struct aggregator *aggregator = &member->aggregator;

	if (epoch <= aggregator->epoch || epoch <= aggregator->highest ||
	    !member_epoch_may_be(member, epoch) || member->mono < aggregator->raise_next)
		return;
	aggregator->highest = epoch;
	aggregator->raise_next = member->mono + RAISE_TIME;
}

/* A message of a publisher: is it new, complete, and within the quotas? */
static enum reason aggregator_publish(struct member *member, const struct message *message)
{
	struct sender *sender = &member->aggregator.sender[message->peer];
	struct cursor body = { message->body, message->len, false };
	uint64_t now = member_now(member);
	size_t count;

	aggregator_raise(member, message->epoch);
	if (message->sequence <= sender->sequence)
		return REASON_REPLAY;
	if (sender->sequence && message->sequence > sender->sequence + 1)
		aggregator_refuse(member, message->peer, sender->sequence + 1,
				  message->sequence - sender->sequence - 1, REASON_MISSING);
	sender->sequence = message->sequence;
	if (message->time < now && now - message->time > KEEP_TIME) {
		aggregator_refuse(member, message->peer, message->sequence, 1, REASON_TIME);
		return REASON_NONE;
	}
	count = section_get(&body, member->keys, PUBLISH_KEYS, member->group->window);
	if (body.bad || body.left)
		return REASON_BODY;
	if (!aggregator_allows(member, message->peer, count)) {
		aggregator_refuse(member, message->peer, message->sequence, 1, REASON_QUOTA);
		return REASON_NONE;
	}
	aggregator_forward(member, message, count);
	return REASON_NONE;
}

/* Is there room for another message of a publisher, and for its refusals? */
static bool aggregator_has_room(const struct aggregator *aggregator)
{
	return aggregator->count + PUBLISH_KEYS <= OUT_KEYS &&
	       aggregator->out.refusals + 2 <= REFUSALS_MAX;
}

static bool aggregator_entry(void *context, struct engine_id id, const uint8_t *bytes, size_t len)
{
	struct member *member = context;
	struct aggregator *aggregator = &member->aggregator;
	struct message message;
	enum reason reason = message_read(member->group, bytes, len, member->plain, &message);

	if (!reason && message.type != MESSAGE_PUBLISH)
		reason = REASON_FORMAT;
	if (!reason)
		reason = aggregator_publish(member, &message);
	if (reason)
		member_refuse(member, reason, &message);
	else
		blame_end(member->blames, message.peer, true, member_now(member));
	/* Its sender must not take it for acknowledged. */
	aggregator->out.unlisted |= reason == REASON_SENDER;
	aggregator->position = id;
	aggregator->news = true;
	return aggregator_has_room(aggregator);
}

/* Write the keys of one publisher as a section. */
static void aggregator_section(struct member *member, struct writer *to, size_t first, size_t count)
{
	const struct pending *pending = &member->aggregator.pending[first];
	uint64_t now = member_now(member);

	for (size_t i = 0; i < count; i++)
		member->keys[i] = (struct seen_feed_record) {
			pending[i].hash, now > pending[i].when ? now - pending[i].when : 0,
			pending[i].deleted,
		};
	count = keys_sort(member->keys, count, member->scratch);
	if (group_sectioned(member->group))
		put_number(to, member->group->peers[pending->publisher].number, 4);
	section_put(to, member->keys, count, member->group->window);
}

/* Bring the keys of each publisher together; each publisher's stay in their order. */
static void aggregator_sort(struct aggregator *aggregator, size_t senders)
{
	struct pending *sorted = aggregator->pending + OUT_KEYS;
	size_t next = 0;

	for (size_t i = 0; i < senders; i++)
		aggregator->sender[i].place = 0;
	for (size_t i = 0; i < aggregator->count; i++)
		aggregator->sender[aggregator->pending[i].publisher].place++;
	for (size_t i = 0; i < senders; i++) {
		size_t count = aggregator->sender[i].place;

		aggregator->sender[i].place = next;
		next += count;
	}
	for (size_t i = 0; i < aggregator->count; i++)
		sorted[aggregator->sender[aggregator->pending[i].publisher].place++] =
			aggregator->pending[i];
	memcpy(aggregator->pending, sorted, aggregator->count * sizeof(*sorted));
}

static size_t aggregator_run(const struct aggregator *aggregator, size_t first)
{
	size_t end = first;

	while (end < aggregator->count &&
	       aggregator->pending[end].publisher == aggregator->pending[first].publisher)
		end++;
	return end - first;
}

static void aggregator_body(struct member *member, struct writer *to)
{
	struct aggregator *aggregator = &member->aggregator;
	struct out_head *out = &aggregator->out;

	if (group_sectioned(member->group))
		aggregator_sort(aggregator, member->group->count);
	out->has_base = !aggregator->sequence;
	memcpy(out->base, aggregator->base, CHAIN_LEN);
	out->covers = aggregator->position;
	out->roster = member->group->roster;
	out->sections = 0;
	for (size_t i = 0; i < aggregator->count; i += aggregator_run(aggregator, i))
		out->sections++;
	out_head_put(to, out);
	for (size_t i = 0, run; i < aggregator->count; i += run) {
		run = aggregator_run(aggregator, i);
		aggregator_section(member, to, i, run);
	}
}

static void aggregator_send(struct member *member)
{
	struct aggregator *aggregator = &member->aggregator;
	struct writer to = { member->body, BODY_MOST, 0, false };
	struct message message = { .type = MESSAGE_OUT, .sequence = aggregator->sequence + 1 };
	struct engine_id id;
	size_t len;

	aggregator_body(member, &to);
	if (to.full) {
		/* Another aggregator, or the next term, reads the same messages again. */
		member_count(member, REASON_SIZE, 1);
		aggregator_stop(member);
		return;
	}
	memcpy(message.previous, aggregator->head, CHAIN_LEN);
	message.body = member->body;
	message.len = to.used;
	len = aggregator_append(member, &message, &id);
	if (!len)
		return;
	chain_hash(aggregator->head, aggregator->head, CHAIN_LEN, member->bytes, len);
	aggregator->sequence++;
	aggregator->forwarded += aggregator->count;
	aggregator->sent = member->mono;
	aggregator->news = false;
	aggregator->count = 0;
	aggregator->out.refusals = 0;
	aggregator->out.unlisted = false;
}

/* When a batch is due, by the host's clock. */
static uint64_t aggregator_due(const struct aggregator *aggregator)
{
	if (!aggregator->sent)
		return 0;
	return aggregator->sent + (aggregator->news ? BATCH_TIME : SIGN_TIME);
}

uint64_t aggregator_next(const struct member *member)
{
	const struct aggregator *aggregator = &member->aggregator;
	uint64_t next = aggregator->next, due = aggregator_due(aggregator);

	if (!group_me(member->group)->aggregates ||
	    (aggregator->stage == AGGREGATOR_IDLE && !member->reader.caught_up))
		return UINT64_MAX;
	if (aggregator->stage == AGGREGATOR_SCAN)
		return 0;
	if (aggregator->stage == AGGREGATOR_RUN && due < next)
		next = due;
	if (aggregator->stage == AGGREGATOR_RUN && aggregator->frame_next < next)
		next = aggregator->frame_next;
	return next;
}

/*
 * Has this host's replica not had its own batches for long? Its filter is the source of keyframes,
 * and so it must have what the others have.
 */
static bool aggregator_is_late(struct member *member)
{
	const struct chain_node *at = chain_at(&member->state->chain);
	struct aggregator *aggregator = &member->aggregator;

	if (at && at->epoch == aggregator->epoch && member_now(member) < at->time + START_TIME)
		aggregator->deadline = member->mono + START_TIME;
	return member->engine->split && member->mono > aggregator->deadline;
}

/* Read what publishers sent, and send a batch when one is due. */
static void aggregator_work(struct member *member)
{
	struct aggregator *aggregator = &member->aggregator;

	/* A lower epoch than that of a publisher is of no use: begin again. */
	if (!aggregator_leads(member) || aggregator->highest > aggregator->epoch ||
	    aggregator_is_late(member)) {
		aggregator_stop(member);
		return;
	}
	if (aggregator_has_room(aggregator) &&
	    !member_engine(member, member->engine->ops->read(member->engine, STREAM_IN,
							     aggregator->position, READ_MOST,
							     aggregator_entry, member)))
		return;
	if (member->mono >= aggregator_due(aggregator) || !aggregator_has_room(aggregator))
		aggregator_send(member);
	if (aggregator->stage == AGGREGATOR_RUN)
		frame_tick(member);
}

void aggregator_tick(struct member *member)
{
	struct aggregator *aggregator = &member->aggregator;

	if (!group_me(member->group)->aggregates)
		return;
	if (aggregator->stage == AGGREGATOR_IDLE) {
		aggregator_try(member);
		return;
	}
	if (!aggregator_renew(member))
		return;
	if (aggregator->stage == AGGREGATOR_START)
		aggregator_begin(member);
	else if (aggregator->stage == AGGREGATOR_SCAN)
		aggregator_scan(member);
	else
		aggregator_work(member);
}
