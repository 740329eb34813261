/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What torture's programs share: keys that are UDP ports (a filter with "key
 * dport" takes them, from a packet and from a request alike), and until when.
 */
#ifndef PORTS_H
#define PORTS_H

#include <signal.h>

#include "../../net/helpers/numbers.h"

/* Always in every filter that is tormented, so many as control_count() says. */
#define CONTROL_FIRST	1
/* Come and go, by the one who changes the filter. */
#define OWN_FIRST	20000
#define OWN_COUNT	250
/* Stored by packets, as many as fit. */
#define NOISE_FIRST	40000
#define NOISE_COUNT	10000

/* ended - has SIGTERM come? */
extern volatile sig_atomic_t ended;

/* control_count() - ports of the control set, by CONTROL_COUNT in the environment */
uint32_t control_count(void);

/* step() - keys a request, by STEP in the environment; of the control set as many in each */
uint32_t step(void);

/* draw_anew() - random() by DRAW in the environment, another one for each @index */
void draw_anew(unsigned int index);

/* until_told() - from now on SIGTERM only sets @ended */
void until_told(void);

/* passed() - tell, once, that all was done that has to be before the end */
void passed(void);

/* ports_fill() - keys of ports @first to @first + @count - 1, as one request */
void ports_fill(struct seen_keys *keys, uint16_t first, uint32_t count);

#endif
