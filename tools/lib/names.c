// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <linux/seen.h>

#include "names.h"

#define COUNT(array)	(sizeof(array) / sizeof(*(array)))

static const char *const types[] = {
	[SEEN_TYPE_BLOOM]	= "bloom",
	[SEEN_TYPE_CUCKOO]	= "cuckoo",
	[SEEN_TYPE_BITMAP]	= "bitmap",
	[SEEN_TYPE_COUNTING]	= "counting",
	[SEEN_TYPE_MAP]		= "map",
	[SEEN_TYPE_CMS]		= "cms",
	[SEEN_TYPE_CMM]		= "cmm",
};

const struct seen_names seen_types = { COUNT(types), types };

static const char *const layouts[] = {
	[SEEN_LAYOUT_BLOCKED]	= "blocked",
	[SEEN_LAYOUT_CLASSIC]	= "classic",
};

const struct seen_names seen_layouts = { COUNT(layouts), layouts };

static const char *const on_fulls[] = {
	[SEEN_ON_FULL_REJECT]	= "reject",
	[SEEN_ON_FULL_EVICT]	= "evict",
	[SEEN_ON_FULL_ROTATE]	= "rotate",
	[SEEN_ON_FULL_PASS]	= "pass",
};

const struct seen_names seen_on_fulls = { COUNT(on_fulls), on_fulls };

static const char *const guard_kinds[] = {
	[SEEN_GUARD_KIND_DEV]	= "dev",
	[SEEN_GUARD_KIND_BRIDGE]	= "bridge",
};

const struct seen_names seen_guard_kinds = { COUNT(guard_kinds), guard_kinds };

static const char *const hooks[] = {
	[SEEN_HOOK_INGRESS]	= "ingress",
	[SEEN_HOOK_EGRESS]	= "egress",
};

const struct seen_names seen_hooks = { COUNT(hooks), hooks };

static const char *const profiles[] = {
	[SEEN_GUARD_PROFILE_UNSPEC]	= "none",
	[SEEN_GUARD_PROFILE_LOOP]	= "loop",
	[SEEN_GUARD_PROFILE_RELAY]	= "relay",
	[SEEN_GUARD_PROFILE_PACKET]	= "packet",
};

const struct seen_names seen_profiles = { COUNT(profiles), profiles };

static const char *const matches[] = {
	[SEEN_MATCH_BUM]	= "bum",
	[SEEN_MATCH_ALL]	= "all",
};

const struct seen_names seen_matches = { COUNT(matches), matches };

static const char *const verdicts[] = {
	[SEEN_VERDICT_DUP]		= "dup",
	[SEEN_VERDICT_OTHER_PORT]	= "other-port",
	[SEEN_VERDICT_LOOP]		= "loop",
	[SEEN_VERDICT_LISTED]		= "listed",
	[SEEN_VERDICT_HEAVY]		= "heavy",
};

const struct seen_names seen_verdicts = { COUNT(verdicts), verdicts };

static const char *const actions[] = {
	[SEEN_ACTION_COUNT]	= "count",
	[SEEN_ACTION_MARK]	= "mark",
	[SEEN_ACTION_DROP]	= "drop",
	[SEEN_ACTION_BLOCK]	= "block",
};

const struct seen_names seen_actions = { COUNT(actions), actions };

static const char *const states[] = {
	[SEEN_GUARD_STATE_ARMED]	= "armed",
	[SEEN_GUARD_STATE_WAITING]	= "waiting",
	[SEEN_GUARD_STATE_PAUSED]	= "paused",
};

const struct seen_names seen_states = { COUNT(states), states };

static const char *const alarms[] = {
	[SEEN_ALARM_CALM]	= "calm",
	[SEEN_ALARM_SUSPECT]	= "suspect",
	[SEEN_ALARM_STORM]	= "storm",
};

const struct seen_names seen_alarms = { COUNT(alarms), alarms };

