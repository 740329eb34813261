// SPDX-License-Identifier: GPL-2.0
/* Print the ports of a guard: a table of their state, and one of their counters. */
#include <stdio.h>

#include "grid.h"
#include "guard.h"
#include "wrap.h"

static void last_text(const char *what, const struct seen_dup_info *dup)
{
	wrap_next("        last %s:", what);
	dup_text(dup);
}

static void counters_line(const struct seen_port_info *port)
{
	wrap_next("       ");
	for (unsigned int i = 0; i < seen_port_counters.count; i++)
		if (seen_port_counters.word[i])
			put_number(seen_port_counters.word[i], port->count[i]);
	if (port->count[SEEN_A_PORT_BUDGET])
		put_number("budget", port->count[SEEN_A_PORT_BUDGET]);
	if (port->has_last_other)
		last_text("duplicate of another port", &port->last_other);
	if (port->has_last)
		last_text(port->count[SEEN_A_PORT_HIT] ? "hit" : "duplicate",
			  &port->last);
}

static void blocked_text(const struct seen_port_info *port)
{
	char text[TEXT_LEN];

	wrap_words("%s%s%s since %s ago", COLORED(COLOR_BAD, "BLOCKED"),
		   text_about(text, port->count[SEEN_A_PORT_BLOCKED_SINCE]));
	put("until", "in %s",
	    text_about(text, port->count[SEEN_A_PORT_BLOCKED_UNTIL]));
	if (*port->peer)
		put("loop:", "%s - %s", port->name, port->peer);
}

static enum color alarm_color(uint32_t alarm)
{
	return alarm > SEEN_ALARM_CALM ? COLOR_BAD : COLOR_NONE;
}

/* With -oneline. */
static void port_line(const struct seen_port_info *port)
{
	wrap_next("    port %s%s%s", COLORED(COLOR_NAME, port->name));
	put_flag("self", port->self);
	put_flag("protected", port->protect);
	put_flag("suspended", port->suspended);
	put_flag("gro", port->gro);
	put_flag("offloaded", port->offloaded);
	if (port->blocked)
		blocked_text(port);
	if (!port->self)
		put("alarm", "%s%s%s", COLORED(alarm_color(port->alarm),
					       seen_word(&seen_alarms, port->alarm)));
	if (port->alarm > SEEN_ALARM_CALM)
		put_number("rate", port->count[SEEN_A_PORT_RATE]);
	if (port->count[SEEN_A_PORT_PEAK])
		put_number("peak", port->count[SEEN_A_PORT_PEAK]);
	if (ctl.stats)
		counters_line(port);
}

enum ports_column {
	PORTS_NAME, PORTS_STATE, PORTS_SINCE, PORTS_UNTIL, PORTS_PEER, PORTS_RATE, PORTS_PEAK,
	PORTS_DUPLICATES, PORTS_HITS, PORTS_DROPPED, PORTS_WOULD_DROP, PORTS_MARKED,
	PORTS_BLOCKS, PORTS_LAST, PORTS_NOTES, PORTS_COLUMNS
};

static const struct {
	const char *head;
	bool left;
} ports_columns[PORTS_COLUMNS] = {
	[PORTS_NAME] = { "port", true },
	[PORTS_STATE] = { "state", true },
	[PORTS_SINCE] = { "since" },
	[PORTS_UNTIL] = { "until" },
	[PORTS_PEER] = { "loop-with", true },
	[PORTS_RATE] = { "rate/s" },
	[PORTS_PEAK] = { "peak/s" },
	[PORTS_DUPLICATES] = { "duplicates" },
	[PORTS_HITS] = { "hits" },
	[PORTS_DROPPED] = { "dropped" },
	[PORTS_WOULD_DROP] = { "would-drop" },
	[PORTS_MARKED] = { "marked" },
	[PORTS_BLOCKS] = { "blocks" },
	[PORTS_LAST] = { "last" },
	[PORTS_NOTES] = { "notes", true },
};

static const char *port_state(const struct seen_port_info *port)
{
	return port->blocked ? "BLOCKED" :
	       port->suspended ? "suspended" :
	       port->self ? "self" : seen_word(&seen_alarms, port->alarm);
}

static void port_notes(const struct seen_port_info *port, char text[GRID_CELL])
{
	snprintf(text, GRID_CELL, "%s%s%s", port->protect ? ",protected" : "",
		 port->gro && !port->self ? ",gro" : "",
		 port->offloaded ? ",offloaded" : "");
}

/* Age of the last duplicate or hit; UINT64_MAX if there was no such frame. */
static uint64_t port_age(const struct seen_port_info *port)
{
	uint64_t age = port->has_last ? port->last.age : UINT64_MAX;

	if (port->has_last_other && port->last_other.age < age)
		age = port->last_other.age;
	return age;
}

