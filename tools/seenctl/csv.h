/* SPDX-License-Identifier: GPL-2.0 */
/* Read keys from CSV (RFC 4180): some columns of a row form the key. */
#ifndef SEENCTL_CSV_H
#define SEENCTL_CSV_H

#include <stdbool.h>
#include <stddef.h>

/* Maximum number of columns in a key. */
#define CSV_KEY_MAX	16

/**
 * struct csv - columns that form the key
 * @names: copy of the user's list, with its commas replaced by NUL
 * @column: for each part of the key: name of the column, or its number as text
 * @number: for each part of the key: number of the column, from 1; 0: not known before
 *          the header row is read
 * @count: number of parts of the key
 * @rows: number of keys that were read so far
 * @text: buffer for the key
 * @size: size of @text
 */
struct csv {
	char *names;
	const char *column[CSV_KEY_MAX];
	unsigned int number[CSV_KEY_MAX];
	unsigned int count;
	unsigned long rows;
	char *text;
	size_t size;
};

/* csv_open() - parse @columns ("2", "dst_ip", "dst_ip,dst_port"); NULL: see @error */
struct csv *csv_open(const char *columns, const char **error);
void csv_close(struct csv *csv);

/* csv_rewind() - prepare for reading the same rows again from the first row */
void csv_rewind(struct csv *csv);

enum csv_result {
	CSV_KEY,
	CSV_SKIP,	/* a comment, a blank line, or the header row */
	CSV_BAD,	/* this row is malformed, or there is no memory */
	CSV_HEADER,	/* the header row does not name all columns */
};

/**
 * csv_row() - extract the key of a row
 * @csv: columns of the key
 * @line: the row; this function modifies it
 * @key: out, for CSV_KEY: the columns with blanks between them, valid until the next row
 * @error: out, for CSV_BAD and CSV_HEADER: the reason
 *
 * Return: see enum csv_result.
 */
enum csv_result csv_row(struct csv *csv, char *line, char **key,
			const char **error);

/*
 * csv_is_header() - does the key of the first row look like a column name? To be called
 * after each CSV_KEY. With columns given by name, csv_row() itself skips the header row.
 */
bool csv_is_header(const struct csv *csv, const char *key);

#endif
