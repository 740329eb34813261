// SPDX-License-Identifier: GPL-2.0
/* Read the parameters of a new filter, and add it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/sizing.h"
#include "secret_file.h"
#include "seenctl.h"

#define FPP_DEFAULT	(SEEN_FPP_ONE / 1000)
/* Counters of four bits cannot reach a lower rate within 64 bits per key. */
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
		return usage("%s: must be %d hex digits", param->word,
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

/* Called after the key is known. The range also is the capacity. */
static int set_range(struct seen_filter_config *config, const char *range)
{
	char error[SEEN_KEY_ERROR_LEN];

	if (config->capacity)
		return usage("capacity and range exclude each other; the range is the capacity");
	return seen_range_parse(config, range, error) ?
	       usage("range: %s", error) : DONE;
}

/* Print an alternative that needs less memory, and its disadvantage. */
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
	printf("; %s needs %s, but %s", classic ? "layout classic" :
	       seen_word(&seen_types, type),
	       text_bytes(memory, seen_sizing_memory(&other)),
	       classic ? "is slower" : "keeps keys for up to ");
	if (!classic)
		printf("%s", text_about(longest, other.window + other.tick));
}

void filter_tell_choice(const struct seen_sizing *chosen)
{
	char memory[TEXT_LEN];

	if (ctl.json || !chosen->type)
		return;
	if (chosen->type == SEEN_TYPE_BITMAP) {
		puts("type bitmap chosen");
		return;
	}
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

/* Choose the type and layout that the user did not give, with the kernel's sizing code. */
static int choose_type(struct seen_filter_config *config, struct seen_sizing *chosen)
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

	/* Only type bloom has generations, which can rotate. */
	if (config->window && config->on_full == SEEN_ON_FULL_ROTATE)
		sizing.type = SEEN_TYPE_BLOOM;
	error = seen_sizing_plan(&sizing);
	if (error)
		return usage("%s", error);
	config->type = sizing.type;
	*chosen = sizing;
	return DONE;
}

enum {
	ADD_TYPE, ADD_CAPACITY, ADD_FPP, ADD_KEY, ADD_WINDOW, ADD_LAYOUT,
	ADD_BITS, ADD_REFRESH, ADD_ON_FULL, ADD_SEED, ADD_RANGE, ADD_THRESHOLD,
	ADD_CONSERVATIVE, ADD_TOP, ADD_SECRET,
};

static bool is_exact(uint32_t type)
{
	return type == SEEN_TYPE_BITMAP || type == SEEN_TYPE_MAP;
}

/*
 * A key with a prefix of any length is tested up to 64 times. Check here that the rate can
 * be met, because the kernel's error text does not name the possible rate.
 */
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

/* The file of "fleet key" has the key, too. */
static int take_secret(struct seen_filter_config *config, const char *path, uint64_t given)
{
	if (given & (1 << ADD_SEED | 1 << ADD_KEY))
		return usage("secret: excludes seed and key, which the file has");
	return secret_read(path, &config->key, config->secret);
}

/* The kernel checks the range first, and reports a type that is wrong only after that. */
static int check_type(const struct seen_filter_config *config, const char *range,
		      uint64_t given)
{
	uint32_t type = range ? SEEN_TYPE_BITMAP : config->type;
	const char *error = NULL;

	if (given & 1 << ADD_BITS)
		error = seen_sizing_bits_fault(type, config->fp_bits);
	if (!error && given & 1 << ADD_TOP)
		error = seen_sizing_top_fault(type);
	return error ? usage("%s", error) : DONE;
}

/* Check the parameters, and set those that the user did not give. */
static int complete(struct seen_filter_config *config, const char *range,
		    uint64_t given, struct seen_sizing *chosen)
{
	int status = range ? set_range(config, range) : DONE;

	if (status)
		return status;
	if (config->type == SEEN_TYPE_BITMAP && !range)
		return usage("range: required by type bitmap (FIRST-LAST)");
	if (!config->capacity && !(given & 1 << ADD_CAPACITY))
		return usage("capacity: required");
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
		return choose_type(config, chosen);
	config->type = SEEN_TYPE_BITMAP;
	chosen->type = SEEN_TYPE_BITMAP;
	return DONE;
}

int filter_read(struct args *args, struct seen_filter_config *config,
		struct seen_sizing *chosen)
{
	const char *range = NULL, *secret = NULL;
	const struct param params[] = {
		[ADD_TYPE] = { "type", read_word, &config->type, &seen_types },
		[ADD_CAPACITY] = { "capacity", read_count, &config->capacity,
				   .checked = true },
		[ADD_FPP] = { "fpp", read_rate, &config->fpp },
		[ADD_KEY] = { "key", read_key, &config->key },
		[ADD_WINDOW] = { "window", read_duration, &config->window,
				 .zero = window_zero },
		[ADD_LAYOUT] = { "layout", read_word, &config->layout,
				 &seen_layouts },
		[ADD_BITS] = { "bits", read_u32, &config->fp_bits,
			       .checked = true },
		[ADD_REFRESH] = { "refresh", NULL, &config->refresh },
		[ADD_ON_FULL] = { "on-full", read_word, &config->on_full,
				  &seen_on_fulls },
		[ADD_SEED] = { "seed", read_secret, config->secret },
		[ADD_RANGE] = { "range", read_text, &range },
		[ADD_THRESHOLD] = { "threshold", read_u32, &config->threshold },
		[ADD_CONSERVATIVE] = { "conservative", NULL,
				       &config->conservative },
		[ADD_TOP] = { "top", read_u32, &config->top, .checked = true },
		[ADD_SECRET] = { "secret", read_text, &secret },
	};
	const struct param key = { .word = "key", .into = &config->key };
	uint64_t given;
	int status = read_key(&key, "host");

	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), &given);
	if (status)
		return status;
	status = secret ? take_secret(config, secret, given) : DONE;
	if (!status)
		status = check_type(config, range, given);
	if (status)
		return status;
	config->has_secret = given & (1 << ADD_SEED | 1 << ADD_SECRET);
	return complete(config, range, given, chosen);
}

/* The tick depends on the kernel's clock, so get it from the kernel. */
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

int filter_add(struct args *args)
{
	struct seen_filter_config config = {};
	struct seen_sizing chosen = {};
	int status = args_name(args, "name", config.name), err;

	if (!status)
		status = filter_read(args, &config, &chosen);
	if (!status)
		status = connect_kernel();
	if (status)
		return status;
	err = seen_filter_add(ctl.client, &config);
	if (err == -EEXIST && ctl.exist)
		return exist_filter(&config);
	status = from_kernel(err);
	if (!status)
		filter_tell_choice(&chosen);
	if (!status && config.window && !ctl.json && !ctl.batch)
		status = from_kernel(tell_window(config.name));
	return status;
}

