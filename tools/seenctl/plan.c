// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "../lib/sizing.h"
#include "seenctl.h"

#define FPP_DEFAULT	(SEEN_FPP_ONE / 1000)

static const unsigned int fills[] = { 25, 50, 75, 100, 150 };

static double rate_at(const struct seen_sizing *sizing, unsigned int percent)
{
	return seen_sizing_rate(sizing, (double)sizing->capacity * percent /
					100);
}

static double bits_a_key(const struct seen_sizing *sizing)
{
	return 8.0 * sizing->bytes / sizing->capacity;
}

static void tell_text(const struct seen_sizing *sizing)
{
	char text[TEXT_LEN];

	printf("type %s", seen_word(&seen_types, sizing->type));
	if (sizing->type == SEEN_TYPE_BLOOM)
		put("layout", "%s", seen_word(&seen_layouts, sizing->layout));
	if (sizing->fp_bits)
		put("bits", "%u", sizing->fp_bits);
	put_number("capacity", sizing->capacity);
	put("fpp", "%g", real_rate(sizing->fpp));
	if (sizing->window)
		put("window", "%s", text_exact(text, sizing->window));
	put_flag("refresh", sizing->refresh);
	printf("\n    bytes %s bits-a-key %.1f hashes %u blocks %ju",
	       text_bytes(text, sizing->bytes), bits_a_key(sizing),
	       sizing->hashes, sizing->blocks);
	if (sizing->tick)
		put("tick", "%s", text_about(text, sizing->tick));
	printf("\n    how often a new key is called seen, by how full it is:\n   ");
	for (size_t i = 0; i < ARRAY_SIZE(fills); i++)
		printf(" %11u%%", fills[i]);
	printf("\n   ");
	for (size_t i = 0; i < ARRAY_SIZE(fills); i++)
		printf(" %12.3g", rate_at(sizing, fills[i]));
	putchar('\n');
}

static void tell_json(const struct seen_sizing *sizing)
{
	json_open(NULL, '{');
	json_text("type", seen_word(&seen_types, sizing->type));
	if (sizing->type == SEEN_TYPE_BLOOM)
		json_text("layout", seen_word(&seen_layouts, sizing->layout));
	if (sizing->fp_bits)
		json_number("bits", sizing->fp_bits);
	json_number("capacity", sizing->capacity);
	json_real("fpp", real_rate(sizing->fpp));
	if (sizing->window)
		json_number("window", sizing->window);
	json_bool("refresh", sizing->refresh);
	json_number("bytes", sizing->bytes);
	json_real("bits-a-key", bits_a_key(sizing));
	json_number("hashes", sizing->hashes);
	json_number("blocks", sizing->blocks);
	if (sizing->tick)
		json_number("tick", sizing->tick);
	json_text("errs", "seen");
	json_open("rates", '[');
	for (size_t i = 0; i < ARRAY_SIZE(fills); i++) {
		json_open(NULL, '{');
		json_real("filled", fills[i] / 100.0);
		json_real("rate", rate_at(sizing, fills[i]));
		json_close();
	}
	json_close();
	json_close();
}

enum {
	PLAN_CAPACITY, PLAN_FPP, PLAN_TYPE, PLAN_LAYOUT, PLAN_WINDOW,
	PLAN_REFRESH, PLAN_BITS,
};

static int plan(struct args *args)
{
	struct seen_sizing sizing = {};
	const char *error;
	const struct param params[] = {
		[PLAN_CAPACITY] = { "capacity", read_count, &sizing.capacity },
		[PLAN_FPP] = { "fpp", read_rate, &sizing.fpp },
		[PLAN_TYPE] = { "type", read_word, &sizing.type, &seen_types },
		[PLAN_LAYOUT] = { "layout", read_word, &sizing.layout,
				  &seen_layouts },
		[PLAN_WINDOW] = { "window", read_duration, &sizing.window },
		[PLAN_REFRESH] = { "refresh", NULL, &sizing.refresh },
		[PLAN_BITS] = { "bits", read_u32, &sizing.fp_bits },
	};
	uint64_t given;
	int status;

	status = params_read(args, params, ARRAY_SIZE(params), &given);
	if (status)
		return status;
	if (!(given & 1 << PLAN_CAPACITY))
		return usage("capacity is missing: how many keys at most?");
	if ((given & 1 << PLAN_BITS) && !sizing.fp_bits)
		return usage("bits: a fingerprint has 8, 12, 16, 24 or 32");
	if (!(given & (1 << PLAN_FPP | 1 << PLAN_BITS)))
		sizing.fpp = FPP_DEFAULT;
	sizing.evict = sizing.window;
	error = seen_sizing_plan(&sizing);
	if (error)
		return usage("%s", error);
	if (ctl.json)
		tell_json(&sizing);
	else
		tell_text(&sizing);
	return DONE;
}

static const struct command commands[] = {
	{ "", plan,
	  "capacity N [fpp P] [type {bloom|cuckoo}] [window W [refresh]]\n"
	  "           [layout {blocked|classic}] [bits F]" },
};

const struct object plan_object = {
	.name = "plan",
	.summary = "what a filter would cost, and how often it would err",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"The parameters are those of \"seenctl filter add\" that sizes depend on, and the\n"
	"sizes are the ones that the kernel would choose; nothing is created. The rates\n"
	"are predictions.\n",
};
