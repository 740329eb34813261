/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between the supported kernels, 6.1 to 7.2. Where possible, a kernel is
 * recognized by a macro that it defines.
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
 * 6.2: a command and its dump are two operations, each with its own policy. pre_doit and
 * post_doit belong to an operation, not to the family. Kbuild checks whether the kernel has
 * struct genl_split_ops.
 *
 * SEEN_GENL_DUMP_OF() - end the operation of a command and begin the operation of its dump.
 * The arguments, and the initializers after the macro, are those of the dump. On older
 * kernels both are one operation, with the policy of the command.
 */
#ifdef SEEN_SPLIT_OPS
#define seen_genl_ops genl_split_ops
#define seen_family_ops split_ops
#define seen_family_n_ops n_split_ops
#define SEEN_GENL_DO(pre, post)				\
	.flags = GENL_UNS_ADMIN_PERM | GENL_CMD_CAP_DO,	\
	.pre_doit = pre, .post_doit = post
#define SEEN_GENL_DUMP					\
	.flags = GENL_UNS_ADMIN_PERM | GENL_CMD_CAP_DUMP
#define SEEN_GENL_DUMP_OF(...)				\
	.validate = 0 }, { __VA_ARGS__, SEEN_GENL_DUMP
#else
#define seen_genl_ops genl_ops
#define seen_family_ops ops
#define seen_family_n_ops n_ops
#define SEEN_GENL_DO(pre, post) .flags = GENL_UNS_ADMIN_PERM
#define SEEN_GENL_DUMP .flags = GENL_UNS_ADMIN_PERM
#define SEEN_GENL_DUMP_OF(...) .validate = 0
#endif

/* 6.2: struct netlink_ext_ack has a buffer for a formatted text. */
#ifdef NL_SET_ERR_MSG_FMT
#define SEEN_SET_ERR_MSG_FMT(sn, extack, fmt, ...) \
	NL_SET_ERR_MSG_FMT(extack, fmt, ##__VA_ARGS__)
struct seen_texts {};
#else
#define SEEN_SET_ERR_MSG_FMT(sn, extack, fmt, ...) \
	seen_set_text(&(sn)->texts, extack, fmt, ##__VA_ARGS__)

/*
 * Error texts that contain names and numbers. A text must stay until the reply to its
 * command is built. The 32nd later error in the same namespace overwrites it; normally the
 * reply has been built by then.
 */
struct seen_texts {
	atomic_t next;
	char text[32][96];
};

/*
 * All texts are padded to the same length. Netlink computes the size of a reply before it
 * copies the text. If later errors overwrite the text in between, a longer text would not
 * fit.
 */
static inline __printf(3, 4) void
seen_set_text(struct seen_texts *texts, struct netlink_ext_ack *extack,
	      const char *fmt, ...)
{
	u32 next = (u32)atomic_inc_return(&texts->next) % ARRAY_SIZE(texts->text);
	char text[sizeof(texts->text[0])];
	va_list args;
	int len;

	if (!extack)
		return;
	va_start(args, fmt);
	len = vscnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	memset(text + len, ' ', sizeof(text) - 1 - len);
	memcpy(texts->text[next], text, sizeof(text) - 1);
	extack->_msg = texts->text[next];
}
#endif

/* 6.7: multicast groups have a flag of their own for "needs CAP_NET_ADMIN". */
#ifdef GENL_MCAST_CAP_NET_ADMIN
#define SEEN_MCAST_ADMIN GENL_MCAST_CAP_NET_ADMIN
#else
#define SEEN_MCAST_ADMIN GENL_UNS_ADMIN_PERM
#endif

/*
 * 6.6: a sysctl table is registered with its size, and register_net_sysctl() is a macro.
 * The attributes of a dump request are in struct genl_info, as for other requests.
 */
#ifdef register_net_sysctl
#define seen_dump_attrs(cb) (genl_info_dump(cb)->attrs)
#define seen_register_net_sysctl(net, path, table) \
	register_net_sysctl_sz(net, path, table, 1)
#else
#define seen_dump_attrs(cb) (genl_dumpit_info(cb)->attrs)
#define seen_register_net_sysctl(net, path, table) \
	register_net_sysctl(net, path, table)
#endif

#endif
