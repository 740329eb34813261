// SPDX-License-Identifier: GPL-2.0
/*
 * Ports that a bridge keeps closed, as a spanning tree has it, or somebody by hand. The
 * bridge drops what comes in by them, so a block must not leave it with such ports alone.
 *
 * No notifier tells of a port's state, and only under rtnl may it be asked for;
 * so it is looked at from time to time. That is soon enough: a tree opens a port
 * two forward delays, of two seconds at least, after it has closed another one.
 */
#include <linux/if_bridge.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "guard.h"

#define LOOK		HZ
/* While a port is about to open. */
#define LOOK_CLOSELY	(HZ / 10)

static void look_all(struct work_struct *work);
static DECLARE_DELAYED_WORK(look_work, look_all);

static bool is_bridged(const struct seen_port *port)
{
	struct net_device *master = netdev_master_upper_dev_get(port->dev);

	return master && netif_is_bridge_master(master);
}

/* Not linked to the bridge's module: where there is no bridge, it is not needed. */
static u8 state_of(const struct net_device *dev)
{
	typeof(br_port_get_stp_state) *get = symbol_get(br_port_get_stp_state);
	u8 state = BR_STATE_FORWARDING;

	if (get) {
		state = get(dev);
		symbol_put(br_port_get_stp_state);
	}
	return state;
}

/*
 * Ports are disabled while they or the bridge are down or there is no carrier; it opens
 * them under the rtnl under which that changes. One that is disabled besides is so by
 * hand: under an rtnl that was taken for that question.
 */
static bool could_carry(const struct seen_port *port)
{
	struct net_device *master = netdev_master_upper_dev_get(port->dev);

	return netif_running(port->dev) && netif_oper_up(port->dev) &&
	       master && netif_running(master);
}

/*
 * @by_hand: if it is disabled, it is so by hand
 *
 * Return: jiffies until the next look; 0: there is nothing to look at.
 */
static unsigned long look(struct seen_port *port, bool by_hand)
{
	bool opening, closed, bridged = is_bridged(port);
	u8 state = BR_STATE_FORWARDING;

	if (bridged)
		state = state_of(port->dev);
	opening = state == BR_STATE_LISTENING || state == BR_STATE_LEARNING;
	closed = opening || state == BR_STATE_BLOCKING ||
		 (state == BR_STATE_DISABLED && by_hand);
	if (closed != port->closed) {
		WRITE_ONCE(port->closed, closed);
		seen_guard_keep_open(port->guard);
	}
	if (!bridged)
		return 0;
	return opening ? LOOK_CLOSELY : LOOK;
}

static unsigned long look_net(struct net *net)
{
	unsigned long next = 0, delay;
	struct seen_guard *guard;
	struct seen_port *port;

	list_for_each_entry(guard, &seen_net(net)->guards, list)
		list_for_each_entry(port, &guard->ports, list) {
			delay = look(port, could_carry(port));
			next = next && delay ? min(next, delay) : next + delay;
		}
	return next;
}

/* It must not wait for rtnl, whose holder may wait for the end of this work. */
static void look_all(struct work_struct *work)
{
	unsigned long next = 0, delay;
	struct net *net;

	if (!rtnl_trylock()) {
		queue_delayed_work(seen_wq, &look_work, 1);
		return;
	}
	down_read(&net_rwsem);
	for_each_net(net) {
		delay = look_net(net);
		next = next && delay ? min(next, delay) : next + delay;
	}
	up_read(&net_rwsem);
	if (next)
		queue_delayed_work(seen_wq, &look_work, next);
	rtnl_unlock();
}

void seen_port_look(struct seen_port *port)
{
	unsigned long next = look(port, port->closed);

	if (next)
		queue_delayed_work(seen_wq, &look_work, next);
}

void seen_guard_stp_up(struct seen_net *sn, const struct net_device *dev)
{
	struct seen_guard *guard;
	struct seen_port *port;

	ASSERT_RTNL();
	list_for_each_entry(guard, &sn->guards, list)
		list_for_each_entry(port, &guard->ports, list)
			if (port->dev == dev && port->closed)
				look(port, false);
}

void seen_guard_stp_exit(void)
{
	cancel_delayed_work_sync(&look_work);
}
