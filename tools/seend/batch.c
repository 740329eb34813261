// SPDX-License-Identifier: GPL-2.0
/* The messages of the aggregator. */
#include <string.h>

#include "member.h"

size_t batch_append(struct member *member, struct message *message, struct engine_id *id)
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

/* Write the keys of one publisher as a section. */
static void batch_section(struct member *member, struct writer *to, size_t first, size_t count)
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
static void batch_sort(struct aggregator *aggregator, size_t senders)
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

static size_t batch_run(const struct aggregator *aggregator, size_t first)
{
	size_t end = first;

	while (end < aggregator->count &&
	       aggregator->pending[end].publisher == aggregator->pending[first].publisher)
		end++;
	return end - first;
}

static void batch_body(struct member *member, struct writer *to)
{
	struct aggregator *aggregator = &member->aggregator;
	struct out_head *out = &aggregator->out;

	if (group_sectioned(member->group))
		batch_sort(aggregator, member->group->count);
	out->has_base = !aggregator->sequence;
	memcpy(out->base, aggregator->base, CHAIN_LEN);
	out->covers = aggregator->position;
	out->roster = member->group->roster;
	out->sections = 0;
	for (size_t i = 0; i < aggregator->count; i += batch_run(aggregator, i))
		out->sections++;
	out_head_put(to, out);
	for (size_t i = 0, run; i < aggregator->count; i += run) {
		run = batch_run(aggregator, i);
		batch_section(member, to, i, run);
	}
}

void batch_send(struct member *member)
{
	struct aggregator *aggregator = &member->aggregator;
	struct writer to = { member->body, BODY_MOST, 0, false };
	struct message message = { .type = MESSAGE_OUT, .sequence = aggregator->sequence + 1 };
	struct engine_id id;
	size_t len;

	batch_body(member, &to);
	if (to.full) {
		/* Another aggregator, or the next term, reads the same messages again. */
		member_count(member, REASON_SIZE, 1);
		aggregator_stop(member);
		return;
	}
	memcpy(message.previous, aggregator->head, CHAIN_LEN);
	message.body = member->body;
	message.len = to.used;
	len = batch_append(member, &message, &id);
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
