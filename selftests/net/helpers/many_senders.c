// SPDX-License-Identifier: GPL-2.0
/*
 * many_senders RECEIVER ADDRESS4 ADDRESS6 [laps] STREAM...: sends UDP from many source
 * addresses, and counts the packets that reach the namespace RECEIVER. A stream is
 *
 *	NAME:NETNS,SOURCE[/LEN],COUNT,TIMES
 *
 * The namespace NETNS sends TIMES copies of a packet from each of COUNT sources: the
 * first is SOURCE, and each differs from the one before in the last bit of the first
 * LEN bits (all, unless given). The streams are interleaved evenly. Copies of one
 * packet follow each other, and go to ADDRESS4 or ADDRESS6. Another call with the same
 * stream at the same place sends the same packets again. With "laps" all streams are
 * repeated until SIGTERM.
 *
 * When all packets have arrived, prints a line for each stream: packets sent and
 * received, and the numbers of sources received never, once, more than once, and at
 * least once but less often than sent.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/ip6.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include "numbers.h"
#include "udp.h"

#define STREAMS		16
/* Packets of all streams together that are sent in a row. */
#define STEP		64
/* Of markers, one source each: 198.18.0.0 and on, for tests of networks. */
#define MARKERS		0xc6120000
#define MARKER		0xffffffff
#define MARKER_TRIES	100
#define MARKER_WAIT	100

/* The payload of a packet; network order. */
struct load {
	uint32_t stream;
	uint32_t index;
};

struct packet6 {
	struct ip6_hdr ip;
	struct udphdr udp;
	struct load load;
} __attribute__((packed));

struct stream {
	const char *name;
	int family;
	int fd;
	unsigned __int128 source;
	unsigned __int128 step;
	uint64_t count;
	uint64_t times;
	uint64_t sent;
	uint64_t received;
	uint32_t *from;		/* packets received, by source */
};

static struct stream streams[STREAMS];
static unsigned int stream_count;
static struct sockaddr_in to4 = { .sin_family = AF_INET };
static struct sockaddr_in6 to6 = { .sin6_family = AF_INET6 };
static int receiver;
static uint32_t marked;
static uint64_t laps;
static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

/* --- sending ----------------------------------------------------------------- */

static uint32_t sum(uint32_t start, const void *data, size_t len)
{
	const uint16_t *word = data;

	for (; len; len -= sizeof(*word))
		start += *word++;
	return start;
}

/* IPv6 has no packets without a checksum. */
static uint16_t checksum(const struct packet6 *packet)
{
	uint32_t total = htons(IPPROTO_UDP);

	total = sum(total, &packet->ip.ip6_src, 32);
	total = sum(total, &packet->udp.len, sizeof(packet->udp.len));
	total = sum(total, &packet->udp,
		    sizeof(packet->udp) + sizeof(packet->load));
	total = (total & 0xffff) + (total >> 16);
	total += total >> 16;
	return (uint16_t)~total ?: 0xffff;
}

static void send6(int fd, unsigned __int128 source, struct load load)
{
	struct packet6 packet = {
		.ip = {
			.ip6_flow = htonl(6 << 28),
			.ip6_plen = htons(sizeof(struct udphdr) +
					  sizeof(struct load)),
			.ip6_nxt = IPPROTO_UDP,
			.ip6_hlim = 64,
			.ip6_dst = to6.sin6_addr,
		},
		.udp = udp_header(UDP_PORT, sizeof(load)),
		.load = load,
	};
	int byte;

	for (byte = 15; byte >= 0; byte--, source >>= 8)
		packet.ip.ip6_src.s6_addr[byte] = source;
	packet.udp.check = checksum(&packet);
	udp_push(fd, &packet, sizeof(packet), &to6, sizeof(to6));
}

static void send_one(struct stream *stream, uint64_t index)
{
	unsigned __int128 source = stream->source + stream->step * index;
	struct load load = {
		.stream = htonl(stream - streams),
		.index = htonl(index),
	};

	if (stream->family == AF_INET)
		udp4_send(stream->fd, &to4, source, UDP_PORT, &load, sizeof(load));
	else
		send6(stream->fd, source, load);
	stream->sent++;
}

/* --- receiving --------------------------------------------------------------- */

static void note(struct load load)
{
	uint32_t number = ntohl(load.stream), index = ntohl(load.index);

	if (number == MARKER) {
		marked++;
		return;
	}
	if (number >= stream_count || index >= streams[number].count)
		fatal("a packet that nobody sent");
	streams[number].received++;
	streams[number].from[index]++;
}

