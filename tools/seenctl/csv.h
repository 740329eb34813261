/* SPDX-License-Identifier: GPL-2.0 */
/* Rows of CSV (RFC 4180), of which some columns are a key. */
#ifndef SEENCTL_CSV_H
#define SEENCTL_CSV_H

#include <stdbool.h>
#include <stddef.h>

/* Columns that a key may consist of. */
#define CSV_KEY_MAX	16

/**
 * struct csv - which columns are the key
 * @names: what was asked for, cut at its commas
 * @column: of each part of the key: its name, or its number as text
 * @number: of each part of the key: its column, from 1; 0: the header row will say
 * @count: parts of the key
 * @rows: rows so far, but for one that is known to be the header
 * @text: room for a key of several columns
 * @size: of @text
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

/* csv_open() - @columns: "2", "dst_ip" or "dst_ip,dst_port"; NULL: why not */
struct csv *csv_open(const char *columns, const char **error);
void csv_close(struct csv *csv);

/* csv_rewind() - the same rows come once more */
void csv_rewind(struct csv *csv);

enum csv_result {
	CSV_KEY,
	CSV_SKIP,	/* a comment, a blank line, or the header row */
	CSV_BAD,	/* this row is damaged */
	CSV_HEADER,	/* the header row does not name the columns */
};

/**
 * csv_row() - the key of a row
 * @csv: which columns
 * @line: the row, which is changed
 * @key: out: of CSV_KEY: the columns with blanks between them, valid until the next row
 * @error: out: of CSV_BAD and CSV_HEADER: why
 */
enum csv_result csv_row(struct csv *csv, char *line, char **key,
			const char **error);

/*
 * csv_is_header() - may a column of the first row be a name, and no key? Only where
 * columns are given as numbers: names have found their row already.
 */
bool csv_is_header(const struct csv *csv, const char *key);

#endif
