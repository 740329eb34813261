// SPDX-License-Identifier: GPL-2.0
/* Allow lists: keys that a filter never judges. keys.c adds and deletes the keys. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../lib/key.h"
#include "seenctl.h"

static int add(struct args *args)
{
	return run_keys(SEEN_CMD_ALLOW_ADD, args);
}

static int del(struct args *args)
{
	return run_keys(SEEN_CMD_ALLOW_DEL, args);
}

static int map(struct args *args)
{
	char filter[SEEN_NAME_MAX], other[SEEN_NAME_MAX];
	int status;

	status = args_name(args, "name", filter);
	if (!status && !args->argc)
		return usage("map: required (MAP, or \"none\" for no map)");
	if (!status)
		status = args_name(args, "map", other);
	if (!status)
		status = args_end(args);
	if (!status)
		status = connect_kernel();
	return status ? status : set_allow_map(filter, other);
}

static int tell(const uint8_t *key, size_t len, void *context)
{
	const struct seen_key_spec *spec = context;
	size_t size = SEEN_KEY_TEXT_LEN(len);
	char *text = malloc(size);

	if (!text)
		return -ENOMEM;
	seen_key_format(spec, key, len, text, size);
	if (ctl.json)
		json_text(NULL, text);
	else
		puts(text);
	free(text);
	return 0;
}

static int show(struct args *args)
{
	struct seen_key_spec spec;
	char filter[SEEN_NAME_MAX];
	int status;

	status = args_name(args, "name", filter);
	if (!status)
		status = args_end(args);
	if (!status)
		status = learn_spec(filter, &spec);
	return status ? status : from_kernel(seen_allow_list(ctl.client, filter,
							     tell, &spec));
}

static const struct command commands[] = {
	{ "add", add, "NAME { KEY... | [--strict] [--csv COLUMN] - }",
	  .gathers = true },
	{ "del", del, "NAME { KEY... | [--strict] [--csv COLUMN] - }" },
	{ "show", show, "NAME", .list = true, .one = true },
	{ "map", map, "NAME {MAP | none}" },
};

const struct object allow_object = {
	.name = "allow",
	.summary = "keys that a filter never judges",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  -      reads a list from standard input, as \"seenctl key add\" does, also with\n"
	"         --strict and --csv\n"
	"  --     ends the options: the next words are keys, even if they begin with -\n"
	"\n"
	"If the key of a packet is on the allow list of a filter, the packet passes every\n"
	"guard that uses the filter, and matches no rule that names it, whatever keys the\n"
	"filter has. The list is exact, so it protects keys that must never be false\n"
	"positives. It belongs to the name of the filter: a flush or a swap does not\n"
	"change it.\n"
	"map: the keys of another filter of type map are never judged either. Many\n"
	"filters may have the same allow map, which counts as in use then.\n",
};
