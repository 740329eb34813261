/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A scalable filter in a file, from one run of dedup to the next. The file is
 * replaced as a whole, at the end of a run whose output was written.
 *
 * Direction of error: a run that ends early leaves the file as it was, so lines that it
 * has passed pass once more in the next run. None is lost.
 */
#ifndef SEENCTL_STATE_H
#define SEENCTL_STATE_H

#include <limits.h>
#include <stdbool.h>

#include "columns.h"
#include "scalable.h"

/**
 * struct state - the file
 * @path: name of it, or NULL: there is none, and all calls return DONE
 * @columns: parameters of this run: the key
 * @terminator: the byte that ends a line
 * @real: name of the file without symbolic links
 * @fd: locked for this run: the file, or @lock if there was none
 * @lock: name of an empty file that first runs lock, or "": the file is locked
 * @lost: lines that earlier runs were expected to lose
 */
struct state {
	const char *path;
	const struct columns *columns;
	char terminator;
	char real[PATH_MAX];
	char lock[PATH_MAX];
	int fd;
	double lost;
};

/**
 * state_open() - lock the file, or its name, and load its filters if there is one
 * @state: with its first three members
 * @scalable: empty; its rate, capacity and memory are those of this run
 *
 * Return: DONE; REFUSED or USAGE after an error message: the file is in use, damaged,
 * cannot be replaced, or was made with another parameter, which the message names.
 */
int state_open(struct state *state, struct scalable *scalable);

/* state_save() - put the filters in the place of the file; DONE, or REFUSED and said so */
int state_save(struct state *state, const struct scalable *scalable);

/*
 * state_lock() - inside of state_open(): lock the file; or, with its name in @lock, an
 * empty file beside it; DONE, or REFUSED and said so
 */
int state_lock(struct state *state);

/* state_close() - the next run may begin */
void state_close(struct state *state);

#endif
