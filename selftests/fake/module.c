// SPDX-License-Identifier: GPL-2.0
#include "../../kmod/limit.h"
#include "../../kmod/guard_probe.h"
#include "../core/test.h"
#include "module.h"

struct seen_net fake_sn;
struct net fake_net = { .generic = &fake_sn };
u32 fake_events;
struct seen_event fake_event;
u8 fake_event_before;

u64 get_jiffies_64(void)
{
	return READ_ONCE(test_clock);
}

void get_random_bytes(void *to, size_t bytes)
{
	u8 *at = to;

	while (bytes--)
		*at++ = random64();
}

void fake_sn_begin(void)
{
	memset(&fake_sn, 0, sizeof(fake_sn));
	fake_sn.net = &fake_net;
	init_rwsem(&fake_sn.lock);
	INIT_LIST_HEAD(&fake_sn.bindings);
	INIT_LIST_HEAD(&fake_sn.guards);
	INIT_LIST_HEAD(&fake_sn.imports);
	INIT_LIST_HEAD(&fake_sn.orphans);
	spin_lock_init(&fake_sn.imports_lock);
	fake_events = 0;
	memset(&fake_event, 0, sizeof(fake_event));
}

/* Like the filter that a flush makes: its geometry is not planned again. */
struct seen_filter *fake_filter(const struct seen_geometry *geo)
{
	struct seen_filter_config config = {
		.geo = *geo,
		.spec = {
			.count = 1, .len = FAKE_KEY_LEN, .min = FAKE_KEY_LEN,
			.max = FAKE_KEY_LEN,
			.field = { { .id = SEEN_FIELD_IIF } },
		},
		.secret = { { 1, 2 } },
		.on_full = SEEN_ON_FULL_REJECT,
	};

	return seen_filter_create(&fake_sn, &config, true, NULL);
}

struct sk_buff fake_packet(u32 number)
{
	return (struct sk_buff) { .skb_iif = number };
}

struct seen_item fake_item(const struct seen_filter *filter, u32 number)
{
	const __be32 bytes = htonl(number);
	struct seen_item item = { };
	struct seen_key key;

	if (!seen_key_take(&filter->spec, &key, (const u8 *)&bytes,
			   sizeof(bytes)) ||
	    !seen_filter_item(filter, &key, &item))
		abort();
	return item;
}

/* --- functions of module files that are not linked -------------------------- */

struct seen_net *seen_net(const struct net *net)
{
	return net->generic;
}

bool seen_is_tenant(const struct seen_net *sn)
{
	return false;
}

int seen_guard_check_match(const struct seen_guard *guard, u32 match,
			   struct netlink_ext_ack *extack)
{
	return 0;
}

void seen_bridge_forget(const struct seen_port *port)
{
}

int seen_limit_charge(struct seen_net *sn, u64 bytes,
		      struct netlink_ext_ack *extack)
{
	return 0;
}

int seen_limit_exceed(struct seen_net *sn, u64 bytes,
		      struct netlink_ext_ack *extack)
{
	return 0;
}

void seen_limit_uncharge(struct seen_net *sn, u64 bytes)
{
}

void seen_event_send(struct seen_net *sn, const struct seen_event *event)
{
	static struct seen_finding finding;

	fake_events++;
	fake_event_before = fake_event.cmd;
	fake_event = *event;
	if (!event->finding)
		return;
	finding = *event->finding;
	fake_event.finding = &finding;
}

struct genl_family seen_family;
