/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What torture's programs share: keys that are UDP ports (a filter with "key
 * dport" takes them, from a packet and from a request alike), and until when.
 */
#ifndef PORTS_H
#define PORTS_H

#include <signal.h>

#include "../../net/helpers/numbers.h"

/* Always in every filter that is tormented. */
#define CONTROL_FIRST	1
#define CONTROL_COUNT	1000
/* Come and go, by the one who changes the filter. */
#define OWN_FIRST	20000
#define OWN_COUNT	250
/* Stored by packets, as many as fit. */
#define NOISE_FIRST	40000
#define NOISE_COUNT	10000

/* Ports a request; of 1,000 there are as many in each. */
#define STEP		250

/* ended - has SIGTERM come? */
extern volatile sig_atomic_t ended;

/* until_told() - from now on SIGTERM only sets @ended */
void until_told(void);

/* passed() - tell, once, that all was done that has to be before the end */
void passed(void);

/* ports_fill() - keys of ports @first to @first + @count - 1, as one request */
void ports_fill(struct seen_keys *keys, uint16_t first, uint32_t count);

#endif
