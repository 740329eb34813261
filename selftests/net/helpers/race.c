// SPDX-License-Identifier: GPL-2.0
/*
 * race FILTER COUNT PROCESSES: processes, each on its own CPU, add the same numbered
 * keys at the same time, if they are new. Every few keys they wait for each other, so
 * that they stay in step. Prints the number of answers "new", the numbers of keys for
 * which no process or more than one got that answer, and the number of other answers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "numbers.h"

/* Keys between two meetings. */
#define STEP	64

struct race {
	const char *filter;
	uint64_t count;
	uint32_t processes;
	struct barrier *barrier;
	uint8_t *news;			/* a key */
	uint64_t *others;		/* answers neither new nor seen */
};

static void take(const struct race *race, const struct seen_keys *keys,
		 uint64_t first)
{
	uint32_t i;

	for (i = 0; i < keys->done; i++) {
		if (keys->result[i] == SEEN_KEY_RESULT_NEW)
			__atomic_add_fetch(&race->news[first + i], 1,
					   __ATOMIC_RELAXED);
		else if (keys->result[i] != SEEN_KEY_RESULT_SEEN)
			__atomic_add_fetch(race->others, 1, __ATOMIC_RELAXED);
	}
	__atomic_add_fetch(race->others, keys->count - keys->done,
			   __ATOMIC_RELAXED);
}

static void run(const struct race *race, unsigned int index)
{
	static struct seen_keys keys;
	struct seen_client *client;
	uint32_t round = 0;
	uint64_t first;

	pin(index);
	client = connect_seen();
	for (first = 0; first < race->count; first += STEP, round++) {
		uint64_t left = race->count - first;

		keys_fill(&keys, first, left < STEP ? left : STEP);
		barrier_wait(race->barrier, race->processes, round);
		seen_keys_send(client, SEEN_CMD_KEY_ADD, race->filter, true,
			       &keys);
		take(race, &keys, first);
	}
	seen_close(client);
}

static void report(const struct race *race)
{
	uint64_t total = 0, never = 0, twice = 0, i;

	for (i = 0; i < race->count; i++) {
		total += race->news[i];
		never += race->news[i] == 0;
		twice += race->news[i] > 1;
	}
	printf("new %ju never %ju twice %ju others %ju\n", (uintmax_t)total,
	       (uintmax_t)never, (uintmax_t)twice, (uintmax_t)*race->others);
}

int main(int argc, char **argv)
{
	struct race race;
	unsigned int i;

	if (argc != 4)
		fatal("usage: race FILTER COUNT PROCESSES");
	race.filter = argv[1];
	race.count = number(argv[2]);
	race.processes = number(argv[3]);
	race.barrier = shared_alloc(sizeof(*race.barrier));
	race.news = shared_alloc(race.count);
	race.others = shared_alloc(sizeof(*race.others));
	for (i = 0; i < race.processes; i++) {
		if (!fork()) {
			run(&race, i);
			exit(0);
		}
	}
	if (!reap(race.processes))
		fatal("a process failed");
	report(&race);
	return 0;
}
