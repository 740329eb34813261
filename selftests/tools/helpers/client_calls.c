// SPDX-License-Identifier: GPL-2.0
/*
 * Which calls libseen refuses before it sends a request, with which text; and the attributes
 * that it sends otherwise. A call from a callback of the same client is refused for that
 * reason, even if it has other errors, and does not change the error text of the outer call.
 * Prints TAP.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client_tap.h"

/* An attribute type, and how often it was in the last request. */
static int counted, count;

static void answer_counted(struct nlmsghdr *request)
{
	struct nlattr *attr;
	int left;

	count = 0;
	nlmsg_for_each_attr(attr, request, GENL_HDRLEN, left)
		count += nla_type(attr) == counted;
	end(request);
}

/* sends() - a guard_set with @config sends @want attributes of type @attr */
static void sends(const struct seen_guard_config *config, int attr, int want, const char *what)
{
	counted = attr;
	answer = answer_counted;
	ok(!seen_guard_set(client, config) && count == want, "%s (%d)", what, count);
}

/* refused() - no request was sent; the error text contains @text */
static void refused(int err, const char *text, const char *what)
{
	failed_with(err, -EINVAL, text, what);
	ok(!asked, "no request is sent");
	asked = 0;
}

static struct seen_guard_config guard_config(void)
{
	struct seen_guard_config config = { .id = { .kind = SEEN_GUARD_KIND_DEV, .dev = "d0" } };

	return config;
}

static void guards(void)
{
	struct seen_guard_config config = guard_config();

	config.exempts = 2;
	sends(&config, SEEN_A_GUARD_EXEMPT, 2, "a list of groups needs no bit in given");
	config.exempts = 0;
	sends(&config, SEEN_A_GUARD_EXEMPT, 0,
	      "an empty list without its bit in given is not sent");
	config.given = 1ULL << SEEN_A_GUARD_EXEMPT;
	sends(&config, SEEN_A_GUARD_EXEMPT, 1, "an empty list with its bit in given is sent");
	config.given = 0;
	config.protects = 2;
	sends(&config, SEEN_A_GUARD_PROTECT, 2, "a list of ports needs no bit in given");
	config = guard_config();
	asked = 0;
	config.given = 1ULL << 63;
	refused(seen_guard_add(client, &config), "given:",
		"a bit that only a later libseen defines");
	config.given = 1ULL << SEEN_A_GUARD_PROFILE;
	refused(seen_guard_replace(client, &config), "given:",
		"a bit for a member that needs no bit");
	config.given = 0;
	config.paused = true;
	refused(seen_guard_set(client, &config), "paused: use seen_guard_pause()",
		"seen_guard_set() pauses nothing");
}

static void guard_names(void)
{
	struct seen_guard_config config = guard_config();

	asked = 0;
	memset(config.filter, 'f', sizeof(config.filter));
	refused(seen_guard_add(client, &config), "filter: must be at most 31 bytes",
		"a filter's name without an end");
	config = guard_config();
	config.protects = 2;
	memset(config.protect[1], 'p', sizeof(config.protect[1]));
	refused(seen_guard_add(client, &config), "protect: must be at most 15 bytes",
		"a port's name without an end");
	memset(config.id.dev, 'd', sizeof(config.id.dev));
	refused(seen_guard_del(client, &config.id), "dev: must be at most 15 bytes",
		"a device's name without an end");
	refused(seen_guard_pause(client, &config.id, true), "dev: must be at most 15 bytes",
		"a device's name without an end, for pause");
	refused(seen_guard_reset(client, &config.id), "dev: must be at most 15 bytes",
		"a device's name without an end, for reset");
}

static struct seen_keys keys;

static int no_key(const uint8_t *key, size_t len, void *context)
{
	(void)key;
	(void)len;
	(void)context;
	return 0;
}

static int no_top(const uint8_t *key, size_t len, uint32_t times, void *context)
{
	(void)times;
	return no_key(key, len, context);
}

static char *snapshot = "/dev/null";

static int add(const char *name)
{
	struct seen_filter_config config = { .type = SEEN_TYPE_BLOOM };

	memcpy(config.name, name, strnlen(name, sizeof(config.name)));
	return seen_filter_add(client, &config);
}

static int del(const char *name)
{
	return seen_filter_del(client, name, true);
}

static int flush(const char *name)
{
	return seen_filter_flush(client, name);
}

static int reset(const char *name)
{
	return seen_filter_reset(client, name);
}

static int rename_old(const char *name)
{
	return seen_filter_rename(client, name, "g");
}

static int set(const char *name)
{
	return seen_filter_set(client, name, SEEN_ON_FULL_REJECT);
}

static int set_allow_map(const char *name)
{
	return seen_filter_set_allow_map(client, name, "m");
}

static int get(const char *name)
{
	struct seen_filter_info info;

	return seen_filter_get(client, name, &info);
}

static int read_secret(const char *name)
{
	uint8_t secret[SEEN_SECRET_LEN];

	return seen_filter_secret(client, name, secret);
}

static int export_to(const char *name)
{
	return seen_filter_export(client, name, snapshot, false);
}

static int import_from(const char *name)
{
	return seen_filter_import(client, name, snapshot, NULL, false);
}

static int merge(const char *name)
{
	struct seen_filter_info info;

	return seen_filter_merge(client, name, "g", false, &info);
}

static int fold(const char *name)
{
	struct seen_filter_info info;

	return seen_filter_fold(client, name, 0, &info);
}

