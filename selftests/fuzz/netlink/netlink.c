// SPDX-License-Identifier: GPL-2.0
/*
 * netlink SEED MESSAGES ROUNDS PROCESSES PID...: sends valid and broken messages to the network
 * namespaces of these processes, as root of the user namespace that owns them. In each round
 * PROCESSES processes send in all of them at the same time, while devices are created and deleted.
 * After the round, with all sockets closed, the objects of each namespace are compared with the
 * kernel's answers and with the bytes that it charges. At the end all objects are deleted.
 *
 * One message in ten is made from the kernel's own policy alone. For the others each command has
 * a recipe: values come from pools of existing names and from the kernel's earlier answers, so
 * that many messages are accepted. Some of these are then broken in one of many ways. The
 * namespaces must be new.
 *
 * Prints figures, one per line, and errors to standard error. The exit status is 1 if there were
 * errors.
 */
#include <stdio.h>
#include <stdlib.h>

#include <unistd.h>

#include "audit.h"
#include "draw.h"
#include "numbers.h"
#include "worker.h"

#define SPACES		16
/* Changes of devices in a round, in each namespace. */
#define CHANGES		12
/* Caps on a namespace, and on all tenants, that are reached now and then. */
#define OWN_CAP		(24u << 20)
#define TENANTS_CAP	(32u << 20)

struct run {
	uint64_t seed;
	uint32_t messages;
	uint32_t rounds;
	uint32_t processes;
	struct space spaces[SPACES];
	uint32_t space_count;
	uint16_t family;
	struct tally *tally;
	struct ledger *ledgers;
};

static uint64_t seed_of(const struct run *run, uint32_t round, uint32_t process)
{
	struct draw draw = {
		.state = run->seed ^ (uint64_t)round << 32 ^ process,
	};

	return draw_next(&draw);
}

static void send_messages(const struct run *run, uint32_t round,
			  uint32_t process)
{
	uint32_t share = run->messages / (run->rounds * run->processes);

	pin(process);
	worker_run(&run->spaces[process % run->space_count], run->family,
		   seed_of(run, round, process), share, process, run->tally,
		   run->ledgers + process * OWN);
}

static void move_devices(const struct run *run, uint32_t round, uint32_t space)
{
	devices_run(&run->spaces[space],
		    seed_of(run, round, run->processes + space), CHANGES);
}

static pid_t start(void)
{
	pid_t pid = fork();

	if (pid < 0)
		fatal("fork");
	return pid;
}

static void round_of(const struct run *run, uint32_t round)
{
	uint32_t i;

	for (i = 0; i < run->processes; i++) {
		if (start())
			continue;
		send_messages(run, round, i);
		exit(0);
	}
	for (i = 0; i < run->space_count; i++) {
		if (start())
			continue;
		move_devices(run, round, i);
		exit(0);
	}
	if (!reap(run->processes + run->space_count))
		fatal("a process failed");
}

/* Every second namespace has a cap. */
static void open_spaces(struct run *run, char **pids)
{
	struct space *space;

	for (; *pids; pids++) {
		if (run->space_count == SPACES)
			fatal("too many namespaces");
		space = &run->spaces[run->space_count++];
		space_open(space, number(*pids));
		space->cap = space->tenant ? TENANTS_CAP :
			     run->space_count % 2 ? OWN_CAP : NO_CAP;
		space_cap(space, space->cap);
	}
	run->family = talk_family(run->spaces[0].fd);
	policy_read(run->spaces[0].fd);
}

/* @before: disagreements before all objects were deleted */
static bool report(const struct run *run, const struct audit *audit,
		   uint64_t before)
{
	bool good = judge_report(run->tally);

	printf("filters %ju\nguards %ju\nexports %ju\n",
	       (uintmax_t)audit->filters, (uintmax_t)audit->guards,
	       (uintmax_t)audit->exports);
	printf("tallied %ju\nkeys %ju\n", (uintmax_t)audit->tallied,
	       (uintmax_t)audit->keys);
	printf("disagreements %ju\nleft %ju\n", (uintmax_t)before,
	       (uintmax_t)(audit->disagreements - before));
	return good && !audit->disagreements;
}

int main(int argc, char **argv)
{
	static struct run run;
	struct audit audit = { .spaces = run.spaces };
	uint64_t before;
	uint32_t round;

	if (argc < 6)
		fatal("usage: netlink SEED MESSAGES ROUNDS PROCESSES PID...");
	setlinebuf(stderr);
	run.seed = number(argv[1]);
	run.messages = number(argv[2]);
	run.rounds = number(argv[3]);
	run.processes = number(argv[4]);
	run.tally = shared_alloc(sizeof(*run.tally));
	run.ledgers = shared_alloc(run.processes * OWN * sizeof(*run.ledgers));
	open_spaces(&run, argv + 5);
	audit.count = run.space_count;
	audit.ledgers = run.ledgers;
	audit.processes = run.processes;
	audit.family = run.family;
	charge_costs(&run.spaces[0], run.family, &audit.costs);
	for (round = 0; round < run.rounds && !audit.disagreements; round++) {
		round_of(&run, round);
		audit_run(&audit);
	}
	before = audit.disagreements;
	audit_end(&audit);
	return !report(&run, &audit, before);
}
