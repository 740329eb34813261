/* SPDX-License-Identifier: GPL-2.0 */
/* Values that mean something: names that may exist, sizes at edges, keys, devices. */
#ifndef POOL_H
#define POOL_H

#include "draw.h"
#include "memory.h"

/* One of the names of filters, or (seldom) one that is none. */
void pool_name(struct draw *draw, char *name);
/* A device that may be there, and where guards of @kind may be. */
void pool_device(struct draw *draw, uint32_t kind, char *name);

/* pool_edge() - a number at which something may go wrong */
uint64_t pool_edge(struct draw *draw);

/* of filters: mostly fit */
uint64_t pool_capacity(struct draw *draw);
uint64_t pool_fpp(struct draw *draw);
uint64_t pool_window(struct draw *draw);
const uint8_t *pool_secret(struct draw *draw);

/* pool_fields() - a key of fields; @type: enum seen_type that it is for */
void pool_fields(struct draw *draw, struct message *message, uint32_t type,
		 uint16_t attr, uint16_t *first);

/* pool_first() - the first key of a bitmap of that field; returns its bytes */
uint32_t pool_first(uint16_t field, uint8_t *key);

/* pool_keys() - records for a filter; returns their bytes */
uint32_t pool_keys(struct draw *draw, const struct known_filter *filter,
		   uint32_t count, uint8_t *records, uint32_t most);

#endif
