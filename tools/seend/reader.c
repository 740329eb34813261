// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "frame.h"
#include "member.h"

/* Messages that are applied before this host's other work gets its turn. */
#define READ_MOST	64
/* A keyframe that is needed is tried so often, ns. */
#define FRAME_RETRY	(10 * NS_PER_SEC)

static uint64_t reader_sender(const struct member *member, const struct message *message)
{
	return member->group->peers[message->peer].id;
}

/* Messages were missed, so what they acknowledged or refused is not known. */
static void reader_unsend(struct member *member, uint64_t node)
{
	struct outbox *outbox = &member->state->outbox;
	size_t again = outbox_rewind(outbox, node, member_now(member));

	if (!node)
		again += outbox_unsend(outbox, member_now(member));
	member_count(member, REASON_RESEND, again);
}

static enum reason reader_reason(enum chain_verdict verdict)
{
	switch (verdict) {
	case CHAIN_EPOCH:
		return REASON_EPOCH;
	case CHAIN_FORK:
		return REASON_FORK;
	default:
		return REASON_REPLAY;
	}
}

/* Apply a message that continues the chain; false: try again. */
static bool reader_accept(struct member *member, const struct chain_step *step,
			  const struct message *message, struct cursor *body, struct engine_id id)
{
	struct chain *chain = &member->state->chain;
	uint64_t now = member_now(member), latest = now + AHEAD_MOST;
	uint64_t time = message->time < latest ? message->time : latest;

	if (!apply_batch(member, message, body)) {
		member->reader.stuck = true;
		return false;
	}
	if (step->verdict == CHAIN_LOST) {
		member_count(member, REASON_LOST_TAIL, 1);
		reader_unsend(member, step->rewind);
	} else if (step->verdict == CHAIN_GAP) {
		member_count(member, REASON_GAP, !chain_is_empty(chain));
		reader_unsend(member, 0);
	}
	member_count(member, REASON_RESEND,
		     outbox_cover(&member->state->outbox, &member->out,
				  member->group, time, chain->count + 1));
	if (outbox_over_quota(&member->out, member->group))
		member->publisher.refused = message->time < now ? message->time : now;
	blame_end(member->blames, message->peer, member->out.roster == member->group->roster,
		  now);
	chain_accept(chain, step, message, reader_sender(member, message), &member->out, id);
	if (member->reader.missed)
		chain_miss(chain, message->time);
	member->reader.time = message->time;
	return true;
}

static bool reader_out(struct member *member, const struct message *message,
		       const uint8_t *bytes, size_t len, struct engine_id id)
{
	struct cursor body = { message->body, message->len, false };
	struct chain *chain = &member->state->chain;
	struct chain_step step;

	out_head_get(&body, &member->out);
	if (body.bad) {
		member_refuse(member, REASON_BODY, message);
		return true;
	}
	step = chain_judge(chain, message, reader_sender(member, message), &member->out, bytes,
			   len);
	if (step.verdict <= CHAIN_GAP)
		return reader_accept(member, &step, message, &body, id);
	if (step.verdict == CHAIN_KNOWN && engine_id_compare(id, chain->again) <= 0) {
		member->reader.stuck = !apply_again(member, message, &body);
		return !member->reader.stuck;
	}
	member_refuse(member, reader_reason(step.verdict), message);
	if (step.verdict == CHAIN_FORK)
		chain->forked = message->epoch;
	/* The sender may not know the highest epoch, if the engine has lost it. */
	if (step.verdict == CHAIN_EPOCH)
		member->publisher.call = true;
	return true;
}

/*
 * A replica that follows another primary now begins with a START that this host does not know. Read
 * no further until its history has been looked at.
 */
static bool reader_suspects(struct member *member)
{
	if (!member->engine->split)
		return false;
	member->clock_next = member->mono;
	return true;
}

/* Is this the START that was read last? */
static bool reader_is_start(const struct chain *chain, const uint8_t *bytes, size_t len)
{
	return len == chain->start_len && !memcmp(chain->start, bytes, len);
}

