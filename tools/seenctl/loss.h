/* SPDX-License-Identifier: GPL-2.0 */
/*
 * restore --keep-going: a line that fails loses an object, or a part of it. The message names
 * the loss, and the restore goes on with the next line.
 */
#ifndef SEENCTL_LOSS_H
#define SEENCTL_LOSS_H

#include <stdbool.h>
#include <stdio.h>

#include "seenctl.h"

/**
 * loss_start() - from now on, go on after errors
 * @fallback: folder with the snapshots of an earlier save, or NULL
 */
void loss_start(const char *fallback);

/**
 * loss_end() - stop at errors again
 * @unknown: out: number of errors in lines that could not be read
 *
 * Return: number of errors since loss_start().
 */
unsigned int loss_end(unsigned int *unknown);

/*
 * loss_line() - begin a line of the batch; returns false if the line must not run, because the
 * object that it changes is lost. Reports an object that no line has added.
 */
bool loss_line(const struct args *args);

/**
 * loss_keys() - the next error loses keys
 * @place: "of", or "on the allow list of"
 * @filter: filter to which the keys were sent; NULL: the next error loses no keys
 * @count: number of keys
 */
void loss_keys(const char *place, const char *filter, unsigned int count);

/*
 * loss_note() - turn an error into DONE, and count it, if the restore goes on after errors; other
 * results are returned as they are
 */
int loss_note(int status);

/* loss_goes_on() - does the restore go on after errors? */
bool loss_goes_on(void);

/* loss_tell() - print what the current error loses; returns false if errors end the batch */
bool loss_tell(FILE *to);

/* loss_import() - import a snapshot as seen_filter_import() does, or that of the earlier save */
int loss_import(const char *name, const char *path, const uint8_t *secret, bool replace);

#endif
