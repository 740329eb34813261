// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "keyfile.h"

/**
 * struct config_reader - a file that is being read
 * @config: out
 * @file: the file
 * @path: for errors
 * @line: number of the last line; the library reports none
 * @error: out
 * @failed: @error is set
 */
struct config_reader {
	struct config *config;
	FILE *file;
	const char *path;
	unsigned int line;
	char *error;
	bool failed;
};

/* For the handler, 0 means an error. */
static int __attribute__((__format__(__printf__, 2, 3)))
config_fail(struct config_reader *reader, const char *text, ...)
{
	va_list args;
	int used;

	if (reader->failed)
		return 0;
	reader->failed = true;
	used = snprintf(reader->error, CONFIG_ERROR, "%s: line %u: ", reader->path, reader->line);
	va_start(args, text);
	vsnprintf(reader->error + used, CONFIG_ERROR - used, text, args);
	va_end(args);
	return 0;
}

static char *config_line(char *text, int room, void *stream)
{
	struct config_reader *reader = stream;
	char *line = reader->failed ? NULL : fgets(text, room, reader->file);

	reader->line += !!line;
	return line;
}

static int config_copy(struct config_reader *reader, char *to, size_t room, const char *name,
		       const char *value)
{
	if (!*value)
		return config_fail(reader, "%s: a value is required", name);
	if (strlen(value) >= room)
		return config_fail(reader, "%s: at most %zu characters", name, room - 1);
	strcpy(to, value);
	return 1;
}

static int config_number(struct config_reader *reader, uint64_t *to, const char *name,
			 const char *value, uint64_t least, uint64_t most)
{
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(value, &end, 10);
	if (errno || *end || *value < '0' || *value > '9' || number < least || number > most)
		return config_fail(reader, "%s: %s: must be a number from %llu to %llu", name,
				   value, (unsigned long long)least, (unsigned long long)most);
	*to = number;
	return 1;
}

static int config_yes(struct config_reader *reader, bool *to, const char *name, const char *value)
{
	if (strcmp(value, "yes") && strcmp(value, "no"))
		return config_fail(reader, "%s: %s: must be yes or no", name, value);
	*to = !strcmp(value, "yes");
	return 1;
}

static int config_host(struct config_reader *reader, const char *name, const char *value)
{
	struct config *config = reader->config;

	if (!strcmp(name, "key"))
		return config_copy(reader, config->key, PATH_MAX, name, value);
	if (!strcmp(name, "state"))
		return config_copy(reader, config->state, PATH_MAX / 2, name, value);
	if (!strcmp(name, "socket"))
		return config_copy(reader, config->socket, 108, name, value);
	return config_fail(reader, "unknown key \"%s\" in [host] (key, state, socket)", name);
}

static int config_engine(struct config_reader *reader, struct address *engine, const char *value)
{
	const char *fault;

	if (!strcmp(value, "none")) {
		strcpy(engine->text, value);
		return 1;
	}
	fault = address_parse(engine, value);
	return fault ? config_fail(reader, "engine: %s: %s, or none", value, fault) : 1;
}

static int config_replica(struct config_reader *reader, struct address *replica, const char *value)
{
	const char *fault = address_parse(replica, value);

	return fault ? config_fail(reader, "replica: %s: %s", value, fault) : 1;
}

static int config_mode(struct config_reader *reader, struct group *group, const char *value)
{
	if (strcmp(value, "union") && strcmp(value, "each"))
		return config_fail(reader, "mode: %s: must be union or each", value);
	group->each = !strcmp(value, "each");
	return 1;
}

static int config_recent(struct config_reader *reader, struct limits *limits, const char *value)
{
	if (!config_number(reader, &limits->recent, "recent", value, 1024, 1ULL << 28))
		return 0;
	if (limits->recent & (limits->recent - 1))
		return config_fail(reader, "recent: %s: must be a power of two", value);
	return 1;
}