/* Functions that take the name of a filter. */
static int (*const named[])(const char *name) = {
	add, del, flush, reset, rename_old, set, set_allow_map, get, read_secret, export_to,
	import_from, merge, fold,
};

static int send_keys(const char *name)
{
	return seen_keys_send(client, SEEN_CMD_KEY_TEST, name, false, &keys);
}

static int list_allow(const char *name)
{
	return seen_allow_list(client, name, no_key, NULL);
}

static int list_top(const char *name)
{
	return seen_top_keys(client, name, no_top, NULL);
}

static int (*const keyed[])(const char *name) = { send_keys, list_allow, list_top };

/* @name: one byte too long for a structure, and longer than a message */
static void names_of(const char *name)
{
	struct seen_filter_info info;

	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		refused(named[i](name), "name: must be at most 31 bytes", "a long name");
	for (size_t i = 0; i < sizeof(keyed) / sizeof(*keyed); i++)
		refused(keyed[i](name), "filter: must be at most 31 bytes", "a long name");
	refused(seen_filter_rename(client, "f", name), "new-name: must be at most 31 bytes",
		"a long new name");
	refused(seen_filter_swap(client, "f", name), "new-name: must be at most 31 bytes",
		"a long name to swap with");
	refused(seen_filter_merge(client, "f", name, false, &info),
		"new-name: must be at most 31 bytes", "a long name to merge");
	refused(seen_filter_set_allow_map(client, "f", name),
		"allow-map: must be at most 31 bytes", "a long name of a map");
}

static void names(void)
{
	static char name[70000];

	asked = 0;
	memset(name, 'a', SEEN_NAME_ROOM);
	names_of(name);
	memset(name, 'a', sizeof(name) - 1);
	names_of(name);
}

/* --- callbacks ----------------------------------------------------------------------- */

/* Number of calls in a callback with a wrong result. */
static int wrong;

static void busy(int err, const char *what)
{
	if (err == -EBUSY && strstr(seen_error(client), "a callback cannot use"))
		return;
	printf("# %s: %d %s\n", what, err, seen_error(client));
	wrong++;
}

static void call_all(void)
{
	struct seen_guard_config config = guard_config();
	struct seen_guards *guard_list;
	struct seen_filters *filters;
	static char name[1000];

	memset(name, 'a', sizeof(name) - 1);
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++) {
		busy(named[i]("f"), "named");
		busy(named[i](name), "a long name");
	}
	for (size_t i = 0; i < sizeof(keyed) / sizeof(*keyed); i++) {
		busy(keyed[i]("f"), "keyed");
		busy(keyed[i](name), "a long name for keys");
	}
	keys.reserved[0] = 1;
	busy(send_keys("f"), "keys with something reserved");
	keys.reserved[0] = 0;
	config.reserved[0] = 1;
	busy(seen_guard_add(client, &config), "guard add");
	busy(seen_guard_replace(client, &config), "guard replace");
	busy(seen_guard_set(client, &config), "guard set");
	config.id.reserved[0] = 1;
	busy(seen_guard_del(client, &config.id), "guard del");
	busy(seen_guard_pause(client, &config.id, true), "guard pause");
	busy(seen_guard_reset(client, &config.id), "guard reset");
	busy(seen_filter_list(client, &filters), "filter list");
	busy(seen_guard_list(client, &guard_list), "guard list");
	busy(seen_listen(client), "listen");
}

static int end_with;

static int tell_key(const uint8_t *key, size_t len, void *context)
{
	(void)key;
	(void)len;
	(void)context;
	call_all();
	return end_with;
}

static int tell_event(const struct seen_event_info *event, void *context)
{
	(void)event;
	return tell_key(NULL, 0, context);
}

static void answer_key(struct nlmsghdr *request)
{
	struct nl_msg *msg = fake_begin(request, NLM_F_MULTI);
	struct nlattr *nest = nla_nest_start(msg, SEEN_A_KEY_ENTRY);

	nla_put(msg, SEEN_A_ENTRY_KEY, 4, "\1\2\3\4");
	nla_nest_end(msg, nest);
	fake_send(msg);
	fake_done(request, 0);
}

static int next_event(void)
{
	fake_send(fake_event(SEEN_CMD_FILTER_ADD_NTF));
	return seen_listen_next(client, tell_event, NULL);
}

static void callbacks(void)
{
	answer = answer_key;
	end_with = 0;
	snapshot = "/nowhere/at/all";
	ok(!seen_allow_list(client, "f", tell_key, NULL) && !wrong,
	   "each function returns the error that a callback uses its own client");
	ok(!*seen_error(client), "the outer call does not get this text");
	end_with = -ENOTEMPTY;
	failed_with(seen_allow_list(client, "f", tell_key, NULL), -ENOTEMPTY, "not empty",
		    "the outer call keeps the text of its own error");
	ok(access("f", F_OK) && !wrong, "no file is created");
	ok(!seen_listen(client), "the client listens to events");
	failed_with(next_event(), -ENOTEMPTY, "not empty",
		    "an event's callback returns an errno: it has a text");
	end_with = 7;
	ok(next_event() == 7 && !*seen_error(client),
	   "an event's callback returns another value: there is no text");
	end_with = 0;
	ok(!next_event() && !*seen_error(client) && !wrong,
	   "an event's callback returns 0: there is no text");
}

int main(void)
{
	begin();
	guards();
	guard_names();
	names();
	callbacks();
	return finish();
}
