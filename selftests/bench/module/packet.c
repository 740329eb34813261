// SPDX-License-Identifier: GPL-2.0
/* Prepared packets; see bench.h. */
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/udp.h>

#include "bench.h"

#define HEADERS	(sizeof(struct iphdr) + sizeof(struct udphdr))

u32 bench_packet_min(void)
{
	return ETH_HLEN + HEADERS;
}

static void put_eth(struct sk_buff *skb, const struct net_device *dev)
{
	static const u8 from[ETH_ALEN] = { 0x02, 0, 0, 0, 0, 1 };
	struct ethhdr *eth = skb_put_zero(skb, ETH_HLEN);

	ether_addr_copy(eth->h_dest, dev->dev_addr);
	ether_addr_copy(eth->h_source, from);
	eth->h_proto = htons(ETH_P_IP);
}

static void put_ip(struct sk_buff *skb, u32 len)
{
	struct iphdr *ip = skb_put_zero(skb, sizeof(*ip));

	ip->version = 4;
	ip->ihl = sizeof(*ip) / 4;
	ip->tot_len = htons(len);
	ip->ttl = 64;
	ip->protocol = IPPROTO_UDP;
	ip->daddr = htonl(0xc6336401);	/* 198.51.100.1 */
}

static void put_udp(struct sk_buff *skb, u32 len)
{
	struct udphdr *udp = skb_put_zero(skb, sizeof(*udp));

	udp->source = htons(40000);
	udp->dest = htons(9);
	udp->len = htons(len);
}

struct sk_buff *bench_packet(struct net_device *dev, u32 frame)
{
	u32 len = frame - ETH_HLEN;
	struct sk_buff *skb;

	skb = alloc_skb(NET_SKB_PAD + NET_IP_ALIGN + frame, GFP_KERNEL);
	if (!skb)
		return NULL;
	skb_reserve(skb, NET_SKB_PAD + NET_IP_ALIGN);
	put_eth(skb, dev);
	put_ip(skb, len);
	put_udp(skb, len - sizeof(struct iphdr));
	memset(skb_put(skb, len - HEADERS), 'x', len - HEADERS);
	skb->protocol = eth_type_trans(skb, dev);
	skb->skb_iif = dev->ifindex;
	skb_reset_network_header(skb);
	skb_set_transport_header(skb, sizeof(struct iphdr));
	return skb;
}

/* The header's checksum stays wrong: ip_rcv() checks it, and no timed hook does. */
void bench_packet_from(struct sk_buff *skb, u32 address)
{
	ip_hdr(skb)->saddr = htonl(address);
}
