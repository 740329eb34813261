/* SPDX-License-Identifier: GPL-2.0 */
/* The requests whose allocations fail, one after the other. */
#ifndef OPS_H
#define OPS_H

#include "fixture.h"

/**
 * struct op - a request
 * @name: to tell
 * @prepare: what has to be there, in an empty namespace; NULL: nothing
 * @run: the request itself; 0 or a negative errno
 * @otherwise: it may be done without what it has no memory for, and that is told: then
 *             it leaves what this does
 * @refused: for keys, of which some were done before the one that is refused: that
 *           leaves what this does. NULL: nothing
 * @tells: the event of @otherwise or @refused, see memory_events.h; NULL: there is none
 * @kernel: the request is another part's of the kernel, whose errors have no text
 * @slow: only in long runs
 * @free: the module itself allocates nothing for it
 * @steps: the kernel does it in steps, and may have no memory behind the first, which
 *         leaves what @otherwise does
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

/* op_sort() - by its name in the table of them */
const struct sort *op_sort(const char *name);

/* op_answer_file() - a snapshot is what was told, but for its time */
void op_answer_file(const char *path);

/* Guards, as a dump and one by one. */
int op_guard_list(const struct sort *unused);
int op_guard_get(enum seen_guard_kind kind, const char *dev);

/* op_fits() - can filters of this sort do it? */
bool op_fits(const struct op *op, const struct sort *sort);

#endif
