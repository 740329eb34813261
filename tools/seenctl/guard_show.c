// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "seenctl.h"

void dup_text(const struct seen_dup_info *dup)
{
	char text[TEXT_LEN];

	put("smac", "%s", text_mac(text, dup->smac));
	put("dmac", "%s", text_mac(text, dup->dmac));
	if (dup->tagged)
		put("vlan", "%u", dup->vlan);
	put("ethertype", "0x%04x", dup->ethertype);
	if (*dup->port)
		put("port", "%s", dup->port);
	if (*dup->first)
		put("first-port", "%s", dup->first);
	put("age", "%s", text_about(text, dup->age));
}

void dup_json(const char *key, const struct seen_dup_info *dup)
{
	char text[TEXT_LEN];

	json_open(key, '{');
	json_text("smac", text_mac(text, dup->smac));
	json_text("dmac", text_mac(text, dup->dmac));
	if (dup->tagged)
		json_number("vlan", dup->vlan);
	json_number("ethertype", dup->ethertype);
	if (*dup->port)
		json_text("port", dup->port);
	if (*dup->first)
		json_text("first-port", dup->first);
	json_number("age", dup->age);
	json_close();
}

/* A guard that only asks, or counts, errs as its filter does. */
static const char *errs(const struct seen_guard_config *config)
{
	return config->verdict == SEEN_VERDICT_LISTED ||
	       config->verdict == SEEN_VERDICT_HEAVY ? "filter" : "seen";
}

static void config_text(const struct seen_guard_info *guard)
{
	const struct seen_guard_config *config = &guard->config;
	char text[TEXT_LEN];

	printf("guard %s %s", seen_word(&seen_guard_kinds, config->id.kind),
	       config->id.dev);
	put("hook", "%s", seen_word(&seen_hooks, config->id.hook));
	if (config->profile)
		put("profile", "%s", seen_word(&seen_profiles, config->profile));
	put("filter", "%s", config->filter);
	put("match", "%s", seen_word(&seen_matches, config->match));
	conditions_text(config);
	put("verdict", "%s", seen_word(&seen_verdicts, config->verdict));
	put("action", "%s", seen_word(&seen_actions, config->action));
	if (config->mark_value)
		printf(" value");
	else if (config->action == SEEN_ACTION_MARK)
		printf(" 0x%x", config->mark);
	put("priority", "%d", config->priority);
	put_number("storm", config->storm);
	put_flag("no-block", config->no_block);
	for (uint32_t i = 0; i < config->protects; i++)
		put("protect", "%s", config->protect[i]);
	printf("\n    state %s", seen_word(&seen_states, guard->state));
	put_flag("paused", guard->paused && guard->state != SEEN_STATE_PAUSED);
	put("errs", "%s", errs(config));
	if (guard->same)
		put("same-port", "%s", text_exact(text, guard->same));
	if (guard->other)
		put("other-port", "%s", text_exact(text, guard->other));
	putchar('\n');
}

static void counters_text(const struct seen_port_info *port)
{
	printf("       ");
	for (unsigned int i = 0; i < seen_port_counters.count; i++)
		if (seen_port_counters.word[i])
			put_number(seen_port_counters.word[i], port->count[i]);
	if (port->count[SEEN_A_PORT_BUDGET])
		put_number("budget", port->count[SEEN_A_PORT_BUDGET]);
	putchar('\n');
	if (!port->has_last)
		return;
	printf("        last %s:",
	       port->count[SEEN_A_PORT_HIT] ? "hit" : "duplicate");
	dup_text(&port->last);
	putchar('\n');
}

static void port_text(const struct seen_port_info *port)
{
	char text[TEXT_LEN];

	printf("    port %s", port->name);
	put_flag("self", port->self);
	put_flag("protected", port->protect);
	put_flag("suspended", port->suspended);
	put_flag("gro", port->gro);
	put_flag("offloaded", port->offloaded);
	if (port->blocked) {
		put("BLOCKED since", "%s ago",
		    text_about(text, port->count[SEEN_A_PORT_BLOCKED_SINCE]));
		put("until", "in %s",
		    text_about(text, port->count[SEEN_A_PORT_BLOCKED_UNTIL]));
	}
	if (!port->self)
		put("alarm", "%s", seen_word(&seen_alarms, port->alarm));
	if (port->alarm)
		put_number("rate", port->count[SEEN_A_PORT_RATE]);
	if (port->count[SEEN_A_PORT_PEAK])
		put_number("peak", port->count[SEEN_A_PORT_PEAK]);
	putchar('\n');
	if (ctl.stats)
		counters_text(port);
}

