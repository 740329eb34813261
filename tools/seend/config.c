// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_reader.h"
#include "keyfile.h"

#define SECTIONS	"[host], [group NAME], [hosts NAME]"
#define BLANKS		" \t\r\n\v\f"
/* Characters of a line that the library reads. */
#define LINE_MOST	(INI_MAX_LINE - 2)

/* For the handler of the library, 0 means an error. */
int config_fail(struct config_reader *reader, const char *text, ...)
{
	char why[CONFIG_ERROR / 2];
	va_list args;

	if (reader->failed)
		return 0;
	reader->failed = true;
	va_start(args, text);
	vsnprintf(why, sizeof(why), text, args);
	va_end(args);
	config_say(reader->error, CONFIG_ERROR, reader->config->path, reader->line, "%s", why);
	return 0;
}

void config_say(char *error, size_t room, const char *path, unsigned int line, const char *text,
		...)
{
	int used = snprintf(error, room, "%.400s: ", path);
	va_list args;

	if (line)
		used += snprintf(error + used, room - used, "line %u: ", line);
	va_start(args, text);
	vsnprintf(error + used, room - used, text, args);
	va_end(args);
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

/* The number of a key, and note its line; -1 after an error. */
static int config_key(struct config_reader *reader, const char *const *keys, size_t count,
		      unsigned int *lines, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(name, keys[i]))
			continue;
		if (lines[i]) {
			config_fail(reader, "%s: line %u has it already", name, lines[i]);
			return -1;
		}
		lines[i] = reader->line;
		return i;
	}
	return -1;
}

