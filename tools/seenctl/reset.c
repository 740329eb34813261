// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "purge.h"
#include "seenctl.h"

/* The kernel deletes the filters of profiles together with their guards. */
static int reset(void)
{
	int status = purge_guards();

	return status ? status : purge_filters();
}

static int reset_here(void)
{
	int status = connect_kernel();

	return status ? status : reset();
}

/* A connection belongs to one namespace, so it is closed before the next namespace. */
static void disconnect(void)
{
	seen_close(ctl.client);
	ctl.client = NULL;
}

static int reset_netns(const char *name)
{
	int status;

	disconnect();
	purge_netns(name);
	status = enter_netns(name);
	return status ? status : reset_here();
}

/* If one namespace fails, still reset the remaining ones. */
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

/* Reset the named namespaces, then return to the caller's, for later commands of a batch. */
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
	purge_netns(NULL);
	if (here >= 0 && setns(here, CLONE_NEWNET))
		status = refused("/proc/self/ns/net: %s", strerror(errno));
	if (here >= 0)
		close(here);
	return status;
}

/* Ask only if standard input is a terminal. */
static int confirm(bool all)
{
	char answer[16] = "";

	if (!isatty(STDIN_FILENO))
		return DONE;
	fflush(stdout);
	fprintf(stderr, "Delete all guards, and all filters that no rule names, in %s? [y/N] ",
		all ? "this network namespace and in all named ones" :
		      "this network namespace");
	if (!fgets(answer, sizeof(answer), stdin) ||
	    (answer[0] != 'y' && answer[0] != 'Y'))
		return refused("nothing was deleted");
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
	"Deletes the guards of this network namespace, and its filters except those that\n"
	"rules name, and prints each. On a terminal it asks first.\n"
	"\n"
	"  -a  also in every namespace that has a name\n"
	"  -y  do not ask\n",
};
