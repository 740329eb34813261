/* SPDX-License-Identifier: GPL-2.0 */
/* Pools of useful values: names that may exist, sizes at limits, keys, devices. */
#ifndef POOL_H
#define POOL_H

#include "draw.h"
#include "memory.h"

/* A filter name of the pool, seldom another one. */
void pool_name(struct draw *draw, char *name);
/* A device that may exist, and that may have guards of @kind. */
void pool_device(struct draw *draw, uint32_t kind, char *name);

/* pool_edge() - a number at a limit, where errors are likely */
uint64_t pool_edge(struct draw *draw);

/* Parameters of filters, mostly valid. */
uint64_t pool_capacity(struct draw *draw);
uint64_t pool_fpp(struct draw *draw);
uint64_t pool_window(struct draw *draw);
const uint8_t *pool_secret(struct draw *draw);

/* pool_fields() - put the fields of a key, for a filter of @type (enum seen_type) */
void pool_fields(struct draw *draw, struct message *message, uint32_t type,
		 uint16_t attr, uint16_t *first);

/* pool_first() - the first key of a bitmap with this field. Return: its length */
uint32_t pool_first(uint16_t field, uint8_t *key);

/* pool_keys() - write keys for a filter, as packed records. Return: bytes written */
uint32_t pool_keys(struct draw *draw, const struct known_filter *filter,
		   uint32_t count, uint8_t *records, uint32_t most);

#endif
