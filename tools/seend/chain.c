// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "chain.h"

static const uint8_t zeros[CHAIN_LEN];

static const struct chain_node *chain_node(const struct chain *chain, uint64_t index)
{
	return &chain->node[index % CHAIN_NODES];
}

/* The oldest node that is not overwritten, nor being overwritten when the daemon was killed. */
static uint64_t chain_oldest(const struct chain *chain)
{
	uint64_t oldest = chain->count >= CHAIN_NODES - 1 ? chain->count - CHAIN_NODES + 2 : 1;

	return oldest > chain->floor ? oldest : chain->floor;
}

bool chain_is_empty(const struct chain *chain)
{
	return chain->count < chain_oldest(chain);
}

uint64_t chain_find(const struct chain *chain, const uint8_t head[CHAIN_LEN])
{
	for (uint64_t i = chain->count; i && i >= chain_oldest(chain); i--)
		if (!memcmp(chain_node(chain, i)->head, head, CHAIN_LEN))
			return i;
	return 0;
}

/* Is there a node of the same epoch and sequence, with another head? */
static bool chain_contradicts(const struct chain *chain, const struct message *message)
{
	for (uint64_t i = chain->count; i && i >= chain_oldest(chain); i--)
		if (chain_node(chain, i)->epoch == message->epoch &&
		    chain_node(chain, i)->sequence == message->sequence)
			return true;
	return false;
}

const struct chain_node *chain_at(const struct chain *chain)
{
	return chain->current ? chain_node(chain, chain->current) : NULL;
}

const uint8_t *chain_base(const struct chain *chain)
{
	return chain->current ? chain_node(chain, chain->current)->head : zeros;
}

/* The first OUT behind a START: find the node that it continues. */
static void chain_judge_first(const struct chain *chain, const struct message *message,
			      const struct out_head *out, struct chain_step *step)
{
	uint8_t previous[CHAIN_LEN];

	if (message->sequence > 1) {
		step->verdict = CHAIN_GAP;
		return;
	}
	chain_hash(previous, chain->start, chain->start_len, out->base, CHAIN_LEN);
	if (!out->has_base || memcmp(previous, message->previous, CHAIN_LEN)) {
		step->verdict = CHAIN_FORK;
		return;
	}
	if (!memcmp(out->base, chain_base(chain), CHAIN_LEN) &&
	    (chain->current || chain_is_empty(chain))) {
		step->verdict = CHAIN_NEXT;
		return;
	}
	step->rewind = chain_find(chain, out->base);
	step->verdict = CHAIN_GAP;
	if (step->rewind || (!chain_is_empty(chain) && !memcmp(out->base, zeros, CHAIN_LEN)))
		step->verdict = CHAIN_LOST;
}

struct chain_step chain_judge(const struct chain *chain, const struct message *message,
			      uint64_t sender, const struct out_head *out, const uint8_t *bytes,
			      size_t len)
{
	const struct chain_node *at = chain_at(chain);
	struct chain_step step = { .verdict = CHAIN_KNOWN };

	chain_hash(step.head, message->previous, CHAIN_LEN, bytes, len);
	if (chain_find(chain, step.head))
		return step;
	if (message->epoch < chain->epoch ||
	    (message->epoch == chain->epoch && sender != chain->leader))
		step.verdict = CHAIN_EPOCH;
	else if (message->epoch > chain->epoch)
		step.verdict = CHAIN_GAP;
	else if (chain->start_len)
		chain_judge_first(chain, message, out, &step);
	else if (!at || at->epoch != message->epoch || message->sequence > at->sequence + 1)
		step.verdict = CHAIN_GAP;
	else if (message->sequence == at->sequence + 1)
		step.verdict = memcmp(message->previous, at->head, CHAIN_LEN) ? CHAIN_FORK :
			CHAIN_NEXT;
	else
		step.verdict = chain_contradicts(chain, message) ? CHAIN_FORK : CHAIN_REPLAY;
	/* A later message of the other history would look like one behind a gap. */
	if (step.verdict == CHAIN_GAP && chain->forked == message->epoch)
		step.verdict = CHAIN_FORK;
	return step;
}

static void chain_push(struct chain *chain, const struct chain_node *node)
{
	chain->node[(chain->count + 1) % CHAIN_NODES] = *node;
	__atomic_store_n(&chain->count, chain->count + 1, __ATOMIC_RELEASE);
	chain->current = chain->count;
}

/* The publishers send again what is at most KEEP_TIME old; this host may have missed more. */
static bool chain_missed(const struct chain *chain, const struct chain_step *step, uint64_t time)
{
	const struct chain_node *newest = chain_node(chain, chain->count);

	if (step->verdict == CHAIN_GAP)
		return true;
	return step->verdict == CHAIN_LOST && !step->rewind &&
	       (newest->time > time || time - newest->time > TRIM_RISK);
}

void chain_miss(struct chain *chain, uint64_t time)
{
	chain->gap_time = time;
	chain->gap = chain->count + 1;
}

void chain_again(struct chain *chain)
{
	if (engine_id_compare(chain->again, chain->position) < 0)
		chain->again = chain->position;
	chain->position = (struct engine_id) { 0, 0 };
}

void chain_accept(struct chain *chain, const struct chain_step *step,
		  const struct message *message, uint64_t sender, const struct out_head *out,
		  struct engine_id id)
{
	struct chain_node node = {
		.epoch = message->epoch,
		.sequence = message->sequence,
		.time = message->time,
		.id = id,
		.covers = out->covers,
	};

	memcpy(node.head, step->head, CHAIN_LEN);
	if (chain_missed(chain, step, message->time))
		chain_miss(chain, message->time);
	chain->epoch = message->epoch;
	chain->leader = sender;
	chain_push(chain, &node);
	chain->start_len = 0;
}

bool chain_start(struct chain *chain, const struct message *message, uint64_t sender,
		 const uint8_t *bytes, size_t len)
{
	if (message->epoch <= chain->epoch || len > START_ROOM)
		return false;
	memcpy(chain->start, bytes, len);
	chain->start_len = len;
	chain->leader = sender;
	chain->epoch = message->epoch;
	return true;
}

void chain_jump(struct chain *chain, const struct chain_node *node, uint64_t leader)
{
	/* A START behind the keyframe is read again. */
	chain_reset(chain);
	chain->epoch = node->epoch;
	chain->leader = leader;
	chain->position = node->id;
	chain_push(chain, node);
}

void chain_reset(struct chain *chain)
{
	chain->floor = chain->count + 1;
	chain->current = 0;
	chain->gap = 0;
	chain->start_len = 0;
	/* The stream is read from its oldest entry, so its epochs ascend once more. */
	chain->epoch = 0;
	chain->leader = 0;
	chain->position = (struct engine_id) { 0, 0 };
	chain->again = chain->position;
}

bool chain_valid(const struct chain *chain)
{
	return chain->current <= chain->count && chain->gap <= chain->count + 1 &&
	       chain->start_len <= START_ROOM && chain->run[RUN_ROOM - 1] == '\0' &&
	       (!chain->current || chain->current >= chain_oldest(chain));
}
