/* SPDX-License-Identifier: GPL-2.0 */
/* What is in a table, unit by unit, as exported; keys one by one, in allow lists. */
#ifndef UNITS_H
#define UNITS_H

#include "listing.h"

/* Rows of a sketch, at most. */
#define UNIT_ROWS	28

/**
 * struct units - a whole table
 * @used: bits that are set, counters that are not 0, slots that are taken
 * @sum: counting: of all counters
 * @most: counting: the highest
 * @row: sketches: sums of the counts in each
 */
struct units {
	uint64_t used;
	uint64_t sum;
	uint32_t most;
	uint64_t row[UNIT_ROWS];
};

/* units_wanted() - is it small enough to be looked at whole? */
bool units_wanted(const struct item *filter);

/* units_exact() - is SEEN_A_FILTER_USED of such a filter a count, not a sample's? */
bool units_exact(const struct item *filter);

/* units_are_keys() - is SEEN_A_FILTER_ENTRIES what is in use? */
bool units_are_keys(const struct item *filter);

/* units_read() - of an export; false: it failed */
bool units_read(int fd, uint16_t family, const char *name,
		const struct item *filter, struct units *units);

/* allowed_count() - keys on an allow list; @bytes: out: of them all */
uint32_t allowed_count(int fd, uint16_t family, const char *name,
		       uint64_t *bytes);

#endif
