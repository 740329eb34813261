// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/sizing.h"
#include "seenctl.h"

#define FPP_DEFAULT	(SEEN_FPP_ONE / 1000)
/* Counters of four bits cannot do better within 64 bits a key. */
#define FPP_COUNTING	(SEEN_FPP_ONE / 100)

static int read_key(const struct param *param, const char *value)
{
	char error[SEEN_KEY_ERROR_LEN];

	if (!seen_key_spec_parse(param->into, value, error))
		return DONE;
	return usage("%s: %s", param->word, error);
}

int read_secret(const struct param *param, const char *value)
{
	uint8_t *secret = param->into;
	char digits[3] = "";

	if (strlen(value) != 2 * SEEN_SECRET_LEN ||
	    strspn(value, "0123456789abcdefABCDEF") != 2 * SEEN_SECRET_LEN)
		return usage("%s: %d hex digits, please", param->word,
			     2 * SEEN_SECRET_LEN);
	for (int i = 0; i < SEEN_SECRET_LEN; i++) {
		memcpy(digits, value + 2 * i, 2);
		secret[i] = strtoul(digits, NULL, 16);
	}
	return DONE;
}

static int read_text(const struct param *param, const char *value)
{
	*(const char **)param->into = value;
	return DONE;
}

/* Once the key is known; it is the capacity, too. */
static int set_range(struct seen_filter_config *config, const char *range)
{
	char error[SEEN_KEY_ERROR_LEN];

	if (config->capacity)
		return usage("capacity: of a bitmap it is the range");
	return seen_range_parse(config, range, error) ?
	       usage("range: %s", error) : DONE;
}

/* A smaller one is told, and what speaks against it. */
static void tell_other(const struct seen_sizing *chosen, uint32_t type,
		       uint32_t layout)
{
	struct seen_sizing other = *chosen;
	char memory[TEXT_LEN], longest[TEXT_LEN];
	bool classic = layout == SEEN_LAYOUT_CLASSIC;

	other.type = type;
	other.layout = layout;
	other.fp_bits = 0;
	if (seen_sizing_plan(&other) ||
	    seen_sizing_memory(&other) >= seen_sizing_memory(chosen))
		return;
	printf("; %s would take %s, but %s", classic ? "layout classic" :
	       seen_word(&seen_types, type),
	       text_bytes(memory, seen_sizing_memory(&other)),
	       classic ? "more time" : "keep keys for up to ");
	if (!classic)
		printf("%s", text_about(longest, other.window + other.tick));
}

static void tell_choice(const struct seen_sizing *chosen)
{
	char memory[TEXT_LEN];

	printf("type %s chosen, %s", seen_word(&seen_types, chosen->type),
	       text_bytes(memory, seen_sizing_memory(chosen)));
	if (!chosen->fp_bits || chosen->type != SEEN_TYPE_CUCKOO)
		tell_other(chosen, SEEN_TYPE_CUCKOO, SEEN_LAYOUT_UNSPEC);
	if (chosen->type != SEEN_TYPE_BLOOM)
		tell_other(chosen, SEEN_TYPE_BLOOM, SEEN_LAYOUT_BLOCKED);
	if (chosen->layout != SEEN_LAYOUT_CLASSIC && !chosen->window)
		tell_other(chosen, SEEN_TYPE_BLOOM, SEEN_LAYOUT_CLASSIC);
	putchar('\n');
}

/* What was left open is settled here, by the sizing that the kernel does too. */
static int choose_type(struct seen_filter_config *config)
{
	struct seen_sizing sizing = {
		.layout = config->layout,
		.fp_bits = config->fp_bits,
		.refresh = config->refresh,
		.capacity = config->capacity,
		.fpp = config->fpp,
		.window = config->window,
		.asks = seen_key_spec_prefix(&config->key) ? SEEN_LENGTHS_MAX : 0,
	};
	const char *error;

	/* Only generations rotate. */
	if (config->window && config->on_full == SEEN_ON_FULL_ROTATE)
		sizing.type = SEEN_TYPE_BLOOM;
	error = seen_sizing_plan(&sizing);
	if (error)
		return usage("%s", error);
	config->type = sizing.type;
	if (!ctl.json)
		tell_choice(&sizing);
	return DONE;
}

