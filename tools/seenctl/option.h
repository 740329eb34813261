/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEENCTL_OPTION_H
#define SEENCTL_OPTION_H

#include "seenctl.h"

/**
 * struct request - options that are not in ctl
 * @netns: name of the network namespace, or NULL
 * @batch: path of the file with commands, or NULL
 * @help: print the help
 * @version: print the versions
 */
struct request {
	const char *netns;
	const char *batch;
	bool help;
	bool version;
};

/* options_read() - read the options before the object; returns DONE or USAGE */
int options_read(struct args *args, struct request *request);

/*
 * option_word() - name of a long option, without dashes; NULL after the last one. @other: names
 * that are not in the help
 */
const char *option_word(size_t i, bool other);

/*
 * option_awaits() - letter of the option whose value is the next word; '\0': of no option.
 * @word: begins with "-"
 */
char option_awaits(const char *word);

/* The values of -color */
extern const struct seen_names option_colors;

#endif
