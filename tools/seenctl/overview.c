// SPDX-License-Identifier: GPL-2.0
/* One screen about the guards and filters: seenctl without a command. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "color.h"
#include "overview.h"
#include "trouble.h"
#include "wrap.h"

/* Lines of the screen, without the line of the shell's prompt. */
#define LINES_MAX	23
/* Lines of an object at most. */
#define LINES_ROW	3
/* Longer names are cut, and end in "~". */
#define NAME_WIDTH	20
#define CELL_LEN	32

enum { CELL_NAME, CELL_KIND, CELL_MIDDLE, CELL_STATE, CELL_LAST, CELLS };

/**
 * struct line - an object on the screen
 * @cell: its columns
 * @troubles: what is wrong with it
 * @text: the lines that are printed, or NULL
 * @lines: number of these lines
 */
struct line {
	char cell[CELLS][CELL_LEN];
	struct troubles troubles;
	char *text;
	size_t lines;
};

/**
 * struct section - the guards, or the filters
 * @more: command that shows all of them
 * @head: the texts above the columns
 * @right: the column is aligned to the right
 * @width: of the columns; set by section_measure()
 * @line: the objects, the worst first
 * @count: number of objects
 */
struct section {
	const char *more;
	const char *head[CELLS];
	bool right[CELLS];
	int width[CELLS];
	struct line *line;
	size_t count;
};

static void put_cell(char *cell, const char *text)
{
	if (strlen(text) > NAME_WIDTH)
		snprintf(cell, CELL_LEN, "%.*s~", NAME_WIDTH - 1, text);
	else
		snprintf(cell, CELL_LEN, "%s", text);
}

static void filter_line(struct line *line, const struct seen_filter_info *info)
{
	char entries[TEXT_LEN], capacity[TEXT_LEN];
	double fill = info->room ? 100.0 * info->used / info->room : 0;

	trouble_filter(info, &line->troubles);
	put_cell(line->cell[CELL_NAME], info->config.name);
	if (info->missing)
		return;
	put_cell(line->cell[CELL_KIND], seen_word(&seen_types, info->config.type));
	snprintf(line->cell[CELL_MIDDLE], CELL_LEN, "%.*f%%", fill && fill < 10 ? 1 : 0, fill);
	snprintf(line->cell[CELL_STATE], CELL_LEN, "%.12s/%.12s",
		 text_count(entries, info->entries),
		 text_count(capacity, info->config.capacity));
	if (info->config.window)
		put_cell(line->cell[CELL_LAST], text_exact(entries, info->config.window));
}

/* Sum of a counter of all ports. */
static uint64_t guard_sum(const struct seen_guard_info *info, enum seen_a_port counter)
{
	const struct seen_port_info *port;
	uint64_t sum = 0;

	for (size_t i = 0; (port = seen_ports_at(info->ports, i)); i++)
		sum += port->count[counter];
	return sum;
}

static void guard_line(struct line *line, const struct seen_guard_info *info)
{
	const struct seen_guard_config *config = &info->config;
	bool count = config->action == SEEN_ACTION_COUNT;
	char text[TEXT_LEN];
	uint64_t sum;

	trouble_guard(info, &line->troubles);
	snprintf(line->cell[CELL_NAME], CELL_LEN, "%s%s", config->id.dev,
		 config->id.hook == SEEN_HOOK_EGRESS ? " egress" : "");
	put_cell(line->cell[CELL_KIND], config->profile ?
		 seen_word(&seen_profiles, config->profile) :
		 seen_word(&seen_verdicts, config->verdict));
	put_cell(line->cell[CELL_MIDDLE], seen_word(&seen_actions, config->action));
	put_cell(line->cell[CELL_STATE], seen_word(&seen_states, info->state));
	sum = guard_sum(info, count ? SEEN_A_PORT_WOULD_DROP : SEEN_A_PORT_DROPPED);
	snprintf(line->cell[CELL_LAST], CELL_LEN, "%s%.12s", count && sum ? "would " : "",
		 text_count(text, sum));
}

static void section_measure(struct section *section)
{
	for (int cell = 0; cell < CELLS; cell++) {
		int *width = &section->width[cell];

		*width = strlen(section->head[cell]);
		for (size_t i = 0; i < section->count; i++) {
			int len = strlen(section->line[i].cell[cell]);

			*width = len > *width ? len : *width;
		}
	}
}

/* Print the first @cells columns; returns how many blanks must precede a further text. */
static int section_cells(const struct section *section,
			 const char (*cell)[CELL_LEN], int cells, FILE *to)
{
	int blanks = 0;

	for (int i = 0; i < cells; i++) {
		const char *text = cell ? cell[i] : section->head[i];
		int rest = section->width[i] - (int)strlen(text);

		blanks += (i ? 2 : 0) + (section->right[i] ? rest : 0);
		if (*text) {
			fprintf(to, "%*s%s", blanks, "", text);
			blanks = 0;
		}
		blanks += section->right[i] ? 0 : rest;
	}
	return blanks + 2;
}

