// SPDX-License-Identifier: GPL-2.0
#include <linux/rwsem.h>
#include <linux/workqueue.h>

#include "../core/weak.h"
#include "explored.h"

#define CALLBACKS	8
#define REGIONS		32
#define LINE		64

/**
 * struct grace - a grace period
 * @waits: bit mask of the actors whose read-side sections have to end
 * @head: callback to call then, or NULL
 * @work: work to run then, or NULL
 */
struct grace {
	u32 waits;
	struct rcu_head *head;
	struct work_struct *work;
};

/* Shared by the actors. @begun and @ended are locations of weak memory. */
static struct {
	u32 begun;
	u32 ended;
	u32 inside;			/* actors in a section */
	struct grace waiter[ACTORS_MAX];	/* of synchronize_rcu() */
	struct grace callback[CALLBACKS];
	u32 queued;
	u32 taken;			/* regions that actors have got */
} rcu;

/* Allocated memory; @spare: it was freed again before the case began. */
static struct region {
	void *memory;
	size_t bytes;
	bool spare;
} regions[REGIONS];
static u32 region_count;

u64 fake_random;

void explored_begin(void)
{
	memset(&rcu, 0, sizeof(rcu));
	region_count = 0;
	share(&rcu, sizeof(rcu));
	share_graves();
}

/* --- memory --------------------------------------------------------------- */

static void *reserved(size_t bytes)
{
	u32 i;

	for (i = 0; i < region_count; i++) {
		if (!regions[i].spare || regions[i].bytes != bytes ||
		    rcu.taken & 1U << i)
			continue;
		rcu.taken |= 1U << i;
		return regions[i].memory;
	}
	printf("Bail out! no %zu bytes are reserved\n", bytes);
	exit(1);
}

void *fake_alloc(size_t bytes)
{
	void *memory;

	bytes = (bytes + LINE - 1) / LINE * LINE;
	if (self() >= 0)
		return reserved(bytes);
	if (region_count == REGIONS)
		abort();
	memory = memset(aligned_alloc(LINE, bytes), 0, bytes);
	share(memory, bytes);
	regions[region_count++] = (struct region) { memory, bytes, false };
	return memory;
}

void fake_free(const void *memory)
{
	struct region *region = regions;

	if (!memory)
		return;
	if (self() >= 0) {
		bury(memory);
		return;
	}
	while (region->memory != memory)
		region++;
	memset(region->memory, 0, region->bytes);
	region->spare = true;
}

void explored_reserve(size_t bytes, u32 count)
{
	while (count--)
		fake_free(fake_alloc(bytes));
}

/* All callers get the same memory: counters are not part of a state. */
static u64 counts[64];

void *fake_alloc_percpu(size_t bytes)
{
	if (bytes > sizeof(counts))
		abort();
	return counts;
}

void fake_free_percpu(void *memory)
{
	if (memory != counts)
		fake_free(memory);
}

/* --- locks ---------------------------------------------------------------- */

void fake_bh_disable(void)
{
}

void fake_bh_enable(void)
{
}

void fake_sleep(void)
{
}

void fake_down(struct rw_semaphore *lock)
{
	spin_lock(&lock->lock);
}

void fake_up(struct rw_semaphore *lock)
{
	spin_unlock(&lock->lock);
}

/* --- RCU and works -------------------------------------------------------- */

/* Before the actors begin, no read-side section exists. */
void rcu_read_lock(void)
{
	if (self() < 0)
		return;
	meet(&rcu.begun, SEEN_SHIM_ACQUIRE);
	rcu.inside |= 1U << self();
}

void rcu_read_unlock(void)
{
	u32 others, i;

	if (self() < 0)
		return;
	others = ~(1U << self());
	meet(&rcu.ended, SEEN_SHIM_RELEASE);
	rcu.inside &= others;
	for (i = 0; i < ACTORS_MAX; i++)
		rcu.waiter[i].waits &= others;
	for (i = 0; i < CALLBACKS; i++)
		rcu.callback[i].waits &= others;
}

/* Begins a grace period, unless this site is ignored. */
static void begin(struct grace *grace, const char *file, int line)
{
	if (weak_order(SEEN_SHIM_GRACE, file, line) != SEEN_SHIM_GRACE) {
		meet(&rcu.begun, SEEN_SHIM_RELAXED);
		return;
	}
	meet(&rcu.begun, SEEN_SHIM_RELEASE);
	grace->waits = rcu.inside;
}

static void wait(struct grace *grace)
{
	do
		meet(&rcu.ended, SEEN_SHIM_ACQUIRE);
	while (grace->waits);
}

void fake_synchronize_rcu(const char *file, int line)
{
	struct grace *grace = &rcu.waiter[self()];

	meet(&rcu.begun, SEEN_SHIM_MB);
	begin(grace, file, line);
	wait(grace);
	meet(&rcu.ended, SEEN_SHIM_MB);
}

static void queue(struct grace grace)
{
	if (rcu.queued == CALLBACKS) {
		printf("Bail out! too many callbacks\n");
		exit(1);
	}
	rcu.callback[rcu.queued++] = grace;
}

void fake_call_rcu(struct rcu_head *head, const char *file, int line)
{
	struct grace grace = { .head = head };

	begin(&grace, file, line);
	queue(grace);
}

void fake_queue_rcu_work(struct work_struct *work, const char *file, int line)
{
	struct grace grace = { .work = work };

	begin(&grace, file, line);
	queue(grace);
}

void fake_queue_work(struct work_struct *work)
{
	meet(&rcu.begun, SEEN_SHIM_RELEASE);
	queue((struct grace) { .work = work });
}

/* Ignored: sweeps, and the works of guards that send events. */
void fake_queue_delayed_work(struct delayed_work *work, u64 in)
{
}

/* Each work is queued once, and no case cancels a queued one. */
bool fake_cancel_work(struct work_struct *work)
{
	return false;
}

void fake_flush_work(struct work_struct *work)
{
}

void run_callback(u32 n)
{
	struct grace *grace = &rcu.callback[n];

	do
		meet(&rcu.begun, SEEN_SHIM_ACQUIRE);
	while (rcu.queued <= n);
	wait(grace);
	if (grace->head)
		grace->head->func(grace->head);
	else
		grace->work->func(grace->work);
}
