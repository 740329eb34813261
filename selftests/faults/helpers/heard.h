/* SPDX-License-Identifier: GPL-2.0 */
/* Events that tell of what is not done for want of memory. */
#ifndef HEARD_H
#define HEARD_H

#include <stdbool.h>

#define HEARD_LEN	128

void heard_open(void);

/* heard_forget() - what has come so far */
void heard_forget(void);

/**
 * heard_await() - which have come since heard_forget()
 * @text: out: "waiting br0/d0", "saturated f", with "; " between them; as much as fits
 * @wait: none is there yet, but one is on its way
 */
void heard_await(char text[HEARD_LEN], bool wait);

/* heard_lost() - has the kernel counted one that it could not build? */
bool heard_lost(void);

#endif
