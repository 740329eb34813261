/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set that grows: a chain of filters, each twice as large as the one before and
 * with half of its false-positive rate, so that all together keep the promise
 * (Almeida, Baquero, Preguica and Hutchison, "Scalable Bloom Filters", 2007).
 *
 * Direction of error: a key that is new may be called seen, at the rate promised.
 * Where memory ends, keys that are new are called new, and not stored (but @suspect).
 */
#ifndef SEENCTL_CHAIN_H
#define SEENCTL_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lib/local.h"
#include "../lib/sizing.h"

#define CHAIN_MAX	32

/**
 * struct chain_link - a filter of the chain
 * @local: it
 * @sizing: of it
 * @keys: stored in it
 */
struct chain_link {
	struct seen_local *local;
	struct seen_sizing sizing;
	uint64_t keys;
};

/**
 * struct chain - filters, the newest last
 * @fpp: 10^-12, promised of all together
 * @window: ns, 0: for ever; then there is one filter, which does not grow
 * @capacity: keys that the first one shall have
 * @memory: bytes that all may have
 * @bytes: that they have
 * @unstored: new keys that memory did not suffice for
 * @suspect: such keys are called seen, since the caller compares seen keys
 * @links: how many
 * @link: they
 */
struct chain {
	uint64_t fpp;
	uint64_t window;
	uint64_t capacity;
	uint64_t memory;
	uint64_t bytes;
	uint64_t unstored;
	bool suspect;
	unsigned int links;
	struct chain_link link[CHAIN_MAX];
};

/**
 * chain_start() - make the first filter
 * @chain: with its first four members
 *
 * Return: DONE, REFUSED or USAGE, and said so.
 */
int chain_start(struct chain *chain);
void chain_end(struct chain *chain);

/**
 * chain_adopt() - append a filter of an earlier run
 * @chain: the chain
 * @local: the filter; the chain's from now on, if this returns true
 * @keys: number of keys in it
 *
 * Return: false: a chain has no such filter.
 */
bool chain_adopt(struct chain *chain, struct seen_local *local, uint64_t keys);

/* chain_room() - the most keys that @memory suffices for, in one filter */
uint64_t chain_room(const struct chain *chain, uint64_t memory);

/**
 * chain_ask() - have these keys come before? From now on they have
 * @chain: the chain
 * @key: up to SEEN_LOCAL_BATCH of them, in order
 * @len: their bytes
 * @count: how many
 * @seen: out: of each
 */
void chain_ask(struct chain *chain, const void *const *key, const size_t *len,
	       size_t count, bool *seen);

/* chain_came() - has this key come before? It is not stored */
bool chain_came(const struct chain *chain, const void *key, size_t len);

/* chain_lost() - new keys that were called seen, as many as are to be expected */
double chain_lost(const struct chain *chain);

/**
 * chain_look() - at what is in it
 * @chain: the chain
 * @fill: out: slots taken, of all
 * @kept: out: ns, the window that was kept since this was last asked
 */
void chain_look(const struct chain *chain, double *fill, uint64_t *kept);

/* chain_capacity() - of all filters */
uint64_t chain_capacity(const struct chain *chain);

#endif
