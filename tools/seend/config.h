/* SPDX-License-Identifier: GPL-2.0 */
/* The configuration file, fleet.conf(5). */
#ifndef SEEND_CONFIG_H
#define SEEND_CONFIG_H

#include <limits.h>

#include "address.h"
#include "group.h"

#define GROUPS_MAX	64
#define CONFIG_ERROR	1024
#define WORD_ROOM	256

/**
 * struct group_config - a section [group NAME], and its section [hosts NAME]
 * @group: its hosts are not sorted yet
 * @line: of the section
 * @filter: name of the filter
 * @engine: address of the primary, or the text "none"
 * @replica: address of the replica; its text is "" if there is none
 * @user: of both servers, or ""
 * @password: file with the password of both servers, or ""
 * @seal: file with the group's seal, or ""
 */
struct group_config {
	struct group group;
	unsigned int line;
	char filter[GROUP_NAME_ROOM];
	struct address engine;
	struct address replica;
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
