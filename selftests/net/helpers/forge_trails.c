// SPDX-License-Identifier: GPL-2.0
/*
 * forge_trails FROM:DEV TO:DEV plain|signed COUNT SEED: sends COUNT broadcasts of IPv4 with a
 * forged or damaged trail in the namespace FROM, and after each four of them a genuine one
 * without a trail; receives them in the namespace TO. Each packet has a number, and its bytes
 * follow from the number.
 *
 * The kinds of trails:
 *
 *	random		0 to 64 random bytes
 *	short		the end of a trail, without its first bytes
 *	length		a trail with another length
 *	version		a trail with other flags: of another version, width or signature
 *	filter		a trail with a random filter
 *	strike		the same, with a strike
 *	ones		a trail with all bits of the filter set
 *	ended		the same, with a strike
 *	flipped		the last trail that arrived, with one to three bits flipped
 *	several		two or three trails, one behind the other
 *
 * A packet that comes twice, is changed, or was not sent is an error. When all packets have
 * arrived or are lost, prints the genuine packets sent and received, how many of these had a
 * trail, the forged ones sent and received, and of each kind the lost ones and, as of-KIND, the
 * sent ones.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <sys/socket.h>
#include <unistd.h>

#include "numbers.h"

/* Protocols that IANA leaves to experiments. */
#define FORGED		253
#define GENUINE		254
#define BATCH		64
/* Forged packets between two genuine ones. */
#define STEP		4
/* Milliseconds without a packet until the sender gives up. */
#define PATIENCE	20000

#define PADDED		60
#define FRAME_MAX	400
#define LOAD_MAX	100
#define FILTER		16
#define TAG		4
#define TAIL		8
#define TRAIL_MAX	(FILTER + TAG + TAIL)
/* In the tail. */
#define FLAGS_AT	2
#define LENGTH_AT	4
#define VERSION		0x10
#define FLAG_STRIKE	0x01
#define FLAG_SIGNED	0x02
#define FLAG_WIDE	0x04

enum kind {
	RANDOM, SHORT, LENGTH, OTHER_VERSION, ANY_FILTER, STRIKE, ONES, ENDED, FLIPPED, SEVERAL,
	KINDS,
};

static const char *const names[KINDS] = {
	"random", "short", "length", "version", "filter", "strike", "ones", "ended", "flipped",
	"several",
};

struct packet {
	struct ether_header eth;
	struct iphdr ip;
	uint32_t number;
	uint8_t load[LOAD_MAX];
} __attribute__((packed));

static bool is_signed;
static int sender, receiver;
static uint64_t state;
/* By number: 1: received. */
static uint8_t *got[2];
static uint64_t sent[2], received[2], trailed, lost[KINDS], kinds[KINDS];
static uint8_t *kind_of;
/* The end of the last genuine packet that arrived. */
static uint8_t last[TRAIL_MAX];

/* --- numbers ------------------------------------------------------------------ */

/* SplitMix64 of Steele, Lea and Flood. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

static uint64_t draw(void)
{
	return mix(state += 0x9e3779b97f4a7c15);
}

static uint32_t below(uint32_t limit)
{
	return draw() % limit;
}

static void fill(uint8_t *to, size_t len)
{
	for (; len; len--)
		*to++ = draw();
}

/* --- packets -------------------------------------------------------------------- */

static uint16_t ip_checksum(const void *ip)
{
	const uint16_t *word = ip;
	uint32_t total = 0, i;

	for (i = 0; i < sizeof(struct iphdr) / sizeof(*word); i++)
		total += word[i];
	total = (total & 0xffff) + (total >> 16);
	return ~(total + (total >> 16));
}

/* Return: bytes of the frame up to the end of its packet. */
static size_t make_packet(struct packet *packet, uint8_t proto, uint32_t number)
{
	size_t load = mix(number) % (LOAD_MAX + 1), i;

	*packet = (struct packet) {
		.eth = {
			/* The same of all: a signature is of the addresses, too. */
			.ether_shost = { 2, 0, 0, 0, 0, 1 },
			.ether_type = htons(ETHERTYPE_IP),
		},
		.ip = {
			.version = 4,
			.ihl = 5,
			.ttl = 64,
			.protocol = proto,
			.tot_len = htons(sizeof(struct iphdr) + sizeof(number) + load),
			.id = htons(number),
			.saddr = htonl(0x0a000000 + proto),
			.daddr = 0xffffffff,
		},
		.number = htonl(number),
	};
	memset(packet->eth.ether_dhost, 0xff, ETH_ALEN);
	packet->ip.check = ip_checksum(&packet->ip);
	for (i = 0; i < load; i++)
		packet->load[i] = mix(number + i);
	return offsetof(struct packet, load) + load;
}

