/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by helpers that send UDP from addresses of other hosts, and count what arrives. */
#ifndef UDP_H
#define UDP_H

#include <stddef.h>
#include <stdint.h>

#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/udp.h>

/* The discard port: the receiver's, and the first source port. */
#define UDP_PORT	9
/* Bytes of the headers of a packet, and of the largest payload, for udp4_send(). */
#define UDP4_HEADERS	(sizeof(struct iphdr) + sizeof(struct udphdr))
#define UDP4_LOAD_MAX	(1500 - UDP4_HEADERS)

/* netns_enter() - this process enters the network namespace of this name, or exits */
void netns_enter(const char *name);

/* udp_sender() - a raw socket in the current namespace; its packets bring their IP header */
int udp_sender(int family);

/* udp_receiver() - enter the namespace @netns, and receive UDP of both families there */
int udp_receiver(const char *netns);

/* udp_push() - send a packet that begins with its IP header; waits for room */
void udp_push(int fd, const void *packet, size_t len, const void *to, socklen_t to_len);

/* udp_header() - from @port to UDP_PORT, for @len bytes of payload, without a checksum */
struct udphdr udp_header(uint16_t port, size_t len);

/* udp4_send() - send @len bytes of payload from @port of @source (host byte order) */
void udp4_send(int fd, const struct sockaddr_in *to, uint32_t source, uint16_t port,
	       const void *load, size_t len);

#endif
