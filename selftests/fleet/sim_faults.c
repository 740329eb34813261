// SPDX-License-Identifier: GPL-2.0
/*
 * Simulated fleets under faults: no acknowledged key is absent at any host after the fleet has
 * converged. SIM_PLAN and SIM_SEED run one case; SIM_SEEDS is the number of seeds for a plan of 600
 * rounds. Longer plans have fewer.
 */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

static const struct sim_plan plans[] = {
	{ .name = "calm", .hosts = 3, .aggregators = 1, .keys = 4, .rounds = 300 },
	{ .name = "kill", .hosts = 4, .aggregators = 2, .keys = 4, .kill = 40, .rounds = 600 },
	{ .name = "restart", .hosts = 4, .aggregators = 2, .keys = 3, .restart = 60,
	  .rounds = 600 },
	{ .name = "pause", .hosts = 4, .aggregators = 3, .keys = 4, .pause = 30, .rounds = 800 },
	{ .name = "away", .hosts = 4, .aggregators = 2, .keys = 4, .away = 60, .away_ms = 10000,
	  .rounds = 800 },
	{ .name = "all", .hosts = 5, .aggregators = 3, .keys = 3, .kill = 60, .restart = 80,
	  .away = 80, .away_ms = 5000, .pause = 60, .rounds = 1000 },
	{ .name = "attack", .hosts = 4, .aggregators = 2, .keys = 4, .kill = 150, .restart = 150,
	  .pause = 150, .attack = 3, .sealed = true, .rounds = 600 },
	/* After a lost tail a host may not have seen the first one of two histories. */
	{ .name = "fork", .hosts = 4, .aggregators = 2, .keys = 4, .kill = 150, .pause = 150,
	  .attack = 10, .fork = 10, .rounds = 600 },
	/* Ten minutes without the engine need no keyframe. */
	{ .name = "partition", .hosts = 3, .aggregators = 2, .whole = true, .keys = 6, .away = 4000,
	  .away_ms = 600000, .restart = 2000, .rounds = 20000 },
	/* Longer than streams and outboxes keep anything: only a keyframe helps. */
	{ .name = "absent", .hosts = 4, .aggregators = 2, .keys = 40, .away = 1500,
	  .away_ms = 1500000, .kill = 2000, .step_ms = 400, .rounds = 10000 },
	{ .name = "deletes", .hosts = 4, .aggregators = 2, .deletes = true, .keys = 4,
	  .restart = 100, .pause = 100, .away = 100, .away_ms = 5000, .rounds = 600 },
	{ .name = "deletes-kill", .hosts = 4, .aggregators = 2, .deletes = true, .keys = 4,
	  .kill = 60, .restart = 100, .rounds = 600 },
	{ .name = "each", .hosts = 4, .aggregators = 2, .each = true, .keys = 4, .kill = 80,
	  .restart = 100, .pause = 100, .rounds = 600 },
	/* Hosts see the same keys again; some of their messages are late. */
	{ .name = "window", .hosts = 4, .aggregators = 2, .window = 600, .keys = 3, .away = 100,
	  .away_ms = 300000, .kill = 300, .restart = 1000, .step_ms = 1500, .rounds = 2000 },
	{ .name = "flush", .hosts = 4, .aggregators = 2, .keys = 4, .flush = 200, .kill = 150,
	  .rounds = 1500 },
	{ .name = "flush-deletes", .hosts = 4, .aggregators = 2, .deletes = true, .keys = 4,
	  .flush = 200, .rounds = 1500 },
	{ .name = "rekey", .hosts = 4, .aggregators = 2, .keys = 4, .rekey = 100, .kill = 150,
	  .rounds = 1500 },
	{ .name = "power", .hosts = 4, .aggregators = 2, .keys = 4, .power = 80, .rounds = 1500 },
	{ .name = "back", .hosts = 4, .aggregators = 2, .keys = 4, .back = 300, .away = 100,
	  .away_ms = 10000, .rounds = 1500 },
	/* Only a keyframe has the deletes that a host missed. */
	{ .name = "deletes-absent", .hosts = 4, .aggregators = 2, .deletes = true, .keys = 40,
	  .away = 1500, .away_ms = 1500000, .step_ms = 400, .rounds = 10000 },
	{ .name = "deletes-window", .hosts = 4, .aggregators = 2, .deletes = true, .window = 120,
	  .keys = 6, .away = 100, .away_ms = 20000, .step_ms = 1000, .rounds = 1500 },
	{ .name = "list", .hosts = 4, .aggregators = 2, .keys = 4, .relist = 50, .rounds = 800 },
	{ .name = "list-deletes", .hosts = 4, .aggregators = 2, .deletes = true, .keys = 4,
	  .relist = 50, .restart = 200, .rounds = 800 },
	{ .name = "removed", .hosts = 4, .aggregators = 2, .deletes = true, .removed = true,
	  .keys = 4, .away = 100, .away_ms = 5000, .rounds = 600 },
	/* Hosts read from replicas. A replica's restart is no lost tail, and needs no keyframe. */
	{ .name = "lag", .hosts = 5, .aggregators = 3, .whole = true, .replicas = 2,
	  .lag_ms = 3000, .keys = 4, .kill = 100, .restart = 150, .cut = 150, .cut_ms = 5000,
	  .reload = 100, .pause = 200, .calm = 150, .rounds = 800 },
	/* Replicas are cut for longer than anything is kept. */
	{ .name = "region", .hosts = 5, .aggregators = 3, .replicas = 2, .remote = true,
	  .lag_ms = 1000, .keys = 40, .away = 4000, .away_ms = 1500000, .cut = 1500,
	  .cut_ms = 1500000,
	  .reload = 3000, .restart = 6000, .kill = 3000, .step_ms = 400, .rounds = 10000 },
	{ .name = "region-deletes", .hosts = 4, .aggregators = 2, .deletes = true, .replicas = 1,
	  .lag_ms = 2000, .keys = 4, .restart = 150, .cut = 150, .cut_ms = 5000, .reload = 150,
	  .kill = 150, .rounds = 600 },
	{ .name = "reboot", .hosts = 4, .aggregators = 2, .keys = 4, .reboot = 200,
	  .rounds = 1500 },
};

