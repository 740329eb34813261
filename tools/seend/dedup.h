/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keys that the aggregator forwarded lately: whole hashes, with times of their sightings. A bucket
 * of eight replaces its oldest hash, which is then forwarded again: the table errs only in this
 * direction.
 *
 * The time of forwarding does not matter. A host that was without the engine for a while sends old
 * sightings; they must not hide a fresh sighting, with which other hosts renew the key.
 */
#ifndef SEEND_DEDUP_H
#define SEEND_DEDUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dedup;

/**
 * struct dedup_mark - what was forwarded
 * @hash: of the key
 * @who: number of its publisher where they are kept apart, else 0
 * @deleted: the key was deleted
 */
struct dedup_mark {
	uint64_t hash;
	uint32_t who;
	bool deleted;
};

/* dedup_new() - a table for about @entries hashes, a power of two; NULL: no memory */
struct dedup *dedup_new(size_t entries);
void dedup_free(struct dedup *dedup);

/**
 * dedup_pass() - is a key to be forwarded? If it is, it is noted
 * @dedup: the table
 * @mark: of the key
 * @life: a sighting that is at least so much later than the one forwarded is forwarded, too, ns;
 *	  0: none is
 * @when: when the key was seen, ns, not in the future
 */
bool dedup_pass(struct dedup *dedup, struct dedup_mark mark, uint64_t life, uint64_t when);

/* dedup_forget() - drop a mark; false: the table does not have it */
bool dedup_forget(struct dedup *dedup, struct dedup_mark mark);

void dedup_clear(struct dedup *dedup);

#endif
