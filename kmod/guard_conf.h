/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters of a guard. */
#ifndef SEEN_GUARD_CONF_H
#define SEEN_GUARD_CONF_H

#include <linux/if.h>
#include <linux/types.h>

#include "guard_match.h"

/* Maximum number of ports of one guard that are never blocked. */
#define SEEN_PROTECT_MAX	64

/* Number of frames that raise a suspicion: default and maximum. */
#define SEEN_SUSPECT		3
#define SEEN_SUSPECT_MAX	16

/* Default lengths of blocks in ns, and their limits. */
#define SEEN_BLOCK_FIRST	(5 * NSEC_PER_SEC)
#define SEEN_BLOCK_MAX		(300 * NSEC_PER_SEC)
#define SEEN_BLOCK_SHORTEST	NSEC_PER_SEC
#define SEEN_BLOCK_LONGEST	(86400 * NSEC_PER_SEC)

/* Least, default and most bytes behind the Ethernet header of a frame with a trail. */
#define SEEN_TRAIL_MOST_LEAST	128
#define SEEN_TRAIL_MOST		1400
#define SEEN_TRAIL_MOST_MOST	65535
/* Maximum number of ports of one guard that are edges or belong to a segment. */
#define SEEN_TRAIL_PORTS_MAX	64

/**
 * struct seen_trail_config - the trails of a guard's frames; nothing of it changes live
 * @mode: enum seen_trail_mode; 0: frames get no trail
 * @most: most bytes behind the Ethernet header of a frame with a trail
 * @node: number of the guard in trails; 0 in a request: that of the guard that it replaces, else
 *	  a random one
 * @wide: trails have 256 bits
 * @sign: trails have a tag
 */
struct seen_trail_config {
	u32 mode;
	u32 most;
	u64 node;
	bool wide;
	bool sign;
};

/**
 * struct seen_trail_port - the part of a port in trails
 * @name: name of the port
 * @segment: number of its segment; 0: it is an edge
 */
struct seen_trail_port {
	char name[IFNAMSIZ];
	u32 segment;
};

/**
 * struct seen_trail_ports - ports that are edges or belong to a segment
 * @count: number of ports
 * @port: the ports
 */
struct seen_trail_ports {
	u32 count;
	struct seen_trail_port port[SEEN_TRAIL_PORTS_MAX];
};

/**
 * struct seen_guard_config - parameters of a guard
 * @kind: enum seen_guard_kind
 * @hook: enum seen_hook
 * @profile: enum seen_guard_profile, or 0
 * @match: enum seen_match; changes live
 * @verdict: enum seen_verdict
 * @action: enum seen_action; changes live
 * @mark: mark for SEEN_ACTION_MARK; changes live
 * @mark_value: mark a packet with its value in the filter, which is a map; changes live
 * @priority: priority of the hooks
 * @storm: storm rate: duplicates per second on a port; changes live
 * @repeat: repeats per second on a port and VLAN; more are a sign of a loop; changes live
 * @suspect: number of frames that raise a suspicion, if they come back within a second:
 *           1 to SEEN_SUSPECT_MAX; changes live
 * @block_first: length of a port's first block in ns; changes live
 * @block_max: maximum length of a block in ns. After a port was not blocked for this long, its
 *             next block has the length @block_first again; changes live
 * @no_probe: send no probes, and so block no port; changes live
 * @paused: let all packets pass; changes live
 * @trail: trails of its frames
 * @dev: name of the device
 *
 * Members that change live are read by packets while GUARD_SET writes them.
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
	struct seen_trail_config trail;
	char dev[IFNAMSIZ];
};

/**
 * struct seen_protect - ports that are never blocked
 * @count: number of names
 * @name: names of the ports
 */
struct seen_protect {
	u32 count;
	char name[SEEN_PROTECT_MAX][IFNAMSIZ];
};

/**
 * struct seen_guard_lists - parameters of a guard that are lists
 * @protect: ports that are never blocked
 * @conditions: conditions that a packet must meet, in addition to the match
 * @trail: ports that are edges or belong to a segment
 */
struct seen_guard_lists {
	struct seen_protect protect;
	struct seen_trail_ports trail;
	struct seen_conditions conditions;
};

/* seen_guard_may_block() - can the guard have action block? */
static inline bool seen_guard_may_block(const struct seen_guard_config *config)
{
	return config->kind == SEEN_GUARD_KIND_BRIDGE &&
	       config->verdict == SEEN_VERDICT_LOOP &&
	       IS_ENABLED(CONFIG_NETFILTER_EGRESS);
}

/* seen_guard_blocks() - does the guard block ports, or count blocks in a dry run? */
static inline bool seen_guard_blocks(const struct seen_guard_config *config)
{
	u32 action = READ_ONCE(config->action);

	return action == SEEN_ACTION_BLOCK ||
	       (action == SEEN_ACTION_COUNT && seen_guard_may_block(config));
}

/* seen_verdict_knows_ports() - does the verdict depend on the port of an arrival? */
static inline bool seen_verdict_knows_ports(u32 verdict)
{
	return verdict == SEEN_VERDICT_OTHER_PORT ||
	       verdict == SEEN_VERDICT_LOOP;
}

/* seen_verdict_remembers() - does the guard store packets, to recognize their copies? */
static inline bool seen_verdict_remembers(u32 verdict)
{
	return verdict != SEEN_VERDICT_LISTED && verdict != SEEN_VERDICT_HEAVY;
}

/* seen_profile_apply() - copy verdict and match from the profile of @config to @config */
void seen_profile_apply(struct seen_guard_config *config);

#endif
