// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "color.h"
#include "seenctl.h"

/* Bold, to be readable on a dark and on a light background. */
static const char *const colors[] = {
	[COLOR_NONE] = "",
	[COLOR_NAME] = "\033[1;36m",
	[COLOR_ADDRESS] = "\033[1;33m",
	[COLOR_GOOD] = "\033[1;32m",
	[COLOR_BAD] = "\033[1;31m",
};

bool color_auto(void)
{
	const char *without = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(without && *without) &&
	       !(term && !strcmp(term, "dumb"));
}

const char *color_on(enum color color)
{
	return ctl.color && !ctl.json ? colors[color] : "";
}

const char *color_off(enum color color)
{
	return ctl.color && !ctl.json && color != COLOR_NONE ? "\033[0m" : "";
}
