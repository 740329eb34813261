/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the programs of torture: keys that are UDP ports (a filter with "key dport" stores
 * them from packets and from requests alike), and the handling of SIGTERM.
 */
#ifndef PORTS_H
#define PORTS_H

#include <signal.h>

#include "../../net/helpers/numbers.h"

/* The control set: control_count() ports, always in every filter under test. */
#define CONTROL_FIRST	1
/* Ports that the program which changes a filter adds and deletes. */
#define OWN_FIRST	20000
#define OWN_COUNT	250
/* Ports that packets store, as many as fit. */
#define NOISE_FIRST	40000
#define NOISE_COUNT	10000

/* ended - has SIGTERM arrived? */
extern volatile sig_atomic_t ended;

/* control_count() - number of ports in the control set, from $CONTROL_COUNT */
uint32_t control_count(void);

/* step() - keys in a request, from $STEP; divides control_count() */
uint32_t step(void);

/* Seeds random() from $DRAW and @index. */
void draw_anew(unsigned int index);

/* Installs a handler for SIGTERM that only sets @ended. */
void until_told(void);

/* passed() - report, once, that everything was done that must be done before the end */
void passed(void);

/* ports_fill() - make a request with the ports @first to @first + @count - 1 as keys */
void ports_fill(struct seen_keys *keys, uint16_t first, uint32_t count);

#endif
