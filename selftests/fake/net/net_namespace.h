/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_FAKE_NET_NAMESPACE_H
#define SEEN_FAKE_NET_NAMESPACE_H

#include <linux/list.h>

/* @generic: the private data of the only module */
struct net {
	struct list_head exit_list;
	void *generic;
};

/* The only namespace. */
extern struct net fake_net;

#define sock_net(sk)		(&fake_net)

struct pernet_operations {
	int (*init)(struct net *net);
	void (*pre_exit)(struct net *net);
	void (*exit_batch)(struct list_head *nets);
	unsigned int *id;
	size_t size;
};

int register_pernet_subsys(struct pernet_operations *ops);
void unregister_pernet_subsys(struct pernet_operations *ops);

struct ctl_table_header;

#endif
