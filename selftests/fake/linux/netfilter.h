/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_FAKE_NETFILTER_H
#define SEEN_FAKE_NETFILTER_H

#include <linux/kernel.h>
#include_next <linux/netfilter.h>

struct net;

struct nf_hook_state {
	struct net_device *out;
};

typedef unsigned int nf_hookfn(void *priv, struct sk_buff *skb,
			       const struct nf_hook_state *state);

struct nf_hook_ops {
	nf_hookfn *hook;
	struct net_device *dev;
	void *priv;
	u8 pf;
	unsigned int hooknum;
	int priority;
};

int nf_register_net_hook(struct net *net, const struct nf_hook_ops *op);
void nf_unregister_net_hook(struct net *net, const struct nf_hook_ops *op);

#endif
