// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trouble.h"

/* A finding that is older is information only. */
#define TROUBLE_RECENT	UINT64_C(600000000000)

/* Return the new trouble; without memory one that no list has. */
static struct trouble *trouble_add(struct troubles *list, const char *what, int rank,
				   const char *format, ...) __printf(4, 5);

static struct trouble *trouble_add(struct troubles *list, const char *what, int rank,
				   const char *format, ...)
{
	static struct trouble spare;
	struct trouble *more = reallocarray(list->list, list->count + 1, sizeof(*more));
	struct trouble *trouble = more ? &more[list->count] : &spare;
	va_list values;

	*trouble = (struct trouble) { .what = what, .rank = rank, .order = list->count };
	if (more) {
		list->list = more;
		list->count++;
	}
	va_start(values, format);
	vsnprintf(trouble->text, sizeof(trouble->text), format, values);
	va_end(values);
	return trouble;
}

static void trouble_count(struct trouble *trouble, const char *counts, uint64_t number)
{
	trouble->counts = counts;
	trouble->number = number;
}

static void trouble_time(struct trouble *trouble, const char *times, uint64_t ns)
{
	trouble->times = times;
	trouble->ns = ns;
}

static int trouble_compare(const void *a, const void *b)
{
	const struct trouble *first = a, *second = b;

	if (first->rank != second->rank)
		return second->rank - first->rank;
	return first->order < second->order ? -1 : 1;
}

static void trouble_sort(struct troubles *list)
{
	if (list->count)
		qsort(list->list, list->count, sizeof(*list->list), trouble_compare);
}

int trouble_rank(const struct troubles *list)
{
	return list->count ? list->list[0].rank : -1;
}

static void filter_rules(const struct seen_filter_info *info, struct troubles *list)
{
	if (info->missing)
		trouble_count(trouble_add(list, "missing", 5, "MISSING, rules: %u", info->rules),
			      "rules", info->rules);
	if (info->unfit_rules)
		trouble_count(trouble_add(list, "unfit", 4, "UNFIT rules: %ju of %u",
					  (uintmax_t)info->unfit_rules, info->rules),
			      "rules", info->unfit_rules);
}

/* Counters since the last reset. */
static void filter_counters(const struct seen_filter_info *info, struct troubles *list)
{
	uint64_t stale = info->stats[SEEN_A_STATS_STALE];
	uint64_t full = info->stats[SEEN_A_STATS_FULL];
	char text[TEXT_LEN];

	if (stale)
		trouble_count(trouble_add(list, "stale", 3, "not judged, late sweep: %s",
					  text_count(text, stale)),
			      "count", stale);
	if (full)
		trouble_count(trouble_add(list, "unstored", info->full ? 4 : 2,
					  "keys not stored: %s", text_count(text, full)),
			      "count", full);
}

static void filter_window(const struct seen_filter_info *info, struct troubles *list)
{
	char text[TEXT_LEN];

	if (info->config.window && info->effective < info->config.window)
		trouble_time(trouble_add(list, "window-short", 3, "keeps only %s",
					 text_about(text, info->effective)),
			     "kept", info->effective);
}

static void filter_load(const struct seen_filter_info *info, struct troubles *list)
{
	const struct seen_filter_config *config = &info->config;
	double goal = real_rate(config->fpp);

	if (info->full)
		trouble_add(list, "full", 4, "FULL");
	else if (config->type != SEEN_TYPE_BITMAP && info->entries > config->capacity)
		trouble_add(list, "over-capacity", 3, "above its capacity");
	if (goal > 0 && config->type != SEEN_TYPE_CMS && config->type != SEEN_TYPE_CMM &&
	    filter_rate(info) > 1.05 * goal)
		trouble_add(list, "rate", 3, "errors %.2g, goal %g", filter_rate(info), goal);
}

static void filter_feed(const struct seen_filter_info *info, struct troubles *list)
{
	char text[TEXT_LEN];

	if (info->feed_stale)
		trouble_time(trouble_add(list, "feed-stale", 3, "no news for %s",
					 text_about(text, info->feed_age)),
			     "age", info->feed_age);
	if (info->feed_lost)
		trouble_count(trouble_add(list, "feed-lost", 2, "records lost: %s",
					  text_count(text, info->feed_lost)),
			      "count", info->feed_lost);
}

void trouble_filter(const struct seen_filter_info *info, struct troubles *list)
{
	filter_rules(info, list);
	if (!info->missing) {
		filter_load(info, list);
		filter_window(info, list);
		filter_counters(info, list);
		filter_feed(info, list);
	}
	trouble_sort(list);
}

