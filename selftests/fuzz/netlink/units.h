/* SPDX-License-Identifier: GPL-2.0 */
/* Totals over the units of an exported table, and over the keys of an allow list. */
#ifndef UNITS_H
#define UNITS_H

#include "listing.h"

/* Most rows of a sketch. */
#define UNIT_ROWS	28

/**
 * struct units - totals of a table
 * @used: bits that are set, counters that are not 0, or slots that are taken
 * @sum: counting filter: sum of all counters
 * @most: counting filter: highest counter
 * @row: sketch: sum of the counts in each row
 */
struct units {
	uint64_t used;
	uint64_t sum;
	uint32_t most;
	uint64_t row[UNIT_ROWS];
};

/* units_wanted() - is the table small enough to be read? */
bool units_wanted(const struct item *filter);

/* units_exact() - is SEEN_A_FILTER_USED of this filter a count, not an estimate from a sample? */
bool units_exact(const struct item *filter);

/* units_are_keys() - does SEEN_A_FILTER_ENTRIES equal the number of units in use? */
bool units_are_keys(const struct item *filter);

/* units_read() - export a table. Return: false if the export failed */
bool units_read(int fd, uint16_t family, const char *name,
		const struct item *filter, struct units *units);

/* allowed_count() - number of keys on an allow list; @bytes: out: sum of their lengths */
uint32_t allowed_count(int fd, uint16_t family, const char *name,
		       uint64_t *bytes);

#endif
