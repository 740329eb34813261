// SPDX-License-Identifier: GPL-2.0
/*
 * A namespace's slots: publish, look up, retire.
 *
 * DOC: locking
 *
 * seen_net.lock (an rwsem) protects the lists of slots and guards, names, user
 * counts, and what each slot points to: written for changes, read for walks in
 * process context. Guard commands and device events hold rtnl outside of it.
 *
 * Commands that change something hold seen_net.changes outside of both. Until the
 * namespace ends only they exchange filters, so that a large table is allocated
 * with no other lock held: whoever waits for seen_net.lock may hold rtnl. Rules
 * take seen_net.lock alone: netfilter's own locks are held there, and one of them
 * may be taken under rtnl.
 *
 * The packet path reads slot->filter under rcu_read_lock() alone. A slot is pinned
 * by its users (guards, rules), which give it back before they end; when it has
 * neither users nor a filter it leaves the list, and is freed after a grace period,
 * for the packets that are still in the hook of a guard that goes: these find it
 * empty. The rules of a namespace may end after its filters.
 *
 * A filter dies in two steps. Unpublished under the lock (the slot is removed,
 * or points to another filter), it is handed to a work item that runs after a
 * grace period: it waits for the filter's own works and frees the vmalloc
 * memory, in process context. Only a fold, and a rehash that follows
 * another one, wait for a grace period. The end of a namespace and of the module
 * wait for all of these works.
 */
#include <linux/list.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/netns/generic.h>

#include "allow.h"
#include "event.h"
#include "guard.h"
#include "limit.h"
#include "snapshot.h"

static unsigned int seen_net_id;

struct seen_net *seen_net(const struct net *net)
{
	return net_generic(net, seen_net_id);
}

struct seen_filter *seen_slot_filter(const struct seen_slot *slot)
{
	return rcu_dereference_protected(slot->filter,
					 lockdep_is_held(&slot->sn->lock) ||
					 lockdep_is_held(&slot->sn->changes));
}

struct seen_slot *seen_slot_lookup(struct seen_net *sn, const char *name)
{
	struct seen_slot *slot;

	lockdep_assert_held(&sn->lock);
	list_for_each_entry(slot, &sn->slots, list)
		if (!strcmp(slot->name, name))
			return slot;
	return NULL;
}

struct seen_slot *seen_slot_find(struct seen_net *sn, const struct nlattr *name,
				 struct netlink_ext_ack *extack)
{
	struct seen_slot *slot;

	if (!name) {
		NL_SET_ERR_MSG(extack, "name: which filter?");
		return ERR_PTR(-EINVAL);
	}
	slot = seen_slot_lookup(sn, nla_data(name));
	if (slot && seen_slot_filter(slot))
		return slot;
	NL_SET_ERR_MSG_ATTR(extack, name, "name: there is no such filter");
	return ERR_PTR(-ENOENT);
}

struct seen_slot *seen_slot_find_to_change(struct seen_net *sn,
					   const struct nlattr *name,
					   struct netlink_ext_ack *extack)
{
	struct seen_slot *slot;

	lockdep_assert_held(&sn->changes);
	down_read(&sn->lock);
	slot = seen_slot_find(sn, name, extack);
	up_read(&sn->lock);
	return slot;
}

/* Names are told in lists, events and file names: printable, no blanks. */
static const char *name_error(const char *name)
{
	const char *c;

	for (c = name; *c; c++)
		if (*c <= ' ' || *c >= 0x7f || *c == '/')
			return "name: printable characters without blanks and slashes only";
	if (c == name || !strcmp(name, "-"))
		return "name: must not be empty or -";
	return NULL;
}

int seen_slot_check_name(struct seen_net *sn, const char *name,
			 struct netlink_ext_ack *extack)
{
	const struct seen_slot *slot = seen_slot_lookup(sn, name);
	const char *error = name_error(name);

	if (error) {
		extack->_msg = error;
		return -EINVAL;
	}
	if (slot && seen_slot_filter(slot)) {
		NL_SET_ERR_MSG(extack, "name: there is a filter of this name");
		return -EEXIST;
	}
	return 0;
}

static void announce(struct seen_slot *slot, u8 cmd)
{
	const struct seen_event event = { .cmd = cmd, .filter = slot->name };

	seen_event_send(slot->sn, &event);
}

static void install(struct seen_slot *slot, struct seen_filter *filter)
{
	WRITE_ONCE(filter->slot, slot);
	rcu_assign_pointer(slot->filter, filter);
	/* Pairs with seen_allow_ask(), where it is a map that may be asked. */
	smp_store_release(&slot->turns, slot->turns + 1);
	/* Who filled it before it had a name did not look whether it slept. */
	seen_sweep_wake(filter);
	/* What happened to it before it had a name. */
	if (READ_ONCE(filter->events))
		queue_work(seen_wq, &filter->event_work);
}

