/* SPDX-License-Identifier: GPL-2.0 */
/* VLANs and port flags of bridges. */
#ifndef SEEN_GUARD_VLAN_H
#define SEEN_GUARD_VLAN_H

#include <linux/netdevice.h>
#include <linux/types.h>

struct seen_port;
struct sk_buff;

/**
 * struct seen_vlan - the VLAN of a frame
 * @proto: TPID of the tag; 0: untagged, in a bridge without VLANs
 * @id: VLAN ID, 1 to 4095; 0: no VLAN
 */
struct seen_vlan {
	__be16 proto;
	u16 id;
};

/**
 * struct seen_domain - the part of a bridge that a frame can reach
 * @vlan: the VLAN into which the bridge puts the frame; without VLANs: that of its tag
 * @key: VLAN ID that the key holds instead of the frame's own ID; negative: the own ID
 * @salt: for seen_guard_salt(); 0: no salt
 */
struct seen_domain {
	struct seen_vlan vlan;
	int key;
	u32 salt;
};

/* seen_vlan_get(), _put() - get or put the bridge's functions, for one port; rtnl held */
void seen_vlan_get(void);
void seen_vlan_put(void);

/* seen_vlan_frame() - the domain of a frame outside of bridges with VLANs */
struct seen_domain seen_vlan_frame(const struct sk_buff *skb);

/**
 * seen_vlan_domain() - the domain of a frame in a bridge
 * @port: of a bridge guard
 * @dev: the device on which the frame arrived, or by which it leaves
 * @skb: the frame
 *
 * Context: RCU read lock, in a hook of the bridge.
 */
struct seen_domain seen_vlan_domain(const struct seen_port *port,
				    const struct net_device *dev,
				    const struct sk_buff *skb);

/**
 * seen_vlan_egress() - the tag with which a port sends frames of a VLAN
 * @port: of a bridge guard, not the bridge itself
 * @vlan: in: from seen_vlan_domain(); out: @proto is 0 if it sends them untagged
 *
 * Context: RCU read lock; the port is in the guard's list.
 * Return: true; false: the port sends no frames of this VLAN.
 */
bool seen_vlan_egress(const struct seen_port *port, struct seen_vlan *vlan);

/* seen_vlan_forwards() - is a port of a bridge in state forwarding? rtnl held */
bool seen_vlan_forwards(const struct net_device *dev);

/* seen_vlan_isolated() - is a device an isolated port of its bridge? */
bool seen_vlan_isolated(const struct net_device *dev);

static inline bool seen_vlan_same(struct seen_vlan a, struct seen_vlan b)
{
	return a.proto == b.proto && a.id == b.id;
}

#endif
