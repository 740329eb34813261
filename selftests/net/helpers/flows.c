// SPDX-License-Identifier: GPL-2.0
/*
 * flows FROM TO ADDRESS SECONDS GROUP...: sends flows of UDP from the namespace FROM to ADDRESS,
 * and measures how they arrive in the namespace TO. A group of flows is
 *
 *	NAME:SOURCE,COUNT,RATE,BYTES[,PORTS]
 *
 * Each of COUNT flows has an IPv4 address of its own, the first one SOURCE, and sends RATE packets
 * a second, of BYTES with the IP header, from PORTS ports in turn (one, unless given). A slow
 * machine sends the same packets more slowly: each flow sends exactly RATE * SECONDS.
 *
 * Then each flow of the first group sends a last packet, again and again until one arrives. One CPU
 * sends, forwards and receives all packets, so none overtakes another one between the queues. If
 * each queue keeps the order of a flow, its other packets have arrived by then, or are lost.
 *
 * Prints a line for each group: packets sent, with the last ones; packets received, without them;
 * the median and the 99th percentile of their delay in microseconds; the rate at which they
 * arrived while packets were sent, in kbit/s with the IP header; and the milliseconds for which
 * packets were sent, which are more than SECONDS on a slow machine.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "numbers.h"
#include "udp.h"

#define GROUPS		4
#define SECOND		1000000000ULL
/* A pause of the machine counts as this long, so that no burst follows it. */
#define STEP		(SECOND / 100)
#define LAST_EVERY	(SECOND / 10)
#define LAST_TRIES	600

/* The payload of a packet begins with this. */
struct load {
	uint32_t group;
	uint32_t flow;
	uint64_t last;
	uint64_t sent_at;
};

/* The payload of the largest packet. */
struct payload {
	struct load load;
	uint8_t rest[UDP4_LOAD_MAX - sizeof(struct load)];
};

struct group {
	const char *name;
	uint32_t source;
	uint64_t count;
	uint64_t rate;
	uint64_t bytes;
	uint64_t ports;
	uint64_t total;		/* packets to send, without the last ones */
	uint64_t done;		/* packets sent, without the last ones */
	uint64_t sent;
	uint64_t received;
	uint64_t in_time;	/* received before all was sent */
	uint32_t *delay;	/* of each received packet */
	uint8_t *ended;		/* flows whose last packet has arrived */
};

static struct group groups[GROUPS];
static unsigned int group_count;
static struct sockaddr_in to = { .sin_family = AF_INET };
static int sender, receiver;
static uint64_t begun, all_sent = UINT64_MAX;

static uint64_t time_of(clockid_t clock)
{
	struct timespec at;

	clock_gettime(clock, &at);
	return at.tv_sec * SECOND + at.tv_nsec;
}

/* --- sending ----------------------------------------------------------------- */

static void send_one(struct group *group, uint64_t flow, uint64_t port, bool last)
{
	struct payload payload = {
		.load = {
			.group = group - groups,
			.flow = flow,
			.last = last,
			.sent_at = time_of(CLOCK_REALTIME),
		},
	};

	udp4_send(sender, &to, group->source + flow, UDP_PORT + port, &payload,
		  group->bytes - UDP4_HEADERS);
	group->sent++;
}

/* Sends all packets that are due at the time @played. Returns true if there are later ones. */
static bool send_due(struct group *group, uint64_t played)
{
	uint64_t due = played * group->rate * group->count / SECOND;

	for (; group->done < group->total && group->done < due; group->done++)
		send_one(group, group->done % group->count,
			 group->done / group->count % group->ports, false);
	return group->done < group->total;
}

/* --- receiving --------------------------------------------------------------- */

static void note(const struct load *load, uint64_t at)
{
	struct group *group = groups + load->group;

	if (load->group >= group_count || load->flow >= group->count)
		fatal("a packet that nobody sent");
	if (load->last) {
		group->ended[load->flow] = true;
		return;
	}
	if (group->received == group->total)
		fatal("a packet more than were sent");
	group->delay[group->received++] = (at - load->sent_at) / 1000;
	group->in_time += at <= all_sent;
}

/* The time at which the kernel received a packet. */
static uint64_t stamp_of(struct msghdr *message)
{
	struct cmsghdr *control = CMSG_FIRSTHDR(message);
	struct timespec at;

	if (!control || control->cmsg_type != SCM_TIMESTAMPNS)
		fatal("a packet without a time");
	memcpy(&at, CMSG_DATA(control), sizeof(at));
	return at.tv_sec * SECOND + at.tv_nsec;
}

