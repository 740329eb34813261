// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "csv.h"

#define BLANKS	" \t\r"

static bool is_number(const char *word)
{
	return !word[strspn(word, "0123456789")];
}

static bool add_column(struct csv *csv, const char *word)
{
	if (!*word || csv->count == CSV_KEY_MAX ||
	    (is_number(word) && (strlen(word) > 4 || !atoi(word))))
		return false;
	csv->column[csv->count++] = word;
	return true;
}

/* Columns that are given by name get their numbers from the header row, which is read again. */
void csv_rewind(struct csv *csv)
{
	csv->rows = 0;
	for (unsigned int i = 0; i < csv->count; i++)
		csv->number[i] = is_number(csv->column[i]) ?
				 atoi(csv->column[i]) : 0;
}

struct csv *csv_open(const char *columns, const char **error)
{
	struct csv *csv = calloc(1, sizeof(*csv));
	char *rest, *word;

	*error = "not enough memory";
	if (csv)
		csv->names = strdup(columns);
	if (!csv || !csv->names) {
		csv_close(csv);
		return NULL;
	}
	rest = csv->names;
	while ((word = strsep(&rest, ","))) {
		if (add_column(csv, word))
			continue;
		csv_close(csv);
		*error = "must be 1 to 16 columns, each a name or a number from 1 to 9999";
		return NULL;
	}
	csv_rewind(csv);
	return csv;
}

void csv_close(struct csv *csv)
{
	if (!csv)
		return;
	free(csv->names);
	free(csv->text);
	free(csv);
}

/*
 * Copy the text after a quote to *@to, up to the closing quote; two quotes stand for one.
 * Returns the text after the closing quote, or NULL without one.
 */
static char *unquote(char *from, char **to)
{
	char *put = *to;

	for (; *from; *put++ = *from++) {
		if (*from != '"' || *++from == '"')
			continue;
		*to = put;
		return from;
	}
	return NULL;
}

/*
 * Cut the next field off a row, in place. @at: out: NULL after the last field. Returns
 * NULL if a quote is not closed or if text follows it.
 */
static char *next_field(char **at)
{
	char *field = *at + strspn(*at, BLANKS), *end = field, *rest;

	if (*field != '"') {
		rest = field + strcspn(field, ",");
		end = rest;
		while (end > field && strchr(BLANKS, end[-1]))
			end--;
	} else {
		rest = unquote(field + 1, &end);
		if (!rest)
			return NULL;
		rest += strspn(rest, BLANKS);
		if (*rest && *rest != ',')
			return NULL;
	}
	*at = *rest ? rest + 1 : NULL;
	*end = '\0';
	return field;
}

static bool is_resolved(const struct csv *csv)
{
	for (unsigned int i = 0; i < csv->count; i++)
		if (!csv->number[i])
			return false;
	return true;
}

/* Get the column numbers from a header row, if it has @least fields and names all columns. */
static bool resolve(struct csv *csv, char *line, unsigned int least)
{
	struct csv found = *csv;
	unsigned int number = 0;

	while (line) {
		const char *field = next_field(&line);

		if (!field)
			return false;
		number++;
		for (unsigned int i = 0; i < csv->count; i++)
			if (!strcasecmp(field, csv->column[i]))
				found.number[i] = number;
	}
	if (number < least || !is_resolved(&found))
		return false;
	*csv = found;
	return true;
}

static bool make_room(struct csv *csv, size_t bytes)
{
	char *text;

	if (csv->size >= bytes)
		return true;
	text = realloc(csv->text, bytes);
	if (!text)
		return false;
	csv->text = text;
	csv->size = bytes;
	return true;
}

/* Find the field of each part of the key. Fields that the row does not have are unchanged. */
static bool pick(const struct csv *csv, char *line, char **field)
{
	unsigned int number = 0;

	while (line) {
		char *next = next_field(&line);

		if (!next)
			return false;
		number++;
		for (unsigned int i = 0; i < csv->count; i++)
			if (csv->number[i] == number)
				field[i] = next;
	}
	return true;
}

static enum csv_result bad(const char **error, const char *why)
{
	*error = why;
	return CSV_BAD;
}

static enum csv_result take(struct csv *csv, char *line, char **key,
			    const char **error)
{
	char *field[CSV_KEY_MAX] = {};
	char *to;

	if (!make_room(csv, csv->count * (strlen(line) + 1)))
		return bad(error, "not enough memory");
	to = csv->text;
	if (!pick(csv, line, field))
		return bad(error, "a quote is not closed, or text follows it");
	for (unsigned int i = 0; i < csv->count; i++) {
		if (!field[i] || !*field[i])
			return bad(error, "the column is missing or empty");
		if (i)
			*to++ = ' ';
		to = stpcpy(to, field[i]);
	}
	*key = csv->text;
	csv->rows++;
	return CSV_KEY;
}

enum csv_result csv_row(struct csv *csv, char *line, char **key,
			const char **error)
{
	line += strspn(line, BLANKS);
	if (!*line)
		return CSV_SKIP;
	/* Some lists have their header row in a comment. Other comments are skipped. */
	if (*line == '#') {
		if (!is_resolved(csv))
			resolve(csv, line + strspn(line, "#" BLANKS), 2);
		return CSV_SKIP;
	}
	if (is_resolved(csv))
		return take(csv, line, key, error);
	*error = "the first row does not name the column that --csv asks for";
	return resolve(csv, line, 1) ? CSV_SKIP : CSV_HEADER;
}

bool csv_is_header(const struct csv *csv, const char *key)
{
	if (csv->rows != 1 || !isalpha((unsigned char)*key))
		return false;
	for (; *key; key++)
		if (!isalnum((unsigned char)*key) && !strchr(" _-", *key))
			return false;
	return true;
}
