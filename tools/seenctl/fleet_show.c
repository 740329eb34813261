// SPDX-License-Identifier: GPL-2.0
/* Print the groups of seend: those with a fault first, and the faults of each group first. */
#include <stdio.h>
#include <string.h>

#include "color.h"
#include "fleet.h"
#include "wrap.h"

/* An aggregator signs each second, and is replaced within four. */
#define SILENCE		UINT64_C(5000000000)
#define OWN_FAULTS	4
#define FAULTS		(FLEET_FAULTS + OWN_FAULTS)
#define FAULT_TEXT	(FLEET_TEXT + 64)

/**
 * struct fault - something that is wrong now
 * @what: word for JSON
 * @text: for people
 */
struct fault {
	const char *what;
	char text[FAULT_TEXT];
};

static void fault_engine(const struct fleet_group *group, char *text)
{
	snprintf(text, FAULT_TEXT, "the engine %s%s", *group->error ?
		 "does not answer: " : "has not answered yet", group->error);
}

static void fault_filter(const struct fleet_group *group, char *text)
{
	snprintf(text, FAULT_TEXT, "the filter cannot be used: %s", group->filter_error);
}

static void fault_silence(const struct fleet_group *group, char *text)
{
	char age[TEXT_LEN];

	if (group->has_age)
		snprintf(text, FAULT_TEXT, "no batch for %s: keys of other hosts do not arrive",
			 text_about(age, group->age));
	else
		snprintf(text, FAULT_TEXT, "no aggregator has sent a batch yet");
}

static void fault_gap(const struct fleet_group *group, char *text)
{
	(void)group;
	snprintf(text, FAULT_TEXT,
		 "keys of other hosts are missing until a keyframe is loaded");
}

/* Find the faults of a group; returns their number. */
static size_t group_faults(const struct fleet_group *group, struct fault fault[FAULTS])
{
	const struct {
		bool is;
		const char *what;
		void (*text)(const struct fleet_group *group, char *text);
	} known[OWN_FAULTS] = {
		{ !group->online, "offline", fault_engine },
		{ *group->filter_error, "filter", fault_filter },
		{ group->has_age ? group->age > SILENCE : group->online && !group->differs,
		  "silent",
		  fault_silence },
		{ group->has_age && !group->complete && !group->differs, "incomplete", fault_gap },
	};
	size_t count = 0;

	for (; count < group->faults; count++) {
		fault[count].what = group->fault[count].what;
		strcpy(fault[count].text, group->fault[count].text);
	}
	for (size_t i = 0; i < OWN_FAULTS; i++) {
		if (!known[i].is)
			continue;
		fault[count].what = known[i].what;
		known[i].text(group, fault[count++].text);
	}
	return count;
}

bool fleet_lacks_keys(const struct fleet_group *group)
{
	struct fault fault[FAULTS];

	/* A quota of this host holds back only its own keys. */
	return group_faults(group, fault) > (group->differs ? 0 : group->faults);
}

/* Begin a line of a group. */
static void row(enum color color, const char *label)
{
	wrap_next("    %s%-10s%s", COLORED(color, label));
}

static void tell_stream(const struct fleet_group *group)
{
	char age[TEXT_LEN];

	row(COLOR_NONE, "engine");
	/* Either of the two servers may have failed; the fault names it. */
	if (*group->replica)
		wrap_words("%s, replica %s: %s", group->engine, group->replica,
			   group->online ? "both answer" : "one does not answer");
	else
		wrap_words("%s %s", group->engine, group->online ? "answers" :
			   "does not answer");
	row(COLOR_NONE, "aggregator");
	if (*group->leader)
		wrap_words("%s%s%s", group->leader,
			   strcmp(group->leader, group->host) ? "" : " (this host)",
			   group->has_age ? "," : "");
	else
		wrap_words("none is known%s", group->has_age ? "," : "");
	if (group->has_age)
		wrap_words("last batch %s ago", text_about(age, group->age));
	if (group->forwarded || group->repeated)
		wrap_words("(this host sent %ju keys, and left out %ju repetitions)",
			   (uintmax_t)group->forwarded, (uintmax_t)group->repeated);
}