/* Columns before the text of the troubles. */
static int section_indent(const struct section *section, int cells)
{
	int indent = 2;

	for (int i = 0; i < cells; i++)
		indent += section->width[i] + 2;
	return indent;
}

/* "and N more", if @rest troubles are not printed; returns its length. */
static int more_text(char text[CELL_LEN], size_t rest)
{
	return snprintf(text, CELL_LEN, "and %zu more", rest);
}

/* Columns that the trouble at @at needs on a line; on the @last one, room for "and N more", too. */
static int trouble_width(const struct troubles *list, size_t at, bool last)
{
	size_t rest = list->count - at - 1;
	int width = strlen(list->list[at].text) + !!rest;
	char more[CELL_LEN];

	return width + (last && rest ? 1 + more_text(more, rest) : 0);
}

/* Where a further line begins: at @indent, unless that leaves too little room. */
static int line_start(const struct troubles *list, size_t at, int indent, bool last)
{
	bool fits = indent + trouble_width(list, at, last) <= WRAP_WIDTH;

	return fits && indent <= WRAP_WIDTH / 2 ? indent : WRAP_INDENT;
}

static void put_trouble(const struct troubles *list, size_t at, FILE *to)
{
	const struct trouble *trouble = &list->list[at];

	fprintf(to, "%s%s%s%s", COLORED(trouble->rank >= TROUBLE_BAD ? COLOR_BAD : COLOR_NONE,
					trouble->text), at + 1 < list->count ? "," : "");
}

/*
 * Print the troubles behind the columns, on a few lines. Returns the number of lines.
 * @blanks: before the first trouble, which is at the column @indent
 */
static size_t print_troubles(const struct troubles *list, int blanks, int indent, FILE *to)
{
	size_t lines = 1, i;
	int column = indent;
	char more[CELL_LEN];

	for (i = 0; i < list->count; i++) {
		int gap = i ? 1 : 0;

		if (ctl.oneline || column + gap + trouble_width(list, i, lines == LINES_ROW) <=
				   WRAP_WIDTH) {
			fprintf(to, "%*s", i ? gap : blanks, "");
		} else {
			if (lines == LINES_ROW)
				break;
			lines++;
			gap = 0;
			column = line_start(list, i, indent, lines == LINES_ROW);
			fprintf(to, "\n%*s", column, "");
		}
		put_trouble(list, i, to);
		column += gap + trouble_width(list, i, false);
	}
	if (i < list->count) {
		more_text(more, list->count - i);
		fprintf(to, " %s", more);
	}
	fputc('\n', to);
	return lines;
}

static int print_line(const struct section *section, struct line *line)
{
	bool bad = trouble_rank(&line->troubles) >= TROUBLE_BAD;
	size_t size;
	FILE *to = open_memstream(&line->text, &size);
	/* A filter that does not exist has only a name. */
	int cells = *line->cell[CELL_KIND] ? CELLS : CELL_KIND;
	int blanks;

	if (!to)
		return no_memory();
	fprintf(to, "%s%s%s ", COLORED(bad ? COLOR_BAD : COLOR_NONE, bad ? "!" : " "));
	blanks = section_cells(section, line->cell, cells, to);
	line->lines = print_troubles(&line->troubles, blanks,
				     section_indent(section, cells), to);
	return fclose(to) ? no_memory() : DONE;
}

static int compare_lines(const void *a, const void *b)
{
	const struct line *first = a, *second = b;
	int worse = trouble_rank(&second->troubles) - trouble_rank(&first->troubles);

	return worse ? worse : strcmp(first->cell[CELL_NAME], second->cell[CELL_NAME]);
}

static int section_render(struct section *section)
{
	int status = DONE;

	section_measure(section);
	qsort(section->line, section->count, sizeof(*section->line), compare_lines);
	for (size_t i = 0; i < section->count && !status; i++)
		status = print_line(section, &section->line[i]);
	return status;
}

static size_t section_lines(const struct section *section)
{
	size_t lines = 0;

	for (size_t i = 0; i < section->count; i++)
		lines += section->line[i].lines;
	return lines;
}

/* Print the objects in at most @room lines; one of them is needed if some do not fit. */
static void section_print(const struct section *section, size_t room)
{
	bool all = ctl.oneline || section_lines(section) <= room;
	size_t i, used = all ? 0 : 1;

	if (!section->count)
		return;
	fputs("  ", stdout);
	section_cells(section, NULL, CELLS, stdout);
	putchar('\n');
	for (i = 0; i < section->count; i++) {
		used += section->line[i].lines;
		if (!all && used > room)
			break;
		fputs(section->line[i].text, stdout);
	}
	if (i < section->count)
		printf("  and %zu more: seenctl %s\n", section->count - i, section->more);
}

