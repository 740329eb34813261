/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that keeps the scalable filter between runs of dedup. The whole file is replaced
 * at the end of a run, after the output was written.
 *
 * Direction of error: a run that ends early does not change the file, so the lines that
 * it passed will pass again in the next run. No line is lost.
 */
#ifndef SEENCTL_STATE_H
#define SEENCTL_STATE_H

#include <limits.h>
#include <stdbool.h>

#include "columns.h"
#include "scalable.h"

/**
 * struct state - the state file of a run
 * @path: path that the user gave; NULL: no state, and all calls return DONE
 * @columns: columns that form the key in this run
 * @terminator: byte that ends a line
 * @real: path without symbolic links
 * @fd: descriptor that holds the lock: of the state file, or of @lock if this is the
 *      first run
 * @lock: path of the empty file that a first run locks; "": the state file is locked
 * @lost: expected number of lines that earlier runs lost
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
 * state_open() - take the lock, and load the filters if the file exists
 * @state: the caller sets @path, @columns and @terminator
 * @scalable: without filters; has the rate, capacity and memory of this run
 *
 * Return: DONE; REFUSED or USAGE after an error message: the file is in use, is damaged,
 * cannot be replaced, or was made with another parameter, which the message names.
 */
int state_open(struct state *state, struct scalable *scalable);

/* state_save() - replace the file; returns DONE, or REFUSED after an error message */
int state_save(struct state *state, const struct scalable *scalable);

/*
 * state_lock() - internal to state_open(): lock the state file or, in a first run, the
 * empty file that @lock names; returns DONE, or REFUSED after an error message
 */
int state_lock(struct state *state);

/* state_close() - release the lock, so that the next run may begin */
void state_close(struct state *state);

#endif
