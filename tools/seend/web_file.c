// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

#include "web_file.h"

/* Bytes before the message. */
#define PREFIX		4

static int web_fail(struct web *web, const char *what, const char *why)
{
	snprintf(web->error, sizeof(web->error), "%.4000s: %.4000s", what, why);
	return -1;
}

/* Name the groups that exist. */
static int web_no_group(struct web *web, const char *path, const char *name)
{
	const struct config *config = web->config;
	int used = snprintf(web->error, sizeof(web->error), "%.1000s: no group \"%.100s\"", path,
			    name);

	for (size_t i = 0; i < config->groups; i++)
		used += snprintf(web->error + used, sizeof(web->error) - used, "%s%s%s",
				 i ? ", " : " (", config->group[i].group.name,
				 i + 1 < config->groups ? "" : ")");
	return -1;
}

int web_open(struct web *web, const char *path, const char *name)
{
	struct timespec now;

	memset(web, 0, sizeof(*web));
	web->session.state_fd = -1;
	web->config = config_read(path, web->error);
	if (!web->config)
		return -1;
	for (size_t i = 0; i < web->config->groups; i++) {
		struct group_config *group = &web->config->group[i];

		if (strcmp(group->group.name, name))
			continue;
		/* The file has no publishers of keys. */
		group->group.deletes = false;
		if (session_open_alone(&web->session, web->config, group, web->error))
			return -1;
		clock_gettime(CLOCK_REALTIME, &now);
		web->session.member->mono = now.tv_sec * NS_PER_SEC + now.tv_nsec;
		return 0;
	}
	return web_no_group(web, path, name);
}

void web_close(struct web *web)
{
	session_close(&web->session);
	config_free(web->config);
}

size_t web_limit(struct web *web)
{
	struct store *store = web->session.store;
	struct store_info info;

	if (store->ops->info(store, STORE_OWN, &info))
		return 0;
	return frame_limit(web->session.member, &info) + MESSAGE_MOST;
}

/* Write a file under another name first, so that readers see the old or the new one. */
static int web_replace(struct web *web, const char *path, const uint8_t *head, size_t head_len,
		       const uint8_t *packed, size_t len)
{
	uint8_t prefix[PREFIX] = { head_len, head_len >> 8, head_len >> 16, head_len >> 24 };
	char temporary[PATH_MAX];
	FILE *file;
	int fd;

	snprintf(temporary, sizeof(temporary), "%.4000s.XXXXXX", path);
	fd = mkstemp(temporary);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file)
		return web_fail(web, temporary, strerror(errno));
	fwrite(prefix, 1, sizeof(prefix), file);
	fwrite(head, 1, head_len, file);
	fwrite(packed, 1, len, file);
	if (fflush(file) || ferror(file) || fchmod(fd, 0644) || fsync(fd) ||
	    rename(temporary, path)) {
		web_fail(web, path, strerror(errno));
		fclose(file);
		unlink(temporary);
		return -1;
	}
	fclose(file);
	return 0;
}

int web_write(struct web *web, const char *path)
{
	struct member *member = web->session.member;
	struct frame frame = { 0 };
	uint8_t *packed = NULL;
	size_t len;
	int failed;

	if (!group_me(member->group)->aggregates)
		return web_fail(web, member->group->name,
				"this host is no aggregator of the group");
	if (!frame_pack(member, &frame, &packed))
		return web_fail(web, member->group->name, member->store->ops->error(member->store));
	len = frame_sign(member, &frame);
	failed = web_replace(web, path, member->bytes, len, packed, frame.packed);
	free(packed);
	return failed;
}

/* Read and verify the head of a file. */
static enum reason web_head(struct member *member, const uint8_t *bytes, size_t len,
			    struct frame *frame, struct cursor *packed)
{
	struct message message;
	struct cursor body;
	enum reason reason;
	uint64_t head;

	*packed = (struct cursor) { bytes, len, false };
	head = get_number(packed, PREFIX);
	bytes = get_bytes(packed, head);
	if (!bytes)
		return REASON_SIZE;
	reason = message_read(member->group, bytes, head, member->plain, &message);
	if (reason || message.type != MESSAGE_FRAME)
		return reason ? reason : REASON_FORMAT;
	body = (struct cursor) { message.body, message.len, false };
	frame_get(&body, frame);
	return body.bad || frame->packed != packed->left ? REASON_BODY : REASON_NONE;
}

int web_load(struct web *web, uint8_t *bytes, size_t len, uint64_t *sequence)
{
	struct member *member = web->session.member;
	uint8_t hash[FRAME_HASH];
	struct store_info info;
	struct cursor packed;
	struct frame frame;
	enum reason reason = web_head(member, bytes, len, &frame, &packed);

	if (!reason && frame.id <= *sequence)
		return 0;
	if (!reason && member->store->ops->info(member->store, STORE_OWN, &info))
		reason = REASON_STORE;
	if (!reason)
		reason = frame_judge(member->group, &frame, &info);
	if (!reason && (frame.plain > frame_limit(member, &info) || !frame.packed))
		reason = REASON_SIZE;
	if (!reason) {
		crypto_generichash(hash, FRAME_HASH, packed.data, frame.packed, NULL, 0);
		if (memcmp(hash, frame.hash, FRAME_HASH) ||
		    !frame_unpack(member, &frame, bytes + (packed.data - bytes)))
			reason = REASON_FRAME_BYTES;
	}
	if (reason)
		return web_fail(web, member->group->name, reason_text(reason));
	*sequence = frame.id;
	return 1;
}
