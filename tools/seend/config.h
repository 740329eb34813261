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

/* Keys of the sections [host] and [group NAME]. */
enum host_key { HOST_KEY, HOST_STATE, HOST_SOCKET, HOST_KEYS };

enum group_key {
	GROUP_FILTER, GROUP_ENGINE, GROUP_REPLICA, GROUP_MODE, GROUP_DELETES, GROUP_SEAL,
	GROUP_USER, GROUP_PASSWORD, GROUP_RATE, GROUP_SHARE, GROUP_GROUP_RATE, GROUP_GROWTH,
	GROUP_RECENT, GROUP_FORCE, GROUP_KEYS
};

/**
 * struct group_config - a section [group NAME], and its section [hosts NAME]
 * @group: its hosts are not sorted yet
 * @line: of [group NAME]; 0: the section is missing
 * @hosts_line: of [hosts NAME]; 0: the section is missing
 * @lines: of the keys; 0: not given
 * @filter: name of the filter
 * @engine: address of the primary, or the text "none"
 * @replica: address of the replica; its text is "" if no replica is used
 * @user: of both servers, or ""
 * @password: file with the password of both servers, or ""
 * @seal: file with the group's seal, or ""
 */
struct group_config {
	struct group group;
	unsigned int line;
	unsigned int hosts_line;
	unsigned int lines[GROUP_KEYS];
	char filter[GROUP_NAME_ROOM];
	struct address engine;
	struct address replica;
	char user[WORD_ROOM];
	char password[PATH_MAX];
	char seal[PATH_MAX];
};

/**
 * struct config - a configuration file
 * @path: of the file
 * @lines: of the keys of [host]; 0: not given
 * @key: file with this host's secret key
 * @state: folder of the state that outlives the daemon
 * @socket: of the status
 * @groups: elements of @group
 * @group: see there
 */
struct config {
	char path[PATH_MAX];
	unsigned int lines[HOST_KEYS];
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

/**
 * config_say() - write an error with file and line
 * @error: out
 * @room: bytes of @error
 * @path: of the file
 * @line: 0: the error has no line
 * @text: as of printf()
 */
void __attribute__((__format__(__printf__, 5, 6)))
config_say(char *error, size_t room, const char *path, unsigned int line, const char *text, ...);

#endif
