// SPDX-License-Identifier: GPL-2.0
/*
 * Device events: a device appears, disappears, is renamed, joins or leaves a bridge. A guard
 * refers to its device by name. While no device has this name, the guard waits; a device that
 * gets the name later is guarded.
 *
 * A filter must not see the same packet twice. The receive path runs the ingress hooks
 * again for VLANs, bonds, macvlans and bridges above a device, so a filter that is used on
 * both devices would call the second pass a duplicate. A command that would cause this is
 * refused. If a device event causes this later, the port of the upper device is suspended
 * until the cause is gone.
 */
#include <linux/if_arp.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "guard_port.h"
#include "guard_trail.h"
#include "limit.h"

static bool dev_is_ethernet(const struct net_device *dev)
{
	return dev->type == ARPHRD_ETHER && dev->addr_len == ETH_ALEN;
}

static int dev_check_match(const struct net_device *dev, u32 match,
			   struct netlink_ext_ack *extack)
{
	if (match != SEEN_MATCH_BUM || dev_is_ethernet(dev))
		return 0;
	NL_SET_ERR_MSG(extack,
		       "match: bum looks at MAC addresses, which this device does not have");
	return -EINVAL;
}

int seen_guard_check_match(const struct seen_guard *guard, u32 match,
			   struct netlink_ext_ack *extack)
{
	return guard->device ? dev_check_match(guard->device, match, extack) : 0;
}

static int dev_check_device(const struct seen_guard *guard,
			    const struct net_device *dev,
			    struct netlink_ext_ack *extack)
{
	const struct seen_filter *filter = seen_binding_filter(guard->binding);

	if (guard->config.kind == SEEN_GUARD_KIND_BRIDGE &&
	    !netif_is_bridge_master(dev)) {
		SEEN_SET_ERR_MSG_FMT(guard->sn, extack, "dev: %s is not a bridge; use dev %s",
				     dev->name, dev->name);
		return -EINVAL;
	}
	if (dev_is_ethernet(dev))
		return 0;
	if (filter->spec.link) {
		NL_SET_ERR_MSG(extack,
			       "dev: the filter's key has Ethernet fields, which this device does not have");
		return -EINVAL;
	}
	return dev_check_match(dev, guard->config.match, extack);
}

static bool dev_is_above(struct net_device *upper, struct net_device *lower)
{
	bool above;

	if (list_empty(&upper->adj_list.lower))
		return false;
	rcu_read_lock();
	above = netdev_has_upper_dev_all_rcu(lower, upper);
	rcu_read_unlock();
	return above;
}

/*
 * Do two ports clash: does @port see the packets of @other a second time? Of two ports on the
 * same device, the newer one does.
 */
static bool guard_dev_clashes(const struct seen_port *port, const struct seen_port *other)
{
	if (port == other || other->self)
		return false;
	if (port->dev == other->dev)
		return port->guard->config.hook == other->guard->config.hook &&
		       port->id > other->id;
	return dev_is_above(port->dev, other->dev);
}

static struct seen_port *dev_find_clash(const struct seen_port *port)
{
	struct seen_net *sn = port->sn;
	struct seen_guard *guard;
	struct seen_port *other;

	if (port->self)
		return NULL;
	/* The usual case: the only guard of its filter, on a device without lower devices. */
	if (port->guard->binding->guards == 1 &&
	    list_empty(&port->dev->adj_list.lower))
		return NULL;
	list_for_each_entry(guard, &sn->guards, list) {
		if (guard->binding != port->guard->binding ||
		    guard == port->guard->replaces)
			continue;
		list_for_each_entry(other, &guard->ports, list)
			if (guard_dev_clashes(port, other))
				return other;
	}
	return NULL;
}

/* Refuse a clash that @guard would cause; its port may be the upper or the lower one. */
static int dev_refuse_clash(const struct seen_guard *guard,
			    struct netlink_ext_ack *extack)
{
	struct seen_port *port, *other;
	struct seen_guard *each;

