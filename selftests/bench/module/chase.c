// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of a cache miss in config.bytes of memory: each line contains the index of the next
 * one, in random order, so that no load can begin before the previous one has ended. The memory
 * is from vmalloc, like tables of sets.
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
 * struct chase - the position in the walk
 * @lines: all lines
 * @at: the next line
 */
struct chase {
	struct line *lines;
	u32 at;
};

/* Makes one cycle through all lines (Sattolo, 1986). */
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

/* Reads as many lines before the timed run, like the warm-up lookups of a table. */
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
