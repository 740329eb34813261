// SPDX-License-Identifier: GPL-2.0
/* The term of an aggregator: the lock, the START, what it reads back, and when it works. */
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

static void aggregator_start(struct member *member)
{
	struct aggregator *aggregator = &member->aggregator;
	struct message message = { .type = MESSAGE_START };
	size_t len = batch_append(member, &message, &aggregator->start_id);

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
	if (intake_has_room(aggregator) &&
	    !member_engine(member, member->engine->ops->read(member->engine, STREAM_IN,
							     aggregator->position, READ_MOST,
							     intake_entry, member)))
		return;
	if (member->mono >= aggregator_due(aggregator) || !intake_has_room(aggregator))
		batch_send(member);
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
