/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEENCTL_OVERVIEW_H
#define SEENCTL_OVERVIEW_H

/* overview() - print one screen about all guards and filters; returns the exit status */
int overview(void);

#endif
