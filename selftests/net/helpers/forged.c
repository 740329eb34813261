// SPDX-License-Identifier: GPL-2.0
/*
 * forged FORGER SENDER RECEIVER COUNT NODE SECRET {known|unknown} SEED: sends COUNT frames with
 * fuzzed and forged trails from FORGER, and between them broadcasts without a trail from SENDER,
 * and counts what arrives at RECEIVER. A host is NETNS:DEVICE. NODE and SECRET are those of a
 * guard; the forger signs with SECRET only if it is known. SEED chooses what is random.
 *
 * Prints pairs of a word and a number. The first three count the frames of SENDER: those sent,
 * those lost, and those that arrived more often than they were sent. The next three count the
 * frames of FORGER, which sends some of its frames twice. The last one counts the frames that
 * arrived with a changed payload.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/if_ether.h>
#include <netinet/ip.h>
#include <netpacket/packet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "numbers.h"
#include "trail.h"

/* For experiments (RFC 3692). */
#define PROTOCOL	253
#define FRAME_MAX	1514
/* Frames of the forger for each frame of the sender, and between two reads of the receiver. */
#define EACH		4
#define STEP		32
#define MARKER_TRIES	100
#define MARKER_WAIT	100
#define BUFFER		0x4000000

enum stream { GENUINE, FORGED, MARKER, STREAMS };

struct frame {
	struct ethhdr eth;
	struct iphdr ip;
	struct load {
		uint32_t stream;
		uint32_t number;
	} load;
	uint8_t rest[FRAME_MAX - sizeof(struct ethhdr) - sizeof(struct iphdr) -
		     sizeof(struct load)];
} __attribute__((packed));

static struct frame frame;
static int fds[STREAMS];
static int receiver;
static uint64_t counts[STREAMS];
/* Of each frame: how often it was sent, and arrived. */
static uint8_t *sent[STREAMS];
static uint8_t *came[STREAMS];
static uint64_t damaged;
static uint64_t state;

/* --- what is sent ------------------------------------------------------------- */

/* SplitMix64 (Steele, Lea, Flood, 2014). */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

static uint64_t random64(void)
{
	return mix(state += 0x9e3779b97f4a7c15ULL);
}

/* Bytes behind the load: mostly few, sometimes as many as leave no room for another trail. */
static size_t rest_len(enum stream stream, uint32_t number)
{
	uint64_t hash = mix((uint64_t)stream << 32 | number);

	return number % 16 ? hash % 100 : 1250 + hash % 100;
}

static uint8_t rest_byte(uint32_t number, size_t i)
{
	return number * 7 + i;
}

/* Returns the bytes of a frame without a trail. */
static size_t make_packet(enum stream stream, uint32_t number)
{
	size_t len = rest_len(stream, number), i;

	memset(&frame, 0, sizeof(frame));
	memset(frame.eth.h_dest, 0xff, ETH_ALEN);
	frame.eth.h_source[0] = 2;
	frame.eth.h_source[5] = stream;
	frame.eth.h_proto = htons(ETH_P_IP);
	frame.ip = (struct iphdr) {
		.version = 4,
		.ihl = 5,
		.ttl = 1,
		.id = htons(number),
		.protocol = PROTOCOL,
		.tot_len = htons(sizeof(frame.ip) + sizeof(frame.load) + len),
		.saddr = htonl(0x0a000001),
		.daddr = 0xffffffff,
	};
	frame.load = (struct load) { htonl(stream), htonl(number) };
	for (i = 0; i < len; i++)
		frame.rest[i] = rest_byte(number, i);
	return offsetof(struct frame, rest) + len;
}

static struct seen_trail random_trail(const struct seen_trail_domain *domain)
{
	struct seen_trail trail = {
		.nonce = random64(), .hops = random64(), .strike = random64() & 1,
	};
	int i;

	for (i = 0; i < (domain->wide ? 4 : 2); i++)
		trail.filter[i] = random64() | random64();
	return trail;
}

static void fill(struct seen_trail *trail)
{
	memset(trail->filter, 0xff, sizeof(trail->filter));
}

