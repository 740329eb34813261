// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "member.h"

/* Messages that are sent before the others of this host get their turn. */
#define SEND_MOST	64
/* Batches of the feed that are taken at a time. */
#define TAKE_MOST	32
/* An aggregator whose epoch is too low is called at most so often, ns. */
#define CALL_TIME	(10 * NS_PER_SEC)

/* Deleted keys are sent only in groups with deletes. */
static size_t publisher_wanted(struct member *member, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (!member->keys[i].deleted || member->group->deletes)
			member->keys[kept++] = member->keys[i];
	return kept;
}

/*
 * When the feed is read next. A key is sent soon if this host sent none lately; and keys that fill
 * a message need not wait for more.
 */
static void publisher_plan(struct member *member)
{
	struct publisher *publisher = &member->publisher;
	bool collects = publisher->taken && publisher->taken < PUBLISH_KEYS;

	publisher->next = member->mono + (collects ? BATCH_TIME : LOOK_TIME);
}

/* Move new keys from the feed to the outbox, where they outlive the daemon. Return: their number */
static size_t publisher_take(struct member *member)
{
	struct publisher *publisher = &member->publisher;
	struct outbox *outbox = &member->state->outbox;
	size_t count = OUT_KEYS, part, taken;
	uint64_t number, lost;

	if (member->store->ops->take(member->store, publisher->done, member->keys, &count,
				     &number, &lost)) {
		member_count(member, REASON_STORE, 1);
		return 0;
	}
	/* The hashes may be of another secret; if not, they are taken again. */
	if (count && !member_store_is_same(member))
		return 0;
	taken = count;
	if (lost > publisher->lost)
		member_count(member, REASON_FEED, lost - publisher->lost);
	publisher->lost = lost;
	count = publisher_wanted(member, count);
	for (size_t i = 0; i < count; i += part) {
		part = count - i < PUBLISH_KEYS ? count - i : PUBLISH_KEYS;
		member_count(member, REASON_UNKEPT,
			     outbox_add(outbox, publisher->index, member->keys + i, part,
					member_now(member)));
	}
	publisher->done = number;
	return taken;
}

void publisher_discard(struct member *member)
{
	struct publisher *publisher = &member->publisher;
	size_t count;

	do {
		count = OUT_KEYS;
		if (member->store->ops->take(member->store, publisher->done, member->keys, &count,
					     &publisher->done, &publisher->lost)) {
			member_count(member, REASON_STORE, 1);
			return;
		}
		member_count(member, REASON_UNKEPT, count);
	} while (count);
}

/* Sign and append a message of member->keys. */
static bool publisher_append(struct member *member, size_t count, uint64_t *sequence,
			     struct engine_id *id)
{
	struct outbox *outbox = &member->state->outbox;
	struct writer body = { member->body, BODY_MOST, 0, false };
	struct message message = {
		.type = MESSAGE_PUBLISH,
		.epoch = member->state->chain.epoch,
		.time = member_now(member),
		.body = member->body,
	};
	size_t len;

	/* Numbers ascend, also if a loss of power has taken the newest state. */
	if (!member->publisher.sequenced && outbox->sequence < message.time / 1000)
		outbox->sequence = message.time / 1000;
	member->publisher.sequenced = true;
	message.sequence = ++outbox->sequence;
	*sequence = message.sequence;
	count = keys_sort(member->keys, count, member->scratch);
	section_put(&body, member->keys, count, member->group->window);
	message.len = body.used;
	len = message_write(member->group, &message, member->bytes);
	return member_engine(member, member->engine->ops->append(member->engine, STREAM_IN,
								 member->bytes, len, id));
}

static bool publisher_send(struct member *member, struct outbox_batch *batch)
{
	uint64_t now = member_now(member), sequence;
	const struct limits *limits = &member->group->limits;
	struct engine_id id;
	size_t count;

	if (!quota_take(&member->publisher.quota, limits->rate, NS_PER_SEC,
			2 * limits->rate + PUBLISH_KEYS, batch->count, now))
		return false;
	count = outbox_keys(&member->state->outbox, batch, now, member->keys);
	if (!publisher_append(member, count, &sequence, &id))
		return false;
	batch->sequence = sequence;
	batch->id = id;
	batch->time = now;
	batch->state = OUTBOX_SENT;
	return true;
}

/* An empty message has this host's epoch, too. */
static void publisher_call(struct member *member)
{
	struct engine_id id;
	uint64_t sequence;

	if (!member->publisher.call || member->mono < member->publisher.call_next)
		return;
	member->publisher.call = false;
	member->publisher.call_next = member->mono + CALL_TIME;
	publisher_append(member, 0, &sequence, &id);
}

static bool publisher_is_due(const struct member *member)
{
	return group_me(member->group)->publishes && member->mono >= member->publisher.next;
}

void publisher_collect(struct member *member)
{
	size_t taken = 1;

	if (!publisher_is_due(member))
		return;
	/* Times in the outbox are the engine's. Before its first answer they are not known. */
	if (!member->clocked)
		outbox_unclock(&member->state->outbox);
	member->publisher.taken = 0;
	/* The kernel's batches are small; a burst must not wait in the feed's rings. */
	for (size_t i = 0; i < TAKE_MOST && taken; i++) {
		taken = publisher_take(member);
		member->publisher.taken += taken;
	}
}

void publisher_tick(struct member *member)
{
	const struct chain_node *at = chain_at(&member->state->chain);
	struct outbox *outbox = &member->state->outbox;
	struct outbox_batch *batch;

	if (!publisher_is_due(member))
		return;
	publisher_plan(member);
	if (!member->clocked)
		return;
	member_count(member, REASON_RESEND,
		     outbox_expire(outbox, at ? at->time : 0, member_now(member)));
	for (size_t i = 0; i < SEND_MOST && member->online; i++) {
		batch = outbox_next(outbox, member_now(member));
		if (!batch || !publisher_send(member, batch))
			break;
	}
	if (member->online)
		publisher_call(member);
}
