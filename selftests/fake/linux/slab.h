/* SPDX-License-Identifier: GPL-2.0 */
/* All kinds of memory. Allocations never fail, and there is one CPU. */
#ifndef SEEN_FAKE_SLAB_H
#define SEEN_FAKE_SLAB_H

#include <linux/kernel.h>

typedef unsigned int gfp_t;

enum {
	GFP_KERNEL		= 1,
	GFP_KERNEL_ACCOUNT	= 2,
	__GFP_ZERO		= 4,
	__GFP_RETRY_MAYFAIL	= 8,
	__GFP_NOWARN		= 16,
};

/* kmalloc() returns memory full of a pattern: it shows a read before the first write. */
#define kmalloc(bytes, gfp)		memset(fake_alloc(bytes), 0xa5, bytes)
#define kzalloc(bytes, gfp)		((void)(gfp), fake_alloc(bytes))
#define kvzalloc(bytes, gfp)		fake_alloc(bytes)
#define kvcalloc(n, bytes, gfp)		fake_alloc((n) * (bytes))
#define vmalloc_huge(bytes, gfp)	fake_alloc(bytes)
#define kfree(p)			fake_free(p)
#define kvfree(p)			fake_free(p)
#define vfree(p)			fake_free(p)
#define kfree_sensitive(p)		fake_free(p)

#define alloc_percpu_gfp(type, gfp) \
	((type *)fake_alloc_percpu(sizeof(type)))
#define free_percpu(p)			fake_free_percpu(p)
#define num_possible_cpus()		1
#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < 1; (cpu)++)
#define nr_cpu_ids			1
#define per_cpu_ptr(p, cpu)		((void)(cpu), (p))
#define get_cpu()			0
#define put_cpu()			((void)0)
/* Callers of the fake module are processes. */
#define in_softirq()			false
#define this_cpu_inc(x)			((x)++)
#define this_cpu_dec(x)			((x)--)
#define this_cpu_add(x, n)		((x) += (n))

struct mem_cgroup;
#define get_mem_cgroup_from_mm(mm)	NULL
#define mem_cgroup_put(group)		((void)(group))

static inline struct mem_cgroup *set_active_memcg(struct mem_cgroup *group)
{
	return group;
}

#endif