static const char *const findings[] = {
	[SEEN_FINDING_KIND_UNCONFIRMED]	= "unconfirmed",
	[SEEN_FINDING_KIND_REFLECTION]	= "reflection",
	[SEEN_FINDING_KIND_LEAK]		= "leak",
	[SEEN_FINDING_KIND_PATH]		= "path",
	[SEEN_FINDING_KIND_LOOP]		= "loop",
	[SEEN_FINDING_KIND_TRAIL]	= "trail",
};

const struct seen_names seen_findings = { COUNT(findings), findings };

static const char *const key_results[] = {
	[SEEN_KEY_RESULT_NEW]		= "new",
	[SEEN_KEY_RESULT_SEEN]		= "seen",
	[SEEN_KEY_RESULT_FULL]		= "full",
	[SEEN_KEY_RESULT_COPIES]	= "copies",
	[SEEN_KEY_RESULT_ABSENT]	= "absent",
	[SEEN_KEY_RESULT_STALE]	= "stale",
	[SEEN_KEY_RESULT_ALLOWED]	= "allowed",
	[SEEN_KEY_RESULT_REFUSED]	= "refused",
};

const struct seen_names seen_key_results = { COUNT(key_results), key_results };

static const char *const hash_results[] = {
	[SEEN_HASH_NEW]		= "new",
	[SEEN_HASH_SEEN]	= "seen",
	[SEEN_HASH_FULL]	= "full",
	[SEEN_HASH_STALE]	= "stale",
	[SEEN_HASH_EXPIRED]	= "expired",
	[SEEN_HASH_ABSENT]	= "absent",
	[SEEN_HASH_REMOVED]	= "removed",
};

const struct seen_names seen_hash_results = { COUNT(hash_results), hash_results };

static const char *const stats[] = {
	[SEEN_A_STATS_LOOKUPS]	= "lookups",
	[SEEN_A_STATS_SEEN]	= "seen",
	[SEEN_A_STATS_NEW]	= "new",
	[SEEN_A_STATS_ADDS]	= "adds",
	[SEEN_A_STATS_DELS]	= "dels",
	[SEEN_A_STATS_NOKEY]	= "nokey",
	[SEEN_A_STATS_FULL]	= "full",
	[SEEN_A_STATS_EVICTED]	= "evicted",
	[SEEN_A_STATS_COPIES]	= "copies",
	[SEEN_A_STATS_ABSENT]	= "absent",
	[SEEN_A_STATS_STALE]	= "stale",
	[SEEN_A_STATS_UNFIT]	= "unfit",
	[SEEN_A_STATS_ALLOWED]	= "allowed",
};

const struct seen_names seen_stats_names = { COUNT(stats), stats };

static const char *const port_counters[] = {
	[SEEN_A_PORT_JUDGED]	= "judged",
	[SEEN_A_PORT_NEW]	= "new",
	[SEEN_A_PORT_REPEAT]	= "repeats",
	[SEEN_A_PORT_DUP_SAME]	= "dup-same-port",
	[SEEN_A_PORT_DUP_OTHER]	= "dup-other-port",
	[SEEN_A_PORT_HIT]	= "hits",
	[SEEN_A_PORT_DROPPED]	= "dropped",
	[SEEN_A_PORT_MARKED]	= "marked",
	[SEEN_A_PORT_WOULD_DROP]	= "would-drop",
	[SEEN_A_PORT_EXEMPT]	= "exempt",
	[SEEN_A_PORT_NOKEY]	= "nokey",
	[SEEN_A_PORT_GRO_SKIPPED]	= "gro-skipped",
	[SEEN_A_PORT_OVER_BUDGET]	= "over-budget",
	[SEEN_A_PORT_FULL]	= "full",
	[SEEN_A_PORT_STALE]	= "stale",
	[SEEN_A_PORT_ALLOWED]	= "allowed",
	[SEEN_A_PORT_BLOCKED_IN]	= "blocked-in",
	[SEEN_A_PORT_BLOCKED_OUT]	= "blocked-out",
	[SEEN_A_PORT_BLOCKS]	= "blocks",
	[SEEN_A_PORT_WOULD_BLOCK]	= "would-block",
	[SEEN_A_PORT_REFUSED]	= "refused",
	[SEEN_A_PORT_UNRECORDED]	= "unrecorded",
	[SEEN_A_PORT_TRAIL_ADDED]	= "trail-added",
	[SEEN_A_PORT_TRAIL_NONE]	= "trail-none",
	[SEEN_A_PORT_TRAIL_STRIKE]	= "trail-strikes",
	[SEEN_A_PORT_TRAIL_LOOP]	= "trail-loops",
	[SEEN_A_PORT_TRAIL_STRIPPED]	= "trail-stripped",
	[SEEN_A_PORT_TRAIL_WITHHELD]	= "trail-withheld",
};

