/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a guard's filter says of a packet, and what follows: verdict and action.
 *
 * Context: a netfilter hook, which holds rcu_read_lock().
 */
#ifndef SEEN_GUARD_VERDICT_H
#define SEEN_GUARD_VERDICT_H

#include "guard.h"

/**
 * seen_guard_decide() - verdict and action; a new packet is stored
 * @port: where the packet is
 * @filter: of its guard
 * @skb: the packet
 * @item: what the filter knows it by
 *
 * Return: NF_ACCEPT or NF_DROP.
 */
unsigned int seen_guard_decide(struct seen_port *port,
			       struct seen_filter *filter, struct sk_buff *skb,
			       const struct seen_item *item);

/* seen_guard_record() - store what the bridge itself sends, without a verdict */
void seen_guard_record(struct seen_port *port, struct seen_filter *filter,
		       const struct seen_item *item);

#endif