	list_for_each_entry(each, &guard->sn->guards, list) {
		if (each->binding != guard->binding)
			continue;
		list_for_each_entry(port, &each->ports, list) {
			other = dev_find_clash(port);
			if (!other || port->suspended)
				continue;
			SEEN_SET_ERR_MSG_FMT(guard->sn, extack,
					     "dev: %s and %s get the same packets; use two filters",
					     port->name, other->name);
			return -EBUSY;
		}
	}
	return 0;
}

static void dev_tell_port(const struct seen_port *port, u8 cmd,
			  const struct seen_port *other)
{
	struct seen_event event = seen_guard_event(port->guard, cmd);

	event.port = port->name;
	event.other = other ? other->name : NULL;
	seen_event_send(port->sn, &event);
}

static void dev_settle_port(struct seen_port *port)
{
	const struct seen_port *other = dev_find_clash(port);

	if (port->suspended == !!other)
		return;
	WRITE_ONCE(port->suspended, !!other);
	dev_tell_port(port, other ? SEEN_CMD_SUSPENDED_NTF : SEEN_CMD_RESUMED_NTF,
		      other);
}

void seen_guard_settle(struct seen_net *sn)
{
	struct seen_guard *guard;
	struct seen_port *port;

	list_for_each_entry(guard, &sn->guards, list)
		list_for_each_entry(port, &guard->ports, list)
			dev_settle_port(port);
}

/*
 * After a device has joined or left @upper. Only ports of @upper, and of devices above it,
 * can see other packets than before. So a port that joins a bridge is compared with the
 * other ports, but these are not compared with each other.
 */
static void dev_settle_above(struct seen_net *sn, struct net_device *upper)
{
	struct seen_guard *guard;
	struct seen_port *port;

	list_for_each_entry(guard, &sn->guards, list)
		list_for_each_entry(port, &guard->ports, list)
			if (port->dev == upper || dev_is_above(port->dev, upper))
				dev_settle_port(port);
}

/* After ports were deleted: resume suspended ports that clash with no other port now. */
static void guard_dev_resume(struct seen_net *sn)
{
	struct seen_guard *guard;
	struct seen_port *port;

	list_for_each_entry(guard, &sn->guards, list)
		list_for_each_entry(port, &guard->ports, list)
			if (port->suspended)
				dev_settle_port(port);
}

static int dev_add_ports(struct seen_guard *guard, struct net_device *dev,
			 struct netlink_ext_ack *extack)
{
	struct seen_port *port = seen_port_add(guard, dev, extack);
	struct net_device *lower;
	struct list_head *iter;

	if (IS_ERR(port) || !port->self)
		return PTR_ERR_OR_ZERO(port);
	netdev_for_each_lower_dev(dev, lower, iter) {
		port = seen_port_add(guard, lower, extack);
		if (IS_ERR(port))
			return PTR_ERR(port);
	}
	return 0;
}

static int dev_hook_ports(struct seen_guard *guard, struct netlink_ext_ack *extack)
{
	struct seen_port *port;
	int err;

	list_for_each_entry(port, &guard->ports, list) {
		err = seen_port_hook(port, extack);
		if (err)
			return err;
	}
	return 0;
}

/*
 * While a guard of the initial user namespace is armed, the module cannot be unloaded, so
 * that loop protection is not removed by mistake. A guard of another user namespace does not
 * hold the module, because a container must not prevent the unload. If the module is being
 * unloaded already, try_module_get() fails, and the guard ends with the module.
 */
static void dev_hold_module(struct seen_guard *guard)
{
	guard->holds_module = !seen_is_tenant(guard->sn) &&
			      try_module_get(THIS_MODULE);
}

/* The module stays until the caller returns, because its exit waits for the caller's locks. */
static void dev_release_module(struct seen_guard *guard)
{
	if (guard->holds_module)
		module_put(THIS_MODULE);
	guard->holds_module = false;
}

