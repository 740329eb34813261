// SPDX-License-Identifier: GPL-2.0
/*
 * Which publishers of a group may have a key. Direction of error: "may be" is wrong at the
 * false-positive rate of a filter; "is not" is wrong only while keys of other hosts have not
 * arrived, which a note reports.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "key_bulk.h"

/**
 * struct ask_filter - the keys of one host; in mode union those of the group
 * @name: of the filter
 * @host: name of the host
 * @result: answers to the current request
 */
struct ask_filter {
	char name[SEEN_NAME_ROOM + FLEET_NAME];
	const char *host;
	uint8_t result[SEEN_KEYS_ROOM];
};

/**
 * struct ask - the filters of a group; key_bulk_how.context
 * @group: the group
 * @filters: elements of @filter
 * @filter: in the order of the hosts' names
 * @own: place of this host in @filter
 * @rate: the highest false-positive rate of a filter
 */
struct ask {
	const struct fleet_group *group;
	size_t filters;
	struct ask_filter *filter;
	size_t own;
	double rate;
};

/* This host's keys are in the filter itself, those of each other publisher in FILTER.HOST. */
static int ask_filters(struct ask *ask)
{
	const struct fleet_group *group = ask->group;

	ask->filter = calloc(group->hosts, sizeof(*ask->filter));
	if (!ask->filter)
		return no_memory();
	for (size_t i = 0; i < group->hosts; i++) {
		const struct fleet_host *host = &group->host_list[i];
		struct ask_filter *filter = &ask->filter[ask->filters];
		bool own = !strcmp(host->name, group->host);

		if (!own && !(group->each && host->publishes))
			continue;
		if (own)
			ask->own = ask->filters;
		snprintf(filter->name, sizeof(filter->name), "%s%s%s", group->filter,
			 own ? "" : ".", own ? "" : host->name);
		filter->host = host->name;
		ask->filters++;
	}
	return DONE;
}

static int ask_rates(struct ask *ask)
{
	struct seen_filter_info info;
	int status = DONE;
	double rate;

	for (size_t i = 0; !status && i < ask->filters; i++) {
		status = learn_filter(ask->filter[i].name, &info);
		rate = status ? 0 : filter_rate(&info);
		if (rate > ask->rate)
			ask->rate = rate;
	}
	return status;
}

/* The answer for all hosts. */
static uint8_t ask_answer(const struct ask *ask, uint32_t key)
{
	uint8_t answer = ask->filter[ask->own].result[key];

	for (size_t i = 0; i < ask->filters; i++) {
		uint8_t result = ask->filter[i].result[key];

		if (result == SEEN_KEY_RESULT_SEEN ||
		    (result == SEEN_KEY_RESULT_STALE && answer != SEEN_KEY_RESULT_SEEN))
			answer = result;
	}
	return answer;
}

/* key_bulk_how.send: send the same keys to each filter. */
static int ask_send(struct key_bulk *bulk)
{
	struct seen_keys *keys = &bulk->keys;
	struct ask *ask = bulk->how.context;

	for (size_t i = 0; i < ask->filters; i++) {
		struct ask_filter *filter = &ask->filter[i];
		int err = seen_keys_send(ctl.client, bulk->how.cmd, filter->name, false, keys);

		/* Keys that only some filters answered have no answer. */
		if (err && i)
			keys->done = 0;
		if (err)
			return err;
		memcpy(filter->result, keys->result, keys->done);
	}
	for (uint32_t i = 0; i < keys->done; i++)
		keys->result[i] = ask_answer(ask, i);
	return 0;
}

/* Print the hosts with this result, each after a separator. */
static void ask_hosts(const struct ask *ask, uint32_t key, uint8_t result, const char *before)
{
	const char *separator = before;

	for (size_t i = 0; i < ask->filters; i++) {
		if (ask->filter[i].result[key] != result)
			continue;
		printf("%s%s", separator, ask->filter[i].host);
		separator = ", ";
	}
}

