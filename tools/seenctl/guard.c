// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "purge.h"
#include "word.h"

/* Read the optional words "{dev | bridge} NAME". @found: out: the words are present. */
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

static int device_missing(const char *word)
{
	char *hint = word_hint(word, word_value, &seen_guard_kinds);

	usage("\"%s\": dev or bridge must come first%s", word, hint ? hint : "");
	free(hint);
	return USAGE;
}

/* As read_device(), but the words are required. */
int guard_read_id(struct args *args, struct seen_guard_id *id)
{
	bool found;
	int status = read_device(args, id, &found);

	if (status || found)
		return status;
	return args->argc ? device_missing(*args->argv) :
			    usage("dev NAME: required, or bridge NAME");
}

bool guard_is(const struct seen_guard_id *a, const struct seen_guard_id *b)
{
	return a->kind == b->kind && a->hook == b->hook &&
	       !strcmp(a->dev, b->dev);
}

/* Print the guards of the device @id, or all guards; returns how many were printed. */
static size_t tell_list(const struct seen_guards *list,
			const struct seen_guard_id *id, bool all)
{
	const struct seen_guard_info *guard;
	size_t told = 0;

	for (size_t i = 0; (guard = seen_guards_at(list, i)); i++) {
		const struct seen_guard_id *own = &guard->config.id;

		if (!all && (own->kind != id->kind || strcmp(own->dev, id->dev)))
			continue;
		guard_tell(guard);
		told++;
	}
	return told;
}

static int show_list(const struct seen_guard_id *id, bool all)
{
	const struct seen_guard_info *guard;
	struct seen_guards *list;
	size_t told;
	int err;

	err = seen_guard_list(ctl.client, &list);
	if (err)
		return from_kernel(err);
	told = tell_list(list, id, all);
	for (size_t i = 0; told && (guard = seen_guards_at(list, i)); i++)
		guard_notes(guard);
	if (told)
		guard_reminders();
	seen_guards_free(list);
	if (!told && !all)
		return refused_object("guard %s %s does not exist",
				      seen_word(&seen_guard_kinds, id->kind),
				      id->dev);
	return DONE;
}

static int show(struct args *args)
{
	struct seen_guard_id id = {};
	bool stats = ctl.stats, found;
	const struct param params[] = { { "-s", NULL, &ctl.stats } };
	int status = read_device(args, &id, &found);

	if (!status && !found && args->argc && strcmp(*args->argv, "-s"))
		return device_missing(*args->argv);
	if (!status)
		status = params_read(args, params, ARRAY_SIZE(params), NULL);
	if (!status)
		status = connect_kernel();
	if (!status)
		status = show_list(&id, !found);
	ctl.stats = stats;
	return status;
}

/* Read the device and the hook of a guard, and no other words. */
static int read_only_id(struct args *args, struct seen_guard_id *id)
{
	const struct param params[] = {
		{ "hook", read_word, &id->hook, &seen_hooks },
	};
	int status = guard_read_id(args, id);

	return status ? status : params_read(args, params, ARRAY_SIZE(params),
					     NULL);
}

static int del_all(struct args *args)
{
	return purge_all(args, purge_guards);
}

static int del(struct args *args)
{
	struct seen_guard_id id = {};
	int status;

	if (args_all(args))
		return del_all(args);
	status = read_only_id(args, &id);
	if (!status)
		status = connect_kernel();
	return status ? status : from_kernel(seen_guard_del(ctl.client, &id));
}

/* @act: called with NULL for all guards. */
static int run_one_or_all(struct args *args,
			  int (*act)(const struct seen_guard_id *id))
{
	struct seen_guard_id id = {};
	bool all = args_all(args);
	int status = all ? args_end(args) : read_only_id(args, &id);

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
	{ "add", guard_add, WHICH
	  "{profile {loop|relay|packet} | filter NAME}\n"
	  "           [hook {ingress|egress}] [match {bum|all}] [udp PORTS]\n"
	  "           [src PREFIXES] [dst PREFIXES]\n"
	  "           [verdict {dup|other-port|listed|heavy}]\n"
	  "           [action {count|mark {N|value}|drop|block}] [storm N] [priority N]\n"
	  "           [no-block] [no-probe] [protect {PORT|none}]... [repeat N]\n"
	  "           [exempt {GROUP[/BITS]|none}]... [suspect N]\n"
	  "           [block-first TIME] [block-max TIME] [paused]" },
	{ "show", show, "[dev DEV | bridge BR] [-s]", .list = true,
	  .alone = true },
	{ "replace", guard_replace, WHICH "{profile P | filter NAME} ..., as of guard add" },
	{ "set", guard_set, WHICH "[hook H] [action A] [no-block]\n"
	  "           [match {bum|all}] [storm N] [no-probe | probe]\n"
	  "           [protect {PORT|none}]... [repeat N] [exempt {GROUP[/BITS]|none}]...\n"
	  "           [suspect N] [block-first TIME] [block-max TIME]" },
	{ "del", del, "{{dev DEV | bridge BR} [hook H] | all}" },
	{ "pause", pause_guard, "{{dev DEV | bridge BR} [hook H] | all}" },
	{ "resume", resume_guard, "{{dev DEV | bridge BR} [hook H] | all}" },
	{ "reset", reset_guard, "{{dev DEV | bridge BR} [hook H] | all}" },
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
	"  no-block      action drop of a bridge of profile loop: never blocks a port\n"
	"  no-probe      send no probes, which prove a loop: so no port is blocked; probe\n"
	"                ends that\n"
	"  repeat N      more than N repeats a second on a port and VLAN are a sign of a\n"
	"                loop; 1 to 100000000, 1000 unless given\n"
	"  exempt GROUP  more groups that carry control traffic: their frames pass a\n"
	"                blocked port and are no suspicion; at most 16. none: only the\n"
	"                built-in ones\n"
	"  protect PORT  never block this one; at most 64. set: in place of those before;\n"
	"                none: an empty list\n"
	"  suspect N     frames that come back on another port within a second that are a\n"
	"                suspicion of a loop; 1 to 16, 3 unless given\n"
	"  block-first, block-max  how long a port is blocked for the first time, 5s unless\n"
	"                given, and at most, 5m: twice as long each time, until it has\n"
	"                passed for block-max. Both 1s to 1d\n"
	"  paused        add, replace: judge nothing until it is resumed\n"
	"  replace       adds the guard, or gives it the parameters of guard add in place of\n"
	"                those that it has. If filter, profile, verdict, priority, udp, src or\n"
	"                dst change, a new guard takes its place at once: its counters begin\n"
	"                at 0. If the kernel refuses it, the old one stays as it was\n"
	"  del all       deletes all guards, and prints each\n"
	"  pause         every packet passes, from the next one on, by blocked ports, too;\n"
	"                resume ends that\n"
	"  reset         the counters of its ports begin at 0\n",
};
