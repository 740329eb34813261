/* SPDX-License-Identifier: GPL-2.0 */
/* Events that tell of what is not done for want of memory. */
#ifndef MEMORY_EVENTS_H
#define MEMORY_EVENTS_H

#include <stdbool.h>

#define MEMORY_EVENTS_LEN	128

void memory_events_open(void);

/* memory_events_forget() - what has come so far */
void memory_events_forget(void);

/**
 * memory_events_await() - which have come since memory_events_forget()
 * @text: out: "waiting br0/d0", "saturated f", with "; " between them; as much as fits
 * @wait: none is there yet, but one is on its way
 */
void memory_events_await(char text[MEMORY_EVENTS_LEN], bool wait);

/* memory_events_lost() - has the kernel counted one that it could not build? */
bool memory_events_lost(void);

#endif
