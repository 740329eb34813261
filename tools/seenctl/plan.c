// SPDX-License-Identifier: GPL-2.0
#include "plan.h"
#include "seenctl.h"

#define FPP_DEFAULT	(SEEN_FPP_ONE / 1000)

enum {
	PLAN_CAPACITY, PLAN_FPP, PLAN_MEMORY, PLAN_TYPE, PLAN_LAYOUT,
	PLAN_WINDOW, PLAN_REFRESH, PLAN_BITS, PLAN_KEY, PLAN_KEY_BYTES,
	PLAN_TOP, PLAN_PLOT,
};

#define GIVEN(request, what)	((request)->given & 1 << (what))

/* The parameters of the command. */
struct request {
	struct seen_sizing sizing;
	struct seen_key_spec key;
	uint64_t memory;
	bool plot;
	uint64_t given;
};

static int read_key(const struct param *param, const char *value)
{
	char error[SEEN_KEY_ERROR_LEN];

	if (!seen_key_spec_parse(param->into, value, error))
		return DONE;
	return usage("%s: %s", param->word, error);
}

static int read_request(struct args *args, struct request *request)
{
	struct seen_sizing *sizing = &request->sizing;
	const struct param params[] = {
		[PLAN_CAPACITY] = { "capacity", read_count, &sizing->capacity,
				    .checked = true },
		[PLAN_FPP] = { "fpp", read_rate, &sizing->fpp },
		[PLAN_MEMORY] = { "memory", read_size, &request->memory },
		[PLAN_TYPE] = { "type", read_word, &sizing->type, &seen_types },
		[PLAN_LAYOUT] = { "layout", read_word, &sizing->layout,
				  &seen_layouts },
		[PLAN_WINDOW] = { "window", read_duration, &sizing->window,
				  .zero = window_zero },
		[PLAN_REFRESH] = { "refresh", NULL, &sizing->refresh },
		[PLAN_BITS] = { "bits", read_u32, &sizing->fp_bits, .checked = true },
		[PLAN_KEY] = { "key", read_key, &request->key },
		[PLAN_KEY_BYTES] = { "key-bytes", read_u32,
				     &sizing->key_bytes, .checked = true },
		[PLAN_TOP] = { "top", read_u32, &sizing->top, .checked = true },
		[PLAN_PLOT] = { "--plot", NULL, &request->plot },
	};

	return params_read(args, params, ARRAY_SIZE(params), &request->given);
}

/*
 * Get the length of the keys, which only type map and top need. The default key is "host".
 * A key with a prefix of any length also sets the number of tests per key.
 */
static int settle_key(struct request *request)
{
	struct seen_sizing *sizing = &request->sizing;
	bool given = GIVEN(request, PLAN_KEY);
	char error[SEEN_KEY_ERROR_LEN];

	if (given && seen_key_spec_prefix(&request->key))
		sizing->asks = SEEN_LENGTHS_MAX;
	if (sizing->type != SEEN_TYPE_MAP && !sizing->top) {
		if (sizing->asks)
			return DONE;
		if (given || GIVEN(request, PLAN_KEY_BYTES))
			return usage("key: only type map and top use the key");
		return DONE;
	}
	if (GIVEN(request, PLAN_KEY_BYTES))
		return given ? usage("key and key-bytes exclude each other") :
			       DONE;
	if (!given && seen_key_spec_parse(&request->key, "host", error))
		return usage("key: %s", error);
	sizing->key_bytes = seen_key_spec_longest(&request->key);
	if (!sizing->key_bytes)
		return usage("%s", seen_whole_key_text);
	return DONE;
}

static int check_exact(const struct request *request)
{
	const char *type = seen_word(&seen_types, request->sizing.type);

	if (GIVEN(request, PLAN_FPP))
		return usage("fpp: type %s is exact", type);
	if (GIVEN(request, PLAN_CAPACITY) && GIVEN(request, PLAN_MEMORY))
		return usage("type %s is exact: capacity and memory exclude each other",
			     type);
	if (request->plot)
		return usage("--plot: type %s is exact, there is no rate to plot",
			     type);
	return DONE;
}

static int check(const struct request *request)
{
	const struct seen_sizing *sizing = &request->sizing;
	const char *error = NULL;

	if (GIVEN(request, PLAN_BITS))
		error = seen_sizing_bits_fault(sizing->type, sizing->fp_bits);
	if (error)
		return usage("%s", error);
	if (request->plot && ctl.json)
		return usage("--plot and -j exclude each other");
	if (!GIVEN(request, PLAN_CAPACITY) && !GIVEN(request, PLAN_MEMORY))
		return usage("capacity: required, or memory");
	if (seen_sizing_exact(request->sizing.type))
		return check_exact(request);
	if (GIVEN(request, PLAN_CAPACITY) && GIVEN(request, PLAN_FPP) &&
	    GIVEN(request, PLAN_MEMORY))
		return usage("capacity, fpp and memory: at most two can be given");
	return DONE;
}

static int settle(struct request *request)
{
	struct seen_sizing *sizing = &request->sizing;
	const char *error;

	sizing->evict = sizing->window;
	if (GIVEN(request, PLAN_CAPACITY) && GIVEN(request, PLAN_MEMORY)) {
		error = seen_sizing_least(sizing, request->memory);
	} else {
		if (!GIVEN(request, PLAN_FPP) && !GIVEN(request, PLAN_BITS))
			sizing->fpp = FPP_DEFAULT;
		error = GIVEN(request, PLAN_MEMORY) ?
			seen_sizing_most(sizing, request->memory) :
			seen_sizing_plan(sizing);
	}
	return error ? usage("%s", error) : DONE;
}

static int plan(struct args *args)
{
	struct request request = {};
	int status;

	status = read_request(args, &request);
	if (!status)
		status = check(&request);
	if (!status)
		status = settle_key(&request);
	if (!status)
		status = settle(&request);
	if (status)
		return status;
	if (request.plot)
		plan_plot(&request.sizing);
	else
		plan_tell(&request.sizing);
	return DONE;
}

static const struct command commands[] = {
	{ "", plan,
	  "[capacity N] [memory M] [fpp P]\n"
	  "           [type {bloom|cuckoo|counting|map|cms|cmm|bitmap}]\n"
	  "           [window W [refresh]] [layout {blocked|classic}] [bits F]\n"
	  "           [top N] [key K | key-bytes N] [--plot]" },
};

const struct object plan_object = {
	.name = "plan",
	.summary = "compute the memory and the error rate of a filter",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"Two of capacity, fpp and memory give the third: the least memory, the most keys\n"
	"or the lowest rate. fpp is 0.001 unless two are given. Nothing is created; the\n"
	"sizes are those that the kernel would choose, and the rates are predictions.\n"
	"\n"
	"  capacity N  as in \"seenctl filter add\"; bitmap: keys in its range; cms and\n"
	"              cmm: a count errs by at most the sum of all counts / N\n"
	"  fpp P       how often a new key is reported as seen; cms and cmm: how often a\n"
	"              count errs by more than that\n"
	"  memory M    bytes of the table, in whole pages, and its locks (65536, 64K, 2M,\n"
	"              1G: powers of 1024)\n"
	"  type        unless given, the type that \"filter add\" would choose\n"
	"  top N       cms, cmm: number of heaviest keys that are kept with the counts\n"
	"  key K       map, top: key of the filter, host unless given; or key-bytes N:\n"
	"              bytes of the longest key\n"
	"  --plot      print a gnuplot script that draws the rates, instead of the plan\n"
	"\n"
	"window, refresh, layout and bits are those of \"seenctl filter add\".\n",
};
