// SPDX-License-Identifier: GPL-2.0
/*
 * stream FILE CPU DEV: until it is killed, sends numbered broadcast frames on a
 * CPU as fast as it can. What receives them runs within the call that sends one:
 * whatever holds that up is a gap. FILE has the count and the longest gap.
 */
#include <errno.h>

#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/socket.h>

#include "meter.h"

static void measure(const struct meters *meters, struct meter *meter,
		    uint64_t gap, bool sent)
{
	uint32_t round = __atomic_load_n(&meters->round, __ATOMIC_ACQUIRE);

	if (meter->round != round || gap > meter->longest)
		__atomic_store_n(&meter->longest, gap, __ATOMIC_RELAXED);
	if (sent)
		__atomic_store_n(&meter->frames, meter->frames + 1,
				 __ATOMIC_RELAXED);
	__atomic_store_n(&meter->round, round, __ATOMIC_RELEASE);
}

int main(int argc, char **argv)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET };
	uint8_t frame[FRAME_BYTES];
	struct meters *meters;
	uint64_t last, at, n;
	uint32_t cpu;
	bool sent;
	int fd;

	if (argc != 4)
		fatal("usage: stream FILE CPU DEV");
	meters = meters_map(argv[1]);
	cpu = number(argv[2]);
	pin(cpu);
	fd = packet_socket();
	to.sll_ifindex = if_nametoindex(argv[3]);
	if (!to.sll_ifindex || cpu >= METER_CPUS)
		fatal(argv[3]);
	last = ns();
	for (n = (uint64_t)cpu << 48; ; n++) {
		frame_fill(frame, n);
		sent = sendto(fd, frame, sizeof(frame), 0, (void *)&to,
			      sizeof(to)) >= 0;
		if (!sent && errno != ENOBUFS)
			fatal("send");
		at = ns();
		measure(meters, &meters->of[cpu], at - last, sent);
		last = at;
	}
}
