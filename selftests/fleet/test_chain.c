// SPDX-License-Identifier: GPL-2.0
/* The chain: the place of each message, as a reader sees it. */
#include <stdlib.h>
#include <string.h>

#include "../../tools/seend/chain.h"
#include "tap.h"

/* struct term - an aggregator; @head: of its chain */
struct term {
	uint64_t sender;
	uint64_t epoch;
	uint64_t sequence;
	uint8_t head[CHAIN_LEN];
	uint8_t base[CHAIN_LEN];
};

static struct chain *chain;
static uint64_t entry;

/* Bytes of a message need not be a real message here, but differ for different ones. */
static size_t bytes_of(const struct term *term, const char *text, uint8_t bytes[64])
{
	memset(bytes, 0, 64);
	memcpy(bytes, term, 24);
	strncpy((char *)bytes + 24, text, 16);
	return 64;
}

/* A new aggregator that found the head @base; @told: its START reaches the reader. */
static struct term start(uint64_t sender, uint64_t epoch, const uint8_t *base, bool told)
{
	struct term term = { .sender = sender, .epoch = epoch };
	struct message message = { .epoch = epoch };
	uint8_t bytes[64];
	size_t len = bytes_of(&term, "start", bytes);

	memcpy(term.base, base, CHAIN_LEN);
	chain_hash(term.head, bytes, len, base, CHAIN_LEN);
	if (told)
		chain_start(chain, &message, sender, bytes, len);
	return term;
}

/* The next message of an aggregator, as the reader judges it; accepted verdicts are stored. */
static enum chain_verdict next(struct term *term, const char *text, bool told)
{
	struct message message = { .epoch = term->epoch, .time = ++entry * NS_PER_SEC };
	static struct out_head out;
	struct chain_step step;
	uint8_t bytes[64];
	size_t len;

	message.sequence = ++term->sequence;
	len = bytes_of(term, text, bytes);
	out.has_base = term->sequence == 1;
	memcpy(out.base, term->base, CHAIN_LEN);
	memcpy(message.previous, term->head, CHAIN_LEN);
	chain_hash(term->head, term->head, CHAIN_LEN, bytes, len);
	if (!told)
		return CHAIN_KNOWN;
	step = chain_judge(chain, &message, term->sender, &out, bytes, len);
	if (step.verdict <= CHAIN_GAP)
		chain_accept(chain, &step, &message, term->sender, &out,
			     (struct engine_id) { entry, 0 });
	return step.verdict;
}

static struct term begin(void)
{
	static const uint8_t zeros[CHAIN_LEN];

	memset(chain, 0, sizeof(*chain));
	return start(1, 10, zeros, true);
}

static void test_order(void)
{
	struct term a = begin(), again;

	ok(next(&a, "1", true) == CHAIN_NEXT && next(&a, "2", true) == CHAIN_NEXT &&
	   !chain->gap, "a new group has no gap");
	again = a;
	next(&a, "3", true);
	ok(next(&again, "3", true) == CHAIN_KNOWN, "a message that comes twice");
	again = a;
	again.sequence -= 2;
	ok(next(&again, "2b", true) == CHAIN_FORK, "another message of the same sequence");
	again = a;
	again.head[0] ^= 1;
	ok(next(&again, "4b", true) == CHAIN_FORK, "a message with another history");
	next(&a, "4", false);
	ok(next(&a, "5", true) == CHAIN_GAP && chain->gap == chain->current,
	   "a message is missing");
}

static void test_terms(void)
{
	struct term a = begin(), b, c;

	next(&a, "1", true);
	next(&a, "2", true);
	b = start(2, 11, chain_base(chain), true);
	ok(next(&a, "3", true) == CHAIN_EPOCH, "the former aggregator ends at the START");
	ok(next(&b, "1", true) == CHAIN_NEXT && next(&b, "2", true) == CHAIN_NEXT,
	   "the next one continues the chain");
	c = start(3, 11, chain_base(chain), true);
	ok(next(&c, "1", true) == CHAIN_EPOCH, "a second START of an epoch is void");
	c = start(3, 12, chain_base(chain), false);
	ok(next(&c, "1", true) == CHAIN_GAP, "the START is missing");
}

static void test_tail(void)
{
	struct term a = begin(), b;
	uint8_t base[CHAIN_LEN];

	next(&a, "1", true);
	memcpy(base, chain_base(chain), CHAIN_LEN);
	next(&a, "2", true);
	next(&a, "3", true);
	b = start(2, 11, base, true);
	ok(next(&b, "1", true) == CHAIN_LOST && chain->count == 4 && !chain->gap,
	   "the engine has lost two messages");
	ok(next(&b, "2", true) == CHAIN_NEXT, "the chain goes on");
	memset(base, 0, CHAIN_LEN);
	b = start(1, 12, base, true);
	ok(next(&b, "1", true) == CHAIN_LOST && !chain->gap, "the engine has lost all messages");
	memset(base, 9, CHAIN_LEN);
	b = start(1, 13, base, true);
	ok(next(&b, "1", true) == CHAIN_GAP, "a base that is not known");
}

static void test_long(void)
{
	struct term a = begin();
	uint8_t early[CHAIN_LEN], late[CHAIN_LEN];
	bool good = true;

	for (size_t i = 0; i < 2 * CHAIN_NODES; i++) {
		good &= next(&a, "x", true) == CHAIN_NEXT;
		if (i == 10)
			memcpy(early, chain_base(chain), CHAIN_LEN);
		if (i == CHAIN_NODES + 10)
			memcpy(late, chain_base(chain), CHAIN_LEN);
	}
	ok(good && chain_valid(chain), "a long chain");
	ok(!chain_find(chain, early) && chain_find(chain, late) == CHAIN_NODES + 11,
	   "old nodes are forgotten");
	chain_reset(chain);
	ok(chain_is_empty(chain) && !chain_find(chain, late) && !chain->epoch,
	   "a reset forgets everything");
	chain->current = chain->count + 1;
	ok(!chain_valid(chain), "a damaged chain is noticed");
}

int main(void)
{
	tap_begin(17);
	chain = calloc(1, sizeof(*chain));
	test_order();
	test_terms();
	test_tail();
	test_long();
	free(chain);
	return tap_end();
}
