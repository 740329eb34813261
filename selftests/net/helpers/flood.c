// SPDX-License-Identifier: GPL-2.0
/*
 * flood PREFIX: sends numbered broadcast frames, each twice, on every device whose name
 * begins with PREFIX, until SIGTERM. Devices may be added and deleted meanwhile.
 * It sleeps at least half of the time, because the receiver runs on the same CPU.
 * Prints how many frames were sent.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/socket.h>

#include "numbers.h"

/* Frames on a device until the devices are looked up again. */
#define STEP	8

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

/* A device that is down or deleted takes no frame; send_round() looks up all devices again. */
static uint64_t send_step(int fd, unsigned int ifindex, uint64_t first)
{
	struct sockaddr_ll to = {
		.sll_family = AF_PACKET,
		.sll_ifindex = ifindex,
	};
	uint8_t frame[FRAME_BYTES];
	uint64_t sent = 0;
	int i;

	for (i = 0; i < STEP; i++) {
		frame_fill(frame, first + i / 2);
		if (sendto(fd, frame, sizeof(frame), 0, (void *)&to,
			   sizeof(to)) > 0)
			sent++;
		else if (errno != ENOBUFS)
			break;
	}
	return sent;
}

static uint64_t send_round(int fd, const char *prefix, uint64_t first)
{
	struct if_nameindex *devices = if_nameindex(), *dev;
	uint64_t sent = 0;

	if (!devices)
		fatal("if_nameindex");
	for (dev = devices; dev->if_index && !ended; dev++)
		if (!strncmp(dev->if_name, prefix, strlen(prefix)))
			sent += send_step(fd, dev->if_index, first);
	if_freenameindex(devices);
	return sent;
}

int main(int argc, char **argv)
{
	uint64_t sent = 0, first = 0;
	double begun;
	int fd;

	if (argc != 2)
		fatal("usage: flood PREFIX");
	signal(SIGTERM, end);
	fd = packet_socket();
	for (; !ended; first += STEP) {
		begun = now();
		sent += send_round(fd, argv[1], first);
		rest_for(now() - begun);
		rest();
	}
	printf("sent %ju\n", (uintmax_t)sent);
	return 0;
}