#define PLANS		(sizeof(plans) / sizeof(*plans))

/* Cases that found a bug once, or are the only ones to find a planted one. */
static const struct {
	const char *plan;
	uint64_t seed;
	const char *what;
} cases[] = {
	{ "deletes", 2, "a host deletes a key that another host holds" },
	{ "deletes", 1013, "the filter's sweep is late in the middle of a message" },
	{ "deletes", 9737, "a keyframe is older than a delete" },
	{ "flush-deletes", 25, "a keyframe is applied in part, and no message is missing" },
	{ "flush-deletes", 2, "a key is seen again, and before that is sent, others delete it" },
	{ "absent", 9010, "every aggregator was absent for longer than streams keep messages" },
	{ "attack", 1056, "a lost message returns" },
	{ "lag", 95, "a replica has left the history of its primary" },
};

#define CASES		(sizeof(cases) / sizeof(*cases))

static const struct sim_plan *plan_named(const char *name)
{
	for (size_t i = 0; i < PLANS; i++)
		if (!strcmp(plans[i].name, name))
			return &plans[i];
	note("SIM_PLAN: no plan has this name");
	exit(2);
}

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static bool one(const struct sim_plan *plan, uint64_t seed, uint64_t *counts)
{
	static struct sim sim;
	bool good = sim_run(plan, seed, &sim);

	if (!good)
		note("%s", sim.why);
	for (size_t i = 0; i < REASONS; i++)
		counts[i] += sim.counts[i];
	sim_free(&sim);
	return good;
}

static void tell(const uint64_t *counts)
{
	for (size_t i = 1; i < REASONS; i++)
		if (counts[i])
			note("  %s %llu", reason_word(i), (unsigned long long)counts[i]);
}

static void run_plan(const struct sim_plan *plan, uint64_t seeds)
{
	uint64_t counts[REASONS] = { 0 }, failed = 0;

	seeds = seeds * 600 / plan->rounds;
	seeds = seeds ? seeds : 1;
	for (uint64_t i = 0; i < seeds && failed < 3; i++)
		failed += !one(plan, tap_seed + i, counts);
	ok(!failed, "%s: %llu seeds", plan->name, (unsigned long long)seeds);
	tell(counts);
}

int main(void)
{
	const char *name = getenv("SIM_PLAN");
	uint64_t seeds = number("SIM_SEEDS", long_run() ? 60 : 6), counts[REASONS] = { 0 };

	if (name && *name) {
		tap_begin(1);
		if (getenv("SIM_SEED"))
			ok(one(plan_named(name), number("SIM_SEED", 1), counts), "%s", name);
		else
			run_plan(plan_named(name), seeds);
		tell(counts);
		return tap_end();
	}
	tap_begin(PLANS + CASES);
	for (size_t i = 0; i < CASES; i++)
		ok(one(plan_named(cases[i].plan), cases[i].seed, counts), "%s", cases[i].what);
	for (size_t i = 0; i < PLANS; i++)
		run_plan(&plans[i], seeds);
	return tap_end();
}
