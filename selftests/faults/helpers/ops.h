/* SPDX-License-Identifier: GPL-2.0 */
/* The requests whose allocations fail, one after the other. */
#ifndef OPS_H
#define OPS_H

#include "fixture.h"

/**
 * struct op - a request
 * @name: for reports
 * @prepare: makes the objects that the request needs, in an empty namespace; may be NULL
 * @run: the request itself; 0 or a negative errno
 * @otherwise: with too little memory the request may succeed with a smaller effect, which an
 *             event reports: leaves the state of that; may be NULL
 * @refused: for requests with keys, of which the first @done were stored before one was refused:
 *           leaves the state of that; NULL: nothing
 * @tells: the event of @otherwise or @refused, see memory_events.h; NULL: no event
 * @kernel: the request is handled by another part of the kernel, whose errors have no text
 * @slow: only in long runs
 * @free: the module itself allocates nothing for the request
 * @steps: the kernel does it in steps, and may lack memory after the first one; then the state
 *         is that of @otherwise
 */
struct op {
	const char *name;
	void (*prepare)(const struct sort *sort);
	int (*run)(const struct sort *sort);
	int (*otherwise)(const struct sort *sort);
	int (*refused)(unsigned int done);
	const char *tells;
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
extern const struct op op_many[];
extern const unsigned int op_many_count;
extern const struct op op_links[];
extern const unsigned int op_links_count;

/* op_sort() - the sort with this name */
const struct sort *op_sort(const char *name);

/* op_answer_file() - take a snapshot file, without its time and checksum, as the answer */
void op_answer_file(const char *path);

/* Get guards by a dump, and one guard. */
int op_guard_list(const struct sort *unused);
int op_guard_get(enum seen_guard_kind kind, const char *dev);

/* op_fits() - does the request work with filters of this sort? */
bool op_fits(const struct op *op, const struct sort *sort);

#endif
