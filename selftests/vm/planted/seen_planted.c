// SPDX-License-Identifier: GPL-2.0
/*
 * One bug of each kind that a debug kernel has to notice. Loaded only into a throw-away
 * guest, which the bug ends.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

static char *bug;
module_param(bug, charp, 0444);

struct thing {
	struct timer_list timer;
	struct work_struct work;
};

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);
static DEFINE_SPINLOCK(spin);
static int __rcu *pointer;
static int amount;
static int counter;
static void *lost;

static void use_after_free(void)
{
	int *item = kmalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return;
	OPTIMIZER_HIDE_VAR(item);
	kfree(item);
	WRITE_ONCE(*item, 1);
}

static void out_of_bounds(void)
{
	size_t size = 3 * PAGE_SIZE - 64;
	u8 *area = vmalloc(size);

	if (!area)
		return;
	OPTIMIZER_HIDE_VAR(area);
	WRITE_ONCE(area[size], 1);
	vfree(area);
}

static void stack(void)
{
	u8 bytes[24];
	size_t size = sizeof(bytes);

	OPTIMIZER_HIDE_VAR(size);
	WRITE_ONCE(bytes[size], 1);
}

static void shift(void)
{
	int bits = 64;

	OPTIMIZER_HIDE_VAR(bits);
	amount = 1 << bits;
}

static void order(void)
{
	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);
	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
}

static void no_reader(void)
{
	amount = !!rcu_dereference(pointer);
}

static void sleep_in_atomic(void)
{
	spin_lock(&spin);
	msleep(20);
	spin_unlock(&spin);
}

static void nothing(struct timer_list *timer)
{
}

static void no_work(struct work_struct *work)
{
}

static void free_timer(void)
{
	struct thing *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return;
	timer_setup(&item->timer, nothing, 0);
	mod_timer(&item->timer, jiffies + 60 * HZ);
	kfree(item);
}

static void free_work(void)
{
	struct thing *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return;
	INIT_WORK(&item->work, no_work);
	schedule_work(&item->work);
	kfree(item);
}

/* Eight times: some stack may still hold the last address, and hide that leak. */
static void leak(void)
{
	int i;

	for (i = 0; i < 8; i++)
		WRITE_ONCE(lost, kmalloc(200, GFP_KERNEL));
	WRITE_ONCE(lost, NULL);
}

static int count(void *unused)
{
	while (!kthread_should_stop()) {
		counter++;
		cond_resched();
	}
	return 0;
}

static void race(void)
{
	struct task_struct *one, *two;

	one = kthread_run(count, NULL, "one");
	two = kthread_run(count, NULL, "two");
	ssleep(5);
	if (!IS_ERR(one))
		kthread_stop(one);
	if (!IS_ERR(two))
		kthread_stop(two);
}

static const struct {
	const char *name;
	void (*plant)(void);
} bugs[] = {
	{ "use-after-free", use_after_free },
	{ "out-of-bounds", out_of_bounds },
	{ "stack", stack },
	{ "shift", shift },
	{ "order", order },
	{ "no-reader", no_reader },
	{ "sleep-in-atomic", sleep_in_atomic },
	{ "free-timer", free_timer },
	{ "free-work", free_work },
	{ "leak", leak },
	{ "race", race },
};

static int __init planted_init(void)
{
	int i;

	for (i = 0; bug && i < ARRAY_SIZE(bugs); i++) {
		if (!strcmp(bug, bugs[i].name)) {
			bugs[i].plant();
			return 0;
		}
	}
	return -EINVAL;
}
module_init(planted_init);

static void __exit planted_exit(void)
{
}
module_exit(planted_exit);

MODULE_DESCRIPTION("Bugs, planted to be found");
MODULE_LICENSE("GPL");
