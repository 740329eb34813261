// SPDX-License-Identifier: GPL-2.0
/* Order of init, and its mirror image. Nothing else. */
#include <linux/module.h>

#include "core/pattern.h"
#include "event.h"
#include "guard.h"
#include "netlink.h"
#include "registry.h"
#include "snapshot.h"

struct workqueue_struct *seen_wq;
struct workqueue_struct *seen_sweep_wq;

static int __init seen_init(void)
{
	int err;

	seen_pattern_init();
	seen_wq = alloc_workqueue("seen", WQ_UNBOUND, 0);
	if (!seen_wq)
		return -ENOMEM;
	err = -ENOMEM;
	/* The other one's works wait for these. */
	seen_sweep_wq = alloc_workqueue("seen_sweep", WQ_UNBOUND, 0);
	if (!seen_sweep_wq)
		goto out_wq;

	err = seen_registry_init();
	if (err)
		goto out_sweep_wq;
	err = seen_guard_init();
	if (err)
		goto out_registry;
	err = seen_import_init();
	if (err)
		goto out_guard;
	err = genl_register_family(&seen_family);
	if (err)
		goto out_import;
	return 0;

out_import:
	seen_import_exit();
out_guard:
	seen_guard_exit();
out_registry:
	seen_registry_exit();
out_sweep_wq:
	destroy_workqueue(seen_sweep_wq);
out_wq:
	destroy_workqueue(seen_wq);
	return err;
}

static void __exit seen_exit(void)
{
	seen_event_close();
	genl_unregister_family(&seen_family);
	seen_import_exit();
	seen_guard_exit();
	seen_registry_exit();
	destroy_workqueue(seen_sweep_wq);
	destroy_workqueue(seen_wq);
}

module_init(seen_init);
module_exit(seen_exit);

MODULE_DESCRIPTION("Have I seen this packet before?");
MODULE_LICENSE("GPL");
MODULE_ALIAS_GENL_FAMILY(SEEN_FAMILY_NAME);
