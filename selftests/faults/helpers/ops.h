/* SPDX-License-Identifier: GPL-2.0 */
/* The requests whose allocations fail, one after the other. */
#ifndef OPS_H
#define OPS_H

#include "world.h"

/* What may come of it where memory is short and the request is done all the same. */
enum op_else {
	ELSE_NOTHING,
	/* A port or a device stays without its guard, and an event tells. */
	ELSE_TOLD,
};

/**
 * struct op - a request
 * @name: to tell
 * @prepare: what has to be there, in an empty namespace; NULL: nothing
 * @run: the request itself; 0 or a negative errno
 * @otherwise: enum op_else
 * @kernel: the request is another part's of the kernel, whose errors have no text
 * @slow: only in long runs
 * @free: the module itself allocates nothing for it
 * @steps: the kernel does it in steps, and takes none back for which it has no memory
 */
struct op {
	const char *name;
	void (*prepare)(const struct sort *sort);
	int (*run)(const struct sort *sort);
	enum op_else otherwise;
	bool kernel;
	bool slow;
	bool free;
	bool steps;
};

/* op_sorts[]: once for each sort that op_fits(); op_once[]: once, with @sort NULL */
extern const struct op op_sorts[];
extern const unsigned int op_sorts_count;
extern const struct op op_once[];
extern const unsigned int op_once_count;
extern const struct op op_links[];
extern const unsigned int op_links_count;

/* op_fits() - can filters of this sort do it? */
bool op_fits(const struct op *op, const struct sort *sort);

#endif