static size_t trail_bytes(void)
{
	return FILTER + (is_signed ? TAG : 0) + TAIL;
}

/* A trail with a random filter that ends @length bytes behind the Ethernet header. */
static uint8_t *make_trail(uint8_t *end, uint32_t length, uint8_t flags)
{
	uint8_t *tail = end - TAIL;

	fill(end - trail_bytes(), trail_bytes());
	tail[FLAGS_AT] = VERSION | (is_signed ? FLAG_SIGNED : 0) | flags;
	tail[LENGTH_AT] = length;
	tail[LENGTH_AT + 1] = length >> 8;
	tail[TAIL - 2] = 0x88;
	tail[TAIL - 1] = 0xb6;
	return tail;
}

static void flip(uint8_t *trail)
{
	uint32_t bits = 8 * trail_bytes(), first = below(bits), times = 1 + below(3), i;

	/* Different bits. */
	for (i = 0; i < times; i++, first = (first + 1 + below(bits / 3)) % bits)
		trail[first / 8] ^= 1 << first % 8;
}

/* Return: bytes of the frame with something behind its packet. */
static size_t add_trail(uint8_t *frame, size_t len, enum kind kind)
{
	size_t bytes = trail_bytes(), times = kind == SEVERAL ? 2 + below(2) : 1, i;
	size_t end = len < PADDED ? PADDED : len;
	uint8_t *tail = NULL, flags = 0;

	if (kind == RANDOM) {
		bytes = below(65);
		fill(frame + len, bytes);
		return len + bytes < PADDED ? PADDED : len + bytes;
	}
	if (kind == STRIKE || kind == ENDED || (kind == SEVERAL && below(2)))
		flags = FLAG_STRIKE;
	if (kind == OTHER_VERSION)
		flags = 1 + below(255);
	for (i = 0; i < times; i++) {
		end += bytes;
		tail = make_trail(frame + end, end - ETH_HLEN, 0);
		tail[FLAGS_AT] ^= flags;
	}
	if (kind == OTHER_VERSION && !(flags & ~FLAG_STRIKE))
		tail[FLAGS_AT] ^= FLAG_WIDE;
	if (kind == LENGTH)
		tail[LENGTH_AT + below(2)] ^= 1 + below(255);
	if (kind == ONES || kind == ENDED)
		memset(frame + end - bytes, 0xff, FILTER);
	if (kind == FLIPPED) {
		memcpy(frame + end - bytes, last, bytes);
		frame[end - TAIL + LENGTH_AT] = (end - ETH_HLEN) & 0xff;
		frame[end - TAIL + LENGTH_AT + 1] = (end - ETH_HLEN) >> 8;
		flip(frame + end - bytes);
	}
	return end;
}

/*
 * Cut bytes out of the beginning of a trail, so that the whole trail would begin in the packet.
 * The packet must fill the frame, or its padding would be the beginning.
 */
static size_t add_short(uint8_t *frame, size_t len)
{
	size_t bytes = TAIL + below(trail_bytes() - TAIL), end = len + bytes;
	uint8_t trail[TRAIL_MAX];

	make_trail(trail + trail_bytes(), end - ETH_HLEN, FLAG_STRIKE);
	memset(trail, 0xff, FILTER);
	memcpy(frame + len, trail + trail_bytes() - bytes, bytes);
	return end;
}

static void push(const void *frame, size_t len)
{
	while (send(sender, frame, len, 0) < 0)
		if (errno != ENOBUFS)
			fatal("send");
}

static void send_forged(void)
{
	uint32_t number = sent[0]++;
	enum kind kind = below(KINDS);
	uint8_t frame[FRAME_MAX] = {};
	size_t len;

	len = make_packet((void *)frame, FORGED, number);
	/* A short trail is behind a packet of at least 60 bytes. */
	if (kind == SHORT && len < PADDED)
		kind = RANDOM;
	kind_of[number] = kind;
	kinds[kind]++;
	push(frame, kind == SHORT ? add_short(frame, len) : add_trail(frame, len, kind));
}

static void send_genuine(void)
{
	uint8_t frame[FRAME_MAX] = {};
	size_t len = make_packet((void *)frame, GENUINE, sent[1]++);

	push(frame, len < PADDED ? PADDED : len);
}

/* --- receiving -------------------------------------------------------------------- */

