// SPDX-License-Identifier: GPL-2.0
/* Imports: sockets build filters from snapshots; snapshot.h. */
#include <linux/netlink.h>
#include <linux/notifier.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "core/map.h"
#include "core/snapshot.h"
#include "core/top.h"
#include "core/unit_set.h"
#include "limit.h"
#include "snapshot.h"

static struct seen_import *import_find(const struct seen_net *sn, u32 portid)
{
	struct seen_import *import;

	list_for_each_entry(import, &sn->imports, list)
		if (import->portid == portid)
			return import;
	return NULL;
}

/* The socket may be closed meanwhile, but the import stays valid while changes is held. */
struct seen_import *seen_import_find(struct seen_net *sn, u32 portid)
{
	struct seen_import *import;

	lockdep_assert_held(&sn->changes);
	spin_lock(&sn->imports_lock);
	import = import_find(sn, portid);
	spin_unlock(&sn->imports_lock);
	return import;
}

static void import_forget(struct seen_import *import)
{
	struct seen_net *sn = import->filter->sn;

	spin_lock(&sn->imports_lock);
	list_del(&import->list);
	spin_unlock(&sn->imports_lock);
	kfree(import);
	seen_limit_uncharge(sn, sizeof(*import));
}

void seen_import_end(struct seen_import *import)
{
	struct seen_filter *filter = import->filter;

	import_forget(import);
	seen_filter_free(filter);
}

static struct seen_import *import_allocate(struct seen_net *sn,
					   struct netlink_ext_ack *extack)
{
	struct seen_import *import;
	int err;

	err = seen_limit_charge(sn, sizeof(*import), extack);
	if (err)
		return ERR_PTR(err);
	import = kzalloc(sizeof(*import), SEEN_GFP);
	if (import)
		return import;
	seen_limit_uncharge(sn, sizeof(*import));
	NL_SET_ERR_MSG(extack, SEEN_TEXT_MEMORY("import"));
	return ERR_PTR(-ENOMEM);
}

struct seen_import *seen_import_begin(struct seen_net *sn, u32 portid,
				      const char *name,
				      struct seen_filter *filter,
				      struct netlink_ext_ack *extack)
{
	struct seen_import *import;

	lockdep_assert_held(&sn->changes);
	import = import_allocate(sn, extack);
	if (IS_ERR(import)) {
		seen_filter_free(filter);
		return import;
	}
	import->portid = portid;
	import->cookie = ++sn->last_cookie;
	strscpy(import->name, name, sizeof(import->name));
	import->filter = filter;
	import->begun = seen_now();
	spin_lock(&sn->imports_lock);
	list_add(&import->list, &sn->imports);
	spin_unlock(&sn->imports_lock);
	return import;
}

static bool import_is_whole(const struct seen_import *import)
{
	return import->next == seen_unit_count(&import->filter->set.geo);
}

/* @import->age comes from userspace, so the sum may overflow: then the age is the maximum. */
static u64 import_age_of(const struct seen_import *import)
{
	u64 age;

	if (check_add_overflow(import->age, seen_now() - import->begun, &age))
		return U64_MAX;
	return age;
}

static int import_refuse_data(const struct nlattr *data,
			      struct netlink_ext_ack *extack)
{
	NL_SET_ERR_MSG_ATTR(extack, data,
			    "data: malformed");
	return -EBADMSG;
}

/*
 * Import an entry of a map; entries have no age. A key may find no slot under the new
 * map's seed. Then rehash and try again.
 */
static int import_take_entry(struct seen_filter *filter, u64 at, const u8 *unit,
			     struct netlink_ext_ack *extack)
{
	struct seen_set *set = &filter->set;
	int err;

	if (seen_set_import(set, at, 1, unit, 0))
		return 0;
	err = seen_map_torn(set) ? seen_rehash(filter, extack) : -EAGAIN;
	if (err)
		return err;
	return seen_set_import(set, at, 1, unit, 0) ? 0 : -EAGAIN;
}

/* Return: 0; -EAGAIN: malformed data; or an error of seen_rehash(), with a text. */
static int import_take(struct seen_filter *filter, u64 from, u64 count,
		       const u8 *bytes, u64 age, struct netlink_ext_ack *extack)
{
	u32 size = seen_snapshot_unit_bytes(&filter->set.geo);
	int err = 0;

	if (filter->set.geo.kind != SEEN_SET_MAP)
		return seen_set_import(&filter->set, from, count, bytes, age) ?
		       0 : -EAGAIN;
	for (; count && !err; count--, from++, bytes += size)
		err = import_take_entry(filter, from, bytes, extack);
	return err;
}

int seen_import_chunk(struct seen_import *import, u64 from,
		      const struct nlattr *data, struct netlink_ext_ack *extack)
{
	struct seen_set *set = &import->filter->set;
	u32 unit = seen_snapshot_unit_bytes(&set->geo);
	u64 count = nla_len(data) / unit;
	int err;

	if (from != import->next) {
		SEEN_SET_ERR_MSG_FMT(import->filter->sn, extack,
				     "from: must be unit %llu", import->next);
		return -EINVAL;
	}
	if (!count || nla_len(data) % unit ||
	    count > seen_unit_count(&set->geo) - from) {
		NL_SET_ERR_MSG_ATTR(extack, data,
				    "data: must be whole units, and no more than the table has");
		return -EINVAL;
	}
	if (!seen_snapshot_keys_valid(&set->geo, &import->filter->secret, count,
				      nla_data(data)))
		return import_refuse_data(data, extack);
	err = import_take(import->filter, from, count, nla_data(data),
			  import_age_of(import), extack);
	if (err == -EAGAIN)
		return import_refuse_data(data, extack);
	if (!err)
		import->next += count;
	return err;
}

