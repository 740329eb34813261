/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The chain of batches, and where this host stands in it. Each OUT message names the head before
 * it; the head behind it is BLAKE2b-128(head before it | message).
 *
 * A new aggregator writes a START with a higher epoch, which ends all lower epochs at this place of
 * the stream. Its first OUT names the head that it found before its START ("base"), and
 * BLAKE2b-128(START | base) as the head before itself. If the base is an older head of this host,
 * the engine has lost the messages behind it. If the base is unknown, messages are missing here.
 *
 * The chain lies in memory that outlives the daemon. A node is written before it is counted, so
 * that the daemon may be killed at any time.
 */
#ifndef SEEND_CHAIN_H
#define SEEND_CHAIN_H

#include "body.h"
#include "engine.h"

/* More than an aggregator sends within KEEP_TIME, at five batches a second. */
#define CHAIN_NODES	8192
/* Bytes of a START, sealed. */
#define START_ROOM	(MESSAGE_LEAST + SEAL_LEN)

/**
 * struct chain_node - a message that was accepted
 * @head: of the chain behind it
 * @epoch: of the message
 * @sequence: of the message
 * @time: of the message, ns of the engine's clock
 * @id: of its entry
 * @covers: of the message
 */
struct chain_node {
	uint8_t head[CHAIN_LEN];
	uint64_t epoch;
	uint64_t sequence;
	uint64_t time;
	struct engine_id id;
	struct engine_id covers;
};

/**
 * struct chain - see above; zeroed memory is an empty chain
 * @identity: of the filter that has the keys of these messages
 * @check: of the group when this state was written; 0: never
 * @wrong: the filter had another check meanwhile, so the hashes of its feed are of no use
 * @run: id of the engine's process from which was read last
 * @position: the last entry that was read
 * @again: up to this entry messages that are known are applied again
 * @count: nodes that were ever written; node n is at place n % CHAIN_NODES, the first is 1
 * @floor: nodes before this one are forgotten
 * @current: the node at which this host stands; 0: none
 * @gap: first node behind a gap that no keyframe has closed yet; 0: no gap
 * @gap_time: when the gap was found, ns of the engine's clock
 * @epoch: the highest that was read on the way to @position
 * @leader: sender of @epoch
 * @forked: an epoch whose aggregator has signed two histories; only messages that continue this
 *	    host's are accepted in it
 * @start_len: bytes of @start; 0: @epoch has had its first OUT
 * @start: the START of @epoch
 * @node: see @count
 */
struct chain {
	uint64_t identity;
	uint64_t check;
	uint64_t wrong;
	char run[RUN_ROOM];
	struct engine_id position;
	struct engine_id again;
	uint64_t count;
	uint64_t floor;
	uint64_t current;
	uint64_t gap;
	uint64_t gap_time;
	uint64_t epoch;
	uint64_t leader;
	uint64_t forked;
	uint64_t start_len;
	uint8_t start[START_ROOM];
	struct chain_node node[CHAIN_NODES];
};

enum chain_verdict {
	CHAIN_NEXT,	/* the next message */
	CHAIN_LOST,	/* the next message behind an older node: the engine has lost messages */
	CHAIN_GAP,	/* a later message: messages are missing here */
	CHAIN_KNOWN,	/* it was accepted before */
	CHAIN_REPLAY,	/* it is older than all nodes */
	CHAIN_EPOCH,	/* by an aggregator that was replaced */
	CHAIN_FORK,	/* contradicts a message that was accepted */
};

/**
 * struct chain_step - a judged message
 * @verdict: see above
 * @rewind: CHAIN_LOST: the node behind which the message stands; 0: before the first one
 * @head: of the chain behind the message
 */
struct chain_step {
	enum chain_verdict verdict;
	uint64_t rewind;
	uint8_t head[CHAIN_LEN];
};

/**
 * chain_judge() - find the place of a verified OUT message
 * @chain: is not changed
 * @message: OUT
 * @sender: id of its sender
 * @out: head of its body
 * @bytes: the whole message
 * @len: of @bytes
 */
struct chain_step chain_judge(const struct chain *chain, const struct message *message,
			      uint64_t sender, const struct out_head *out, const uint8_t *bytes,
			      size_t len);

/* chain_accept() - store a message of verdict NEXT, LOST or GAP */
void chain_accept(struct chain *chain, const struct chain_step *step,
		  const struct message *message, uint64_t sender, const struct out_head *out,
		  struct engine_id id);

/* chain_start() - judge a verified START, and store it; false: it is not the first of its epoch */
bool chain_start(struct chain *chain, const struct message *message, uint64_t sender,
		 const uint8_t *bytes, size_t len);

/* chain_again() - read the stream again from its oldest entry, and apply what is known again */
void chain_again(struct chain *chain);

/* chain_miss() - messages are missing before the next one; @time: ns of the engine's clock */
void chain_miss(struct chain *chain, uint64_t time);

/* chain_find() - the node with this head; 0: none */
uint64_t chain_find(const struct chain *chain, const uint8_t head[CHAIN_LEN]);

/* chain_at() - the current node, or NULL */
const struct chain_node *chain_at(const struct chain *chain);

/* chain_base() - the head before the next message; zeros before the first one */
const uint8_t *chain_base(const struct chain *chain);

/* chain_is_empty() - no message was accepted yet, or all are forgotten */
bool chain_is_empty(const struct chain *chain);

/* chain_jump() - forget all nodes, and stand behind a message that is known from a keyframe only */
void chain_jump(struct chain *chain, const struct chain_node *node, uint64_t leader);

/* chain_reset() - forget all nodes, and read from the oldest entry */
void chain_reset(struct chain *chain);

/* chain_valid() - may this memory have been written by chain_accept()? */
bool chain_valid(const struct chain *chain);

#endif
