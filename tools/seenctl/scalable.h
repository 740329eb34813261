/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A scalable filter: a growing series of filters. Each filter has twice the capacity of
 * the previous one and a lower false-positive rate, so that the sum of the rates stays
 * below the promised rate (Almeida, Baquero, Preguica and Hutchison, "Scalable Bloom
 * Filters", 2007).
 *
 * Direction of error: a new key may be reported as seen, at the promised rate. If memory
 * is used up, new keys are reported as new, or as seen if @suspect is set, and are not
 * stored.
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
 * @local: the filter
 * @sizing: sizes and rates of the filter
 * @keys: number of keys stored in the filter
 */
struct scalable_part {
	struct seen_local *local;
	struct seen_sizing sizing;
	uint64_t keys;
};

/* Origin of the memory limit. */
enum scalable_limit {
	SCALABLE_AVAILABLE,	/* the available memory */
	SCALABLE_HALF,		/* half of the machine's memory */
	SCALABLE_GIVEN,		/* --memory */
};

/**
 * struct scalable - a scalable filter
 * @fpp: promised false-positive rate of all filters together, in units of 10^-12
 * @window: window in ns, with one filter that does not grow; 0: no window
 * @capacity: capacity of the first filter, in keys
 * @memory: maximum memory of all filters, in bytes
 * @limit: origin of @memory, for error texts
 * @bytes: memory of all filters, in bytes
 * @unstored: number of new keys that were not stored for lack of memory
 * @suspect: report keys that are not stored as seen, because the caller compares seen keys
 * @parts: number of filters
 * @part: the filters, from the oldest to the newest
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
 * scalable_start() - create the first filter
 * @scalable: the caller sets the members up to @limit; all others are 0
 *
 * Return: DONE; REFUSED or USAGE after an error message.
 */
int scalable_start(struct scalable *scalable);
void scalable_end(struct scalable *scalable);

/**
 * scalable_refuse() - print an error message: filters need more than scalable.memory
 * @scalable: without filters, or with the filters of a state
 * @what: subject and verb of the sentence
 * @bytes: memory that the filters need
 *
 * Return: USAGE.
 */
int scalable_refuse(const struct scalable *scalable, const char *what, uint64_t bytes);

/**
 * scalable_adopt() - append a filter of an earlier run
 * @scalable: the scalable filter
 * @local: the filter; if this returns true, @scalable owns it
 * @keys: number of keys in the filter
 *
 * Return: false if @local cannot be part of a scalable filter.
 */
bool scalable_adopt(struct scalable *scalable, struct seen_local *local,
		    uint64_t keys);

/* scalable_room() - maximum capacity of one further filter of @memory bytes, in keys */
uint64_t scalable_room(const struct scalable *scalable, uint64_t memory);

/**
 * scalable_test_and_add() - test keys, and store the new keys
 * @scalable: the scalable filter
 * @key: the keys, in the order of their occurrence
 * @len: bytes of each key
 * @count: number of keys, up to SEEN_LOCAL_BATCH
 * @seen: out: for each key, true if it is seen
 */
void scalable_test_and_add(struct scalable *scalable, const void *const *key,
			   const size_t *len, size_t count, bool *seen);

/* scalable_test() - test a key without storing it */
bool scalable_test(const struct scalable *scalable, const void *key,
		   size_t len);

/* scalable_lost() - expected number of new keys that were reported as seen */
double scalable_lost(const struct scalable *scalable);

/**
 * scalable_look() - read the state of the filters
 * @scalable: the scalable filter
 * @fill: out: fill ratio of all filters together, 0 to 1
 * @kept: out: window that the last filter kept, in ns; see seen_filter_info.effective
 */
void scalable_look(const struct scalable *scalable, double *fill,
		   uint64_t *kept);

/* scalable_capacity() - capacity of all filters together, in keys */
uint64_t scalable_capacity(const struct scalable *scalable);

#endif
