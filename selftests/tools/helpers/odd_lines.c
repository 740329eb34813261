// SPDX-License-Identifier: GPL-2.0
/*
 * Split every line of at most LENGTH of these characters. The sanitizers find writes and reads
 * outside of the line and of its words; each word must be a part of the line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell_line.h"

#define LENGTH	6

static const char characters[] = "2a >'\"\\&<";

static bool is_split(const char *from)
{
	size_t len = strlen(from);
	char *text = strdup(from);
	struct shell_line line;
	bool good = text && shell_line_split(&line, text, " >") && line.count >= 1;

	for (int i = 0; good && i < line.count; i++)
		good = line.words[i] >= text && line.words[i] <= text + len &&
		       line.words[i] + strlen(line.words[i]) <= text + len;
	good = good && line.cut <= strlen(line.words[line.count - 1]);
	free(text);
	if (!good)
		printf("%s\n", from);
	return good;
}

static bool split_from(char line[LENGTH + 1], size_t len)
{
	line[len] = '\0';
	if (!is_split(line))
		return false;
	for (const char *c = characters; *c && len < LENGTH; c++) {
		line[len] = *c;
		if (!split_from(line, len + 1))
			return false;
	}
	return true;
}

int main(void)
{
	char line[LENGTH + 1];

	return split_from(line, 0) ? EXIT_SUCCESS : EXIT_FAILURE;
}
