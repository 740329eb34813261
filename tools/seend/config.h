/* SPDX-License-Identifier: GPL-2.0 */
/* The configuration file, fleet.conf(5). */
#ifndef SEEND_CONFIG_H
#define SEEND_CONFIG_H

#include <limits.h>

#include "group.h"

#define GROUPS_MAX	64
#define CONFIG_ERROR	1024
#define WORD_ROOM	256

/**
 * struct group_config - a section [group NAME], and its section [hosts NAME]
 * @group: its hosts are not sorted yet
 * @line: of the section
 * @filter: name of the filter
 * @engine: "unix:PATH" or "tcp:HOST:PORT"
 * @user: of the engine, or ""
 * @password: file with the engine's password, or ""
 * @seal: file with the group's seal, or ""
 */
struct group_config {
	struct group group;
	unsigned int line;
	char filter[GROUP_NAME_ROOM];
	char engine[PATH_MAX];
	char user[WORD_ROOM];
	char password[PATH_MAX];
	char seal[PATH_MAX];
};

/**
 * struct config - a configuration file
 * @key: file with this host's secret key
 * @state: folder of the state that outlives the daemon
 * @socket: of the status
 * @groups: elements of @group
 * @group: see there
 */
struct config {
	char key[PATH_MAX];
	char state[PATH_MAX];
	char socket[PATH_MAX];
	size_t groups;
	struct group_config group[GROUPS_MAX];
};

/**
 * config_read() - read a configuration file
 * @path: of the file
 * @error: out: CONFIG_ERROR bytes: file, line, the error and its remedy
 *
 * Return: the configuration, to be freed by config_free(); NULL: @error says why.
 */
struct config *config_read(const char *path, char *error);
void config_free(struct config *config);

#endif
