// SPDX-License-Identifier: GPL-2.0
/* Requests for guards, and requests for devices that change guards. */
#include <string.h>

#include "link.h"
#include "ops.h"

const struct sort *op_sort(const char *name)
{
	const struct sort *sort = sorts;

	while (strcmp(sort->name, name))
		sort++;
	return sort;
}

static void filter_of(const char *name, const char *sort, const char *key)
{
	struct sort with_key = *op_sort(sort);
	struct seen_filter_config config;

	with_key.key = key;
	config = fixture_config(name, &with_key);
	must(seen_filter_add(client, &config));
}

/* A device, and a filter for each verdict. */
static void device(const struct sort *unused)
{
	must(link_add("d0", "dummy"));
	filter_of("f", "cuckoo-window", "src");
	filter_of("m", "map", "src");
	filter_of("c", "cms-top", "src");
}

static void bridge(const struct sort *unused)
{
	must(link_add("br0", "bridge"));
	must(link_add("d0", "dummy"));
	must(link_add("d1", "dummy"));
	must(link_master("d0", "br0"));
	must(link_master("d1", "br0"));
}

static int add(enum seen_guard_kind kind, const char *dev, uint32_t profile,
	       const char *filter)
{
	struct seen_guard_config config = fixture_guard(kind, dev, profile,
							filter);

	return seen_guard_add(client, &config);
}

static int add_verdict(const char *filter, uint32_t verdict, bool mark)
{
	struct seen_guard_config config = fixture_guard(SEEN_GUARD_KIND_DEV, "d0", 0,
							filter);

	config.given |= 1ULL << SEEN_A_GUARD_VERDICT;
	config.verdict = verdict;
	if (mark) {
		config.given |= 1ULL << SEEN_A_GUARD_ACTION;
		config.action = SEEN_ACTION_MARK;
		config.mark_value = true;
	}
	return seen_guard_add(client, &config);
}

static int add_dup(const struct sort *unused)
{
	return add(SEEN_GUARD_KIND_DEV, "d0", 0, "f");
}

static int add_listed(const struct sort *unused)
{
	return add_verdict("m", SEEN_VERDICT_LISTED, true);
}

static int add_heavy(const struct sort *unused)
{
	return add_verdict("c", SEEN_VERDICT_HEAVY, false);
}

static int add_absent(const struct sort *unused)
{
	return add(SEEN_GUARD_KIND_DEV, "d1", 0, "f");
}

static int add_egress(const struct sort *unused)
{
	struct seen_guard_config config = fixture_guard(SEEN_GUARD_KIND_DEV, "d0", 0,
							"f");

	config.id.hook = SEEN_HOOK_EGRESS;
	return seen_guard_add(client, &config);
}

static int add_loop(const struct sort *unused)
{
	return add(SEEN_GUARD_KIND_DEV, "d0", SEEN_GUARD_PROFILE_LOOP, NULL);
}

static int add_relay(const struct sort *unused)
{
	return add(SEEN_GUARD_KIND_DEV, "d0", SEEN_GUARD_PROFILE_RELAY, NULL);
}

static int add_packet(const struct sort *unused)
{
	return add(SEEN_GUARD_KIND_DEV, "d0", SEEN_GUARD_PROFILE_PACKET, NULL);
}

static int add_bridge(const struct sort *unused)
{
	return add(SEEN_GUARD_KIND_BRIDGE, "br0", SEEN_GUARD_PROFILE_LOOP, NULL);
}

static void guarded(const struct sort *unused)
{
	device(unused);
	must(add_dup(NULL));
}

static void guarded_bridge(const struct sort *unused)
{
	bridge(unused);
	must(add_bridge(NULL));
}

static int guard_del(const struct sort *unused)
{
	const struct seen_guard_id id = { .kind = SEEN_GUARD_KIND_DEV, .dev = "d0" };

	return seen_guard_del(client, &id);
}

