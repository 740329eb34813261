// SPDX-License-Identifier: GPL-2.0
/* Read the parameters of a guard; add, replace or change it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/condition.h"
#include "guard.h"
#include "guard_trail.h"

/* For read_action(): an action is one word, but "mark" has a further word. */
struct action {
	struct args *args;
	struct seen_guard_config *config;
};

static int read_action(const struct param *param, const char *value)
{
	const struct action *action = param->into;
	struct seen_guard_config *config = action->config;
	const struct param word = {
		.word = "action", .into = &config->action,
		.names = &seen_actions,
	};
	const struct param mark = { .word = "mark", .into = &config->mark };
	int status = read_word(&word, value);

	if (status || config->action != SEEN_ACTION_MARK)
		return status;
	value = args_next(action->args);
	if (!value)
		return usage("mark: value required (N, or \"value\" for the value of the key)");
	config->mark_value = !strcmp(value, "value");
	if (config->mark_value)
		return DONE;
	config->given |= 1ULL << SEEN_A_GUARD_MARK;
	return read_u32(&mark, value);
}

static int read_protect(const struct param *param, const char *value)
{
	struct seen_guard_config *config = param->into;
	const struct param name = {
		.word = "protect", .into = config->protect[config->protects],
	};

	if (config->protects == SEEN_PROTECT_ROOM)
		return usage("protect: at most %d ports", SEEN_PROTECT_ROOM);
	config->protects++;
	return read_dev(&name, value);
}

/*
 * Check an entry of a list: "none" stands for an empty list and excludes other entries.
 * @count: number of entries so far; @none: the entry is "none".
 */
static int read_none(const struct param *param, uint64_t *given, int attr,
		     uint32_t count, bool none)
{
	uint64_t bit = 1ULL << attr;
	bool had_none = *given & bit && !count;

	if (had_none || (none && count))
		return usage("%s: none excludes all others", param->word);
	*given |= bit;
	return DONE;
}

/* Read "PORT", or "none" for an empty list. */
static int read_protects(const struct param *param, const char *value)
{
	struct seen_guard_config *config = param->into;
	bool none = !strcmp(value, "none");
	int status = read_none(param, &config->given, SEEN_A_GUARD_PROTECT,
			       config->protects, none);

	return status || none ? status : read_protect(param, value);
}

/* Read "GROUP" or "GROUP/BITS", or "none" for an empty list. */
static int read_exempt(const struct param *param, const char *value)
{
	struct seen_guard_config *config = param->into;
	bool none = !strcmp(value, "none");
	int status = read_none(param, &config->given, SEEN_A_GUARD_EXEMPT,
			       config->exempts, none);
	const char *fault;

	if (status || none)
		return status;
	if (config->exempts == SEEN_EXEMPT_ROOM)
		return usage("exempt: at most %d groups", SEEN_EXEMPT_ROOM);
	if (seen_group_parse(&config->exempt[config->exempts++], value))
		return DONE;
	fault = seen_group_fault(value);
	if (fault)
		return usage("exempt: %s: %s", fault, value);
	return usage("exempt: \"%s\" is not a group address (01:00:0c:cc:cc:cc, or /8 to /48)",
		     value);
}

/* Turn the bits of params_read() into bits of attributes: bit i becomes bit @attr[i]. */
static uint64_t attributes(uint64_t given, const int *attr, size_t count)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < count; i++)
		if (given & 1ULL << i)
			bits |= 1ULL << attr[i];
	return bits;
}

