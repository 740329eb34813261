// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include <sys/socket.h>
#include <unistd.h>

#include "numbers.h"
#include "udp.h"

struct packet4 {
	struct iphdr ip;
	struct udphdr udp;
	uint8_t load[UDP4_LOAD_MAX];
} __attribute__((packed));

void netns_enter(const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		fatal(path);
	close(fd);
}

int udp_sender(int family)
{
	int fd = socket(family, SOCK_RAW, IPPROTO_RAW);

	if (fd < 0)
		fatal("raw socket");
	return fd;
}

int udp_receiver(const char *netns)
{
	struct sockaddr_in6 any = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(UDP_PORT),
	};
	int bytes = 1 << 26, fd;

	netns_enter(netns);
	fd = socket(AF_INET6, SOCK_DGRAM, 0);
	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)) ||
	    bind(fd, (void *)&any, sizeof(any)))
		fatal("receiver");
	return fd;
}

void udp_push(int fd, const void *packet, size_t len, const void *to, socklen_t to_len)
{
	while (sendto(fd, packet, len, 0, to, to_len) < 0)
		if (errno != ENOBUFS)
			fatal("send");
}

struct udphdr udp_header(uint16_t port, size_t len)
{
	return (struct udphdr) {
		.source = htons(port),
		.dest = htons(UDP_PORT),
		.len = htons(sizeof(struct udphdr) + len),
	};
}

void udp4_send(int fd, const struct sockaddr_in *to, uint32_t source, uint16_t port,
	       const void *load, size_t len)
{
	struct packet4 packet;

	if (len > sizeof(packet.load))
		fatal("payload too large");
	packet.ip = (struct iphdr) {
		.version = 4,
		.ihl = 5,
		.ttl = 64,
		.protocol = IPPROTO_UDP,
		/* One that the kernel leaves as it is. */
		.id = htons(1),
		.saddr = htonl(source),
		.daddr = to->sin_addr.s_addr,
	};
	packet.udp = udp_header(port, len);
	memcpy(packet.load, load, len);
	udp_push(fd, &packet, UDP4_HEADERS + len, to, sizeof(*to));
}
