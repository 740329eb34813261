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

static void status_batches(FILE *out, const struct outbox *outbox)
{
	uint64_t counts[3] = { 0 };

	for (uint64_t i = outbox->dropped; i < outbox->added; i++)
		counts[outbox->batch[i % OUTBOX_BATCHES].state]++;
	fprintf(out, ",\"unsent\":%" PRIu64 ",\"sent\":%" PRIu64 ",\"acknowledged\":%" PRIu64,
		counts[OUTBOX_UNSENT], counts[OUTBOX_SENT], counts[OUTBOX_ACKED]);
}

static void status_hosts(FILE *out, const struct group *group)
{
	fputs(",\"hosts\":[", out);
	for (size_t i = 0; i < group->count; i++)
		fprintf(out, "%s{\"name\":\"%s\",\"publish\":%s,\"aggregate\":%s}", i ? "," : "",
			group->peers[i].name, group->peers[i].publishes ? "true" : "false",
			group->peers[i].aggregates ? "true" : "false");
	fputs("]", out);
}

static void status_group(FILE *out, const struct session *session)
{
	const struct member *member = session->member;
	const struct chain *chain = &session->state->chain;
	const struct group *group = member->group;
	uint64_t now = member_now(member);

	fprintf(out, "{\"group\":\"%s\",\"filter\":\"%s\",\"mode\":\"%s\",\"host\":\"%s\"",
		group->name, session->config->filter, group->each ? "each" : "union",
		group_me(group)->name);
	fprintf(out, ",\"online\":%s,\"aggregator\":\"%s\",\"epoch\":%" PRIu64,
		member->online ? "true" : "false", status_stages[member->aggregator.stage],
		chain->epoch);
	if (member->reader.time)
		fprintf(out, ",\"age\":%" PRIu64,
			now > member->reader.time ? now - member->reader.time : 0);
	for (size_t i = 0; i < group->count; i++)
		if (group->peers[i].id == chain->leader)
			fprintf(out, ",\"leader\":\"%s\"", group->peers[i].name);
	fprintf(out, ",\"complete\":%s,\"applied\":%" PRIu64,
		chain_is_empty(chain) || chain->gap ? "false" : "true", member->reader.applied);
	status_batches(out, &session->state->outbox);
	fprintf(out, ",\"forwarded\":%" PRIu64 ",\"repeated\":%" PRIu64,
		member->aggregator.forwarded, member->aggregator.dropped);
	fputs(",\"counts\":{", out);
	for (size_t i = 1; i < REASONS; i++)
		fprintf(out, "%s\"%s\":%" PRIu64, i > 1 ? "," : "", reason_word(i),
			member->counts[i]);
	fputs("}", out);
	status_hosts(out, group);
	fputs("}", out);
}

void status_answer(int fd, const struct session *sessions, size_t count)
{
	int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
	int room = 0x400000;
	char *text = NULL;
	size_t len;
	FILE *out;

	if (client < 0)
		return;
	out = open_memstream(&text, &len);
	if (out) {
		fputs("{\"groups\":[", out);
		for (size_t i = 0; i < count; i++) {
			fputs(i ? "," : "", out);
			status_group(out, &sessions[i]);
		}
		fputs("]}\n", out);
		fclose(out);
		/* A client that does not read may not stop the daemon: what does not fit is cut. */
		if (setsockopt(client, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)))
			setsockopt(client, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
		if (send(client, text, len, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
			errno = 0;
	}
	free(text);
	close(client);
}
