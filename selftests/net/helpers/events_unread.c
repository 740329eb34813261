// SPDX-License-Identifier: GPL-2.0
/*
 * events_unread: listens to the events, reports that, and reads no event until it is killed.
 * Its socket has room for few events; the kernel counts the events that it drops.
 */
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/netlink.h>

#include "numbers.h"

int main(void)
{
	struct seen_client *client = connect_seen();
	int one = 1, fd;

	if (seen_listen(client))
		fatal(seen_error(client));
	fd = seen_listen_fd(client);
	/* The kernel makes the least that it allows of one byte. */
	if (setsockopt(fd, SOL_NETLINK, NETLINK_BROADCAST_ERROR, &one,
		       sizeof(one)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &one, sizeof(one)))
		fatal("setsockopt");
	printf("unread\n");
	fflush(stdout);
	for (;;)
		pause();
}