enum {
	ADD_TYPE, ADD_CAPACITY, ADD_FPP, ADD_KEY, ADD_WINDOW, ADD_LAYOUT,
	ADD_BITS, ADD_REFRESH, ADD_ON_FULL, ADD_SEED, ADD_RANGE, ADD_THRESHOLD,
	ADD_CONSERVATIVE, ADD_TOP,
};

static bool is_exact(uint32_t type)
{
	return type == SEEN_TYPE_BITMAP || type == SEEN_TYPE_MAP;
}

/* The kernel does not say which rate it takes: it depends on the 64 questions of a key. */
static int check_counting(const struct seen_filter_config *config)
{
	struct seen_sizing sizing = {
		.type = config->type,
		.fp_bits = config->fp_bits,
		.capacity = config->capacity,
		.fpp = config->fpp,
		.threshold = config->threshold,
		.asks = SEEN_LENGTHS_MAX,
	};
	const char *error = seen_sizing_plan(&sizing);

	return error ? usage("%s", error) : DONE;
}

/* What was not given follows from the rest. */
static int complete(struct seen_filter_config *config, const char *range,
		    uint64_t given)
{
	int status = range ? set_range(config, range) : DONE;

	if (status)
		return status;
	if (config->type == SEEN_TYPE_BITMAP && !range)
		return usage("range is missing: which keys, as FIRST-LAST?");
	if (!config->capacity && !(given & 1 << ADD_CAPACITY))
		return usage("capacity is missing: how many keys at most?");
	if (!(given & (1 << ADD_FPP | 1 << ADD_BITS)) &&
	    !is_exact(config->type) && !range)
		config->fpp = config->type == SEEN_TYPE_COUNTING ?
			      FPP_COUNTING : FPP_DEFAULT;
	if (config->type == SEEN_TYPE_COUNTING &&
	    seen_key_spec_prefix(&config->key))
		return check_counting(config);
	if (given & 1 << ADD_TYPE)
		return DONE;
	if (!range)
		return choose_type(config);
	config->type = SEEN_TYPE_BITMAP;
	if (!ctl.json)
		printf("type bitmap chosen\n");
	return DONE;
}

int filter_read(struct args *args, struct seen_filter_config *config)
{
	const char *range = NULL;
	const struct param params[] = {
		[ADD_TYPE] = { "type", read_word, &config->type, &seen_types },
		[ADD_CAPACITY] = { "capacity", read_count, &config->capacity },
		[ADD_FPP] = { "fpp", read_rate, &config->fpp },
		[ADD_KEY] = { "key", read_key, &config->key },
		[ADD_WINDOW] = { "window", read_duration, &config->window },
		[ADD_LAYOUT] = { "layout", read_word, &config->layout,
				 &seen_layouts },
		[ADD_BITS] = { "bits", read_u32, &config->fp_bits },
		[ADD_REFRESH] = { "refresh", NULL, &config->refresh },
		[ADD_ON_FULL] = { "on-full", read_word, &config->on_full,
				  &seen_on_fulls },
		[ADD_SEED] = { "seed", read_secret, config->secret },
		[ADD_RANGE] = { "range", read_text, &range },
		[ADD_THRESHOLD] = { "threshold", read_u32, &config->threshold },
		[ADD_CONSERVATIVE] = { "conservative", NULL,
				       &config->conservative },
		[ADD_TOP] = { "top", read_u32, &config->top },
	};
	const struct param key = { .word = "key", .into = &config->key };
	uint64_t given;
	int status = read_key(&key, "host");

	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), &given);
	if (status)
		return status;
	if ((given & 1 << ADD_BITS) && !config->fp_bits)
		return usage("bits: a fingerprint has 8, 12, 16, 24 or 32");
	config->has_secret = given & 1 << ADD_SEED;
	return complete(config, range, given);
}

