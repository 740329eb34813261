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
	"only on-full and allow-map can change; otherwise add a new filter and swap the two";

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
		{ "secret", .frozen = fixed },
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
	return two_names(args, "new", seen_filter_rename);
}

static int swap(struct args *args)
{
	return two_names(args, "other", seen_filter_swap);
}

static const struct command commands[] = {
	{ "add", filter_add,
	  "NAME [type {bloom|cuckoo|counting|map|cms|cmm}] capacity N [fpp P]\n"
	  "           [key K] [window W [refresh]] [layout {blocked|classic}] [bits F]\n"
	  "           [on-full {reject|evict|rotate|pass}]\n"
	  "           [seed HEX | secret FILE] [threshold N] [conservative] [top N]\n"
	  "       seenctl filter add NAME [type bitmap] key FIELD range FIRST-LAST" },
	{ "show", show, "[NAME] [-s]", .list = true, .alone = true, .one = true },
	{ "set", set, "NAME [on-full {reject|evict|rotate|pass}]\n"
	  "           [allow-map {MAP | none}]" },
	{ "del", del, "{NAME [--no-wait] | all}", .one = true },
	{ "flush", flush, "{NAME | all}", .one = true },
	{ "reset", reset, "NAME", .one = true },
	{ "rename", rename_to, "NAME NEW" },
	{ "swap", swap, "NAME OTHER" },
	{ "export", filter_export, "NAME {FILE|-} [--with-secret]" },
	{ "import", filter_import, "NAME {FILE|-} [seed HEX] [--replace]" },
	{ "merge", filter_merge, "NAME {OTHER | --file FILE} [--force]" },
	{ "fold", filter_fold, "NAME [capacity N]", .one = true },
	{ "diff", filter_diff, "NAME {OTHER | --file FILE}", .list = true },
};

const struct object filter_object = {
	.name = "filter",
	.summary = "sets of keys that were seen",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  capacity N  number of distinct keys that always fit (10000, 10k, 1M);\n"
	"              with a window: within that time\n"
	"  fpp P       false-positive rate: how often a new key is reported as seen when\n"
	"              the filter is full (0.01, 1%, 1e-6); 0.001 unless given, for type\n"
	"              counting 0.01\n"
	"  type        bloom: fastest; cuckoo: keys can be deleted, and expire at most\n"
	"              W/20 after their window. Unless given, bloom or cuckoo, whichever\n"
	"              needs less memory; with a window cuckoo. bitmap: exact, one bit\n"
	"              for each key of a range; counting: keys can be deleted, and are\n"
	"              counted up to 15; map: exact, with a value for each key; cms, cmm:\n"
	"              count how often each key occurs. A count errs by at most the sum\n"
	"              of all counts / N, except with probability P: cms never counts too\n"
	"              low; cmm errs less, in both directions\n"
	"  key K       host, flow, frame, packet, relay, bytes, or a list of fields\n"
	"              such as src/24,dport; host unless given. Fields: smac dmac vlan\n"
	"              ethertype src[/LEN] dst[/LEN] proto ttl dscp ipid frag sport\n"
	"              dport tcpseq payload[:N] len iif id. src/*: prefixes of any\n"
	"              length. With inner in the list, the fields are those of the packet\n"
	"              in a tunnel\n"
	"  window W    a key is seen for W to W plus a tick after its first sighting\n"
	"              (100ms, 5s, 10m, 1h), with refresh after its last; for ever unless\n"
	"              given. A tick is W/20, for type bloom W/2\n"
	"  layout      bloom: blocked (one memory access) or classic (fewest bits)\n"
	"  bits F      cuckoo: bits of a fingerprint: 8, 12, 16, 24 or 32\n"
	"  on-full     reject: new keys are not stored; evict: the oldest key is removed\n"
	"              (cuckoo with a window); rotate: the window gets shorter (bloom\n"
	"              with a window); pass: no key is reported as seen until there is\n"
	"              room\n"
	"  range       bitmap: FIRST-LAST, or a network such as 10.0.0.0/8\n"
	"  threshold N counting, cms, cmm: a key is seen if its count is at least N; 1\n"
	"              unless given\n"
	"  conservative  cms: an add raises only the lowest counters of a key\n"
	"  top N       cms, cmm: keeps the N heaviest keys, for \"seenctl top\"\n"
	"  allow-map   keys of that map are never judged, like those of \"seenctl allow\"\n"
	"  seed HEX    secret of the hash, 32 hex digits; random unless given\n"
	"  secret FILE key and secret of another host's filter, from \"seenctl fleet key\"\n"
	"  reset       sets the filter's counters to 0; flush, swap and import keep them\n"
	"  fold        makes a bloom filter as small as N keys allow, or the keys that it\n"
	"              holds. Without N it is full afterwards, and further keys raise its\n"
	"              false-positive rate above P\n"
	"  diff        compares filters of type map or bitmap: \"< KEY\" is only in NAME,\n"
	"              \"> KEY\" only in OTHER; \"| KEY V W\" has different values. The exit\n"
	"              status is 0 if the filters are equal, 1 if not, 2 on trouble\n"
	"  del all     deletes the filters that no guard, rule or other filter uses.\n"
	"              Prints each, and why the remaining filters are kept\n"
	"  flush       deletes all keys; flush all: all keys of all filters\n"
	"  --no-wait   del: refuse at once if rules use the filter. Otherwise del waits\n"
	"              up to two seconds until the rules are deleted. If guards use the\n"
	"              filter, del is always refused at once\n",
};
