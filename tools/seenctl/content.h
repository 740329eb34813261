/* SPDX-License-Identifier: GPL-2.0 */
/* List the keys of exact filters: maps and bitmaps. */
#ifndef SEENCTL_CONTENT_H
#define SEENCTL_CONTENT_H

#include "../lib/local_walk.h"
#include "seenctl.h"

/**
 * struct content - copy of an exact filter, whose keys can be listed
 * @name: name of the filter, or path of its file
 * @local: the copy
 * @info: configuration and state of the filter
 */
struct content {
	const char *name;
	struct seen_local *local;
	struct seen_filter_info info;
};

/*
 * content_filter() copies the kernel's filter @name, content_file() reads a file. Both
 * refuse a filter that is not exact. They return the exit status, after an error message.
 */
int content_filter(struct content *content, const char *name);
int content_file(struct content *content, const char *path);
void content_close(struct content *content);

bool content_has_values(const struct content *content);

/* content_text() - format a key as `key add -` reads it; caller frees; NULL: no memory */
char *content_text(const struct content *content, const uint8_t *key,
		   size_t len);

/* content_walk() - call a function for each key; returns its exit status, or REFUSED */
int content_walk(const struct content *content, seen_tell_fn tell,
		 void *context);

#endif
