/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included before every file of the module, in a build for tests: each call of the module that
 * allocates first asks seen_nth_fails(). So the module's own allocations are counted, not the
 * kernel's. This also covers per-CPU memory, which the kernel's fault injection cannot let fail,
 * and kernels without fault injection.
 */
#ifndef PLACES_H
#define PLACES_H

#include <linux/mm.h>
#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/netlink.h>
#include <linux/percpu.h>
#include <linux/rhashtable.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/sysctl.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>

#include "seen_nth.h"

#define PLACE	static __maybe_unused __always_inline

/* The result of @call, or @refused. */
#define PLACE_OF(refused, call)						\
({									\
	unsigned int place_was = seen_nth_enter();			\
	typeof(call) place_got;						\
									\
	place_got = seen_nth_fails() ? (refused) : (call);		\
	seen_nth_leave(place_was);					\
	place_got;							\
})

PLACE void *place_kmalloc(size_t size, gfp_t gfp)
{
	return PLACE_OF(NULL, kmalloc(size, gfp));
}

PLACE void *place_kzalloc(size_t size, gfp_t gfp)
{
	return PLACE_OF(NULL, kzalloc(size, gfp));
}

PLACE void *place_kcalloc(size_t n, size_t size, gfp_t gfp)
{
	return PLACE_OF(NULL, kcalloc(n, size, gfp));
}

PLACE void *place_kvzalloc(size_t size, gfp_t gfp)
{
	return PLACE_OF(NULL, kvzalloc(size, gfp));
}

PLACE void *place_kvcalloc(size_t n, size_t size, gfp_t gfp)
{
	return PLACE_OF(NULL, kvcalloc(n, size, gfp));
}

PLACE void *place_vmalloc_huge(unsigned long size, gfp_t gfp)
{
	return PLACE_OF(NULL, vmalloc_huge(size, gfp));
}

PLACE struct sk_buff *place_genlmsg_new(size_t size, gfp_t gfp)
{
	return PLACE_OF(NULL, genlmsg_new(size, gfp));
}

PLACE int
place_rhashtable_init(struct rhashtable *table,
		      const struct rhashtable_params *params)
{
	return PLACE_OF(-ENOMEM, rhashtable_init(table, params));
}

/* The insertion allocates if the table must grow, is being resized or is nested. */
PLACE int
place_rhashtable_insert_fast(struct rhashtable *table, struct rhash_head *node,
			     const struct rhashtable_params params)
{
	return PLACE_OF(-ENOMEM, rhashtable_insert_fast(table, node, params));
}

PLACE int
place_nf_register_net_hook(struct net *net, const struct nf_hook_ops *ops)
{
	return PLACE_OF(-ENOMEM, nf_register_net_hook(net, ops));
}

PLACE int
place_nf_register_net_hooks(struct net *net, const struct nf_hook_ops *ops,
			    unsigned int count)
{
	return PLACE_OF(-ENOMEM, nf_register_net_hooks(net, ops, count));
}

PLACE int
place_xa_alloc_cyclic(struct xarray *xa, u32 *id, void *entry,
		      struct xa_limit limit, u32 *next, gfp_t gfp)
{
	return PLACE_OF(-ENOMEM, xa_alloc_cyclic(xa, id, entry, limit, next, gfp));
}

PLACE int place_register_pernet_subsys(struct pernet_operations *ops)
{
	return PLACE_OF(-ENOMEM, register_pernet_subsys(ops));
}

PLACE int place_register_netdevice_notifier(struct notifier_block *nb)
{
	return PLACE_OF(-ENOMEM, register_netdevice_notifier(nb));
}

PLACE int place_netlink_register_notifier(struct notifier_block *nb)
{
	return PLACE_OF(-ENOMEM, netlink_register_notifier(nb));
}

/* Allocations for the family's announcement are not counted: without them it is registered, too. */
PLACE int place_genl_register_family(struct genl_family *family)
{
	return seen_nth_fails() ? -ENOMEM : genl_register_family(family);
}