/* Each section may use half of the screen, and the lines that the other one does not need. */
static void overview_text(const struct section *guards, const struct section *filters)
{
	size_t room = LINES_MAX - !!guards->count - !!filters->count;
	size_t half = room / 2, needed = section_lines(filters);
	size_t first = room - (needed < half ? needed : half);

	if (!guards->count && !filters->count) {
		printf("no guards, no filters (seenctl help)\n");
		return;
	}
	needed = section_lines(guards);
	section_print(guards, first);
	section_print(filters, room - (needed < first ? needed : first));
}

static void section_free(struct section *section)
{
	for (size_t i = 0; section->line && i < section->count; i++) {
		free(section->line[i].text);
		free(section->line[i].troubles.list);
	}
	free(section->line);
}

static void guard_json(const struct seen_guard_info *info, const struct line *line)
{
	const struct seen_guard_config *config = &info->config;

	json_open(NULL, '{');
	json_text("kind", seen_word(&seen_guard_kinds, config->id.kind));
	json_text("dev", config->id.dev);
	json_text("hook", seen_word(&seen_hooks, config->id.hook));
	json_text("profile", seen_word(&seen_profiles, config->profile));
	json_text("verdict", seen_word(&seen_verdicts, config->verdict));
	json_text("action", seen_word(&seen_actions, config->action));
	json_text("state", seen_word(&seen_states, info->state));
	json_number("dropped", guard_sum(info, SEEN_A_PORT_DROPPED));
	json_number("would-drop", guard_sum(info, SEEN_A_PORT_WOULD_DROP));
	trouble_json(&line->troubles);
	json_close();
}

static void filter_json(const struct seen_filter_info *info, const struct line *line)
{
	json_open(NULL, '{');
	json_text("name", info->config.name);
	json_bool("missing", info->missing);
	if (!info->missing) {
		json_text("type", seen_word(&seen_types, info->config.type));
		json_number("entries", info->entries);
		json_number("capacity", info->config.capacity);
		json_float("fill", info->room ? (double)info->used / info->room : 0);
	}
	if (info->config.window)
		json_number("window", info->config.window);
	trouble_json(&line->troubles);
	json_close();
}

static int overview_print(const struct seen_guards *guards, const struct seen_filters *filters,
			  struct section *of_guards, struct section *of_filters)
{
	const struct seen_guard_info *guard;
	const struct seen_filter_info *filter;
	int status;

	for (size_t i = 0; (guard = seen_guards_at(guards, i)); i++)
		guard_line(&of_guards->line[i], guard);
	for (size_t i = 0; (filter = seen_filters_at(filters, i)); i++)
		filter_line(&of_filters->line[i], filter);
	if (ctl.json) {
		json_open(NULL, '{');
		json_open("guards", '[');
		for (size_t i = 0; (guard = seen_guards_at(guards, i)); i++)
			guard_json(guard, &of_guards->line[i]);
		json_close();
		json_open("filters", '[');
		for (size_t i = 0; (filter = seen_filters_at(filters, i)); i++)
			filter_json(filter, &of_filters->line[i]);
		json_close();
		json_close();
		return DONE;
	}
	status = section_render(of_guards);
	if (!status)
		status = section_render(of_filters);
	if (!status)
		overview_text(of_guards, of_filters);
	return status;
}

static int section_make(struct section *section, size_t count)
{
	section->count = count;
	section->line = calloc(count + 1, sizeof(*section->line));
	return section->line ? DONE : no_memory();
}

static int overview_of(const struct seen_guards *guards, const struct seen_filters *filters)
{
	struct section of_guards = {
		.more = "guard show",
		.head = { "guard", "verdict", "action", "state", "dropped" },
		.right = { [CELL_LAST] = true },
	};
	struct section of_filters = {
		.more = "filter show",
		.head = { "filter", "type", "fill", "keys/capacity", "window" },
		.right = { [CELL_MIDDLE] = true, [CELL_STATE] = true, [CELL_LAST] = true },
	};
	int status = section_make(&of_guards, seen_guards_count(guards));

	if (!status)
		status = section_make(&of_filters, seen_filters_count(filters));
	if (!status)
		status = overview_print(guards, filters, &of_guards, &of_filters);
	section_free(&of_guards);
	section_free(&of_filters);
	return status;
}

static int overview_read(void)
{
	struct seen_filters *filters = NULL;
	struct seen_guards *guards = NULL;
	int status = connect_kernel();

	if (!status)
		status = from_kernel(seen_guard_list(ctl.client, &guards));
	if (!status)
		status = from_kernel(seen_filter_list(ctl.client, &filters));
	if (!status)
		status = overview_of(guards, filters);
	seen_filters_free(filters);
	seen_guards_free(guards);
	return status;
}

int overview(void)
{
	int status = overview_read();

	if (status)
		fputs("seenctl help lists the commands.\n", stderr);
	return status;
}