static bool reader_entry(void *context, struct engine_id id, const uint8_t *bytes, size_t len)
{
	struct member *member = context;
	struct chain *chain = &member->state->chain;
	struct message message;
	enum reason reason = message_read(member->group, bytes, len, member->plain, &message);
	bool more = true;

	member->reader.caught_up = false;
	if (!reason && !member_epoch_may_be(member, message.epoch))
		reason = REASON_EPOCH;
	if (!reason && message.type == MESSAGE_OUT) {
		if (!reader_out(member, &message, bytes, len, id))
			return false;
	} else if (!reason && message.type == MESSAGE_START) {
		if (!reader_is_start(chain, bytes, len) &&
		    !chain_start(chain, &message, reader_sender(member, &message), bytes, len)) {
			member_refuse(member, REASON_EPOCH, &message);
			member->publisher.call |= message.epoch < chain->epoch;
		}
		more = !reader_suspects(member);
	} else {
		member_refuse(member, reason ? reason : REASON_FORMAT, &message);
	}
	chain->position = id;
	return more;
}

/**
 * struct reader_place - the search for the newest message that is known
 * @member: this host
 * @found: its node; 0: none yet
 * @id: its entry, or the oldest one that was read
 * @entries: number of entries that were read
 */
struct reader_place {
	struct member *member;
	uint64_t found;
	struct engine_id id;
	size_t entries;
};

static bool reader_is_known(void *context, struct engine_id id, const uint8_t *bytes, size_t len)
{
	struct reader_place *place = context;
	struct member *member = place->member;
	uint8_t head[CHAIN_LEN];
	struct message message;

	place->id = id;
	place->entries++;
	if (message_read(member->group, bytes, len, member->plain, &message) ||
	    message.type != MESSAGE_OUT)
		return true;
	chain_hash(head, message.previous, CHAIN_LEN, bytes, len);
	place->found = chain_find(&member->state->chain, head);
	return !place->found;
}

/*
 * The engine was restarted, so its newest messages may be lost, and later ones may have lower ids.
 * Stand at the newest message that it still has.
 */
void reader_restarted(struct member *member)
{
	struct chain *chain = &member->state->chain;
	struct engine_id newest = { UINT64_MAX, UINT64_MAX };
	struct reader_place place = { member, 0, newest, 1 };
	bool again = engine_id_compare(chain->position, chain->again) < 0;
	/* The server may be far away, and the newest message is often known. */
	size_t most = member->engine->split ? 1 : READ_MOST;

	while (!chain_is_empty(chain) && !place.found && place.entries) {
		place.entries = 0;
		if (!member_engine(member, member->engine->ops->back(member->engine, STREAM_OUT,
								     place.id, most,
								     reader_is_known, &place)))
			return;
		most = most < READ_MOST / 4 ? 4 * most : READ_MOST;
	}
	if (place.found != chain->current || !place.found)
		reader_unsend(member, place.found);
	if (place.found != chain->current && !chain_is_empty(chain))
		member_count(member, REASON_LOST_TAIL, 1);
	chain->current = place.found;
	chain->position = place.found ? place.id : (struct engine_id) { 0, 0 };
	if (again)
		chain_again(chain);
	member->reader.placed = true;
}

void reader_begin(struct member *member)
{
	struct reader *reader = &member->reader;

	reader->joined = false;
	reader->torn = false;
	reader->frame = 0;
	reader->frame_next = 0;
}

/* Load a keyframe at the beginning, and whenever messages are missing. */
static void reader_frame(struct member *member)
{
	struct chain *chain = &member->state->chain;
	struct reader *reader = &member->reader;
	uint64_t now = member_now(member), mono = member->mono;

	if ((reader->joined || !chain_is_empty(chain)) && !chain->gap)
		return;
	if (reader->joined && mono < reader->frame_next)
		return;
	if (!frame_load(member))
		return;
	reader->frame_next = mono + (reader->torn ? NS_PER_SEC : FRAME_RETRY);
	reader->joined = true;
	/* The rest of the keyframe is missing, also if no message is. */
	if (reader->torn && !chain->gap)
		chain_miss(chain, now);
	/* No host has more: what is missing was never acknowledged, or is lost. */
	if (chain->gap && now > chain->gap_time && now - chain->gap_time > FRAME_AGE_MOST) {
		chain->gap = 0;
		reader->torn = false;
	}
}

void reader_tick(struct member *member)
{
	struct chain *chain = &member->state->chain;

	reader_frame(member);
	if (!member->online || (!member->reader.joined && chain_is_empty(chain)))
		return;
	member->reader.stuck = false;
	member->reader.caught_up = true;
	member_engine(member, member->engine->ops->read(member->engine, STREAM_OUT,
							chain->position, READ_MOST,
							reader_entry, member));
}
