// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seenctl.h"

/* Reads "{ dev | bridge } NAME"; *@found tells whether it was there. */
static int read_device(struct args *args, struct seen_guard_id *id, bool *found)
{
	struct param device = { .into = id->dev };
	const char *value;
	int kind;

	kind = args->argc ? seen_value(&seen_guard_kinds, *args->argv) : -1;
	*found = kind >= 0;
	if (!*found)
		return DONE;
	id->kind = kind;
	id->hook = SEEN_HOOK_INGRESS;
	device.word = args_next(args);
	value = args_next(args);
	if (!value)
		return usage("%s needs a name", device.word);
	return read_dev(&device, value);
}

/* The same where it has to be there. */
static int read_id(struct args *args, struct seen_guard_id *id)
{
	bool found;
	int status = read_device(args, id, &found);

	if (status || found)
		return status;
	return args->argc ? usage("%s: first comes dev NAME or bridge NAME",
				  *args->argv) :
			    usage("which one? dev NAME or bridge NAME");
}

/* "count", "drop", "block", or "mark" and a number or "value". */
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
		return usage("action mark needs a number, or value");
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

	if (config->protects == SEEN_PROTECT_MAX)
		return usage("protect: at most %d ports", SEEN_PROTECT_MAX);
	config->protects++;
	return read_dev(&name, value);
}

/* "none" is an empty list: it stands alone. @count: how many came before @value. */
static int read_none(const struct param *param, uint64_t *given, int attr,
		     uint32_t count, bool none)
{
	uint64_t bit = 1ULL << attr;
	bool had_none = *given & bit && !count;

	if (had_none || (none && count))
		return usage("%s: none stands alone", param->word);
	*given |= bit;
	return DONE;
}

/* The same, and "none" for an empty list. */
static int read_protects(const struct param *param, const char *value)
{
	struct seen_guard_config *config = param->into;
	bool none = !strcmp(value, "none");
	int status = read_none(param, &config->given, SEEN_A_GUARD_PROTECT,
			       config->protects, none);

	return status || none ? status : read_protect(param, value);
}

/* "GROUP" or "GROUP/BITS", and "none" for an empty list. */
static int read_exempt(const struct param *param, const char *value)
{
	struct seen_guard_config *config = param->into;
	bool none = !strcmp(value, "none");
	int status = read_none(param, &config->given, SEEN_A_GUARD_EXEMPT,
			       config->exempts, none);

	if (status || none)
		return status;
	if (config->exempts == SEEN_EXEMPT_MAX)
		return usage("exempt: at most %d groups", SEEN_EXEMPT_MAX);
	if (seen_group_parse(&config->exempt[config->exempts++], value))
		return DONE;
	return usage("exempt: %s is no group address (01:00:0c:cc:cc:cc, or /8 to /48)",
		     value);
}

/* Tells which attributes came with the words of @params. */
static uint64_t attributes(uint64_t given, const int *attr, size_t count)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < count; i++)
		if (given & 1ULL << i)
			bits |= 1ULL << attr[i];
	return bits;
}

static int read_add(struct args *args, struct seen_guard_config *config)
{
	struct action action = { args, config };
	const struct param params[] = {
		{ "profile", read_word, &config->profile, &seen_profiles },
		{ "match", read_word, &config->match, &seen_matches },
		{ "verdict", read_word, &config->verdict, &seen_verdicts },
		{ "action", read_action, &action },
		{ "priority", read_s32, &config->priority },
		{ "storm", read_u32, &config->storm },
		{ "repeat", read_u32, &config->repeat },
		{ "suspect", read_u32, &config->suspect },
		{ "block-first", read_duration, &config->block_first },
		{ "block-max", read_duration, &config->block_max },
		{ "filter", read_name, config->filter },
		{ "hook", read_word, &config->id.hook, &seen_hooks },
		{ "no-block", NULL, &config->no_block },
		{ "no-probe", NULL, &config->no_probe },
		{ "exempt", read_exempt, config, .many = true },
		{ "protect", read_protect, config, .many = true },
		{ "udp", read_ports, config },
		{ "src", read_prefixes, &config->src },
		{ "dst", read_prefixes, &config->dst },
		{ "paused", NULL, &config->paused },
	};
	static const int attr[] = {
		SEEN_A_GUARD_PROFILE, SEEN_A_GUARD_MATCH, SEEN_A_GUARD_VERDICT,
		SEEN_A_GUARD_ACTION, SEEN_A_GUARD_PRIORITY, SEEN_A_GUARD_STORM,
		SEEN_A_GUARD_REPEAT, SEEN_A_GUARD_SUSPECT,
		SEEN_A_GUARD_BLOCK_FIRST_NS, SEEN_A_GUARD_BLOCK_MAX_NS,
	};
	uint64_t given;
	int status = read_id(args, &config->id);

	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), &given);
	if (status)
		return status;
	if (!config->filter[0] && !config->profile)
		return usage("filter NAME or profile P is missing");
	config->given |= attributes(given, attr, ARRAY_SIZE(attr));
	if (config->no_probe)
		config->given |= 1ULL << SEEN_A_GUARD_NO_PROBE;
	return DONE;
}

