// SPDX-License-Identifier: GPL-2.0
/*
 * memcg_exhaust GROUP: requests a filter in a memory cgroup (a folder) whose limit gets lower
 * page by page. If any part of the filter does not fit, the request must be refused, and no
 * process may be killed. Prints how often the filter was refused and how often added.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "numbers.h"

/* The first limit, in pages: more than a filter needs, plus the charge that CPUs cache. */
#define PAGES		256
#define PAGE_BYTES	4096
/* At least so much of a filter's memory is uncharged when the filter has been freed. */
#define BACK		(40 * PAGE_BYTES)
/* The limit while the group is prepared: far more than is needed. */
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

static void delete(struct seen_client *client, const char *name, int now)
{
	uint64_t full = get(now);

	if (seen_filter_del(client, name, false))
		fatal(seen_error(client));
	/* The filter is freed after a grace period. */
	while (get(now) + BACK > full)
		usleep(1000);
}

/* A sketch: its list of the heaviest keys is a second allocation. @now: memory.current */
static int ask(struct seen_client *client, int now)
{
	struct seen_filter_config config = {
		.name = "exhaust",
		.type = SEEN_TYPE_CMS,
		.capacity = 1000,
		.fpp = SEEN_FPP_ONE / 1000,
		.top = SEEN_TOP_MAX,
		.key.profile = SEEN_KEY_PROFILE_BYTES,
	};
	int err = seen_filter_add(client, &config);

	if (err && err != -ENOMEM)
		fatal(seen_error(client));
	if (!err)
		delete(client, config.name, now);
	return err;
}

int main(int argc, char **argv)
{
	struct seen_client *client = connect_seen();
	uint32_t made = 0, refused = 0;
	char text[32];
	int now, max;

	if (argc != 2)
		fatal("usage: memcg_exhaust GROUP");
	now = open_in(argv[1], "memory.current", O_RDONLY);
	max = open_in(argv[1], "memory.max", O_WRONLY);
	/* Allocate this process's memory now, outside of the group. */
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		fatal("mlockall");
	pin(0);
	put(max, PLENTY);
	put(open_in(argv[1], "cgroup.procs", O_WRONLY), "0");
	if (ask(client, now))
		fatal("there is plenty");
	for (uint64_t pages = PAGES; pages--; ) {
		snprintf(text, sizeof(text), "%ju",
			 (uintmax_t)get(now) + pages * PAGE_BYTES);
		put(max, text);
		if (ask(client, now))
			refused++;
		else
			made++;
	}
	put(max, PLENTY);
	printf("refused %u made %u\n", refused, made);
	return 0;
}
