/* SPDX-License-Identifier: GPL-2.0 */
/* The network namespaces to which messages are sent, and the caps on their memory. */
#ifndef SPACE_H
#define SPACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The value of the sysctl that means: no cap. */
#define NO_CAP		0

/**
 * struct space - a namespace
 * @pid: a process in it
 * @tenant: it belongs to another user namespace
 * @fd: a generic netlink socket in it, for the audit
 * @dump_fd: another socket, for dumps
 * @cap_fd: its sysctl net.seen.max_bytes; all tenants share one cap
 * @cap: cap in bytes while messages are sent
 */
struct space {
	pid_t pid;
	bool tenant;
	int fd;
	int dump_fd;
	int cap_fd;
	uint64_t cap;
};

/* space_open() - open the sockets and the cap; the caller does not enter the namespace */
void space_open(struct space *space, pid_t pid);

/* space_enter() - move the calling process into it, as its user's root; cannot be undone */
void space_enter(const struct space *space);

/* space_cap() - set the cap that applies to the space */
void space_cap(const struct space *space, uint64_t bytes);

#endif
