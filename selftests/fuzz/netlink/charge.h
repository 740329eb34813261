/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much a namespace is charged. The kernel does not report that. But a probe filter can be
 * added if the cap is the expected charge plus the cost of the probe, and is refused if the cap is
 * one byte lower. This also tests the caps.
 */
#ifndef CHARGE_H
#define CHARGE_H

#include "space.h"
#include "talk.h"

/**
 * struct costs - bytes charged for each kind of object
 * @probe: the probe filter and its binding
 * @binding: a name
 * @guard: a guard without ports
 * @port: a port
 * @list: an empty allow list
 * @entry: a key on an allow list, without the key's own bytes
 * @feed: a feed without its records
 * @record: room for a record of a feed, in all its rings
 */
struct costs {
	uint64_t probe;
	uint64_t binding;
	uint64_t guard;
	uint64_t port;
	uint64_t list;
	uint64_t entry;
	uint64_t feed;
	uint64_t record;
};

/* charge_costs() - measure the costs in an empty namespace */
void charge_costs(const struct space *space, uint16_t family,
		  struct costs *costs);

/**
 * charge_check() - is exactly this amount charged?
 * @space: where the probe is added; its cap is changed
 * @family: number of the family
 * @costs: from charge_costs()
 * @bytes: cost of all objects under this cap; waits until deleted objects are uncharged
 *
 * The probe must work like any other filter.
 *
 * Return: the error, or NULL.
 */
const char *charge_check(const struct space *space, uint16_t family,
			 const struct costs *costs, uint64_t bytes);

#endif
