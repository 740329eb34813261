/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that the bridge module exports. A test that calls these defines them. */
#ifndef SEEN_FAKE_IF_BRIDGE_H
#define SEEN_FAKE_IF_BRIDGE_H

#include <linux/netdevice.h>
#include_next <linux/if_bridge.h>

#define BR_ISOLATED	BIT(16)

bool br_vlan_enabled(const struct net_device *dev);
int br_vlan_get_proto(const struct net_device *dev, u16 *proto);
int br_vlan_get_pvid_rcu(const struct net_device *dev, u16 *pvid);
int br_vlan_get_info_rcu(const struct net_device *dev, u16 vid,
			 struct bridge_vlan_info *info);
u8 br_port_get_stp_state(const struct net_device *dev);
bool br_port_flag_is_set(const struct net_device *dev, unsigned long flag);

#endif
