// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "columns.h"

/* Parse the number of a column, 1 to COLUMNS_MAX; 0: invalid. */
static unsigned int number(const char **text)
{
	unsigned long value;
	char *end;

	if (**text < '0' || **text > '9')
		return 0;
	value = strtoul(*text, &end, 10);
	*text = end;
	return value <= COLUMNS_MAX ? value : 0;
}

/* Bits of the columns from @first to @last. */
static uint64_t bits(unsigned int first, unsigned int last)
{
	return ~UINT64_C(0) >> (63 - last + first) << (first - 1);
}

static bool parse_range(uint64_t *columns, const char **text)
{
	unsigned int from = number(text), to = from;

	if (!from)
		return false;
	if (**text == '-') {
		(*text)++;
		to = !**text || **text == ',' ? COLUMNS_MAX + 1 : number(text);
	}
	if (to < from)
		return false;
	*columns |= bits(from, to);
	return true;
}

bool columns_parse(uint64_t *columns, const char *text)
{
	*columns = 0;
	while (parse_range(columns, &text)) {
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
	return false;
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

const char *columns_next(const struct columns *columns, const char **at,
			 const char *end, size_t *len)
{
	const char *from = *at, *to;

	if (!from)
		return NULL;
	if (columns->delimiter >= 0) {
		to = memchr(from, columns->delimiter, end - from);
		*at = to ? to + 1 : NULL;
		*len = (to ? to : end) - from;
		return from;
	}
	while (from < end && blank(*from))
		from++;
	if (from == end)
		return NULL;
	for (to = from; to < end && !blank(*to); to++)
		;
	*at = to;
	*len = to - from;
	return from;
}

/*
 * Join the columns of the key in @to. The delimiter stands between them; no column
 * contains it, so different keys differ when joined. Returns false if the line has no
 * column of the key.
 */
static bool join(const struct columns *columns, const char *text, size_t len,
		 char *to, size_t *used)
{
	char between = columns->delimiter < 0 ? ' ' : columns->delimiter;
	const char *at = text, *column;
	/* Signed: the right shift repeats bit COLUMNS_MAX for all higher columns. */
	int64_t left = columns->key;
	bool found = false;
	size_t size;

	*used = 0;
	for (; left; left >>= 1) {
		column = columns_next(columns, &at, text + len, &size);
		if (!column)
			break;
		if (!(left & 1))
			continue;
		if (found)
			to[(*used)++] = between;
		memcpy(to + *used, column, size);
		*used += size;
		found = true;
	}
	return found;
}

const char *columns_get(const struct columns *columns, unsigned int number,
			const char *text, size_t *len)
{
	const char *at = text, *column = NULL;
	size_t size = 0;

	while (number-- &&
	       (column = columns_next(columns, &at, text + *len, &size)))
		;
	*len = size;
	return column;
}

const char *columns_key(const struct columns *columns, const char *text,
			size_t *len, char *to)
{
	if (!columns->key)
		return text;
	if (!(columns->key & (columns->key - 1)))
		return columns_get(columns, __builtin_ctzll(columns->key) + 1,
				   text, len);
	return join(columns, text, *len, to, len) ? to : NULL;
}
