// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "purge.h"
#include "seenctl.h"

static int show_all(void)
{
	const struct seen_filter_info *info;
	struct seen_filters *list;
	int err = seen_filter_list(ctl.client, &list);

	if (err)
		return from_kernel(err);
	for (size_t i = 0; (info = seen_filters_at(list, i)); i++)
		filter_tell(info);
	seen_filters_free(list);
	return DONE;
}

static int show_one(const char *name)
{
	struct seen_filter_info info;
	int err = seen_filter_get(ctl.client, name, &info);

	if (err)
		return from_kernel(err);
	filter_tell(&info);
	return DONE;
}

static int show(struct args *args)
{
	bool stats = ctl.stats;
	char name[SEEN_NAME_MAX] = "";
	int status = DONE;

	if (args->argc && strcmp(*args->argv, "-s"))
		status = args_name(args, "name", name);
	if (args->argc && !strcmp(*args->argv, "-s")) {
		args_next(args);
		ctl.stats = true;
	}
	if (!status)
		status = args_end(args);
	if (!status)
		status = connect_kernel();
	if (!status)
		status = *name ? show_one(name) : show_all();
	ctl.stats = stats;
	return status;
}

static const char fixed[] =
	"only on-full and allow-map can change; for others, add another filter and swap the two";

int set_allow_map(const char *filter, const char *map)
{
	if (!strcmp(map, "none"))
		map = "";
	return from_kernel(seen_filter_set_allow_map(ctl.client, filter, map));
}

static int set(struct args *args)
{
	char name[SEEN_NAME_MAX], map[SEEN_NAME_MAX] = "";
	uint32_t on_full = 0;
	const struct param params[] = {
		{ "on-full", read_word, &on_full, &seen_on_fulls },
		{ "allow-map", read_name, map },
		{ "type", .frozen = fixed },
		{ "capacity", .frozen = fixed },
		{ "fpp", .frozen = fixed },
		{ "key", .frozen = fixed },
		{ "window", .frozen = fixed },
		{ "layout", .frozen = fixed },
		{ "bits", .frozen = fixed },
		{ "refresh", .frozen = fixed },
		{ "seed", .frozen = fixed },
		{ "range", .frozen = fixed },
		{ "threshold", .frozen = fixed },
		{ "conservative", .frozen = fixed },
		{ "top", .frozen = fixed },
	};
	int status = args_name(args, "name", name);

	if (status)
		return status;
	if (!args->argc)
		return usage("%s", fixed);
	status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (!status)
		status = connect_kernel();
	if (!status && restore_keeps_filter(name))
		return DONE;
	if (!status && *map)
		status = set_allow_map(name, map);
	if (!status && on_full)
		status = from_kernel(seen_filter_set(ctl.client, name,
						     on_full));
	return status;
}

static int two_names(struct args *args, const char *what,
		     int (*act)(struct seen_client *client, const char *name,
				const char *other))
{
	char name[SEEN_NAME_MAX], other[SEEN_NAME_MAX];
	int status = args_name(args, "name", name);

	if (!status)
		status = args_name(args, what, other);
	if (!status)
		status = args_end(args);
	if (!status)
		status = connect_kernel();
	return status ? status : from_kernel(act(ctl.client, name, other));
}

static int del_all(struct args *args)
{
	return purge_all(args, purge_filters);
}

static int del(struct args *args)
{
	char name[SEEN_NAME_MAX];
	bool no_wait = false;
	const struct param params[] = { { "--no-wait", NULL, &no_wait } };
	int status;

	if (args_all(args))
		return del_all(args);
	status = args_name(args, "name", name);
	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (!status)
		status = connect_kernel();
	return status ? status : from_kernel(seen_filter_del(ctl.client, name,
							     no_wait));
}

static int run_named(struct args *args,
		     int (*act)(struct seen_client *client, const char *name))
{
	char name[SEEN_NAME_MAX];
	int status = args_name(args, "name", name);

	if (!status)
		status = args_end(args);
	if (!status)
		status = connect_kernel();
	return status ? status : from_kernel(act(ctl.client, name));
}

/* A filter that was deleted meanwhile is no error: it holds no keys. */
static int flush_list(const struct seen_filters *list)
{
	const struct seen_filter_info *info;
	int err = 0;

	for (size_t i = 0; !err && (info = seen_filters_at(list, i)); i++) {
		if (!info->missing)
			err = seen_filter_flush(ctl.client, info->config.name);
		if (err == -ENOENT)
			err = 0;
	}
	return from_kernel(err);
}

static int flush_all(struct args *args)
{
	int status = args_end(args);
	struct seen_filters *list;

	if (!status)
		status = connect_kernel();
	if (!status)
		status = from_kernel(seen_filter_list(ctl.client, &list));
	if (status)
		return status;
	status = flush_list(list);
	seen_filters_free(list);
	return status;
}

static int flush(struct args *args)
{
	return args_all(args) ? flush_all(args) :
				run_named(args, seen_filter_flush);
}

