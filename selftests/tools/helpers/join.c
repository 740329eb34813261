// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded: the program joins the memory cgroup SEEN_GROUP (a folder) once it has its own
 * memory. What it asks of the kernel is charged there, what it needs itself is not.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* More than the program will need of its stack. */
static void grow_stack(void)
{
	char deep[1 << 18];

	explicit_bzero(deep, sizeof(deep));
}

__attribute__((constructor)) static void join(void)
{
	const char *group = getenv("SEEN_GROUP");
	char path[256];
	int fd;

	if (!group)
		return;
	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	grow_stack();
	fd = open(path, O_WRONLY);
	if (fd < 0 || mlockall(MCL_CURRENT | MCL_FUTURE) ||
	    write(fd, "0", 1) != 1) {
		perror("join");
		exit(127);
	}
	close(fd);
}
