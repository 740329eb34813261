// SPDX-License-Identifier: GPL-2.0
/*
 * A namespace's bindings: publish, look up, retire.
 *
 * DOC: locking
 *
 * seen_net.lock (an rwsem) protects the lists of bindings and guards, names, user counts,
 * and the pointers in each binding. Changes take it for writing, walks in process context
 * for reading. Guard commands and device events take it under rtnl.
 *
 * All commands that change something, except GUARD_SET, take seen_net.changes before rtnl
 * and seen_net.lock. Until
 * the namespace ends, only they exchange filters, so a large table can be allocated with no
 * other lock held. This is necessary because a task that waits for seen_net.lock may hold
 * rtnl. Rules take only seen_net.lock. They run under locks of netfilter, and a netfilter
 * lock may be taken under rtnl.
 *
 * The packet path reads binding->filter under rcu_read_lock() alone. The users of a binding
 * (guards, rules) pin it, and unpin it before they end. A binding that has neither users nor
 * a filter leaves the list, and is freed after a grace period: a packet may still be in the
 * hook of a deleted guard, and finds the binding empty. The rules of a namespace may end
 * after its filters.
 *
 * A filter ends in two steps. It is unpublished under the lock: the binding becomes empty or
 * points to another filter. After a grace period a work item waits for the filter's own
 * works and frees the vmalloc memory, in process context. Commands do not wait for a grace
 * period, except for a fold, for a rehash that follows another one, and for a guard that
 * replaces a guard with another priority. The end of a namespace and of the module wait for
 * all of these works.
 */
#include <linux/list.h>
#include <linux/slab.h>

#include "allow.h"
#include "event.h"
#include "limit.h"

struct seen_filter *seen_binding_filter(const struct seen_binding *binding)
{
	return rcu_dereference_protected(binding->filter,
					 seen_binding_is_held(binding));
}

struct seen_binding *seen_binding_lookup(struct seen_net *sn, const char *name)
{
	struct seen_binding *binding;

	lockdep_assert_held(&sn->lock);
	list_for_each_entry(binding, &sn->bindings, list)
		if (!strcmp(binding->name, name))
			return binding;
	return NULL;
}

struct seen_binding *seen_binding_by_id(struct seen_net *sn, u32 id)
{
	struct seen_binding *binding;

	lockdep_assert_held(&sn->lock);
	list_for_each_entry(binding, &sn->bindings, list)
		if (binding->id == id)
			return binding;
	return NULL;
}

struct seen_binding *seen_binding_find(struct seen_net *sn,
				       const struct nlattr *name,
				       struct netlink_ext_ack *extack)
{
	struct seen_binding *binding = seen_binding_lookup(sn, nla_data(name));

	if (binding && seen_binding_filter(binding))
		return binding;
	NL_SET_BAD_ATTR(extack, name);
	SEEN_SET_ERR_MSG_FMT(sn, extack, "filter \"%s\" does not exist",
			     (const char *)nla_data(name));
	return ERR_PTR(-ENOENT);
}

/* Names appear in lists, events and file names. "all" and "-" have a meaning in commands. */
static const char *binding_name_error(const char *name)
{
	const char *c;

	if (strnlen(name, SEEN_NAME_MAX) == SEEN_NAME_MAX)
		return "name: must be at most 31 characters";
	for (c = name; *c; c++)
		if (*c <= ' ' || *c >= 0x7f || *c == '/')
			return "name: must be printable ASCII without blanks and slashes";
	if (c == name || !strcmp(name, "-") || !strcmp(name, "all"))
		return "name: must not be empty, - or all";
	return NULL;
}

int seen_binding_check_name(struct seen_net *sn, const char *name,
			    struct netlink_ext_ack *extack)
{
	const struct seen_binding *binding = seen_binding_lookup(sn, name);
	const char *error = binding_name_error(name);

