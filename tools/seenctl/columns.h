/* SPDX-License-Identifier: GPL-2.0 */
/* Which columns of a line are its key. */
#ifndef SEENCTL_COLUMNS_H
#define SEENCTL_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The last column that has a number; those beyond it share the bit that is left. */
#define COLUMNS_MAX	63

/**
 * struct columns - where a line's key is
 * @delimiter: a byte between columns; -1: white space, of any length
 * @key: bit (column - 1); bit COLUMNS_MAX: all beyond; 0: the whole line
 */
struct columns {
	int delimiter;
	uint64_t key;
};

/* columns_parse() - "2", "1,3", "2-4", "3-": as cut(1) has them; false: none */
bool columns_parse(uint64_t *columns, const char *text);

/**
 * columns_next() - the next column of a line
 * @columns: the delimiter
 * @at: in: where to look, out: where the column behind it may begin; NULL: there is
 *      no other
 * @end: of the line
 * @len: out: of the column
 *
 * Return: where it begins, or NULL.
 */
const char *columns_next(const struct columns *columns, const char **at,
			 const char *end, size_t *len);

/**
 * columns_key() - a line's key
 * @columns: which
 * @text: the line
 * @len: in: of the line, out: of the key
 * @to: as many bytes as the line has, for a key of several columns
 *
 * Return: where it is, or NULL: the line has none of the columns.
 */
const char *columns_key(const struct columns *columns, const char *text,
			size_t *len, char *to);

/* columns_get() - column @number, counted from 1, or NULL */
const char *columns_get(const struct columns *columns, unsigned int number,
			const char *text, size_t *len);

#endif
