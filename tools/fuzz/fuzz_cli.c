// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: seenctl's commands, as the lines of a batch, with a fake kernel that answers anything.
 * An input has three parts with a NUL between them: command lines, each of which begins with a
 * byte that selects its object; standard input; the kernel's answers.
 *
 * A batch that fails must print why; a batch that succeeds must print no error. The commands that
 * `save` prints must add the first filter and the first guard again with the same parameters.
 *
 * fuzz_file.c tests commands that work on files. Commands that may write a file do so only
 * below the working directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netlink/attr.h>

#include "../seenctl/seenctl.h"
#include "input.h"
#include "kernel.h"
#include "output.h"
#include "round.h"

static const char *const objects[] = {
	"filter add", "filter show", "filter set", "filter del", "filter",
	"key add", "key test", "key count", "key del", "key explain", "key",
	"allow", "guard add", "guard show", "guard set", "guard", "top", "plan",
	"monitor", "save", "help",
};

/* Refuse paths that may lead out of the working directory. */
static bool is_tame(const uint8_t *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '.' && i && text[i - 1] == '.')
			return false;
		if (text[i] != '/')
			continue;
		if (!i || (!strchr(":.", text[i - 1]) &&
			   !memchr("0123456789abcdefghijklmnopqrstuvwxyz",
				   text[i - 1], 36)))
			return false;
	}
	return true;
}

/* Write the command lines: the object that the first byte selects, and the rest of the line. */
static void put_lines(FILE *to, const char *text)
{
	char *copy = strdup(text), *left = copy, *line;

	while ((line = strsep(&left, "\n"))) {
		if (!*line)
			continue;
		fprintf(to, "%s %s\n",
			objects[(uint8_t)*line % ARRAY_SIZE(objects)], line + 1);
	}
	free(copy);
}

static void run(const char *lines)
{
	char path[32], *text = NULL;
	struct output output;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	int fd, status;

	put_lines(stream, lines);
	fclose(stream);
	fd = input_file((uint8_t *)text, size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	output_begin();
	status = run_batch(path);
	json_end();
	output = output_end();
	output_judge(&output, status);
	output_free(&output);
	close(fd);
	free(text);
}

static bool has(const struct kept *kept, int type)
{
	return nla_find((struct nlattr *)kept->attrs, kept->len, type);
}

/*
 * Does the request have every value that `save` prints? If not, the kernel adds the filter of a
 * guard, or the field of a key that has a profile; `save` needs this field for a bitmap's range.
 */
static bool is_whole(const struct kept *added)
{
	if (added->cmd == SEEN_CMD_GUARD_ADD)
		return has(added, SEEN_A_GUARD_FILTER);
	return added->cmd && !(has(added, SEEN_A_FILTER_FIRST) &&
			       has(added, SEEN_A_FILTER_PROFILE));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct kept filter, guard;
	const uint8_t *lines, *input;
	size_t lines_size, input_size;
	char *text;

	if (!input_options(&data, &size))
		return 0;
	lines_size = input_part(&data, &size, &lines);
	input_size = input_part(&data, &size, &input);
	if (!is_tame(lines, lines_size))
		return 0;
	text = strndup((const char *)lines, lines_size);
	input_stdin(input, input_size);
	kernel_answers(data, size);
	kernel_keeps(&filter, &guard);
	run(text);
	kernel_keeps(NULL, NULL);
	kernel_answers(NULL, 0);
	if (is_whole(&filter))
		round_trip(&filter);
	if (is_whole(&guard))
		round_trip(&guard);
	seen_close(ctl.client);
	fflush(stdout);
	free(text);
	return 0;
}
