// SPDX-License-Identifier: GPL-2.0
/* Print the heaviest keys of a sketch: once, or on a terminal every second. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/key.h"
#include "seenctl.h"

#define HOME		"\033[H"
#define CLEAR_LINE	"\033[K"
#define CLEAR_REST	"\033[J"

/**
 * struct listing - a list of keys that is printed
 * @spec: the key of the filter
 * @left: number of further keys that may be printed
 * @live: lines overwrite those of the previous list
 */
struct listing {
	struct seen_key_spec spec;
	uint32_t left;
	bool live;
};

static int tell(const uint8_t *key, size_t len, uint32_t count, void *context)
{
	struct listing *listing = context;
	char text[SEEN_KEY_TEXT_LEN(SEEN_KEY_EXACT_MAX)];

	if (!listing->left--)
		return 1;
	seen_key_format(&listing->spec, key, len, text, sizeof(text));
	if (ctl.json) {
		json_open(NULL, '{');
		json_text("key", text);
		json_number("count", count);
		json_close();
		return 0;
	}
	printf("%10u %s%s\n", count, text, listing->live ? CLEAR_LINE : "");
	return 0;
}

static int list(const char *filter, struct listing *listing, uint32_t most)
{
	int err;

	listing->left = most;
	err = seen_top_keys(ctl.client, filter, tell, listing);
	return err > 0 ? DONE : from_kernel(err);
}

/* Print the list every second, until the user interrupts it or the kernel refuses. */
static int watch(const char *filter, struct listing *listing, uint32_t most)
{
	int status;

	printf(HOME CLEAR_REST);
	while (!(status = list(filter, listing, most))) {
		printf(CLEAR_REST);
		fflush(stdout);
		sleep(1);
		printf(HOME);
	}
	return status;
}

static int top(struct args *args)
{
	char filter[SEEN_NAME_MAX];
	struct listing listing = {
		.live = isatty(STDOUT_FILENO) && !ctl.json && !ctl.batch && !ctl.oneline,
	};
	uint32_t most = listing.live ? 20 : UINT32_MAX;
	const struct param params[] = { { "-n", read_u32, &most } };
	int status;

	status = args_name(args, "name", filter);
	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (!status)
		status = learn_spec(filter, &listing.spec);
	if (status)
		return status;
	return listing.live ? watch(filter, &listing, most)
			    : list(filter, &listing, most);
}

static const struct command commands[] = {
	{ "", top, "FILTER [-n N]", .list = true },
};

const struct object top_object = {
	.name = "top",
	.summary = "the heaviest keys of a filter that counts",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  -n N   at most N keys; on a terminal 20 unless given\n"
	"\n"
	"Lists the keys of a filter of type cms or cmm that has \"top\", with their counts,\n"
	"heaviest first. On a terminal it repeats the list every second until it is\n"
	"interrupted.\n",
};
