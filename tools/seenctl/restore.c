// SPDX-License-Identifier: GPL-2.0
#include "seenctl.h"

static int run(struct args *args)
{
	const char *path = args_next(args);
	bool exist = ctl.exist;
	int status;

	if (ctl.batch)
		return usage("a batch has no other one in it");
	status = args_end(args);
	if (status)
		return status;
	ctl.exist = true;
	status = run_batch(path ? path : "-");
	ctl.exist = exist;
	return status;
}

static const struct command commands[] = {
	{ "", run, "[FILE]" },
};

const struct object restore_object = {
	.name = "restore",
	.summary = "run the commands that save has printed",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"From standard input unless FILE is given. What is there already, and as it shall\n"
	"be, is left alone (as with -exist); what is there in another way is an error.\n",
};