	if (error) {
		extack->_msg = error;
		return -EINVAL;
	}
	if (binding && seen_binding_filter(binding)) {
		SEEN_SET_ERR_MSG_FMT(sn, extack, "filter \"%s\" already exists",
				     name);
		return -EEXIST;
	}
	return 0;
}

static void binding_announce(struct seen_binding *binding, u8 cmd)
{
	const struct seen_event event = {
		.cmd = cmd, .filter = binding->name, .binding = binding,
	};

	seen_event_send(binding->sn, &event);
}

void seen_binding_changed(struct seen_binding *binding, u32 change,
			  const char *old_name)
{
	const struct seen_event event = {
		.cmd = SEEN_CMD_FILTER_CHANGE_NTF,
		.filter = binding->name,
		.binding = binding,
		.change = change,
		.old_name = old_name,
	};

	lockdep_assert_held(&binding->sn->lock);
	seen_event_send(binding->sn, &event);
}

void seen_binding_changed_unlocked(struct seen_binding *binding, u32 change)
{
	lockdep_assert_held(&binding->sn->changes);
	down_read(&binding->sn->lock);
	seen_binding_changed(binding, change, NULL);
	up_read(&binding->sn->lock);
}

static void binding_install(struct seen_binding *binding, struct seen_filter *filter)
{
	WRITE_ONCE(filter->name_id, binding->id);
	WRITE_ONCE(filter->name, binding->name);
	seen_filter_set_feed(filter, binding->feed);
	rcu_assign_pointer(binding->filter, filter);
	/* Pairs with seen_allow_ask(), if the filter is an allow map. */
	smp_store_release(&binding->filter_seq, binding->filter_seq + 1);
	/* An import or a fold may have stored keys before, without waking the sweep. */
	seen_sweep_wake(filter);
	/* Send events from before the filter had a name. */
	if (READ_ONCE(filter->events))
		queue_work(seen_wq, &filter->event_work);
}

/*
 * The allow lists may be removed after this. A packet that does not find them rechecks
 * @gone_seq and sees that the filter is gone, even if the binding has another one by then. A
 * packet that has read the new @gone_seq cannot find the old filter.
 */
static void binding_uninstall(struct seen_binding *binding)
{
	RCU_INIT_POINTER(binding->filter, NULL);
	/* Pairs with seen_binding_gone_seq(). */
	smp_store_release(&binding->gone_seq, binding->gone_seq + 1);
	/* Pairs with the barriers in seen_allow_ask(), before seen_binding_gone(). */
	smp_wmb();
}

static u64 binding_bytes(void)
{
	return sizeof(struct seen_binding) + num_possible_cpus() * sizeof(u64);
}

static struct seen_binding *binding_allocate(void)
{
	struct seen_binding *binding = kzalloc(sizeof(*binding), SEEN_GFP);

	if (!binding)
		return NULL;
	seen_budget_init(&binding->common);
	INIT_LIST_HEAD(&binding->pins);
	binding->unanswered = alloc_percpu_gfp(u64, SEEN_GFP);
	if (binding->unanswered)
		return binding;
	kfree(binding);
	return NULL;
}

static void binding_free(struct rcu_head *rcu)
{
	struct seen_binding *binding =
		container_of(rcu, struct seen_binding, rcu);

	free_percpu(binding->unanswered);
	kfree(binding);
}

/* Find the binding of a name, or create it. */
static struct seen_binding *binding_get(struct seen_net *sn, const char *name,
					struct netlink_ext_ack *extack)
{
	struct seen_binding *binding = seen_binding_lookup(sn, name);
	u32 id;
	int err;

