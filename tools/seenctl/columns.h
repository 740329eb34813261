/* SPDX-License-Identifier: GPL-2.0 */
/* Find the columns of a line that form its key. */
#ifndef SEENCTL_COLUMNS_H
#define SEENCTL_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Highest column number. Bit COLUMNS_MAX of columns.key stands for all higher columns. */
#define COLUMNS_MAX	63

/**
 * struct columns - location of the key in a line
 * @delimiter: byte that separates columns; -1: any amount of white space
 * @key: one bit per column: bit (column - 1), and bit COLUMNS_MAX for all columns above
 *       COLUMNS_MAX; 0: the key is the whole line
 */
struct columns {
	int delimiter;
	uint64_t key;
};

/* columns_parse() - parse a list as for cut(1): "2", "1,3", "2-4", "3-"; false: invalid */
bool columns_parse(uint64_t *columns, const char *text);

/**
 * columns_next() - find the next column of a line
 * @columns: only the delimiter is used
 * @at: in: where to search; out: where the following column may begin, or NULL after the
 *      last column
 * @end: end of the line
 * @len: out: bytes of the column
 *
 * Return: begin of the column, or NULL if there is no further column.
 */
const char *columns_next(const struct columns *columns, const char **at,
			 const char *end, size_t *len);

/**
 * columns_key() - find or build the key of a line
 * @columns: delimiter and columns
 * @text: the line
 * @len: in: bytes of the line; out: bytes of the key
 * @to: buffer of the length of the line, for a key of several columns
 *
 * Return: the key, in @text or in @to; NULL if the line has no column of the key.
 */
const char *columns_key(const struct columns *columns, const char *text,
			size_t *len, char *to);

/* columns_get() - column @number, from 1, or NULL; @len: in: of the line, out: of the column */
const char *columns_get(const struct columns *columns, unsigned int number,
			const char *text, size_t *len);

#endif
