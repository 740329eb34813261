// SPDX-License-Identifier: GPL-2.0
/*
 * brim GROUP: in a memory cgroup (a folder) that has less and less left, page by page,
 * asks for a filter. Whatever of it no longer fits, it is refused, and nobody is killed
 * for it. Prints how often it was refused and how often made.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "numbers.h"

#define PAGES		160
#define PAGE_BYTES	4096
/* While the group is prepared; as much as it ever takes. */
#define PLENTY		"64M"

static int open_in(const char *group, const char *name, int flags)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", group, name);
	fd = open(path, flags);
	if (fd < 0)
		fatal(path);
	return fd;
}

static void put(int fd, const char *text)
{
	if (pwrite(fd, text, strlen(text), 0) < 0)
		fatal("write to the group");
}

static uint64_t get(int fd)
{
	char text[32] = "";

	if (pread(fd, text, sizeof(text) - 1, 0) <= 0)
		fatal("read from the group");
	return strtoull(text, NULL, 10);
}

/* The heaviest keys are kept beside the table. */
static int ask(struct seen_client *client)
{
	struct seen_filter_config config = {
		.name = "brim",
		.type = SEEN_TYPE_CMS,
		.capacity = 1000,
		.fpp = SEEN_FPP_ONE / 1000,
		.top = SEEN_TOP_MAX,
		.key.profile = SEEN_KEY_PROFILE_BYTES,
	};
	int err = seen_filter_add(client, &config);

	if (err && err != -ENOMEM)
		fatal(seen_error(client));
	if (!err && seen_filter_del(client, config.name, false))
		fatal(seen_error(client));
	return err;
}

int main(int argc, char **argv)
{
	struct seen_client *client = connect_seen();
	uint32_t made = 0, refused = 0;
	char text[32];
	int now, max;

	if (argc != 2)
		fatal("usage: brim GROUP");
	now = open_in(argv[1], "memory.current", O_RDONLY);
	max = open_in(argv[1], "memory.max", O_WRONLY);
	/* What this process itself needs is charged to another group. */
	if (ask(client) || mlockall(MCL_CURRENT | MCL_FUTURE))
		fatal("nothing works");
	put(max, PLENTY);
	put(open_in(argv[1], "cgroup.procs", O_WRONLY), "0");
	for (uint64_t pages = PAGES; pages--; ) {
		put(max, PLENTY);
		if (ask(client))
			fatal("there is plenty");
		snprintf(text, sizeof(text), "%ju",
			 (uintmax_t)get(now) + pages * PAGE_BYTES);
		put(max, text);
		if (ask(client))
			refused++;
		else
			made++;
	}
	put(max, PLENTY);
	printf("refused %u made %u\n", refused, made);
	return 0;
}
