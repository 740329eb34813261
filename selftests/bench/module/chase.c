// SPDX-License-Identifier: GPL-2.0
/*
 * What one cache miss costs, in as much memory as config.bytes: each line of it
 * says which is next, in an order without order, so that no load can begin before
 * the one before it has ended. In vmalloc memory, as tables of sets are.
 */
#include <linux/cache.h>
#include <linux/random.h>
#include <linux/vmalloc.h>

#include "bench.h"

struct line {
	u32 next;
} __aligned(64);

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

static int begin(struct bench_run *run)
{
	u32 count = max_t(u32, run->config.bytes / sizeof(struct line), 2);

	run->priv = vmalloc_huge(count * sizeof(struct line), GFP_KERNEL);
	if (!run->priv)
		return -ENOMEM;
	shuffle(run->priv, count);
	return 0;
}

static u32 batch(struct bench_worker *worker, u32 count)
{
	const struct line *lines = worker->run->priv;
	u32 at = worker->sink;
	u32 i;

	for (i = 0; i < count; i++)
		at = READ_ONCE(lines[at].next);
	worker->sink = at;
	return count;
}

static void end(struct bench_run *run)
{
	vfree(run->priv);
}

const struct bench_loop bench_chase = { "chase", begin, batch, end };