	lockdep_assert_held_write(&sn->lock);
	if (binding)
		return binding;
	err = seen_net_give_id(sn, &id, extack) ?:
	      seen_limit_charge(sn, binding_bytes(), extack);
	if (err)
		return ERR_PTR(err);
	binding = binding_allocate();
	if (!binding) {
		seen_limit_uncharge(sn, binding_bytes());
		NL_SET_ERR_MSG(extack, SEEN_TEXT_MEMORY("name"));
		return ERR_PTR(-ENOMEM);
	}
	strscpy(binding->name, name, sizeof(binding->name));
	binding->sn = sn;
	binding->id = id;
	list_add_tail(&binding->list, &sn->bindings);
	sn->generation++;
	return binding;
}

void seen_binding_put(struct seen_binding *binding)
{
	if (seen_binding_used(binding) || seen_binding_filter(binding))
		return;
	list_del(&binding->list);
	binding->sn->generation++;
	seen_limit_uncharge(binding->sn, binding_bytes());
	call_rcu(&binding->rcu, binding_free);
}

struct seen_binding *seen_binding_add(struct seen_net *sn, const char *name,
				      struct seen_filter *filter, bool owned,
				      struct netlink_ext_ack *extack)
{
	struct seen_binding *binding;
	int err;

	lockdep_assert_held_write(&sn->lock);
	err = seen_binding_check_name(sn, name, extack);
	if (err)
		return ERR_PTR(err);
	binding = binding_get(sn, name, extack);
	if (IS_ERR(binding))
		return binding;
	/* A new id, since a dump continues at ascending ids and must not miss the filter. */
	err = seen_net_give_id(sn, &binding->id, extack);
	if (err) {
		seen_binding_put(binding);
		return ERR_PTR(err);
	}
	binding->owned = owned;
	list_move_tail(&binding->list, &sn->bindings);
	binding_install(binding, filter);
	sn->generation++;
	binding->silent = true;
	if (!owned)
		seen_binding_announce(binding);
	return binding;
}

void seen_binding_announce(struct seen_binding *binding)
{
	lockdep_assert_held_write(&binding->sn->lock);
	if (binding->silent)
		binding_announce(binding, SEEN_CMD_FILTER_ADD_NTF);
	binding->silent = false;
}

void seen_binding_del(struct seen_binding *binding)
{
	struct seen_filter *filter = seen_binding_filter(binding);
	bool silent = binding->silent;

	lockdep_assert_held_write(&binding->sn->lock);
	WARN_ON_ONCE(binding->guards);
	if (!silent)
		binding_announce(binding, SEEN_CMD_FILTER_DEL_NTF);
	binding_uninstall(binding);
	binding->owned = false;
	binding->silent = false;
	memset(binding->counted, 0, sizeof(binding->counted));
	binding->sn->generation++;
	seen_allow_drop(binding);
	seen_allow_map_drop(binding);
	seen_binding_feed_drop(binding);
	seen_filter_destroy(filter);
	if (binding->rules && !silent)
		binding_announce(binding, SEEN_CMD_MISSING_NTF);
	seen_binding_put(binding);
}

void seen_binding_pin(struct seen_binding *binding, struct seen_pin *pin)
{
	lockdep_assert_held_write(&binding->sn->lock);
	binding->guards++;
	list_add_tail(&pin->list, &binding->pins);
}

void seen_binding_unpin(struct seen_binding *binding, struct seen_pin *pin)
{
	lockdep_assert_held_write(&binding->sn->lock);
	binding->guards--;
	list_del(&pin->list);
	seen_binding_put(binding);
}

struct seen_binding *seen_binding_pin_rule(struct seen_net *sn, const char *name,
					   unsigned int kind,
					   struct netlink_ext_ack *extack)
{
	const char *error = binding_name_error(name);
	struct seen_binding *binding;

	if (error) {
		if (extack)
			extack->_msg = error;
		return ERR_PTR(-EINVAL);
	}
	down_write(&sn->lock);
	binding = binding_get(sn, name, extack);
	if (!IS_ERR(binding)) {
		binding->rules++;
		binding->rules_of[kind]++;
		if (!seen_binding_filter(binding))
			binding_announce(binding, SEEN_CMD_MISSING_NTF);
	}
	up_write(&sn->lock);
	return binding;
}

