// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "wrap.h"

/* Blanks between columns. */
#define GRID_GAP	2

struct grid_column {
	char head[GRID_CELL];
	bool left;
	int width;
};

struct grid_cell {
	char text[GRID_CELL];
	enum color color;
};

/**
 * struct grid - a table
 * @columns: number of columns
 * @rows: number of rows
 * @column: the columns; their width is 0 until a cell has a text
 * @cell: the cells, row by row
 */
struct grid {
	size_t columns;
	size_t rows;
	struct grid_column *column;
	struct grid_cell *cell;
};

struct grid *grid_new(size_t columns)
{
	struct grid *grid = calloc(1, sizeof(*grid));

	if (!grid)
		return NULL;
	grid->columns = columns;
	grid->column = calloc(columns, sizeof(*grid->column));
	if (grid->column)
		return grid;
	free(grid);
	return NULL;
}

void grid_head(struct grid *grid, size_t column, const char *head, bool left)
{
	snprintf(grid->column[column].head, GRID_CELL, "%s", head);
	grid->column[column].left = left;
}

static struct grid_cell *grid_at(const struct grid *grid, size_t row, size_t column)
{
	return &grid->cell[row * grid->columns + column];
}

int grid_row(struct grid *grid)
{
	size_t cells = (grid->rows + 1) * grid->columns;
	struct grid_cell *cell = reallocarray(grid->cell, cells, sizeof(*cell));

	if (!cell)
		return no_memory();
	grid->cell = cell;
	memset(grid_at(grid, grid->rows, 0), 0, grid->columns * sizeof(*cell));
	grid->rows++;
	return DONE;
}

static void grid_widen(struct grid_column *column, const char *text)
{
	int len = strlen(text);

	if (!column->width)
		column->width = strlen(column->head);
	if (len > column->width)
		column->width = len;
}

void grid_put(struct grid *grid, size_t column, enum color color,
	      const char *format, ...)
{
	struct grid_cell *cell = grid_at(grid, grid->rows - 1, column);
	va_list values;

	va_start(values, format);
	vsnprintf(cell->text, GRID_CELL, format, values);
	va_end(values);
	cell->color = color;
	if (*cell->text)
		grid_widen(&grid->column[column], cell->text);
}

void grid_count(struct grid *grid, size_t column, uint64_t number)
{
	if (number)
		grid_put(grid, column, COLOR_NONE, "%ju", (uintmax_t)number);
}

/* The first column that is not printed together with those from @from on. */
static size_t grid_end(const struct grid *grid, int indent, size_t from)
{
	int used = indent + grid->column[0].width;
	size_t i;

	for (i = from; i < grid->columns; i++) {
		int width = grid->column[i].width;

		if (width && i > from && used + GRID_GAP + width > WRAP_WIDTH)
			break;
		used += width ? GRID_GAP + width : 0;
	}
	return i;
}

/*
 * Print a text in its column. Blanks are printed only before a text, so that no line ends with
 * a blank. @blanks: in and out: blanks that are not printed yet.
 */
static void grid_text(const struct grid_column *column, const char *text,
		      enum color color, int *blanks)
{
	int rest = column->width - (int)strlen(text);

	if (!column->left)
		*blanks += rest;
	if (*text) {
		printf("%*s%s%s%s", *blanks, "", COLORED(color, text));
		*blanks = 0;
	}
	if (column->left)
		*blanks += rest;
}

/* Print a line with the first column and those from @from to @end. @row: -1: the heads. */
static void grid_line(const struct grid *grid, int indent, size_t from, size_t end,
		      ssize_t row)
{
	int blanks = indent;

	for (size_t i = 0; i < end; i = i ? i + 1 : from) {
		const struct grid_column *column = &grid->column[i];
		const struct grid_cell *cell = row < 0 ? NULL : grid_at(grid, row, i);

		if (!column->width)
			continue;
		blanks += i ? GRID_GAP : 0;
		grid_text(column, cell ? cell->text : column->head,
			  cell ? cell->color : COLOR_NONE, &blanks);
	}
	putchar('\n');
}

/* Is there a text in the columns from @from to @end? */
static bool grid_has_text(const struct grid *grid, size_t from, size_t end, size_t row)
{
	for (size_t i = from; i < end; i++)
		if (*grid_at(grid, row, i)->text)
			return true;
	return false;
}

void grid_print(const struct grid *grid, int indent)
{
	size_t from = 1, end;

	if (!grid->rows)
		return;
	do {
		end = grid_end(grid, indent, from);
		grid_line(grid, indent, from, end, -1);
		for (size_t row = 0; row < grid->rows; row++)
			if (from == 1 || grid_has_text(grid, from, end, row))
				grid_line(grid, indent, from, end, row);
		from = end;
	} while (from < grid->columns);
}

void grid_free(struct grid *grid)
{
	if (!grid)
		return;
	free(grid->column);
	free(grid->cell);
	free(grid);
}
