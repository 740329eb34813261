/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the supported kernels, 6.1 to 7.2. Told apart by the
 * existence of a macro where there is one.
 */
#ifndef SEEN_COMPAT_H
#define SEEN_COMPAT_H

#include <linux/netlink.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>

#ifndef CONFIG_64BIT
#error "seen needs a 64-bit kernel"
#endif

/*
 * 6.2: pre_doit and post_doit are given the split form of an operation.
 * NL_SET_ERR_MSG_FMT came with it.
 */
#ifdef NL_SET_ERR_MSG_FMT
#define seen_genl_ops genl_split_ops
#define SEEN_SET_ERR_MSG_FMT NL_SET_ERR_MSG_FMT
#else
#define seen_genl_ops genl_ops
/*
 * Text with names and numbers in it, which struct netlink_ext_ack has no buffer
 * for. The text must outlive the command until its reply is built; by the time
 * that so many refusals have followed it has been.
 */
#define SEEN_SET_ERR_MSG_FMT(extack, fmt, ...) do {			\
	static char text[64][96];					\
	static atomic_t next;						\
	char *now = text[(u32)atomic_inc_return(&next) % ARRAY_SIZE(text)]; \
									\
	snprintf(now, sizeof(text[0]), fmt, ##__VA_ARGS__);		\
	(extack)->_msg = now;						\
} while (0)
#endif

/* 6.7: a multicast group's own flag for "needs CAP_NET_ADMIN". */
#ifdef GENL_MCAST_CAP_NET_ADMIN
#define SEEN_MCAST_ADMIN GENL_MCAST_CAP_NET_ADMIN
#else
#define SEEN_MCAST_ADMIN GENL_UNS_ADMIN_PERM
#endif

/* 6.6: tables come with their size, and a macro counts a static one's. */
#ifdef register_net_sysctl
#define seen_register_net_sysctl(net, path, table) \
	register_net_sysctl_sz(net, path, table, 1)
#else
#define seen_register_net_sysctl(net, path, table) \
	register_net_sysctl(net, path, table)
#endif

#endif