/* Read the words of "guard add" and "guard replace". */
static int read_new(struct args *args, struct seen_guard_config *config)
{
	struct action action = { args, config };
	struct trail_words trail = { args, &config->trail };
	const struct param params[] = {
		{ "match", read_word, &config->match, &seen_matches },
		{ "verdict", read_word, &config->verdict, &seen_verdicts },
		{ "action", read_action, &action },
		{ "priority", read_s32, &config->priority },
		{ "storm", read_u32, &config->storm, .least = 1 },
		{ "repeat", read_u32, &config->repeat, .checked = true },
		{ "suspect", read_u32, &config->suspect, .checked = true },
		{ "block-first", read_duration, &config->block_first },
		{ "block-max", read_duration, &config->block_max },
		{ "profile", read_word, &config->profile, &seen_profiles },
		{ "filter", read_name, config->filter },
		{ "hook", read_word, &config->id.hook, &seen_hooks },
		{ "no-block", NULL, &config->no_block },
		{ "no-probe", NULL, &config->no_probe },
		{ "exempt", read_exempt, config, .many = true },
		{ "protect", read_protects, config, .many = true },
		{ "udp", read_ports, config },
		{ "src", read_prefixes, &config->src },
		{ "dst", read_prefixes, &config->dst },
		{ "paused", NULL, &config->paused },
		{ "trail", NULL, &trail.on },
		{ "trail-only", NULL, &trail.only },
		{ "trail-bits", read_u32, &config->trail.bits, .least = 1 },
		{ "trail-max", read_u32, &config->trail.most, .least = 1 },
		{ "trail-auth", NULL, &config->trail.auth },
		{ "trail-node", read_node, &config->trail },
		{ "port", read_trail_port, &trail, .many = true },
	};
	static const int attr[] = {
		SEEN_A_GUARD_MATCH, SEEN_A_GUARD_VERDICT, SEEN_A_GUARD_ACTION,
		SEEN_A_GUARD_PRIORITY, SEEN_A_GUARD_STORM, SEEN_A_GUARD_REPEAT,
		SEEN_A_GUARD_SUSPECT, SEEN_A_GUARD_BLOCK_FIRST_NS,
		SEEN_A_GUARD_BLOCK_MAX_NS,
	};
	uint64_t given;
	int status = guard_read_id(args, &config->id);

	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), &given);
	if (status)
		return status;
	if (!config->filter[0] && !config->profile)
		return usage("filter: required, or profile");
	if (trail_settle(&trail))
		return USAGE;
	config->given |= attributes(given, attr, ARRAY_SIZE(attr));
	if (config->no_probe)
		config->given |= 1ULL << SEEN_A_GUARD_NO_PROBE;
	return DONE;
}

static bool action_drops(uint32_t action)
{
	return action == SEEN_ACTION_DROP || action == SEEN_ACTION_BLOCK;
}

/*
 * Print the notes about a guard that was added (@made) or changed. The notes about a guard that is
 * restored were printed when it was added.
 * @dropped: its action before was drop or block
 */
static int tell_limits(const struct seen_guard_id *id, bool made, bool dropped)
{
	const struct seen_guard_info *guard;
	struct seen_guards *list;
	int err;

	if (restore_runs())
		return DONE;
	err = seen_guard_list(ctl.client, &list);
	if (err)
		return from_kernel(err);
	for (size_t i = 0; (guard = seen_guards_at(list, i)); i++) {
		if (!guard_is(&guard->config.id, id))
			continue;
		if (made)
			advise_made(guard);
		if (action_drops(guard->config.action) && !dropped)
			advise_drops();
		advise_guard(guard);
	}
	seen_guards_free(list);
	return DONE;
}

/* Is the action of the guard drop or block? An error leaves @drops false. */
static int read_drops(const struct seen_guard_id *id, bool *drops)
{
	const struct seen_guard_info *guard;
	struct seen_guards *list;
	int err;

	err = seen_guard_list(ctl.client, &list);
	if (err)
		return from_kernel(err);
	for (size_t i = 0; (guard = seen_guards_at(list, i)); i++)
		if (guard_is(&guard->config.id, id))
			*drops = action_drops(guard->config.action);
	seen_guards_free(list);
	return DONE;
}

