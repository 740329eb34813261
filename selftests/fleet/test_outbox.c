// SPDX-License-Identifier: GPL-2.0
/* The outbox: which batches are sent, acknowledged, sent again and dropped. */
#include <stdlib.h>
#include <string.h>

#include "../../tools/seend/outbox.h"
#include "tap.h"

#define NOW	(1000000 * NS_PER_SEC)
#define ME	(group_me(&group)->id)

static struct group group;
static struct outbox *outbox;
static struct outbox_index *index_of;
static struct out_head out;
static struct seen_feed_record keys[PUBLISH_KEYS];

static void begin(void)
{
	memset(outbox, 0, sizeof(*outbox));
	memset(index_of, 0, sizeof(*index_of));
	memset(&out, 0, sizeof(out));
}

/* Add a batch of one key. */
static void add(uint64_t hash, bool deleted)
{
	struct seen_feed_record key = { hash, 0, deleted };

	outbox_add(outbox, index_of, &key, 1, NOW);
}

/* Send the next batch as entry @ms; its sequence is @ms, too. */
static struct outbox_batch *sent(uint64_t ms)
{
	struct outbox_batch *batch = outbox_next(outbox, NOW + KEEP_TIME);

	batch->sequence = ms;
	batch->id.ms = ms;
	batch->time = NOW;
	batch->state = OUTBOX_SENT;
	return batch;
}

static size_t cover(uint64_t ms, uint64_t time, uint64_t node)
{
	out.covers.ms = ms;
	return outbox_cover(outbox, &out, &group, time, node);
}

static void test_cover(void)
{
	struct outbox_batch *first, *second;

	begin();
	add(1, false);
	add(2, false);
	first = sent(10);
	second = sent(20);
	ok(!outbox_next(outbox, NOW) && !cover(19, NOW, 5) && first->state == OUTBOX_ACKED &&
	   second->state == OUTBOX_SENT, "a batch that is covered is acknowledged");
	ok(!cover(20, NOW, 6) && second->state == OUTBOX_ACKED && second->node == 6,
	   "the next one by a later message");
	ok(outbox_rewind(outbox, 5, NOW) == 1 && outbox_next(outbox, NOW) == second,
	   "a batch behind the base is sent again");
}

static void test_trimmed(void)
{
	struct outbox_batch *batch;

	begin();
	add(1, false);
	batch = sent(10);
	ok(cover(10, NOW + TRIM_RISK + 1, 5) == 1 && batch->state == OUTBOX_UNSENT,
	   "a batch that may have been trimmed is not acknowledged");
}

static void test_refused(void)
{
	struct outbox_batch *first, *second;

	begin();
	add(1, false);
	add(2, false);
	first = sent(10);
	second = sent(20);
	out.refusals = 2;
	out.refusal[0] = (struct refusal) { ME + 1, 10, 11, REASON_QUOTA };
	out.refusal[1] = (struct refusal) { ME, 15, 10, REASON_QUOTA };
	ok(cover(30, NOW, 5) == 1 && first->state == OUTBOX_ACKED &&
	   second->state == OUTBOX_UNSENT, "a batch that is refused is not acknowledged");
	ok(!outbox_next(outbox, NOW) && outbox_next(outbox, NOW + 5 * NS_PER_SEC) == second,
	   "it is sent again later");
}

/* An aggregator without this host in its list does not name the messages that it leaves out. */
static void test_unlisted(void)
{
	struct outbox_batch *batch;

	begin();
	add(1, false);
	batch = sent(10);
	out.unlisted = true;
	out.roster = group.roster + 1;
	ok(cover(20, NOW, 5) == 1 && batch->state == OUTBOX_UNSENT,
	   "a batch that may be left out because of the list is sent again");
	sent(30);
	out.roster = group.roster;
	ok(!cover(40, NOW, 6) && batch->state == OUTBOX_ACKED,
	   "an aggregator with the same list knows this host");
	add(2, false);
	batch = sent(50);
	out.unlisted = false;
	out.roster = group.roster + 1;
	ok(!cover(60, NOW, 7) && batch->state == OUTBOX_ACKED,
	   "so does one that has left out nothing");
}

