/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbered counters, for more counters than fit in memory. Increments are gathered in a
 * table of fixed size. A full table is sorted and added to a file in one pass, so that no
 * page of the file is written twice for one table.
 */
#ifndef SEENCTL_TALLY_H
#define SEENCTL_TALLY_H

#include <stdint.h>

struct tally;

/**
 * tally_open() - create counters, which are all 0
 * @tally: out: the counters
 * @folder: folder for a temporary file without a name
 *
 * Return: 0 or a negative errno.
 */
int tally_open(struct tally **tally, const char *folder);
void tally_close(struct tally *tally);

/* tally_add() - increment counter @number; returns 0 or a negative errno */
int tally_add(struct tally *tally, uint64_t number);

/* tally_flush() - add the gathered increments to the file; returns 0 or a negative errno */
int tally_flush(struct tally *tally);

/* tally_file() - descriptor of the file of uint64_t counters; counters after its end are 0 */
int tally_file(const struct tally *tally);

#endif
