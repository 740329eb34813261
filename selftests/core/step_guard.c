// SPDX-License-Identifier: GPL-2.0
/*
 * A guard's action and its marks change while a packet is judged: the module's own files
 * under a fake kernel, from GUARD_SET to the packet's mark.
 */
#include "../../kmod/guard_port.h"
#include "../../kmod/guard_profile.h"
#include "../fake/explored.h"
#include "../fake/module.h"
#include "interleave.h"
#include "map_keys.h"

/* Of the packet: nobody's, of before, of now; and its value in the guard's map. */
enum { NONE = 1, BEFORE = 2, NOW = 3, VALUE = 4 };
enum { KEY = 1 };

static struct seen_guard *guard;
static struct seen_port_hooks hooks;
static struct seen_port *port;
static struct seen_filter *map;
static struct fake_request request;
static bool map_comes;
static struct seen_guard_config wanted;
static struct net_device device;

/* --- for another guard in its place, which no case here makes -------------- */

int seen_guard_arm(struct seen_guard *at, struct net_device *dev, bool asked,
		   struct netlink_ext_ack *extack)
{
	abort();
}

void seen_guard_disarm(struct seen_guard *at)
{
	abort();
}

void seen_guard_settle(struct seen_net *sn)
{
	abort();
}

struct seen_binding *seen_profile_binding(struct seen_net *sn,
					  const struct seen_guard_config *config,
					  struct seen_filter **filter,
					  struct netlink_ext_ack *extack)
{
	abort();
}

void seen_bridge_replace(struct seen_port *old, struct seen_port *new)
{
	abort();
}

struct net_device *__dev_get_by_name(struct net *net, const char *name)
{
	abort();
}

void *xa_load(struct xarray *xa, unsigned long index)
{
	abort();
}

void *xa_store(struct xarray *xa, unsigned long index, void *entry, unsigned int gfp)
{
	abort();
}

int dev_queue_xmit(struct sk_buff *skb)
{
	abort();
}

/* --- a case ---------------------------------------------------------------- */

/* Shared: done() judges it. */
static struct {
	u32 verdict;
	u32 mark;
} told;

static struct seen_filter *new_map(void)
{
	struct seen_geometry geo = map_tiny(FAKE_KEY_LEN, 1);
	struct seen_filter *new = fake_filter(&geo);
	struct seen_item item = fake_item(new, KEY);

	expect(seen_item_put(&new->set, &item, VALUE) == SEEN_NEW);
	return new;
}

static struct seen_filter *new_bloom(void)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_BLOCKED, .capacity = 80, .fpp = FPP_ONE / 20,
	};
	struct seen_filter *new;
	struct seen_item item;

	expect(!seen_plan(&geo, MIN_TICK));
	new = fake_filter(&geo);
	item = fake_item(new, KEY);
	expect(seen_item_test_and_add(&new->set, &item) == SEEN_NEW);
	return new;
}

/* The guard's filter is a map, or a map will come in its place. */
static void begin(u32 before, bool mark_value, bool comes)
{
	unshare();
	explored_begin();
	fake_sn_begin();
	share(&fake_sn, sizeof(fake_sn));
	share(&told, sizeof(told));
	map_comes = comes;
	map = new_map();
	guard = fake_alloc(sizeof(*guard));
	guard->sn = &fake_sn;
	guard->binding = seen_binding_add(&fake_sn, "f",
					  comes ? new_bloom() : map, false,
					  NULL);
	guard->config = (struct seen_guard_config) {
		.kind = SEEN_GUARD_KIND_DEV, .hook = SEEN_HOOK_INGRESS,
		.match = SEEN_MATCH_ALL, .verdict = SEEN_VERDICT_LISTED,
		.action = before, .mark = BEFORE, .mark_value = mark_value,
		.dev = "eth0",
	};
	guard->device = &device;
	INIT_LIST_HEAD(&guard->ports);
	list_add(&guard->list, &fake_sn.guards);
	port = fake_alloc(sizeof(*port));
	port->guard = guard;
	RCU_INIT_POINTER(hooks.port, port);
	port->stats = fake_alloc_percpu(sizeof(*port->stats));
}

static void change(void)
{
	if (map_comes) {
		down_write(&fake_sn.lock);
		expect(!seen_binding_replace(guard->binding, map, NULL));
		up_write(&fake_sn.lock);
	}
	down_write(&fake_sn.lock);
	expect(!seen_nl_guard_set(NULL, &request.info));
	up_write(&fake_sn.lock);
}

static void packet(void)
{
	struct sk_buff skb = fake_packet(KEY);

	skb.mark = NONE;
	told.verdict = seen_guard_judge(&hooks, &skb, NULL);
	told.mark = skb.mark;
}

