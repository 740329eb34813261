/* SPDX-License-Identifier: GPL-2.0 */
/* Events that report what the kernel could not do for lack of memory. */
#ifndef MEMORY_EVENTS_H
#define MEMORY_EVENTS_H

#include <stdbool.h>

#define MEMORY_EVENTS_LEN	128

void memory_events_open(void);

/* memory_events_forget() - discard all events so far */
void memory_events_forget(void);

/**
 * memory_events_await() - read the events since memory_events_forget()
 * @text: out: "waiting br0/d0", "saturated f", with "; " between them; cut if too long
 * @wait: an event is expected: wait until it has arrived
 */
void memory_events_await(char text[MEMORY_EVENTS_LEN], bool wait);

/* memory_events_lost() - has the kernel counted an event for which it had no memory? */
bool memory_events_lost(void);

#endif