static void note(const uint8_t *frame, size_t len)
{
	const struct packet *packet = (const void *)frame;
	struct packet want;
	size_t want_len;
	uint32_t number;
	bool genuine;

	if (len < PADDED || packet->eth.ether_type != htons(ETHERTYPE_IP) ||
	    (packet->ip.protocol != FORGED && packet->ip.protocol != GENUINE))
		return;
	genuine = packet->ip.protocol == GENUINE;
	number = ntohl(packet->number);
	if (number >= sent[genuine])
		fatal("a packet that nobody sent");
	if (got[genuine][number]++)
		fatal(genuine ? "a genuine packet came twice" : "a forged packet came twice");
	want_len = make_packet(&want, packet->ip.protocol, number);
	if (len < want_len || memcmp(frame, &want, want_len))
		fatal(genuine ? "a genuine packet was changed" : "a forged packet was changed");
	received[genuine]++;
	if (!genuine)
		return;
	want_len = want_len < PADDED ? PADDED : want_len;
	if (len != want_len + trail_bytes())
		return;
	trailed++;
	memcpy(last, frame + len - trail_bytes(), trail_bytes());
}

static void receive(void)
{
	struct sockaddr_ll from;
	socklen_t from_len = sizeof(from);
	uint8_t frame[2 * FRAME_MAX];
	ssize_t len;

	while ((len = recvfrom(receiver, frame, sizeof(frame), MSG_DONTWAIT, (void *)&from,
			       &from_len)) >= 0)
		if (from.sll_pkttype != PACKET_OUTGOING)
			note(frame, len);
	if (errno != EAGAIN)
		fatal("receive");
}

/* The last packet of a batch is genuine. When it has arrived, earlier ones have, or are lost. */
static void flush(void)
{
	struct pollfd wait = { .fd = receiver, .events = POLLIN };

	for (receive(); !got[1][sent[1] - 1]; receive())
		if (poll(&wait, 1, PATIENCE) < 1)
			fatal("a genuine packet was lost");
}

static void count_lost(void)
{
	uint64_t i;

	for (i = 0; i < sent[0]; i++)
		lost[kind_of[i]] += !got[0][i];
}

/* --- what to do --------------------------------------------------------------------- */

/* A raw socket at NETNS:DEV. */
static int open_socket(char *where, uint16_t protocol)
{
	struct sockaddr_ll at = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(protocol),
	};
	char *dev = strchr(where, ':'), path[64];
	int fd, space, room = 1 << 25;

	if (!dev)
		fatal("a place is NETNS:DEV");
	*dev++ = 0;
	snprintf(path, sizeof(path), "/run/netns/%s", where);
	space = open(path, O_RDONLY | O_CLOEXEC);
	if (space < 0 || setns(space, CLONE_NEWNET))
		fatal(path);
	close(space);
	at.sll_ifindex = if_nametoindex(dev);
	fd = socket(AF_PACKET, SOCK_RAW, 0);
	if (!at.sll_ifindex || fd < 0 || bind(fd, (void *)&at, sizeof(at)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)))
		fatal(dev);
	return fd;
}

int main(int argc, char **argv)
{
	uint64_t count, i;

	if (argc != 6)
		fatal("usage: forge_trails FROM:DEV TO:DEV plain|signed COUNT SEED");
	pin(0);
	receiver = open_socket(argv[2], ETH_P_ALL);
	sender = open_socket(argv[1], 0);
	is_signed = !strcmp(argv[3], "signed");
	count = number(argv[4]);
	state = number(argv[5]);
	got[0] = calloc(count, 1);
	kind_of = calloc(count, 1);
	got[1] = calloc(count / STEP + 2, 1);
	if (!got[0] || !got[1] || !kind_of)
		fatal("memory");
	send_genuine();
	flush();
	for (i = 1; i <= count; i++) {
		send_forged();
		if (i % STEP == 0)
			send_genuine();
		if (i % BATCH == 0)
			flush();
	}
	send_genuine();
	flush();
	count_lost();
	printf("sent %ju received %ju trailed %ju forged %ju arrived %ju", (uintmax_t)sent[1],
	       (uintmax_t)received[1], (uintmax_t)trailed, (uintmax_t)sent[0],
	       (uintmax_t)received[0]);
	for (i = 0; i < KINDS; i++)
		printf(" %s %ju of-%s %ju", names[i], (uintmax_t)lost[i], names[i],
		       (uintmax_t)kinds[i]);
	putchar('\n');
	return 0;
}