void seen_binding_unpin_rule(struct seen_binding *binding, unsigned int kind)
{
	struct seen_net *sn = binding->sn;

	down_write(&sn->lock);
	binding->rules--;
	binding->rules_of[kind]--;
	if (!binding->rules)
		binding_announce(binding, SEEN_CMD_UNUSED_NTF);
	seen_binding_put(binding);
	up_write(&sn->lock);
}

static void binding_exchange(struct seen_binding *binding, struct seen_filter *filter)
{
	binding_install(binding, filter);
	binding->sn->generation++;
}

/*
 * A flush replaces the filter by an empty one, so that all keys are removed at the same
 * instant, and adds do not wait for a walk of the table. Both filters are charged until the
 * old one is freed. The two may exceed the cap, so that a filter that fills the cap can be
 * flushed; as long as they do, another flush is refused.
 */
int seen_binding_flush(struct seen_binding *binding,
		       struct netlink_ext_ack *extack)
{
	struct seen_filter *old = seen_binding_filter(binding);
	struct seen_filter_config config = {
		.geo = old->set.geo,
		.span = old->span,
		.spec = old->spec,
		.secret = old->secret,
		.on_full = READ_ONCE(old->on_full),
	};
	struct seen_filter *empty;

	lockdep_assert_held(&binding->sn->changes);
	empty = seen_filter_create(binding->sn, &config, true, extack);
	memzero_explicit(&config.secret, sizeof(config.secret));
	if (IS_ERR(empty))
		return PTR_ERR(empty);
	down_write(&binding->sn->lock);
	seen_binding_count_on(binding, old, empty);
	binding_exchange(binding, empty);
	seen_binding_changed(binding, SEEN_CHANGE_FLUSH, NULL);
	up_write(&binding->sn->lock);
	seen_filter_destroy(old);
	return 0;
}

/*
 * @to has no filter, and only rules have pinned it: move the filter and the id of @binding
 * to @to. @binding has no users, so it is freed. The old id of @to is given up; it was never
 * reported, because @to had no filter.
 */
static int binding_move(struct seen_binding *binding, struct seen_binding *to,
			struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_binding_filter(binding);

	if (binding->guards) {
		NL_SET_ERR_MSG(extack,
			       "new-name: already referenced by rules, and guards use the filter; use another name");
		return -EBUSY;
	}
	if (binding->allow_maps) {
		NL_SET_ERR_MSG(extack,
			       "new-name: already referenced by rules, and the filter is an allow map; use another name");
		return -EBUSY;
	}
	/* Publish the allow list before the filter, so that no packet is judged without it. */
	rcu_assign_pointer(to->allow, seen_binding_allow(binding));
	rcu_assign_pointer(to->allow_map, seen_binding_allow_map(binding));
	seen_binding_listed(to);
	/* A packet may still be in the hook of a deleted guard. */
	binding_uninstall(binding);
	RCU_INIT_POINTER(binding->allow, NULL);
	RCU_INIT_POINTER(binding->allow_map, NULL);
	memcpy(to->counted, binding->counted, sizeof(to->counted));
	to->id = binding->id;
	seen_binding_feed_move(binding, to);
	list_move(&to->list, &binding->list);
	binding_exchange(to, filter);
	seen_binding_changed(to, SEEN_CHANGE_RENAME, binding->name);
	seen_binding_put(binding);
	return 0;
}

int seen_binding_rename(struct seen_binding *binding, const struct nlattr *name,
			struct netlink_ext_ack *extack)
{
	char old_name[SEEN_NAME_MAX];
	struct seen_binding *to;
	int err;

