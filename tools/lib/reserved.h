/* SPDX-License-Identifier: GPL-2.0 */
/* What a program has where this version of the library has nothing. */
#ifndef SEEN_RESERVED_H
#define SEEN_RESERVED_H

#include "libseen.h"

#define SEEN_RESERVED_TEXT \
	"what is reserved in the structure is not 0: clear it, or update libseen"

/* seen_filter_reserved() - is anything that is reserved there not 0? */
bool seen_filter_reserved(const struct seen_filter_config *config);

/* seen_guard_reserved() - the same of a guard */
bool seen_guard_reserved(const struct seen_guard_config *config);

#endif
