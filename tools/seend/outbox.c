// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "outbox.h"

/* A batch that was refused because of a quota is sent again after this time, ns. */
#define RETRY	(5 * NS_PER_SEC)
/* A batch that is not covered by messages of so much later is sent again, ns. */
#define RESEND	(60 * NS_PER_SEC)
#define PLACES	(4 * OUTBOX_KEYS)

static struct outbox_batch *outbox_at(struct outbox *outbox, uint64_t number)
{
	return &outbox->batch[number % OUTBOX_BATCHES];
}

/* Number of the key behind the newest one. */
static uint64_t outbox_newest(const struct outbox *outbox)
{
	const struct outbox_batch *last;

	if (!outbox->added)
		return 0;
	last = &outbox->batch[(outbox->added - 1) % OUTBOX_BATCHES];
	return last->first + last->count;
}

/* Number of the first key that is kept. */
static uint64_t outbox_oldest(const struct outbox *outbox)
{
	if (outbox->dropped == outbox->added)
		return outbox_newest(outbox);
	return outbox->batch[outbox->dropped % OUTBOX_BATCHES].first;
}

/* Find the index entry of a hash, or a free one. An entry holds the place of a key, plus 1. */
static uint32_t *outbox_entry(const struct outbox *outbox, struct outbox_index *index,
			      uint64_t hash)
{
	/* Entries of keys that were dropped stay until outbox_reindex(). */
	for (uint64_t i = hash % PLACES;; i = (i + 1) % PLACES) {
		uint32_t place = index->place[i];

		if (!place || outbox->key[place - 1].hash == hash)
			return &index->place[i];
	}
}

static void outbox_note(const struct outbox *outbox, struct outbox_index *index, uint64_t number)
{
	uint64_t place = number % OUTBOX_KEYS;

	*outbox_entry(outbox, index, outbox->key[place].hash) = place + 1;
	index->used++;
}

void outbox_reindex(const struct outbox *outbox, struct outbox_index *index)
{
	memset(index, 0, sizeof(*index));
	for (uint64_t i = outbox_oldest(outbox); i < outbox_newest(outbox); i++)
		outbox_note(outbox, index, i);
}

bool outbox_holds(const struct outbox *outbox, struct outbox_index *index, uint64_t hash,
		  uint64_t oldest)
{
	uint32_t place = *outbox_entry(outbox, index, hash);
	uint64_t when = place ? outbox->key[place - 1].when : 0;

	return place && !(when & OUTBOX_DELETED) && when >> 2 >= oldest;
}

/* Drop the oldest batch; returns its keys if they were not acknowledged. */
static size_t outbox_drop(struct outbox *outbox)
{
	const struct outbox_batch *batch = outbox_at(outbox, outbox->dropped);

	outbox->dropped++;
	return batch->state == OUTBOX_ACKED ? 0 : batch->count;
}

static bool outbox_fits(const struct outbox *outbox, size_t count)
{
	return outbox->added == outbox->dropped ||
	       (outbox->added - outbox->dropped < OUTBOX_BATCHES &&
		outbox_newest(outbox) + count - outbox_oldest(outbox) <= OUTBOX_KEYS);
}

/* Mark an earlier event of a key. */
static void outbox_supersede(struct outbox *outbox, struct outbox_index *index, uint64_t hash)
{
	uint32_t place = *outbox_entry(outbox, index, hash);

	if (place)
		outbox->key[place - 1].when |= OUTBOX_SUPERSEDED;
}

size_t outbox_add(struct outbox *outbox, struct outbox_index *index,
		  const struct seen_feed_record *keys, size_t count, uint64_t now)
{
	struct outbox_batch batch = { .count = count, .state = OUTBOX_UNSENT };
	size_t lost = 0;

	while (!outbox_fits(outbox, count))
		lost += outbox_drop(outbox);
	batch.first = outbox_newest(outbox);
	/* Not in the middle of the batch, whose keys do not count before its end. */
	if (index && index->used + count > PLACES / 2)
		outbox_reindex(outbox, index);
	for (size_t i = 0; i < count; i++) {
		uint64_t when = keys[i].age < now ? now - keys[i].age : 0;

		if (index)
			outbox_supersede(outbox, index, keys[i].hash);
		outbox->key[(batch.first + i) % OUTBOX_KEYS] = (struct outbox_key) {
			keys[i].hash, when << 2 | (keys[i].deleted ? OUTBOX_DELETED : 0),
		};
		if (index)
			outbox_note(outbox, index, batch.first + i);
	}
	*outbox_at(outbox, outbox->added) = batch;
	__atomic_store_n(&outbox->added, outbox->added + 1, __ATOMIC_RELEASE);
	return lost;
}

void outbox_unclock(struct outbox *outbox)
{
	if (!outbox->unclocked)
		outbox->unclocked = outbox->added + 1;
}

void outbox_clock(struct outbox *outbox, uint64_t offset)
{
	uint64_t from = outbox->unclocked;

	/* A daemon that is killed in the loop must not add the offset twice. */
	outbox->unclocked = 0;
	if (!from || from > outbox->added)
		return;
	from = from - 1 > outbox->dropped ? from - 1 : outbox->dropped;
	for (uint64_t i = outbox_at(outbox, from)->first; i < outbox_newest(outbox); i++)
		outbox->key[i % OUTBOX_KEYS].when += offset << 2;
}

