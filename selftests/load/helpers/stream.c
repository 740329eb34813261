// SPDX-License-Identifier: GPL-2.0
/*
 * stream FILE CPU DEV: sends numbered broadcast frames on a CPU as fast as it can, until SIGTERM.
 * The receiver runs within the system call that sends a frame, so every delay of the receiver is
 * a gap. FILE has the number of frames (exact after the end), the longest gap, and the most
 * frames that other streams sent in a gap.
 */
#include <errno.h>
#include <signal.h>

#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/socket.h>

#include "meter.h"

static volatile sig_atomic_t ending;

static void end(int signal)
{
	(void)signal;
	ending = 1;
}

static void count(struct meter *meter)
{
	__atomic_store_n(&meter->frames, meter->frames + 1, __ATOMIC_RELAXED);
}

static uint64_t others(const struct meters *meters, uint32_t cpu)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < METER_CPUS; i++)
		if (i != cpu)
			sum += meter_frames(meters, i);
	return sum;
}

static void measure(const struct meters *meters, struct meter *meter,
		    uint64_t gap, uint64_t lead)
{
	uint32_t round = __atomic_load_n(&meters->round, __ATOMIC_ACQUIRE);
	bool anew = meter->round != round;

	/* A gap that began before the round does not count. */
	if (anew || gap > meter->longest)
		__atomic_store_n(&meter->longest, anew ? 0 : gap,
				 __ATOMIC_RELAXED);
	if (anew || lead > meter->lead)
		__atomic_store_n(&meter->lead, anew ? 0 : lead,
				 __ATOMIC_RELAXED);
	__atomic_store_n(&meter->round, round, __ATOMIC_RELEASE);
}

/* Return: false if the device's queue had no room for the frame. */
static bool send_frame(int fd, const struct sockaddr_ll *to, uint64_t n)
{
	uint8_t frame[FRAME_BYTES];

	frame_fill(frame, n);
	if (sendto(fd, frame, sizeof(frame), 0, (const void *)to,
		   sizeof(*to)) >= 0)
		return true;
	if (errno != ENOBUFS)
		fatal("send");
	return false;
}

static void stream(struct meters *meters, uint32_t cpu, int fd,
		   const struct sockaddr_ll *to)
{
	uint64_t passed = others(meters, cpu), others_now;
	struct meter *meter = &meters->of[cpu];
	uint64_t n = (uint64_t)cpu << 48 | meter->frames;
	uint64_t last = ns(), at;

	while (!ending) {
		/* Store the gap before the count: a reader that waits for frames then has both. */
		if (send_frame(fd, to, n++)) {
			at = ns();
			others_now = others(meters, cpu);
			measure(meters, meter, at - last, others_now - passed);
			count(meter);
			last = at;
			passed = others_now;
		}
	}
}

int main(int argc, char **argv)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET };
	struct meters *meters;
	uint32_t cpu;

	if (argc != 4)
		fatal("usage: stream FILE CPU DEV");
	meters = meters_map(argv[1]);
	cpu = number(argv[2]);
	pin(cpu);
	to.sll_ifindex = if_nametoindex(argv[3]);
	if (!to.sll_ifindex || cpu >= METER_CPUS)
		fatal(argv[3]);
	signal(SIGTERM, end);
	stream(meters, cpu, packet_socket(), &to);
	return 0;
}
