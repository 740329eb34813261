// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "color.h"
#include "seenctl.h"
#include "word.h"

/**
 * struct watch - which events are printed, and when the monitor ends
 * @filter: print only events of the filter that has, or had, this name; "": all events
 * @id: id of that filter; 0: not known
 * @until: bit (1 << enum seen_cmd) is set if events of this type count
 * @count: end after this number of counting events; 0: no limit
 * @timeout: end after this time, in ns; 0: no limit
 */
struct watch {
	char filter[SEEN_NAME_MAX];
	uint32_t id;
	uint64_t until;
	uint64_t count;
	uint64_t timeout;
};

static void time_text(uint64_t ns)
{
	time_t seconds = ns / 1000000000;
	char text[TEXT_LEN];
	struct tm tm;

	localtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	printf("%s.%06ju", text, ns % 1000000000 / 1000);
}

static enum color event_color(enum seen_cmd cmd)
{
	switch (cmd) {
	case SEEN_CMD_STORM_NTF:
	case SEEN_CMD_PORT_BLOCKED_NTF:
	case SEEN_CMD_WOULD_BLOCK_NTF:
	case SEEN_CMD_SATURATED_NTF:
	case SEEN_CMD_MISSING_NTF:
		return COLOR_BAD;
	default:
		return COLOR_NONE;
	}
}

static void event_text(const struct seen_event_info *event)
{
	char text[TEXT_LEN];

	time_text(event->time);
	printf(" %s%s%s", COLORED(event_color(event->cmd),
				  seen_word(&seen_events, event->cmd)));
	if (event->has_guard) {
		put(seen_word(&seen_guard_kinds, event->guard.kind), "%s",
		    event->guard.dev);
		put("hook", "%s", seen_word(&seen_hooks, event->guard.hook));
	}
	if (*event->filter)
		put("filter", "%s", event->filter);
	if (event->change)
		put("change", "%s", seen_word(&seen_changes, event->change));
	if (*event->old_name)
		put("old-name", "%s", event->old_name);
	if (*event->port)
		put("port", "%s", event->port);
	if (*event->other)
		put("other", "%s", event->other);
	if (event->count)
		put_number("count", event->count);
	if (event->rate)
		put_number("rate", event->rate);
	if (event->peak)
		put_number("peak", event->peak);
	if (event->duration)
		put("for", "%s", text_about(text, event->duration));
	if (event->promised) {
		put("window", "%s", text_about(text, event->window));
		put("promised", "%s", text_exact(text, event->promised));
	}
	if (event->has_dup)
		dup_text(&event->dup);
	if (event->has_finding) {
		printf(" found ");
		finding_text(&event->finding);
	}
	if (event->lost)
		put_number("lost", event->lost);
	putchar('\n');
}

static void event_json(const struct seen_event_info *event)
{
	json_open(NULL, '{');
	json_number("time", event->time);
	if (event->filter_id)
		json_number("filter-id", event->filter_id);
	if (event->guard_id)
		json_number("guard-id", event->guard_id);
	json_text("event", seen_word(&seen_events, event->cmd));
	if (event->has_guard) {
		json_text("kind", seen_word(&seen_guard_kinds,
					    event->guard.kind));
		json_text("dev", event->guard.dev);
		json_text("hook", seen_word(&seen_hooks, event->guard.hook));
	}
	if (*event->filter)
		json_text("filter", event->filter);
	if (event->change)
		json_text("change", seen_word(&seen_changes, event->change));
	if (*event->old_name)
		json_text("old-name", event->old_name);
	if (*event->port)
		json_text("port", event->port);
	if (*event->other)
		json_text("other", event->other);
	if (event->count)
		json_number("count", event->count);
	if (event->rate)
		json_number("rate", event->rate);
	if (event->peak)
		json_number("peak", event->peak);
	if (event->duration)
		json_number("duration", event->duration);
	if (event->promised) {
		json_number("window", event->window);
		json_number("promised", event->promised);
	}
	if (event->has_dup)
		dup_json("duplicate", &event->dup);
	if (event->has_finding)
		finding_json("finding", &event->finding);
	json_number("lost", event->lost);
	json_close();
	json_line();
}

/* Follow a renamed filter by its id, until another filter gets the name. */
static bool concerns(struct watch *watch, const struct seen_event_info *event)
{
	if (!*watch->filter)
		return true;
	if (strcmp(watch->filter, event->filter) && strcmp(watch->filter, event->old_name))
		return watch->id && watch->id == event->filter_id;
	if (event->filter_id)
		watch->id = event->filter_id;
	return true;
}

