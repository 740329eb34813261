/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A table of short texts that fits 80 columns. A column without a text is omitted. Columns that
 * do not fit are printed below the others, again with the first column, and only rows with a text
 * in them.
 */
#ifndef SEENCTL_GRID_H
#define SEENCTL_GRID_H

#include <stddef.h>

#include "color.h"
#include "seenctl.h"

/* Bytes of a cell, with its NUL. */
#define GRID_CELL	40

struct grid;

/* grid_new() - @columns: number of columns; NULL: not enough memory */
struct grid *grid_new(size_t columns);

/* grid_head() - set the text above a column, and its alignment */
void grid_head(struct grid *grid, size_t column, const char *head, bool left);

/* grid_row() - begin a row; REFUSED after an error message, otherwise DONE */
int grid_row(struct grid *grid);

/* grid_put() - set a cell of the last row; cells are empty until then */
void grid_put(struct grid *grid, size_t column, enum color color,
	      const char *format, ...) __printf(4, 5);

/* grid_count() - the same with a number; 0 leaves the cell empty */
void grid_count(struct grid *grid, size_t column, uint64_t number);

/* grid_print() - print the table; @indent: blanks before each line; each line ends itself */
void grid_print(const struct grid *grid, int indent);

/* grid_free() - @grid may be NULL */
void grid_free(struct grid *grid);

#endif
