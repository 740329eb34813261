// SPDX-License-Identifier: GPL-2.0
/*
 * Tests: the module's own code appends a trail to frames, rewrites the trail and removes it. Each
 * step gets a new skb as the parameters describe it. insmod fails with EBADMSG if a step leaves a
 * wrong checksum or a wrong trail, or changes the data of a clone; the kernel log names the step.
 * With "fcs", insmod only sets a feature of a device.
 */
#include <linux/ip.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/rtnetlink.h>
#include <linux/sched.h>
#include <linux/udp.h>
#include <net/checksum.h>
#include <net/net_namespace.h>

#include "trailer.h"

#define HEADROOM	64
#define PAYLOAD_MAX	200

static unsigned int paged;
module_param(paged, uint, 0);
MODULE_PARM_DESC(paged, "last bytes of the frame that are in pages");

static unsigned int room;
module_param(room, uint, 0);
MODULE_PARM_DESC(room, "bytes of tailroom");

static bool cloned;
module_param(cloned, bool, 0);
MODULE_PARM_DESC(cloned, "the frame has a clone");

static unsigned int summed;
module_param(summed, uint, 0);
MODULE_PARM_DESC(summed, "ip_summed of the frame: 0 (none), 2 (complete) or 3 (partial)");

static char *fcs;
module_param(fcs, charp, 0);
MODULE_PARM_DESC(fcs, "device in the caller's namespace that keeps the FCS of frames");

enum sums_step { SUMS_APPEND, SUMS_REWRITE, SUMS_STRIP };

static const char * const sums_names[] = { "append", "rewrite", "strip" };
static const struct seen_trail_domain domain = { .sign = true };
/* The frame before a step, and after the step. */
static struct sums_frame {
	struct ethhdr eth;
	struct iphdr ip;
	struct udphdr udp;
	u8 rest[PAYLOAD_MAX + SEEN_TRAIL_BYTES_MAX];
} __packed frame, after;
/* Bytes of @frame; bytes of the datagram in it, with and without its header. */
static u32 frame_len, udp_len, payload;

/* The checksum of the datagram; 0: the checksum that it has is right. */
static __sum16 sums_udp(const struct sums_frame *of)
{
	return csum_tcpudp_magic(of->ip.saddr, of->ip.daddr, udp_len, IPPROTO_UDP,
				 csum_partial(&of->udp, udp_len, 0));
}

static void sums_make_frame(void)
{
	u32 i;

	for (i = 0; i < sizeof(frame); i++)
		((u8 *)&frame)[i] = 7 * i + 1;
	udp_len = sizeof(frame.udp) + payload;
	frame_len = offsetof(struct sums_frame, rest) + payload;
	frame.eth.h_proto = htons(ETH_P_IP);
	frame.ip.version = 4;
	frame.ip.ihl = sizeof(frame.ip) / 4;
	frame.ip.tot_len = htons(sizeof(frame.ip) + udp_len);
	frame.ip.frag_off = 0;
	frame.ip.protocol = IPPROTO_UDP;
	frame.udp.len = htons(udp_len);
	frame.udp.check = 0;
	frame.udp.check = summed != CHECKSUM_PARTIAL ? sums_udp(&frame) :
		~csum_tcpudp_magic(frame.ip.saddr, frame.ip.daddr, udp_len, IPPROTO_UDP, 0);
}

/* An skb of @frame, with its data at the network header, as at the first hook of a bridge. */
static struct sk_buff *sums_make_skb(u8 ip_summed)
{
	u32 linear = frame_len - paged;
	struct sk_buff *skb;
	int err;

	skb = alloc_skb_with_frags(HEADROOM + linear + room, paged, 0, &err, GFP_KERNEL);
	if (!skb)
		return NULL;
	skb_reserve(skb, skb_tailroom(skb) - linear - room);
	skb_put(skb, linear);
	skb->data_len = paged;
	skb->len += paged;
	skb_store_bits(skb, 0, &frame, frame_len);
	skb_reset_mac_header(skb);
	__skb_pull(skb, ETH_HLEN);
	skb_reset_network_header(skb);
	skb->protocol = htons(ETH_P_IP);
	skb->dev = init_net.loopback_dev;
	skb->ip_summed = ip_summed;
	if (ip_summed == CHECKSUM_COMPLETE)
		skb->csum = skb_checksum(skb, 0, skb->len, 0);
	if (ip_summed == CHECKSUM_PARTIAL)
		skb_partial_csum_set(skb, sizeof(frame.ip), offsetof(struct udphdr, check));
	return skb;
}

