// SPDX-License-Identifier: GPL-2.0
/*
 * once PROCESSES FILTER...: until SIGTERM, processes, each on its own CPU, add the same new keys
 * at the same time, to each filter in turn. While all of them wait, a full filter is flushed.
 * Prints the number of keys, of answers "new", of keys that no process found new, and of keys
 * that more than one process found new.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ports.h"

/* Keys between two barriers, and keys in a filter between two flushes. */
#define KEYS	32
#define ROUND	(512 * KEYS)

struct once {
	uint32_t processes;
	char **filters;
	uint32_t count;
};

struct shared {
	struct barrier barrier;
	uint32_t stop;
	uint64_t keys, new, never, twice, others;
	uint8_t news[KEYS];
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

/* If memory is short, the request is repeated, and its answer comes late. */
static void bring(struct seen_client *client, const char *filter,
		  uint64_t first)
{
	static struct seen_keys keys;
	uint32_t i;
	int err;

	keys_fill(&keys, first, KEYS);
	do
		err = seen_keys_send(client, SEEN_CMD_KEY_ADD, filter, true,
				     &keys);
	while (err == -ENOMEM);
	check(client, err);
	for (i = 0; i < keys.done; i++) {
		if (keys.result[i] == SEEN_KEY_RESULT_NEW)
			__atomic_add_fetch(&shared->news[i], 1,
					   __ATOMIC_RELAXED);
		else if (keys.result[i] != SEEN_KEY_RESULT_SEEN)
			__atomic_add_fetch(&shared->others, 1,
					   __ATOMIC_RELAXED);
	}
}

static void tally(void)
{
	uint32_t i;

	for (i = 0; i < KEYS; i++) {
		shared->new += shared->news[i];
		shared->never += !shared->news[i];
		shared->twice += shared->news[i] > 1;
	}
	shared->keys += KEYS;
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

/* Work of one process while all others wait at the barrier. */
static void lead(struct seen_client *client, const char *filter, bool full)
{
	tally();
	if (full)
		flush(client, filter);
	/* All processes read it after the next barrier, so all see the same value. */
	if (shared->stop)
		shared->stop = 2;
}

static void run(const struct once *once, uint32_t index)
{
	struct seen_client *client = connect_seen();
	uint32_t round = 0, turn, last = 0;
	uint64_t first = 0;

	pin(index);
	for (turn = 0; !last; turn = (turn + 1) % once->count) {
		const char *filter = once->filters[turn];

		barrier_wait(&shared->barrier, once->processes, round++);
		bring(client, filter, first);
		rest();
		barrier_rest(&shared->barrier, once->processes, round++);
		if (!index)
			lead(client, filter, (first + KEYS) % ROUND == 0);
		barrier_rest(&shared->barrier, once->processes, round++);
		last = shared->stop == 2;
		if (turn == once->count - 1)
			first += KEYS;
	}
	seen_close(client);
}

int main(int argc, char **argv)
{
	struct once once;
	uint32_t i;

	if (argc < 3)
		fatal("usage: once PROCESSES FILTER...");
	once.processes = number(argv[1]);
	once.filters = argv + 2;
	once.count = argc - 2;
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