/*
 * Its lists may go behind that: who misses them sees that the filter has gone, also
 * where another one has come. Who has seen that before finds no filter that it had.
 */
static void uninstall(struct seen_slot *slot)
{
	RCU_INIT_POINTER(slot->filter, NULL);
	/* Pairs with seen_slot_life(). */
	smp_store_release(&slot->life, slot->life + 1);
	/* Pairs with seen_allow_ask(), behind which is seen_slot_gone(). */
	smp_wmb();
}

static u64 slot_bytes(void)
{
	return sizeof(struct seen_slot) + num_possible_cpus() * sizeof(u64);
}

static struct seen_slot *allocate_slot(void)
{
	struct seen_slot *slot = kzalloc(sizeof(*slot), SEEN_GFP);

	if (!slot)
		return NULL;
	seen_budget_init(&slot->common);
	slot->unanswered = alloc_percpu_gfp(u64, SEEN_GFP);
	if (slot->unanswered)
		return slot;
	kfree(slot);
	return NULL;
}

static void free_slot(struct rcu_head *rcu)
{
	struct seen_slot *slot = container_of(rcu, struct seen_slot, rcu);

	free_percpu(slot->unanswered);
	kfree(slot);
}

/* The slot of a name, there or new. */
static struct seen_slot *get_slot(struct seen_net *sn, const char *name,
				  struct netlink_ext_ack *extack)
{
	struct seen_slot *slot = seen_slot_lookup(sn, name);
	int err;

	lockdep_assert_held_write(&sn->lock);
	if (slot)
		return slot;
	err = seen_limit_charge(sn, slot_bytes(), extack);
	if (err)
		return ERR_PTR(err);
	slot = allocate_slot();
	if (!slot) {
		seen_limit_uncharge(sn, slot_bytes());
		NL_SET_ERR_MSG(extack, "name: not enough memory");
		return ERR_PTR(-ENOMEM);
	}
	strscpy(slot->name, name, sizeof(slot->name));
	slot->sn = sn;
	slot->id = ++sn->next_id;
	list_add_tail(&slot->list, &sn->slots);
	sn->generation++;
	return slot;
}

void seen_slot_put(struct seen_slot *slot)
{
	if (seen_slot_used(slot) || seen_slot_filter(slot))
		return;
	list_del(&slot->list);
	slot->sn->generation++;
	seen_limit_uncharge(slot->sn, slot_bytes());
	call_rcu(&slot->rcu, free_slot);
}

struct seen_slot *seen_slot_add(struct seen_net *sn, const char *name,
				struct seen_filter *filter, bool owned,
				struct netlink_ext_ack *extack)
{
	struct seen_slot *slot;
	int err;

	lockdep_assert_held_write(&sn->lock);
	err = seen_slot_check_name(sn, name, extack);
	if (err)
		return ERR_PTR(err);
	slot = get_slot(sn, name, extack);
	if (IS_ERR(slot))
		return slot;
	slot->owned = owned;
	/* A dump goes by ascending ids, and must not miss it. */
	slot->id = ++sn->next_id;
	list_move_tail(&slot->list, &sn->slots);
	install(slot, filter);
	sn->generation++;
	announce(slot, SEEN_CMD_FILTER_ADD_NTF);
	return slot;
}

void seen_slot_del(struct seen_slot *slot)
{
	struct seen_filter *filter = seen_slot_filter(slot);

	lockdep_assert_held_write(&slot->sn->lock);
	WARN_ON_ONCE(slot->guards);
	announce(slot, SEEN_CMD_FILTER_DEL_NTF);
	uninstall(slot);
	slot->owned = false;
	memset(slot->counted, 0, sizeof(slot->counted));
	slot->sn->generation++;
	seen_allow_drop(slot);
	seen_allow_map_drop(slot);
	seen_filter_destroy(filter);
	if (slot->rules)
		announce(slot, SEEN_CMD_MISSING_NTF);
	seen_slot_put(slot);
}

void seen_slot_pin(struct seen_slot *slot, bool knows_ports)
{
	lockdep_assert_held_write(&slot->sn->lock);
	slot->guards++;
	slot->port_guards += knows_ports;
}

void seen_slot_unpin(struct seen_slot *slot, bool knows_ports)
{
	lockdep_assert_held_write(&slot->sn->lock);
	slot->guards--;
	slot->port_guards -= knows_ports;
	seen_slot_put(slot);
}

struct seen_slot *seen_slot_pin_rule(struct seen_net *sn, const char *name)
{
	struct seen_slot *slot;

