/* SPDX-License-Identifier: GPL-2.0 */
/* Devices and hooks. Tests call the hooks directly, so registration does nothing. */
#ifndef SEEN_FAKE_NETDEVICE_H
#define SEEN_FAKE_NETDEVICE_H

#include <linux/list.h>
#include <linux/netfilter.h>
#include <net/net_namespace.h>

/* <linux/if_arp.h> needs this type; sys/socket.h cannot be included, because it has a send(). */
struct sockaddr {
	char bytes[16];
};

#define ASSERT_RTNL()		((void)0)

static inline void rtnl_lock(void)
{
}

static inline int rtnl_trylock(void)
{
	return 1;
}

static inline void rtnl_unlock(void)
{
}


struct net_device *__dev_get_by_name(struct net *net, const char *name);
struct net_device *netdev_master_upper_dev_get_rcu(struct net_device *dev);

static inline bool dev_valid_name(const char *name)
{
	return *name && strlen(name) < IFNAMSIZ;
}

struct netdev_phys_item_id {
	unsigned char id_len;
};

int dev_get_port_parent_id(struct net_device *dev,
			   struct netdev_phys_item_id *id, bool recurse);

static inline const struct ethhdr *eth_hdr(const struct sk_buff *skb)
{
	return (const struct ethhdr *)(skb->head + skb->mac_header);
}

static inline bool is_multicast_ether_addr(const u8 *addr)
{
	return addr[0] & 1;
}

static inline bool is_link_local_ether_addr(const u8 *addr)
{
	static const u8 base[] = { 0x01, 0x80, 0xc2, 0x00, 0x00 };

	return !memcmp(addr, base, sizeof(base)) && addr[5] < 0x10;
}

static inline u64 ether_addr_to_u64(const u8 *addr)
{
	u64 number = 0;
	int i;

	for (i = 0; i < ETH_ALEN; i++)
		number = number << 8 | addr[i];
	return number;
}

static inline void u64_to_ether_addr(u64 number, u8 *addr)
{
	int i;

	for (i = ETH_ALEN - 1; i >= 0; i--, number >>= 8)
		addr[i] = number;
}

#define eth_broadcast_addr(addr)	memset(addr, 0xff, ETH_ALEN)
#define ether_addr_copy(to, from)	memcpy(to, from, ETH_ALEN)
#define eth_zero_addr(addr)		memset(addr, 0, ETH_ALEN)

#define netif_running(dev)		READ_ONCE((dev)->running)
#define netif_carrier_ok(dev)		READ_ONCE((dev)->carrier)

/* --- packets that are sent ------------------------------------------------ */

#define LL_RESERVED_SPACE(dev) \
	((ETH_HLEN + (dev)->needed_headroom) / 16 * 16 + 16)

/* alloc_skb() - with room for @bytes; never NULL */
static inline struct sk_buff *alloc_skb(u32 bytes, unsigned int gfp)
{
	struct sk_buff *skb = fake_alloc(sizeof(*skb));

	skb->head = fake_alloc(bytes);
	skb->data = skb->head;
	skb->end = skb->head + bytes;
	skb->mac_header = NO_MAC;
	return skb;
}

static inline void kfree_skb(struct sk_buff *skb)
{
	fake_free(skb->head);
	fake_free(skb);
}

static inline void skb_reserve(struct sk_buff *skb, u32 bytes)
{
	skb->data += bytes;
}

static inline void *skb_put_zero(struct sk_buff *skb, u32 bytes)
{
	u8 *at = skb->data + skb->len;

	if (bytes > skb->end - at)
		abort();
	skb->len += bytes;
	return memset(at, 0, bytes);
}

static inline void *skb_pull(struct sk_buff *skb, u32 bytes)
{
	if (bytes > skb->len)
		abort();
	skb->len -= bytes;
	skb->data += bytes;
	return skb->data;
}

static inline void skb_reset_mac_header(struct sk_buff *skb)
{
	skb->mac_header = skb->data - skb->head;
}

static inline void skb_set_network_header(struct sk_buff *skb, int offset)
{
	skb->network_header = skb->data - skb->head + offset;
}

/* dev_queue_xmit() - defined by the test; frees @skb */
int dev_queue_xmit(struct sk_buff *skb);

struct notifier_block {
	int (*notifier_call)(struct notifier_block *block, unsigned long event,
			     void *data);
};

#define NOTIFY_DONE	0

struct xarray {
	int flags;
};

struct xa_limit {
	u32 min;
	u32 max;
};

#define XA_FLAGS_ALLOC1		1
#define XA_FLAGS_ACCOUNT	2
#define XA_LIMIT(low, high)	((struct xa_limit) { low, high })

void xa_init_flags(struct xarray *xa, int flags);
void *xa_load(struct xarray *xa, unsigned long index);
void *xa_erase(struct xarray *xa, unsigned long index);
void *xa_store(struct xarray *xa, unsigned long index, void *entry, unsigned int gfp);
int xa_alloc_cyclic(struct xarray *xa, u32 *id, void *entry,
		    struct xa_limit limit, u32 *next, unsigned int gfp);

#endif
