// SPDX-License-Identifier: GPL-2.0
/*
 * VLANs and port flags of bridges.
 *
 * The module does not depend on the bridge module, so that it loads without a bridge, too. It
 * gets the bridge's functions when the first port is hooked, and puts them after the last
 * port was unhooked. A packet that still calls one then is in an RCU section, for whose end the
 * bridge module waits before it is removed. A bridge without ports may send packets later: they
 * are in no VLAN.
 */
#include <linux/if_bridge.h>
#include <linux/if_vlan.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "guard_port.h"
#include "guard_vlan.h"

static struct {
	typeof(br_vlan_enabled) *enabled;
	typeof(br_vlan_get_proto) *get_proto;
	typeof(br_vlan_get_pvid_rcu) *get_pvid;
	typeof(br_vlan_get_info_rcu) *get_info;
	typeof(br_port_flag_is_set) *flag_is_set;
	typeof(br_port_get_stp_state) *get_state;
} bridge;

static u32 users;	/* hooked ports, under rtnl */

#define vlan_find(function, symbol) \
	WRITE_ONCE(bridge.function, symbol_get(symbol))

void seen_vlan_get(void)
{
	ASSERT_RTNL();
	if (users++)
		return;
	vlan_find(get_proto, br_vlan_get_proto);
	vlan_find(get_pvid, br_vlan_get_pvid_rcu);
	vlan_find(get_info, br_vlan_get_info_rcu);
	vlan_find(flag_is_set, br_port_flag_is_set);
	vlan_find(get_state, br_port_get_stp_state);
	/* Pairs with vlan_aware(): a reader of this pointer also finds the ones set above. */
	smp_store_release(&bridge.enabled, symbol_get(br_vlan_enabled));
}

static void vlan_release(void *symbol)
{
	if (symbol)
		symbol_put_addr(symbol);
}

void seen_vlan_put(void)
{
	typeof(br_vlan_enabled) *enabled = bridge.enabled;

	ASSERT_RTNL();
	if (--users)
		return;
	WRITE_ONCE(bridge.enabled, NULL);
	vlan_release(bridge.get_proto);
	vlan_release(bridge.get_pvid);
	vlan_release(bridge.get_info);
	vlan_release(bridge.flag_is_set);
	vlan_release(bridge.get_state);
	vlan_release(enabled);
}

static bool vlan_aware(const struct net_device *master)
{
	/* Pairs with seen_vlan_get(). */
	typeof(br_vlan_enabled) *enabled = smp_load_acquire(&bridge.enabled);

	return master && enabled && enabled(master);
}

struct seen_domain seen_vlan_frame(const struct sk_buff *skb)
{
	struct seen_domain domain = { .key = -1 };

	/* A tag with VLAN ID 0 is only a priority, which switches remove. */
	if (skb_vlan_tag_present(skb) && skb_vlan_tag_get_id(skb)) {
		domain.vlan.proto = skb->vlan_proto;
		domain.vlan.id = skb_vlan_tag_get_id(skb);
	}
	return domain;
}

/*
 * A frame is in the VLAN of its tag, if the tag has the bridge's protocol, else in the PVID of
 * its port. A tagged and an untagged frame of a VLAN are the same if their contents are equal,
 * so the key has the VLAN and not the tag. A tag of another protocol is part of the contents,
 * so it stays in the key.
 */
static void vlan_set(struct seen_domain *domain, const struct net_device *dev,
		     const struct net_device *master, const struct sk_buff *skb)
{
	typeof(br_vlan_get_proto) *get_proto = READ_ONCE(bridge.get_proto);
	typeof(br_vlan_get_pvid_rcu) *get_pvid = READ_ONCE(bridge.get_pvid);
	u16 proto = 0, vlan = 0;
	bool own;

	get_proto(master, &proto);
	own = skb_vlan_tag_present(skb) && skb->vlan_proto == htons(proto);
	if (own)
		vlan = skb_vlan_tag_get_id(skb);
	if (!vlan)
		get_pvid(dev, &vlan);
	if (own || !skb_vlan_tag_present(skb))
		domain->key = vlan;
	domain->salt = 2 * vlan;
	domain->vlan.proto = htons(proto);
	domain->vlan.id = vlan;
}

struct seen_domain seen_vlan_domain(const struct seen_port *port,
				    const struct net_device *dev,
				    const struct sk_buff *skb)
{
	const struct net_device *master = READ_ONCE(port->guard->device);
	struct seen_domain domain = seen_vlan_frame(skb);

	if (vlan_aware(master))
		vlan_set(&domain, dev, master, skb);
	return domain;
}

bool seen_vlan_egress(const struct seen_port *port, struct seen_vlan *vlan)
{
	typeof(br_vlan_get_info_rcu) *get_info;
	struct bridge_vlan_info info;

	if (!vlan_aware(READ_ONCE(port->guard->device)))
		return true;
	get_info = READ_ONCE(bridge.get_info);
	if (get_info(port->dev, vlan->id, &info))
		return false;
	if (info.flags & BRIDGE_VLAN_INFO_UNTAGGED)
		vlan->proto = 0;
	return true;
}

bool seen_vlan_forwards(const struct net_device *dev)
{
	ASSERT_RTNL();
	return bridge.get_state &&
	       bridge.get_state(dev) == BR_STATE_FORWARDING;
}

bool seen_vlan_isolated(const struct net_device *dev)
{
	typeof(br_port_flag_is_set) *is_set = READ_ONCE(bridge.flag_is_set);

	return is_set && is_set(dev, BR_ISOLATED);
}