static int guard_del_bridge(const struct sort *unused)
{
	const struct seen_guard_id id = { .kind = SEEN_GUARD_KIND_BRIDGE,
					  .dev = "br0" };

	return seen_guard_del(client, &id);
}

static int guard_set(const struct sort *unused)
{
	struct seen_guard_config config = fixture_guard(SEEN_GUARD_KIND_DEV, "d0", 0,
							NULL);

	config.given = 1ULL << SEEN_A_GUARD_ACTION;
	config.action = SEEN_ACTION_DROP;
	return seen_guard_set(client, &config);
}

static int replace_guard(struct seen_guard_config config)
{
	config.given |= 1ULL << SEEN_A_GUARD_PRIORITY;
	config.priority = -900;
	return seen_guard_replace(client, &config);
}

/* The new guard has another filter, and hooks with another priority. */
static int guard_replace(const struct sort *unused)
{
	struct seen_guard_config config = fixture_guard(SEEN_GUARD_KIND_DEV, "d0", 0,
							"m");

	config.given |= 1ULL << SEEN_A_GUARD_VERDICT;
	config.verdict = SEEN_VERDICT_LISTED;
	return replace_guard(config);
}

static int guard_replace_profile(const struct sort *unused)
{
	return replace_guard(fixture_guard(SEEN_GUARD_KIND_DEV, "d0",
					   SEEN_GUARD_PROFILE_LOOP, NULL));
}

static int guard_replace_bridge(const struct sort *unused)
{
	return replace_guard(fixture_guard(SEEN_GUARD_KIND_BRIDGE, "br0",
					   SEEN_GUARD_PROFILE_LOOP, NULL));
}

static int guard_replace_in_place(const struct sort *unused)
{
	struct seen_guard_config config = fixture_guard(SEEN_GUARD_KIND_BRIDGE, "br0",
							SEEN_GUARD_PROFILE_LOOP, NULL);

	config.given |= 1ULL << SEEN_A_GUARD_EXEMPT;
	config.exempt[config.exempts++] = (struct seen_group) {
		.addr = { 1, 0, 0x5e }, .bits = 48,
	};
	return seen_guard_replace(client, &config);
}

static int guard_pause(const struct sort *unused)
{
	const struct seen_guard_id id = { .kind = SEEN_GUARD_KIND_DEV, .dev = "d0" };

	return seen_guard_pause(client, &id, true);
}

static int guard_pause_all(const struct sort *unused)
{
	return seen_guard_pause(client, NULL, true);
}

int op_guard_list(const struct sort *unused)
{
	const struct seen_guard_info *guard;
	struct seen_guards *list;
	size_t ports, i;
	int err;

	err = seen_guard_list(client, &list);
	if (err)
		return err;
	for (i = 0; (guard = seen_guards_at(list, i)); i++) {
		ports = seen_ports_count(guard->ports);
		answer(guard->config.id.dev, strlen(guard->config.id.dev) + 1);
		answer(guard->config.filter, strlen(guard->config.filter) + 1);
		answer(&guard->state, sizeof(guard->state));
		answer(&ports, sizeof(ports));
	}
	seen_guards_free(list);
	return 0;
}

static int guard_get(const struct sort *unused)
{
	return op_guard_get(SEEN_GUARD_KIND_DEV, "d0");
}

static void mapped(const struct sort *unused)
{
	filter_of("f", "bloom", "src");
	filter_of("m", "map", "src");
}

static int set_allow_map(const struct sort *unused)
{
	return seen_filter_set_allow_map(client, "f", "m");
}

static void counted(const struct sort *unused)
{
	fixture_filter("c", op_sort("cms-top"));
}

static int tell(const uint8_t *key, size_t len, uint32_t count,
		void *context)
{
	answer(key, len);
	answer(&count, sizeof(count));
	return 0;
}

static int top_get(const struct sort *unused)
{
	return seen_top_keys(client, "c", tell, NULL);
}

