// SPDX-License-Identifier: GPL-2.0
/* Keyframes: which ones a host loads. */
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/seend/frame.h"
#include "tap.h"

#define NOW	(1700000000 * NS_PER_SEC)

static struct group group;
static struct store_info info;
static struct frame frame;

/* A keyframe that is loaded. */
static void begin(void)
{
	info = (struct store_info) { .capacity = 10000, .entries = 1000, .geometry = "same" };
	frame = (struct frame) {
		.capacity = 10000, .entries = 5000, .roster = group.roster, .geometry = "same",
	};
	group.deletes = false;
	group.force = false;
}

static enum reason judge(void)
{
	return frame_judge(&group, &frame, &info);
}

static void test_judge(void)
{
	begin();
	ok(judge() == REASON_NONE, "a keyframe is loaded");
	strcpy(frame.geometry, "other");
	ok(judge() == REASON_FRAME_GEOMETRY, "not for a filter of another size");
	group.deletes = true;
	ok(judge() == REASON_NONE, "with deletes it has hashes, which fit any filter");
	frame.roster++;
	ok(judge() == REASON_ROSTER, "but not of another list of hosts");
}

static void test_blast(void)
{
	begin();
	frame.entries = 6000;
	ok(judge() == REASON_NONE, "it may add half of the capacity");
	frame.entries = 6100;
	ok(judge() == REASON_FRAME_GROWTH, "not more");
	info.entries = 99;
	ok(judge() == REASON_NONE, "but to a filter that is as good as empty");
	frame.entries = 9600;
	ok(judge() == REASON_FRAME_FULL, "a keyframe that is too full is refused");
	group.force = true;
	ok(judge() == REASON_NONE, "unless the configuration forces it");
}

/* --- a member with an engine that has one value ---------------------------- */

static struct value_engine {
	struct engine engine;
	uint8_t bytes[MESSAGE_MOST];
	size_t len;
	bool content;
} value;

static int value_get(struct engine *engine, const char *name, uint8_t *bytes, size_t *len)
{
	(void)engine;
	if (strcmp(name, "frame") && !value.content)
		return -ENOENT;
	if (strcmp(name, "frame")) {
		memset(bytes, 0, *len);
		return 0;
	}
	memcpy(bytes, value.bytes, value.len);
	*len = value.len;
	return 0;
}

static int value_info(struct store *store, size_t who, struct store_info *to)
{
	(void)store;
	(void)who;
	*to = info;
	return 0;
}

static const struct engine_ops value_ops = { .get = value_get };
static const struct store_ops info_ops = { .info = value_info };

/* The aggregator signs the head at a time; what the reader counts is returned. */
static uint64_t *load(struct member *member, uint64_t time)
{
	struct group sender;
	struct message message = { .type = MESSAGE_FRAME, .time = time };
	struct writer to = { member->body, BODY_MOST, 0, false };

	group_make(&sender, 2, 1, 0);
	frame_put(&to, &frame);
	message.body = member->body;
	message.len = to.used;
	value.len = message_write(&sender, &message, value.bytes);
	group_free(&sender);
	memset(member->counts, 0, sizeof(member->counts));
	if (!frame_load(member))
		return NULL;
	return member->counts;
}

static void test_age(void)
{
	struct member *member = calloc(1, sizeof(*member));
	struct store store = { &info_ops };
	uint64_t *counts;

	begin();
	value.engine.ops = &value_ops;
	member->group = &group;
	member->engine = &value.engine;
	member->store = &store;
	member->state = calloc(1, sizeof(*member->state));
	member->mono = NOW;
	frame.id = 1;
	frame.packed = 10;
	/* The engine has no content, which is looked for only if the head is accepted. */
	counts = load(member, NOW - 1200 * NS_PER_SEC);
	ok(counts && !counts[REASON_FRAME_AGE] && counts[REASON_FRAME_BYTES] == 1,
	   "a keyframe of 20 minutes is loaded, as far as its content is there");
	counts = load(member, NOW - 1200 * NS_PER_SEC - 1);
	ok(counts && counts[REASON_FRAME_AGE] == 1 && !counts[REASON_FRAME_BYTES],
	   "an older one is refused");
	/* Ten bytes that are no compressed content change nothing, so there is no hurry. */
	value.content = true;
	crypto_generichash(frame.hash, FRAME_HASH, (const uint8_t[10]) { 0 }, 10, NULL, 0);
	counts = load(member, NOW);
	ok(counts && counts[REASON_FRAME_BYTES] == 1 && !member->reader.torn,
	   "one that is refused whole is not torn");
	frame.entries = 6100;
	counts = load(member, NOW);
	ok(counts && counts[REASON_FRAME_GROWTH] == 1 && !counts[REASON_FRAME_BYTES],
	   "so is one that adds too much");
	frame.entries = 5000;
	frame.packed = 1ULL << 40;
	counts = load(member, NOW);
	ok(counts && counts[REASON_SIZE] == 1, "and one that would fill the memory");
	value.bytes[100] ^= 1;
	memset(member->counts, 0, sizeof(member->counts));
	ok(frame_load(member) && member->counts[REASON_FORGED] == 1, "a changed head is forged");
	free(member->state);
	free(member);
}

/* --- a keyframe with the holders of a key ----------------------------------- */

#define HASH	0x9e3779b97f4a7c15ULL

static int value_add(struct store *store, size_t who, const struct seen_feed_record *keys,
		     size_t count, const uint64_t *age, uint8_t *results)
{
	(void)store;
	(void)who;
	(void)keys;
	(void)age;
	memset(results, SEEN_HASH_NEW, count);
	return 0;
}

static const struct store_ops add_ops = { .info = value_info, .add = value_add };

/*
 * The newest message is 15 minutes older than the keyframe, because no aggregator sent meanwhile.
 * The time since then does not make the keys older.
 */
static void test_sighting(void)
{
	uint64_t seen = NOW - 10 * NS_PER_SEC, late = NOW + 5 * NS_PER_SEC;
	struct member *member = calloc(1, sizeof(*member));
	struct store store = { &add_ops };
	uint32_t who = group.peers[0].number;
	const struct holder *holder;
	struct holders *holders;
	uint8_t *bytes;
	size_t len;

	begin();
	group.deletes = true;
	group.window = 3600 * NS_PER_SEC;
	member->group = &group;
	member->store = &store;
	member->state = calloc(1, sizeof(*member->state));
	member->publisher.index = calloc(1, sizeof(*member->publisher.index));
	member->mono = NOW;
	holders = &member->state->holders;
	holders_make(holders, HASH, HOLDER_PUBLISHER, who, seen, 0);
	frame.id = NOW;
	frame.node.time = NOW - 900 * NS_PER_SEC;
	ok(frame_content(member, &frame, &bytes, &len) && len, "a keyframe of a key's holders");
	holders_clear(holders);
	member->mono = late;
	ok(frame_apply(member, &frame, bytes, len), "it is loaded later");
	holder = holders_find(holders, HASH, HOLDER_PUBLISHER, who);
	ok(holder && holder->when + NS_PER_SEC > seen && holder->when < seen + NS_PER_SEC,
	   "the key is as old as it was, whenever the newest message was sent");
	free(bytes);
	free(member->publisher.index);
	free(member->state);
	free(member);
	group.window = 0;
}

int main(void)
{
	tap_begin(18);
	group_make(&group, 2, 1, 1);
	test_judge();
	test_blast();
	test_age();
	test_sighting();
	group_free(&group);
	return tap_end();
}
