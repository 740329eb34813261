/* SPDX-License-Identifier: GPL-2.0 */
/* Prints a plan on standard output. */
#ifndef SEENCTL_PLAN_H
#define SEENCTL_PLAN_H

#include "../lib/sizing.h"

void plan_tell(const struct seen_sizing *sizing);

/* plan_plot() - print a gnuplot script that draws the rates */
void plan_plot(const struct seen_sizing *sizing);

#endif
