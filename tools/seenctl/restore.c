// SPDX-License-Identifier: GPL-2.0
/*
 * A restore adds the objects that do not exist. Objects that exist when it begins may have
 * changed since the save, so they keep their contents, unless --replace is given.
 */
#include <stdlib.h>
#include <string.h>

#include "loss.h"
#include "seenctl.h"

/**
 * struct present - objects that existed when a restore began
 * @active: a restore without --replace is running
 * @filters: all filters
 * @told: for each filter: the note that it is kept was printed
 * @guards: all guards
 */
static struct present {
	bool active;
	struct seen_filters *filters;
	bool *told;
	struct seen_guards *guards;
} present;

static const char stays[] =
	"filter \"%s\" exists: its keys and allow lists stay; --replace restores them";

bool restore_keeps_filter(const char *name)
{
	const struct seen_filter_info *filter;

	for (size_t i = 0; (filter = seen_filters_at(present.filters, i)); i++) {
		if (!present.active || filter->missing || strcmp(filter->config.name, name))
			continue;
		if (!present.told[i])
			remark(stays, name);
		present.told[i] = true;
		return true;
	}
	return false;
}

static bool runs;

bool restore_runs(void)
{
	return runs;
}

/* Number of guards that this restore added paused; its last lines resume them. */
static unsigned int paused;

void restore_paused(void)
{
	paused++;
}

void restore_resumed(void)
{
	if (paused)
		paused--;
}

bool restore_keeps_guard(const struct seen_guard_id *id)
{
	const struct seen_guard_info *guard;

	for (size_t i = 0; (guard = seen_guards_at(present.guards, i)); i++)
		if (present.active && guard_is(&guard->config.id, id))
			return true;
	return false;
}

static int look(void)
{
	int status = connect_kernel();

	if (!status)
		status = from_kernel(seen_filter_list(ctl.client,
						      &present.filters));
	if (!status)
		status = from_kernel(seen_guard_list(ctl.client,
						     &present.guards));
	if (status)
		return status;
	present.told = calloc(seen_filters_count(present.filters) + 1,
			      sizeof(*present.told));
	present.active = present.told;
	return present.told ? DONE : no_memory();
}

static void forget(void)
{
	seen_filters_free(present.filters);
	free(present.told);
	seen_guards_free(present.guards);
	present = (struct present) {};
}

static const char early[] =
	"stopped early and left %u new guard%s paused; delete or resume %s before the next restore";

static int restore(const char *path, bool replace)
{
	bool exist = ctl.exist;
	int status = replace ? DONE : look();

	ctl.exist = true;
	runs = true;
	paused = 0;
	if (!status)
		status = run_batch(path);
	runs = false;
	ctl.exist = exist;
	forget();
	return status;
}

/* Without --keep-going, the first error ends the restore. */
static int restore_all(const char *path, bool replace)
{
	int status = restore(path, replace);

	if (status && status != NOT_SEEN && paused)
		refused(early, paused, paused == 1 ? "" : "s",
			paused == 1 ? "it" : "them");
	return status;
}

/* @fallback: folder with the snapshots of an earlier save, or NULL */
static int restore_most(const char *path, bool replace, const char *fallback)
{
	int status = connect_kernel();
	unsigned int unknown;

	if (status)
		return status;
	loss_start(fallback);
	status = restore(path, replace);
	if (!loss_end(&unknown))
		return status;
	if (unknown && paused)
		refused("%u of the new guards %s paused", paused, paused == 1 ? "is" : "are");
	return status ? status : REFUSED;
}

static int read_folder(const struct param *param, const char *value)
{
	*(const char **)param->into = value;
	return DONE;
}

static int run(struct args *args)
{
	bool replace = false, going = false;
	const char *fallback = NULL, *path;
	const struct param params[] = {
		{ "--replace", NULL, &replace },
		{ "--keep-going", NULL, &going },
		{ "--fallback", read_folder, &fallback },
	};
	struct args rest;
	int status;

	if (ctl.batch)
		return usage("cannot run in a batch");
	status = params_first(args, params, ARRAY_SIZE(params), &rest);
	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (status)
		return status;
	path = args_next(&rest);
	if (!path)
		path = "-";
	status = args_end(&rest);
	if (!status && fallback && !going)
		status = usage("--fallback: requires --keep-going");
	if (status)
		return status;
	return going ? restore_most(path, replace, fallback) : restore_all(path, replace);
}

static const struct command commands[] = {
	{ "", run, "[FILE] [--replace] [--keep-going]\n"
	  "           [--fallback DIR]" },
};

const struct object restore_object = {
	.name = "restore",
	.summary = "run the commands that save has printed",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"Reads standard input unless FILE is given. An object that exists with the same\n"
	"parameters is left alone (as with -exist). An object that exists with other\n"
	"parameters is an error.\n"
	"\n"
	"  --replace       an existing filter gets its saved keys and allow map, and the\n"
	"                  keys of its saved allow list are added to the present list. An\n"
	"                  existing guard is paused if the save has it paused. Without\n"
	"                  --replace, existing filters and guards keep their present\n"
	"                  state, which is newer than the save\n"
	"  --keep-going    goes on after a line that fails, and prints what is lost. The\n"
	"                  exit status is then 1. A last line without an end is not run,\n"
	"                  because the file may be truncated. Without --replace, an\n"
	"                  object that exists with other parameters stays, with a note\n"
	"  --fallback DIR  with --keep-going: if a snapshot is missing or damaged,\n"
	"                  imports the file of this name in DIR, from an earlier save\n",
};