static void add_node(const struct seen_trail_domain *domain, struct seen_trail *trail,
		     uint64_t node)
{
	const struct seen_trail_member member = { .kind = SEEN_TRAIL_NODE, .id = node };
	struct seen_trail_bits bits = seen_trail_draw(domain, &member, trail->nonce);

	seen_trail_add(trail, &bits);
}

/* Returns the bytes with the trail. */
static size_t write_trail(const struct seen_trail_domain *domain,
			  const struct seen_trail *trail, size_t len, int wrong)
{
	size_t bytes = seen_trail_bytes(domain);
	uint8_t *all = (uint8_t *)&frame;

	seen_trail_write(domain, all, trail, len + bytes - ETH_HLEN + wrong, all + len);
	return len + bytes;
}

static size_t random_bytes(size_t len)
{
	size_t end = len + 1 + random64() % 64;
	uint8_t *all = (uint8_t *)&frame;

	for (; len < end; len++)
		all[len] = random64();
	return len;
}

static size_t pad(size_t len)
{
	return len < ETH_ZLEN && random64() & 1 ? ETH_ZLEN : len;
}

/* Returns the bytes of the frame, with the forged ones behind its packet. */
static size_t forge(struct seen_trail_domain domain, uint64_t node, uint64_t kind, size_t len)
{
	size_t packet = len = pad(len);
	struct seen_trail trail;
	uint64_t bit;

	if (!(random64() % 8))
		domain.wide = !domain.wide;
	if (!(random64() % 8))
		domain.sign = !domain.sign;
	trail = random_trail(&domain);
	switch (kind) {
	case 0:
		return random_bytes(len);
	case 1:
		return write_trail(&domain, &trail, len, 0);
	case 2:
		len = write_trail(&domain, &trail, len, 0);
		bit = random64() % (8 * (len - packet));
		((uint8_t *)&frame)[packet + bit / 8] ^= 1 << bit % 8;
		return len;
	case 3:
		fill(&trail);
		return write_trail(&domain, &trail, len, 0);
	case 4:
		fill(&trail);
		return write_trail(&domain, &trail, len, random64() % 9 - 4);
	case 5:
		add_node(&domain, &trail, node);
		return write_trail(&domain, &trail, len, 0);
	case 6:
		len = write_trail(&domain, &trail, len, 0);
		fill(&trail);
		return write_trail(&domain, &trail, len, 0);
	default:
		len = write_trail(&domain, &trail, random_bytes(len), 0);
		/* Without its first bytes, but with a suffix. */
		bit = random64() % (len - packet);
		memmove((uint8_t *)&frame + packet, (uint8_t *)&frame + packet + bit,
			len - packet - bit);
		return len - bit;
	}
}

static void push(enum stream stream, uint32_t number, size_t len)
{
	while (send(fds[stream], &frame, len, 0) < 0)
		if (errno != ENOBUFS)
			fatal("send");
	sent[stream][number]++;
}

/* --- what arrives ------------------------------------------------------------- */

static bool is_whole(const struct frame *got, size_t there, enum stream stream,
		     uint32_t number)
{
	size_t len = rest_len(stream, number), i;

	if (there < offsetof(struct frame, rest) + len ||
	    ntohs(got->ip.tot_len) != sizeof(got->ip) + sizeof(got->load) + len)
		return false;
	for (i = 0; i < len; i++)
		if (got->rest[i] != rest_byte(number, i))
			return false;
	return true;
}

static void note(const struct frame *got, size_t len)
{
	uint32_t stream = ntohl(got->load.stream), number = ntohl(got->load.number);

	if (len < offsetof(struct frame, rest) || got->eth.h_proto != htons(ETH_P_IP) ||
	    got->ip.protocol != PROTOCOL)
		return;
	if (stream >= STREAMS || number >= counts[stream])
		fatal("a frame that nobody sent");
	came[stream][number]++;
	damaged += !is_whole(got, len, stream, number);
}

