// SPDX-License-Identifier: GPL-2.0
/*
 * once FILTER PROCESSES: until told to end, processes on a CPU each bring the
 * same new keys at the same time. Now and then, when all of them wait, the filter
 * is flushed. Prints how many keys there were, how many answers said "new", and
 * for how many keys no process, or more than one, was told so.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ports.h"

/* Keys between two flushes: less than the filter has room for. */
#define ROUND	(64 * STEP)

struct once {
	const char *filter;
	uint32_t processes;
};

struct shared {
	struct barrier barrier;
	uint32_t stop;
	uint64_t keys, new, never, twice, others;
	uint8_t news[STEP];
};

static struct shared *shared;

static void stop(int signal)
{
	(void)signal;
	if (!shared->stop)
		shared->stop = 1;
}

static void check(struct seen_client *client, int err)
{
	if (!err)
		return;
	errno = 0;
	fatal(seen_error(client));
}

/* Out of memory: it is asked again, and has its answer as late as that. */
static void bring(struct seen_client *client, const char *filter,
		  uint64_t first)
{
	static struct seen_keys keys;
	uint32_t i;
	int err;

	keys_fill(&keys, first, STEP);
	do
		err = seen_keys_send(client, SEEN_CMD_KEY_ADD, filter, true,
				     &keys);
	while (err == -ENOMEM);
	check(client, err);
	for (i = 0; i < keys.done; i++) {
		if (keys.result[i] == SEEN_KEY_NEW)
			__atomic_add_fetch(&shared->news[i], 1,
					   __ATOMIC_RELAXED);
		else if (keys.result[i] != SEEN_KEY_SEEN)
			__atomic_add_fetch(&shared->others, 1,
					   __ATOMIC_RELAXED);
	}
}

static void tally(void)
{
	uint32_t i;

	for (i = 0; i < STEP; i++) {
		shared->new += shared->news[i];
		shared->never += !shared->news[i];
		shared->twice += shared->news[i] > 1;
	}
	shared->keys += STEP;
	memset(shared->news, 0, sizeof(shared->news));
}

static void flush(struct seen_client *client, const char *filter)
{
	int err;

	do
		err = seen_filter_flush(client, filter);
	while (err == -ENOMEM);
	check(client, err);
}

static void run(const struct once *once, uint32_t index)
{
	struct seen_client *client = connect_seen();
	uint32_t round = 0, last = 0;
	uint64_t first;

	pin(index);
	for (first = 0; !last; first += STEP) {
		barrier_wait(&shared->barrier, once->processes, round++);
		bring(client, once->filter, first);
		barrier_wait(&shared->barrier, once->processes, round++);
		if (!index) {
			tally();
			if ((first + STEP) % ROUND == 0)
				flush(client, once->filter);
			if (shared->stop)
				shared->stop = 2;
		}
		barrier_wait(&shared->barrier, once->processes, round++);
		/* Of all or of none: it is made 2 where all of them wait. */
		last = shared->stop == 2;
	}
	seen_close(client);
}

int main(int argc, char **argv)
{
	struct once once;
	uint32_t i;

	if (argc != 3)
		fatal("usage: once FILTER PROCESSES");
	once.filter = argv[1];
	once.processes = number(argv[2]);
	shared = shared_alloc(sizeof(*shared));
	for (i = 0; i < once.processes; i++) {
		if (fork())
			continue;
		signal(SIGTERM, SIG_IGN);
		run(&once, i);
		exit(0);
	}
	signal(SIGTERM, stop);
	if (!reap(once.processes))
		fatal("a process failed");
	printf("keys %ju new %ju never %ju twice %ju others %ju\n",
	       (uintmax_t)shared->keys, (uintmax_t)shared->new,
	       (uintmax_t)shared->never, (uintmax_t)shared->twice,
	       (uintmax_t)shared->others);
	return 0;
}
