// SPDX-License-Identifier: GPL-2.0
/* Messages that nobody has sent, or not now. None of them may change anything. */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

static uint8_t bytes[MESSAGE_MOST];

/* Copy a random entry of a random stream; returns its length, or 0. */
static size_t attack_copy(struct sim *sim)
{
	const struct sim_stream *stream = &sim->server.stream[random_below(2)];
	const struct sim_entry *entry;

	if (!stream->count)
		return 0;
	entry = &stream->entry[random_below(stream->count)];
	memcpy(bytes, entry->bytes, entry->len);
	return entry->len;
}

/* A message of a publisher that leaves no higher epoch to the aggregators. */
static size_t attack_epoch(struct sim *sim)
{
	struct sim_host *host = &sim->host[random_below(sim->plan->hosts)];
	uint8_t body[16];
	struct writer to = { body, sizeof(body), 0, false };
	struct message message = {
		.type = MESSAGE_PUBLISH,
		.epoch = UINT64_MAX - random_below(2),
		.sequence = ++host->state->outbox.sequence,
		.time = sim->now + sim->server.skew,
		.body = body,
	};

	section_put(&to, NULL, 0, false);
	message.len = to.used;
	return message_write(&host->group, &message, bytes);
}

void sim_attack(struct sim *sim)
{
	size_t len = attack_copy(sim);
	struct engine_id id;

	if (!len)
		return;
	switch (random_below(6)) {
	case 0:		/* a replay */
		break;
	case 1:		/* a flipped bit */
		bytes[random_below(len)] ^= 1 << random_below(8);
		break;
	case 2:		/* a part */
		len = random_below(len);
		break;
	case 3:		/* ones */
		memset(bytes, 0xff, len);
		break;
	case 4:		/* another signature */
		memset(bytes + len - SIGNATURE_LEN, 0x5a, SIGNATURE_LEN);
		break;
	case 5:		/* the last epoch */
		len = attack_epoch(sim);
		break;
	}
	server_append(&sim->server, random_below(2) ? STREAM_OUT : STREAM_IN, bytes, len,
		      sim->now, &id);
}

/* The key of messages that an aggregator has signed although it has signed others. */
#define FORGED_HASH	0x666

/* Sign another message of the same epoch and sequence as the newest batch. */
void sim_fork(struct sim *sim)
{
	const struct sim_stream *stream = &sim->server.stream[STREAM_OUT];
	struct seen_feed_record key = { .hash = FORGED_HASH };
	static uint8_t body[BODY_MOST], plain[BODY_MOST];
	static struct out_head out;
	struct message message;
	struct writer to = { body, sizeof(body), 0, false };
	struct cursor from;
	struct engine_id id;
	struct sim_host *host = &sim->host[0];

	if (!stream->count)
		return;
	if (message_read(&host->group, stream->entry[stream->count - 1].bytes,
			 stream->entry[stream->count - 1].len, plain, &message) ||
	    message.type != MESSAGE_OUT)
		return;
	from = (struct cursor) { message.body, message.len, false };
	out_head_get(&from, &out);
	out.sections = 1;
	out_head_put(&to, &out);
	if (group_sectioned(&host->group))
		put_varint(&to, 0);
	section_put(&to, &key, 1, false);
	message.body = body;
	message.len = to.used;
	for (size_t i = 0; i < sim->plan->hosts; i++)
		if (sim->host[i].group.self == message.peer)
			host = &sim->host[i];
	server_append(&sim->server, STREAM_OUT, bytes, message_write(&host->group, &message, bytes),
		      sim->now, &id);
}
