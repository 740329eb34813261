/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_FAKE_NETLINK_H
#define SEEN_FAKE_NETLINK_H

#include <linux/kernel.h>
#include_next <linux/netlink.h>

#define NLMSG_GOODSIZE		4096

struct netlink_ext_ack {
	const char *_msg;
	const struct nlattr *bad_attr;
};

#define NL_SET_ERR_MSG(extack, msg)					\
do {									\
	struct netlink_ext_ack *__extack = (extack);			\
									\
	if (__extack)							\
		__extack->_msg = (msg);					\
} while (0)
#define NL_SET_ERR_ATTR_MISS(extack, nest, type)	((void)(extack), (void)(nest))
#define NL_SET_BAD_ATTR(extack, attr)	((extack)->bad_attr = (attr))
#define NL_SET_ERR_MSG_ATTR(extack, attr, msg)				\
do {									\
	(void)(attr);							\
	NL_SET_ERR_MSG(extack, msg);					\
} while (0)
/* The text with its placeholders. */
/* The arguments are used, and not evaluated. */
int fake_text(const char *fmt, ...);
#define NL_SET_ERR_MSG_FMT(extack, fmt, ...)				\
do {									\
	(void)sizeof(fake_text(fmt, ##__VA_ARGS__));			\
	NL_SET_ERR_MSG(extack, fmt);					\
} while (0)

struct netlink_notify {
	struct net *net;
	u32 portid;
	int protocol;
};

struct netlink_skb_parms {
	u32 portid;
};

struct netlink_callback {
	struct sk_buff *skb;
	const struct nlmsghdr *nlh;
	struct netlink_ext_ack *extack;
	u32 min_dump_alloc;
	unsigned int seq;
	long args[6];
};

#define NETLINK_CB(skb)		((struct netlink_skb_parms) { 0 })
#define NETLINK_URELEASE	1

struct notifier_block;
int netlink_register_notifier(struct notifier_block *block);
int netlink_unregister_notifier(struct notifier_block *block);

#endif
