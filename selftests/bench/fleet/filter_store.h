/* SPDX-License-Identifier: GPL-2.0 */
/* The filter of a host: a cuckoo filter of libseen, which snapshots leave and reach by a file. */
#ifndef FLEET_FILTER_STORE_H
#define FLEET_FILTER_STORE_H

#include "../../../tools/seend/store.h"

/**
 * filter_store_open() - an empty filter
 * @capacity: keys that fit
 * @bits: of a fingerprint
 * @folder: for files
 */
struct store *filter_store_open(uint64_t capacity, unsigned int bits, const char *folder);
void filter_store_close(struct store *store);

/* filter_store_has() - is a key seen? */
bool filter_store_has(struct store *store, uint64_t hash);

/* filter_store_rate() - the promised false-positive rate at capacity */
double filter_store_rate(struct store *store);

#endif