static void receive(void)
{
	struct frame got;
	ssize_t len;

	while ((len = recv(receiver, &got, sizeof(got), MSG_DONTWAIT)) >= 0)
		note(&got, len);
	if (errno != EAGAIN)
		fatal("receive");
}

/* A CPU delivers its own frames in the order in which it sent them. */
static void flush(void)
{
	struct pollfd wait = { .fd = receiver, .events = POLLIN };
	int try;

	for (try = 0; try < MARKER_TRIES && !came[MARKER][0]; try++) {
		push(MARKER, 0, make_packet(MARKER, 0));
		poll(&wait, 1, MARKER_WAIT);
		receive();
	}
	if (!came[MARKER][0])
		fatal("nothing arrives any more");
}

static void report(const char *name, enum stream stream)
{
	uint64_t all = 0, arrived = 0, more = 0, i;

	for (i = 0; i < counts[stream]; i++) {
		all += sent[stream][i];
		arrived += came[stream][i];
		more += came[stream][i] > sent[stream][i];
	}
	printf("%s %ju %s-lost %ju %s-doubled %ju ", name, (uintmax_t)all, name,
	       (uintmax_t)(all - arrived), name, (uintmax_t)more);
}

/* --- the command line --------------------------------------------------------- */

static int open_host(char *text, int protocol)
{
	const char *netns = strsep(&text, ":");
	struct sockaddr_ll address = { .sll_family = AF_PACKET };
	char path[64];
	int fd;

	if (!text)
		fatal("a host is NETNS:DEVICE");
	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		fatal(path);
	close(fd);
	fd = socket(AF_PACKET, SOCK_RAW, 0);
	address.sll_ifindex = if_nametoindex(text);
	address.sll_protocol = htons(protocol);
	if (fd < 0 || bind(fd, (void *)&address, sizeof(address)))
		fatal(text);
	return fd;
}

static struct seen_trail_domain domain_of(const char *secret, bool known)
{
	struct seen_trail_domain domain = { .sign = !known };
	uint8_t bytes[16];
	int i;

	for (i = 0; i < 16; i++)
		if (sscanf(secret + 2 * i, "%2hhx", &bytes[i]) != 1)
			fatal("SECRET has 32 hex digits");
	bytes[0] ^= !known;
	seen_secret_set(&domain.secret, bytes);
	return domain;
}

int main(int argc, char **argv)
{
	struct seen_trail_domain domain;
	int buffer = BUFFER, stream;
	uint64_t i, kind, node;
	size_t len;

	if (argc != 9)
		fatal("usage: forged FORGER SENDER RECEIVER COUNT NODE SECRET {known|unknown} SEED");
	counts[FORGED] = number(argv[4]);
	counts[GENUINE] = counts[FORGED] / EACH;
	counts[MARKER] = 1;
	node = strtoull(argv[5], NULL, 16);
	domain = domain_of(argv[6], !strcmp(argv[7], "known"));
	state = number(argv[8]);
	pin(0);
	fds[FORGED] = open_host(argv[1], 0);
	fds[GENUINE] = open_host(argv[2], 0);
	fds[MARKER] = fds[GENUINE];
	receiver = open_host(argv[3], ETH_P_IP);
	if (setsockopt(receiver, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof(buffer)))
		fatal("buffer");
	for (stream = 0; stream < STREAMS; stream++) {
		sent[stream] = calloc(counts[stream], 1);
		came[stream] = calloc(counts[stream], 1);
		if (!sent[stream] || !came[stream])
			fatal("memory");
	}
	for (i = 0; i < counts[FORGED]; i++) {
		kind = random64() % 9;
		len = forge(domain, node, kind, make_packet(FORGED, i));
		push(FORGED, i, len);
		if (kind == 8)
			push(FORGED, i, len);
		if (i % EACH == 0 && i / EACH < counts[GENUINE])
			push(GENUINE, i / EACH, make_packet(GENUINE, i / EACH));
		if (i % STEP == 0)
			receive();
	}
	flush();
	report("genuine", GENUINE);
	report("forged", FORGED);
	printf("damaged %ju\n", (uintmax_t)damaged);
	return 0;
}
