// SPDX-License-Identifier: GPL-2.0
/*
 * Replacing a guard by another one with the same kind, device and hook.
 *
 * If the guards differ only in parameters that GUARD_SET can change, the old guard is
 * changed: its id, counters, blocks and filter stay. Otherwise a new guard is made, with a
 * new id and counters from 0, which judges no packet yet. From then on nothing can fail.
 * The new ports take over the hooks of the old ports. They also take over the numbers of
 * the old ports, because entries of the filter contain these numbers. Then the old guard is
 * deleted. A filter that its profile made stays if the new guard has the same profile.
 *
 * Each packet of a device is judged by one of the two guards. In a bridge, each hook looks the
 * port of a frame up again. A frame that is between two hooks has no note for the new port: it
 * passes, is not stored, and the new guard counts it as unrecorded. If a duplicate leaves by
 * several ports, all clones that the old guard has not dropped yet pass in this way.
 *
 * A guard of a device needs new hooks only if its priority changes. A packet must not be
 * judged at both the old and the new hook. Direction of error: packets pass for one grace
 * period. The same holds for the hook at which a bridge's own frames get their trail.
 */
#include <linux/rtnetlink.h>

#include "allow.h"
#include "guard_port.h"
#include "limit.h"

static bool replace_same_ranges(const struct seen_conditions *a,
				const struct seen_conditions *b)
{
	return a->udps == b->udps &&
	       !memcmp(a->udp, b->udp, a->udps * sizeof(*a->udp));
}

static bool replace_same_prefixes(const struct seen_prefixes *a,
				  const struct seen_prefixes *b)
{
	u32 i;

	if (a->count != b->count)
		return false;
	for (i = 0; i < a->count; i++)
		if (a->prefix[i].len != b->prefix[i].len ||
		    a->prefix[i].version != b->prefix[i].version ||
		    memcmp(&a->prefix[i].address, &b->prefix[i].address,
			   sizeof(a->prefix[i].address)))
			return false;
	return true;
}

/* A request without a number of the node keeps it. */
static bool replace_same_trails(const struct seen_guard *old,
				const struct seen_guard_new *new)
{
	const struct seen_trail_config *a = &old->config.trail, *b = &new->config->trail;
	const struct seen_trail_ports *x = &old->lists.trail, *y = &new->lists->trail;
	u32 i;

	if (a->mode != b->mode || a->most != b->most || (b->node && a->node != b->node) ||
	    a->wide != b->wide || a->sign != b->sign || x->count != y->count)
		return false;
	for (i = 0; i < x->count; i++)
		if (x->port[i].segment != y->port[i].segment ||
		    strcmp(x->port[i].name, y->port[i].name))
			return false;
	return true;
}

static bool replace_same_conditions(const struct seen_conditions *a,
				    const struct seen_conditions *b)
{
	return replace_same_ranges(a, b) && replace_same_prefixes(&a->src, &b->src) &&
	       replace_same_prefixes(&a->dst, &b->dst);
}

/* Does the guard wait although its device exists? Then an attempt to arm it has failed. */
static bool replace_is_late(const struct seen_guard *old)
{
	return !old->device && __dev_get_by_name(old->sn->net, old->config.dev);
}

/* Are all parameters equal that cannot change live? */
static bool replace_in_place(const struct seen_guard *old,
			     const struct seen_guard_new *new,
			     const struct seen_binding *binding)
{
	const struct seen_guard_config *config = new->config;

	return old->binding == binding && old->config.profile == config->profile &&
	       old->config.verdict == config->verdict &&
	       old->config.priority == config->priority && replace_same_trails(old, new) &&
	       replace_same_conditions(&old->lists.conditions,
				       &new->lists->conditions) &&
	       !replace_is_late(old);
}

/* Keep a mark that @config does not set: a packet that is in the guard may still read it. */
static void replace_keep_marks(struct seen_guard_config *config,
			       const struct seen_guard_config *old)
{
	bool marks = config->action == SEEN_ACTION_MARK;

	if (!marks)
		config->mark_value = old->mark_value;
	if (!marks || config->mark_value)
		config->mark = old->mark;
}

static int replace_change(struct seen_guard *old, struct seen_guard_new *new,
			  struct netlink_ext_ack *extack)
{
	struct seen_guard_config config = *new->config;
	int err;