static bool sums_do(enum sums_step step, struct sk_buff *skb)
{
	const struct seen_trail next = { { 0x123456789abcdefULL << step }, .hops = step + 1 };
	enum seen_trailer_kind kind;
	struct seen_trailer trailer;
	struct seen_packet packet;
	struct seen_trail trail;

	if (!seen_packet_parse(&packet, skb))
		return false;
	kind = seen_trailer_find(&domain, &packet, skb, &trailer, &trail);
	if (step == SUMS_APPEND)
		return kind == SEEN_TRAILER_ABSENT &&
		       seen_trailer_append(&domain, &trailer, &next, ETH_DATA_LEN);
	if (kind != SEEN_TRAILER_PRESENT || trail.hops != step)
		return false;
	if (step == SUMS_REWRITE)
		return seen_trailer_rewrite(&domain, &trailer, &next, ETH_DATA_LEN);
	return seen_trailer_strip(&domain, &trailer);
}

/* Reads the bytes of an skb to @after, and returns their number. */
static u32 sums_read(const struct sk_buff *skb)
{
	u32 len = ETH_HLEN + skb->len;

	return len <= sizeof(after) && !skb_copy_bits(skb, -ETH_HLEN, &after, len) ? len : 0;
}

/* Returns what is wrong after the step, or NULL; then the result of the step is in @frame. */
static const char *sums_judge(enum sums_step step, struct sk_buff *skb,
			      const struct sk_buff *clone)
{
	u32 len = max_t(u32, offsetof(struct sums_frame, rest) + payload, ETH_ZLEN);
	u8 ip_summed = skb->ip_summed;

	if (!sums_do(step, skb))
		return "it failed, or the trail before it is wrong";
	if (clone && (sums_read(clone) != frame_len || memcmp(&after, &frame, frame_len)))
		return "the data of the clone changed";
	/* The checksum that hardware was to make must be there, without the trail. */
	if (skb->ip_summed != (ip_summed == CHECKSUM_PARTIAL ? CHECKSUM_NONE : ip_summed))
		return "ip_summed is wrong";
	if (ip_summed == CHECKSUM_COMPLETE &&
	    csum_fold(skb->csum) != csum_fold(skb_checksum(skb, 0, skb->len, 0)))
		return "the sum of all bytes is wrong";
	if (step != SUMS_STRIP)
		len += seen_trail_bytes(&domain);
	if (sums_read(skb) != len)
		return "the length is wrong";
	if (sums_udp(&after))
		return "the checksum of UDP is wrong";
	frame = after;
	frame_len = len;
	return NULL;
}

static int sums_step(enum sums_step step)
{
	/* The first step makes the checksum of the datagram. */
	u8 ip_summed = step && summed == CHECKSUM_PARTIAL ? CHECKSUM_NONE : summed;
	struct sk_buff *skb = sums_make_skb(ip_summed), *clone = NULL;
	const char *wrong = "no memory";

	if (skb && cloned)
		clone = skb_clone(skb, GFP_KERNEL);
	if (skb && (clone || !cloned))
		wrong = sums_judge(step, skb, clone);
	if (wrong)
		pr_notice("seen_sums: %u bytes, %s: %s\n", payload, sums_names[step], wrong);
	kfree_skb(clone);
	kfree_skb(skb);
	return wrong ? -EBADMSG : 0;
}

static int sums_keep_fcs(void)
{
	struct net_device *dev;

	rtnl_lock();
	dev = __dev_get_by_name(current->nsproxy->net_ns, fcs);
	if (dev)
		dev->features |= NETIF_F_RXFCS;
	rtnl_unlock();
	return dev ? 0 : -ENODEV;
}

/* A datagram of each size. The shortest frames are padded. */
static int __init sums_init(void)
{
	enum sums_step step;
	int err = 0;

	if (fcs)
		return sums_keep_fcs();
	for (payload = paged; payload <= PAYLOAD_MAX && !err; payload++) {
		sums_make_frame();
		for (step = SUMS_APPEND; step <= SUMS_STRIP && !err; step++)
			err = sums_step(step);
	}
	return err;
}
module_init(sums_init);

static void __exit sums_exit(void)
{
}
module_exit(sums_exit);

MODULE_DESCRIPTION("Tests: checksums of frames whose trail changes");
MODULE_LICENSE("GPL");
