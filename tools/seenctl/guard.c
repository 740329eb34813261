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
		return value_missing(device.word);
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
	struct seen_guards *list;
	size_t told;
	int err;

	err = seen_guard_list(ctl.client, &list);
	if (err)
		return from_kernel(err);
	told = tell_list(list, id, all);
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
	int err = seen_guard_pause(ctl.client, id, false);

	if (!err)
		restore_resumed();
	return err;
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
	  "           [block-first TIME] [block-max TIME] [paused]\n"
	  "           [trail] [trail-only] [trail-bits {128|256}] [trail-max N]\n"
	  "           [trail-auth] [trail-node HEX] [port PORT {edge | segment N}]..." },
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
	.summary = "apply filters to the packets of devices and bridges",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  dev, bridge   one device, or the ports of a bridge, including later ones. A\n"
	"                guard whose device does not exist waits for it by name\n"
	"  profile       creates a suitable filter. loop: to drop copies that return\n"
	"                through a broadcast loop, and to block a port of a proven loop;\n"
	"                relay: to find UDP broadcasts that return through another\n"
	"                device; packet: to find packets that are mirrored at two places.\n"
	"                All relay guards share one filter, and so do all packet guards\n"
	"  filter NAME   judge packets by this filter\n"
	"  match         bum: broadcast and multicast; all: every frame\n"
	"  udp PORTS     only UDP to one of these ports: 1900,5353,6000-6010 or all\n"
	"  src, dst      only packets from, or to, these prefixes: 10.0.0.0/8,fe80::/10.\n"
	"                Other packets pass and are not counted\n"
	"  verdict       dup: seen on any port; other-port: first seen on another port;\n"
	"                listed: in the filter, and packets store nothing; heavy: packets\n"
	"                are counted, and the count reaches the filter's threshold\n"
	"  action        for a duplicate, or hit. count: only report what would be done;\n"
	"                mark N: set a mark for nftables (\"meta mark\"); mark value: mark\n"
	"                with the key's value in a map (listed); drop; block: drop, and\n"
	"                block the port of a loop\n"
	"  storm N       N duplicates within a second on one port are a storm; 100 unless\n"
	"                given. Whatever the action is, events report a storm\n"
	"  priority N    priority at the hook; -1000, before nftables, unless given\n"
	"  no-block      with profile loop and action drop on a bridge: block no port\n"
	"  no-probe      send no probes. Only probes prove a loop, so no port is blocked;\n"
	"                probe: send them again\n"
	"  repeat N      more than N repeats a second on a port and VLAN are a sign of a\n"
	"                loop; 1 to 100000000, 1000 unless given\n"
	"  exempt GROUP  a further group of control traffic: its frames pass a blocked\n"
	"                port and do not count as suspicious; at most 16. none: only the\n"
	"                built-in groups\n"
	"  protect PORT  never block this port; at most 64. set: replaces the list; none:\n"
	"                an empty list\n"
	"  suspect N     N frames that return on another port within a second raise the\n"
	"                suspicion of a loop; 1 to 16, 3 unless given\n"
	"  block-first, block-max  duration of the first block of a port, 5s unless\n"
	"                given, and of the longest block, 5m unless given. Each block\n"
	"                lasts twice as long as the previous one. After a time of\n"
	"                block-max without a block, the next block lasts block-first\n"
	"                again. Both 1s to 1d\n"
	"  trail         frames of a bridge with profile loop get a trail, a filter of the\n"
	"                nodes that they have passed. It ends loops that the guard's filter\n"
	"                misses; trail-only: the guard's filter stores no frames\n"
	"  trail-bits N  128, for paths of up to 8 nodes, unless given; 256 for longer ones\n"
	"  trail-max N   most bytes of a frame with a trail, without its Ethernet header;\n"
	"                1400 unless given\n"
	"  trail-auth    sign trails with the secret of the filter, which all hosts share\n"
	"  trail-node HEX  number of the guard in trails; random unless given, and replace\n"
	"                keeps it\n"
	"  port PORT     edge: frames leave this port without their trail, and a trail that\n"
	"                arrives on it is ignored; segment N: a frame that arrives on a port\n"
	"                of segment N leaves by no port of segment N, on any guarded bridge\n"
	"  paused        add, replace: judge no packets until the guard is resumed\n"
	"  replace       adds the guard, or gives an existing guard the parameters of\n"
	"                guard add. If filter, profile, verdict, priority, udp, src, dst\n"
	"                or trail change, a new guard takes its place at once, and the\n"
	"                counters begin at 0. If the kernel refuses it, the old guard\n"
	"                does not change\n"
	"  del all       deletes all guards, and prints each\n"
	"  pause         all further packets pass, also through blocked ports; resume\n"
	"                ends the pause\n"
	"  reset         sets the counters of the guard's ports to 0\n",
};
