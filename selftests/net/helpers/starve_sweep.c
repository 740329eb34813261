// SPDX-License-Identifier: GPL-2.0
/*
 * starve_sweep PORT COUNT QUIET FILTER...: takes all CPUs from tasks without real-time
 * priority, until the sweep of each filter is late, also that of QUIET, which has no
 * lookups. Prints whether the kernel then refuses to judge a key of the first FILTER, and
 * how many of COUNT datagrams arrive at PORT of 127.0.0.1.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "numbers.h"

/* A destination port to which nothing is sent. */
#define KEY	7
/* Seconds; the kernel reports an RCU stall after 21. */
#define PATIENCE	15
/* Seconds until SIGALRM ends the processes, in case this one waits for a task that it starves. */
#define END		18

static struct seen_client *client;

static void raise_to(int level)
{
	struct sched_param param = { .sched_priority = level };

	if (sched_setscheduler(0, SCHED_FIFO, &param))
		fatal("no real-time priority");
}

/* Never sleeps; is killed when its parent exits. */
static void hold_cpu(long number, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	alarm(END);
	pin(number);
	raise_to(1);
	for (;;)
		;
}

static void hold_cpus(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	pid_t parent = getpid(), pid;
	long i;

	for (i = 0; i < cpus; i++) {
		pid = fork();
		if (pid < 0)
			fatal("no child");
		if (!pid)
			hold_cpu(i, parent);
	}
}

/* True if the filter does not judge the key, because its sweep is late. */
static bool is_late(const char *filter, enum seen_cmd cmd, bool if_new)
{
	struct seen_keys keys = {};
	uint8_t *key = seen_keys_reserve(&keys, 2);

	key[0] = 0;
	key[1] = KEY;
	seen_keys_commit(&keys, 2);
	if (seen_keys_send(client, cmd, filter, if_new, &keys)) {
		errno = 0;
		fatal(seen_error(client));
	}
	return keys.result[0] == SEEN_KEY_RESULT_STALE;
}

/* An empty filter is not swept, so that its sweep is never late. */
static void fill(char **filters)
{
	for (; *filters; filters++)
		is_late(*filters, SEEN_CMD_KEY_ADD, false);
}

static void wait_for(char **filters)
{
	double end = now() + PATIENCE;
	bool last;

	while (*filters) {
		last = now() > end;
		if (is_late(*filters, SEEN_CMD_KEY_TEST, false))
			filters++;
		else if (last)
			fatal("the sweep came all the same");
	}
}

/*
 * A sweep that does not run is late after the time of more than six sweeps. So when these
 * filters are late, the others are late at most a fifth of that time later.
 */
static void wait_for_others(double begin, double held)
{
	double end = held + 1.2 * (now() - begin);

	while (now() < end)
		;
}

static int receiver(struct sockaddr_in *address)
{
	struct timeval patience = { .tv_sec = 2 };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) ||
	    bind(fd, (struct sockaddr *)address, sizeof(*address)) ||
	    connect(fd, (struct sockaddr *)address, sizeof(*address)))
		fatal("no socket");
	return fd;
}

/* Sends one datagram at a time, until one does not arrive. */
static uint64_t pass(int fd, uint64_t count)
{
	uint64_t passed;
	char byte = 0;

	for (passed = 0; passed < count; passed++) {
		if (send(fd, &byte, 1, 0) != 1)
			fatal("send");
		if (recv(fd, &byte, 1, 0) != 1)
			break;
	}
	return passed;
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	double begin, held;
	int fd;

	if (argc < 5)
		fatal("usage: starve_sweep PORT COUNT QUIET FILTER...");
	address.sin_port = htons(number(argv[1]));
	fd = receiver(&address);
	client = connect_seen();
	alarm(END);
	raise_to(2);
	begin = now();
	hold_cpus();
	held = now();
	fill(&argv[3]);
	wait_for(&argv[4]);
	wait_for_others(begin, held);
	printf("add %d ", is_late(argv[4], SEEN_CMD_KEY_ADD, false));
	printf("new %d ", is_late(argv[4], SEEN_CMD_KEY_ADD, true));
	printf("del %d ", is_late(argv[4], SEEN_CMD_KEY_DEL, false));
	printf("passed %ju ", (uintmax_t)pass(fd, number(argv[2])));
	printf("late %d\n", is_late(argv[4], SEEN_CMD_KEY_TEST, false));
	return 0;
}