	err = seen_guard_check_new(new, extack) ?:
	      seen_guard_check_filter(&config, seen_binding_filter(old->binding),
				      extack) ?:
	      seen_guard_check_match(old, config.match, extack);
	if (err)
		return err;
	replace_keep_marks(&config, &old->config);
	seen_guard_change(old, &config);
	seen_guard_exempt_change(old, new->exempts);
	new->exempts = NULL;
	seen_guard_protect_change(old, &new->lists->protect);
	seen_guard_changed(old, SEEN_CHANGE_REPLACE);
	return 0;
}

/*
 * A filter that a profile made is deleted with its last guard, and its allow list would be
 * lost. It has no allow map, because its key has a payload, which the key of a map cannot
 * have.
 */
static int replace_check_list(const struct seen_guard *old,
			      const struct seen_binding *binding,
			      struct netlink_ext_ack *extack)
{
	const struct seen_binding *goes = old->binding;
	const struct seen_allow *allow = seen_binding_allow(goes);

	if (goes == binding || !goes->owned || goes->guards > 1 ||
	    !allow || !allow->count)
		return 0;
	SEEN_SET_ERR_MSG_FMT(old->sn, extack,
			     "filter \"%s\" has an allow list; empty it first",
			     goes->name);
	return -EBUSY;
}

static void replace_take_numbers(struct seen_guard *guard)
{
	struct seen_port *port, *old;

	list_for_each_entry(port, &guard->ports, list) {
		old = seen_port_before(port);
		if (old)
			seen_port_take_number(port, old);
	}
}

/* Does the device have a hook of the port that judges packets? */
static bool replace_judges(const struct seen_port *port)
{
	const struct seen_guard_config *config = &port->guard->config;

	return config->kind != SEEN_GUARD_KIND_BRIDGE || (port->self && config->trail.mode);
}

/* Returns the old port if its device has hooks of both, so that a packet could be judged twice. */
static struct seen_port *replace_twice(const struct seen_port *port)
{
	struct seen_port *old = seen_port_before(port);

	return old && replace_judges(port) && replace_judges(old) &&
	       !seen_port_keeps_hooks(port, old) ? old : NULL;
}

static void replace_rest(struct seen_guard *guard)
{
	struct seen_port *port, *old;
	bool rests = false;

	list_for_each_entry(port, &guard->ports, list) {
		old = replace_twice(port);
		if (old)
			WRITE_ONCE(old->suspended, true);
		rests = rests || old;
	}
	/* After this no packet that the old guard has judged can reach the new hook. */
	if (rests)
		synchronize_net();
}

static void replace_take_hooks(struct seen_guard *guard)
{
	struct seen_port *port, *old;

	list_for_each_entry(port, &guard->ports, list) {
		WRITE_ONCE(port->suspended, false);
		old = seen_port_before(port);
		if (old)
			seen_port_take_hooks(port, old);
	}
}

/* Nothing in here can fail. */
static void replace_commit(struct seen_guard *guard, struct seen_guard *old)
{
	replace_take_numbers(guard);
	replace_rest(guard);
	replace_take_hooks(guard);
	guard->replaces = NULL;
	seen_guard_del(old);
	seen_guard_settle(guard->sn);
	seen_guard_announce(guard);
}

int seen_guard_replace(struct seen_net *sn, struct seen_guard_new *new,
		       struct netlink_ext_ack *extack)
{
	const struct seen_guard_config *config = new->config;
	struct seen_guard *guard, *old;
	struct seen_binding *binding, *own;
	int err;

	ASSERT_RTNL();
	old = seen_guard_find(sn, config->kind, config->dev, config->hook);
	if (!old)
		return seen_guard_add(sn, new, extack);
	own = seen_guard_inherits(old, config);
	/* GUARD_GET reports the profile's filter, too, and a request may repeat its name. */
	if (new->binding == own)
		new->binding = NULL;
	binding = new->binding ?: own;
	if (replace_in_place(old, new, binding))
		return replace_change(old, new, extack);
	err = replace_check_list(old, binding, extack);
	if (err)
		return err;
	guard = seen_guard_make(sn, new, old, extack);
	if (IS_ERR(guard))
		return PTR_ERR(guard);
	replace_commit(guard, old);
	return 0;
}