	if (strnlen(name, SEEN_NAME_MAX) == SEEN_NAME_MAX || name_error(name))
		return ERR_PTR(-EINVAL);
	down_write(&sn->lock);
	slot = get_slot(sn, name, NULL);
	if (!IS_ERR(slot)) {
		slot->rules++;
		if (!seen_slot_filter(slot))
			announce(slot, SEEN_CMD_MISSING_NTF);
	}
	up_write(&sn->lock);
	return slot;
}

void seen_slot_unpin_rule(struct seen_slot *slot)
{
	struct seen_net *sn = slot->sn;

	down_write(&sn->lock);
	slot->rules--;
	if (!slot->rules)
		announce(slot, SEEN_CMD_UNUSED_NTF);
	seen_slot_put(slot);
	up_write(&sn->lock);
}

static void exchange(struct seen_slot *slot, struct seen_filter *filter)
{
	install(slot, filter);
	slot->sn->generation++;
}

/*
 * A flush puts an empty filter in the place of the full one: at one instant for
 * every key, and without a sweep that adds would have to wait for. A filter that
 * fills the namespace's cap can be flushed too: both count until the old one is
 * freed, and while that exceeds the cap there is no other flush.
 */
int seen_slot_flush(struct seen_slot *slot, struct netlink_ext_ack *extack)
{
	struct seen_filter *old = seen_slot_filter(slot);
	struct seen_filter_config config = {
		.geo = old->set.geo,
		.span = old->span,
		.spec = old->spec,
		.secret = old->secret,
		.on_full = READ_ONCE(old->on_full),
	};
	struct seen_filter *empty;

	lockdep_assert_held(&slot->sn->changes);
	empty = seen_filter_create(slot->sn, &config, true, extack);
	memzero_explicit(&config.secret, sizeof(config.secret));
	if (IS_ERR(empty))
		return PTR_ERR(empty);
	down_write(&slot->sn->lock);
	seen_slot_count_on(slot, old, empty);
	exchange(slot, empty);
	up_write(&slot->sn->lock);
	seen_filter_destroy(old);
	return 0;
}

/* Rules wait for a filter of the new name: to the slot that they have pinned. */
static int move(struct seen_slot *slot, const char *name,
		struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_slot_filter(slot);
	struct seen_slot *to;

	if (slot->guards) {
		NL_SET_ERR_MSG(extack,
			       "new-name: rules wait for it, and guards have the filter by its old name");
		return -EBUSY;
	}
	if (slot->allow_maps) {
		NL_SET_ERR_MSG(extack,
			       "new-name: rules wait for it, and other filters have it as their allow map");
		return -EBUSY;
	}
	announce(slot, SEEN_CMD_FILTER_DEL_NTF);
	/* The list first: no packet is judged that it keeps from that. */
	to = seen_slot_lookup(slot->sn, name);
	rcu_assign_pointer(to->allow, seen_slot_allow(slot));
	rcu_assign_pointer(to->allow_map, seen_slot_allow_map(slot));
	seen_slot_listed(to);
	/* A guard that has just gone may be asking yet. */
	uninstall(slot);
	RCU_INIT_POINTER(slot->allow, NULL);
	RCU_INIT_POINTER(slot->allow_map, NULL);
	memcpy(to->counted, slot->counted, sizeof(to->counted));
	to = seen_slot_add(slot->sn, name, filter, false, extack);
	seen_slot_put(slot);
	return PTR_ERR_OR_ZERO(to);
}

int seen_slot_rename(struct seen_slot *slot, const struct nlattr *name,
		     struct netlink_ext_ack *extack)
{
	int err;

	lockdep_assert_held_write(&slot->sn->lock);
	if (!name) {
		NL_SET_ERR_MSG(extack, "new-name: rename to what?");
		return -EINVAL;
	}
	if (slot->owned) {
		NL_SET_ERR_MSG(extack,
			       "name: the filter belongs to a guard, and keeps its name");
		return -EBUSY;
	}
	if (slot->rules) {
		SEEN_SET_ERR_MSG_FMT(slot->sn, extack,
				     "name: rules know the filter by it (rules: %u)",
				     slot->rules);
		return -EBUSY;
	}
	err = seen_slot_check_name(slot->sn, nla_data(name), extack);
	if (err)
		return err;
	if (seen_slot_lookup(slot->sn, nla_data(name)))
		return move(slot, nla_data(name), extack);
	announce(slot, SEEN_CMD_FILTER_DEL_NTF);
	strscpy(slot->name, nla_data(name), sizeof(slot->name));
	slot->sn->generation++;
	announce(slot, SEEN_CMD_FILTER_ADD_NTF);
	return 0;
}

/* A guard whose verdict knows ports was checked against its filter's geometry. */
static bool same_ports(const struct seen_geometry *now,
		       const struct seen_geometry *then)
{
	return now->kind == then->kind && now->fp_bits == then->fp_bits &&
	       now->window == then->window && now->tick == then->tick;
}

