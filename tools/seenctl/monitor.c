// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include <linux/sock_diag.h>

#include "color.h"
#include "exec.h"
#include "wrap.h"
#include "word.h"

/**
 * struct watch - which events are printed, and when the monitor ends
 * @filter: print only events of the filter that has, or had, this name; "": all events
 * @id: id of that filter; 0: not known
 * @until: bit (1 << enum seen_cmd) is set if events of this type count
 * @count: end after this number of counting events; 0: no limit
 * @timeout: end after this time, in ns; 0: no limit
 * @program: path of a program that is run for each event; "": none
 * @drops: number of events that the socket had dropped when the last event "lost" was printed
 * @status: exit status, if the program could not be started
 */
struct watch {
	char filter[SEEN_NAME_MAX];
	uint32_t id;
	uint64_t until;
	uint64_t count;
	uint64_t timeout;
	char program[PATH_MAX];
	uint32_t drops;
	int status;
};

/* Bytes of events that may wait; the kernel grants at most net.core.rmem_max. */
#define WATCH_ROOM	0x100000

static const char *time_text(char *text, uint64_t ns)
{
	time_t seconds = ns / 1000000000;
	struct tm tm;
	size_t len;

	localtime_r(&seconds, &tm);
	len = strftime(text, TEXT_LEN, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + len, TEXT_LEN - len, ".%06ju", ns % 1000000000 / 1000);
	return text;
}

static enum color event_color(enum seen_cmd cmd)
{
	switch (cmd) {
	case SEEN_CMD_UNSPEC:
	case SEEN_CMD_STORM_NTF:
	case SEEN_CMD_PORT_BLOCKED_NTF:
	case SEEN_CMD_WOULD_BLOCK_NTF:
	case SEEN_CMD_SATURATED_NTF:
	case SEEN_CMD_MISSING_NTF:
	case SEEN_CMD_FEED_STALE_NTF:
		return COLOR_BAD;
	default:
		return COLOR_NONE;
	}
}

static void event_text(const struct seen_event_info *event)
{
	char text[TEXT_LEN];

	wrap_begin("%s %s%s%s", time_text(text, event->time),
		   COLORED(event_color(event->cmd), seen_word(&seen_events, event->cmd)));
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
		wrap_add("found");
		finding_text(&event->finding);
	}
	if (event->lost)
		put_number("lost", event->lost);
	wrap_end();
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
}

/* Set the variable of a member: SEEN_DUPLICATE_SMAC for smac of duplicate. */
static void event_variable(const char *key, const char *value)
{
	bool guard = !strcmp(key, "kind") || !strcmp(key, "dev") || !strcmp(key, "hook");
	char name[128];

	snprintf(name, sizeof(name), "SEEN_%s%s", guard ? "GUARD_" : "", key);
	for (char *c = name; *c; c++)
		*c = *c == '-' ? '_' : toupper((unsigned char)*c);
	setenv(name, value, 1);
}