static bool is_marked(u32 with)
{
	return told.verdict == NF_ACCEPT && told.mark == with;
}

static void one_or_value(void)
{
	ends++;
	expect(is_marked(BEFORE) || is_marked(VALUE));
}

static void value_or_one(void)
{
	ends++;
	expect(is_marked(VALUE) || is_marked(NOW));
}

static void dropped_or_one(void)
{
	ends++;
	expect(told.verdict == NF_DROP || is_marked(NOW));
}

static void dropped_or_value(void)
{
	ends++;
	expect(told.verdict == NF_DROP || is_marked(VALUE));
}

static void dropped_or_before(void)
{
	ends++;
	expect(told.verdict == NF_DROP || is_marked(BEFORE));
}

/* A packet that was judged by the previous filter has no value. */
static void dropped_or_none_or_value(void)
{
	ends++;
	expect(told.verdict == NF_DROP || is_marked(NONE) || is_marked(VALUE));
}

static void set_u32(int attr, u32 value)
{
	request.attrs[attr] = fake_attr(attr, &value, sizeof(value));
}

/* Action mark: one mark for all, or a map's value for each. */
static void changes(const char *what, int mark, void (*done)(void))
{
	fake_request(&request);
	set_u32(SEEN_A_GUARD_KIND, SEEN_GUARD_KIND_DEV);
	request.attrs[SEEN_A_GUARD_DEV] = fake_string(SEEN_A_GUARD_DEV, "eth0");
	set_u32(SEEN_A_GUARD_ACTION, SEEN_ACTION_MARK);
	set_u32(mark, NOW);
	play(what, (void (*[])(void)) { change, packet, NULL }, done);
}

static void replace(void)
{
	static struct seen_guard_lists lists;
	struct seen_guard_new new = {
		.config = &wanted, .lists = &lists, .binding = guard->binding,
	};

	down_write(&fake_sn.lock);
	expect(!seen_guard_replace(&fake_sn, &new, NULL));
	up_write(&fake_sn.lock);
}

/* GUARD_ADD with REPLACE changes the guard where it is. */
static void replaces(const char *what, u32 action, int mark, void (*done)(void))
{
	wanted = guard->config;
	wanted.action = action;
	wanted.mark_value = mark == SEEN_A_GUARD_MARK_VALUE;
	wanted.mark = mark == SEEN_A_GUARD_MARK ? NOW : 0;
	play(what, (void (*[])(void)) { replace, packet, NULL }, done);
}

int main(void)
{
	test_begin(11);
	begin(SEEN_ACTION_MARK, false, false);
	changes("from one mark for all to the values of a map, a packet",
		SEEN_A_GUARD_MARK_VALUE, one_or_value);
	begin(SEEN_ACTION_MARK, true, false);
	changes("from the values of a map to one mark, a packet",
		SEEN_A_GUARD_MARK, value_or_one);
	begin(SEEN_ACTION_DROP, true, false);
	changes("from action drop to one mark, a packet",
		SEEN_A_GUARD_MARK, dropped_or_one);
	begin(SEEN_ACTION_DROP, false, false);
	changes("from action drop to the values of a map, a packet",
		SEEN_A_GUARD_MARK_VALUE, dropped_or_value);
	begin(SEEN_ACTION_MARK, false, true);
	changes("a map is swapped in, and its values are the marks, a packet",
		SEEN_A_GUARD_MARK_VALUE, one_or_value);
	begin(SEEN_ACTION_DROP, false, true);
	guard->config.mark = 0;
	changes("the same without a mark before",
		SEEN_A_GUARD_MARK_VALUE, dropped_or_none_or_value);
	begin(SEEN_ACTION_MARK, false, false);
	replaces("replace: one mark for all gives way to values, a packet",
		 SEEN_ACTION_MARK, SEEN_A_GUARD_MARK_VALUE, one_or_value);
	begin(SEEN_ACTION_MARK, true, false);
	replaces("replace: values give way to one mark, a packet",
		 SEEN_ACTION_MARK, SEEN_A_GUARD_MARK, value_or_one);
	begin(SEEN_ACTION_DROP, false, false);
	replaces("replace: what drops marks with values, a packet",
		 SEEN_ACTION_MARK, SEEN_A_GUARD_MARK_VALUE, dropped_or_value);
	begin(SEEN_ACTION_MARK, false, false);
	replaces("replace: what marks drops, a packet",
		 SEEN_ACTION_DROP, 0, dropped_or_before);
	begin(SEEN_ACTION_MARK, true, false);
	replaces("replace: what marks with values drops, a packet",
		 SEEN_ACTION_DROP, 0, dropped_or_value);
	return test_end();
}
