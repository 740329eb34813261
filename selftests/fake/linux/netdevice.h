/* SPDX-License-Identifier: GPL-2.0 */
/* Devices and hooks. A test calls the hooks itself, so none is registered. */
#ifndef SEEN_FAKE_NETDEVICE_H
#define SEEN_FAKE_NETDEVICE_H

#include <linux/list.h>
#include <linux/netfilter.h>
#include <net/net_namespace.h>

/* <linux/if_arp.h> needs one, and sys/socket.h has a send(). */
struct sockaddr {
	char bytes[16];
};

#define ASSERT_RTNL()		((void)0)
void rtnl_lock(void);
void rtnl_unlock(void);

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

#define ether_addr_copy(to, from)	memcpy(to, from, ETH_ALEN)
#define eth_zero_addr(addr)		memset(addr, 0, ETH_ALEN)

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
int xa_alloc_cyclic(struct xarray *xa, u32 *id, void *entry,
		    struct xa_limit limit, u32 *next, unsigned int gfp);

#endif
