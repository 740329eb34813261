/* SPDX-License-Identifier: GPL-2.0 */
/* The network namespaces that the messages go to, and the caps on their memory. */
#ifndef SPACE_H
#define SPACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Nobody's cap. */
#define NO_CAP		0

/**
 * struct space - one of them
 * @pid: of a process that lives in it
 * @tenant: it belongs to another user namespace
 * @fd: a socket of generic netlink in it, of who audits
 * @dump_fd: another one, for dumps
 * @cap_fd: its sysctl net.seen.max_bytes; of tenants there is one for all of them
 * @cap: bytes while messages are sent
 */
struct space {
	pid_t pid;
	bool tenant;
	int fd;
	int dump_fd;
	int cap_fd;
	uint64_t cap;
};

/* space_open() - from outside; the caller stays where it is */
void space_open(struct space *space, pid_t pid);

/* space_enter() - the calling process, as that user's root; there is no way back */
void space_enter(const struct space *space);

/* space_cap() - set the cap that holds for the space */
void space_cap(const struct space *space, uint64_t bytes);

#endif
