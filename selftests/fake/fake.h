/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the fake kernel leaves to its backend.
 *
 *	explored.c	every interleaving, by ../core/interleave.c
 *	plain.c		one thread: works and callbacks run in fake_run(), and
 *			spans in which others have to wait are counted, spans.h
 *
 * The test drives the clock (test_clock) and the dice (fake_random).
 */
#ifndef SEEN_FAKE_H
#define SEEN_FAKE_H

#include <linux/types.h>

struct delayed_work;
struct rcu_head;
struct rw_semaphore;
struct work_struct;

u64 get_jiffies_64(void);

/* What get_random_u64() returns next. */
extern u64 fake_random;
#define get_random_u64()	fake_random
#define get_random_u32()	((u32)fake_random)
/* get_random_bytes() - other ones each time */
void get_random_bytes(void *to, size_t bytes);

void fake_bh_disable(void);
void fake_bh_enable(void);
/* fake_sleep() - the caller may be scheduled away here */
void fake_sleep(void);
void fake_down(struct rw_semaphore *lock);
void fake_up(struct rw_semaphore *lock);

/* fake_alloc() - zeroed memory, of whole lines; never fails */
void *fake_alloc(size_t bytes);
void fake_free(const void *memory);
/* fake_alloc_percpu() - of the one CPU; counters are not part of a state */
void *fake_alloc_percpu(size_t bytes);
void fake_free_percpu(void *memory);

/* @file and @line: where the grace period is asked for */
void fake_synchronize_rcu(const char *file, int line);
void fake_call_rcu(struct rcu_head *head, const char *file, int line);
void fake_queue_rcu_work(struct work_struct *work, const char *file, int line);
void fake_queue_work(struct work_struct *work);
/* fake_queue_delayed_work() - time stands still: it runs if @in is 0 */
void fake_queue_delayed_work(struct delayed_work *work, u64 in);
/* plain.c alone: @in of the last call */
extern u64 fake_delay;
/* fake_cancel_work() - true if it was queued */
bool fake_cancel_work(struct work_struct *work);
/* fake_flush_work() - it has run afterwards */
void fake_flush_work(struct work_struct *work);
/* fake_run() - plain.c alone: run all that is queued, and what that queues */
void fake_run(void);

#endif