static void port_blocked(const struct seen_port_info *port, struct troubles *list)
{
	uint64_t left = port->count[SEEN_A_PORT_BLOCKED_UNTIL];
	struct trouble *trouble;
	char text[TEXT_LEN];

	trouble = trouble_add(list, "blocked", 6, "BLOCKED %s, %s left", port->name,
			      text_about(text, left));
	trouble->port = port->name;
	trouble->other = *port->peer ? port->peer : NULL;
	trouble_time(trouble, "left", left);
}

static void port_alarm(const struct seen_port_info *port, struct troubles *list)
{
	bool storm = port->alarm == SEEN_ALARM_STORM;
	uint64_t rate = port->count[SEEN_A_PORT_RATE];
	struct trouble *trouble;
	char text[TEXT_LEN];

	if (port->alarm <= SEEN_ALARM_CALM)
		return;
	trouble = trouble_add(list, seen_word(&seen_alarms, port->alarm), storm ? 5 : 2,
			      "%s %s %s/s", storm ? "STORM" : "suspect", port->name,
			      text_count(text, rate));
	trouble->port = port->name;
	trouble_count(trouble, "rate", rate);
}

/* Packets that the guard does not judge. */
static void port_bypass(const struct seen_port_info *port, struct troubles *list)
{
	uint64_t over = port->count[SEEN_A_PORT_OVER_BUDGET];
	uint64_t merged = port->count[SEEN_A_PORT_GRO_SKIPPED];
	char text[TEXT_LEN];
	struct trouble *trouble;

	if (over) {
		trouble = trouble_add(list, "over-budget", 2, "%s: over budget: %s",
				      port->name, text_count(text, over));
		trouble->port = port->name;
		trouble_count(trouble, "count", over);
	}
	if (merged) {
		trouble = trouble_add(list, "gro", 2, "%s: merged by GRO: %s",
				      port->name, text_count(text, merged));
		trouble->port = port->name;
		trouble_count(trouble, "count", merged);
	}
	if (port->offloaded)
		trouble_add(list, "offloaded", 2, "%s: offloaded", port->name)->port = port->name;
	if (port->suspended)
		trouble_add(list, "suspended", 1, "%s: suspended", port->name)->port = port->name;
}

static void guard_finding(const struct seen_finding_info *finding, struct troubles *list)
{
	const char *what = seen_word(&seen_findings, finding->kind);
	bool proved = finding->kind > SEEN_FINDING_KIND_UNCONFIRMED;
	bool other = *finding->other && strcmp(finding->port, finding->other);
	char text[TEXT_LEN];
	struct trouble *trouble;

	trouble = trouble_add(list, what,
			      finding->age > TROUBLE_RECENT ? 0 : proved ? 4 : 1,
			      "%s %s%s%s %s ago", what, finding->port, other ? "-" : "",
			      other ? finding->other : "", text_about(text, finding->age));
	trouble->port = finding->port;
	trouble->other = *finding->other ? finding->other : NULL;
	trouble_time(trouble, "age", finding->age);
}

void trouble_guard(const struct seen_guard_info *info, struct troubles *list)
{
	const struct seen_port_info *port;

	if (info->state == SEEN_GUARD_STATE_WAITING)
		trouble_add(list, "waiting", 3, "no such device");
	if (info->paused)
		trouble_add(list, "paused", 3, "judges nothing");
	for (size_t i = 0; (port = seen_ports_at(info->ports, i)); i++) {
		if (port->blocked)
			port_blocked(port, list);
		port_alarm(port, list);
		port_bypass(port, list);
	}
	for (size_t i = 0; i < info->findings; i++)
		guard_finding(&info->finding[i], list);
	trouble_sort(list);
}

void trouble_json(const struct troubles *list)
{
	json_open("wrong", '[');
	for (size_t i = 0; i < list->count; i++) {
		const struct trouble *trouble = &list->list[i];

		json_open(NULL, '{');
		json_text("what", trouble->what);
		json_bool("bad", trouble->rank >= TROUBLE_BAD);
		if (trouble->port)
			json_text("port", trouble->port);
		if (trouble->other)
			json_text("other", trouble->other);
		if (trouble->counts)
			json_number(trouble->counts, trouble->number);
		if (trouble->times)
			json_number(trouble->times, trouble->ns);
		json_close();
	}
	json_close();
}
