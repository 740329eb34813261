/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_FAKE_IF_VLAN_H
#define SEEN_FAKE_IF_VLAN_H

#include <linux/netdevice.h>

static inline void __vlan_hwaccel_put_tag(struct sk_buff *skb, __be16 proto,
					  u16 tci)
{
	skb->vlan_proto = proto;
	skb->vlan_tci = tci;
	skb->tagged = true;
}

#endif
