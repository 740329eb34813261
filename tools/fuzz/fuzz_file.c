// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: seenctl's commands that need no kernel: filtering captures and lines, and filters
 * in files. An input is a byte of options; command lines up to a NUL, each of which begins with
 * a byte that selects its first words; and standard input, which each command reads from its
 * beginning. Files are in the working directory, and are removed after each input.
 *
 * A command that fails must print why; one that succeeds must print no error. A key that was
 * added from a stream must be seen afterwards. A file that is read and written again must stay
 * the same. dedup of whole lines must print no line twice.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../seenctl/seenctl.h"
#include "again.h"
#include "input.h"
#include "output.h"

#define WORDS_MAX	24

#define SAME	"capacity 64 seed 000102030405060708090a0b0c0d0e0f type"

static const char *const begins[] = {
	"pcap - --capacity 64 -n", "pcap - --capacity 64 -n --key",
	"pcap - out --capacity 64", "pcap - out --capacity 64 --window",
	"dedup --capacity 64", "dedup --capacity 64 --key",
	"dedup --capacity 64 --window", "dedup",
	"file create a " SAME, "file create b " SAME,
	"file create a key", "file add a", "file add a -", "file add b -",
	"file test a", "file test a -", "file del a -", "file show a",
	"file merge a b", "file fold a", "file fold a capacity",
};

/* Slashes are allowed only before numbers, so that no path leaves the folder. No large numbers. */
static bool is_tame(const uint8_t *text, size_t size)
{
	size_t digits = 0;

	for (size_t i = 0; i < size; i++) {
		if (text[i] == '/' && (!i || text[i - 1] == ' ' ||
				       i + 1 == size || !isdigit(text[i + 1])))
			return false;
		if (digits && strchr("kKMGTeE", text[i]))
			return false;
		digits = isdigit(text[i]) ? digits + 1 : 0;
		if (digits > 4)
			return false;
	}
	return true;
}

/* dedup must not forget lines, so a line that is printed twice is a false negative. */
static void check_lines(const char *text, size_t size)
{
	const char *line = text, *end = text + size, *other, *next, *after;

	for (; (next = memchr(line, '\n', end - line)); line = next + 1)
		for (other = next + 1;
		     (after = memchr(other, '\n', end - other));
		     other = after + 1)
			if (next - line == after - other &&
			    !memcmp(line, other, next - line))
				wrong("a line is reported twice", line);
}

static int run_words(char *text, struct output *output)
{
	char *words[WORDS_MAX], *word;
	struct args args = { 0, words };
	int status;

	while (args.argc < WORDS_MAX && (word = strsep(&text, " ")))
		if (*word)
			words[args.argc++] = word;
	lseek(STDIN_FILENO, 0, SEEK_SET);
	clearerr(stdin);
	output_begin();
	status = run_command(&args);
	json_end();
	*output = output_end();
	output_judge(output, status);
	return status;
}

/* Test the keys of the same stream. */
static void check_added(const char *path)
{
	struct output output;
	char *text;

	if (!again_keeps(path))
		return;
	if (asprintf(&text, "file test %s -", path) < 0)
		abort();
	if (run_words(text, &output))
		wrong("a key that was added is not seen", output.out);
	output_free(&output);
	free(text);
}

static void check_done(const char *begin, const struct output *output)
{
	if (!strcmp(begin, "file add a -"))
		check_added("a");
	else if (!strcmp(begin, "file add b -"))
		check_added("b");
	else if (!strcmp(begin, "dedup --capacity 64") && !ctl.json)
		check_lines(output->data, output->size);
}

static void run_line(const char *line)
{
	const char *begin = begins[(uint8_t)*line % ARRAY_SIZE(begins)];
	struct output output;
	int status;
	char *text;

	if (asprintf(&text, "%s %s", begin, line + 1) < 0)
		abort();
	status = run_words(text, &output);
	if (!status && !line[1])
		check_done(begin, &output);
	output_free(&output);
	free(text);
}

static void run_lines(char *lines)
{
	char *line;

	while ((line = strsep(&lines, "\n")))
		if (*line)
			run_line(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *lines;
	size_t lines_size;
	char *text;

	if (!input_options(&data, &size))
		return 0;
	lines_size = input_part(&data, &size, &lines);
	if (!is_tame(lines, lines_size))
		return 0;
	text = strndup((const char *)lines, lines_size);
	input_stdin(data, size);
	run_lines(text);
	free(text);
	again_check("a");
	again_check("b");
	unlink("a");
	unlink("b");
	unlink("out");
	return 0;
}
