/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_NTH_H
#define SEEN_NTH_H

#include <linux/types.h>

/* seen_nth_fails() - is this the allocation that shall fail? Any context. */
bool seen_nth_fails(void);

#endif