static void port_put_state(struct grid *grid, const struct seen_port_info *port)
{
	char text[TEXT_LEN], notes[GRID_CELL];

	grid_put(grid, PORTS_NAME, COLOR_NAME, "%s", port->name);
	grid_put(grid, PORTS_STATE, port->blocked ? COLOR_BAD : alarm_color(port->alarm),
		 "%s", port_state(port));
	if (port->blocked) {
		grid_put(grid, PORTS_SINCE, COLOR_NONE, "%s ago",
			 text_about(text, port->count[SEEN_A_PORT_BLOCKED_SINCE]));
		grid_put(grid, PORTS_UNTIL, COLOR_NONE, "in %s",
			 text_about(text, port->count[SEEN_A_PORT_BLOCKED_UNTIL]));
		grid_put(grid, PORTS_PEER, COLOR_NAME, "%s", port->peer);
	}
	port_notes(port, notes);
	if (*notes)
		grid_put(grid, PORTS_NOTES, COLOR_NONE, "%s", notes + 1);
	if (port_age(port) != UINT64_MAX)
		grid_put(grid, PORTS_LAST, COLOR_NONE, "%s ago",
			 text_about(text, port_age(port)));
}

static void port_put_counts(struct grid *grid, const struct seen_port_info *port)
{
	const uint64_t *count = port->count;

	if (port->alarm > SEEN_ALARM_CALM)
		grid_count(grid, PORTS_RATE, count[SEEN_A_PORT_RATE]);
	grid_count(grid, PORTS_PEAK, count[SEEN_A_PORT_PEAK]);
	grid_count(grid, PORTS_DUPLICATES,
		   count[SEEN_A_PORT_DUP_SAME] + count[SEEN_A_PORT_DUP_OTHER] +
		   count[SEEN_A_PORT_TRAIL_LOOP]);
	grid_count(grid, PORTS_HITS, count[SEEN_A_PORT_HIT]);
	grid_count(grid, PORTS_DROPPED, count[SEEN_A_PORT_DROPPED]);
	grid_count(grid, PORTS_WOULD_DROP, count[SEEN_A_PORT_WOULD_DROP]);
	grid_count(grid, PORTS_MARKED, count[SEEN_A_PORT_MARKED]);
	grid_count(grid, PORTS_BLOCKS, count[SEEN_A_PORT_BLOCKS]);
}

static void ports_state(const struct seen_ports *ports)
{
	struct grid *grid = grid_new(PORTS_COLUMNS);
	const struct seen_port_info *port;

	if (!grid) {
		no_memory();
		return;
	}
	for (size_t i = 0; i < PORTS_COLUMNS; i++)
		grid_head(grid, i, ports_columns[i].head, ports_columns[i].left);
	for (size_t i = 0; (port = seen_ports_at(ports, i)) && !grid_row(grid); i++) {
		port_put_state(grid, port);
		port_put_counts(grid, port);
	}
	grid_print(grid, 4);
	grid_free(grid);
}

/* Is the counter of a port not 0? */
static bool ports_any(const struct seen_ports *ports, unsigned int counter)
{
	const struct seen_port_info *port;

	for (size_t i = 0; (port = seen_ports_at(ports, i)); i++)
		if (port->count[counter])
			return true;
	return false;
}

/* Counters that are 0 on each port are omitted. */
static void ports_put_counter(struct grid *grid, const struct seen_ports *ports,
			      unsigned int counter, const char *name)
{
	const struct seen_port_info *port;

	if (!ports_any(ports, counter) || grid_row(grid))
		return;
	grid_put(grid, 0, COLOR_NONE, "%s", name);
	for (size_t i = 0; (port = seen_ports_at(ports, i)); i++)
		grid_count(grid, i + 1, port->count[counter]);
}

static void ports_counters(const struct seen_ports *ports)
{
	struct grid *grid = grid_new(seen_ports_count(ports) + 1);
	const struct seen_port_info *port;

	if (!grid) {
		no_memory();
		return;
	}
	grid_head(grid, 0, "counter", true);
	for (size_t i = 0; (port = seen_ports_at(ports, i)); i++)
		grid_head(grid, i + 1, port->name, false);
	for (unsigned int i = 0; i < seen_port_counters.count; i++)
		if (seen_port_counters.word[i])
			ports_put_counter(grid, ports, i, seen_port_counters.word[i]);
	ports_put_counter(grid, ports, SEEN_A_PORT_BUDGET, "budget");
	grid_print(grid, 4);
	grid_free(grid);
}

static void port_last(const struct seen_port_info *port, const char *what,
		      const struct seen_dup_info *dup)
{
	wrap_begin("    %s%s%s last %s:", COLORED(COLOR_NAME, port->name), what);
	dup_text(dup);
	wrap_end();
}

static void ports_last(const struct seen_ports *ports)
{
	const struct seen_port_info *port;

	for (size_t i = 0; (port = seen_ports_at(ports, i)); i++) {
		if (port->has_last_other)
			port_last(port, "duplicate of another port", &port->last_other);
		if (port->has_last)
			port_last(port, port->count[SEEN_A_PORT_HIT] ? "hit" : "duplicate",
				  &port->last);
	}
}

void guard_ports_text(const struct seen_ports *ports)
{
	const struct seen_port_info *port;

	for (size_t i = 0; ctl.oneline && (port = seen_ports_at(ports, i)); i++)
		port_line(port);
	wrap_end();
	if (ctl.oneline || !seen_ports_count(ports))
		return;
	ports_state(ports);
	if (ctl.stats)
		ports_counters(ports);
	if (ctl.stats)
		ports_last(ports);
}