/* The kernel's clock has a part in how long a key lives. */
static int tell_window(const char *name)
{
	struct seen_filter_info info;
	char shortest[TEXT_LEN], longest[TEXT_LEN];
	int err = seen_filter_get(ctl.client, name, &info);

	if (err)
		return err;
	printf("%s for %s to %s after its %s sighting\n",
	       seen_sizing_sketch(info.config.type) ? "a key is counted"
						    : "a key is seen",
	       text_exact(shortest, info.config.window),
	       text_about(longest, info.config.window + info.tick),
	       info.config.refresh ? "last" : "first");
	return 0;
}

static int add(struct args *args)
{
	struct seen_filter_config config = {};
	int status = args_name(args, "the filter's name", config.name), err;

	if (!status)
		status = filter_read(args, &config);
	if (!status)
		status = connect_kernel();
	if (status)
		return status;
	err = seen_filter_add(ctl.client, &config);
	if (err == -EEXIST && ctl.exist)
		return exist_filter(&config);
	if (!err && config.window && !ctl.json && !ctl.batch)
		err = tell_window(config.name);
	return from_kernel(err);
}

static int show_all(void)
{
	struct seen_filter_info *list;
	size_t count;
	int err = seen_filter_list(ctl.client, &list, &count);

	if (err)
		return from_kernel(err);
	for (size_t i = 0; i < count; i++)
		filter_tell(&list[i]);
	free(list);
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
		status = args_name(args, "the filter's name", name);
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
	"only on-full and allow-map change live; for the rest add another filter and swap them";

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
	int status = args_name(args, "the filter's name", name);

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
	int status = args_name(args, "the filter's name", name);

	if (!status)
		status = args_name(args, what, other);
	if (!status)
		status = args_end(args);
	if (!status)
		status = connect_kernel();
	return status ? status : from_kernel(act(ctl.client, name, other));
}

static int del(struct args *args)
{
	char name[SEEN_NAME_MAX];
	bool no_wait = false;
	const struct param params[] = { { "--no-wait", NULL, &no_wait } };
	int status = args_name(args, "the filter's name", name);

	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (!status)
		status = connect_kernel();
	return status ? status : from_kernel(seen_filter_del(ctl.client, name,
							     no_wait));
}

/* By its name. */
static int run_named(struct args *args,
		     int (*act)(struct seen_client *client, const char *name))
{
	char name[SEEN_NAME_MAX];
	int status = args_name(args, "the filter's name", name);

	if (!status)
		status = args_end(args);
	if (!status)
		status = connect_kernel();
	return status ? status : from_kernel(act(ctl.client, name));
}

static int flush(struct args *args)
{
	return run_named(args, seen_filter_flush);
}

static int reset(struct args *args)
{
	return run_named(args, seen_filter_reset);
}

static int rename_to(struct args *args)
{
	return two_names(args, "the new name", seen_filter_rename);
}

static int swap(struct args *args)
{
	return two_names(args, "the other filter's name", seen_filter_swap);
}

static const struct command commands[] = {
	{ "add", add,
	  "NAME [type {bloom|cuckoo|counting|map|cms|cmm}] capacity N [fpp P]\n"
	  "           [key K] [window W [refresh]] [layout {blocked|classic}] [bits F]\n"
	  "           [on-full {reject|evict|rotate|pass}] [seed HEX]\n"
	  "           [threshold N] [conservative] [top N]\n"
	  "       seenctl filter add NAME [type bitmap] key FIELD range FIRST-LAST" },
	{ "show", show, "[NAME] [-s]", .list = true },
	{ "set", set, "NAME [on-full {reject|evict|rotate|pass}]\n"
	  "           [allow-map {MAP | none}]" },
	{ "del", del, "NAME [--no-wait]" },
	{ "flush", flush, "NAME" },
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
	"              dport tcpseq payload[:N] len iif id. src/*: prefixes of any length\n"
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
	"  --no-wait   del: refuse at once while rules use the filter, which else have\n"
	"              two seconds to go; guards are refused at once either way\n",
};