void seen_guard_disarm(struct seen_guard *guard)
{
	struct seen_port *port, *next;

	dev_release_module(guard);
	list_for_each_entry_safe(port, next, &guard->ports, list)
		seen_port_del(port);
	WRITE_ONCE(guard->device, NULL);
	guard->ifindex = 0;
	guard_dev_resume(guard->sn);
}

int seen_guard_arm(struct seen_guard *guard, struct net_device *dev, bool asked,
		   struct netlink_ext_ack *extack)
{
	int err;

	ASSERT_RTNL();
	err = dev_check_device(guard, dev, extack);
	if (err)
		return err;
	WRITE_ONCE(guard->device, dev);
	guard->ifindex = dev->ifindex;
	err = dev_add_ports(guard, dev, extack);
	seen_trail_fit(guard);
	if (!err && asked)
		err = dev_refuse_clash(guard, extack);
	/* A guard that replaces another one does this later; replace_commit(). */
	if (!err && !guard->replaces)
		seen_guard_settle(guard->sn);
	if (!err)
		err = dev_hook_ports(guard, extack);
	if (err)
		seen_guard_disarm(guard);
	else
		dev_hold_module(guard);
	return err;
}

static void guard_dev_arm(struct seen_guard *guard, struct net_device *dev)
{
	struct netlink_ext_ack extack = {};
	int err = seen_guard_arm(guard, dev, false, &extack);

	if (err && !seen_is_tenant(guard->sn))
		net_warn_ratelimited("seen: device %s is not guarded: %s\n",
				     dev->name, extack._msg);
	seen_guard_tell(guard, err ? SEEN_CMD_WAITING_NTF : SEEN_CMD_ARMED_NTF);
}

static void dev_wait_for_device(struct seen_guard *guard)
{
	seen_guard_disarm(guard);
	seen_guard_tell(guard, SEEN_CMD_WAITING_NTF);
}

/* A device has got its name: arm the guards that wait for it. */
static void guard_dev_come(struct seen_net *sn, struct net_device *dev)
{
	struct seen_guard *guard;

	list_for_each_entry(guard, &sn->guards, list)
		if (!guard->device && !strcmp(guard->config.dev, dev->name))
			guard_dev_arm(guard, dev);
}

static void dev_del_port(struct seen_guard *guard, const struct net_device *dev)
{
	struct seen_port *port, *next;

	list_for_each_entry_safe(port, next, &guard->ports, list) {
		if (port->dev != dev)
			continue;
		seen_port_del(port);
		seen_guard_keep_open(guard);
		seen_trail_fit(guard);
	}
}

static void guard_dev_go(struct seen_net *sn, const struct net_device *dev)
{
	struct seen_guard *guard;

	list_for_each_entry(guard, &sn->guards, list) {
		if (guard->device == dev)
			dev_wait_for_device(guard);
		else
			dev_del_port(guard, dev);
	}
	guard_dev_resume(sn);
}

static void guard_dev_rename(struct seen_net *sn, struct net_device *dev)
{
	struct seen_guard *guard;
	struct seen_port *port;

	list_for_each_entry(guard, &sn->guards, list) {
		if (guard->device == dev &&
		    strcmp(guard->config.dev, dev->name))
			dev_wait_for_device(guard);
		list_for_each_entry(port, &guard->ports, list)
			if (port->dev == dev)
				seen_port_rename(port);
	}
	guard_dev_come(sn, dev);
}

/* Report a port that could not be added: no memory, no number, or no hook. */
static void dev_tell_unguarded(const struct seen_guard *guard,
			       const struct net_device *dev, const char *why)
{
	struct seen_event event = seen_guard_event(guard, SEEN_CMD_WAITING_NTF);

	event.port = dev->name;
	seen_event_send(guard->sn, &event);
	if (seen_is_tenant(guard->sn))
		return;
	net_warn_ratelimited("seen: port %s of %s is not guarded: %s\n",
			     dev->name, guard->config.dev, why);
}

