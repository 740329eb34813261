// SPDX-License-Identifier: GPL-2.0
/* The order of init and exit, for the module and for a namespace. Nothing else. */
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "binding.h"
#include "core/pattern.h"
#include "event.h"
#include "guard.h"
#include "limit.h"
#include "netlink.h"
#include "snapshot.h"
#include "version.h"

static int __net_init main_net_init(struct net *net)
{
	struct seen_net *sn = seen_net(net);

	seen_net_init(sn, net);
	seen_import_net_init(sn);
	return seen_limit_net_init(sn);
}

/* Runs before the namespace's devices are deleted. Afterwards no packet finds a guard. */
static void __net_exit main_net_pre_exit(struct net *net)
{
	struct seen_net *sn = seen_net(net);

	rtnl_lock();
	down_write(&sn->lock);
	seen_guard_net_exit(sn);
	up_write(&sn->lock);
	rtnl_unlock();
}

/* Waits for grace periods and works only once for a whole batch of namespaces. */
static void __net_exit main_net_exit_batch(struct list_head *nets)
{
	struct net *net;

	list_for_each_entry(net, nets, exit_list) {
		seen_import_net_exit(seen_net(net));
		seen_binding_net_exit(seen_net(net));
	}
	rcu_barrier();
	flush_workqueue(seen_wq);
	list_for_each_entry(net, nets, exit_list)
		seen_limit_net_exit(seen_net(net));
}

static struct pernet_operations net_ops = {
	.init = main_net_init,
	.pre_exit = main_net_pre_exit,
	.exit_batch = main_net_exit_batch,
	.id = &seen_net_id,
	.size = sizeof(struct seen_net),
};

static int __init seen_init(void)
{
	int err;

	seen_pattern_init();
	err = seen_wq_init();
	if (err)
		return err;
	err = register_pernet_subsys(&net_ops);
	if (err)
		goto out_wq;
	err = seen_guard_init();
	if (err)
		goto out_pernet;
	err = seen_import_init();
	if (err)
		goto out_guard;
	err = genl_register_family(&seen_family);
	if (err)
		goto out_import;
	seen_event_open(&seen_nl_event_sender);
	return 0;

out_import:
	seen_import_exit();
out_guard:
	seen_guard_exit();
out_pernet:
	unregister_pernet_subsys(&net_ops);
out_wq:
	seen_wq_exit();
	return err;
}

static void __exit seen_exit(void)
{
	seen_event_close();
	genl_unregister_family(&seen_family);
	seen_import_exit();
	seen_guard_exit();
	unregister_pernet_subsys(&net_ops);
	seen_wq_exit();
}

module_init(seen_init);
module_exit(seen_exit);

MODULE_DESCRIPTION("Filters of packets and keys seen before, and guards against loops and duplicates");
MODULE_LICENSE("GPL");
MODULE_VERSION(SEEN_VERSION);
MODULE_ALIAS_GENL_FAMILY(SEEN_FAMILY_NAME);
