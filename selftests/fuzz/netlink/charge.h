/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a namespace is charged with. The kernel does not tell: but under a cap of just
 * that much, and a filter's cost more, the filter can be added; under one byte less
 * it is refused. So each cap is looked at, too.
 */
#ifndef CHARGE_H
#define CHARGE_H

#include "space.h"
#include "talk.h"

/**
 * struct costs - of what is charged, in bytes
 * @probe: the filter that is added to try, and its binding
 * @binding: a name
 * @guard: without ports
 * @port: one of these
 * @list: an allow list, empty
 * @entry: a key on it, less the key's own bytes
 */
struct costs {
	uint64_t probe;
	uint64_t binding;
	uint64_t guard;
	uint64_t port;
	uint64_t list;
	uint64_t entry;
};

/* charge_costs() - tried out in a namespace in which there is nothing yet */
void charge_costs(const struct space *space, uint16_t family,
		  struct costs *costs);

/**
 * charge_check() - is it charged with just that much?
 * @space: where the probe is added; its cap is changed
 * @family: number of the family
 * @costs: from charge_costs()
 * @bytes: all that is charged under this cap; what is being freed is awaited
 *
 * The probe is a filter like any other: it must work.
 *
 * Return: what is wrong, or NULL.
 */
const char *charge_check(const struct space *space, uint16_t family,
			 const struct costs *costs, uint64_t bytes);

#endif