static void event_environment(const void *context)
{
	exec_clear("SEEN_");
	json_members(event_variable);
	event_json(context);
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

static void event_print(const struct seen_event_info *event)
{
	if (ctl.json) {
		event_json(event);
		json_line();
	} else {
		event_text(event);
	}
	fflush(stdout);
}

/*
 * Print an event, and run the program. Returns 1 after the last event that the monitor waits
 * for, and if the program cannot be started.
 */
static int event_handle(struct watch *watch, const struct seen_event_info *event)
{
	event_print(event);
	if (*watch->program)
		watch->status = exec_run(watch->program, event_environment, event,
					 seen_word(&seen_events, event->cmd));
	if (watch->status)
		return 1;
	if (!watch->count || !(watch->until & 1ULL << event->cmd))
		return 0;
	return !--watch->count;
}

/* Number of events that the socket has dropped since it was opened; no change if it is unknown. */
static uint32_t socket_drops(const struct watch *watch)
{
	uint32_t info[SK_MEMINFO_VARS] = {};
	socklen_t len = sizeof(info);

	if (getsockopt(seen_listen_fd(ctl.client), SOL_SOCKET, SO_MEMINFO, info, &len))
		return watch->drops;
	return info[SK_MEMINFO_DROPS];
}

/* Report the events that the socket has dropped. Returns as event_handle(). */
static int tell_lost(struct watch *watch)
{
	struct seen_event_info event = { .cmd = SEEN_CMD_UNSPEC };
	uint32_t drops = socket_drops(watch);
	struct timespec time;

	event.count = drops - watch->drops;
	if (!event.count)
		return 0;
	watch->drops = drops;
	clock_gettime(CLOCK_REALTIME, &time);
	event.time = time.tv_sec * UINT64_C(1000000000) + time.tv_nsec;
	return event_handle(watch, &event);
}

/*
 * A full socket drops events until it has been read to its end, but returns ENOBUFS only
 * once. So each event looks for further drops.
 */
static int tell(const struct seen_event_info *event, void *context)
{
	struct watch *watch = context;
	int end = tell_lost(watch);

	if (end || !concerns(watch, event))
		return end;
	return event_handle(watch, event);
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
		if (err == -ENOBUFS)
			err = tell_lost(watch);
		if (err == 1)
			return watch->status;
		if (err)
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

static int read_program(const struct param *param, const char *value)
{
	if (!*value || strlen(value) >= PATH_MAX)
		return usage("--exec: must be a path of 1 to %d bytes", PATH_MAX - 1);
	return exec_find(value, param->into);
}

/* Get the id of the filter, which need not exist yet. */
static void learn_id(struct watch *watch)
{
	struct seen_filter_info info;

	if (*watch->filter && !seen_filter_get(ctl.client, watch->filter, &info))
		watch->id = info.id;
}

enum { WATCH_FILTER, WATCH_UNTIL, WATCH_COUNT, WATCH_TIMEOUT, WATCH_EXEC };

static int monitor(struct args *args)
{
	struct watch watch = {};
	const struct param params[] = {
		[WATCH_FILTER] = { "filter", read_name, watch.filter },
		[WATCH_UNTIL] = { "until", read_events, &watch.until },
		[WATCH_COUNT] = { "count", read_count, &watch.count, .least = 1 },
		[WATCH_TIMEOUT] = { "timeout", read_duration, &watch.timeout,
				    .zero = "must be above 0; omit it to wait without a limit" },
		[WATCH_EXEC] = { "--exec", read_program, watch.program },
	};
	const int room = WATCH_ROOM;
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
	setsockopt(seen_listen_fd(ctl.client), SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	err = seen_listen(ctl.client);
	if (err)
		return from_kernel(err);
	fputs("listening\n", stderr);
	return watch_events(&watch);
}

static const struct command commands[] = {
	{ "", monitor,
	  "[filter NAME] [until EVENT[,EVENT]...] [count N]\n"
	  "           [timeout TIME] [--exec PROGRAM]" },
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
	"  --exec PROGRAM\n"
	"               runs the program for each event, one after the other, with the\n"
	"               members of the JSON document in the environment: SEEN_EVENT,\n"
	"               SEEN_FILTER, SEEN_GUARD_DEV, SEEN_PORT, ...\n"
	"\n"
	"\"listening\" on standard error means that no later event is missed. With -o\n"
	"each event is one line, with -j a document on a line of its own.\n"
	"\n"
	"Events: filter-add, filter-del, guard-add, guard-del, waiting, armed, suspect,\n"
	"storm, calm, port-blocked, would-block, port-released, saturated,\n"
	"window-short, suspended, resumed, missing, unused, probed, filter-change,\n"
	"guard-change, feed-stale, feed-fresh, circled; lost: events came faster than\n"
	"they were read; count is their number.\n",
};
