// SPDX-License-Identifier: GPL-2.0
/* Batches: a reader keeps the group's quota, whatever its aggregator has signed. */
#include <stdlib.h>
#include <string.h>

#include "../../tools/seend/member.h"
#include "tap.h"

#define NOW	(1700000000 * NS_PER_SEC)
/* Room of the reader's bucket at this rate. */
#define RATE	1000
#define ROOM	(16 * RATE + OUT_KEYS)

static struct group group;
static struct member *member;
static size_t stored;
static bool late;

static int count_add(struct store *store, size_t who, const struct seen_feed_record *keys,
		     size_t count, const uint64_t *age, uint8_t *results)
{
	(void)store;
	(void)who;
	(void)keys;
	(void)age;
	stored += late ? 0 : count;
	if (count)
		memset(results, late ? SEEN_HASH_STALE : SEEN_HASH_NEW, count);
	return 0;
}

static const struct store_ops ops = { .add = count_add };
static struct store store = { &ops };

/* A batch of so many keys at a time; returns how many were stored, or -1: it is applied again. */
static int batch(size_t count, uint64_t time)
{
	static uint8_t body[BODY_MOST];
	static struct seen_feed_record keys[OUT_KEYS];
	struct message message = { .type = MESSAGE_OUT, .time = time, .body = body };
	struct writer to = { body, sizeof(body), 0, false };
	struct cursor from;

	for (size_t i = 0; i < count; i++)
		keys[i] = (struct seen_feed_record) { (i + 1) * (UINT64_MAX / OUT_KEYS), 0, false };
	section_put(&to, keys, count, group.window);
	member->out.sections = 1;
	from = (struct cursor) { body, to.used, false };
	stored = 0;
	return apply_batch(member, &message, &from) ? (int)stored : -1;
}

/* The batches of a union do not name publishers, so the first host of the list need not be one. */
static void test_union(void)
{
	group.peers[0].publishes = false;
	member->reader.quota = (struct quota) { 0 };
	ok(batch(10, NOW) == 10 && !member->counts[REASON_ROSTER],
	   "the first host of the list may be one that only reads");
	group.peers[0].publishes = true;
}

int main(void)
{
	tap_begin(7);
	group_make(&group, 2, 1, 1);
	group.limits.group_rate = RATE;
	member = calloc(1, sizeof(*member));
	member->group = &group;
	member->store = &store;
	member->state = calloc(1, sizeof(*member->state));
	member->mono = NOW;
	ok(batch(OUT_KEYS, NOW - 100 * NS_PER_SEC) == OUT_KEYS, "a full batch is applied");
	ok(batch(ROOM - OUT_KEYS, NOW - 100 * NS_PER_SEC) == ROOM - OUT_KEYS,
	   "so is what fills the quota");
	ok(batch(1, NOW - 100 * NS_PER_SEC) == 0 && member->counts[REASON_QUOTA] == 1,
	   "no key more, which is counted");
	ok(batch(OUT_KEYS, NOW) == OUT_KEYS, "later messages may have more");
	/* 100 seconds have refilled the bucket; a date in the future does not. */
	batch(ROOM - OUT_KEYS, NOW);
	ok(batch(RATE * 3, NOW + 1000 * NS_PER_SEC) == 0, "not those that are dated ahead");
	late = true;
	member->reader.quota = (struct quota) { 0 };
	for (int i = 0; i < 10; i++)
		batch(OUT_KEYS, NOW);
	late = false;
	ok(batch(OUT_KEYS, NOW) == OUT_KEYS, "a batch that is applied again is charged once");
	test_union();
	free(member->state);
	free(member);
	group_free(&group);
	return tap_end();
}