static void receive(void)
{
	char control[CMSG_SPACE(sizeof(struct timespec))];
	struct load load;
	struct iovec part = { .iov_base = &load, .iov_len = sizeof(load) };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	for (;;) {
		message.msg_control = control;
		message.msg_controllen = sizeof(control);
		if (recvmsg(receiver, &message, MSG_DONTWAIT) < 0)
			break;
		note(&load, stamp_of(&message));
	}
	if (errno != EAGAIN)
		fatal("receive");
}

/* Receives for @span ns. */
static void receive_for(uint64_t span)
{
	struct pollfd wait = { .fd = receiver, .events = POLLIN };
	uint64_t end = time_of(CLOCK_MONOTONIC) + span, at;
	struct timespec left = { 0 };

	while ((at = time_of(CLOCK_MONOTONIC)) < end) {
		/* No span is as long as a second. */
		left.tv_nsec = end - at;
		ppoll(&wait, 1, &left, NULL);
		receive();
	}
}

/* --- what to do --------------------------------------------------------------- */

static void play(void)
{
	uint64_t at = time_of(CLOCK_MONOTONIC), played = 0, before;
	struct group *group;
	bool more;

	begun = time_of(CLOCK_REALTIME);
	do {
		before = at;
		at = time_of(CLOCK_MONOTONIC);
		played += at - before < STEP ? at - before : STEP;
		more = false;
		for (group = groups; group < groups + group_count; group++)
			more |= send_due(group, played);
		receive_for(SECOND / 1000);
	} while (more);
	all_sent = time_of(CLOCK_REALTIME);
}

static bool send_last(struct group *group)
{
	bool more = false;
	uint64_t flow;

	for (flow = 0; flow < group->count; flow++) {
		if (group->ended[flow])
			continue;
		send_one(group, flow, 0, true);
		more = true;
	}
	return more;
}

static void finish(struct group *group)
{
	int try;

	for (try = 0; send_last(group); try++) {
		if (try == LAST_TRIES)
			fatal("nothing arrives any more");
		receive_for(LAST_EVERY);
	}
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static uint32_t percentile(const struct group *group, uint64_t percent)
{
	return group->received ? group->delay[(group->received - 1) * percent / 100] : 0;
}

static void report(const struct group *group)
{
	double bits = group->in_time * group->bytes * 8.0;

	qsort(group->delay, group->received, sizeof(*group->delay), compare);
	printf("group %s sent %ju received %ju p50 %u p99 %u kbit %.0f ms %ju\n",
	       group->name, (uintmax_t)group->sent, (uintmax_t)group->received,
	       percentile(group, 50), percentile(group, 99),
	       bits * 1e6 / (all_sent - begun), (uintmax_t)(all_sent - begun) / 1000000);
}

/* --- the command line --------------------------------------------------------- */

static const char *next(char **text, const char *delimiters)
{
	const char *part = strsep(text, delimiters);

	if (!part)
		fatal("a group is NAME:SOURCE,COUNT,RATE,BYTES[,PORTS]");
	return part;
}

static void add_group(char *text, uint64_t seconds)
{
	struct group *group = &groups[group_count++];
	struct in_addr source;

	if (group_count > GROUPS)
		fatal("too many groups");
	group->name = next(&text, ":");
	if (inet_pton(AF_INET, next(&text, ","), &source) != 1)
		fatal("the source of a group");
	group->source = ntohl(source.s_addr);
	group->count = number(next(&text, ","));
	group->rate = number(next(&text, ","));
	group->bytes = number(next(&text, ","));
	group->ports = text ? number(text) : 1;
	if (group->bytes < UDP4_HEADERS + sizeof(struct load) ||
	    group->bytes > UDP4_HEADERS + UDP4_LOAD_MAX)
		fatal("bytes of a packet");
	group->total = group->count * group->rate * seconds;
	group->delay = calloc(group->total, sizeof(*group->delay));
	group->ended = calloc(group->count, sizeof(*group->ended));
	if (!group->delay || !group->ended)
		fatal("memory");
}

int main(int argc, char **argv)
{
	unsigned int i;
	int on = 1;

	if (argc < 6 || inet_pton(AF_INET, argv[3], &to.sin_addr) != 1)
		fatal("usage: flows FROM TO ADDRESS SECONDS GROUP...");
	for (i = 5; i < (unsigned int)argc; i++)
		add_group(argv[i], number(argv[4]));
	pin(0);
	netns_enter(argv[1]);
	sender = udp_sender(AF_INET);
	receiver = udp_receiver(argv[2]);
	if (setsockopt(receiver, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)))
		fatal("SO_TIMESTAMPNS");
	play();
	finish(groups);
	for (i = 0; i < group_count; i++)
		report(&groups[i]);
	return 0;
}