static int config_host(struct config_reader *reader, const char *name, const char *value)
{
	static const char *const keys[HOST_KEYS] = {
		[HOST_KEY] = "key", [HOST_STATE] = "state", [HOST_SOCKET] = "socket",
	};
	struct config *config = reader->config;

	switch (config_key(reader, keys, HOST_KEYS, config->lines, name)) {
	case HOST_KEY:
		return config_copy(reader, config->key, PATH_MAX, name, value);
	case HOST_STATE:
		return config_copy(reader, config->state, PATH_MAX / 2, name, value);
	case HOST_SOCKET:
		return config_copy(reader, config->socket, 108, name, value);
	default:
		return config_fail(reader, "unknown key \"%s\" in [host] (key, state, socket)",
				   name);
	}
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

static const char *const group_keys[GROUP_KEYS] = {
	[GROUP_FILTER] = "filter", [GROUP_ENGINE] = "engine", [GROUP_REPLICA] = "replica",
	[GROUP_MODE] = "mode", [GROUP_DELETES] = "deletes", [GROUP_SEAL] = "seal",
	[GROUP_USER] = "user", [GROUP_PASSWORD] = "password", [GROUP_RATE] = "rate",
	[GROUP_SHARE] = "share", [GROUP_GROUP_RATE] = "group-rate", [GROUP_GROWTH] = "growth",
	[GROUP_RECENT] = "recent", [GROUP_FORCE] = "force",
};

#define GROUP_KEYS_TEXT	"filter, engine, replica, mode, deletes, seal, user, password, rate, " \
			"share, group-rate, growth, recent, force"

static int config_filter(struct config_reader *reader, struct group_config *config,
			 const char *value)
{
	if (!config_name_is_good(value))
		return config_fail(reader, "filter: \"%.60s\": " NAME_RULE, value);
	return config_copy(reader, config->filter, NAME_ROOM, "filter", value);
}

static int config_group_key(struct config_reader *reader, struct group_config *config,
			    const char *name, const char *value)
{
	struct limits *limits = &config->group.limits;

	switch (config_key(reader, group_keys, GROUP_KEYS, config->lines, name)) {
	case GROUP_FILTER:
		return config_filter(reader, config, value);
	case GROUP_ENGINE:
		return config_engine(reader, &config->engine, value);
	case GROUP_REPLICA:
		return config_replica(reader, &config->replica, value);
	case GROUP_USER:
		return config_copy(reader, config->user, WORD_ROOM, name, value);
	case GROUP_PASSWORD:
		return config_copy(reader, config->password, PATH_MAX, name, value);
	case GROUP_SEAL:
		return config_copy(reader, config->seal, PATH_MAX, name, value);
	case GROUP_MODE:
		return config_mode(reader, &config->group, value);
	case GROUP_DELETES:
		return config_yes(reader, &config->group.deletes, name, value);
	case GROUP_FORCE:
		return config_yes(reader, &config->group.force, name, value);
	case GROUP_RATE:
		return config_number(reader, &limits->rate, name, value, 1, 100000000);
	case GROUP_GROUP_RATE:
		return config_number(reader, &limits->group_rate, name, value, 1, 100000000);
	case GROUP_SHARE:
		return config_number(reader, &limits->share, name, value, 1, 100);
	case GROUP_GROWTH:
		return config_number(reader, &limits->growth, name, value, 1, 100);
	case GROUP_RECENT:
		return config_recent(reader, limits, value);
	default:
		return config_fail(reader, "unknown key \"%s\" in [group] (%s)", name,
				   GROUP_KEYS_TEXT);
	}
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
	if (!config_name_is_good(name) || strpbrk(name, ":*")) {
		config_fail(reader, "group \"%.60s\": " NAME_RULE ", \":\" and \"*\"", name);
		return NULL;
	}
	group = &config->group[config->groups++];
	*group = (struct group_config) { .group.limits = { 10000, 25, 100000, 50, 0x100000 } };
	strcpy(group->group.name, name);
	return group;
}

static bool config_peer_is_twice(struct config_reader *reader, const struct group *group,
				 const struct peer *peer)
{
	for (size_t i = 0; i < group->count; i++) {
		const struct peer *other = &group->peers[i];

		if (!strcmp(other->name, peer->name))
			config_fail(reader, "host %s: line %u has it already", peer->name,
				    other->line);
		else if (!memcmp(other->key, peer->key, PUBLIC_KEY_LEN))
			config_fail(reader,
				    "host %s: it has the public key of host %s (line %u); run seend key on each host",
				    peer->name, other->name, other->line);
	}
	return reader->failed;
}

/* NAME = KEY [publish] [aggregate] */
static int config_peer(struct config_reader *reader, struct group *group, const char *name,
		       const char *value)
{
	char text[WORD_ROOM], *save, *word;
	struct peer *peers, *peer;

	if (!config_name_is_good(name))
		return config_fail(reader, "host \"%.60s\": " NAME_RULE, name);
	if (strlen(value) >= sizeof(text))
		return config_fail(reader, "host %s: the line is too long", name);
	if (group->count == PEERS_MAX)
		return config_fail(reader, "more than %u hosts", PEERS_MAX);
	peers = realloc(group->peers, (group->count + 1) * sizeof(*peers));
	if (!peers)
		return config_fail(reader, "no memory");
	group->peers = peers;
	peer = &peers[group->count];
	*peer = (struct peer) { .line = reader->line };
	strcpy(peer->name, name);
	strcpy(text, value);
	word = strtok_r(text, " \t", &save);
	if (!word || key_parse(word, peer->key, PUBLIC_KEY_LEN))
		return config_fail(reader,
				   "host %s: the public key must be 32 bytes in base64, as seend key prints it",
				   name);
	if (config_peer_is_twice(reader, group, peer))
		return 0;
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

	(void)section;
	if (reader->failed)
		return 0;
	switch (reader->section) {
	case SECTION_HOST:
		return config_host(reader, name, value);
	case SECTION_GROUP:
		return config_group_key(reader, reader->group, name, value);
	case SECTION_HOSTS:
		return config_peer(reader, &reader->group->group, name, value);
	default:
		return config_fail(reader, "%s: a section must come first (" SECTIONS ")", name);
	}
}

/* Begin [group NAME] or [hosts NAME]. */
static bool config_begin(struct config_reader *reader, enum config_section section,
			 const char *name)
{
	unsigned int *line;

	reader->section = section;
	reader->group = config_group(reader, name);
	if (!reader->group)
		return false;
	line = section == SECTION_GROUP ? &reader->group->line : &reader->group->hosts_line;
	if (!*line)
		*line = reader->line;
	return true;
}

/* The library does not report a section without keys, so sections are read here. */
static bool config_section(struct config_reader *reader, char *text)
{
	char *end = strchr(text, ']');

	if (!end || end[1])
		return config_fail(reader, "a section ends with \"]\" and the line");
	*end = '\0';
	if (!strncmp(text, "[group ", 7))
		return config_begin(reader, SECTION_GROUP, text + 7);
	if (!strncmp(text, "[hosts ", 7))
		return config_begin(reader, SECTION_HOSTS, text + 7);
	reader->section = SECTION_HOST;
	return !strcmp(text, "[host") ||
	       config_fail(reader, "unknown section %s] (" SECTIONS ")", text);
}

/* Take blanks at both ends off a line, and its comment. */
static char *config_strip(char *text)
{
	char *end;

	text += strspn(text, BLANKS);
	for (end = text; *end; end++)
		if (strchr("#;", *end) && (end == text || strchr(BLANKS, end[-1])))
			break;
	while (end > text && strchr(BLANKS, end[-1]))
		end--;
	*end = '\0';
	return text;
}

/*
 * Give the library a line. An indented one would be the end of the line before it for the library,
 * which also takes "#" as a comment only at the beginning.
 */
static char *config_line(char *text, int room, void *stream)
{
	struct config_reader *reader = stream;
	char *line;

	if (reader->failed || getline(&reader->text, &reader->room, reader->file) < 0)
		return NULL;
	reader->line++;
	line = config_strip(reader->text);
	snprintf(text, room, "%s\n", line);
	if (strlen(line) > LINE_MOST)
		config_fail(reader, "a line has at most %u characters", LINE_MOST);
	else if (*line == '[')
		config_section(reader, line);
	else if (*line && !strpbrk(line, "=:"))
		config_fail(reader, "expected [SECTION] or KEY = VALUE");
	return reader->failed ? NULL : text;
}

static void config_parse(struct config_reader *reader)
{
	int failed = ini_parse_stream(config_line, reader, config_entry, reader);

	/* All errors of lines were found before the library sees them. */
	if (failed && !reader->failed)
		config_fail(reader, "it cannot be read");
	free(reader->text);
	if (!reader->failed)
		config_judge(reader);
}

struct config *config_read(const char *path, char *error)
{
	struct config_reader reader = { .error = error };

	reader.config = calloc(1, sizeof(*reader.config));
	reader.file = fopen(path, "re");
	if (!reader.config || !reader.file) {
		snprintf(error, CONFIG_ERROR, "%s: %s", path, strerror(errno));
		free(reader.config);
		return NULL;
	}
	snprintf(reader.config->path, sizeof(reader.config->path), "%s", path);
	strcpy(reader.config->key, "/etc/seen/fleet.key");
	strcpy(reader.config->state, "/var/lib/seen");
	strcpy(reader.config->socket, "/run/seen/seend.sock");
	config_parse(&reader);
	fclose(reader.file);
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
