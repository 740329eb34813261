/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The shim's packets and devices with more fields, which only files that send
 * packets need. The fields stand where the shim declares the last field of its
 * struct.
 *
 * struct net_device:
 * @running, @carrier: a port is open if it has both
 * @needed_headroom, @needed_tailroom: of packets that it sends
 * @dev_addr: source of packets that it sends
 * @vlan_filtering: of a bridge: it has VLANs
 * @vlan_proto: of a bridge: its VLANs' protocol, in host order
 * @pvid: of a port: the VLAN of untagged frames; 0: none
 * @closed: of a port: a spanning tree does
 * @vlans: of a port: the VLANs below 32 that it is in, a bit each
 * @untagged: of a port: the VLANs that it sends without a tag
 * struct sk_buff:
 * @vlan_proto: of the tag beside the frame
 * @priority: of the packet
 */
#ifndef SEEN_FAKE_SKBUFF_H
#define SEEN_FAKE_SKBUFF_H

#define name	needed_headroom;					\
	unsigned short needed_tailroom;					\
	bool running;							\
	bool carrier;							\
	u8 dev_addr[6];							\
	bool vlan_filtering;						\
	u16 vlan_proto;							\
	u16 pvid;							\
	bool closed;							\
	u32 vlans;							\
	u32 untagged;							\
	char name
#define end	end;							\
	__be16 vlan_proto;						\
	u32 priority
#include_next <linux/skbuff.h>
#undef name
#undef end

#endif
