// SPDX-License-Identifier: GPL-2.0
/* Basics of all parts of the module: the data of a namespace, and the workqueues. */
#include <net/netns/generic.h>

#include "seen.h"

unsigned int seen_net_id;
struct workqueue_struct *seen_wq;
struct workqueue_struct *seen_sweep_wq;

struct seen_net *seen_net(const struct net *net)
{
	return net_generic(net, seen_net_id);
}

void seen_net_init(struct seen_net *sn, struct net *net)
{
	sn->net = net;
	mutex_init(&sn->changes);
	init_rwsem(&sn->lock);
	INIT_LIST_HEAD(&sn->bindings);
	INIT_LIST_HEAD(&sn->guards);
	xa_init_flags(&sn->ports, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
}

int seen_wq_init(void)
{
	seen_wq = alloc_workqueue("seen", WQ_UNBOUND, 0);
	if (!seen_wq)
		return -ENOMEM;
	/* A queue of its own, because works on seen_wq wait for works on this one. */
	seen_sweep_wq = alloc_workqueue("seen_sweep", WQ_UNBOUND, 0);
	if (seen_sweep_wq)
		return 0;
	destroy_workqueue(seen_wq);
	return -ENOMEM;
}

void seen_wq_exit(void)
{
	destroy_workqueue(seen_sweep_wq);
	destroy_workqueue(seen_wq);
}
