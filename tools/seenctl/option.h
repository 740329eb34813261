/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEENCTL_OPTION_H
#define SEENCTL_OPTION_H

#include "seenctl.h"

/**
 * struct request - what the options ask for, beside what is in ctl
 * @netns: the network namespace that is meant, or NULL
 * @batch: the file with commands, or NULL
 * @help: print the help
 * @version: print versions
 */
struct request {
	const char *netns;
	const char *batch;
	bool help;
	bool version;
};

/* options_read() - the options before the object; returns DONE or USAGE */
int options_read(struct args *args, struct request *request);

#endif
