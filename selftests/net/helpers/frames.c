// SPDX-License-Identifier: GPL-2.0
/*
 * frames FIRST COUNT DEV...: for each device a process on its own CPU sends the same
 * COUNT numbered broadcast frames. The processes wait for each other every few frames,
 * so that they send at the same time. A device may be named more than once.
 */
#include <errno.h>
#include <stdlib.h>

#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include "numbers.h"

/* Frames between two meetings. */
#define STEP	32

static void send_all(int fd, struct sockaddr_ll *to, uint64_t first,
		     uint32_t count)
{
	uint8_t frame[FRAME_BYTES];
	uint32_t i;

	for (i = 0; i < count; i++) {
		frame_fill(frame, first + i);
		while (sendto(fd, frame, sizeof(frame), 0, (void *)to,
			      sizeof(*to)) < 0)
			if (errno != ENOBUFS)
				fatal("send");
	}
}

static void run(const char *dev, struct barrier *barrier, uint32_t parties,
		uint64_t first, uint64_t count)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET };
	int fd = packet_socket();
	uint32_t round;
	uint64_t sent;

	to.sll_ifindex = if_nametoindex(dev);
	if (!to.sll_ifindex)
		fatal(dev);
	for (sent = 0, round = 0; sent < count; sent += STEP, round++) {
		barrier_wait(barrier, parties, round);
		send_all(fd, &to, first + sent,
			 count - sent < STEP ? count - sent : STEP);
	}
	close(fd);
}

int main(int argc, char **argv)
{
	struct barrier *barrier = shared_alloc(sizeof(*barrier));
	int i;

	if (argc < 4)
		fatal("usage: frames FIRST COUNT DEV...");
	for (i = 3; i < argc; i++) {
		if (fork())
			continue;
		pin(i - 3);
		run(argv[i], barrier, argc - 3, number(argv[1]),
		    number(argv[2]));
		exit(0);
	}
	if (!reap(argc - 3))
		fatal("a process failed");
	return 0;
}