bool guard_is(const struct seen_guard_id *a, const struct seen_guard_id *b)
{
	return a->kind == b->kind && a->hook == b->hook &&
	       !strcmp(a->dev, b->dev);
}

/* What a user should know of the guard that was just made, or changed. */
static int tell_limits(const struct seen_guard_id *id, bool made)
{
	struct seen_guard_info *list;
	size_t count;
	int err;

	err = seen_guard_list(ctl.client, &list, &count);
	if (err)
		return from_kernel(err);
	for (size_t i = 0; i < count; i++) {
		if (!guard_is(&list[i].config.id, id))
			continue;
		if (made)
			guard_notes(&list[i], 1);
		advise_guard(&list[i]);
	}
	seen_guard_free(list, count);
	return DONE;
}

static int add(struct args *args)
{
	struct seen_guard_config config = {};
	int status = read_add(args, &config), err;

	if (!status)
		status = connect_kernel();
	if (status)
		return status;
	err = seen_guard_add(ctl.client, &config);
	if (err == -EEXIST && ctl.exist)
		return exist_guard(&config);
	if (err)
		return from_kernel(err);
	if (config.paused)
		restore_paused();
	return tell_limits(&config.id, true);
}

/* Only @id's, unless @all; told are how many. */
static size_t tell_list(const struct seen_guard_info *list, size_t count,
			const struct seen_guard_id *id, bool all)
{
	size_t told = 0;

	for (size_t i = 0; i < count; i++) {
		const struct seen_guard_id *own = &list[i].config.id;

		if (!all && (own->kind != id->kind || strcmp(own->dev, id->dev)))
			continue;
		guard_tell(&list[i]);
		told++;
	}
	return told;
}

static int show_list(const struct seen_guard_id *id, bool all)
{
	struct seen_guard_info *list;
	size_t count, told;
	int err;

	err = seen_guard_list(ctl.client, &list, &count);
	if (err)
		return from_kernel(err);
	told = tell_list(list, count, id, all);
	if (told)
		guard_notes(list, count);
	seen_guard_free(list, count);
	if (!told && !all)
		return refused("%s %s: there is no such guard",
			       seen_word(&seen_guard_kinds, id->kind), id->dev);
	return DONE;
}

static int show(struct args *args)
{
	struct seen_guard_id id = {};
	bool stats = ctl.stats, found;
	const struct param params[] = { { "-s", NULL, &ctl.stats } };
	int status = read_device(args, &id, &found);

	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (!status)
		status = connect_kernel();
	if (!status)
		status = show_list(&id, !found);
	ctl.stats = stats;
	return status;
}

static const char fixed[] =
	"does not change; delete the guard and add another";

