// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "purge.h"
#include "seenctl.h"

static const char *netns;

void purge_netns(const char *name)
{
	netns = name;
}

/* Print the end of an entry. @kept: why the object is kept; NULL: it was deleted. */
static void tell_end(const char *kept)
{
	if (ctl.json) {
		if (netns)
			json_text("netns", netns);
		json_bool("deleted", !kept);
		if (kept)
			json_text("kept", kept);
		json_close();
		return;
	}
	if (netns)
		put("netns", "%s", netns);
	if (kept)
		printf(" kept: %s\n", kept);
	else
		puts(" deleted");
}

static void tell_guard(const struct seen_guard_id *id)
{
	const char *kind = seen_word(&seen_guard_kinds, id->kind);
	const char *hook = seen_word(&seen_hooks, id->hook);

	if (ctl.json) {
		json_open(NULL, '{');
		json_text("object", "guard");
		json_text("kind", kind);
		json_text("dev", id->dev);
		json_text("hook", hook);
	} else {
		printf("guard %s %s", kind, id->dev);
		put("hook", "%s", hook);
	}
	tell_end(NULL);
}

static void tell_filter(const char *name, const char *kept)
{
	if (ctl.json) {
		json_open(NULL, '{');
		json_text("object", "filter");
		json_text("name", name);
	} else {
		printf("filter %s", name);
	}
	tell_end(kept);
}

int purge_guards(void)
{
	const struct seen_guard_info *guard;
	struct seen_guards *list;
	int status = from_kernel(seen_guard_list(ctl.client, &list));

	if (status)
		return status;
	for (size_t i = 0; !status && (guard = seen_guards_at(list, i)); i++) {
		const struct seen_guard_id *id = &guard->config.id;
		int err = seen_guard_del(ctl.client, id);

		if (err == -ENOENT)
			continue;
		status = from_kernel(err);
		if (!status)
			tell_guard(id);
	}
	seen_guards_free(list);
	return status;
}

/* Number of filters that have this filter as allow map. */
static uint32_t map_users(const struct seen_filters *list, const char *name)
{
	const struct seen_filter_info *filter;
	uint32_t users = 0;

	for (size_t i = 0; (filter = seen_filters_at(list, i)); i++)
		users += !strcmp(filter->allow_map, name);
	return users;
}

/*
 * Why guards or rules keep a filter, or NULL. Filters that have it as allow map may be
 * deleted themselves; see is_map_of_kept().
 */
static const char *used_by(const struct seen_filters *list,
			   const struct seen_filter_info *filter)
{
	if (filter->guard_owned)
		return "it belongs to a guard";
	if (filter->rules)
		return "rules name it";
	return filter->users > map_users(list, filter->config.name) ?
	       "guards use it" : NULL;
}

static bool is_map_of_kept(const struct seen_filters *list, const char *name)
{
	const struct seen_filter_info *filter;

	for (size_t i = 0; (filter = seen_filters_at(list, i)); i++)
		if (!strcmp(filter->allow_map, name) && used_by(list, filter))
			return true;
	return false;
}

/* Why a filter is kept, or NULL. */
static const char *keeps(const struct seen_filters *list,
			 const struct seen_filter_info *filter)
{
	const char *user = used_by(list, filter);

	if (user || !is_map_of_kept(list, filter->config.name))
		return user;
	return "it is the allow map of a filter that is kept";
}

static int delete_filter(const struct seen_filter_info *filter)
{
	int err = seen_filter_del(ctl.client, filter->config.name, true);

	if (!err)
		tell_filter(filter->config.name, NULL);
	return err == -ENOENT ? DONE : from_kernel(err);
}

/* Delete the filters before their allow maps. An allow map has no allow map itself. */
static int delete_filters(const struct seen_filters *list)
{
	const struct seen_filter_info *filter;
	int status = DONE;

	for (int maps = 0; maps < 2; maps++)
		for (size_t i = 0; !status && (filter = seen_filters_at(list, i)); i++)
			if (!filter->missing && !keeps(list, filter) &&
			    !!map_users(list, filter->config.name) == maps)
				status = delete_filter(filter);
	return status;
}

static void tell_kept(const struct seen_filters *list)
{
	const struct seen_filter_info *filter;

	for (size_t i = 0; (filter = seen_filters_at(list, i)); i++) {
		const char *why = filter->missing ? NULL : keeps(list, filter);

		if (why)
			tell_filter(filter->config.name, why);
	}
}

int purge_filters(void)
{
	struct seen_filters *list;
	int status = from_kernel(seen_filter_list(ctl.client, &list));

	if (status)
		return status;
	status = delete_filters(list);
	tell_kept(list);
	seen_filters_free(list);
	return status;
}

int purge_all(struct args *args, int (*purge)(void))
{
	int status = args_end(args);

	if (!status)
		status = connect_kernel();
	if (status)
		return status;
	if (ctl.json)
		json_open(NULL, '[');
	status = purge();
	if (ctl.json)
		json_close();
	return status;
}
