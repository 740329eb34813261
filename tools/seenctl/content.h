/* SPDX-License-Identifier: GPL-2.0 */
/* What exact filters hold: maps and bitmaps. */
#ifndef SEENCTL_CONTENT_H
#define SEENCTL_CONTENT_H

#include "../lib/local_walk.h"
#include "seenctl.h"

/**
 * struct content - a filter whose keys can be told
 * @name: of the filter, or its file
 * @local: a copy of it
 * @info: of it
 */
struct content {
	const char *name;
	struct seen_local *local;
	struct seen_filter_info info;
};

/* content_filter() - of the kernel's filter @name, content_file() - of a file; the exit status */
int content_filter(struct content *content, const char *name);
int content_file(struct content *content, const char *path);
void content_close(struct content *content);

bool content_has_values(const struct content *content);

/* content_text() - a key as `key add -` reads it; to be freed, NULL: no memory */
char *content_text(const struct content *content, const uint8_t *key,
		   size_t len);

/* content_walk() - all keys; returns the exit status, which @tell returns, too */
int content_walk(const struct content *content, seen_tell_fn tell,
		 void *context);

#endif
