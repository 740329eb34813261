// SPDX-License-Identifier: GPL-2.0
/*
 * What one cache miss costs, in as much memory as config.bytes: each line of it
 * says which is next, in an order without order, so that no load can begin before
 * the one before it has ended. In vmalloc memory, as tables of sets are.
 */
#include <linux/cache.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "bench.h"

struct line {
	u32 next;
} __aligned(64);

/**
 * struct chase - where it is
 * @lines: all of them
 * @at: the one that is next
 */
struct chase {
	struct line *lines;
	u32 at;
};

/* One cycle through all lines (Sattolo, 1986). */
static void shuffle(struct line *lines, u32 count)
{
	u32 i, other;

	for (i = 0; i < count; i++)
		lines[i].next = i;
	for (i = count - 1; i; i--) {
		other = get_random_u32_below(i);
		swap(lines[i].next, lines[other].next);
	}
}

static void follow(struct chase *chase, u32 count)
{
	const struct line *lines = chase->lines;
	u32 at = chase->at;
	u32 i;

	for (i = 0; i < count; i++)
		at = READ_ONCE(lines[at].next);
	chase->at = at;
}

static void end(struct bench_run *run)
{
	struct chase *chase = run->priv;

	vfree(chase->lines);
	kfree(chase);
}

/* Before it is timed as many lines are read, as a table is asked before it is. */
static int begin(struct bench_run *run)
{
	u32 count = max_t(u32, run->config.bytes / sizeof(struct line), 2);
	struct chase *chase = kzalloc(sizeof(*chase), GFP_KERNEL);

	if (!chase)
		return -ENOMEM;
	run->priv = chase;
	chase->lines = vmalloc_huge(count * sizeof(struct line), GFP_KERNEL);
	if (!chase->lines) {
		end(run);
		return -ENOMEM;
	}
	shuffle(chase->lines, count);
	follow(chase, run->config.packets);
	return 0;
}

static u32 batch(struct bench_worker *worker, u32 count)
{
	follow(worker->run->priv, count);
	return count;
}

const struct bench_loop bench_chase = { "chase", begin, batch, end };
