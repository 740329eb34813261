// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that is left to this process in its cgroups. The limit of a cgroup also applies to all
 * its descendants, so each folder up to the mount point is checked. A file that cannot be read
 * sets no limit.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/**
 * struct hierarchy - file names of one cgroup version
 * @type: type of its file system
 * @limit: files with limits; NULL ends the list
 * @used: file with the bytes in use
 * @cache: lines of memory.stat that count page cache
 */
struct hierarchy {
	const char *type;
	const char *limit[3];
	const char *used;
	const char *cache[2];
};

static const struct hierarchy versions[] = {
	{ "cgroup", { "memory.limit_in_bytes" }, "memory.usage_in_bytes",
	  { "total_inactive_file", "total_active_file" } },
	{ "cgroup2", { "memory.max", "memory.high" }, "memory.current",
	  { "inactive_file", "active_file" } },
};

static FILE *open_file(const char *folder, const char *name)
{
	FILE *file;
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return NULL;
	file = fopen(path, "re");
	free(path);
	return file;
}

/* Read a file that has one number; false: no file, or "max". */
static bool read_number(const char *folder, const char *name, uint64_t *number)
{
	FILE *file = open_file(folder, name);
	bool good = file && fscanf(file, "%" SCNu64, number) == 1;

	if (file)
		fclose(file);
	return good;
}

static uint64_t cache_of(const struct hierarchy *version, const char *folder)
{
	FILE *file = open_file(folder, "memory.stat");
	uint64_t sum = 0, number;
	char word[64];

	if (!file)
		return 0;
	while (fscanf(file, "%63s %" SCNu64, word, &number) == 2)
		if (!strcmp(word, version->cache[0]) ||
		    !strcmp(word, version->cache[1]))
			sum += number;
	fclose(file);
	return sum;
}

static uint64_t folder_free(const struct hierarchy *version, const char *folder)
{
	uint64_t used, cache, limit, room = UINT64_MAX;

	if (!read_number(folder, version->used, &used))
		return room;
	cache = cache_of(version, folder);
	used = used > cache ? used - cache : 0;
	for (unsigned int i = 0; version->limit[i]; i++) {
		if (!read_number(folder, version->limit[i], &limit))
			continue;
		limit = limit > used ? limit - used : 0;
		if (limit < room)
			room = limit;
	}
	return room;
}

/* Is @word an element of the comma-separated @list? */
static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (; list; list = strchr(list, ',')) {
		list += *list == ',';
		if (!strncmp(list, word, len) &&
		    (!list[len] || list[len] == ','))
			return true;
	}
	return false;
}

/* The process's own cgroup from /proc/self/cgroup: "4:memory:/a" or "0::/a". */
static bool own_path(const char *root, bool unified, char *path)
{
	char line[PATH_MAX + 256], *list, *at;
	FILE *file = open_file(root, "proc/self/cgroup");
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		list = strchr(line, ':');
		at = list ? strchr(list + 1, ':') : NULL;
		if (!at)
			continue;
		*at++ = '\0';
		found = unified ? !list[1] : has_word(list + 1, "memory");
		snprintf(path, PATH_MAX, "%.*s", PATH_MAX - 1, at);
	}
	if (file)
		fclose(file);
	return found;
}

/**
 * struct mounted - a line of /proc/self/mountinfo
 * @from: the folder of the file system that is mounted
 * @at: the mount point
 */
struct mounted {
	char from[PATH_MAX];
	char at[PATH_MAX];
};

static bool is_mount(const char *line, const struct hierarchy *version,
		     struct mounted *mounted)
{
	const char *rest = strstr(line, " - ");
	char type[16], options[256];

	if (!rest || sscanf(rest, " - %15s %*s %255s", type, options) != 2)
		return false;
	if (strcmp(type, version->type) ||
	    (!strcmp(type, "cgroup") && !has_word(options, "memory")))
		return false;
	return sscanf(line, "%*s %*s %*s %4095s %4095s", mounted->from,
		      mounted->at) == 2;
}

static bool find_mount(const char *root, const struct hierarchy *version,
		       struct mounted *mounted)
{
	FILE *file = open_file(root, "proc/self/mountinfo");
	bool found = false;
	char *line = NULL;
	size_t size = 0;

	while (file && !found && getline(&line, &size, file) > 0)
		found = is_mount(line, version, mounted);
	if (file)
		fclose(file);
	free(line);
	return found;
}

/* In a container, the mounted root may be the container's own cgroup. */
static const char *below_mount(const struct mounted *mounted, const char *path)
{
	size_t len = strlen(mounted->from);

	if (!strncmp(path, "/..", 3))
		return "";
	if (!strcmp(mounted->from, "/"))
		return strcmp(path, "/") ? path : "";
	if (!strncmp(path, mounted->from, len) &&
	    (!path[len] || path[len] == '/'))
		return path + len;
	return "";
}

/* Least free memory of @folder and its parents, up to the folder whose path has @shortest bytes. */
static uint64_t folders_free(const struct hierarchy *version, char *folder,
			     size_t shortest)
{
	uint64_t room = UINT64_MAX, one;

	for (;;) {
		one = folder_free(version, folder);
		if (one < room)
			room = one;
		if (strlen(folder) <= shortest)
			return room;
		*strrchr(folder, '/') = '\0';
	}
}

static uint64_t version_free(const char *root, const struct hierarchy *version)
{
	struct mounted mounted;
	char path[PATH_MAX];
	uint64_t room;
	char *folder;

	if (!own_path(root, version == &versions[1], path) ||
	    !find_mount(root, version, &mounted))
		return UINT64_MAX;
	if (asprintf(&folder, "%s%s%s", root, mounted.at,
		     below_mount(&mounted, path)) < 0)
		return UINT64_MAX;
	room = folders_free(version, folder, strlen(root) + strlen(mounted.at));
	free(folder);
	return room;
}

uint64_t seen_cgroup_free(const char *root)
{
	uint64_t room = version_free(root, &versions[0]);
	uint64_t other = version_free(root, &versions[1]);

	return room < other ? room : other;
}