static int reset(struct args *args)
{
	return run_named(args, seen_filter_reset);
}

static int rename_to(struct args *args)
{
	return two_names(args, "new-name", seen_filter_rename);
}

static int swap(struct args *args)
{
	return two_names(args, "other", seen_filter_swap);
}

static const struct command commands[] = {
	{ "add", filter_add,
	  "NAME [type {bloom|cuckoo|counting|map|cms|cmm}] capacity N [fpp P]\n"
	  "           [key K] [window W [refresh]] [layout {blocked|classic}] [bits F]\n"
	  "           [on-full {reject|evict|rotate|pass}] [seed HEX]\n"
	  "           [threshold N] [conservative] [top N]\n"
	  "       seenctl filter add NAME [type bitmap] key FIELD range FIRST-LAST" },
	{ "show", show, "[NAME] [-s]", .list = true, .alone = true },
	{ "set", set, "NAME [on-full {reject|evict|rotate|pass}]\n"
	  "           [allow-map {MAP | none}]" },
	{ "del", del, "{NAME [--no-wait] | all}" },
	{ "flush", flush, "{NAME | all}" },
	{ "reset", reset, "NAME" },
	{ "rename", rename_to, "NAME NEW" },
	{ "swap", swap, "NAME OTHER" },
	{ "export", filter_export, "NAME {FILE|-} [--with-secret]" },
	{ "import", filter_import, "NAME {FILE|-} [seed HEX] [--replace]" },
	{ "merge", filter_merge, "NAME {OTHER | --file FILE} [--force]" },
	{ "fold", filter_fold, "NAME [capacity N]" },
	{ "diff", filter_diff, "NAME {OTHER | --file FILE}", .list = true },
};

const struct object filter_object = {
	.name = "filter",
	.summary = "sets of keys that were seen",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  capacity N  distinct keys that surely fit (10000, 10k, 1M); with a window:\n"
	"              within that time\n"
	"  fpp P       how often a new key may be called seen when the filter is full\n"
	"              (0.01, 1%, 1e-6); 0.001 unless given, counting 0.01\n"
	"  type        bloom: fastest; cuckoo: keys can be deleted, and with a window\n"
	"              expire within W/20. Unless given the smaller one is chosen, with a\n"
	"              window cuckoo. bitmap: exact, a bit\n"
	"              for each key of a range; counting: keys can be deleted, and counted\n"
	"              to 15; map: exact, with a value for each key; cms, cmm: how often\n"
	"              each key came; a count errs by at most all that was counted / N,\n"
	"              but for P of them: cms never too low, cmm less, and both ways\n"
	"  key K       host, flow, frame, packet, relay, bytes, or a list of fields\n"
	"              such as src/24,dport; host unless given. Fields: smac dmac vlan\n"
	"              ethertype src[/LEN] dst[/LEN] proto ttl dscp ipid frag sport\n"
	"              dport tcpseq payload[:N] len iif id. src/*: prefixes of any length.\n"
	"              inner beside them: those of the packet in a tunnel\n"
	"  window W    keys are seen for W to W and a tick after their first sighting\n"
	"              (100ms, 5s, 10m, 1h), with refresh after their last; for ever unless\n"
	"              given. A tick is W/20, of type bloom W/2\n"
	"  layout      bloom: blocked (one memory access) or classic (fewest bits)\n"
	"  bits F      cuckoo: of a fingerprint: 8, 12, 16, 24 or 32\n"
	"  on-full     reject: new keys are not recorded; evict: the oldest goes (cuckoo\n"
	"              with a window); rotate: the window shortens (bloom with one);\n"
	"              pass: nothing is called seen until there is room\n"
	"  range       bitmap: FIRST-LAST, or a network such as 10.0.0.0/8\n"
	"  threshold N counting, cms, cmm: seen are keys that came so often; 1\n"
	"  conservative  cms: an add raises only the counters that it must\n"
	"  top N       cms, cmm: keeps the N heaviest keys, for \"seenctl top\"\n"
	"  allow-map   keys of that map are never judged, as those of \"seenctl allow\"\n"
	"  seed HEX    the hash's secret, 32 digits; random unless given\n"
	"  reset       its counters begin at 0; they go on over a flush, swap or import\n"
	"  fold        to N keys, or to those that are in it: it is full then, and what is\n"
	"              added after that raises its rate\n"
	"  diff        of map and bitmap: \"< KEY\" is only in NAME, \"> KEY\" only in OTHER;\n"
	"              \"| KEY V W\" has another value in each. Ends with 0 if they are the\n"
	"              same, 1 if not, 2 on trouble\n"
	"  del all     deletes the filters that no guard, rule or filter uses, and prints\n"
	"              each, and why the others are kept\n"
	"  flush       deletes all keys; all: of all filters\n"
	"  --no-wait   del: refuse at once while rules use the filter, which else have\n"
	"              two seconds to go; guards are refused at once either way\n",
};