#define GROUP_KEYS	"filter, engine, replica, mode, deletes, seal, user, password, rate, " \
			"share, group-rate, growth, recent, force"

static int config_group_key(struct config_reader *reader, struct group_config *config,
			    const char *name, const char *value)
{
	struct limits *limits = &config->group.limits;

	if (!strcmp(name, "filter"))
		return config_copy(reader, config->filter, 32, name, value);
	if (!strcmp(name, "engine"))
		return config_engine(reader, &config->engine, value);
	if (!strcmp(name, "replica"))
		return config_replica(reader, &config->replica, value);
	if (!strcmp(name, "user"))
		return config_copy(reader, config->user, WORD_ROOM, name, value);
	if (!strcmp(name, "password"))
		return config_copy(reader, config->password, PATH_MAX, name, value);
	if (!strcmp(name, "seal"))
		return config_copy(reader, config->seal, PATH_MAX, name, value);
	if (!strcmp(name, "mode"))
		return config_mode(reader, &config->group, value);
	if (!strcmp(name, "deletes"))
		return config_yes(reader, &config->group.deletes, name, value);
	if (!strcmp(name, "force"))
		return config_yes(reader, &config->group.force, name, value);
	if (!strcmp(name, "rate"))
		return config_number(reader, &limits->rate, name, value, 1, 100000000);
	if (!strcmp(name, "group-rate"))
		return config_number(reader, &limits->group_rate, name, value, 1, 100000000);
	if (!strcmp(name, "share"))
		return config_number(reader, &limits->share, name, value, 1, 100);
	if (!strcmp(name, "growth"))
		return config_number(reader, &limits->growth, name, value, 1, 100);
	if (!strcmp(name, "recent"))
		return config_recent(reader, limits, value);
	return config_fail(reader, "unknown key \"%s\" in [group] (%s)", name, GROUP_KEYS);
}

/* The group of a section; a new one if no group has this name. */
static struct group_config *config_group(struct config_reader *reader, const char *name)
{
	struct config *config = reader->config;
	struct group_config *group;

	for (size_t i = 0; i < config->groups; i++)
		if (!strcmp(config->group[i].group.name, name))
			return &config->group[i];
	if (config->groups == GROUPS_MAX) {
		config_fail(reader, "more than %u groups", GROUPS_MAX);
		return NULL;
	}
	if (!*name || strlen(name) >= 32 || strcspn(name, " \t:/*") != strlen(name)) {
		config_fail(reader,
			    "group \"%s\": a name has 1 to 31 characters, without blanks, \":\", \"/\" and \"*\"",
			    name);
		return NULL;
	}
	group = &config->group[config->groups++];
	*group = (struct group_config) {
		.line = reader->line,
		.group.limits = { 10000, 25, 100000, 50, 0x100000 },
	};
	strcpy(group->group.name, name);
	return group;
}

/* NAME = KEY [publish] [aggregate] */
static int config_peer(struct config_reader *reader, struct group *group, const char *name,
		       const char *value)
{
	char text[WORD_ROOM], *save, *word;
	struct peer *peers, *peer;

	if (strlen(name) >= 32 || strlen(value) >= sizeof(text))
		return config_fail(reader, "host %.40s: name or value is too long", name);
	if (group->count == PEERS_MAX)
		return config_fail(reader, "more than %u hosts", PEERS_MAX);
	for (size_t i = 0; i < group->count; i++)
		if (!strcmp(group->peers[i].name, name))
			return config_fail(reader, "host %s: it is listed twice", name);
	peers = realloc(group->peers, (group->count + 1) * sizeof(*peers));
	if (!peers)
		return config_fail(reader, "no memory");
	group->peers = peers;
	peer = &peers[group->count];
	*peer = (struct peer) { 0 };
	strcpy(peer->name, name);
	strcpy(text, value);
	word = strtok_r(text, " \t", &save);
	if (!word || key_parse(word, peer->key, PUBLIC_KEY_LEN))
		return config_fail(reader,
				   "host %s: the public key must be 32 bytes in base64, as seend key prints it",
				   name);
	while ((word = strtok_r(NULL, " \t", &save))) {
		if (!strcmp(word, "publish"))
			peer->publishes = true;
		else if (!strcmp(word, "aggregate"))
			peer->aggregates = true;
		else
			return config_fail(reader,
					   "host %s: \"%s\": must be publish or aggregate", name,
					   word);
	}
	group->count++;
	return 1;
}