static void receive(void)
{
	struct load load;
	ssize_t len;

	while ((len = recv(receiver, &load, sizeof(load), MSG_DONTWAIT)) >= 0)
		if (len == sizeof(load))
			note(load);
	if (errno != EAGAIN)
		fatal("receive");
}

/*
 * A CPU delivers its own packets in the order in which it sent them. So when a marker has
 * arrived, all earlier packets have. A marker may be dropped as a false positive.
 */
static void flush(int fd)
{
	struct load load = { .stream = htonl(MARKER) };
	struct pollfd wait = { .fd = receiver, .events = POLLIN };
	static uint32_t source = MARKERS;
	uint32_t before = marked;
	int try;

	for (try = 0; try < MARKER_TRIES && marked == before; try++) {
		udp4_send(fd, &to4, source++, UDP_PORT, &load, sizeof(load));
		poll(&wait, 1, MARKER_WAIT);
		receive();
	}
	if (marked == before)
		fatal("nothing arrives any more");
}

/* --- what to do --------------------------------------------------------------- */

static void lap(void)
{
	uint64_t total = 0, steps, step, packet, end;
	struct stream *stream;

	for (stream = streams; stream < streams + stream_count; stream++)
		total += stream->count * stream->times;
	steps = (total + STEP - 1) / STEP;
	for (step = 0; step < steps; step++) {
		for (stream = streams; stream < streams + stream_count;
		     stream++) {
			total = stream->count * stream->times;
			end = total * (step + 1) / steps;
			for (packet = total * step / steps; packet < end;
			     packet++)
				send_one(stream, packet / stream->times);
		}
		receive();
	}
	laps++;
}

static void report(const struct stream *stream)
{
	uint64_t none = 0, once = 0, more = 0, fewer = 0, i;

	for (i = 0; i < stream->count; i++) {
		none += stream->from[i] == 0;
		once += stream->from[i] == 1;
		more += stream->from[i] > 1;
		fewer += stream->from[i] &&
			 stream->from[i] < stream->times * laps;
	}
	printf("stream %s laps %ju sent %ju received %ju none %ju once %ju more %ju fewer %ju\n",
	       stream->name, (uintmax_t)laps, (uintmax_t)stream->sent,
	       (uintmax_t)stream->received, (uintmax_t)none, (uintmax_t)once,
	       (uintmax_t)more, (uintmax_t)fewer);
}

/* --- the command line --------------------------------------------------------- */

static void parse_source(struct stream *stream, char *text)
{
	char *length = strchr(text, '/');
	uint8_t bytes[16];
	int bits, i;

	if (length)
		*length++ = 0;
	stream->family = strchr(text, ':') ? AF_INET6 : AF_INET;
	bits = stream->family == AF_INET ? 32 : 128;
	if (inet_pton(stream->family, text, bytes) != 1)
		fatal(text);
	for (i = 0; i < bits / 8; i++)
		stream->source = stream->source << 8 | bytes[i];
	stream->step = (unsigned __int128)1 << (length ? bits - number(length) : 0);
}

static const char *next(char **text, const char *delimiters)
{
	const char *part = strsep(text, delimiters);

	if (!part)
		fatal("a stream is NAME:NETNS,SOURCE[/LEN],COUNT,TIMES");
	return part;
}

static void add_stream(char *text)
{
	struct stream *stream = &streams[stream_count++];
	const char *netns;
	char *source;

	if (stream_count > STREAMS)
		fatal("too many streams");
	stream->name = next(&text, ":");
	netns = next(&text, ",");
	source = (char *)next(&text, ",");
	stream->count = number(next(&text, ","));
	stream->times = number(next(&text, ","));
	parse_source(stream, source);
	stream->from = calloc(stream->count, sizeof(*stream->from));
	if (!stream->from)
		fatal("memory");
	netns_enter(netns);
	stream->fd = udp_sender(stream->family);
}

int main(int argc, char **argv)
{
	bool on = argc > 4 && !strcmp(argv[4], "laps");
	int i = on ? 5 : 4, last;

	if (i >= argc || inet_pton(AF_INET, argv[2], &to4.sin_addr) != 1 ||
	    inet_pton(AF_INET6, argv[3], &to6.sin6_addr) != 1)
		fatal("usage: many_senders RECEIVER ADDRESS4 ADDRESS6 [laps] STREAM...");
	signal(SIGTERM, end);
	pin(0);
	for (; i < argc; i++)
		add_stream(argv[i]);
	last = udp_sender(AF_INET);
	receiver = udp_receiver(argv[1]);
	do
		lap();
	while (on && !ended);
	flush(last);
	for (i = 0; i < (int)stream_count; i++)
		report(&streams[i]);
	return 0;
}
