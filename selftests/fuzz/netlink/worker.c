// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sys/socket.h>
#include <unistd.h>

#include "breakage.h"
#include "numbers.h"
#include "request.h"
#include "worker.h"

/* Most messages in one send, and their bytes: the answers wait in the socket. */
#define TOGETHER	6
#define TOGETHER_BYTES	16384
/* Percentage of messages that are broken. */
#define BROKEN		40
/* The first port for sockets here; the kernel chooses process ids as ports, which are lower. */
#define PORT		0x40000000
/* Number of ports that the sockets of a process use in turn. */
#define PORTS		2

/**
 * struct worker - a process that sends
 * @own: ledgers of its own filters
 * @settled: number of sent messages whose effect is recorded in @own
 * @sent: time at which they were sent
 * @half: part of the latest dump may not have been read
 */
struct worker {
	struct draw draw;
	struct memory memory;
	uint16_t family;
	uint32_t port;
	int fd;
	uint32_t seq;
	struct tally *tally;
	struct ledger *own;
	uint32_t settled;
	double sent;
	bool half;
	struct message messages[TOGETHER];
	struct answer answers[TOGETHER];
	uint8_t bytes[TOGETHER * MESSAGE_MAX];
};

static void open_socket(struct worker *worker)
{
	uint32_t port = 0;

	if (draw_chance(&worker->draw, 70))
		port = worker->port + draw_below(&worker->draw, PORTS);
	worker->fd = talk_open(NETLINK_GENERIC, port);
}

/* Closing the socket also ends a running import and a running dump. */
static void close_socket(struct worker *worker)
{
	close(worker->fd);
	memset(&worker->memory.transfer, 0, sizeof(worker->memory.transfer));
}

static void make(struct worker *worker, struct message *message)
{
	request_make(&worker->draw, &worker->memory, message);
	if (draw_chance(&worker->draw, BROKEN)) {
		breakage_do(&worker->draw, message);
		__atomic_add_fetch(&worker->tally->broken, 1, __ATOMIC_RELAXED);
	}
	request_tame_ids(&worker->memory, message);
}

/* Makes one message, or some that are sent together. Return: their number. */
static uint32_t fill(struct worker *worker, uint32_t most, uint32_t *len)
{
	uint32_t want = draw_chance(&worker->draw, 15) ? TOGETHER : 1, count;

	*len = 0;
	for (count = 0; count < want && count < most; count++) {
		make(worker, &worker->messages[count]);
		*len += message_write(&worker->messages[count], worker->family,
				      worker->seq + count,
				      worker->bytes + *len);
		if (*len > TOGETHER_BYTES)
			return count + 1;
	}
	return count;
}

/* Records the effects of messages up to @end, in the order in which the kernel handles them. */
static void settle(struct worker *worker, uint32_t end)
{
	const struct answer *answer;

	for (; worker->settled < end; worker->settled++) {
		answer = &worker->answers[worker->settled];
		if (answer->arrived && !answer->err)
			ledger_done(worker->own, worker->memory.owner,
				    &worker->messages[worker->settled]);
	}
}

static void hear_reply(void *context, const struct reply *reply)
{
	struct worker *worker = context;

	memory_hear(&worker->memory, reply);
	settle(worker, reply->request);
	ledger_reply(worker->own, worker->memory.owner,
		     &worker->messages[reply->request], reply, worker->sent);
}

/*
 * Only the first message of a dump may be read. The next answers are then read completely, because
 * the rest of the dump comes before them; it is dropped.
 */
static void hear(struct worker *worker, uint32_t count)
{
	bool half = false;
	uint32_t i;

	memset(worker->answers, 0, sizeof(worker->answers));
	for (i = 0; i < count; i++)
		half |= worker->messages[i].flags & NLM_F_DUMP;
	half = half && !worker->half && count == 1 &&
	       draw_chance(&worker->draw, 20);
	worker->half = half;
	worker->settled = 0;
	if (!talk_hear(worker->fd, worker->seq, worker->answers, count,
		       half ? 1 : UINT32_MAX, hear_reply, worker))
		__atomic_add_fetch(&worker->tally->lost, 1, __ATOMIC_RELAXED);
	settle(worker, count);
	for (i = 0; i < count; i++) {
		judge_one(worker->tally, &worker->messages[i],
			  &worker->answers[i], half);
		memory_done(&worker->memory, &worker->messages[i],
			    worker->answers[i].err);
	}
	worker->seq += count;
}

static uint32_t step(struct worker *worker, uint32_t most)
{
	uint32_t len, count = fill(worker, most, &len);
	ssize_t sent;

	worker->sent = now();
	sent = send(worker->fd, worker->bytes, len, 0);
	if (sent != (ssize_t)len)
		fatal("send");
	hear(worker, count);
	if (draw_chance(&worker->draw, 2)) {
		close_socket(worker);
		open_socket(worker);
	}
	return count;
}

void worker_run(const struct space *space, uint16_t family, uint64_t seed,
		uint32_t messages, uint32_t owner, struct tally *tally,
		struct ledger *own)
{
	struct worker *worker = calloc(1, sizeof(*worker));

	if (!worker)
		fatal("memory");
	worker->draw.state = seed;
	worker->family = family;
	worker->port = PORT + owner;
	worker->memory.owner = owner;
	worker->own = own;
	worker->tally = tally;
	space_enter(space);
	open_socket(worker);
	while (messages)
		messages -= step(worker, messages);
	close_socket(worker);
	free(worker);
}
