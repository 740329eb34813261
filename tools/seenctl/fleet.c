// SPDX-License-Identifier: GPL-2.0
/* Groups of hosts that share the keys of a filter by seend. */
#include <string.h>

#include "fleet.h"
#include "secret_file.h"

int read_socket(const struct param *param, const char *value)
{
	*(const char **)param->into = value;
	return DONE;
}

static int show_groups(const char *path, const char *name)
{
	const struct fleet_group *only = NULL;
	struct fleet fleet;
	int status = fleet_get(&fleet, path, false);

	if (!status && name) {
		only = fleet_find(&fleet, name);
		status = only ? DONE : REFUSED;
	}
	if (!status)
		fleet_tell(&fleet, only);
	fleet_free(&fleet);
	return status;
}

static int show(struct args *args)
{
	const char *path = FLEET_SOCKET, *name = NULL;
	const struct param params[] = { { "--socket", read_socket, &path } };
	int status;

	if (args->argc && **args->argv != '-')
		name = args_next(args);
	status = params_read(args, params, ARRAY_SIZE(params), NULL);
	return status ? status : show_groups(path, name);
}

static int key_write(const char *name, const char *path)
{
	uint8_t secret[SEEN_SECRET_LEN];
	struct seen_key_spec key;
	int status = learn_spec(name, &key);

	if (!status)
		status = from_kernel(seen_filter_secret(ctl.client, name, secret));
	if (!status)
		status = secret_write(path, &key, secret);
	explicit_bzero(secret, sizeof(secret));
	return status;
}

static int key(struct args *args)
{
	char name[SEEN_NAME_MAX];
	int status = args_name(args, "name", name);
	const char *path = status ? NULL : args_next(args);

	if (!status && !path)
		status = usage("FILE: required");
	if (!status)
		status = args_end(args);
	return status ? status : key_write(name, path);
}

static const struct command commands[] = {
	{ "show", show, "[GROUP] [--socket PATH]", .list = true, .alone = true, .one = true },
	{ "ask", fleet_ask, "GROUP [--socket PATH] { KEY... | [--csv COLUMN] - }", .list = true },
	{ "key", key, "NAME FILE" },
};

const struct object fleet_object = {
	.name = "fleet",
	.summary = "groups of hosts that share keys by seend",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"show prints the groups of this host's seend, those with a fault first:\n"
	"  FAULT       something does not work now. The filters keep their keys\n"
	"  engine      whether the Redis server answers\n"
	"  aggregator  the host that sends batches to all, and the age of the last one\n"
	"  keys        whether this host has all keys up to that batch; keys of other\n"
	"              hosts that were applied\n"
	"  batches     batches of this host: not sent, sent, and acknowledged (kept for\n"
	"              15 minutes, in case the server loses them)\n"
	"  counted     what happened since seend started, with its number\n"
	"\n"
	"ask prints where a key may be. \"may be\" is wrong at the false-positive rate of\n"
	"the filter. \"no\" and \"not\" are right for all keys that have arrived here. In\n"
	"mode each a line lists the publishers: this host's keys are in the filter, those\n"
	"of HOST in FILTER.HOST. The exit status is 0 if each key may be there, else 1.\n"
	"\n"
	"key writes the key and the hash secret of a filter to a new file, which only its\n"
	"owner may read. All hosts of a group need filters with this secret: copy the\n"
	"file to them (scp), and add the filter with\n"
	"\"seenctl filter add NAME ... secret FILE\".\n"
	"\n"
	"  --socket PATH  the socket of seend; /run/seen/seend.sock unless given\n"
	"  -, --csv       as in \"seenctl key test\"\n",
};
