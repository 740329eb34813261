/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_NTH_H
#define SEEN_NTH_H

#include <linux/types.h>

/* seen_nth_fails() - is this the allocation that shall fail? Any context. */
bool seen_nth_fails(void);

/*
 * seen_nth_enter(), seen_nth_leave() - around a place: the log tells whether an allocation
 * that the kernel's own fault injection has refused was made for it
 */
unsigned int seen_nth_enter(void);
void seen_nth_leave(unsigned int was);

#endif
