// SPDX-License-Identifier: GPL-2.0
/*
 * memcg_refused GROUP: until SIGTERM, in a memory cgroup (a folder) with a limit of 64 MiB,
 * requests a filter that exceeds the limit and must be refused, and then a small one that must be
 * added. Prints how often.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <sys/mman.h>

#include "ports.h"

static void write_to(const char *group, const char *name, const char *value)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", group, name);
	file = fopen(path, "w");
	if (!file || fputs(value, file) < 0 || fclose(file))
		fatal(path);
}

int main(int argc, char **argv)
{
	struct seen_client *client = connect_seen();
	struct seen_filter_config config = {
		.name = "refused",
		.type = SEEN_TYPE_MAP,
		.key.profile = SEEN_KEY_PROFILE_BYTES,
	};
	uint64_t times;
	int err = 0;

	if (argc != 2)
		fatal("usage: memcg_refused GROUP");
	until_told();
	/* Lock all pages: a page fault while the group is full would make the OOM killer act. */
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		fatal("mlockall");
	write_to(argv[1], "memory.max", "64M");
	write_to(argv[1], "cgroup.procs", "0");
	for (times = 0; !ended && !err; times++) {
		config.capacity = 10000000;
		if (seen_filter_add(client, &config) != -ENOMEM)
			fatal("more memory than there is");
		config.capacity = 1000;
		do
			err = seen_filter_add(client, &config);
		while (err == -ENOMEM && !ended);
		if (err == -ENOMEM)
			err = 0;
		else if (!err)
			err = seen_filter_del(client, config.name, false);
		if (!ended)
			rest();
	}
	if (err)
		fprintf(stderr, "%s\n", seen_error(client));
	seen_close(client);
	printf("memcg_refused %ju\n", (uintmax_t)times);
	return err != 0;
}
