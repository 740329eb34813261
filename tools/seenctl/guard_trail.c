// SPDX-License-Identifier: GPL-2.0
/* Trails of guards: guard_trail.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard_trail.h"
#include "wrap.h"

/* "port PORT edge" or "port PORT segment N" */
int read_trail_port(const struct param *param, const char *value)
{
	struct trail_words *words = param->into;
	struct seen_trail_config *trail = words->trail;
	struct seen_trail_port *port = &trail->port[trail->ports];
	const struct param name = { .word = "port", .into = port->name };
	const struct param segment = {
		.word = "segment", .into = &port->segment, .least = 1,
	};
	const char *part = args_next(words->args);

	if (trail->ports == SEEN_TRAIL_PORTS_ROOM)
		return usage("port: at most %d ports", SEEN_TRAIL_PORTS_ROOM);
	trail->ports++;
	if (read_dev(&name, value))
		return USAGE;
	if (part && !strcmp(part, "edge"))
		return DONE;
	if (!part || strcmp(part, "segment"))
		return usage("port: %s: \"edge\" or \"segment N\" must follow", value);
	value = args_next(words->args);
	return value ? read_u32(&segment, value) : value_missing("segment");
}

int read_node(const struct param *param, const char *value)
{
	struct seen_trail_config *trail = param->into;
	char *end;

	trail->node = strtoull(value, &end, 16);
	if (strspn(value, "0123456789abcdefABCDEF") != strlen(value) || strlen(value) > 16 ||
	    !trail->node)
		return usage("%s: must be at most 16 hex digits, and not 0: %s", param->word,
			     value);
	trail->has_node = true;
	return DONE;
}

/* Returns a word that was given and needs "trail", or NULL. */
static const char *trail_word(const struct trail_words *words)
{
	const struct seen_trail_config *trail = words->trail;

	return words->only ? "trail-only" : trail->bits ? "trail-bits" :
	       trail->most ? "trail-max" : trail->auth ? "trail-auth" :
	       trail->has_node ? "trail-node" : trail->ports ? "port" : NULL;
}

int trail_settle(const struct trail_words *words)
{
	struct seen_trail_config *trail = words->trail;

	if (trail_word(words) && !words->on)
		return usage("trail: required with %s", trail_word(words));
	if (words->on)
		trail->mode = words->only ? SEEN_TRAIL_MODE_ONLY : SEEN_TRAIL_MODE_BOTH;
	return DONE;
}

void trail_text(const struct seen_trail_config *trail)
{
	if (!trail->mode)
		return;
	wrap_next("    trail");
	put_flag("trail-only", trail->mode == SEEN_TRAIL_MODE_ONLY);
	put("trail-bits", "%u", trail->bits);
	put("trail-max", "%u", trail->most);
	put_flag("trail-auth", trail->auth);
	put("trail-node", "%016" PRIx64, trail->node);
	for (uint32_t i = 0; i < trail->ports; i++) {
		put("port", "%s", trail->port[i].name);
		if (trail->port[i].segment)
			put("segment", "%u", trail->port[i].segment);
		else
			wrap_words("edge");
	}
}

static void trail_port_json(const struct seen_trail_port *port)
{
	json_open(NULL, '{');
	json_text("name", port->name);
	json_bool("edge", !port->segment);
	if (port->segment)
		json_number("segment", port->segment);
	json_close();
}

void trail_json(const struct seen_trail_config *trail)
{
	char node[17];

	if (!trail->mode)
		return;
	snprintf(node, sizeof(node), "%016" PRIx64, trail->node);
	json_open("trail", '{');
	json_bool("only", trail->mode == SEEN_TRAIL_MODE_ONLY);
	json_number("bits", trail->bits);
	json_number("max", trail->most);
	json_bool("auth", trail->auth);
	json_text("node", node);
	json_open("ports", '[');
	for (uint32_t i = 0; i < trail->ports; i++)
		trail_port_json(&trail->port[i]);
	json_close();
	json_close();
}

void trail_save(const struct save *save, const struct seen_trail_config *trail)
{
	if (!trail->mode)
		return;
	fprintf(save->line, " trail%s trail-bits %u trail-max %u%s trail-node %016" PRIx64,
		trail->mode == SEEN_TRAIL_MODE_ONLY ? " trail-only" : "", trail->bits,
		trail->most, trail->auth ? " trail-auth" : "", trail->node);
	for (uint32_t i = 0; i < trail->ports; i++) {
		fputs(" port", save->line);
		save_text(save, trail->port[i].name);
		if (trail->port[i].segment)
			fprintf(save->line, " segment %u", trail->port[i].segment);
		else
			fputs(" edge", save->line);
	}
}

static bool trail_has_port(const struct seen_trail_config *trail,
			   const struct seen_trail_port *port)
{
	for (uint32_t i = 0; i < trail->ports; i++)
		if (!strcmp(trail->port[i].name, port->name) &&
		    trail->port[i].segment == port->segment)
			return true;
	return false;
}

const char *trail_differs(const struct seen_trail_config *want,
			  const struct seen_trail_config *has)
{
	if (want->mode != has->mode)
		return "trail";
	if (want->bits && want->bits != has->bits)
		return "trail-bits";
	if (want->most && want->most != has->most)
		return "trail-max";
	if (want->has_node && want->node != has->node)
		return "trail-node";
	if (want->auth != has->auth)
		return "trail-auth";
	for (uint32_t i = 0; i < want->ports; i++)
		if (!trail_has_port(has, &want->port[i]))
			return "port";
	return want->ports == has->ports ? NULL : "port";
}