/* Caller holds seen_net.lock for writing. */
static int import_publish(struct seen_import *import, struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = import->filter;
	struct seen_net *sn = filter->sn;
	struct seen_binding *binding = seen_binding_lookup(sn, import->name);

	if (binding && !seen_binding_filter(binding))
		binding = NULL;
	if (import->replaces && (!binding || binding->id != import->replaces)) {
		NL_SET_ERR_MSG(extack,
			       "id: the filter of this id was deleted, or has another name");
		return -ESTALE;
	}
	if (binding && import->replace)
		return seen_binding_replace(binding, filter, extack);
	binding = seen_binding_add(sn, import->name, filter, false, extack);
	return PTR_ERR_OR_ZERO(binding);
}

static int import_check_whole(const struct seen_import *import,
			      struct netlink_ext_ack *extack)
{
	if (import_is_whole(import))
		return 0;
	SEEN_SET_ERR_MSG_FMT(import->filter->sn, extack,
			     "import: incomplete; send unit %llu first", import->next);
	return -EINVAL;
}

int seen_import_top(struct seen_import *import, const u8 *bytes, u16 len,
		    struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = import->filter;
	int err = import_check_whole(import, extack);
	struct seen_item item;
	struct seen_key key;
	u32 count;

	if (err)
		return err;
	if (!filter->set.top) {
		NL_SET_ERR_MSG(extack, "top-key: needs a filter with top");
		return -EINVAL;
	}
	if (!seen_key_take(&filter->spec, &key, bytes, len) ||
	    !seen_filter_item(filter, &key, &item)) {
		NL_SET_ERR_MSG(extack, "top-key: does not fit the filter's key");
		return -EINVAL;
	}
	count = seen_item_count(&filter->set, &item);
	if (count)
		seen_top_note(&filter->set, &item, count);
	return 0;
}

/* Without prefix lengths no lookup would find the stored prefixes. */
static int import_check_lengths(struct seen_filter *filter,
				struct netlink_ext_ack *extack)
{
	if (!filter->spec.prefix || seen_lengths_count(&filter->lengths) ||
	    !seen_set_entries(&filter->set))
		return 0;
	NL_SET_ERR_MSG(extack,
		       "lengths: required for a table with prefixes");
	return -EINVAL;
}

int seen_import_commit(struct seen_import *import, u64 total,
		       struct netlink_ext_ack *extack)
{
	struct seen_net *sn = import->filter->sn;
	struct seen_set *set = &import->filter->set;
	int err = import_check_whole(import, extack);

	if (err)
		return err;
	seen_set_import_end(set);
	err = import_check_lengths(import->filter, extack);
	if (err)
		return err;
	if (!seen_set_can_test_and_add(&set->geo))
		seen_set_total_raise(set, total);
	down_write(&sn->lock);
	err = import_publish(import, extack);
	up_write(&sn->lock);
	if (!err)
		import_forget(import);
	return err;
}

static void import_end_orphans(struct work_struct *work)
{
	struct seen_net *sn = container_of(work, struct seen_net, orphan_work);
	struct seen_import *import;

	mutex_lock(&sn->changes);
	do {
		spin_lock(&sn->imports_lock);
		import = list_first_entry_or_null(&sn->orphans,
						  struct seen_import, list);
		spin_unlock(&sn->imports_lock);
		if (import)
			seen_import_end(import);
	} while (import);
	mutex_unlock(&sn->changes);
}

/*
 * A socket was closed. close() must not wait for seen_net.changes, which a merge may hold for
 * minutes, so a work item ends the import. It cannot be freed here: another socket may have
 * the same port id by now, and may be using the import under changes.
 */
static int import_on_release(struct notifier_block *block, unsigned long event,
			     void *data)
{
	const struct netlink_notify *notify = data;
	struct seen_import *import;
	struct seen_net *sn;

	if (event != NETLINK_URELEASE || notify->protocol != NETLINK_GENERIC)
		return NOTIFY_DONE;
	sn = seen_net(notify->net);
	spin_lock(&sn->imports_lock);
	import = import_find(sn, notify->portid);
	if (import)
		list_move(&import->list, &sn->orphans);
	spin_unlock(&sn->imports_lock);
	/* May wait long for changes. On seen_wq the end of any namespace would wait for it. */
	if (import)
		queue_work(seen_sweep_wq, &sn->orphan_work);
	return NOTIFY_DONE;
}

void seen_import_net_init(struct seen_net *sn)
{
	INIT_LIST_HEAD(&sn->imports);
	INIT_LIST_HEAD(&sn->orphans);
	spin_lock_init(&sn->imports_lock);
	INIT_WORK(&sn->orphan_work, import_end_orphans);
}

void seen_import_net_exit(struct seen_net *sn)
{
	struct seen_import *import, *next;

	cancel_work_sync(&sn->orphan_work);
	import_end_orphans(&sn->orphan_work);
	mutex_lock(&sn->changes);
	list_for_each_entry_safe(import, next, &sn->imports, list)
		seen_import_end(import);
	mutex_unlock(&sn->changes);
}

static struct notifier_block import_notifier = {
	.notifier_call = import_on_release,
};

int seen_import_init(void)
{
	return netlink_register_notifier(&import_notifier);
}

void seen_import_exit(void)
{
	netlink_unregister_notifier(&import_notifier);
}
