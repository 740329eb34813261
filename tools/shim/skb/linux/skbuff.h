/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Userspace stand-in for the parts of the kernel's network headers that kmod/packet.c,
 * tunnel.c, payload.c and key.c use. Each piece of a packet may be in memory of exactly its
 * size, so that a sanitizer reports each read beyond it.
 */
#ifndef SEEN_SKB_SKBUFF_H
#define SEEN_SKB_SKBUFF_H

#include <linux/types.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <asm/byteorder.h>
#include <string.h>

#define htons(x)	__cpu_to_be16(x)
#define htonl(x)	__cpu_to_be32(x)
#define ntohs(x)	__be16_to_cpu(x)
#define ntohl(x)	__be32_to_cpu(x)

#define min_t(type, a, b) \
	({ type _a = (a), _b = (b); _a < _b ? _a : _b; })
#define max_t(type, a, b) \
	({ type _a = (a), _b = (b); _a > _b ? _a : _b; })
#define min(a, b)	min_t(typeof(a), a, b)
#define max(a, b)	max_t(typeof(a), a, b)

#define CHECKSUM_NONE		0
#define CHECKSUM_PARTIAL	3
#define CSUM_MANGLED_0		((__sum16)0xffff)
#define VLAN_HLEN		4
#define VLAN_VID_MASK		0x0fff
#define NO_MAC			0xffff

#ifndef IFNAMSIZ
#define IFNAMSIZ		16
#endif

/**
 * struct net_device - a device
 * @type: ARPHRD_x
 * @name: of the device
 * @running: the device is up
 * @carrier: the device has a carrier
 * @needed_headroom: of packets that the device sends
 * @needed_tailroom: of packets that the device sends
 * @dev_addr: source address of packets that the device sends
 * @vlan_filtering: for a bridge: VLAN filtering is on
 * @vlan_proto: for a bridge: protocol of its VLANs, in host order
 * @pvid: for a bridge port: the VLAN of untagged frames; 0: none
 * @closed: for a bridge port: closed by a spanning tree
 * @vlans: for a bridge port: its VLANs below 32, a bit each
 * @untagged: for a bridge port: the VLANs in which it sends untagged frames
 */
struct net_device {
	unsigned short type;
	char name[IFNAMSIZ];
	bool running;
	bool carrier;
	unsigned short needed_headroom;
	unsigned short needed_tailroom;
	u8 dev_addr[6];
	bool vlan_filtering;
	u16 vlan_proto;
	u16 pvid;
	bool closed;
	u32 vlans;
	u32 untagged;
};

#define MAX_SKB_FRAGS		17

typedef struct {
	u8 *address;
	u32 size;
} skb_frag_t;

/**
 * struct skb_shared_info - the pieces of a packet after the linear one
 * @nr_frags: elements of @frags
 * @frags: pages
 * @frag_list: buffers, linked by @next
 */
struct skb_shared_info {
	u8 nr_frags;
	skb_frag_t frags[MAX_SKB_FRAGS];
	struct sk_buff *frag_list;
};

/**
 * struct sk_buff - a packet
 * @next: next buffer in a fragment list
 * @shared: the pieces after the linear one; NULL: no such pieces
 * @missed: set when bytes are read that are in no piece, as in a packet that was not captured
 *          completely; NULL: all bytes are there
 * @head: the linear piece, with its headroom
 * @data: pointer into @head, to the header of the layer that reads the packet
 * @len: bytes from @data to the packet's end
 * @data_len: bytes after the linear piece
 * @mac_header: offset from @head; NO_MAC: not set
 * @network_header: offset from @head
 * @csum_start: offset from @head
 * @csum_offset: offset from @csum_start
 * @ip_summed: CHECKSUM_x
 * @tagged: the VLAN tag is in @vlan_tci, not in the frame
 * @vlan_tci: the tag
 * @vlan_proto: protocol of the tag
 * @protocol: ethertype, possibly a wrong one
 * @skb_iif: index of the interface on which the packet arrived
 * @dev: current device
 * @mark: of the packet
 * @priority: of the packet
 * @gso: several merged packets
 * @end: for a message that is written: end of its memory
 */
