/* SPDX-License-Identifier: GPL-2.0 */
/* Report a plan: as text or JSON, and as a plot. */
#ifndef SEENCTL_PLAN_H
#define SEENCTL_PLAN_H

#include "../lib/sizing.h"

void plan_tell(const struct seen_sizing *sizing);

/* plan_plot() - draw the rates into the SVG file @path; returns the exit status */
int plan_plot(const struct seen_sizing *sizing, const char *path);

#endif
