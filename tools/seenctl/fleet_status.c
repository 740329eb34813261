// SPDX-License-Identifier: GPL-2.0
/* Read the status of seend. Nothing in the document is trusted: neither types nor lengths. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fleet_status.h"
#include "word.h"

/* Longest document, and longest wait for its next part. */
#define DOCUMENT_MAX	(64 << 20)
#define WAIT_SECONDS	5

/* Of a connection that failed. */
static int status_refused(const char *path, int err)
{
	switch (err) {
	case ENOENT:
	case ECONNREFUSED:
		return refused("no seend answers at %s; systemctl status seend says why", path);
	case EAGAIN:
		return refused("%s: seend did not answer within %d seconds", path, WAIT_SECONDS);
	case EACCES:
		return refused("%s: %s; only root may ask seend", path, strerror(err));
	default:
		return refused("%s: %s", path, strerror(err));
	}
}

/* Returns a descriptor or a negative errno. */
static int status_connect(const char *path)
{
	const struct timeval wait = { .tv_sec = WAIT_SECONDS };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd, err;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (!setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait)) &&
	    !setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)) &&
	    !connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

/* Read up to the end. Returns 0 or a negative errno; the caller frees @text. */
static int status_read(int fd, char **text, size_t *len)
{
	size_t room = 0;
	ssize_t got = 1;

	for (*len = 0; got > 0; *len += got) {
		if (*len == room) {
			char *more = room < DOCUMENT_MAX ? realloc(*text, room + 0x10000) : NULL;

			if (!more)
				return -ENOMEM;
			*text = more;
			room += 0x10000;
		}
		got = recv(fd, *text + *len, room - *len, 0);
		if (got < 0)
			return -errno;
	}
	return 0;
}

/* Copy a text without its control characters, among them those of two bytes in UTF-8. */
static void status_copy(char *to, size_t room, const char *from)
{
	size_t len = 0;

	for (; *from && len + 1 < room; from++) {
		const unsigned char *c = (const unsigned char *)from;
		bool wide = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;

		to[len++] = wide || *c < ' ' || *c == 0x7f ? '?' : *from;
		from += wide;
	}
	to[len] = '\0';
}

/* Functions that read a member return false if it has another type; @must: or does not exist. */

static bool member_text(const json_t *in, const char *name, char *to, size_t room, bool must)
{
	const json_t *member = json_object_get(in, name);

	*to = '\0';
	if (!json_is_string(member))
		return !member && !must;
	status_copy(to, room, json_string_value(member));
	return true;
}

static bool member_bool(const json_t *in, const char *name, bool *to)
{
	const json_t *member = json_object_get(in, name);

	*to = json_is_true(member);
	return json_is_boolean(member);
}

