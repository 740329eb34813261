// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/genetlink.h>

#include "nth.h"
#include "numbers.h"

struct nth_calls nth_calls;
/* File descriptor of this thread's counter; -1: not open yet. */
static int control = -1;
/* The number of allocations until one fails. */
static unsigned int left;
/* By command: the requests that were sent while a failure was armed. */
static struct {
	bool once;
	bool dump;
} asked[UINT8_MAX + 1];

const char *nth_control(void)
{
	const char *path = getenv("NTH_CONTROL");

	return path ? path : "/proc/thread-self/fail-nth";
}

void nth_onwards(bool all)
{
	const char *path = getenv("NTH_ONWARDS");
	FILE *file = path ? fopen(path, "w") : NULL;

	if (!file || fputs(all ? "Y" : "N", file) < 0 || fclose(file))
		fatal("NTH_ONWARDS");
}

static void put(unsigned int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", n);

	if (control < 0)
		control = open(nth_control(), O_RDWR | O_CLOEXEC);
	if (pwrite(control, text, len, 0) != len) {
		perror(nth_control());
		exit(2);
	}
}

static unsigned int get(void)
{
	char text[16] = "";

	if (pread(control, text, sizeof(text) - 1, 0) < 0) {
		perror(nth_control());
		exit(2);
	}
	return strtoul(text, NULL, 10);
}

void nth_arm(unsigned int n)
{
	left = n;
	memset(&nth_calls, 0, sizeof(nth_calls));
}

bool nth_disarm(void)
{
	bool failed = !left;

	left = 0;
	return failed;
}

void nth_begin(void)
{
	if (left)
		put(left);
}

void nth_end(void)
{
	int err = errno;

	if (left) {
		left = get();
		put(0);
	}
	errno = err;
}

static bool is_generic(int fd)
{
	socklen_t size = sizeof(int);
	int protocol;

	return !getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) &&
	       protocol == NETLINK_GENERIC;
}

static void note(int fd, const struct msghdr *msg)
{
	const struct nlmsghdr *nlh = msg->msg_iov[0].iov_base;
	const struct genlmsghdr *gnlh = NLMSG_DATA(nlh);

	if (!is_generic(fd) || nlh->nlmsg_type == GENL_ID_CTRL)
		return;
	if ((nlh->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP)
		asked[gnlh->cmd].dump = true;
	else
		asked[gnlh->cmd].once = true;
}

bool nth_asked(uint8_t cmd, bool dump)
{
	return dump ? asked[cmd].dump : asked[cmd].once;
}

ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
	ssize_t sent;

	if (left)
		note(fd, msg);
	nth_begin();
	sent = syscall(SYS_sendmsg, fd, msg, flags);
	nth_end();
	if (sent < 0)
		nth_calls.send_errno = errno;
	return sent;
}

/* A dump continues in recvmsg(). Memory for the received data is allocated before. */
ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	ssize_t got;
	size_t i;

	for (i = 0; left && i < msg->msg_iovlen; i++)
		memset(msg->msg_iov[i].iov_base, 0, msg->msg_iov[i].iov_len);
	nth_begin();
	got = syscall(SYS_recvmsg, fd, msg, flags);
	nth_end();
	if (got < 0 && errno != EAGAIN)
		nth_calls.recv_errno = errno;
	return got;
}
