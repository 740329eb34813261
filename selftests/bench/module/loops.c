// SPDX-License-Identifier: GPL-2.0
/* Loops: packets through hooks, and the code that these are compared with; see bench.h. */
#include <linux/netfilter.h>
#include <linux/netfilter_bridge.h>
#include <linux/netfilter_netdev.h>
#include <linux/siphash.h>
#include <linux/slab.h>

#include "bench.h"

static int deliver(struct net *net, struct sock *sk, struct sk_buff *skb)
{
	return 0;
}

/* Return: true if @worker still has its packet. */
static bool accepted(struct bench_worker *worker, int verdict)
{
	if (verdict == 1)
		return true;
	worker->skb = NULL;
	return false;
}

static u32 prerouting(struct bench_worker *worker, u32 count)
{
	struct net_device *dev = worker->run->dev;
	struct net *net = dev_net(dev);
	u32 i;

	for (i = 0; i < count; i++) {
		bench_packet_from(worker->skb, bench_address(worker));
		if (!accepted(worker, nf_hook(NFPROTO_IPV4, NF_INET_PRE_ROUTING,
					      net, NULL, worker->skb, dev, NULL,
					      deliver)))
			break;
		bench_fence(worker);
	}
	return i;
}

/* Without a hook a packet is neither passed nor kept. */
static int ingress_begin(struct bench_run *run)
{
	return rcu_access_pointer(run->dev->nf_hooks_ingress) ? 0 : -ENOENT;
}

static u32 ingress(struct bench_worker *worker, u32 count)
{
	u32 i;

	rcu_read_lock();
	for (i = 0; i < count; i++) {
		bench_packet_from(worker->skb, bench_address(worker));
		if (!accepted(worker, nf_hook_ingress(worker->skb)))
			break;
		bench_fence(worker);
	}
	rcu_read_unlock();
	return i;
}

/* --- a bridge --------------------------------------------------------------------- */

/* Of a trail of 128 bits without a tag, from the end of the frame; kmod/core/trail.h. */
#define TRAIL_FILTER	24
#define TRAIL_FILTER_LEN 16
#define TRAIL_NONCE	8

static bool bridge_passes(struct bench_worker *worker)
{
	struct net_device *dev = worker->run->dev;

	bench_packet_from(worker->skb, bench_address(worker));
	return accepted(worker, nf_hook(NFPROTO_BRIDGE, NF_BR_PRE_ROUTING, dev_net(dev), NULL,
					worker->skb, dev, NULL, deliver));
}

/* Each frame arrives without a trail. */
static u32 bridge(struct bench_worker *worker, u32 count)
{
	u32 bytes = worker->run->config.frame - ETH_HLEN;
	u32 i;

	rcu_read_lock();
	for (i = 0; i < count; i++) {
		__skb_trim(worker->skb, bytes);
		if (!bridge_passes(worker))
			break;
		bench_fence(worker);
	}
	rcu_read_unlock();
	return i;
}

/* Each frame but the first one of all arrives with a trail that does not have this node. */
static u32 bridge_trail(struct bench_worker *worker, u32 count)
{
	u32 bytes = worker->run->config.frame - ETH_HLEN;
	u32 i;

	rcu_read_lock();
	for (i = 0; i < count; i++) {
		struct sk_buff *skb = worker->skb;

		if (skb->len > bytes) {
			memset(skb_tail_pointer(skb) - TRAIL_FILTER, 0, TRAIL_FILTER_LEN);
			put_unaligned_le16(i, skb_tail_pointer(skb) - TRAIL_NONCE);
		}
		if (!bridge_passes(worker))
			break;
		bench_fence(worker);
	}
	rcu_read_unlock();
	return i;
}

/* --- a hook that does nothing -------------------------------------------------- */

static unsigned int accept(void *priv, struct sk_buff *skb,
			   const struct nf_hook_state *state)
{
	return NF_ACCEPT;
}

static int hook_begin(struct bench_run *run)
{
	struct nf_hook_ops *ops = kzalloc(sizeof(*ops), GFP_KERNEL);
	int err;

	if (!ops)
		return -ENOMEM;
	ops->hook = accept;
	ops->dev = run->dev;
	ops->pf = NFPROTO_NETDEV;
	ops->hooknum = NF_NETDEV_INGRESS;
	err = nf_register_net_hook(dev_net(run->dev), ops);
	if (err)
		kfree(ops);
	else
		run->priv = ops;
	return err;
}

static void hook_end(struct bench_run *run)
{
	nf_unregister_net_hook(dev_net(run->dev), run->priv);
	/* A process that lists hooks may still read this one. */
	synchronize_rcu();
	kfree(run->priv);
}

static u32 nothing(struct bench_worker *worker, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		bench_packet_from(worker->skb, bench_address(worker));
		bench_fence(worker);
	}
	return i;
}

/* --- a hash ---------------------------------------------------------------------- */

static int hash_begin(struct bench_run *run)
{
	run->priv = kzalloc(ALIGN(run->config.bytes, sizeof(u64)) +
			    sizeof(u64), GFP_KERNEL);
	return run->priv ? 0 : -ENOMEM;
}

/* Each worker has a key of its own, because the others write theirs at the same time. */
static u32 hash(struct bench_worker *worker, u32 count)
{
	siphash_key_t key = { .key = { 1, worker->step } };
	u32 bytes = worker->run->config.bytes;
	u32 i;

	for (i = 0; i < count; i++) {
		key.key[0] = bench_address(worker);
		worker->sink += siphash(worker->run->priv, bytes, &key);
		bench_fence(worker);
	}
	return i;
}

static void hash_end(struct bench_run *run)
{
	kfree(run->priv);
}

static const struct bench_loop * const others[] = {
	&bench_chase, &bench_by_nh, &bench_by_siphash13,
};

static const struct bench_loop loops[] = {
	{ .name = "prerouting", .batch = prerouting },
	{ .name = "ingress", .begin = ingress_begin, .batch = ingress },
	{ .name = "bridge", .batch = bridge },
	{ .name = "bridge-trail", .batch = bridge_trail },
	{ "ingress-empty", hook_begin, ingress, hook_end },
	{ .name = "nothing", .batch = nothing },
	{ "siphash", hash_begin, hash, hash_end },
};

const struct bench_loop *bench_loop_find(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(loops); i++)
		if (!strcmp(name, loops[i].name))
			return &loops[i];
	for (i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(name, others[i]->name))
			return others[i];
	return NULL;
}
