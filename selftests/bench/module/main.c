// SPDX-License-Identifier: GPL-2.0
/*
 * Control files below /sys/kernel/debug/seen_bench: one for each number of struct bench_config,
 * and "run". Writing the name of a loop to "run" runs it in the writer's network namespace.
 * Reading "run" returns the times as JSON: for each CPU the ns in total and the picoseconds per
 * packet in the median of short batches; the ns from the begin of the first CPU to the end of the
 * last one; and the ns in which all of them were at work.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/nsproxy.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "bench.h"

#define EVICT_MAX	(64 << 20)

static struct bench_config config = {
	.keys = 1000,
	.first = 0x0a000000,
	.packets = 1000,
	.cpus = 1,
	.fence = 1,
	.frame = 64,
	.bytes = 64,
};

static struct dentry *folder;
static DEFINE_MUTEX(lock);	/* protects all that follows */
static struct bench_run run;

static bool config_holds(const struct bench_config *c)
{
	return c->keys && c->packets && c->keys <= U32_MAX / 2 && c->cpus &&
	       c->cpus <= BENCH_CPUS_MAX && c->cpus <= num_online_cpus() &&
	       c->frame >= bench_packet_min() && c->frame <= ETH_FRAME_LEN &&
	       c->evict <= EVICT_MAX;
}

static int start(const struct bench_loop *loop)
{
	int err = 0;

	run.config = config;
	if (!config_holds(&run.config))
		return -EINVAL;
	/* Memory that others have freed must not be freed during the run. Needs Linux 6.12. */
	rcu_barrier();
	kvfree_rcu_barrier();
	run.loop = loop;
	run.priv = NULL;
	run.dev = dev_get_by_name(current->nsproxy->net_ns, BENCH_DEVICE);
	if (!run.dev)
		return -ENODEV;
	if (loop->begin)
		err = loop->begin(&run);
	if (!err) {
		err = bench_work(&run);
		if (loop->end)
			loop->end(&run);
	}
	dev_put(run.dev);
	return err;
}

static ssize_t run_write(struct file *file, const char __user *from, size_t len,
			 loff_t *at)
{
	const struct bench_loop *loop;
	char name[32];
	int err;

	if (len >= sizeof(name))
		return -EINVAL;
	if (copy_from_user(name, from, len))
		return -EFAULT;
	name[len] = '\0';
	loop = bench_loop_find(strim(name));
	if (!loop)
		return -EINVAL;
	mutex_lock(&lock);
	err = start(loop);
	if (err)
		run.loop = NULL;
	mutex_unlock(&lock);
	return err ?: len;
}

static void show_span(struct seq_file *to)
{
	u64 first = U64_MAX, last = 0, both_from = 0, both_to = U64_MAX;
	const struct bench_worker *worker;
	u32 cpu;

	for (cpu = 0; cpu < run.config.cpus; cpu++) {
		worker = &run.worker[cpu];
		first = min(first, worker->begin);
		last = max(last, worker->end);
		both_from = max(both_from, worker->begin);
		both_to = min(both_to, worker->end);
	}
	seq_printf(to, ",\"span\":%llu,\"shared\":%llu", last - first,
		   both_to > both_from ? both_to - both_from : 0);
}

static void show_times(struct seq_file *to)
{
	u64 accepted = 0;
	u32 cpu;

	seq_puts(to, ",\"ns\":[");
	for (cpu = 0; cpu < run.config.cpus; cpu++) {
		seq_printf(to, "%s%llu", cpu ? "," : "",
			   run.worker[cpu].end - run.worker[cpu].begin);
		accepted += run.worker[cpu].accepted;
	}
	seq_puts(to, "],\"ps\":[");
	for (cpu = 0; cpu < run.config.cpus; cpu++)
		seq_printf(to, "%s%llu", cpu ? "," : "", run.worker[cpu].ps);
	seq_printf(to, "],\"accepted\":%llu", accepted);
}

static void show(struct seq_file *to)
{
	const struct bench_config *c = &run.config;

	seq_printf(to, "{\"loop\":\"%s\",\"keys\":%u,\"packets\":%u,\"cpus\":%u",
		   run.loop->name, c->keys, c->packets, c->cpus);
	seq_printf(to, ",\"turn\":%u,\"fence\":%u,\"frame\":%u,\"bytes\":%u,\"evict\":%u",
		   c->turn, c->fence, c->frame, c->bytes, c->evict);
	show_times(to);
	show_span(to);
	seq_puts(to, "}\n");
}

/* Prints nothing unless the last run has succeeded. */
static int run_show(struct seq_file *to, void *unused)
{
	mutex_lock(&lock);
	if (run.loop)
		show(to);
	mutex_unlock(&lock);
	return 0;
}

static int run_open(struct inode *inode, struct file *file)
{
	return single_open(file, run_show, NULL);
}

static const struct file_operations run_fops = {
	.owner = THIS_MODULE,
	.open = run_open,
	.read = seq_read,
	.write = run_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int __init bench_init(void)
{
	folder = debugfs_create_dir("seen_bench", NULL);
	debugfs_create_u32("keys", 0600, folder, &config.keys);
	debugfs_create_u32("first", 0600, folder, &config.first);
	debugfs_create_u32("turn", 0600, folder, &config.turn);
	debugfs_create_u32("packets", 0600, folder, &config.packets);
	debugfs_create_u32("cpus", 0600, folder, &config.cpus);
	debugfs_create_u32("fence", 0600, folder, &config.fence);
	debugfs_create_u32("frame", 0600, folder, &config.frame);
	debugfs_create_u32("evict", 0600, folder, &config.evict);
	debugfs_create_u32("bytes", 0600, folder, &config.bytes);
	debugfs_create_file("run", 0600, folder, NULL, &run_fops);
	return 0;
}
module_init(bench_init);

static void __exit bench_exit(void)
{
	debugfs_remove(folder);
}
module_exit(bench_exit);

MODULE_DESCRIPTION("What a packet costs in a namespace's hooks");
MODULE_LICENSE("GPL");
