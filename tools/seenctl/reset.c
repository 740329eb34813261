// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seenctl.h"

/* What a namespace has. */
struct stock {
	struct seen_guard_info *guard;
	size_t guards;
	struct seen_filter_info *filter;
	size_t filters;
};

static void free_stock(struct stock *stock)
{
	seen_guard_free(stock->guard, stock->guards);
	free(stock->filter);
}

static int take_stock(struct stock *stock)
{
	int err;

	*stock = (struct stock) {};
	err = seen_guard_list(ctl.client, &stock->guard, &stock->guards) ?:
	      seen_filter_list(ctl.client, &stock->filter, &stock->filters);
	if (err)
		free_stock(stock);
	return from_kernel(err);
}

/* A filter of a guard's own goes with the guard. */
static bool may_go(const struct seen_filter_info *filter)
{
	return !filter->missing && !filter->guard_owned && !filter->rules;
}

/* Where, unless in the caller's namespace. */
static const char *netns;

/* @kept: why it is not deleted; NULL: it is. */
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

static int delete_guards(const struct stock *stock)
{
	for (size_t i = 0; i < stock->guards; i++) {
		const struct seen_guard_id *id = &stock->guard[i].config.id;
		int err = seen_guard_del(ctl.client, id);

		if (err == -ENOENT)
			continue;
		if (err)
			return from_kernel(err);
		tell_guard(id);
	}
	return DONE;
}

/*
 * The map whose keys a filter that is kept does not judge is kept, too; one of a filter that
 * goes, goes after it.
 */
static bool is_map_of(const struct stock *stock, const char *name, bool kept)
{
	for (size_t i = 0; i < stock->filters; i++)
		if (!strcmp(stock->filter[i].allow_map, name) &&
		    (!kept || stock->filter[i].rules))
			return true;
	return false;
}

static int delete_filter(const struct seen_filter_info *filter)
{
	int err = seen_filter_del(ctl.client, filter->config.name, true);

	if (!err)
		tell_filter(filter->config.name, NULL);
	return err == -ENOENT ? DONE : from_kernel(err);
}

/* A map asks no other map: what no filter has for its map goes first. */
static int delete_filters(const struct stock *stock)
{
	int status = DONE;

	for (int maps = 0; maps < 2; maps++)
		for (size_t i = 0; i < stock->filters && !status; i++) {
			const struct seen_filter_info *filter = &stock->filter[i];
			const char *name = filter->config.name;

			if (may_go(filter) && !is_map_of(stock, name, true) &&
			    is_map_of(stock, name, false) == maps)
				status = delete_filter(filter);
		}
	return status;
}

static void tell_kept(const struct stock *stock)
{
	for (size_t i = 0; i < stock->filters; i++) {
		const struct seen_filter_info *filter = &stock->filter[i];

		if (filter->missing)
			continue;
		if (filter->rules)
			tell_filter(filter->config.name, "rules name it");
		else if (is_map_of(stock, filter->config.name, true))
			tell_filter(filter->config.name,
				    "it is the allow map of a filter that is kept");
	}
}

/* The lists as they are then: guards' own filters have gone with them. */
static int reset(void)
{
	struct stock stock;
	int status = take_stock(&stock);

	if (status)
		return status;
	status = delete_guards(&stock);
	free_stock(&stock);
	if (!status)
		status = take_stock(&stock);
	if (status)
		return status;
	status = delete_filters(&stock);
	tell_kept(&stock);
	free_stock(&stock);
	return status;
}

static int reset_here(void)
{
	int status = connect_kernel();

	return status ? status : reset();
}

/* A connection is one namespace's. */
static void disconnect(void)
{
	seen_close(ctl.client);
	ctl.client = NULL;
}

static int reset_netns(const char *name)
{
	int status;

	disconnect();
	netns = name;
	status = enter_netns(name);
	return status ? status : reset_here();
}

/* Where one namespace refuses, the others are reset all the same. */
static int reset_each(DIR *dir)
{
	const struct dirent *entry;
	int status = DONE, each;

	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		each = reset_netns(entry->d_name);
		status = status ? status : each;
	}
	return status;
}

/* A batch goes on where it was. */
static int reset_named(void)
{
	DIR *dir = opendir("/run/netns");
	int here, status;

	if (!dir)
		return errno == ENOENT ? DONE :
		       refused("/run/netns: %s", strerror(errno));
	here = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	status = here < 0 ? refused("/proc/self/ns/net: %s", strerror(errno)) :
			    reset_each(dir);
	closedir(dir);
	disconnect();
	netns = NULL;
	if (here >= 0 && setns(here, CLONE_NEWNET))
		status = refused("/proc/self/ns/net: %s", strerror(errno));
	if (here >= 0)
		close(here);
	return status;
}

/* Nothing is asked where nobody sits who could answer. */
static int confirm(bool all)
{
	char answer[16] = "";

	if (!isatty(STDIN_FILENO))
		return DONE;
	fflush(stdout);
	fprintf(stderr, "Delete all guards, and the filters that no rule names, of %s? [y/N] ",
		all ? "this namespace and every named one" : "this namespace");
	if (!fgets(answer, sizeof(answer), stdin) ||
	    (answer[0] != 'y' && answer[0] != 'Y'))
		return refused("nothing is deleted");
	return DONE;
}

static int run(struct args *args)
{
	bool all = false, yes = false;
	const struct param params[] = {
		{ "-a", NULL, &all },
		{ "-y", NULL, &yes },
	};
	int status = params_read(args, params, ARRAY_SIZE(params), NULL);

	if (!status && !yes)
		status = confirm(all);
	if (!status)
		status = reset_here();
	if (!status && all)
		status = reset_named();
	return status;
}

static const struct command commands[] = {
	{ "", run, "[-a] [-y]", .list = true },
};

const struct object reset_object = {
	.name = "reset",
	.summary = "delete all guards, and the filters that no rule names",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  Deletes the guards of this network namespace, and its filters but for those\n"
	"  that rules name, and tells each. On a terminal it asks first.\n"
	"  -a            the same in every namespace that has a name, too\n"
	"  -y            do not ask\n",
};
