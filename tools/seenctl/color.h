/* SPDX-License-Identifier: GPL-2.0 */
/* Colors of text output. */
#ifndef SEENCTL_COLOR_H
#define SEENCTL_COLOR_H

#include <stdbool.h>

enum color {
	COLOR_NONE,
	COLOR_NAME,	/* name of a filter, device or port */
	COLOR_ADDRESS,
	COLOR_GOOD,
	COLOR_BAD,
};

/*
 * color_auto() - is standard output a terminal that shows colors? No if the variable NO_COLOR is
 * set, or TERM is "dumb".
 */
bool color_auto(void);

/* color_on(), color_off() - sequence before and after colored text; "" unless ctl.color is set */
const char *color_on(enum color color);
const char *color_off(enum color color);

/* Arguments for "%s%s%s": @text between its color sequences. */
#define COLORED(color, text)	color_on(color), text, color_off(color)

#endif
