/* SPDX-License-Identifier: GPL-2.0 */
/* What a guard shall be, as requests say it. */
#ifndef SEEN_GUARD_CONF_H
#define SEEN_GUARD_CONF_H

#include <linux/if.h>
#include <linux/types.h>

#include "guard_match.h"

/* Ports that one guard may be told never to block. */
#define SEEN_PROTECT_MAX	64

/* The frames of a suspicion, and the most that it may take. */
#define SEEN_SUSPECT		3
#define SEEN_SUSPECT_MAX	16

/* Lengths of blocks in ns unless given, and their limits. */
#define SEEN_BLOCK_FIRST	(5 * NSEC_PER_SEC)
#define SEEN_BLOCK_MAX		(300 * NSEC_PER_SEC)
#define SEEN_BLOCK_SHORTEST	NSEC_PER_SEC
#define SEEN_BLOCK_LONGEST	(86400 * NSEC_PER_SEC)

/**
 * struct seen_guard_config - what a guard shall be
 * @kind: enum seen_guard_kind
 * @hook: enum seen_hook
 * @profile: enum seen_guard_profile, or 0
 * @match: enum seen_match; changes live
 * @verdict: enum seen_verdict
 * @action: enum seen_action; changes live
 * @mark: for SEEN_ACTION_MARK; changes live
 * @mark_value: the mark is the value that the filter, a map, has for the packet;
 *              changes live
 * @priority: of the hooks
 * @storm: duplicates within a second on a port that are one; changes live
 * @repeat: repeats within a second on a port and VLAN that are a sign of a loop;
 *          changes live
 * @suspect: frames that came back within a second that are a suspicion: 1 to
 *           SEEN_SUSPECT_MAX; changes live
 * @block_first: ns, a port's first block; changes live
 * @block_max: ns, its longest block, and how long it must pass for a first one
 *             again; changes live
 * @no_probe: no probes are sent, so no port is blocked; changes live
 * @paused: passes everything; changes live
 * @dev: name of the device
 */
struct seen_guard_config {
	u32 kind;
	u32 hook;
	u32 profile;
	u32 match;
	u32 verdict;
	u32 action;
	u32 mark;
	s32 priority;
	u32 storm;
	u32 repeat;
	u32 suspect;
	u64 block_first;
	u64 block_max;
	bool no_probe;
	bool mark_value;
	bool paused;
	char dev[IFNAMSIZ];
};

/**
 * struct seen_protect - ports that are never blocked
 * @count: how many
 * @name: they
 */
struct seen_protect {
	u32 count;
	char name[SEEN_PROTECT_MAX][IFNAMSIZ];
};

/**
 * struct seen_guard_lists - what of a guard may be given more than once
 * @protect: ports that are never blocked
 * @conditions: what it looks at, beside its match
 */
struct seen_guard_lists {
	struct seen_protect protect;
	struct seen_conditions conditions;
};

/* seen_guard_may_block() - may it have the action block? */
static inline bool seen_guard_may_block(const struct seen_guard_config *config)
{
	return config->kind == SEEN_GUARD_KIND_BRIDGE &&
	       config->verdict == SEEN_VERDICT_LOOP &&
	       IS_ENABLED(CONFIG_NETFILTER_EGRESS);
}

/* seen_guard_blocks() - does it block ports, or count the blocks that it would make? */
static inline bool seen_guard_blocks(const struct seen_guard_config *config)
{
	u32 action = READ_ONCE(config->action);

	return action == SEEN_ACTION_BLOCK ||
	       (action == SEEN_ACTION_COUNT && seen_guard_may_block(config));
}

/* seen_verdict_knows_ports() - is it of no use without a port's number? */
static inline bool seen_verdict_knows_ports(u32 verdict)
{
	return verdict == SEEN_VERDICT_OTHER_PORT ||
	       verdict == SEEN_VERDICT_LOOP;
}

/* seen_verdict_remembers() - is what passes stored, so that it is known again? */
static inline bool seen_verdict_remembers(u32 verdict)
{
	return verdict != SEEN_VERDICT_LISTED && verdict != SEEN_VERDICT_HEAVY;
}

/* seen_profile_apply() - @config's verdict and match become its profile's */
void seen_profile_apply(struct seen_guard_config *config);

#endif