static int make(struct args *args, bool replace)
{
	struct seen_guard_config config = {};
	int status = read_new(args, &config);
	int err;

	if (!status)
		status = connect_kernel();
	if (status)
		return status;
	err = replace ? seen_guard_replace(ctl.client, &config) :
			seen_guard_add(ctl.client, &config);
	if (err == -EEXIST && ctl.exist && !replace)
		return exist_guard(&config);
	status = from_kernel(err);
	if (status)
		return status;
	if (config.paused)
		restore_paused();
	return tell_limits(&config.id, true, false);
}

int guard_add(struct args *args)
{
	return make(args, false);
}

int guard_replace(struct args *args)
{
	return make(args, true);
}

static const char fixed[] =
	"cannot be changed; use guard replace, which creates a new guard";

/* Read the words of "guard set" after those that name the guard. */
static int read_set(struct args *args, struct seen_guard_config *config)
{
	struct action action = { args, config };
	bool probe = false;
	const struct param params[] = {
		{ "action", read_action, &action },
		{ "match", read_word, &config->match, &seen_matches },
		{ "storm", read_u32, &config->storm, .least = 1 },
		{ "repeat", read_u32, &config->repeat, .checked = true },
		{ "suspect", read_u32, &config->suspect, .checked = true },
		{ "block-first", read_duration, &config->block_first },
		{ "block-max", read_duration, &config->block_max },
		{ "hook", read_word, &config->id.hook, &seen_hooks },
		{ "no-block", NULL, &config->no_block },
		{ "no-probe", NULL, &config->no_probe },
		{ "probe", NULL, &probe },
		{ "exempt", read_exempt, config, .many = true },
		{ "protect", read_protects, config, .many = true },
		{ "profile", .frozen = fixed },
		{ "filter", .frozen = fixed },
		{ "verdict", .frozen = fixed },
		{ "priority", .frozen = fixed },
		{ "udp", .frozen = fixed },
		{ "src", .frozen = fixed },
		{ "dst", .frozen = fixed },
		{ "trail", .frozen = fixed },
		{ "trail-only", .frozen = fixed },
		{ "trail-bits", .frozen = fixed },
		{ "trail-max", .frozen = fixed },
		{ "trail-auth", .frozen = fixed },
		{ "trail-node", .frozen = fixed },
		{ "port", .frozen = fixed },
	};
	static const int attr[] = {
		SEEN_A_GUARD_ACTION, SEEN_A_GUARD_MATCH, SEEN_A_GUARD_STORM,
		SEEN_A_GUARD_REPEAT, SEEN_A_GUARD_SUSPECT,
		SEEN_A_GUARD_BLOCK_FIRST_NS, SEEN_A_GUARD_BLOCK_MAX_NS,
	};
	uint64_t given;
	int status = params_read(args, params, ARRAY_SIZE(params), &given);

	if (status)
		return status;
	config->given |= attributes(given, attr, ARRAY_SIZE(attr));
	if (probe && config->no_probe)
		return usage("probe and no-probe exclude each other");
	if (probe || config->no_probe)
		config->given |= 1ULL << SEEN_A_GUARD_NO_PROBE;
	if (!config->given && !config->no_block)
		return usage("parameter: required (seenctl guard help)");
	return DONE;
}

int guard_set(struct args *args)
{
	const uint64_t noted = 1ULL << SEEN_A_GUARD_ACTION |
			       1ULL << SEEN_A_GUARD_PROTECT;
	struct seen_guard_config config = {};
	int status = guard_read_id(args, &config.id);
	bool drops = false;

	if (!status)
		status = read_set(args, &config);
	if (!status)
		status = connect_kernel();
	if (!status && config.given & noted)
		status = read_drops(&config.id, &drops);
	if (!status)
		status = from_kernel(seen_guard_set(ctl.client, &config));
	if (!status && config.given & noted)
		status = tell_limits(&config.id, false, drops);
	return status;
}

