/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A scalable filter: a set that grows, of filters, each twice as large as the one
 * before and with half of its false-positive rate, so that all together keep the promise
 * (Almeida, Baquero, Preguica and Hutchison, "Scalable Bloom Filters", 2007).
 *
 * Direction of error: a key that is new may be called seen, at the rate promised.
 * Where memory ends, keys that are new are called new, and not stored (but @suspect).
 */
#ifndef SEENCTL_SCALABLE_H
#define SEENCTL_SCALABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../lib/local.h"
#include "../lib/sizing.h"

#define SCALABLE_MAX	32

/**
 * struct scalable_part - one of the filters
 * @local: it
 * @sizing: of it
 * @keys: stored in it
 */
struct scalable_part {
	struct seen_local *local;
	struct seen_sizing sizing;
	uint64_t keys;
};

/* What limits the memory of such filters. */
enum scalable_limit {
	SCALABLE_AVAILABLE,	/* no more is available */
	SCALABLE_HALF,		/* half of the machine's memory */
	SCALABLE_GIVEN,		/* --memory */
};

/**
 * struct scalable - a scalable filter: its filters, the newest last
 * @fpp: 10^-12, promised of all together
 * @window: ns, 0: for ever; then there is one filter, which does not grow
 * @capacity: keys that the first one shall have
 * @memory: bytes that all may have
 * @limit: where @memory comes from, for error texts
 * @bytes: that they have
 * @unstored: new keys that memory did not suffice for
 * @suspect: such keys are called seen, since the caller compares seen keys
 * @parts: how many
 * @part: they
 */
struct scalable {
	uint64_t fpp;
	uint64_t window;
	uint64_t capacity;
	uint64_t memory;
	enum scalable_limit limit;
	uint64_t bytes;
	uint64_t unstored;
	bool suspect;
	unsigned int parts;
	struct scalable_part part[SCALABLE_MAX];
};

/**
 * scalable_start() - make the first filter
 * @scalable: with its first five members
 *
 * Return: DONE, REFUSED or USAGE, and said so.
 */
int scalable_start(struct scalable *scalable);
void scalable_end(struct scalable *scalable);

/**
 * scalable_refuse() - report that filters need more than scalable.memory
 * @scalable: without filters, or with those of a state
 * @what: subject of the sentence, and its verb
 * @bytes: that they need
 *
 * Return: USAGE.
 */
int scalable_refuse(const struct scalable *scalable, const char *what, uint64_t bytes);

/**
 * scalable_adopt() - append a filter of an earlier run
 * @scalable: the scalable filter
 * @local: the filter; the scalable one's from now on, if this returns true
 * @keys: number of keys in it
 *
 * Return: false: a scalable filter has no such part.
 */
bool scalable_adopt(struct scalable *scalable, struct seen_local *local,
		    uint64_t keys);

/* scalable_room() - the most keys that @memory suffices for, in one filter */
uint64_t scalable_room(const struct scalable *scalable, uint64_t memory);

/**
 * scalable_test_and_add() - have these keys come before? From now on they have
 * @scalable: the scalable filter
 * @key: up to SEEN_LOCAL_BATCH of them, in order
 * @len: their bytes
 * @count: how many
 * @seen: out: of each
 */
void scalable_test_and_add(struct scalable *scalable, const void *const *key,
			   const size_t *len, size_t count, bool *seen);

/* scalable_test() - has this key come before? It is not stored */
bool scalable_test(const struct scalable *scalable, const void *key,
		   size_t len);

/* scalable_lost() - new keys that were called seen, as many as are to be expected */
double scalable_lost(const struct scalable *scalable);

/**
 * scalable_look() - at what is in it
 * @scalable: the scalable filter
 * @fill: out: slots taken, of all
 * @kept: out: ns, the window that was kept since this was last asked
 */
void scalable_look(const struct scalable *scalable, double *fill,
		   uint64_t *kept);

/* scalable_capacity() - of all filters */
uint64_t scalable_capacity(const struct scalable *scalable);

#endif