PLACE struct ctl_table_header *
place_register_net_sysctl_sz(struct net *net, const char *path,
			     struct ctl_table *table, size_t size)
{
	return PLACE_OF(NULL, register_net_sysctl_sz(net, path, table, size));
}

PLACE int place_skb_linearize(struct sk_buff *skb)
{
	return PLACE_OF(-ENOMEM, skb_linearize(skb));
}

PLACE int place_pskb_expand_head(struct sk_buff *skb, int head, int tail, gfp_t gfp)
{
	return PLACE_OF(-ENOMEM, pskb_expand_head(skb, head, tail, gfp));
}

PLACE int place_pskb_trim_rcsum(struct sk_buff *skb, unsigned int len)
{
	return PLACE_OF(-ENOMEM, pskb_trim_rcsum(skb, len));
}

#undef kmalloc
#define kmalloc				place_kmalloc
#undef kzalloc
#define kzalloc				place_kzalloc
#undef kcalloc
#define kcalloc				place_kcalloc
#undef kvzalloc
#define kvzalloc			place_kvzalloc
#undef kvcalloc
#define kvcalloc			place_kvcalloc
#undef vmalloc_huge
#define vmalloc_huge			place_vmalloc_huge
#define genlmsg_new			place_genlmsg_new
#undef rhashtable_init
#define rhashtable_init			place_rhashtable_init
#define rhashtable_insert_fast		place_rhashtable_insert_fast
#define nf_register_net_hook		place_nf_register_net_hook
#define nf_register_net_hooks		place_nf_register_net_hooks
#define xa_alloc_cyclic			place_xa_alloc_cyclic
#define register_pernet_subsys		place_register_pernet_subsys
#define register_netdevice_notifier	place_register_netdevice_notifier
#define netlink_register_notifier	place_netlink_register_notifier
#undef genl_register_family
#define genl_register_family		place_genl_register_family
#undef register_net_sysctl_sz
#define register_net_sysctl_sz		place_register_net_sysctl_sz

#define skb_linearize			place_skb_linearize
#define pskb_expand_head		place_pskb_expand_head
#define pskb_trim_rcsum			place_pskb_trim_rcsum

/* Replacements for macros that take a type or a format. */
PLACE void __percpu *
place_percpu(size_t size, size_t align, gfp_t gfp)
{
	return PLACE_OF(NULL, __alloc_percpu_gfp(size, align, gfp));
}

#undef alloc_percpu_gfp
#define alloc_percpu_gfp(_type, _gfp)					\
	((typeof(_type) __percpu *)place_percpu(sizeof(_type),		\
						__alignof__(_type), _gfp))

PLACE struct workqueue_struct *
place_workqueue(const char *name, unsigned int flags, int active)
{
	return PLACE_OF(NULL, alloc_workqueue("%s", flags, active, name));
}

#undef alloc_workqueue
#define alloc_workqueue			place_workqueue

/*
 * On UML a per-CPU pointer that is NULL would lead to valid memory, so a use of one is reported
 * here.
 */
#define PLACE_PERCPU(ptr)						\
	((void)WARN_ON((__force unsigned long)(ptr) < PAGE_SIZE))

#undef per_cpu_ptr
#define per_cpu_ptr(ptr, cpu)						\
({									\
	PLACE_PERCPU(ptr);						\
	SHIFT_PERCPU_PTR((ptr), per_cpu_offset(cpu));			\
})

#undef this_cpu_ptr
#define this_cpu_ptr(ptr)						\
({									\
	PLACE_PERCPU(ptr);						\
	raw_cpu_ptr(ptr);						\
})

#undef this_cpu_add
#define this_cpu_add(pcp, val)						\
do {									\
	PLACE_PERCPU(&(pcp));						\
	__pcpu_size_call(this_cpu_add_, pcp, val);			\
} while (0)

#endif
