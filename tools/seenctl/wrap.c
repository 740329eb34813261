// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wrap.h"

/*
 * @on: a line has begun
 * @column: columns of the line that are printed
 */
static struct {
	bool on;
	unsigned int column;
} wrap;

bool wrap_on(void)
{
	return wrap.on;
}

unsigned int wrap_len(const char *text)
{
	unsigned int len = 0;

	for (; *text; text++) {
		if (*text == '\033')
			text += strcspn(text, "m");
		else
			len++;
		if (!*text)
			break;
	}
	return len;
}

static void wrap_break(void)
{
	printf("\n%*s", WRAP_INDENT, "");
	wrap.column = WRAP_INDENT;
}

static void wrap_print(const char *text)
{
	fputs(text, stdout);
	wrap.column += wrap_len(text);
}

/* Print a text that is longer than a line, broken after its last comma that fits each line. */
static void wrap_long(const char *text)
{
	while (wrap.column + strlen(text) > WRAP_WIDTH) {
		size_t room = WRAP_WIDTH - wrap.column, len = room;

		while (len && text[len - 1] != ',')
			len--;
		if (!len)
			break;
		printf("%.*s", (int)len, text);
		wrap_break();
		text += len;
	}
	wrap_print(text);
}

void wrap_add(const char *text)
{
	unsigned int len = wrap_len(text);

	if (ctl.oneline || wrap.column + 1 + len <= WRAP_WIDTH) {
		putchar(' ');
		wrap.column++;
		wrap_print(text);
		return;
	}
	wrap_break();
	if (len > WRAP_WIDTH - WRAP_INDENT && len == strlen(text))
		wrap_long(text);
	else
		wrap_print(text);
}

/* Return NULL without memory. */
static char *wrap_format(const char *format, va_list values)
{
	char *text;

	return vasprintf(&text, format, values) < 0 ? NULL : text;
}

void wrap_words(const char *format, ...)
{
	char *text, *left, *word;
	va_list values;

	va_start(values, format);
	text = wrap_format(format, values);
	va_end(values);
	left = text;
	while (left && (word = strsep(&left, " ")))
		wrap_add(word);
	free(text);
}

static void wrap_start(const char *format, va_list values)
{
	char *text = wrap_format(format, values);

	wrap.on = true;
	wrap.column = 0;
	if (text)
		wrap_print(text);
	free(text);
}

void wrap_begin(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	wrap_start(format, values);
	va_end(values);
}

void wrap_next(const char *format, ...)
{
	va_list values;

	next_line();
	va_start(values, format);
	wrap_start(format, values);
	va_end(values);
}

void wrap_end(void)
{
	putchar('\n');
	wrap.on = false;
}
