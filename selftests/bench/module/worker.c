// SPDX-License-Identifier: GPL-2.0
/*
 * Workers: a thread on each CPU. It disables bottom halves during a batch, as the softirq does
 * that delivers packets. Code between batches is not timed.
 *
 * In a user-mode kernel interrupts are disabled, too. There, disabling and enabling them takes
 * two system calls, so a rule that does so for each packet would seem to cost microseconds. If
 * they are disabled already, no system call is needed.
 */
#include <linux/bottom_half.h>
#include <linux/gcd.h>
#include <linux/irqflags.h>
#include <linux/jhash.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/vmalloc.h>

#include "bench.h"

#define BATCH	256

static void await_others(struct bench_run *run)
{
	atomic_dec(&run->awaited);
	while (atomic_read(&run->awaited))
		cond_resched();
}

static void begin_batch(void)
{
	local_bh_disable();
	if (IS_ENABLED(CONFIG_UML))
		local_irq_disable();
}

static void end_batch(void)
{
	if (IS_ENABLED(CONFIG_UML))
		local_irq_enable();
	local_bh_enable();
}

/* With eviction, a batch is one packet, so that each packet finds cold caches. */
static u32 batch_size(const struct bench_config *config)
{
	return config->evict ? 1 : BATCH;
}

/* Has the effect on this CPU's caches that other work between two packets would have. */
static void evict(struct bench_worker *worker)
{
	const struct bench_run *run = worker->run;
	u32 at;

	for (at = 0; at < run->config.evict; at += SMP_CACHE_BYTES)
		worker->sink += READ_ONCE(run->litter[at]);
}

/* The CPU's own clock: the kernel's clock may advance in steps of hundreds of nanoseconds. */
static u64 cycles(void)
{
	/* Without it the CPU could read the clock before earlier loads have finished. */
	rmb();
	return __builtin_ia32_rdtsc();
}

/* Return: true if the worker can continue. */
static bool work_batch(struct bench_worker *worker, u32 count)
{
	u64 begin, took;
	u32 accepted;

	evict(worker);
	begin_batch();
	begin = cycles();
	accepted = worker->run->loop->batch(worker, count);
	took = cycles() - begin;
	end_batch();
	worker->accepted += accepted;
	if (count == batch_size(&worker->run->config))
		worker->batches[worker->batch_count++] = min_t(u64, took, U32_MAX);
	return accepted == count;
}

struct task {
	struct bench_worker *worker;
	struct task_struct *thread;
	struct completion done;
};

static int work(void *data)
{
	struct task *task = data;
	struct bench_worker *worker = task->worker;
	u32 size = batch_size(&worker->run->config);
	u32 left = worker->run->config.packets;
	u32 count;

	await_others(worker->run);
	worker->begin = ktime_get_ns();
	worker->cycles = cycles();
	for (; left; left -= count) {
		count = min_t(u32, left, size);
		if (!work_batch(worker, count))
			break;
		cond_resched();
	}
	worker->cycles = cycles() - worker->cycles;
	worker->end = ktime_get_ns();
	/* The module may be unloaded when this has completed. */
	kthread_complete_and_exit(&task->done, 0);
}

static int ascending(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

/*
 * Picoseconds per packet in the median batch. A batch is short compared with the time slices of
 * the host's scheduler, so most batches are not interrupted, however busy the host is.
 */
static u64 median_ps(struct bench_worker *worker)
{
	u32 count = worker->batch_count;
	u64 ns = worker->end - worker->begin;

	if (!count || !worker->cycles)
		return 0;
	sort(worker->batches, count, sizeof(u32), ascending, NULL);
	return mul_u64_u64_div_u64(worker->batches[count / 2] * 1000ULL, ns,
				   worker->cycles) /
	       batch_size(&worker->run->config);
}

/*
 * Each address is used once, far from the previous one: tables are filled in steps of about the
 * golden ratio of all addresses. Entries that are stored or linked in the order of filling must
 * not be looked up in this order, or each would bring the next one into the cache. So other turns
 * use steps from a quarter to three quarters of all, which are unrelated to each other.
 */
static u32 step_of(u32 keys, u32 turn)
{
	u32 step = (u64)keys * 618034 / 1000000;

	if (turn)
		step = keys / 4 + reciprocal_scale(jhash_1word(turn, 0), keys / 2);
	while (step > 1 && gcd(step, keys) != 1)
		step--;
	return keys == 1 ? 0 : max_t(u32, step, 1);
}

/* Workers begin at equal distances in the common order of all addresses. */
static int prepare(struct bench_run *run, u32 cpu)
{
	struct bench_worker *worker = &run->worker[cpu];
	const struct bench_config *config = &run->config;
	u64 at = (u64)config->keys * cpu / config->cpus;

	*worker = (struct bench_worker) {
		.run = run,
		.step = step_of(config->keys, config->turn),
		.skb = bench_packet(run->dev, config->frame),
		.batches = kvmalloc_array(config->packets /
					  batch_size(config) + 1,
					  sizeof(u32), GFP_KERNEL),
	};
	div_u64_rem(at * worker->step, config->keys, &worker->index);
	return worker->skb && worker->batches ? 0 : -ENOMEM;
}

static int create(struct bench_run *run, struct task *tasks)
{
	struct task *task;
	u32 cpu;
	int err;

	for (cpu = 0; cpu < run->config.cpus; cpu++) {
		task = &tasks[cpu];
		task->worker = &run->worker[cpu];
		init_completion(&task->done);
		err = prepare(run, cpu);
		if (err)
			return err;
		task->thread = kthread_create_on_cpu(work, task, cpu,
						     "seen_bench/%u");
		if (IS_ERR(task->thread)) {
			err = PTR_ERR(task->thread);
			task->thread = NULL;
			return err;
		}
	}
	return 0;
}

/* Frees threads that were not woken up: these never begin. */
static void forget(struct bench_run *run, struct task *tasks)
{
	u32 cpu;

	for (cpu = 0; cpu < run->config.cpus; cpu++)
		if (tasks[cpu].thread)
			kthread_stop(tasks[cpu].thread);
}

static int go(struct bench_run *run, struct task *tasks)
{
	u32 cpu;
	int err = 0;

	atomic_set(&run->awaited, run->config.cpus);
	for (cpu = 0; cpu < run->config.cpus; cpu++)
		wake_up_process(tasks[cpu].thread);
	for (cpu = 0; cpu < run->config.cpus; cpu++) {
		wait_for_completion(&tasks[cpu].done);
		run->worker[cpu].ps = median_ps(&run->worker[cpu]);
		if (run->worker[cpu].accepted != run->config.packets)
			err = -EIO;
	}
	return err;
}

int bench_work(struct bench_run *run)
{
	struct task *tasks;
	u32 cpu;
	int err;

	tasks = kcalloc(run->config.cpus, sizeof(*tasks), GFP_KERNEL);
	run->litter = vzalloc(run->config.evict ?: 1);
	memset(run->worker, 0, sizeof(run->worker));
	err = tasks && run->litter ? create(run, tasks) : -ENOMEM;
	if (!err)
		err = go(run, tasks);
	else if (tasks)
		forget(run, tasks);
	for (cpu = 0; cpu < run->config.cpus; cpu++) {
		kfree_skb(run->worker[cpu].skb);
		kvfree(run->worker[cpu].batches);
	}
	vfree(run->litter);
	kfree(tasks);
	return err;
}
