// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "status.h"

/* Bytes of a host's name and a sentence. */
#define FAULT_ROOM	256

int status_open(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0 || strlen(path) >= sizeof(address.sun_path)) {
		errno = fd < 0 ? errno : ENAMETOOLONG;
		return -1;
	}
	strcpy(address.sun_path, path);
	unlink(path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || chmod(path, 0660) ||
	    listen(fd, 8)) {
		close(fd);
		return -1;
	}
	return fd;
}

static const char *const status_stages[] = {
	[AGGREGATOR_IDLE] = "idle", [AGGREGATOR_START] = "starting",
	[AGGREGATOR_SCAN] = "reading", [AGGREGATOR_RUN] = "running",
};

/* @before: "{" or ",". Names may have any printable character, and errors are of libraries. */
static void status_text(FILE *out, char before, const char *name, const char *text)
{
	fprintf(out, "%c\"%s\":\"", before, name);
	for (; *text; text++) {
		unsigned char c = *text;

		if (c < ' ' || c >= 0x7f)
			fprintf(out, "\\u%04x", c);
		else
			fprintf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
	}
	fputc('"', out);
}

/* Readers of JSON may have no more than 63 bits. */
static void status_number(FILE *out, char before, const char *name, uint64_t number)
{
	fprintf(out, "%c\"%s\":%" PRIu64, before, name,
		number > INT64_MAX ? (uint64_t)INT64_MAX : number);
}

static void status_bool(FILE *out, const char *name, bool value)
{
	fprintf(out, ",\"%s\":%s", name, value ? "true" : "false");
}

static void status_batches(FILE *out, const struct outbox *outbox)
{
	uint64_t counts[3] = { 0 };

	for (uint64_t i = outbox->dropped; i < outbox->added; i++)
		counts[outbox->batch[i % OUTBOX_BATCHES].state]++;
	status_number(out, ',', "unsent", counts[OUTBOX_UNSENT]);
	status_number(out, ',', "sent", counts[OUTBOX_SENT]);
	status_number(out, ',', "acknowledged", counts[OUTBOX_ACKED]);
}

/* Errors that last, in words. */
static void status_errors(FILE *out, const struct session *session)
{
	const char *error = session->engine->ops->error(session->engine);

	if (!session->member->online && *error)
		status_text(out, ',', "error", error);
	if (session->member->reader.stuck)
		status_text(out, ',', "filter_error",
			    session->store->ops->error(session->store));
}

/* All counters, for programs that collect them, and a sentence for each that is not 0. */
static void status_counts(FILE *out, const uint64_t counts[REASONS])
{
	char before = '{';

	fputs(",\"counts\":", out);
	for (size_t i = 1; i < REASONS; i++)
		status_number(out, i > 1 ? ',' : '{', reason_word(i), counts[i]);
	fputs("},\"texts\":", out);
	for (size_t i = 1; i < REASONS; i++) {
		if (!counts[i])
			continue;
		status_text(out, before, reason_word(i), reason_text(i));
		before = ',';
	}
	fputs(before == '{' ? "{}" : "}", out);
}

static void status_fault(FILE *out, size_t *count, const char *word, const char *host,
			 const char *text)
{
	char line[FAULT_ROOM];

	snprintf(line, sizeof(line), "%s%s%s", host, *host ? " " : "", text);
	if ((*count)++)
		fputc(',', out);
	status_text(out, '{', "what", word);
	if (*host)
		status_text(out, ',', "host", host);
	status_text(out, ',', "text", line);
	fputc('}', out);
}

/* Faults that last: hosts of the group differ, or a quota is used up. */
static void status_faults(FILE *out, const struct member *member)
{
	const struct group *group = member->group;
	size_t count = 0;

	fputs(",\"faults\":[", out);
	for (size_t i = 0; i < REASONS; i++)
		if (member_blames(member, i))
			status_fault(out, &count, reason_word(i),
				     group->peers[member->blames[i].peer].name,
				     blame_text(&member->blames[i], i));
	if (member_is_refused(member))
		status_fault(out, &count, reason_word(REASON_QUOTA), "",
			     "the aggregator refuses keys of this host: its rate, or its share of the capacity, is used up; raise rate, share or the capacity on all hosts");
	fputc(']', out);
}

static void status_hosts(FILE *out, const struct group *group)
{
	fputs(",\"hosts\":[", out);
	for (size_t i = 0; i < group->count; i++) {
		if (i)
			fputc(',', out);
		status_text(out, '{', "name", group->peers[i].name);
		status_bool(out, "publish", group->peers[i].publishes);
		status_bool(out, "aggregate", group->peers[i].aggregates);
		fputc('}', out);
	}
	fputc(']', out);
}

static void status_stream(FILE *out, const struct session *session)
{
	const struct member *member = session->member;
	const struct chain *chain = &session->state->chain;
	const struct group *group = member->group;
	uint64_t now = member_now(member);

	status_text(out, ',', "aggregator", status_stages[member->aggregator.stage]);
	status_number(out, ',', "epoch", chain->epoch);
	if (member->reader.time)
		status_number(out, ',', "age",
			      now > member->reader.time ? now - member->reader.time : 0);
	for (size_t i = 0; i < group->count; i++)
		if (group->peers[i].id == chain->leader)
			status_text(out, ',', "leader", group->peers[i].name);
	status_bool(out, "complete", member_is_complete(member));
}

static void status_group(FILE *out, const struct session *session)
{
	const struct member *member = session->member;
	const struct group *group = member->group;

	status_text(out, '{', "group", group->name);
	status_text(out, ',', "filter", session->config->filter);
	status_text(out, ',', "mode", group->each ? "each" : "union");
	status_text(out, ',', "host", group_me(group)->name);
	status_text(out, ',', "engine", session->config->engine.text);
	if (*session->config->replica.text)
		status_text(out, ',', "replica", session->config->replica.text);
	status_bool(out, "online", member->online);
	status_errors(out, session);
	status_stream(out, session);
	status_number(out, ',', "applied", member->reader.applied);
	status_batches(out, &session->state->outbox);
	status_number(out, ',', "forwarded", member->aggregator.forwarded);
	status_number(out, ',', "repeated", member->aggregator.dropped);
	status_faults(out, member);
	status_counts(out, member->counts);
	status_hosts(out, group);
	fputc('}', out);
}

/* A client that does not read may not stop the daemon: what does not fit the buffer is cut. */
static void status_send(int client, const char *text, size_t len)
{
	/* The kernel counts more than the bytes of the text; root may have any size. */
	int room = 2 * len + 0x10000;

	if (setsockopt(client, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)))
		setsockopt(client, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	if (send(client, text, len, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		errno = 0;
}

void status_answer(int fd, const struct session *sessions, size_t count)
{
	int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
	char *text = NULL;
	size_t len;
	FILE *out;

	if (client < 0)
		return;
	out = open_memstream(&text, &len);
	if (out) {
		fputs("{\"groups\":[", out);
		for (size_t i = 0; i < count; i++) {
			if (i)
				fputc(',', out);
			status_group(out, &sessions[i]);
		}
		fputs("]}\n", out);
		if (!fclose(out))
			status_send(client, text, len);
	}
	free(text);
	close(client);
}
