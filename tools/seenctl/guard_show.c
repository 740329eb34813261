// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "color.h"
#include "guard.h"
#include "guard_trail.h"
#include "wrap.h"

/* With verdict listed or heavy, the direction of error is that of the filter. */
static const char *errs(const struct seen_guard_config *config)
{
	return config->verdict == SEEN_VERDICT_LISTED ||
	       config->verdict == SEEN_VERDICT_HEAVY ? "filter" : "seen";
}

static void config_text(const struct seen_guard_info *guard)
{
	const struct seen_guard_config *config = &guard->config;
	char text[TEXT_LEN], group[SEEN_CONDITION_LEN];

	wrap_begin("guard %s %s%s%s", seen_word(&seen_guard_kinds, config->id.kind),
		   COLORED(COLOR_NAME, config->id.dev));
	put("hook", "%s", seen_word(&seen_hooks, config->id.hook));
	if (config->profile)
		put("profile", "%s", seen_word(&seen_profiles, config->profile));
	put("filter", "%s", config->filter);
	put("match", "%s", seen_word(&seen_matches, config->match));
	conditions_text(config);
	put("verdict", "%s", seen_word(&seen_verdicts, config->verdict));
	put("action", "%s", seen_word(&seen_actions, config->action));
	if (config->mark_value)
		wrap_add("value");
	else if (config->action == SEEN_ACTION_MARK)
		wrap_words("0x%x", config->mark);
	put("priority", "%d", config->priority);
	put_number("storm", config->storm);
	if (config->repeat)
		put_number("repeat", config->repeat);
	if (config->suspect) {
		put_number("suspect", config->suspect);
		put("block-first", "%s", text_exact(text, config->block_first));
		put("block-max", "%s", text_exact(text, config->block_max));
	}
	put_flag("no-block", config->no_block);
	put_flag("no-probe", config->no_probe);
	for (uint32_t i = 0; i < config->exempts; i++)
		put("exempt", "%s", seen_group_text(&config->exempt[i], group));
	for (uint32_t i = 0; i < config->protects; i++)
		put("protect", "%s", config->protect[i]);
	trail_text(&config->trail);
	wrap_next("    state %s%s%s",
		  COLORED(guard->state == SEEN_GUARD_STATE_ARMED ? COLOR_GOOD : COLOR_BAD,
			  seen_word(&seen_states, guard->state)));
	if (guard->state == SEEN_GUARD_STATE_WAITING)
		wrap_words("(no such device)");
	put_flag("paused", guard->paused && guard->state != SEEN_GUARD_STATE_PAUSED);
	put("errs", "%s", errs(config));
	if (guard->same)
		put("same-port", "%s", text_exact(text, guard->same));
	if (guard->other)
		put("other-port", "%s", text_exact(text, guard->other));
}

static void findings_text(const struct seen_guard_info *guard)
{
	char text[TEXT_LEN];

	for (size_t i = 0; i < guard->findings; i++) {
		wrap_next("   ");
		finding_text(&guard->finding[i]);
		wrap_words("(%ju times, last %s ago)",
			   (uintmax_t)guard->finding[i].count,
			   text_about(text, guard->finding[i].age));
	}
}

static void config_json(const struct seen_guard_info *guard)
{
	const struct seen_guard_config *config = &guard->config;
	char group[SEEN_CONDITION_LEN];

	json_text("kind", seen_word(&seen_guard_kinds, config->id.kind));
	json_text("dev", config->id.dev);
	json_text("hook", seen_word(&seen_hooks, config->id.hook));
	json_text("profile", seen_word(&seen_profiles, config->profile));
	json_text("filter", config->filter);
	json_text("match", seen_word(&seen_matches, config->match));
	conditions_json(config);
	json_text("verdict", seen_word(&seen_verdicts, config->verdict));
	json_text("action", seen_word(&seen_actions, config->action));
	json_bool("mark-value", config->mark_value);
	if (config->action == SEEN_ACTION_MARK && !config->mark_value)
		json_number("mark", config->mark);
	json_signed("priority", config->priority);
	json_number("storm", config->storm);
	if (config->repeat)
		json_number("repeat", config->repeat);
	if (config->suspect) {
		json_number("suspect", config->suspect);
		json_number("block-first", config->block_first);
		json_number("block-max", config->block_max);
	}
	json_bool("no-block", config->no_block);
	json_bool("no-probe", config->no_probe);
	json_open("exempt", '[');
	for (uint32_t i = 0; i < config->exempts; i++)
		json_text(NULL, seen_group_text(&config->exempt[i], group));
	json_close();
	json_open("protect", '[');
	for (uint32_t i = 0; i < config->protects; i++)
		json_text(NULL, config->protect[i]);
	json_close();
	trail_json(&config->trail);
	json_number("id", guard->id);
	json_number("filter-id", guard->filter_id);
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
	if (port->has_last_other)
		dup_json("last-other", &port->last_other);
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
		json_number("blocked-for",
			    port->count[SEEN_A_PORT_BLOCKED_SINCE]);
		json_number("blocked-left",
			    port->count[SEEN_A_PORT_BLOCKED_UNTIL]);
		if (*port->peer)
			json_text("other", port->peer);
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
	const struct seen_port_info *port;

	if (!ctl.json) {
		config_text(guard);
		findings_text(guard);
		guard_ports_text(guard->ports);
		return;
	}
	json_open(NULL, '{');
	config_json(guard);
	json_open("findings", '[');
	for (size_t i = 0; i < guard->findings; i++)
		finding_json(NULL, &guard->finding[i]);
	json_close();
	json_open("ports", '[');
	for (size_t i = 0; (port = seen_ports_at(guard->ports, i)); i++)
		port_json(port);
	json_close();
	json_close();
}