struct outbox_batch *outbox_next(struct outbox *outbox, uint64_t now)
{
	for (uint64_t i = outbox->dropped; i < outbox->added; i++) {
		struct outbox_batch *batch = outbox_at(outbox, i);

		if (batch->state == OUTBOX_UNSENT && batch->time <= now)
			return batch;
	}
	return NULL;
}

size_t outbox_keys(const struct outbox *outbox, const struct outbox_batch *batch, uint64_t now,
		   struct seen_feed_record *keys)
{
	size_t count = 0;

	for (size_t i = 0; i < batch->count; i++) {
		const struct outbox_key *key = &outbox->key[(batch->first + i) % OUTBOX_KEYS];
		uint64_t when = key->when >> 2;

		if (!(key->when & OUTBOX_SUPERSEDED))
			keys[count++] = (struct seen_feed_record) {
				key->hash, now > when ? now - when : 0,
				key->when & OUTBOX_DELETED,
			};
	}
	return count;
}

static void outbox_again(struct outbox_batch *batch, uint64_t time)
{
	batch->time = time;
	batch->state = OUTBOX_UNSENT;
}

static bool outbox_refused(const struct outbox_batch *batch, const struct out_head *out,
			   uint64_t self)
{
	for (size_t i = 0; i < out->refusals; i++) {
		const struct refusal *refusal = &out->refusal[i];

		if (refusal->sender == self && batch->sequence >= refusal->first &&
		    batch->sequence - refusal->first < refusal->count)
			return true;
	}
	return false;
}

size_t outbox_cover(struct outbox *outbox, const struct out_head *out,
		    const struct group *group, uint64_t time, uint64_t node)
{
	bool unsure = out->unlisted && out->roster != group->roster;
	uint64_t self = group_me(group)->id;
	size_t again = 0;

	for (uint64_t i = outbox->dropped; i < outbox->added; i++) {
		struct outbox_batch *batch = outbox_at(outbox, i);

		if (batch->state == OUTBOX_UNSENT || !batch->sequence)
			continue;
		if (outbox_refused(batch, out, self)) {
			outbox_again(batch, time + RETRY);
			again++;
			continue;
		}
		if (batch->state == OUTBOX_ACKED ||
		    engine_id_compare(batch->id, out->covers) > 0)
			continue;
		if (unsure) {
			outbox_again(batch, time + RETRY);
			again++;
			continue;
		}
		if (time > batch->time && time - batch->time > TRIM_RISK) {
			outbox_again(batch, time);
			again++;
			continue;
		}
		batch->node = node;
		batch->time = time;
		batch->state = OUTBOX_ACKED;
	}
	return again;
}

bool outbox_over_quota(const struct out_head *out, const struct group *group)
{
	for (size_t i = 0; i < out->refusals; i++)
		if (out->refusal[i].sender == group_me(group)->id &&
		    out->refusal[i].reason == REASON_QUOTA)
			return true;
	return false;
}

size_t outbox_rewind(struct outbox *outbox, uint64_t node, uint64_t now)
{
	size_t again = 0;

	for (uint64_t i = outbox->dropped; i < outbox->added; i++) {
		struct outbox_batch *batch = outbox_at(outbox, i);

		if (batch->state == OUTBOX_ACKED && batch->node > node) {
			outbox_again(batch, now);
			again++;
		}
	}
	return again;
}

size_t outbox_unsend(struct outbox *outbox, uint64_t now)
{
	size_t again = 0;

	for (uint64_t i = outbox->dropped; i < outbox->added; i++) {
		struct outbox_batch *batch = outbox_at(outbox, i);

		/* One that waits may wait for a time of a clock that was set back. */
		if (batch->state == OUTBOX_UNSENT) {
			batch->time = batch->time < now ? batch->time : now;
		} else if (batch->state == OUTBOX_SENT) {
			outbox_again(batch, now);
			again++;
		}
	}
	return again;
}

/*
 * Is a batch lost, or so old that the stream may have lost it? Without an aggregator nothing is
 * covered, and sending it again and again would only fill the engine.
 */
static bool outbox_overdue(const struct outbox_batch *batch, uint64_t stream, uint64_t now)
{
	return batch->state == OUTBOX_SENT &&
	       (stream > batch->time + RESEND || now > batch->time + TRIM_RISK);
}

size_t outbox_expire(struct outbox *outbox, uint64_t stream, uint64_t now)
{
	size_t again = 0;

	for (uint64_t i = outbox->dropped; i < outbox->added; i++) {
		struct outbox_batch *batch = outbox_at(outbox, i);

		if (batch->state == OUTBOX_ACKED && i == outbox->dropped &&
		    stream > batch->time && stream - batch->time > KEEP_TIME) {
			outbox->dropped++;
		} else if (outbox_overdue(batch, stream, now)) {
			outbox_again(batch, now);
			again++;
		}
	}
	return again;
}

void outbox_forget(struct outbox *outbox)
{
	outbox->dropped = outbox->added;
}

bool outbox_valid(const struct outbox *outbox)
{
	uint64_t key = outbox_oldest(outbox);

	if (outbox->dropped > outbox->added ||
	    outbox->added - outbox->dropped > OUTBOX_BATCHES)
		return false;
	for (uint64_t i = outbox->dropped; i < outbox->added; i++) {
		const struct outbox_batch *batch = &outbox->batch[i % OUTBOX_BATCHES];

		if (batch->first != key || batch->count > PUBLISH_KEYS ||
		    batch->state > OUTBOX_ACKED)
			return false;
		key += batch->count;
	}
	return outbox_newest(outbox) - outbox_oldest(outbox) <= OUTBOX_KEYS;
}
