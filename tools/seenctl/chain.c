// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "chain.h"
#include "seenctl.h"

/* Points at which a rate is looked at while a filter fills. */
#define STEPS	64

/*
 * What each filter may err: half of the promise for the first, then an eighth and so
 * on by halves, but never below a 128th, which no fingerprint would meet: as many as
 * there can be come to less than the whole.
 */
static uint64_t fpp_of(const struct chain *chain)
{
	uint64_t least = chain->fpp / 128 + 1;
	uint64_t fpp = chain->fpp >> (chain->links + 2);

	if (chain->window)
		return chain->fpp;
	if (!chain->links)
		return chain->fpp / 2 + 1;
	return fpp > least ? fpp : least;
}

/* Fingerprints need the least memory, down to the rate that they can meet. */
static const char *size(const struct chain *chain, uint64_t capacity,
			struct seen_sizing *sizing)
{
	const struct seen_sizing asked = {
		.type = SEEN_TYPE_CUCKOO,
		.capacity = capacity,
		.fpp = fpp_of(chain),
		.window = chain->window,
		.evict = chain->window,
		.min_tick = 1,
	};
	const char *error;

	*sizing = asked;
	error = seen_sizing_plan(sizing);
	if (!error || chain->window)
		return error;
	*sizing = asked;
	sizing->type = SEEN_TYPE_BLOOM;
	sizing->layout = SEEN_LAYOUT_CLASSIC;
	return seen_sizing_plan(sizing);
}