static void guard_dev_join(struct seen_guard *guard, struct net_device *dev)
{
	struct netlink_ext_ack extack = {};
	struct seen_port *port = seen_port_add(guard, dev, &extack);
	int err = PTR_ERR_OR_ZERO(port);

	if (!err) {
		dev_settle_port(port);
		/* Before the first frame can leave by this port. */
		seen_trail_fit(guard);
		err = seen_port_hook(port, &extack);
		if (err)
			seen_port_del(port);
	}
	if (err)
		dev_tell_unguarded(guard, dev, extack._msg);
}

static bool dev_has_port(const struct seen_guard *guard,
			 const struct net_device *dev)
{
	const struct seen_port *port;

	list_for_each_entry(port, &guard->ports, list)
		if (port->dev == dev)
			return true;
	return false;
}

/*
 * Look at the topology, not at the event: another notifier may have vetoed the join, and
 * nothing reports that.
 */
static void dev_change_upper(struct seen_net *sn, struct net_device *dev,
			     struct net_device *upper)
{
	struct net_device *master = netdev_master_upper_dev_get(dev);
	struct seen_guard *guard;

	list_for_each_entry(guard, &sn->guards, list) {
		if (guard->config.kind != SEEN_GUARD_KIND_BRIDGE ||
		    !guard->device || guard->device == dev)
			continue;
		if (guard->device != master)
			dev_del_port(guard, dev);
		else if (!dev_has_port(guard, dev))
			guard_dev_join(guard, dev);
	}
	dev_settle_above(sn, upper);
}

static struct net_device *dev_upper_of(void *ptr)
{
	struct netdev_notifier_changeupper_info *info = ptr;

	return info->upper_dev;
}

/* Call @update for each guard that has a port on @dev. */
static void dev_update_guards(struct seen_net *sn, const struct net_device *dev,
			      void (*update)(struct seen_guard *guard))
{
	struct seen_guard *guard;

	ASSERT_RTNL();
	list_for_each_entry(guard, &sn->guards, list)
		if (dev_has_port(guard, dev))
			update(guard);
}

static int guard_dev_notify(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct seen_net *sn = seen_net(dev_net(dev));

	/*
	 * rtnl is held, so the lists do not change. When the last open port has lost its carrier,
	 * a blocked port is released at once.
	 */
	if (event == NETDEV_DOWN ||
	    (event == NETDEV_CHANGE && !netif_carrier_ok(dev)))
		dev_update_guards(sn, dev, seen_guard_keep_open);
	if (event == NETDEV_CHANGEMTU)
		dev_update_guards(sn, dev, seen_trail_fit);
	/* All other events are ignored, and must not wait for the lock. */
	if (event != NETDEV_REGISTER && event != NETDEV_UNREGISTER &&
	    event != NETDEV_CHANGENAME && event != NETDEV_CHANGEUPPER)
		return NOTIFY_DONE;
	if (list_empty(&sn->guards))
		return NOTIFY_DONE;
	down_write(&sn->lock);
	switch (event) {
	case NETDEV_REGISTER:
		guard_dev_come(sn, dev);
		break;
	case NETDEV_UNREGISTER:
		guard_dev_go(sn, dev);
		break;
	case NETDEV_CHANGENAME:
		guard_dev_rename(sn, dev);
		break;
	case NETDEV_CHANGEUPPER:
		dev_change_upper(sn, dev, dev_upper_of(ptr));
		break;
	}
	up_write(&sn->lock);
	return NOTIFY_DONE;
}

static struct notifier_block notifier = { .notifier_call = guard_dev_notify };

int seen_guard_init(void)
{
	return register_netdevice_notifier(&notifier);
}

void seen_guard_exit(void)
{
	unregister_netdevice_notifier(&notifier);
}