static void config_json(const struct seen_guard_info *guard)
{
	const struct seen_guard_config *config = &guard->config;

	json_text("kind", seen_word(&seen_guard_kinds, config->id.kind));
	json_text("dev", config->id.dev);
	json_text("hook", seen_word(&seen_hooks, config->id.hook));
	json_text("profile", seen_word(&seen_profiles, config->profile));
	json_text("filter", config->filter);
	json_text("match", seen_word(&seen_matches, config->match));
	conditions_json(config);
	json_text("verdict", seen_word(&seen_verdicts, config->verdict));
	json_text("action", seen_word(&seen_actions, config->action));
	if (config->mark_value)
		json_bool("mark-value", true);
	else if (config->action == SEEN_ACTION_MARK)
		json_number("mark", config->mark);
	json_signed("priority", config->priority);
	json_number("storm", config->storm);
	json_bool("no-block", config->no_block);
	json_open("protect", '[');
	for (uint32_t i = 0; i < config->protects; i++)
		json_text(NULL, config->protect[i]);
	json_close();
	json_text("state", seen_word(&seen_states, guard->state));
	json_bool("paused", guard->paused);
	json_text("errs", errs(config));
	json_number("ifindex", guard->ifindex);
	if (guard->same)
		json_number("same-port", guard->same);
	if (guard->other)
		json_number("other-port", guard->other);
}

static void counters_json(const struct seen_port_info *port)
{
	for (unsigned int i = 0; i < seen_port_counters.count; i++)
		if (seen_port_counters.word[i])
			json_number(seen_port_counters.word[i], port->count[i]);
	json_number("budget", port->count[SEEN_A_PORT_BUDGET]);
	if (port->has_last)
		dup_json("last", &port->last);
}

static void port_json(const struct seen_port_info *port)
{
	json_open(NULL, '{');
	json_text("name", port->name);
	json_number("ifindex", port->ifindex);
	json_bool("self", port->self);
	json_bool("protected", port->protect);
	json_bool("suspended", port->suspended);
	json_bool("gro", port->gro);
	json_bool("offloaded", port->offloaded);
	json_bool("blocked", port->blocked);
	if (port->blocked) {
		json_number("blocked-since",
			    port->count[SEEN_A_PORT_BLOCKED_SINCE]);
		json_number("blocked-until",
			    port->count[SEEN_A_PORT_BLOCKED_UNTIL]);
	}
	json_text("alarm", seen_word(&seen_alarms, port->alarm));
	json_number("rate", port->count[SEEN_A_PORT_RATE]);
	json_number("peak", port->count[SEEN_A_PORT_PEAK]);
	if (ctl.stats)
		counters_json(port);
	json_close();
}

void guard_tell(const struct seen_guard_info *guard)
{
	if (!ctl.json) {
		config_text(guard);
		for (size_t i = 0; i < guard->ports; i++)
			port_text(&guard->port[i]);
		return;
	}
	json_open(NULL, '{');
	config_json(guard);
	json_open("ports", '[');
	for (size_t i = 0; i < guard->ports; i++)
		port_json(&guard->port[i]);
	json_close();
	json_close();
}

static void port_notes(const struct seen_port_info *port)
{
	if (port->gro && !port->self)
		remark("port %s has GRO on: merged packets pass unjudged",
		       port->name);
	if (port->offloaded)
		remark("port %s forwards in hardware, past the guard",
		       port->name);
}

void guard_notes(const struct seen_guard_info *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < list[i].ports; j++)
			port_notes(&list[i].port[j]);
	remark("flowtables, XDP redirect and hardware forwarding pass a guard by");
	remark("tcpdump on a guarded port still shows dropped copies: it comes first");
	remark("dropped frames count here, not in rx_dropped; skb:kfree_skb says NETFILTER_DROP");
}