const struct op op_once[] = {
	{ "filter set allow-map", mapped, set_allow_map, .free = true },
	{ "top", counted, top_get },
	{ "guard add, dup", device, add_dup },
	{ "guard add, listed, mark by value", device, add_listed },
	{ "guard add, heavy", device, add_heavy },
	{ "guard add, no device", device, add_absent },
	{ "guard add, egress", device, add_egress },
	{ "guard add, profile loop", device, add_loop },
	{ "guard add, profile relay", device, add_relay },
	{ "guard add, profile packet", device, add_packet, .slow = true },
	{ "guard add bridge", bridge, add_bridge },
	{ "guard replace", guarded, guard_replace },
	{ "guard replace, profile loop", guarded, guard_replace_profile },
	{ "guard replace bridge", guarded_bridge, guard_replace_bridge },
	{ "guard replace, in place", guarded_bridge, guard_replace_in_place },
	{ "guard set", guarded, guard_set, .free = true },
	{ "guard pause", guarded, guard_pause, .free = true },
	{ "guard pause all", guarded, guard_pause_all, .free = true },
	{ "guard show", guarded, op_guard_list, .free = true },
	{ "guard get", guarded, guard_get },
	{ "guard del", guarded, guard_del },
	{ "guard del bridge", guarded_bridge, guard_del_bridge },
};
const unsigned int op_once_count = sizeof(op_once) / sizeof(*op_once);

static void awaited(const struct sort *unused)
{
	filter_of("f", "cuckoo-window", "src");
	must(add_dup(NULL));
}

static void awaited_name(const struct sort *unused)
{
	awaited(unused);
	must(link_add("d1", "dummy"));
}

static void awaited_bridge(const struct sort *unused)
{
	must(add_bridge(NULL));
}

static void awaited_port(const struct sort *unused)
{
	must(link_add("br0", "bridge"));
	must(add_bridge(NULL));
	must(link_add("d0", "dummy"));
}

static void two_bridges(const struct sort *unused)
{
	guarded_bridge(unused);
	must(link_add("br1", "bridge"));
	must(add(SEEN_GUARD_KIND_BRIDGE, "br1", SEEN_GUARD_PROFILE_LOOP, NULL));
}

static int add_dummy(const struct sort *unused)
{
	return link_add("d0", "dummy");
}

static int add_br(const struct sort *unused)
{
	return link_add("br0", "bridge");
}

static int take_name(const struct sort *unused)
{
	return link_rename("d1", "d0");
}

static int give_name(const struct sort *unused)
{
	return link_rename("d0", "d1");
}

static int del_dummy(const struct sort *unused)
{
	return link_del("d0");
}

static int del_br(const struct sort *unused)
{
	return link_del("br0");
}

static int join(const struct sort *unused)
{
	return link_master("d0", "br0");
}

static int leave(const struct sort *unused)
{
	return link_master("d0", NULL);
}

static int move(const struct sort *unused)
{
	return link_master("d0", "br1");
}

/* With too little memory the guard stays in state "waiting". */
static int stay(const struct sort *unused)
{
	return 0;
}

const struct op op_links[] = {
	{ "awaited device comes", awaited, add_dummy, stay,
	  .tells = "waiting d0", .kernel = true },
	{ "awaited bridge comes", awaited_bridge, add_br, stay,
	  .tells = "waiting br0", .kernel = true },
	{ "awaited name is taken", awaited_name, take_name, stay,
	  .tells = "waiting d0", .kernel = true },
	{ "guarded name is given up", guarded, give_name, .kernel = true },
	{ "guarded device goes", guarded, del_dummy, .kernel = true },
	{ "guarded bridge goes", guarded_bridge, del_br, .kernel = true },
	{ "port joins", awaited_port, join, stay, .tells = "waiting br0/d0",
	  .kernel = true },
	{ "port leaves", guarded_bridge, leave, .kernel = true, .free = true },
	{ "port moves to another bridge", two_bridges, move, leave,
	  .tells = "waiting br1/d0", .kernel = true, .steps = true },
};
const unsigned int op_links_count = sizeof(op_links) / sizeof(*op_links);
