/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_NTH_H
#define SEEN_NTH_H

#include <linux/types.h>

/* seen_nth_fails() - must this allocation fail? Any context. */
bool seen_nth_fails(void);

/*
 * seen_nth_enter(), seen_nth_leave() - called around an allocation of the module: if the kernel's
 * own fault injection let it fail, the log gets a line that names the place
 */
unsigned int seen_nth_enter(void);
void seen_nth_leave(unsigned int was);

#endif
