/* SPDX-License-Identifier: GPL-2.0 */
/* Files of groups without an engine, and the member that reads and writes them. */
#ifndef SEEND_WEB_FILE_H
#define SEEND_WEB_FILE_H

#include "frame.h"
#include "session.h"

/**
 * struct web - a group without an engine
 * @config: the configuration
 * @session: its group; has no engine, and a state that is not kept
 * @error: a line for people
 */
struct web {
	struct config *config;
	struct session session;
	char error[SESSION_ERROR];
};

/* web_open() - use a group of the configuration; 0, or -1 with @web->error; then web_close() */
int web_open(struct web *web, const char *config, const char *group);
void web_close(struct web *web);

/* web_limit() - bytes of the largest file that this host accepts */
size_t web_limit(struct web *web);

/* web_write() - write the file; 0, or -1 with @web->error */
int web_write(struct web *web, const char *path);

/**
 * web_load() - add the keys of a file to the filter
 * @web: the group
 * @bytes: the file, not trusted; is changed
 * @len: of @bytes
 * @sequence: in: of the last file that was loaded; out: of this one
 *
 * Return: 1: loaded; 0: it is not newer; -1 with @web->error.
 */
int web_load(struct web *web, uint8_t *bytes, size_t len, uint64_t *sequence);

#endif