static int config_entry(void *user, const char *section, const char *name, const char *value)
{
	struct config_reader *reader = user;
	struct group_config *group;

	if (reader->failed)
		return 0;
	if (!strcmp(section, "host"))
		return config_host(reader, name, value);
	if (!strncmp(section, "group ", 6)) {
		group = config_group(reader, section + 6);
		return group && config_group_key(reader, group, name, value);
	}
	if (!strncmp(section, "hosts ", 6)) {
		group = config_group(reader, section + 6);
		return group && config_peer(reader, &group->group, name, value);
	}
	return config_fail(reader, "unknown section [%s] ([host], [group NAME], [hosts NAME])",
			   section);
}

/* A filter's feed has one reader. */
static void config_judge_filter(struct config_reader *reader, size_t at)
{
	const struct group_config *group = reader->config->group;

	for (size_t i = 0; i < at; i++)
		if (!strcmp(group[i].filter, group[at].filter))
			config_fail(reader,
				    "group %s: filter %s: it is in group %s, and can be in one only",
				    group[at].group.name, group[at].filter, group[i].group.name);
}

static void config_judge_servers(struct config_reader *reader, const struct group_config *group)
{
	const char *name = group->group.name, *engine = group->engine.text;

	if (!*engine)
		config_fail(reader, "group %s: engine: required: unix:PATH, tcp:HOST:PORT or none",
			    name);
	if (*group->replica.text && !strcmp(engine, "none"))
		config_fail(reader, "group %s: replica: there is no engine", name);
	if (!strcmp(group->replica.text, engine))
		config_fail(reader, "group %s: replica: it is the engine; omit it", name);
}

/* Errors that show only after the last line. */
static void config_judge(struct config_reader *reader)
{
	const struct config *config = reader->config;

	reader->line = 0;
	if (!config->groups)
		config_fail(reader, "there is no group; add a section [group NAME]");
	for (size_t i = 0; i < config->groups; i++) {
		const struct group_config *group = &config->group[i];

		reader->line = group->line;
		if (!*group->filter)
			config_fail(reader, "group %s: filter: required", group->group.name);
		config_judge_filter(reader, i);
		config_judge_servers(reader, group);
		if (!group->group.count)
			config_fail(reader, "group %s: no hosts; add a section [hosts %s]",
				    group->group.name, group->group.name);
	}
}

struct config *config_read(const char *path, char *error)
{
	struct config_reader reader = { .path = path, .error = error };
	int line;

	reader.config = calloc(1, sizeof(*reader.config));
	reader.file = fopen(path, "re");
	if (!reader.config || !reader.file) {
		snprintf(error, CONFIG_ERROR, "%s: %s", path, strerror(errno));
		free(reader.config);
		return NULL;
	}
	strcpy(reader.config->key, "/etc/seen/fleet.key");
	strcpy(reader.config->state, "/var/lib/seen");
	strcpy(reader.config->socket, "/run/seen/seend.sock");
	line = ini_parse_stream(config_line, &reader, config_entry, &reader);
	fclose(reader.file);
	if (line && !reader.failed) {
		reader.line = line > 0 ? line : 0;
		config_fail(&reader, "expected [SECTION] or KEY = VALUE");
	}
	if (!reader.failed)
		config_judge(&reader);
	if (!reader.failed)
		return reader.config;
	config_free(reader.config);
	return NULL;
}

void config_free(struct config *config)
{
	if (!config)
		return;
	for (size_t i = 0; i < config->groups; i++)
		free(config->group[i].group.peers);
	free(config);
}
