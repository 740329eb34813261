// SPDX-License-Identifier: GPL-2.0
/*
 * datagrams ADDRESS...: until SIGTERM, sends UDP datagrams to each IPv4 or IPv6 address: to all
 * control ports, and to some other ports. Prints how many were sent to control ports.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <sys/socket.h>

#include "ports.h"

/* Datagrams in a system call; each call has the same number for control ports. */
#define BATCH	50

static struct mmsghdr batch[BATCH];
static struct sockaddr_in6 to[BATCH];

static void prepare(void)
{
	static uint8_t bytes[8];
	static struct iovec payload = { bytes, sizeof(bytes) };
	int i;

	for (i = 0; i < BATCH; i++) {
		batch[i].msg_hdr = (struct msghdr) {
			.msg_name = &to[i],
			.msg_namelen = sizeof(to[i]),
			.msg_iov = &payload,
			.msg_iovlen = 1,
		};
	}
}

/* An IPv4 address is mapped to IPv6, for the socket of IPv6. */
static void parse(const char *text, struct in6_addr *address)
{
	static const char mapped[] = "::ffff:";
	char long_text[INET6_ADDRSTRLEN + sizeof(mapped)];

	snprintf(long_text, sizeof(long_text), "%s%s",
		 strchr(text, ':') ? "" : mapped, text);
	if (inet_pton(AF_INET6, long_text, address) != 1)
		fatal(text);
}

/* Return: datagrams sent; fewer if memory is short or a device is down. */
static uint64_t send_batch(int fd, struct in6_addr address, uint16_t first)
{
	int i, sent;

	for (i = 0; i < BATCH; i++)
		to[i] = (struct sockaddr_in6) {
			.sin6_family = AF_INET6,
			.sin6_port = htons(first + i),
			.sin6_addr = address,
		};
	sent = sendmmsg(fd, batch, BATCH, 0);
	return sent > 0 ? sent : 0;
}

static uint64_t send_all(int fd, struct in6_addr address)
{
	uint64_t sent = 0;
	uint32_t at;

	for (at = 0; at < control_count() && !ended; at += BATCH)
		sent += send_batch(fd, address, CONTROL_FIRST + at);
	send_batch(fd, address,
		   NOISE_FIRST + random() % (NOISE_COUNT - BATCH));
	return sent;
}

int main(int argc, char **argv)
{
	int fd = socket(AF_INET6, SOCK_DGRAM, 0), i;
	struct in6_addr address;
	uint64_t sent = 0;

	if (fd < 0)
		fatal("socket");
	until_told();
	draw_anew(0);
	prepare();
	while (!ended) {
		for (i = 1; i < argc && !ended; i++) {
			parse(argv[i], &address);
			sent += send_all(fd, address);
			rest();
		}
		if (sent >= (uint64_t)(argc - 1) * control_count())
			passed();
	}
	printf("sent %ju\n", (uintmax_t)sent);
	return 0;
}
