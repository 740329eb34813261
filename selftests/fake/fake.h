/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the fake kernel that depends on the backend:
 *
 *	explored.c	every interleaving, by ../core/interleave.c
 *	plain.c		one thread: works and callbacks run in fake_run(), and
 *			spans in which others have to wait are counted, spans.h
 *
 * The test sets the clock (test_clock) and the random numbers (fake_random).
 */
#ifndef SEEN_FAKE_H
#define SEEN_FAKE_H

#include <linux/types.h>

struct delayed_work;
struct rcu_head;
struct rw_semaphore;
struct work_struct;

u64 get_jiffies_64(void);

/* The value that get_random_u64() returns. */
extern u64 fake_random;
#define get_random_u64()	fake_random
#define get_random_u32()	((u32)fake_random)
/* get_random_bytes() - returns other bytes each time */
void get_random_bytes(void *to, size_t bytes);

void fake_bh_disable(void);
void fake_bh_enable(void);
/* fake_sleep() - the caller may sleep here */
void fake_sleep(void);
void fake_down(struct rw_semaphore *lock);
void fake_up(struct rw_semaphore *lock);

/* fake_alloc() - zeroed memory in whole cache lines; never fails */
void *fake_alloc(size_t bytes);
void fake_free(const void *memory);
/* fake_alloc_percpu() - memory of the only CPU; counters, unlike feeds, are not part of a state */
void *fake_alloc_percpu(size_t bytes);
void fake_free_percpu(void *memory);

/* @file and @line: the place that requests the grace period */
void fake_synchronize_rcu(const char *file, int line);
void fake_call_rcu(struct rcu_head *head, const char *file, int line);
void fake_queue_rcu_work(struct work_struct *work, const char *file, int line);
void fake_queue_work(struct work_struct *work);
/* fake_queue_delayed_work() - time does not advance: the work runs only if @in is 0 */
void fake_queue_delayed_work(struct delayed_work *work, u64 in);
/* Only in plain.c: @in of the last call. */
extern u64 fake_delay;
/* fake_cancel_work() - Return: true if the work was queued */
bool fake_cancel_work(struct work_struct *work);
/* fake_flush_work() - when this returns, the work has run */
void fake_flush_work(struct work_struct *work);
/* fake_run() - only in plain.c: run all queued works and callbacks, also those queued by them */
void fake_run(void);

#endif