static void test_clock(void)
{
	const struct outbox_batch *batch;

	begin();
	add(1, false);
	outbox_unclock(outbox);
	outbox_add(outbox, index_of, &(struct seen_feed_record) { 2, 5, false }, 1, 1000);
	outbox_unclock(outbox);
	outbox_add(outbox, index_of, &(struct seen_feed_record) { 3, 7, true }, 1, 2000);
	outbox_clock(outbox, NOW);
	batch = outbox_next(outbox, 2 * NOW);
	ok(outbox_keys(outbox, batch, NOW + 3000, keys) == 1 && keys[0].age == 3000,
	   "a batch with the engine's times keeps them");
	ok(outbox_keys(outbox, batch + 1, NOW + 3000, keys) == 1 && keys[0].age == 2005 &&
	   outbox_keys(outbox, batch + 2, NOW + 3000, keys) == 1 && keys[0].age == 1007 &&
	   keys[0].deleted, "those that were added before its first answer get them");
	outbox_clock(outbox, NOW);
	ok(outbox_keys(outbox, batch + 1, NOW + 3000, keys) == 1 && keys[0].age == 2005,
	   "once");
}

static void test_superseded(void)
{
	struct outbox_batch *first;

	begin();
	add(1, false);
	first = outbox_next(outbox, NOW);
	ok(outbox_keys(outbox, first, NOW, keys) == 1 && keys[0].hash == 1 && !keys[0].deleted,
	   "a batch has its key");
	add(1, true);
	ok(!outbox_keys(outbox, first, NOW, keys), "not after a later event of the key");
	outbox_reindex(outbox, index_of);
	add(1, false);
	ok(outbox_keys(outbox, first + 1, NOW, keys) == 0 &&
	   outbox_keys(outbox, first + 2, NOW, keys) == 1, "nor after a restart");
}

static void test_holds(void)
{
	begin();
	ok(!outbox_holds(outbox, index_of, 6, 0), "a key that was never added is not held");
	add(6, false);
	ok(outbox_holds(outbox, index_of, 6, NOW), "it is from its first event on");
	ok(!outbox_holds(outbox, index_of, 6, NOW + 1), "until its window ends");
	add(6, true);
	ok(!outbox_holds(outbox, index_of, 6, 0), "or until it is deleted");
	add(6, false);
	ok(outbox_holds(outbox, index_of, 6, 0), "and from its next event on");
}

static void test_expire(void)
{
	struct outbox_batch *first;

	begin();
	add(1, false);
	add(2, false);
	first = sent(10);
	cover(10, NOW, 1);
	outbox_expire(outbox, NOW + KEEP_TIME, NOW + 2 * KEEP_TIME);
	ok(outbox->dropped == 0, "an acknowledged batch is kept");
	outbox_expire(outbox, NOW + KEEP_TIME + 1, NOW + 2 * KEEP_TIME);
	ok(outbox->dropped == 1 && outbox_valid(outbox), "for 15 minutes of the stream");
	outbox_expire(outbox, NOW + 2 * KEEP_TIME, NOW + 2 * KEEP_TIME);
	ok(outbox->dropped == 1 && outbox_next(outbox, NOW) == first + 1,
	   "one that is not sent is kept longer");
}

static void test_full(void)
{
	size_t batches = OUTBOX_KEYS / PUBLISH_KEYS, lost = 0;
	bool sound = true, found = true;

	begin();
	/* So that the index is not full between two batches. */
	add(1, false);
	for (size_t i = 0; i < 3 * batches + 3; i++) {
		for (size_t j = 0; j < PUBLISH_KEYS; j++)
			keys[j] = (struct seen_feed_record) { random64(), 0, false };
		lost += outbox_add(outbox, index_of, keys, PUBLISH_KEYS, NOW);
		sound &= outbox_valid(outbox);
		for (size_t j = 0; j < PUBLISH_KEYS; j++)
			found &= outbox_holds(outbox, index_of, keys[j].hash, 0);
	}
	ok(sound && outbox->added - outbox->dropped == batches, "a full outbox keeps the newest");
	ok(found, "each key is found, also after the index was filled anew");
	ok(lost == (2 * batches + 3) * PUBLISH_KEYS + 1, "and says how many keys it dropped");
	outbox->batch[(outbox->added - 1) % OUTBOX_BATCHES].count = PUBLISH_KEYS + 1;
	ok(!outbox_valid(outbox), "a damaged outbox is noticed");
}

int main(void)
{
	tap_begin(27);
	group_make(&group, 2, 1, 0);
	outbox = calloc(1, sizeof(*outbox));
	index_of = calloc(1, sizeof(*index_of));
	test_cover();
	test_trimmed();
	test_refused();
	test_unlisted();
	test_clock();
	test_superseded();
	test_holds();
	test_expire();
	test_full();
	free(outbox);
	free(index_of);
	group_free(&group);
	return tap_end();
}
