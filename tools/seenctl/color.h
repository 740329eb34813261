/* SPDX-License-Identifier: GPL-2.0 */
/* Colors of text, with -color. */
#ifndef SEENCTL_COLOR_H
#define SEENCTL_COLOR_H

enum color {
	COLOR_NONE,
	COLOR_NAME,	/* of filters, devices and ports */
	COLOR_ADDRESS,
	COLOR_GOOD,
	COLOR_BAD,
};

/* color_on(), color_off() - what stands before and behind colored text; "" without -color */
const char *color_on(enum color color);
const char *color_off(enum color color);

/* Both for "%s%s%s". */
#define COLORED(color, text)	color_on(color), text, color_off(color)

#endif
