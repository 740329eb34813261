// SPDX-License-Identifier: GPL-2.0
/* Decides which of the module's allocations fails; see places.h. */
#include <linux/atomic.h>
#include <linux/module.h>
#include <linux/sched.h>

#include "seen_nth.h"

/* Allocations of the task @whose until one fails; 0: none fails. @whose wrote the number. */
static unsigned int nth;
static struct task_struct *whose;

/* After the chosen allocation all others fail, too, until the next write. */
static bool onwards;
module_param(onwards, bool, 0600);
static bool failing;

/* All allocations of all tasks fail, also in softirqs (which must not allocate at all). */
static bool always;
module_param(always, bool, 0600);

/* Allocations requested in the packet path: in softirqs, in interrupts, or with either disabled. */
static atomic_t for_packets;

static int get_for_packets(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%d\n", atomic_read(&for_packets));
}

static const struct kernel_param_ops for_packets_ops = {
	.get = get_for_packets,
};
module_param_cb(for_packets, &for_packets_ops, NULL, 0400);

static int set_nth(const char *text, const struct kernel_param *param)
{
	whose = current;
	failing = false;
	return param_set_uint(text, param);
}

static const struct kernel_param_ops nth_ops = {
	.set = set_nth,
	.get = param_get_uint,
};
module_param_cb(nth, &nth_ops, &nth, 0600);

bool seen_nth_fails(void)
{
	if (in_interrupt())
		atomic_inc(&for_packets);
	if (READ_ONCE(always))
		return true;
	if (!in_task() || current != whose)
		return false;
	if (failing && onwards)
		return true;
	if (!nth || --nth)
		return false;
	failing = true;
	/* The same text as that of the kernel's own fault injection. */
	pr_notice("FAULT_INJECTION: forcing a failure. %pS\n",
		  __builtin_return_address(0));
	return true;
}
EXPORT_SYMBOL_GPL(seen_nth_fails);

/* The counter of the kernel's own fault injection. */
static unsigned int kernel_nth(void)
{
#ifdef CONFIG_FAULT_INJECTION
	return in_task() ? current->fail_nth : 0;
#else
	return 0;
#endif
}

unsigned int seen_nth_enter(void)
{
	return kernel_nth();
}
EXPORT_SYMBOL_GPL(seen_nth_enter);

void seen_nth_leave(unsigned int was)
{
	if (was && in_task() && !kernel_nth())
		pr_notice("seen_nth: asked for by %pS\n",
			  __builtin_return_address(0));
}
EXPORT_SYMBOL_GPL(seen_nth_leave);

MODULE_DESCRIPTION("Tests: allocations of the module seen fail");
MODULE_LICENSE("GPL");