static void ask_text(const struct ask *ask, uint32_t key, uint8_t answer)
{
	switch (answer) {
	case SEEN_KEY_RESULT_SEEN:
		if (ask->group->each)
			ask_hosts(ask, key, answer, " may be at ");
		else
			fputs(" may be in the group", stdout);
		break;
	case SEEN_KEY_RESULT_ALLOWED:
		fputs(" is allowed on this host, which does not look for it", stdout);
		break;
	case SEEN_KEY_RESULT_STALE:
		fputs(" is at no host that answered", stdout);
		break;
	default:
		fputs(ask->group->each ? " is at no publisher" : " is not in the group", stdout);
	}
	ask_hosts(ask, key, SEEN_KEY_RESULT_STALE, "; no answer, late sweep: ");
	putchar('\n');
}

static void ask_list(const struct ask *ask, uint32_t key, uint8_t result, const char *name)
{
	json_open(name, '[');
	for (size_t i = 0; i < ask->filters; i++)
		if (ask->filter[i].result[key] == result)
			json_text(NULL, ask->filter[i].host);
	json_close();
}

static void ask_json(const struct ask *ask, const char *text, uint32_t key, uint8_t answer)
{
	json_open(NULL, '{');
	json_text("key", text);
	json_text("answer", answer == SEEN_KEY_RESULT_STALE ? "unknown" :
		  seen_word(&seen_key_results, answer));
	json_bool("seen", answer == SEEN_KEY_RESULT_SEEN);
	if (ask->group->each) {
		ask_list(ask, key, SEEN_KEY_RESULT_SEEN, "hosts");
		ask_list(ask, key, SEEN_KEY_RESULT_STALE, "unknown");
	}
	json_close();
}

/* key_bulk_how.tell */
static void ask_tell(const struct key_bulk *bulk, uint32_t i)
{
	const char *text = bulk->text + bulk->at[i];
	const struct ask *ask = bulk->how.context;
	uint8_t answer = bulk->keys.result[i];

	if (ctl.json) {
		ask_json(ask, text, i, answer);
		return;
	}
	key_bulk_print(text);
	ask_text(ask, i, answer);
}

static int ask_group(const struct fleet_group *group, struct key_bulk_how *how,
		     const struct args *keys)
{
	struct ask ask = { .group = group };
	int status = ask_filters(&ask);

	how->context = &ask;
	/* No filter has a longer name. */
	snprintf(how->filter, sizeof(how->filter), "%.31s", group->filter);
	if (!status)
		status = ask_rates(&ask);
	if (!status && fleet_lacks_keys(group))
		advise("keys of other hosts may be missing here; see seenctl fleet show %s",
		       group->name);
	if (!status)
		status = keys_run(how, keys);
	if (status == DONE || status == NOT_SEEN)
		remark("\"may be\" is wrong for about %.2g of the keys that a host does not have",
		       ask.rate);
	free(ask.filter);
	return status;
}

int fleet_ask(struct args *args)
{
	struct key_bulk_how how = {
		.cmd = SEEN_CMD_KEY_TEST, .send = ask_send, .tell = ask_tell,
	};
	const char *path = FLEET_SOCKET, *name = args_next(args);
	const struct param params[] = {
		{ "--csv", read_csv, &how.csv },
		{ "--socket", read_socket, &path },
	};
	const struct fleet_group *group;
	struct fleet fleet = {};
	struct args keys;
	int status = name ? DONE : usage("GROUP: required (seenctl fleet show)");

	if (!status)
		status = params_first(args, params, ARRAY_SIZE(params), &keys);
	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (!status)
		status = keys_words(&how, &keys);
	if (!status)
		status = fleet_get(&fleet, path, false);
	if (!status) {
		group = fleet_find(&fleet, name);
		status = group ? ask_group(group, &how, &keys) : REFUSED;
	}
	fleet_free(&fleet);
	csv_close(how.csv);
	return status;
}