static bool value_number(const json_t *value, uint64_t *to)
{
	*to = json_integer_value(value);
	return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool member_number(const json_t *in, const char *name, uint64_t *to)
{
	return value_number(json_object_get(in, name), to);
}

static bool group_reasons(struct fleet_group *group, const json_t *in)
{
	json_t *counts = json_object_get(in, "counts");
	const json_t *texts = json_object_get(in, "texts");
	const char *word;
	json_t *value;

	if (!json_is_object(counts) || !json_is_object(texts))
		return false;
	group->reason = calloc(json_object_size(counts) + 1, sizeof(*group->reason));
	if (!group->reason)
		return false;
	json_object_foreach(counts, word, value) {
		struct fleet_reason *reason = &group->reason[group->reasons];

		if (!value_number(value, &reason->count))
			return false;
		if (!reason->count)
			continue;
		status_copy(reason->what, sizeof(reason->what), word);
		if (!member_text(texts, word, reason->text, sizeof(reason->text), true))
			return false;
		group->reasons++;
	}
	return true;
}

static bool group_faults(struct fleet_group *group, const json_t *in)
{
	const json_t *faults = json_object_get(in, "faults");

	if (!json_is_array(faults) || json_array_size(faults) > FLEET_FAULTS)
		return false;
	for (; group->faults < json_array_size(faults); group->faults++) {
		const json_t *item = json_array_get(faults, group->faults);
		struct fleet_fault *fault = &group->fault[group->faults];

		if (!member_text(item, "what", fault->what, sizeof(fault->what), true) ||
		    !member_text(item, "text", fault->text, sizeof(fault->text), true))
			return false;
		group->differs |= !!json_object_get(item, "host");
	}
	return true;
}

static int host_compare(const void *a, const void *b)
{
	const struct fleet_host *one = a, *other = b;

	return strcmp(one->name, other->name);
}

/* Is the group's own host one of its hosts? */
static bool group_has_host(const struct fleet_group *group)
{
	for (size_t i = 0; i < group->hosts; i++)
		if (!strcmp(group->host_list[i].name, group->host))
			return true;
	return false;
}

/* seend sorts the hosts by their keys. */
static bool group_hosts(struct fleet_group *group, const json_t *in)
{
	const json_t *hosts = json_object_get(in, "hosts");

	if (!json_is_array(hosts))
		return false;
	group->host_list = calloc(json_array_size(hosts) + 1, sizeof(*group->host_list));
	if (!group->host_list)
		return false;
	for (; group->hosts < json_array_size(hosts); group->hosts++) {
		struct fleet_host *host = &group->host_list[group->hosts];
		const json_t *item = json_array_get(hosts, group->hosts);

		if (!member_text(item, "name", host->name, sizeof(host->name), true) ||
		    !member_bool(item, "publish", &host->publishes) ||
		    !member_bool(item, "aggregate", &host->aggregates))
			return false;
	}
	qsort(group->host_list, group->hosts, sizeof(*group->host_list), host_compare);
	return group_has_host(group);
}

static bool group_texts(struct fleet_group *group, const json_t *in)
{
	char mode[FLEET_NAME];

	if (!member_text(in, "group", group->name, FLEET_NAME, true) ||
	    !member_text(in, "filter", group->filter, FLEET_NAME, true) ||
	    !member_text(in, "mode", mode, FLEET_NAME, true) ||
	    !member_text(in, "host", group->host, FLEET_NAME, true) ||
	    !member_text(in, "aggregator", group->stage, FLEET_NAME, true) ||
	    !member_text(in, "leader", group->leader, FLEET_NAME, false) ||
	    !member_text(in, "engine", group->engine, FLEET_TEXT, true) ||
	    !member_text(in, "replica", group->replica, FLEET_TEXT, false) ||
	    !member_text(in, "error", group->error, FLEET_TEXT, false) ||
	    !member_text(in, "filter_error", group->filter_error, FLEET_TEXT, false))
		return false;
	group->each = !strcmp(mode, "each");
	return group->each || !strcmp(mode, "union");
}

static bool group_read(struct fleet_group *group, const json_t *in)
{
	group->has_age = json_object_get(in, "age");
	return group_texts(group, in) && member_bool(in, "online", &group->online) &&
	       member_bool(in, "complete", &group->complete) &&
	       (!group->has_age || member_number(in, "age", &group->age)) &&
	       member_number(in, "epoch", &group->epoch) &&
	       member_number(in, "applied", &group->applied) &&
	       member_number(in, "unsent", &group->unsent) &&
	       member_number(in, "sent", &group->sent) &&
	       member_number(in, "acknowledged", &group->acknowledged) &&
	       member_number(in, "forwarded", &group->forwarded) &&
	       member_number(in, "repeated", &group->repeated) &&
	       group_faults(group, in) && group_reasons(group, in) && group_hosts(group, in);
}

static bool groups_read(struct fleet *fleet, const json_t *document)
{
	const json_t *groups = json_object_get(document, "groups");

	if (!json_is_array(groups))
		return false;
	fleet->group = calloc(json_array_size(groups) + 1, sizeof(*fleet->group));
	if (!fleet->group)
		return false;
	/* The count also has a group that cannot be read, for fleet_free(). */
	while (fleet->groups < json_array_size(groups)) {
		const json_t *item = json_array_get(groups, fleet->groups);

		if (!group_read(&fleet->group[fleet->groups++], item))
			return false;
	}
	return true;
}

static int status_parse(struct fleet *fleet, const char *path, const char *text, size_t len,
			bool quiet)
{
	json_t *document = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
	bool whole = document, good = groups_read(fleet, document);

	json_decref(document);
	if (good || quiet)
		return good ? DONE : REFUSED;
	return refused("%s: %s", path, whole ?
		       "the answer is no status of this version's seend; restart seend" :
		       "the answer is incomplete or no JSON");
}

int fleet_get(struct fleet *fleet, const char *path, bool quiet)
{
	int fd = status_connect(path), err;
	char *text = NULL;
	int status = DONE;
	size_t len;

	*fleet = (struct fleet) {};
	err = fd < 0 ? fd : status_read(fd, &text, &len);
	if (fd >= 0)
		close(fd);
	if (err)
		status = quiet ? REFUSED : status_refused(path, -err);
	else
		status = status_parse(fleet, path, text, len, quiet);
	free(text);
	return status;
}

void fleet_free(struct fleet *fleet)
{
	for (size_t i = 0; i < fleet->groups; i++) {
		free(fleet->group[i].reason);
		free(fleet->group[i].host_list);
	}
	free(fleet->group);
	*fleet = (struct fleet) {};
}

/* For word_hint(). */
static const char *group_name(size_t i, const void *in)
{
	const struct fleet *fleet = in;

	return i < fleet->groups ? fleet->group[i].name : NULL;
}

const struct fleet_group *fleet_find(const struct fleet *fleet, const char *name)
{
	char *hint;

	for (size_t i = 0; i < fleet->groups; i++)
		if (!strcmp(fleet->group[i].name, name))
			return &fleet->group[i];
	hint = word_hint(name, group_name, fleet);
	refused("seend has no group \"%s\"%s", name, hint ? hint : "");
	free(hint);
	return NULL;
}