/* Print an event. Returns 1 after the last event that the monitor waits for. */
static int tell(const struct seen_event_info *event, void *context)
{
	struct watch *watch = context;

	if (!concerns(watch, event))
		return 0;
	if (ctl.json)
		event_json(event);
	else
		event_text(event);
	fflush(stdout);
	if (!watch->count || !(watch->until & 1ULL << event->cmd))
		return 0;
	return !--watch->count;
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * UINT64_C(1000000000) + time.tv_nsec;
}

/* Wait for an event until @end; 0: no limit. Returns 1, 0 at @end, or -1 with errno. */
static int wait_until(uint64_t end)
{
	struct pollfd ready = {
		.fd = seen_listen_fd(ctl.client), .events = POLLIN,
	};
	uint64_t time = now();
	int ms = -1, got;

	if (end) {
		uint64_t left = end > time ? (end - time) / 1000000 + 1 : 0;

		ms = left < INT32_MAX ? left : INT32_MAX;
	}
	do {
		got = poll(&ready, 1, ms);
	} while (got < 0 && errno == EINTR);
	return got;
}

static int watch_events(struct watch *watch)
{
	uint64_t end = watch->timeout ? now() + watch->timeout : 0;
	int err;

	while (!ferror(stdout)) {
		int ready = wait_until(end);

		if (ready < 0)
			return refused("%s", strerror(errno));
		if (!ready)
			return watch->count ? REFUSED : DONE;
		err = seen_listen_next(ctl.client, tell, watch);
		if (err == 1)
			return DONE;
		if (err == -ENOBUFS)
			refused("events are lost, because they came faster than they were read");
		else if (err)
			return from_kernel(err);
	}
	return REFUSED;
}

/* Read EVENT[,EVENT]... */
static int read_events(const struct param *param, const char *value)
{
	uint64_t *until = param->into;
	char list[256], *left = list, *word;

	if ((size_t)snprintf(list, sizeof(list), "%s", value) >= sizeof(list))
		return usage("until: the list has more than %zu characters",
			     sizeof(list) - 1);
	while ((word = strsep(&left, ","))) {
		int cmd = seen_value(&seen_events, word);

		if (cmd < 0)
			return word_no_value("event", word, &seen_events);
		*until |= 1ULL << cmd;
	}
	return DONE;
}

/* Get the id of the filter, which need not exist yet. */
static void learn_id(struct watch *watch)
{
	struct seen_filter_info info;

	if (*watch->filter && !seen_filter_get(ctl.client, watch->filter, &info))
		watch->id = info.id;
}

enum { WATCH_FILTER, WATCH_UNTIL, WATCH_COUNT, WATCH_TIMEOUT };

static int monitor(struct args *args)
{
	struct watch watch = {};
	const struct param params[] = {
		[WATCH_FILTER] = { "filter", read_name, watch.filter },
		[WATCH_UNTIL] = { "until", read_events, &watch.until },
		[WATCH_COUNT] = { "count", read_count, &watch.count, .least = 1 },
		[WATCH_TIMEOUT] = { "timeout", read_duration, &watch.timeout,
				    .zero = "must be above 0; omit it to wait without a limit" },
	};
	uint64_t given;
	int err, status;

	status = params_read(args, params, ARRAY_SIZE(params), &given);
	if (status)
		return status;
	if (!(given & 1 << WATCH_UNTIL))
		watch.until = UINT64_MAX;
	else if (!watch.count)
		watch.count = 1;
	if (ctl.batch)
		return usage("cannot run in a batch");
	status = connect_kernel();
	if (status)
		return status;
	learn_id(&watch);
	err = seen_listen(ctl.client);
	if (err)
		return from_kernel(err);
	fputs("listening\n", stderr);
	return watch_events(&watch);
}

static const struct command commands[] = {
	{ "", monitor,
	  "[filter NAME] [until EVENT[,EVENT]...] [count N]\n"
	  "           [timeout TIME]" },
};

const struct object monitor_object = {
	.name = "monitor",
	.summary = "print events as they occur",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  filter NAME  only events of this filter, also after a rename\n"
	"  until EVENT  ends after the first such event, or after N of them with count N\n"
	"  count N      ends after N events\n"
	"  timeout T    ends after this time (100ms, 5s). The exit status is 1 if the\n"
	"               events of until or count have not occurred\n"
	"\n"
	"\"listening\" on standard error means that no later event is missed. With -j\n"
	"each event is a document on a line of its own.\n"
	"\n"
	"Events: filter-add, filter-del, guard-add, guard-del, waiting, armed, suspect,\n"
	"storm, calm, port-blocked, would-block, port-released, saturated,\n"
	"window-short, suspended, resumed, missing, unused, probed, filter-change,\n"
	"guard-change.\n",
};
