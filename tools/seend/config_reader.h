/* SPDX-License-Identifier: GPL-2.0 */
/* The configuration file while it is read. */
#ifndef SEEND_CONFIG_READER_H
#define SEEND_CONFIG_READER_H

#include <stdio.h>

#include "config.h"

/* Of names of filters, hosts and groups, with the NUL; the rule is the kernel's for filters. */
#define NAME_ROOM	32
#define NAME_RULE	"a name has 1 to 31 characters of printable ASCII, without blanks, \"/\""

enum config_section { SECTION_NONE, SECTION_HOST, SECTION_GROUP, SECTION_HOSTS };

/**
 * struct config_reader - a file that is being read
 * @config: out
 * @file: the file
 * @line: number of the last line; the library reports none
 * @text: the last line
 * @room: bytes of @text
 * @section: of the last line
 * @group: of the last line, in [group NAME] and [hosts NAME]
 * @error: out
 * @failed: @error is set
 */
struct config_reader {
	struct config *config;
	FILE *file;
	unsigned int line;
	char *text;
	size_t room;
	enum config_section section;
	struct group_config *group;
	char *error;
	bool failed;
};

/* config_fail() - note the first error, with the line; returns 0 */
int __attribute__((__format__(__printf__, 2, 3)))
config_fail(struct config_reader *reader, const char *text, ...);

/* config_name_is_good() - does a name follow NAME_RULE? */
bool config_name_is_good(const char *name);

/* config_judge() - find the errors that show only after the last line */
void config_judge(struct config_reader *reader);

#endif