uint64_t chain_room(const struct chain *chain, uint64_t memory)
{
	uint64_t low = 0, high = UINT64_C(1) << 34;
	struct seen_sizing sizing;

	while (low < high) {
		uint64_t middle = low + (high - low + 1) / 2;

		if (!size(chain, middle, &sizing) && sizing.bytes <= memory)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

static int add_link(struct chain *chain, const struct seen_sizing *sizing)
{
	const struct seen_filter_config config = {
		.type = sizing->type,
		.layout = sizing->layout,
		.fp_bits = sizing->fp_bits,
		.capacity = sizing->capacity,
		.fpp = sizing->fpp,
		.window = sizing->window,
		.key = {
			.profile = SEEN_KEY_PROFILE_BYTES,
			.count = 1,
			.field[0].id = SEEN_FIELD_BYTES,
		},
	};
	struct chain_link *link = &chain->link[chain->links];

	*link = (struct chain_link) { .sizing = *sizing };
	if (seen_local_create(&link->local, &config))
		return refused("%s", seen_local_error());
	chain->bytes += sizing->bytes;
	chain->links++;
	return DONE;
}

int chain_start(struct chain *chain)
{
	struct seen_sizing sizing;
	const char *error;

	if (!chain->capacity)
		return usage("--memory: no key fits in %ju bytes",
			     chain->memory);
	error = size(chain, chain->capacity, &sizing);
	if (error)
		return usage("--%s", error);
	if (sizing.bytes > chain->memory)
		return usage("--memory: %ju lines at this rate need %ju bytes",
			     chain->capacity, sizing.bytes);
	return add_link(chain, &sizing);
}

bool chain_adopt(struct chain *chain, struct seen_local *local, uint64_t keys)
{
	struct chain_link *link = &chain->link[chain->links];
	const struct seen_filter_config *config;
	struct seen_filter_info info;

	seen_local_info(local, &info);
	config = &info.config;
	if (chain->links == CHAIN_MAX || config->window || config->top ||
	    config->key.count != 1 ||
	    config->key.field[0].id != SEEN_FIELD_BYTES ||
	    (config->type != SEEN_TYPE_CUCKOO && config->type != SEEN_TYPE_BLOOM))
		return false;
	*link = (struct chain_link) {
		.local = local,
		.sizing = {
			.type = config->type,
			.layout = config->layout,
			.fp_bits = config->fp_bits,
			.hashes = info.hashes,
			.capacity = config->capacity,
			.fpp = config->fpp,
			.blocks = info.blocks,
			.bytes = info.bytes,
		},
		.keys = keys,
	};
	chain->bytes += info.bytes;
	chain->links++;
	return true;
}

void chain_end(struct chain *chain)
{
	for (unsigned int i = 0; i < chain->links; i++)
		seen_local_close(chain->link[i].local);
	chain->links = 0;
}

/* Twice the last one, or what is left. */
static bool grow(struct chain *chain)
{
	const struct chain_link *last = &chain->link[chain->links - 1];
	uint64_t left = chain->memory - chain->bytes;
	struct seen_sizing sizing;

	if (chain->window || chain->unstored || chain->links == CHAIN_MAX)
		return false;
	if (size(chain, 2 * last->sizing.capacity, &sizing))
		return false;
	if (sizing.bytes > left) {
		uint64_t room = chain_room(chain, left);

		/* Filters that are asked of all and hold little are no help. */
		if (room < last->sizing.capacity / 4 ||
		    size(chain, room, &sizing))
			return false;
	}
	return !add_link(chain, &sizing);
}

/* Keys of one question that are not answered yet. */
struct batch {
	const void *key[SEEN_LOCAL_BATCH];
	size_t len[SEEN_LOCAL_BATCH];
	uint8_t number[SEEN_LOCAL_BATCH];
	uint8_t result[SEEN_LOCAL_BATCH];
	size_t count;
};

/* Those with @result are answered; returns how many. */
static size_t take(struct batch *batch, uint8_t result, bool answer, bool *seen)
{
	size_t left = 0, taken;

	for (size_t i = 0; i < batch->count; i++) {
		if (batch->result[i] == result) {
			seen[batch->number[i]] = answer;
			continue;
		}
		batch->key[left] = batch->key[i];
		batch->len[left] = batch->len[i];
		batch->result[left] = batch->result[i];
		batch->number[left++] = batch->number[i];
	}
	taken = batch->count - left;
	batch->count = left;
	return taken;
}

/* The first so many filters are only asked. */
static void ask(struct chain *chain, unsigned int links, struct batch *batch,
		bool *seen)
{
	for (unsigned int i = 0; i < links && batch->count; i++) {
		seen_local_test_many(chain->link[i].local, batch->key,
				     batch->len, batch->count, batch->result);
		take(batch, SEEN_KEY_SEEN, true, seen);
	}
}

static void ask_and_store(struct chain *chain, struct batch *batch, bool *seen)
{
	struct chain_link *link = &chain->link[chain->links - 1];

	seen_local_test_and_add_many(link->local, batch->key, batch->len,
				     batch->count, batch->result);
	link->keys += take(batch, SEEN_KEY_NEW, false, seen);
	take(batch, SEEN_KEY_SEEN, true, seen);
}

/* Beyond its capacity a filter may have room, but errs more often. */
static bool has_room(const struct chain *chain, size_t keys)
{
	const struct chain_link *link = &chain->link[chain->links - 1];

	return chain->window || link->keys + keys <= link->sizing.capacity;
}

void chain_ask(struct chain *chain, const void *const *key, const size_t *len,
	       size_t count, bool *seen)
{
	struct batch batch = { .count = count };
	bool room;

	do {
		room = has_room(chain, count);
	} while (!room && grow(chain));
	for (size_t i = 0; i < count; i++) {
		batch.key[i] = key[i];
		batch.len[i] = len[i];
		batch.number[i] = i;
		seen[i] = false;
	}
	ask(chain, chain->links - room, &batch, seen);
	if (room && batch.count)
		ask_and_store(chain, &batch, seen);
	chain->unstored += batch.count;
	for (size_t i = 0; i < batch.count; i++)
		seen[batch.number[i]] = chain->suspect;
}

bool chain_came(const struct chain *chain, const void *key, size_t len)
{
	for (unsigned int i = 0; i < chain->links; i++)
		if (seen_local_test(chain->link[i].local, key, len) ==
		    SEEN_KEY_SEEN)
			return true;
	return false;
}

/* While @keys came one after the other. */
static double lost_by(const struct chain_link *link)
{
	double sum = 0;

	for (unsigned int i = 0; i < STEPS; i++)
		sum += seen_sizing_rate(&link->sizing,
					link->keys * (i + 0.5) / STEPS);
	return sum / STEPS * link->keys;
}

double chain_lost(const struct chain *chain)
{
	double lost = 0, rate = 0;

	/* What came later was asked of all that was before. */
	for (unsigned int i = 0; i < chain->links; i++) {
		const struct chain_link *link = &chain->link[i];

		lost += lost_by(link) + rate * link->keys;
		rate += seen_sizing_rate(&link->sizing, link->keys);
	}
	return lost + rate * chain->unstored;
}

void chain_look(const struct chain *chain, double *fill, uint64_t *kept)
{
	uint64_t used = 0, room = 0;

	for (unsigned int i = 0; i < chain->links; i++) {
		struct seen_filter_info info;

		seen_local_info(chain->link[i].local, &info);
		used += info.used;
		room += info.room;
		*kept = info.effective;
	}
	*fill = (double)used / room;
}

uint64_t chain_capacity(const struct chain *chain)
{
	uint64_t capacity = 0;

	for (unsigned int i = 0; i < chain->links; i++)
		capacity += chain->link[i].sizing.capacity;
	return capacity;
}