	lockdep_assert_held_write(&binding->sn->lock);
	if (binding->rules) {
		SEEN_SET_ERR_MSG_FMT(binding->sn, extack,
				     "name: is in use (rules: %u); delete them first",
				     binding->rules);
		return -EBUSY;
	}
	err = seen_binding_check_name(binding->sn, nla_data(name), extack);
	if (err)
		return err;
	to = seen_binding_lookup(binding->sn, nla_data(name));
	if (to)
		return binding_move(binding, to, extack);
	strscpy(old_name, binding->name, sizeof(old_name));
	strscpy(binding->name, nla_data(name), sizeof(binding->name));
	binding->sn->generation++;
	seen_binding_changed(binding, SEEN_CHANGE_RENAME, old_name);
	return 0;
}

int seen_binding_check_filter(const struct seen_binding *binding,
			      const struct seen_filter *filter,
			      struct netlink_ext_ack *extack)
{
	const struct seen_pin *pin;
	int err;

	lockdep_assert_held(&binding->sn->lock);
	if (binding->allow_maps && filter->set.geo.kind != SEEN_SET_MAP) {
		NL_SET_ERR_MSG(extack,
			       "type: must be map, since the filter is an allow map");
		return -EINVAL;
	}
	if (binding->feed) {
		err = seen_feed_check(&filter->set.geo, &filter->spec, extack);
		if (err)
			return err;
	}
	list_for_each_entry(pin, &binding->pins, list) {
		err = pin->check(pin, filter, extack);
		if (err)
			return err;
	}
	return 0;
}

int seen_binding_swap(struct seen_binding *binding, struct seen_binding *other,
		      struct netlink_ext_ack *extack)
{
	struct seen_filter *a = seen_binding_filter(binding);
	struct seen_filter *b = seen_binding_filter(other);
	int err;

	lockdep_assert_held_write(&binding->sn->lock);
	if (binding == other) {
		NL_SET_ERR_MSG(extack, SEEN_TEXT_OTHER("new-name"));
		return -EINVAL;
	}
	if (!seen_keyspec_equal(&a->spec, &b->spec)) {
		NL_SET_ERR_MSG(extack, SEEN_TEXT_EQUAL("key"));
		return -EINVAL;
	}
	err = seen_binding_check_filter(binding, b, extack) ?:
	      seen_binding_check_filter(other, a, extack);
	if (err)
		return err;
	seen_binding_count_swap(binding, other);
	binding_install(binding, b);
	binding_install(other, a);
	binding->sn->generation++;
	seen_binding_changed(binding, SEEN_CHANGE_SWAP, NULL);
	seen_binding_changed(other, SEEN_CHANGE_SWAP, NULL);
	return 0;
}

void seen_binding_exchange(struct seen_binding *binding,
			   struct seen_filter *filter)
{
	lockdep_assert_held(&binding->sn->changes);
	down_write(&binding->sn->lock);
	binding_exchange(binding, filter);
	up_write(&binding->sn->lock);
}

int seen_binding_replace(struct seen_binding *binding,
			 struct seen_filter *filter,
			 struct netlink_ext_ack *extack)
{
	struct seen_filter *old = seen_binding_filter(binding);
	int err;

	lockdep_assert_held_write(&binding->sn->lock);
	if (!seen_keyspec_equal(&old->spec, &filter->spec)) {
		NL_SET_ERR_MSG(extack,
			       "key: must be the key of the filter that is replaced");
		return -EINVAL;
	}
	err = seen_binding_check_filter(binding, filter, extack);
	if (err)
		return err;
	seen_binding_count_on(binding, old, filter);
	binding_install(binding, filter);
	binding->sn->generation++;
	seen_filter_destroy(old);
	seen_binding_changed(binding, SEEN_CHANGE_REPLACE, NULL);
	return 0;
}

void seen_binding_net_exit(struct seen_net *sn)
{
	struct seen_binding *binding, *next;

	down_write(&sn->lock);
	list_for_each_entry_safe(binding, next, &sn->bindings, list)
		if (seen_binding_filter(binding))
			seen_binding_del(binding);
	up_write(&sn->lock);
}