struct sk_buff {
	struct sk_buff *next;
	struct skb_shared_info *shared;
	bool *missed;
	u8 *head;
	u8 *data;
	u32 len;
	u32 data_len;
	u16 mac_header;
	u16 network_header;
	u16 csum_start;
	u16 csum_offset;
	u8 ip_summed;
	bool tagged;
	u16 vlan_tci;
	__be16 vlan_proto;
	__be16 protocol;
	int skb_iif;
	struct net_device *dev;
	u32 mark;
	u32 priority;
	bool gso;
	u8 *end;
};

struct vlan_hdr {
	__be16 h_vlan_TCI;
	__be16 h_vlan_encapsulated_proto;
};

struct sctphdr {
	__be16 source;
	__be16 dest;
	__be32 vtag;
	__le32 checksum;
};

struct frag_hdr {
	__u8 nexthdr;
	__u8 reserved;
	__be16 frag_off;
	__be32 identification;
};

#define NEXTHDR_HOP		0
#define NEXTHDR_ROUTING		43
#define NEXTHDR_FRAGMENT	44
#define NEXTHDR_DEST		60
#define IP_MF			0x2000
#define IP_OFFSET		0x1fff
#define IP6_MF			0x0001
#define IP6_OFFSET		0xfff8
#define ipv6_optlen(p)		(((p)->hdrlen + 1) << 3)

static inline bool skb_is_gso(const struct sk_buff *skb)
{
	return skb->gso;
}

static inline u32 skb_headlen(const struct sk_buff *skb)
{
	return skb->len - skb->data_len;
}

static inline bool skb_is_nonlinear(const struct sk_buff *skb)
{
	return skb->data_len;
}

static inline int skb_headroom(const struct sk_buff *skb)
{
	return skb->data - skb->head;
}

static inline bool skb_mac_header_was_set(const struct sk_buff *skb)
{
	return skb->mac_header != NO_MAC;
}

static inline int skb_mac_offset(const struct sk_buff *skb)
{
	return skb->mac_header - skb_headroom(skb);
}

static inline int skb_network_offset(const struct sk_buff *skb)
{
	return skb->network_header - skb_headroom(skb);
}

static inline int skb_checksum_start_offset(const struct sk_buff *skb)
{
	return skb->csum_start - skb_headroom(skb);
}

static inline bool skb_vlan_tag_present(const struct sk_buff *skb)
{
	return skb->tagged;
}

static inline u16 skb_vlan_tag_get_id(const struct sk_buff *skb)
{
	return skb->vlan_tci & VLAN_VID_MASK;
}

static inline bool eth_type_vlan(__be16 type)
{
	return type == htons(ETH_P_8021Q) || type == htons(ETH_P_8021AD);
}

static inline const struct skb_shared_info *skb_shinfo(const struct sk_buff *skb)
{
	static const struct skb_shared_info none;

	return skb->shared ? skb->shared : &none;
}

static inline bool skb_has_frag_list(const struct sk_buff *skb)
{
	return skb_shinfo(skb)->frag_list;
}

#define skb_walk_frags(skb, buffer) \
	for (buffer = skb_shinfo(skb)->frag_list; buffer; buffer = buffer->next)

static inline u8 *skb_frag_address(const skb_frag_t *frag)
{
	return frag->address;
}

static inline u32 skb_frag_size(const skb_frag_t *frag)
{
	return frag->size;
}

/* The caller asks because it wants to read the pages. */
static inline bool skb_frags_readable(const struct sk_buff *skb)
{
	if (!skb->missed)
		return true;
	*skb->missed = true;
	return false;
}

