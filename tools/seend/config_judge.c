// SPDX-License-Identifier: GPL-2.0
/* Errors of a configuration that show only after its last line. */
#include <string.h>

#include "config_reader.h"

bool config_name_is_good(const char *name)
{
	size_t len = strlen(name);

	for (const char *c = name; *c; c++)
		if (*c <= ' ' || *c >= 0x7f || *c == '/')
			return false;
	return len && len < NAME_ROOM;
}

/* A filter's feed has one reader. */
static void judge_filter(struct config_reader *reader, size_t at)
{
	const struct group_config *group = reader->config->group;

	reader->line = group[at].line;
	if (!*group[at].filter)
		config_fail(reader, "group %s: filter: required", group[at].group.name);
	reader->line = group[at].lines[GROUP_FILTER];
	for (size_t i = 0; i < at; i++)
		if (!strcmp(group[i].filter, group[at].filter))
			config_fail(reader,
				    "group %s: filter %s: it is in group %s, and can be in one only",
				    group[at].group.name, group[at].filter, group[i].group.name);
}

static void judge_servers(struct config_reader *reader, const struct group_config *group)
{
	const char *name = group->group.name, *engine = group->engine.text;

	reader->line = group->line;
	if (!*engine)
		config_fail(reader, "group %s: engine: required: unix:PATH, tcp:HOST:PORT or none",
			    name);
	reader->line = group->lines[GROUP_REPLICA];
	if (*group->replica.text && !strcmp(engine, "none"))
		config_fail(reader, "group %s: replica: there is no engine", name);
	if (*group->replica.text && !strcmp(group->replica.text, engine))
		config_fail(reader, "group %s: replica: it is the engine; omit it", name);
	reader->line = group->lines[GROUP_USER];
	if (*group->user && !*group->password)
		config_fail(reader, "group %s: user: it needs a password; add password = FILE",
			    name);
}

/* In mode each, other hosts make a filter for each publisher. */
static void judge_host(struct config_reader *reader, const struct group_config *group,
		       const struct peer *peer)
{
	size_t len = strlen(group->filter) + 1 + strlen(peer->name);

	reader->line = peer->line;
	if (group->group.each && peer->publishes && len >= NAME_ROOM)
		config_fail(reader,
			    "group %s: host %s: its filter %s.%s has %zu characters, at most %u are possible; shorten a name",
			    group->group.name, peer->name, group->filter, peer->name, len,
			    NAME_ROOM - 1);
}

static void judge_hosts(struct config_reader *reader, const struct group_config *group)
{
	const char *name = group->group.name;
	bool aggregates = false;

	for (size_t i = 0; i < group->group.count; i++) {
		judge_host(reader, group, &group->group.peers[i]);
		aggregates |= group->group.peers[i].aggregates;
	}
	reader->line = group->hosts_line ? group->hosts_line : group->line;
	if (!group->group.count)
		config_fail(reader,
			    "group %s: no hosts; add a section [hosts %s] with a line HOST = PUBLIC-KEY for each",
			    name, name);
	if (!aggregates)
		config_fail(reader,
			    "group %s: no host sends batches; add the word aggregate to the lines of two or three hosts",
			    name);
}

void config_judge(struct config_reader *reader)
{
	const struct config *config = reader->config;

	reader->line = 0;
	if (!config->groups)
		config_fail(reader, "there is no group; add a section [group NAME]");
	for (size_t i = 0; i < config->groups; i++) {
		const struct group_config *group = &config->group[i];

		reader->line = group->hosts_line;
		if (!group->line)
			config_fail(reader, "[hosts %s]: there is no section [group %s]",
				    group->group.name, group->group.name);
		judge_filter(reader, i);
		judge_servers(reader, group);
		judge_hosts(reader, group);
	}
}
