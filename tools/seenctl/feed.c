// SPDX-License-Identifier: GPL-2.0
/* Feeds: the kernel keeps hashes of new keys for a program that shares them with other hosts. */
#include <errno.h>
#include <string.h>

#include "seenctl.h"

/* A duration, or "never". */
static int read_stale(const struct param *param, const char *value)
{
	if (strcmp(value, "never"))
		return read_duration(param, value);
	*(uint64_t *)param->into = SEEN_FEED_NEVER;
	return DONE;
}

/* A value that is not given fits any. */
static const char *feed_differs(const struct seen_feed_config *want,
				const struct seen_filter_info *has)
{
	uint64_t limit = has->feed_limit ? has->feed_limit : SEEN_FEED_NEVER;

	if (want->records && want->records != has->feed_room)
		return "records";
	return want->stale && want->stale != limit ? "stale" : NULL;
}

/* -exist: a feed with the same parameters is no error. */
static int exist_feed(const char *name, const struct seen_feed_config *want)
{
	struct seen_filter_info info;
	int status = from_kernel(seen_filter_get(ctl.client, name, &info));
	const char *differs;

	if (status)
		return status;
	differs = feed_differs(want, &info);
	return differs ? refused_object("the feed of filter \"%s\" exists with another %s",
					name, differs) : DONE;
}

static int add(struct args *args)
{
	char name[SEEN_NAME_MAX];
	struct seen_feed_config config = {};
	const struct param params[] = {
		{ "records", read_u32, &config.records, .least = 1 },
		{ "stale", read_stale, &config.stale,
		  .zero = "must be above 0, or never" },
	};
	int status = args_name(args, "name", name), err;

	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (!status)
		status = connect_kernel();
	if (status || restore_keeps_filter(name))
		return status;
	err = seen_feed_add(ctl.client, name, &config);
	return err == -EEXIST && ctl.exist ? exist_feed(name, &config) : from_kernel(err);
}

static int del(struct args *args)
{
	char name[SEEN_NAME_MAX];
	int status = args_name(args, "name", name);

	if (!status)
		status = args_end(args);
	if (!status)
		status = connect_kernel();
	return status ? status : from_kernel(seen_feed_del(ctl.client, name));
}

static const struct command commands[] = {
	{ "add", add, "NAME [records N] [stale {TIME|never}]", .one = true },
	{ "del", del, "NAME", .one = true },
};

const struct object feed_object = {
	.name = "feed",
	.summary = "new keys of a filter, as hashes for other hosts",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  records N  records kept until a program takes them, for the packets on each\n"
	"             CPU, and for commands: a power of two from 64 to 1048576; 4096\n"
	"             unless given\n"
	"  stale T    without news from other hosts for this time (5s, 1m) the feed is\n"
	"             stale, which is an event and shows in \"seenctl filter show\"; 10s\n"
	"             unless given\n"
	"\n"
	"A feed reports each key that a packet stores as new, each key that a packet gives\n"
	"a new window (once in each half of the window), and each key that a user adds or\n"
	"deletes. Keys that arrive from other hosts, merges and imports are not reported.\n"
	"The feed belongs to the name of the filter, and is deleted with the filter.\n"
	"Filters of type bitmap, map, cms and cmm, with a threshold above 1, with prefixes\n"
	"of any length, or with a guard of verdict loop or other-port have no feed.\n",
};