const struct seen_names seen_port_counters = { COUNT(port_counters), port_counters };

/* The kernel has no command for the event "lost", so command 0 stands for it. */
static const char *const events[] = {
	[SEEN_CMD_UNSPEC]		= "lost",
	[SEEN_CMD_FILTER_ADD_NTF]	= "filter-add",
	[SEEN_CMD_FILTER_DEL_NTF]	= "filter-del",
	[SEEN_CMD_GUARD_ADD_NTF]	= "guard-add",
	[SEEN_CMD_GUARD_DEL_NTF]	= "guard-del",
	[SEEN_CMD_WAITING_NTF]		= "waiting",
	[SEEN_CMD_ARMED_NTF]		= "armed",
	[SEEN_CMD_SUSPECT_NTF]		= "suspect",
	[SEEN_CMD_CALM_NTF]		= "calm",
	[SEEN_CMD_PORT_BLOCKED_NTF]	= "port-blocked",
	[SEEN_CMD_PORT_RELEASED_NTF]	= "port-released",
	[SEEN_CMD_SATURATED_NTF]	= "saturated",
	[SEEN_CMD_WINDOW_SHORT_NTF]	= "window-short",
	[SEEN_CMD_SUSPENDED_NTF]	= "suspended",
	[SEEN_CMD_RESUMED_NTF]		= "resumed",
	[SEEN_CMD_STORM_NTF]		= "storm",
	[SEEN_CMD_WOULD_BLOCK_NTF]	= "would-block",
	[SEEN_CMD_MISSING_NTF]		= "missing",
	[SEEN_CMD_UNUSED_NTF]		= "unused",
	[SEEN_CMD_PROBED_NTF]		= "probed",
	[SEEN_CMD_FILTER_CHANGE_NTF]	= "filter-change",
	[SEEN_CMD_GUARD_CHANGE_NTF]	= "guard-change",
	[SEEN_CMD_FEED_STALE_NTF]	= "feed-stale",
	[SEEN_CMD_FEED_FRESH_NTF]	= "feed-fresh",
	[SEEN_CMD_CIRCLED_NTF]		= "circled",
};

const struct seen_names seen_events = { COUNT(events), events };

static const char *const changes[] = {
	[SEEN_CHANGE_SET]	= "set",
	[SEEN_CHANGE_FLUSH]	= "flush",
	[SEEN_CHANGE_SWAP]	= "swap",
	[SEEN_CHANGE_RENAME]	= "rename",
	[SEEN_CHANGE_PAUSE]	= "pause",
	[SEEN_CHANGE_RESUME]	= "resume",
	[SEEN_CHANGE_ALLOW]	= "allow",
	[SEEN_CHANGE_RESET]	= "reset",
	[SEEN_CHANGE_REPLACE]	= "replace",
	[SEEN_CHANGE_MERGE]	= "merge",
	[SEEN_CHANGE_FOLD]	= "fold",
	[SEEN_CHANGE_FEED]	= "feed",
};

const struct seen_names seen_changes = { COUNT(changes), changes };

const char *seen_word(const struct seen_names *names, uint32_t value)
{
	if (value >= names->count || !names->word[value])
		return "unknown";
	return names->word[value];
}

int seen_value(const struct seen_names *names, const char *word)
{
	for (unsigned int i = 0; i < names->count; i++)
		if (names->word[i] && !strcmp(names->word[i], word))
			return i;
	return -1;
}