/* Copy the wanted bytes that this piece has; false: all have been copied. */
static inline bool skb_copy_piece(const u8 *from, int size, int *off, u8 **to,
				  int *len)
{
	int here = min(size - *off, *len);

	if (here <= 0) {
		*off -= size;
		return true;
	}
	memcpy(*to, from + *off, here);
	*to += here;
	*len -= here;
	*off = 0;
	return *len;
}

static inline void skb_copy_all(const struct sk_buff *skb, int *off, u8 **to,
				int *len)
{
	const struct skb_shared_info *shared = skb_shinfo(skb);
	const struct sk_buff *buffer;
	int i;

	if (!skb_copy_piece(skb->data, skb_headlen(skb), off, to, len))
		return;
	for (i = 0; i < shared->nr_frags; i++)
		if (!skb_copy_piece(shared->frags[i].address,
				    shared->frags[i].size, off, to, len))
			return;
	skb_walk_frags(skb, buffer)
		if (*len)
			skb_copy_all(buffer, off, to, len);
}

static inline int skb_copy_bits(const struct sk_buff *skb, int off, void *to,
				int len)
{
	u8 *at = to;

	if (off > (int)skb->len - len || off < -skb_headroom(skb))
		return -1;
	if (len)
		skb_copy_all(skb, &off, &at, &len);
	if (!len)
		return 0;
	if (!skb->missed)
		__builtin_trap();	/* as the kernel's WARN_ON() */
	*skb->missed = true;
	return -1;
}

static inline void *skb_header_pointer(const struct sk_buff *skb, int off,
				       int len, void *buf)
{
	if ((int)skb_headlen(skb) - off >= len)
		return skb->data + off;
	return skb_copy_bits(skb, off, buf, len) < 0 ? NULL : buf;
}

/*
 * As in the kernel: the sum of 16-bit words as this machine loads them. An odd last byte is
 * followed by a zero byte.
 */
static inline __wsum skb_checksum(const struct sk_buff *skb, int off, int len,
				  __wsum sum)
{
	u64 total = sum;
	int i;

	for (i = 0; i < len; i += 2) {
		u16 word = 0;

		if (skb_copy_bits(skb, off + i, &word, min_t(int, len - i, 2)))
			__builtin_trap();	/* as the kernel's BUG_ON() */
		total += word;
	}
	while (total >> 32)
		total = (u32)total + (total >> 32);
	return total;
}

static inline __sum16 csum_fold(__wsum sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

static inline u8 ipv6_get_dsfield(const struct ipv6hdr *ip)
{
	return ip->priority << 4 | ip->flow_lbl[0] >> 4;
}

static inline void ipv6_addr_set_v4mapped(__be32 addr, struct in6_addr *to)
{
	to->s6_addr32[0] = 0;
	to->s6_addr32[1] = 0;
	to->s6_addr32[2] = htonl(0xffff);
	to->s6_addr32[3] = addr;
}

static inline bool ipv6_prefix_equal(const struct in6_addr *a,
				     const struct in6_addr *b, int prefix)
{
	int whole = prefix >> 3, bits = prefix & 7;

	return !memcmp(a, b, whole) &&
	       (!bits || !((a->s6_addr[whole] ^ b->s6_addr[whole]) >> (8 - bits)));
}

static inline bool ipv6_addr_v4mapped(const struct in6_addr *addr)
{
	return !addr->s6_addr32[0] && !addr->s6_addr32[1] &&
	       addr->s6_addr32[2] == htonl(0xffff);
}

static inline void ipv6_addr_prefix(struct in6_addr *to,
				    const struct in6_addr *addr, int prefix)
{
	int whole = prefix >> 3, bits = prefix & 7;

	memset(to, 0, sizeof(*to));
	memcpy(to, addr, whole);
	if (bits)
		to->s6_addr[whole] = addr->s6_addr[whole] & (0xff00 >> bits);
}

#endif
