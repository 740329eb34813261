/* SPDX-License-Identifier: GPL-2.0 */
/* Keys as they are told one by one: in exports, in allow lists. */
#ifndef UNITS_H
#define UNITS_H

#include "listing.h"

/* units_countable() - can keys be told in the units of such a filter? */
bool units_countable(const struct item *filter);

/* units_count() - those of an export; false: it failed */
bool units_count(int fd, uint16_t family, const char *name,
		 const struct item *filter, uint64_t *keys);

/* allowed_count() - keys on an allow list; @bytes: out: of them all */
uint32_t allowed_count(int fd, uint16_t family, const char *name,
		       uint64_t *bytes);

#endif