int seen_slot_check_filter(const struct seen_slot *slot,
			   const struct seen_filter *filter,
			   struct netlink_ext_ack *extack)
{
	lockdep_assert_held(&slot->sn->lock);
	if (slot->port_guards &&
	    !same_ports(&seen_slot_filter(slot)->set.geo, &filter->set.geo)) {
		NL_SET_ERR_MSG(extack,
			       "type: a guard that knows ports needs the same type, bits and window");
		return -EINVAL;
	}
	if (slot->allow_maps && filter->set.geo.kind != SEEN_SET_MAP) {
		NL_SET_ERR_MSG(extack,
			       "type: other filters have it as their allow map");
		return -EINVAL;
	}
	return seen_guards_check_filter(slot, filter, extack);
}

int seen_slot_swap(struct seen_slot *slot, struct seen_slot *other,
		   struct netlink_ext_ack *extack)
{
	struct seen_filter *a = seen_slot_filter(slot);
	struct seen_filter *b = seen_slot_filter(other);
	int err;

	lockdep_assert_held_write(&slot->sn->lock);
	if (slot->owned || other->owned) {
		NL_SET_ERR_MSG(extack,
			       "name: a filter that belongs to a guard is not swapped");
		return -EBUSY;
	}
	if (!seen_keyspec_equal(&a->spec, &b->spec)) {
		NL_SET_ERR_MSG(extack, "key: the two filters have different keys");
		return -EINVAL;
	}
	err = seen_slot_check_filter(slot, b, extack) ?:
	      seen_slot_check_filter(other, a, extack);
	if (err)
		return err;
	seen_slot_count_swap(slot, other);
	install(slot, b);
	install(other, a);
	slot->sn->generation++;
	return 0;
}

void seen_slot_exchange(struct seen_slot *slot, struct seen_filter *filter)
{
	lockdep_assert_held(&slot->sn->changes);
	down_write(&slot->sn->lock);
	exchange(slot, filter);
	up_write(&slot->sn->lock);
}

int seen_slot_replace(struct seen_slot *slot, struct seen_filter *filter,
		      struct netlink_ext_ack *extack)
{
	struct seen_filter *old = seen_slot_filter(slot);
	int err;

	lockdep_assert_held_write(&slot->sn->lock);
	if (!seen_keyspec_equal(&old->spec, &filter->spec)) {
		NL_SET_ERR_MSG(extack,
			       "key: the filter of this name has another one");
		return -EINVAL;
	}
	err = seen_slot_check_filter(slot, filter, extack);
	if (err)
		return err;
	seen_slot_count_on(slot, old, filter);
	install(slot, filter);
	slot->sn->generation++;
	seen_filter_destroy(old);
	return 0;
}

static int __net_init net_init(struct net *net)
{
	struct seen_net *sn = seen_net(net);

	sn->net = net;
	mutex_init(&sn->changes);
	init_rwsem(&sn->lock);
	INIT_LIST_HEAD(&sn->slots);
	INIT_LIST_HEAD(&sn->guards);
	seen_import_net_init(sn);
	xa_init_flags(&sn->ports, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
	return seen_limit_net_init(sn);
}

/* Before the namespace's devices go: no packet finds a guard afterwards. */
static void __net_exit net_pre_exit(struct net *net)
{
	struct seen_net *sn = seen_net(net);

	rtnl_lock();
	down_write(&sn->lock);
	seen_guard_net_exit(sn);
	up_write(&sn->lock);
	rtnl_unlock();
}

static void retire_slots(struct seen_net *sn)
{
	struct seen_slot *slot, *next;

	down_write(&sn->lock);
	list_for_each_entry_safe(slot, next, &sn->slots, list)
		if (seen_slot_filter(slot))
			seen_slot_del(slot);
	up_write(&sn->lock);
}

/* A batch of namespaces waits for its grace periods and works together. */
static void __net_exit net_exit_batch(struct list_head *nets)
{
	struct net *net;

	list_for_each_entry(net, nets, exit_list) {
		seen_import_net_exit(seen_net(net));
		retire_slots(seen_net(net));
	}
	rcu_barrier();
	flush_workqueue(seen_wq);
	list_for_each_entry(net, nets, exit_list)
		seen_limit_net_exit(seen_net(net));
}

static struct pernet_operations net_ops = {
	.init = net_init,
	.pre_exit = net_pre_exit,
	.exit_batch = net_exit_batch,
	.id = &seen_net_id,
	.size = sizeof(struct seen_net),
};

int seen_registry_init(void)
{
	return register_pernet_subsys(&net_ops);
}

void seen_registry_exit(void)
{
	unregister_pernet_subsys(&net_ops);
}
