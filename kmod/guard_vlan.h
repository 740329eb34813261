/* SPDX-License-Identifier: GPL-2.0 */
/* VLANs and port flags, as a bridge sees them. */
#ifndef SEEN_GUARD_VLAN_H
#define SEEN_GUARD_VLAN_H

#include <linux/netdevice.h>
#include <linux/types.h>

struct seen_port;
struct sk_buff;

/**
 * struct seen_vlan - the VLAN that a frame is in
 * @proto: of the tag; 0: untagged, in a bridge without VLANs
 * @id: 0 to 4095; 0: none
 */
struct seen_vlan {
	__be16 proto;
	u16 id;
};

/**
 * struct seen_domain - the part of a bridge that a frame may reach
 * @vlan: the VLAN of the frame: the bridge's, else that of the frame's tag
 * @key: the VLAN that replaces the frame's own in the key; negative: none does
 * @salt: of seen_guard_salt(); 0: none
 */
struct seen_domain {
	struct seen_vlan vlan;
	int key;
	u32 salt;
};

/* seen_vlan_get(), _put() - the bridge's functions, for one hooked port; rtnl held */
void seen_vlan_get(void);
void seen_vlan_put(void);

/* seen_vlan_frame() - the domain of a frame that no bridge has put into a VLAN */
struct seen_domain seen_vlan_frame(const struct sk_buff *skb);

/**
 * seen_vlan_domain() - the domain that a bridge puts a frame into
 * @port: of a bridge guard
 * @dev: the device that the frame came by, or leaves by
 * @skb: the frame
 *
 * Context: RCU read lock, in a hook of the bridge.
 */
struct seen_domain seen_vlan_domain(const struct seen_port *port,
				    const struct net_device *dev,
				    const struct sk_buff *skb);

/**
 * seen_vlan_egress() - the tag that frames of a VLAN carry behind a port
 * @port: of a bridge guard, not the bridge itself
 * @vlan: in: of seen_vlan_domain(); out: @proto is 0 if they carry none
 *
 * Context: RCU read lock; the port is in the guard's list.
 * Return: false: the bridge sends no frame of this VLAN there.
 */
bool seen_vlan_egress(const struct seen_port *port, struct seen_vlan *vlan);

/* seen_vlan_forwards() - does its bridge send by this port, whatever VLAN? rtnl held */
bool seen_vlan_forwards(const struct net_device *dev);

/* seen_vlan_isolated() - is it an isolated port of its bridge? */
bool seen_vlan_isolated(const struct net_device *dev);

static inline bool seen_vlan_same(struct seen_vlan a, struct seen_vlan b)
{
	return a.proto == b.proto && a.id == b.id;
}

#endif
