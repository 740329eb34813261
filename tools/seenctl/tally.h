/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters by number, for more of them than memory holds. Increments are gathered in a
 * table of fixed size. A full table is sorted and added to a file in one pass from its
 * begin to its end, so that no page of the file is written twice for one table.
 */
#ifndef SEENCTL_TALLY_H
#define SEENCTL_TALLY_H

#include <stdint.h>

struct tally;

/**
 * tally_open() - counters that are 0
 * @tally: out
 * @folder: for a temporary file without a name
 *
 * Return: 0 or a negative errno.
 */
int tally_open(struct tally **tally, const char *folder);
void tally_close(struct tally *tally);

/* tally_add() - increment counter @number; returns 0 or a negative errno */
int tally_add(struct tally *tally, uint64_t number);

/* tally_flush() - add the table to the file; returns 0 or a negative errno */
int tally_flush(struct tally *tally);

/* tally_file() - descriptor of the file: uint64_t each; those behind its end are 0 */
int tally_file(const struct tally *tally);

#endif