static void tell_keys(const struct fleet_group *group)
{
	row(COLOR_NONE, "keys");
	wrap_words("%s, %ju applied", group->complete ? "complete" : "not complete",
		   (uintmax_t)group->applied);
	row(COLOR_NONE, "batches");
	wrap_words("%ju not sent, %ju sent, %ju acknowledged", (uintmax_t)group->unsent,
		   (uintmax_t)group->sent, (uintmax_t)group->acknowledged);
}

static void tell_reasons(const struct fleet_group *group)
{
	for (size_t i = 0; i < group->reasons; i++) {
		const struct fleet_reason *reason = &group->reason[i];

		row(COLOR_NONE, "counted");
		wrap_words("%ju: %s", (uintmax_t)reason->count, reason->text);
	}
}

static void tell_hosts(const struct fleet_group *group)
{
	row(COLOR_NONE, "hosts");
	for (size_t i = 0; i < group->hosts; i++) {
		const struct fleet_host *host = &group->host_list[i];

		wrap_words("%s (%s%s%s)%s", host->name, host->publishes ? "publishes" : "",
			   host->publishes && host->aggregates ? ", " : "",
			   host->aggregates ? "aggregates" : host->publishes ? "" : "reads",
			   i + 1 < group->hosts ? "," : "");
	}
}

static void tell_group(const struct fleet_group *group, const struct fault *fault, size_t faults)
{
	wrap_begin("group %s%s%s", COLORED(COLOR_NAME, group->name));
	put("filter", "%s", group->filter);
	put("mode", group->each ? "each" : "union");
	put("host", "%s", group->host);
	for (size_t i = 0; i < faults; i++) {
		row(COLOR_BAD, "FAULT");
		wrap_words("%s", fault[i].text);
	}
	tell_stream(group);
	tell_keys(group);
	tell_reasons(group);
	tell_hosts(group);
	wrap_end();
}

static void json_faults(const struct fleet_group *group, const struct fault *fault, size_t faults)
{
	json_open("wrong", '[');
	for (size_t i = 0; i < faults; i++) {
		json_open(NULL, '{');
		json_text("what", fault[i].what);
		json_text("text", fault[i].text);
		json_close();
	}
	json_close();
	json_open("reasons", '[');
	for (size_t i = 0; i < group->reasons; i++) {
		json_open(NULL, '{');
		json_text("what", group->reason[i].what);
		json_number("count", group->reason[i].count);
		json_text("text", group->reason[i].text);
		json_close();
	}
	json_close();
}

static void json_hosts(const struct fleet_group *group)
{
	json_open("hosts", '[');
	for (size_t i = 0; i < group->hosts; i++) {
		json_open(NULL, '{');
		json_text("name", group->host_list[i].name);
		json_bool("publish", group->host_list[i].publishes);
		json_bool("aggregate", group->host_list[i].aggregates);
		json_close();
	}
	json_close();
}

static void json_group(const struct fleet_group *group, const struct fault *fault, size_t faults)
{
	json_open(NULL, '{');
	json_text("group", group->name);
	json_text("filter", group->filter);
	json_text("mode", group->each ? "each" : "union");
	json_text("host", group->host);
	json_text("engine", group->engine);
	if (*group->replica)
		json_text("replica", group->replica);
	json_bool("online", group->online);
	json_text("aggregator", group->stage);
	if (*group->leader)
		json_text("leader", group->leader);
	json_number("epoch", group->epoch);
	if (group->has_age)
		json_number("age", group->age);
	json_bool("complete", group->complete);
	json_number("applied", group->applied);
	json_number("unsent", group->unsent);
	json_number("sent", group->sent);
	json_number("acknowledged", group->acknowledged);
	json_number("forwarded", group->forwarded);
	json_number("repeated", group->repeated);
	json_faults(group, fault, faults);
	json_hosts(group);
	json_close();
}

/* @faulty: print the groups with faults; otherwise the other groups. */
static void show_some(const struct fleet *fleet, const struct fleet_group *only, bool faulty)
{
	for (size_t i = 0; i < fleet->groups; i++) {
		const struct fleet_group *group = &fleet->group[i];
		struct fault fault[FAULTS];
		size_t faults = group_faults(group, fault);

		if ((only && only != group) || !faults == faulty)
			continue;
		if (ctl.json)
			json_group(group, fault, faults);
		else
			tell_group(group, fault, faults);
	}
}

void fleet_tell(const struct fleet *fleet, const struct fleet_group *only)
{
	show_some(fleet, only, true);
	show_some(fleet, only, false);
}
