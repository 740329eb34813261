// SPDX-License-Identifier: GPL-2.0
/*
 * A round trip: `save` prints the object that a first request added, that text makes a second
 * request, and so on. The second request must have all attributes of the first one, and the
 * second and third must be equal. For attributes that the first request omits, `save` prints the
 * kernel's values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netlink/attr.h>

#include "../seenctl/seenctl.h"
#include "input.h"
#include "output.h"
#include "round.h"

static struct nlattr *first(const struct kept *kept)
{
	return (struct nlattr *)kept->attrs;
}

/* The next attribute of a type after @after; NULL: the first one. */
static struct nlattr *find_next(const struct kept *kept, struct nlattr *after,
				int type)
{
	struct nlattr *attr;
	int left = kept->len;
	bool on = !after;

	nla_for_each_attr(attr, first(kept), kept->len, left) {
		if (on && nla_type(attr) == type)
			return attr;
		on = on || attr == after;
	}
	return NULL;
}

static bool is_equal(const struct nlattr *a, const struct nlattr *b)
{
	if (!a || !b)
		return a == b;
	return nla_len(a) == nla_len(b) &&
	       !memcmp(nla_data(a), nla_data(b), nla_len(a));
}

/* Are all attributes of a type equal, in the same order? */
static bool has_same(const struct kept *a, const struct kept *b, int type)
{
	struct nlattr *one = NULL, *other = NULL;

	do {
		one = find_next(a, one, type);
		other = find_next(b, other, type);
		if (!is_equal(one, other))
			return false;
	} while (one);
	return true;
}

/* `save` prints secrets only on demand. */
static bool is_secret(const struct kept *kept, int type)
{
	return kept->cmd == SEEN_CMD_FILTER_ADD && type == SEEN_A_FILTER_SECRET;
}

/* Does @b have all attributes of @a? */
static bool says(const struct kept *b, const struct kept *a)
{
	struct nlattr *attr;
	int left;

	nla_for_each_attr(attr, first(a), a->len, left)
		if (!is_secret(a, nla_type(attr)) &&
		    !has_same(a, b, nla_type(attr)))
			return false;
	return true;
}

/* The output of `save` with @added as the kernel's only object. */
static char *tell(const struct kept *added)
{
	char save[] = "save", *words = save;
	struct args args = { 1, &words };
	struct output output;
	int status;

	kernel_plays(added);
	output_begin();
	status = run_command(&args);
	output = output_end();
	kernel_plays(NULL);
	output_judge(&output, status);
	if (status)
		wrong("no text for added data", output.err);
	free(output.err);
	free(output.data);
	return output.out;
}

static void add(const char *lines, const struct kept *kernel,
		struct kept *added)
{
	struct output output;
	char path[32];
	int fd, status;

	fd = input_file((const uint8_t *)lines, strlen(lines));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	kernel_plays(kernel);
	if (kernel->cmd == SEEN_CMD_GUARD_ADD)
		kernel_keeps(NULL, added);
	else
		kernel_keeps(added, NULL);
	output_begin();
	status = run_batch(path);
	output = output_end();
	kernel_keeps(NULL, NULL);
	kernel_plays(NULL);
	close(fd);
	if (status)
		wrong(output.err, lines);
	if (!added->cmd)
		wrong("printed text adds nothing", lines);
	output_free(&output);
}

void round_trip(const struct kept *added)
{
	static struct kept second, third;
	char *lines, *again;

	ctl.json = false;
	ctl.exist = false;
	lines = tell(added);
	add(lines, added, &second);
	if (!says(&second, added))
		wrong("printed text differs from the added data", lines);
	again = tell(&second);
	if (strcmp(lines, again))
		wrong(again, lines);
	add(again, &second, &third);
	if (!says(&third, &second) || !says(&second, &third))
		wrong("printing twice gives different texts", again);
	free(lines);
	free(again);
}
