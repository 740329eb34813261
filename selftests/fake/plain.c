// SPDX-License-Identifier: GPL-2.0
/* The backend with one thread: callbacks and works run in fake_run(). */
#include <linux/rwsem.h>
#include <linux/workqueue.h>

#include "spans.h"

#define QUEUED_MAX	16

/* Each element has one of the two. */
static struct {
	struct rcu_head *head;
	struct work_struct *work;
} queued[QUEUED_MAX];
static u32 count;

u64 fake_random;
u64 fake_delay;

void fake_bh_disable(void)
{
	span_begin(SPAN_BH_OFF);
}

void fake_bh_enable(void)
{
	span_end(SPAN_BH_OFF);
}

void rcu_read_lock(void)
{
	span_begin(SPAN_RCU);
}

void rcu_read_unlock(void)
{
	span_end(SPAN_RCU);
}

void fake_sleep(void)
{
	span_sleeps();
}

void fake_down(struct rw_semaphore *lock)
{
	fake_sleep();
	if (!spin_trylock(&lock->lock))
		abort();
	span_begin(SPAN_LOCKED);
}

void fake_up(struct rw_semaphore *lock)
{
	spin_unlock(&lock->lock);
	span_end(SPAN_LOCKED);
}

void *fake_alloc(size_t bytes)
{
	return spans_memory(bytes);
}

void fake_free(const void *memory)
{
	free((void *)memory);
}

void *fake_alloc_percpu(size_t bytes)
{
	return spans_memory(bytes);
}

void fake_free_percpu(void *memory)
{
	free(memory);
}

/* --- later ---------------------------------------------------------------- */

static void queue(struct rcu_head *head, struct work_struct *work)
{
	if (count == QUEUED_MAX)
		abort();
	queued[count].head = head;
	queued[count++].work = work;
}

void fake_synchronize_rcu(const char *file, int line)
{
	fake_sleep();
}

void fake_call_rcu(struct rcu_head *head, const char *file, int line)
{
	queue(head, NULL);
}

bool fake_cancel_work(struct work_struct *work)
{
	u32 i;

	for (i = 0; i < count; i++) {
		if (queued[i].work != work)
			continue;
		queued[i] = queued[--count];
		return true;
	}
	return false;
}

void fake_queue_work(struct work_struct *work)
{
	fake_cancel_work(work);
	queue(NULL, work);
}

void fake_queue_delayed_work(struct delayed_work *work, u64 in)
{
	fake_delay = in;
	if (!in)
		fake_queue_work(&work->work);
}

void fake_queue_rcu_work(struct work_struct *work, const char *file, int line)
{
	fake_queue_work(work);
}

static void run(struct rcu_head *head, struct work_struct *work)
{
	fake_sleep();
	if (head)
		head->func(head);
	else
		work->func(work);
}

void fake_flush_work(struct work_struct *work)
{
	if (fake_cancel_work(work))
		run(NULL, work);
}

void fake_run(void)
{
	while (count) {
		count--;
		run(queued[count].head, queued[count].work);
	}
	fake_sleep();
}
