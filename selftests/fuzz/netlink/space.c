// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include <linux/netlink.h>
#include <sys/stat.h>
#include <unistd.h>

#include "numbers.h"
#include "space.h"
#include "talk.h"

#define OWN_CAP		"/proc/sys/net/seen/max_bytes"
#define TENANTS_CAP	"/sys/module/seen/parameters/tenants_max_bytes"

static int open_ns(const char *of, const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/ns/%s", of, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fatal(path);
	return fd;
}

static void enter(pid_t pid, const char *name, int type)
{
	char of[16];
	int fd;

	snprintf(of, sizeof(of), "%d", pid);
	fd = open_ns(of, name);
	if (setns(fd, type))
		fatal("setns");
	close(fd);
}

static bool is_tenant(pid_t pid)
{
	struct stat own, other;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/user", pid);
	if (stat("/proc/self/ns/user", &own) || stat(path, &other))
		fatal(path);
	return own.st_ino != other.st_ino;
}

void space_open(struct space *space, pid_t pid)
{
	int home = open_ns("self", "net");

	space->pid = pid;
	space->tenant = is_tenant(pid);
	enter(pid, "net", CLONE_NEWNET);
	space->fd = talk_open(NETLINK_GENERIC, 0);
	space->dump_fd = talk_open(NETLINK_GENERIC, 0);
	space->cap_fd = open(space->tenant ? TENANTS_CAP : OWN_CAP,
			     O_WRONLY | O_CLOEXEC);
	if (space->cap_fd < 0)
		fatal("the cap on memory");
	if (setns(home, CLONE_NEWNET))
		fatal("setns");
	close(home);
}

void space_enter(const struct space *space)
{
	if (space->tenant)
		enter(space->pid, "user", CLONE_NEWUSER);
	enter(space->pid, "net", CLONE_NEWNET);
}

void space_cap(const struct space *space, uint64_t bytes)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%ju", (uintmax_t)bytes);

	if (pwrite(space->cap_fd, text, len, 0) != len)
		fatal("the cap on memory");
}
