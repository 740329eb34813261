// SPDX-License-Identifier: GPL-2.0
/* Messages: only those that a host of the group has signed, for this group, are accepted. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/seend/message.h"
#include "tap.h"

static uint8_t bytes[MESSAGE_MOST], scratch[BODY_MOST], body[BODY_MOST + 1];
static struct group sender, reader;

static const struct message sample = {
	.type = MESSAGE_OUT, .epoch = 3, .sequence = 4, .time = 5, .previous = { 6 },
	.body = (const uint8_t *)"some keys", .len = 9,
};

/* write_as() - write a message as host @self of three. The first host aggregates */
static size_t write_as(size_t self, enum message_type type)
{
	struct message message = sample;
	struct group group;
	size_t len;

	group_make(&group, 3, 1, self);
	group.sealed = reader.sealed;
	message.type = type;
	len = message_write(&group, &message, bytes);
	group_free(&group);
	return len;
}

static enum reason read_back(size_t len)
{
	struct message message;

	return message_read(&reader, bytes, len, scratch, &message);
}

static void test_same(bool sealed)
{
	struct message got;
	size_t len;

	sender.sealed = sealed;
	reader.sealed = sealed;
	len = message_write(&sender, &sample, bytes);
	ok(len == MESSAGE_LEAST + 9 + (sealed ? (size_t)SEAL_LEN : 0), "a message is written%s",
	   sealed ? ", sealed" : "");
	ok(message_read(&reader, bytes, len, scratch, &got) == REASON_NONE &&
	   got.type == MESSAGE_OUT && got.epoch == 3 && got.sequence == 4 && got.time == 5 &&
	   !memcmp(got.previous, sample.previous, CHAIN_LEN) && got.len == 9 &&
	   !memcmp(got.body, "some keys", 9) && got.peer == sender.self, "and read");
	ok(!memmem(bytes, len, "some keys", 9) == sealed, "its body is%s readable",
	   sealed ? " not" : "");
}

/* No bit of a message can be changed, no byte left out or added. */
static void test_damage(void)
{
	size_t len = message_write(&sender, &sample, bytes);
	bool flipped = true, cut = true;

	for (size_t bit = 0; bit < len * 8; bit++) {
		bytes[bit / 8] ^= 1 << bit % 8;
		flipped &= read_back(len) != REASON_NONE;
		bytes[bit / 8] ^= 1 << bit % 8;
	}
	for (size_t part = 0; part < len; part++)
		cut &= read_back(part) != REASON_NONE;
	ok(flipped, "a message with a flipped bit is refused");
	ok(cut && read_back(len + 1) != REASON_NONE, "a truncated or extended message is refused");
	memset(bytes, 0xff, sizeof(bytes));
	ok(read_back(len) == REASON_FORMAT && read_back(MESSAGE_MOST) == REASON_FORMAT,
	   "a message of ones is refused");
}

static void test_senders(void)
{
	struct group stranger;
	struct message got;
	size_t len;

	ok(read_back(write_as(0, MESSAGE_OUT)) == REASON_NONE &&
	   read_back(write_as(1, MESSAGE_PUBLISH)) == REASON_NONE, "hosts with the right");
	ok(read_back(write_as(1, MESSAGE_OUT)) == REASON_SENDER &&
	   read_back(write_as(1, MESSAGE_START)) == REASON_SENDER &&
	   read_back(write_as(1, MESSAGE_FRAME)) == REASON_SENDER,
	   "a publisher is not an aggregator");
	group_make(&stranger, 9, 9, 8);
	len = message_write(&stranger, &sample, bytes);
	ok(message_read(&reader, bytes, len, scratch, &got) == REASON_SENDER, "a stranger");
	group_free(&stranger);
	len = write_as(0, MESSAGE_OUT);
	bytes[len - 1] ^= 1;
	ok(read_back(len) == REASON_FORGED, "a wrong signature");
}

static void test_groups(void)
{
	size_t len;

	sender.id ^= 1;
	len = message_write(&sender, &sample, bytes);
	sender.id ^= 1;
	ok(read_back(len) == REASON_GROUP, "another group");
	sender.check = group_check("dst", (const uint8_t *)"0123456789abcdef", 16);
	len = message_write(&sender, &sample, bytes);
	ok(read_back(len) == REASON_CHECK, "another key specification");
	sender.check = group_check("src", (const uint8_t *)"0123456789abcdeF", 16);
	len = message_write(&sender, &sample, bytes);
	ok(read_back(len) == REASON_CHECK, "another secret");
	sender.check = group_check("src", (const uint8_t *)"0123456789abcdef", 16);
	sender.sealed = false;
	len = message_write(&sender, &sample, bytes);
	ok(read_back(len) == REASON_SEAL, "an open message in a sealed group");
	sender.sealed = true;
	((uint8_t *)sender.seal)[0] ^= 1;
	len = message_write(&sender, &sample, bytes);
	ok(read_back(len) == REASON_SEAL, "another seal");
	((uint8_t *)sender.seal)[0] ^= 1;
}

/* Hosts that understand a batch differently refuse it. The sender is known if it has signed it. */
static void test_modes(void)
{
	struct message got;
	size_t len;

	sender.deletes = true;
	len = message_write(&sender, &sample, bytes);
	sender.deletes = false;
	ok(message_read(&reader, bytes, len, scratch, &got) == REASON_CHECK &&
	   got.peer == sender.self, "a group with deletes; the sender is known");
	sender.each = true;
	len = message_write(&sender, &sample, bytes);
	sender.each = false;
	ok(read_back(len) == REASON_CHECK, "a group in mode each");
	len = write_as(1, MESSAGE_OUT);
	ok(message_read(&reader, bytes, len, scratch, &got) == REASON_SENDER &&
	   got.peer != PEERS_MAX && !reader.peers[got.peer].aggregates,
	   "the sender of a batch that may not send it is known");
	bytes[len - 1] ^= 1;
	ok(message_read(&reader, bytes, len, scratch, &got) == REASON_FORGED &&
	   got.peer == PEERS_MAX, "the sender of a forged one is not");
}

static void test_glance(void)
{
	uint64_t sequence;
	size_t len, peer;
	bool good = true;

	for (size_t i = 0; i < reader.count; i++)
		good &= group_peer(&reader, reader.peers[i].id) == (int)i;
	ok(good && group_peer(&reader, 0) < 0, "each host is found by its id");
	len = write_as(0, MESSAGE_OUT);
	ok(message_glance(&reader, bytes, len, &peer, &sequence) &&
	   peer == sender.self && sequence == sample.sequence, "a glance at a message");
	ok(!message_glance(&reader, bytes, MESSAGE_LEAST - 1, &peer, &sequence),
	   "a glance at a short message");
}

static void test_sizes(void)
{
	struct message message = sample, got;
	size_t len;

	message.body = body;
	message.len = BODY_MOST;
	randombytes_buf(body, sizeof(body));
	len = message_write(&sender, &message, bytes);
	ok(len == MESSAGE_MOST &&
	   message_read(&reader, bytes, len, scratch, &got) == REASON_NONE &&
	   got.len == BODY_MOST && !memcmp(got.body, body, BODY_MOST), "the longest message");
	message.len++;
	ok(!message_write(&sender, &message, bytes), "a body that is too long");
}

int main(void)
{
	tap_begin(27);
	group_make(&sender, 3, 1, 0);
	group_make(&reader, 3, 1, 2);
	test_same(false);
	test_same(true);
	test_damage();
	test_senders();
	test_groups();
	test_modes();
	test_glance();
	test_sizes();
	group_free(&sender);
	group_free(&reader);
	return tap_end();
}