/* The words of `guard set`, but for which guard. */
static int read_set(struct args *args, struct seen_guard_config *config)
{
	struct action action = { args, config };
	bool probe = false;
	const struct param params[] = {
		{ "action", read_action, &action },
		{ "match", read_word, &config->match, &seen_matches },
		{ "storm", read_u32, &config->storm },
		{ "repeat", read_u32, &config->repeat },
		{ "suspect", read_u32, &config->suspect },
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
		return usage("probe: no-probe is given, too");
	if (probe || config->no_probe)
		config->given |= 1ULL << SEEN_A_GUARD_NO_PROBE;
	if (!config->given && !config->no_block)
		return usage("what shall change? See seenctl guard help");
	return DONE;
}

static int set(struct args *args)
{
	const uint64_t noted = 1ULL << SEEN_A_GUARD_ACTION |
			       1ULL << SEEN_A_GUARD_PROTECT;
	struct seen_guard_config config = {};
	int status = read_id(args, &config.id);

	if (!status)
		status = read_set(args, &config);
	if (!status)
		status = connect_kernel();
	if (!status)
		status = from_kernel(seen_guard_set(ctl.client, &config));
	if (!status && config.given & noted)
		status = tell_limits(&config.id, false);
	return status;
}

/* Which guard, and nothing else. */
static int read_only_id(struct args *args, struct seen_guard_id *id)
{
	const struct param params[] = {
		{ "hook", read_word, &id->hook, &seen_hooks },
	};
	int status = read_id(args, id);

	return status ? status : params_read(args, params, ARRAY_SIZE(params),
					     NULL);
}

static int del(struct args *args)
{
	struct seen_guard_id id = {};
	int status = read_only_id(args, &id);

	if (!status)
		status = connect_kernel();
	return status ? status : from_kernel(seen_guard_del(ctl.client, &id));
}

/* @act: is told NULL for all guards. */
static int run_one_or_all(struct args *args,
			  int (*act)(const struct seen_guard_id *id))
{
	struct seen_guard_id id = {};
	bool all = args->argc && !strcmp(*args->argv, "all");
	int status;

	if (all) {
		args_next(args);
		status = args_end(args);
	} else {
		status = read_only_id(args, &id);
	}
	if (!status)
		status = connect_kernel();
	if (!status && !all && restore_keeps_guard(&id))
		return DONE;
	return status ? status : from_kernel(act(all ? NULL : &id));
}

static int act_pause(const struct seen_guard_id *id)
{
	return seen_guard_pause(ctl.client, id, true);
}

static int act_resume(const struct seen_guard_id *id)
{
	return seen_guard_pause(ctl.client, id, false);
}

static int act_reset(const struct seen_guard_id *id)
{
	return seen_guard_reset(ctl.client, id);
}

static int pause_guard(struct args *args)
{
	return run_one_or_all(args, act_pause);
}

static int resume_guard(struct args *args)
{
	return run_one_or_all(args, act_resume);
}

static int reset_guard(struct args *args)
{
	return run_one_or_all(args, act_reset);
}

#define WHICH	"{dev DEV | bridge BR} "

static const struct command commands[] = {
	{ "add", add, WHICH
	  "{profile {loop|relay|packet} | filter NAME}\n"
	  "           [hook {ingress|egress}] [match {bum|all}] [udp PORTS]\n"
	  "           [src PREFIXES] [dst PREFIXES]\n"
	  "           [verdict {dup|other-port|listed|heavy}]\n"
	  "           [action {count|mark {N|value}|drop|block}] [storm N] [priority N]\n"
	  "           [no-block] [no-probe] [protect PORT]... [repeat N]\n"
	  "           [exempt {GROUP[/BITS]|none}]... [suspect N]\n"
	  "           [block-first TIME] [block-max TIME] [paused]" },
	{ "show", show, "[dev DEV | bridge BR] [-s]", .list = true },
	{ "set", set, WHICH "[hook H] [action A] [no-block]\n"
	  "           [match {bum|all}] [storm N] [no-probe | probe]\n"
	  "           [protect {PORT|none}]... [repeat N] [exempt {GROUP[/BITS]|none}]...\n"
	  "           [suspect N] [block-first TIME] [block-max TIME]" },
	{ "del", del, WHICH "[hook H]" },
	{ "pause", pause_guard, "{dev DEV | bridge BR | all} [hook H]" },
	{ "resume", resume_guard, "{dev DEV | bridge BR | all} [hook H]" },
	{ "reset", reset_guard, "{dev DEV | bridge BR | all} [hook H]" },
};

const struct object guard_object = {
	.name = "guard",
	.summary = "what looks at the packets of devices",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  dev, bridge   one device; or the ports of a bridge as they come and go. A\n"
	"                guard whose device is absent waits for it by name\n"
	"  profile       with a filter of its own. loop: ends broadcast loops: drops what\n"
	"                comes back, and blocks a port of a loop that it proves; relay: UDP\n"
	"                broadcasts that come back by another device; packet: what is\n"
	"                mirrored at two places. The guards of relay and of packet each\n"
	"                share a filter\n"
	"  filter NAME   judge by this filter\n"
	"  match         bum: broadcast and multicast; all: every frame\n"
	"  udp PORTS     only UDP to one of them: 1900,5353,6000-6010 or all\n"
	"  src, dst      only from, to one of them: 10.0.0.0/8,fe80::/10. What does not\n"
	"                match passes and is not counted\n"
	"  verdict       dup: seen on any port; other-port: first seen on another one;\n"
	"                listed: it is in the filter, and packets store nothing; heavy:\n"
	"                packets are counted, and it reaches the filter's threshold\n"
	"  action        on a duplicate, or hit. count: nothing, only tell what would be\n"
	"                done; mark N: for nftables' \"meta mark\"; mark value: the value\n"
	"                that a map has for it (listed); drop; block: drop, and block the\n"
	"                port that loops\n"
	"  storm N       duplicates within a second on a port that are one; 100 unless\n"
	"                given. Told by events, whatever the action\n"
	"  priority N    of the hook: -1000, before nftables, unless given\n"
	"  no-block      drop, but never block a port\n"
	"  no-probe      send no probes, which prove a loop: so no port is blocked; probe\n"
	"                ends that\n"
	"  repeat N      more than N repeats a second on a port and VLAN are a sign of a\n"
	"                loop; 1 to 100000000, 1000 unless given\n"
	"  exempt GROUP  more groups that carry control traffic: their frames pass a\n"
	"                blocked port and are no suspicion; at most 16. none: only the\n"
	"                built-in ones\n"
	"  protect PORT  never block this one; at most 64. set: in place of those before;\n"
	"                none: no one\n"
	"  suspect N     frames that come back on another port within a second that are a\n"
	"                suspicion of a loop; 1 to 16, 3 unless given\n"
	"  block-first, block-max  how long a port is blocked for the first time, 5s unless\n"
	"                given, and at most, 5m: twice as long each time, until it has\n"
	"                passed for block-max. Both 1s to 1d\n"
	"  paused        add: judge nothing until it is resumed\n"
	"  pause         every packet passes, from the next one on, by blocked ports, too;\n"
	"                resume ends that\n"
	"  reset         the counters of its ports begin at 0\n",
};
