// SPDX-License-Identifier: GPL-2.0
/* Compare two exact filters, key by key. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "content.h"

/**
 * struct side - comparison of the keys of one filter with the other filter
 * @own: the filter whose keys are listed
 * @other: the filter that is tested for them
 * @first: @own is the first filter on the command line
 * @found: number of differences so far
 */
struct side {
	const struct content *own;
	const struct content *other;
	bool first;
	uint64_t found;
};

static void tell_only(const struct side *side, const char *text, uint32_t value)
{
	bool has_value = content_has_values(side->own);

	if (ctl.json) {
		json_open(NULL, '{');
		json_text("key", text);
		json_text("only", side->own->name);
		if (has_value)
			json_number("value", value);
		json_close();
		return;
	}
	printf("%c %s", side->first ? '<' : '>', text);
	if (has_value)
		printf(" %u", value);
	putchar('\n');
}

static void tell_values(const char *text, uint32_t value, uint32_t other)
{
	if (!ctl.json) {
		printf("| %s %u %u\n", text, value, other);
		return;
	}
	json_open(NULL, '{');
	json_text("key", text);
	json_number("value", value);
	json_number("other-value", other);
	json_close();
}

static bool both_have_values(const struct side *side)
{
	return content_has_values(side->own) && content_has_values(side->other);
}

/* Report different values only once, when the keys of the first filter are listed. */
static int compare_key(const uint8_t *key, size_t len, uint32_t value,
		       void *context)
{
	struct side *side = context;
	bool values = both_have_values(side);
	uint32_t other = value;
	char *text;
	bool there;

	there = (values ? seen_local_value(side->other->local, key, len, &other) :
			  seen_local_test(side->other->local, key, len)) ==
		SEEN_KEY_RESULT_SEEN;
	if (there && (other == value || !side->first))
		return DONE;
	text = content_text(side->own, key, len);
	if (!text)
		return no_memory();
	if (there)
		tell_values(text, value, other);
	else
		tell_only(side, text, value);
	free(text);
	side->found++;
	return DONE;
}

static int check_keys(const struct content *a, const struct content *b)
{
	char one[SEEN_KEY_SPEC_LEN], other[SEEN_KEY_SPEC_LEN];

	seen_key_spec_format(&a->info.config.key, one);
	seen_key_spec_format(&b->info.config.key, other);
	return strcmp(one, other) ?
	       refused("the keys differ: %s has %s, %s has %s",
		       a->name, one, b->name, other) : DONE;
}

/* Returns the exit status; NOT_SEEN: the filters differ. */
static int compare(const struct content *a, const struct content *b)
{
	struct side first = { a, b, true, 0 }, second = { b, a, false, 0 };
	int status = check_keys(a, b);

	if (!status)
		status = content_walk(a, compare_key, &first);
	if (!status)
		status = content_walk(b, compare_key, &second);
	if (status)
		return status;
	return first.found || second.found ? NOT_SEEN : DONE;
}

/* As for diff(1), the exit status is 1 if the filters differ, and 2 on trouble. */
static int trouble(int status)
{
	return status == REFUSED ? USAGE : status;
}

static int read_other(struct args *args, bool *file, const char **other)
{
	*file = args->argc && !strcmp(*args->argv, "--file");
	if (*file)
		args_next(args);
	*other = args_next(args);
	if (!*other)
		return usage(*file ? "FILE: required" :
				     "other: required (OTHER or --file FILE)");
	return args_end(args);
}

int filter_diff(struct args *args)
{
	struct content a = {}, b = {};
	char name[SEEN_NAME_MAX];
	const char *other;
	bool file;
	int status = args_name(args, "name", name);

	if (!status)
		status = read_other(args, &file, &other);
	if (!status)
		status = content_filter(&a, name);
	if (!status)
		status = file ? content_file(&b, other) :
				content_filter(&b, other);
	if (!status)
		status = compare(&a, &b);
	content_close(&a);
	content_close(&b);
	return trouble(status);
}
