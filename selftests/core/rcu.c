// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "rcu.h"
#include "weak.h"

#define CALLBACKS	8

/**
 * struct grace - a grace period
 * @waits: the actors whose sections have to end, a bit for each
 * @head: what is called then
 */
struct grace {
	u32 waits;
	struct rcu_head *head;
};

/* Shared. @begun and @ended are points of weak memory. */
static struct {
	u32 begun;
	u32 ended;
	u32 inside;			/* actors in a section */
	struct grace waiter[ACTORS_MAX];	/* of synchronize_rcu() */
	struct grace callback[CALLBACKS];
	u32 queued;
} rcu;

void share_rcu(void)
{
	memset(&rcu, 0, sizeof(rcu));
	share(&rcu, sizeof(rcu));
	share_graves();
}

void rcu_read_lock(void)
{
	meet(&rcu.begun, SEEN_SHIM_ACQUIRE);
	rcu.inside |= 1U << self();
}

void rcu_read_unlock(void)
{
	u32 others = ~(1U << self());
	u32 i;

	meet(&rcu.ended, SEEN_SHIM_RELEASE);
	rcu.inside &= others;
	for (i = 0; i < ACTORS_MAX; i++)
		rcu.waiter[i].waits &= others;
	for (i = 0; i < CALLBACKS; i++)
		rcu.callback[i].waits &= others;
}

/* Unless this site's is ignored. */
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

void rcu_wait(const char *file, int line)
{
	struct grace *grace = &rcu.waiter[self()];

	meet(&rcu.begun, SEEN_SHIM_MB);
	begin(grace, file, line);
	wait(grace);
	meet(&rcu.ended, SEEN_SHIM_MB);
}

static struct grace *queue(struct rcu_head *head)
{
	if (rcu.queued == CALLBACKS) {
		printf("Bail out! too many callbacks\n");
		exit(1);
	}
	rcu.callback[rcu.queued].head = head;
	return &rcu.callback[rcu.queued++];
}

void rcu_call(struct rcu_head *head, void (*fn)(struct rcu_head *head),
	      const char *file, int line)
{
	struct grace grace = { };

	head->fn = fn;
	begin(&grace, file, line);
	queue(head)->waits = grace.waits;
}

static void run_work(struct rcu_head *head)
{
	struct work_struct *work = container_of(head, struct work_struct, rcu);

	work->fn(work);
}

void rcu_queue(struct work_struct *work, const char *file, int line)
{
	rcu_call(&work->rcu, run_work, file, line);
}

void work_queue(struct work_struct *work)
{
	work->rcu.fn = run_work;
	meet(&rcu.begun, SEEN_SHIM_RELEASE);
	queue(&work->rcu);
}

void run_callback(u32 n)
{
	struct grace *grace = &rcu.callback[n];

	do
		meet(&rcu.begun, SEEN_SHIM_ACQUIRE);
	while (rcu.queued <= n);
	wait(grace);
	grace->head->fn(grace->head);
}
