/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/*
 * seen: have I seen this packet, or this key, before?
 *
 * Generic netlink family "seen". Documentation/netlink.md describes every
 * command and attribute, Documentation/netlink/specs/seen.yaml the same for
 * machines. A receiver ignores attributes that it does not know.
 */
#ifndef _UAPI_LINUX_SEEN_H
#define _UAPI_LINUX_SEEN_H

#include <linux/types.h>

#define SEEN_FAMILY_NAME	"seen"
#define SEEN_FAMILY_VERSION	1
#define SEEN_MCGRP_EVENTS	"events"

/* Bytes of a name, the closing NUL included. */
#define SEEN_NAME_MAX		32
/* Bytes of all fields but payload and bytes, and of the payload's length. */
#define SEEN_KEY_HEAD_MAX	100
/* Bytes of payload in a key, but for those of packets, which have all of it. */
#define SEEN_PAYLOAD_MAX	65000
/* Bytes of the longest canonical key. */
#define SEEN_KEY_MAX		65100
/* Bytes of a key of field bytes. */
#define SEEN_BYTES_MAX		512
/* Bytes of the longest key on an allow list. */
#define SEEN_ALLOWED_MAX	16000
/* Fields in a key. */
#define SEEN_KEY_FIELDS_MAX	16
/* For a field's parameter: prefixes of any length. */
#define SEEN_PREFIX_ANY		255
/* Prefix lengths that a filter of such a key holds. */
#define SEEN_LENGTHS_MAX	64
/* UDP ports of VXLAN that a key may name. */
#define SEEN_VXLAN_PORTS_MAX	4
/* Bytes of a filter's secret. */
#define SEEN_SECRET_LEN		16
/* Bytes of the longest key that a map, or a list of the heaviest, holds. */
#define SEEN_KEY_EXACT_MAX	48
/* Most of the heaviest keys that a sketch keeps. */
#define SEEN_TOP_MAX		1024
/* Entries in each of a guard's conditions. */
#define SEEN_CONDITIONS_MAX	16
/* Keys in one request. */
#define SEEN_KEYS_MAX		1536
/* Most bytes of a table that one message carries. */
#define SEEN_CHUNK_MAX		30720
/* False-positive rates travel as whole numbers of 10^-12. */
#define SEEN_FPP_ONE		1000000000000ULL

enum seen_cmd {
	SEEN_CMD_UNSPEC,

	SEEN_CMD_FILTER_ADD,
	SEEN_CMD_FILTER_DEL,
	SEEN_CMD_FILTER_GET,
	SEEN_CMD_FILTER_SET,
	SEEN_CMD_FILTER_FLUSH,
	SEEN_CMD_FILTER_RENAME,
	SEEN_CMD_FILTER_SWAP,

	SEEN_CMD_KEY_ADD,
	SEEN_CMD_KEY_TEST,
	SEEN_CMD_KEY_DEL,

	SEEN_CMD_GUARD_ADD,
	SEEN_CMD_GUARD_DEL,
	SEEN_CMD_GUARD_GET,
	SEEN_CMD_GUARD_SET,

	/* Notifications, each with an id of its own. */
	SEEN_CMD_FILTER_ADD_NTF,
	SEEN_CMD_FILTER_DEL_NTF,
	SEEN_CMD_GUARD_ADD_NTF,
	SEEN_CMD_GUARD_DEL_NTF,
	SEEN_CMD_WAITING_NTF,		/* a guard's device is absent */
	SEEN_CMD_ARMED_NTF,		/* a guard's device has come (back) */
	SEEN_CMD_SUSPECT_NTF,		/* duplicates on a port, no storm (any more) */
	SEEN_CMD_CALM_NTF,		/* and they have ended */
	SEEN_CMD_PORT_BLOCKED_NTF,
	SEEN_CMD_PORT_RELEASED_NTF,
	SEEN_CMD_SATURATED_NTF,		/* a filter is full, a port over budget */
	SEEN_CMD_WINDOW_SHORT_NTF,	/* the effective window is below W */
	SEEN_CMD_SUSPENDED_NTF,		/* a port would meet its packets twice */
	SEEN_CMD_RESUMED_NTF,
	SEEN_CMD_STORM_NTF,		/* duplicates at the guard's storm rate */
	SEEN_CMD_WOULD_BLOCK_NTF,	/* action count: block would have blocked */
	SEEN_CMD_MISSING_NTF,		/* rules ask a filter that is not there */
	SEEN_CMD_UNUSED_NTF,		/* its last rule has gone */

	/* Keys that are never judged, whatever is in the filter. */
	SEEN_CMD_ALLOW_ADD,
	SEEN_CMD_ALLOW_DEL,
	SEEN_CMD_ALLOW_GET,

	SEEN_CMD_KEY_COUNT,		/* how often, or a map's value */
	SEEN_CMD_TOP_GET,		/* the heaviest keys of a sketch */
	SEEN_CMD_FILTER_MERGE,		/* NEW_NAME's keys into NAME */
	SEEN_CMD_FILTER_FOLD,		/* to the smallest size that keeps fpp */
	SEEN_CMD_FILTER_EXPORT,		/* a chunk of the table, and where to go on */
	SEEN_CMD_FILTER_IMPORT,		/* begin, a chunk of a table, or commit */

	SEEN_CMD_PROBED_NTF,		/* a suspicion: what probes have found */
	SEEN_CMD_PORT_GET,		/* dump: ports of a guard, or of all */
	SEEN_CMD_FILTER_CHANGE_NTF,	/* a filter is another than it was */
	SEEN_CMD_GUARD_CHANGE_NTF,	/* a guard is */

	__SEEN_CMD_MAX,
	SEEN_CMD_MAX = __SEEN_CMD_MAX - 1
};

enum seen_type {
	SEEN_TYPE_UNSPEC,
	SEEN_TYPE_BLOOM,
	SEEN_TYPE_CUCKOO,
	SEEN_TYPE_BITMAP,	/* exact, of a range of numbers */
	SEEN_TYPE_COUNTING,	/* Bloom of counters to 15; keys can be deleted */
	SEEN_TYPE_MAP,		/* exact, keys with a value each */
	SEEN_TYPE_CMS,		/* count-min sketch: how often, never too few */
	SEEN_TYPE_CMM,		/* count-mean-min: how often, noise taken off */

	__SEEN_TYPE_MAX,
	SEEN_TYPE_MAX = __SEEN_TYPE_MAX - 1
};

/* How a Bloom filter lays out a key's bits. */
enum seen_layout {
	SEEN_LAYOUT_UNSPEC,
	SEEN_LAYOUT_BLOCKED,	/* in one 64-byte line */
	SEEN_LAYOUT_CLASSIC,	/* anywhere */

	__SEEN_LAYOUT_MAX,
	SEEN_LAYOUT_MAX = __SEEN_LAYOUT_MAX - 1
};

/* What a full filter does; without it: the type's default, evict or reject. */
enum seen_on_full {
	SEEN_ON_FULL_UNSPEC,
	SEEN_ON_FULL_REJECT,	/* the new key is not recorded; it passes */
	SEEN_ON_FULL_EVICT,	/* the oldest entry makes room */
	SEEN_ON_FULL_ROTATE,	/* the oldest generation ends early */
	SEEN_ON_FULL_PASS,	/* nothing is called seen until there is room */

	__SEEN_ON_FULL_MAX,
	SEEN_ON_FULL_MAX = __SEEN_ON_FULL_MAX - 1
};

/* A filter: what a request gives and what a reply tells. */
enum seen_a_filter {
	SEEN_A_FILTER_UNSPEC,
	SEEN_A_FILTER_PAD,
	SEEN_A_FILTER_NAME,		/* string */
	SEEN_A_FILTER_NEW_NAME,		/* string: rename's and swap's other */
	SEEN_A_FILTER_TYPE,		/* u32, enum seen_type */
	SEEN_A_FILTER_LAYOUT,		/* u32, enum seen_layout */
	SEEN_A_FILTER_CAPACITY,		/* u64, distinct keys */
	SEEN_A_FILTER_FPP,		/* u64, 10^-12, at capacity */
	SEEN_A_FILTER_FP_BITS,		/* u32, fingerprint bits */
	SEEN_A_FILTER_WINDOW,		/* u64, ns; absent: for ever */
	SEEN_A_FILTER_REFRESH,		/* flag: W counts from the last sighting */
	SEEN_A_FILTER_ON_FULL,		/* u32, enum seen_on_full */
	SEEN_A_FILTER_SECRET,		/* binary, SEEN_SECRET_LEN; told with WITH_SECRET alone */
	SEEN_A_FILTER_KEY,		/* nest of SEEN_A_FIELD_ENTRY, in order */
	SEEN_A_FILTER_PROFILE,		/* u32, enum seen_key_profile */

	SEEN_A_FILTER_ID,		/* u32, unique in its namespace; for, or with, NAME; told
					 * unless MISSING
					 */

	/* told only */
	SEEN_A_FILTER_HASHES,		/* u32, bits a key sets, or slots looked at */
	SEEN_A_FILTER_BLOCKS,		/* u64, lines, buckets or (classic) bits */
	SEEN_A_FILTER_TICK,		/* u64, ns */
	SEEN_A_FILTER_BYTES,		/* u64, all memory of the filter */
	SEEN_A_FILTER_ENTRIES,		/* u64, keys in the window, estimated */
	SEEN_A_FILTER_USED,		/* u64, bits set or slots taken */
	SEEN_A_FILTER_ROOM,		/* u64, bits or slots in all */
	SEEN_A_FILTER_EFFECTIVE,	/* u64, ns, effective window */
	SEEN_A_FILTER_USERS,		/* u32, guards and rules together */
	SEEN_A_FILTER_GUARD_OWNED,	/* flag: lives and dies with a guard */
	SEEN_A_FILTER_KEY_LEN,		/* u32, bytes of a canonical key; 0: any */
	SEEN_A_FILTER_STATS,		/* nest, enum seen_a_stats */
	SEEN_A_FILTER_FULL,		/* flag: it is full now */
	SEEN_A_FILTER_RULES,		/* u32, told: those of the users */
	SEEN_A_FILTER_MISSING,		/* flag, told: only rules know this name */
	SEEN_A_FILTER_UNANSWERED,	/* u64, told: packets that asked meanwhile */
	SEEN_A_FILTER_ALLOWED,		/* u32, told: keys on its allow list */

	/* given and told */
	SEEN_A_FILTER_INNER,		/* flag: the key is of the innermost packet */
	SEEN_A_FILTER_FIRST,		/* binary: bitmap: the range's first key */
	SEEN_A_FILTER_THRESHOLD,	/* u32, seen from this count on; 0: from 1 */
	SEEN_A_FILTER_CONSERVATIVE,	/* flag: cms: raise only what must be */
	SEEN_A_FILTER_TOP,		/* u32, cms, cmm: heaviest keys that are kept */
	SEEN_A_FILTER_ALLOW_MAP,	/* string: a map whose keys are allowed, too */
	SEEN_A_FILTER_FOLD,		/* u32, told, import: folded by; absent: not */
	SEEN_A_FILTER_TOTAL,		/* u64, told, import: cms, cmm: all that was counted */

	/* export and import; with TYPE to REFRESH and HASHES to TICK as well */
	SEEN_A_FILTER_TICKS,		/* u32, of the window */
	SEEN_A_FILTER_COOKIE,		/* u64: which export or import this goes on with */
	SEEN_A_FILTER_FROM,		/* u64: first unit of the chunk */
	SEEN_A_FILTER_NEXT,		/* u64, told: where to go on; absent: at the end */
	SEEN_A_FILTER_DATA,		/* binary, the chunk, in the order of a snapshot */
	SEEN_A_FILTER_AGE,		/* u64, ns since it was exported */
	SEEN_A_FILTER_WITH_SECRET,	/* flag, export: tell it */
	SEEN_A_FILTER_SECRET_CHECK,	/* u64: a hash that only this secret gives */
	SEEN_A_FILTER_COMMIT,		/* flag, import: that was all, publish it */
	SEEN_A_FILTER_REPLACE,		/* flag, import: in place of what has the name, and the ID
					 * if one is given
					 */
	SEEN_A_FILTER_FORCE,		/* flag, merge: beyond the promise, too */
	SEEN_A_FILTER_SPAN,		/* u64, with FOLD: blocks before it was folded */
	SEEN_A_FILTER_UNIT,		/* u32, told: bytes of a unit in DATA */
	/* given and told */
	SEEN_A_FILTER_VXLAN_PORT,	/* u16, may repeat, ascending; with INNER */
	SEEN_A_FILTER_RESET,		/* flag, set: its counters begin at 0 */
	SEEN_A_FILTER_TOP_KEY,		/* nest, import: may repeat, enum seen_a_entry */
	SEEN_A_FILTER_LENGTHS4,		/* binary, told, import: IPv4 prefix lengths, a byte each */
	SEEN_A_FILTER_LENGTHS6,		/* binary, told, import: IPv6 prefix lengths, a byte each */
	SEEN_A_FILTER_NEW_ID,		/* u32: the other filter of merge and swap */
	SEEN_A_FILTER_ALLOW_MAP_ID,	/* u32, set: for, or with, ALLOW_MAP; told with it */

	__SEEN_A_FILTER_MAX,
	SEEN_A_FILTER_MAX = __SEEN_A_FILTER_MAX - 1
};

/* Counters of a filter, all u64. */
enum seen_a_stats {
	SEEN_A_STATS_UNSPEC,
	SEEN_A_STATS_PAD,
	SEEN_A_STATS_LOOKUPS,		/* questions asked, by packet or key */
	SEEN_A_STATS_SEEN,		/* answered: seen */
	SEEN_A_STATS_NEW,		/* answered: new */
	SEEN_A_STATS_ADDS,		/* keys stored */
	SEEN_A_STATS_DELS,		/* keys removed */
	SEEN_A_STATS_NOKEY,		/* packets without such a key */
	SEEN_A_STATS_FULL,		/* not stored: full */
	SEEN_A_STATS_EVICTED,		/* live entries that made room */
	SEEN_A_STATS_COPIES,		/* not stored: eight copies are there */
	SEEN_A_STATS_ABSENT,		/* not removed: not there */
	SEEN_A_STATS_STALE,		/* not judged: the sweep is late */
	SEEN_A_STATS_UNFIT,		/* asked for what the type cannot do */
	SEEN_A_STATS_ALLOWED,		/* not judged: on the allow list */

	__SEEN_A_STATS_MAX,
	SEEN_A_STATS_MAX = __SEEN_A_STATS_MAX - 1
};

/* What of a packet makes a key. */
enum seen_field {
	SEEN_FIELD_UNSPEC,
	SEEN_FIELD_SMAC,	/* 6 bytes */
	SEEN_FIELD_DMAC,	/* 6 bytes */
	SEEN_FIELD_VLAN,	/* 2 bytes, VID of the outer tag, 0xffff: none */
	SEEN_FIELD_ETHERTYPE,	/* 2 bytes, inside all tags */
	SEEN_FIELD_SRC,		/* 16 bytes, IPv4 as ::ffff:a.b.c.d; prefixes */
	SEEN_FIELD_DST,		/* 16 bytes, the same */
	SEEN_FIELD_PROTO,	/* 1 byte, past IPv6 extension headers */
	SEEN_FIELD_TTL,		/* 1 byte */
	SEEN_FIELD_DSCP,	/* 1 byte, six bits */
	SEEN_FIELD_IPID,	/* 4 bytes, 0 where there is none */
	SEEN_FIELD_FRAG,	/* 2 bytes, offset in bytes | more fragments */
	SEEN_FIELD_SPORT,	/* 2 bytes */
	SEEN_FIELD_DPORT,	/* 2 bytes */
	SEEN_FIELD_TCPSEQ,	/* 4 bytes */
	SEEN_FIELD_PAYLOAD,	/* last in a key: 4 bytes of length, then so many; param: at most */
	SEEN_FIELD_LEN,		/* 4 bytes, of the innermost stated length */
	SEEN_FIELD_IIF,		/* 4 bytes, interface index */
	SEEN_FIELD_BYTES,	/* the whole key is the caller's bytes */
	SEEN_FIELD_ID,		/* 4 bytes, a number of the caller's; no packet has it */

	__SEEN_FIELD_MAX,
	SEEN_FIELD_MAX = __SEEN_FIELD_MAX - 1
};

/* Names for lists of fields; "frame" and "packet" also fix what PAYLOAD means. */
enum seen_key_profile {
	SEEN_KEY_PROFILE_UNSPEC,
	SEEN_KEY_PROFILE_HOST,
	SEEN_KEY_PROFILE_FLOW,
	SEEN_KEY_PROFILE_FRAME,
	SEEN_KEY_PROFILE_PACKET,
	SEEN_KEY_PROFILE_BYTES,
	SEEN_KEY_PROFILE_RELAY,

	__SEEN_KEY_PROFILE_MAX,
	SEEN_KEY_PROFILE_MAX = __SEEN_KEY_PROFILE_MAX - 1
};

enum seen_a_field {
	SEEN_A_FIELD_UNSPEC,
	SEEN_A_FIELD_ENTRY,		/* nest of the others */
	SEEN_A_FIELD_ID,		/* u32, enum seen_field */
	SEEN_A_FIELD_PARAM,		/* u32, IPv4's prefix length, SEEN_PREFIX_ANY, or bytes
					 * of payload
					 */
	SEEN_A_FIELD_PARAM6,		/* u32, IPv6's prefix length */

	__SEEN_A_FIELD_MAX,
	SEEN_A_FIELD_MAX = __SEEN_A_FIELD_MAX - 1
};

/* In SEEN_A_KEY_PACKED, before the bytes of each key. The next one follows without padding. */
struct seen_packed_key {
	__u8 len[2];		/* little-endian: how many bytes of key follow */
};

/* A request for keys, and its reply. */
enum seen_a_key {
	SEEN_A_KEY_UNSPEC,
	SEEN_A_KEY_PAD,
	SEEN_A_KEY_FILTER,		/* string */
	SEEN_A_KEY_FILTER_ID,		/* u32, for, or with, FILTER */
	SEEN_A_KEY_ENTRY,		/* nest, may repeat, enum seen_a_entry */
	SEEN_A_KEY_PACKED,		/* binary, in place of ENTRY: struct seen_packed_key, may
					 * repeat
					 */
	SEEN_A_KEY_IF_NEW,		/* flag, add: only where not seen */
	/* told only */
	SEEN_A_KEY_DONE,		/* u32, keys done */
	SEEN_A_KEY_FAILED,		/* u32, index of the key that was refused */
	SEEN_A_KEY_NEW,			/* u32, packed keys that were new, of those done */
	SEEN_A_KEY_STALE,		/* u32, packed keys not stored: the sweep is late */

	__SEEN_A_KEY_MAX,
	SEEN_A_KEY_MAX = __SEEN_A_KEY_MAX - 1
};

/* One key. */
enum seen_a_entry {
	SEEN_A_ENTRY_UNSPEC,
	SEEN_A_ENTRY_KEY,		/* binary, canonical; a reply does not repeat it */
	SEEN_A_ENTRY_VALUE,		/* u32: a map's value, or told: a count */
	SEEN_A_ENTRY_RESULT,		/* u32, told, enum seen_key_result */

	__SEEN_A_ENTRY_MAX,
	SEEN_A_ENTRY_MAX = __SEEN_A_ENTRY_MAX - 1
};

enum seen_key_result {
	SEEN_KEY_RESULT_UNSPEC,
	SEEN_KEY_RESULT_NEW,		/* was not there; add: now is */
	SEEN_KEY_RESULT_SEEN,		/* was there */
	SEEN_KEY_RESULT_FULL,		/* not stored: the filter is full */
	SEEN_KEY_RESULT_COPIES,	/* not stored: eight copies are there */
	SEEN_KEY_RESULT_ABSENT,	/* not removed: not there */
	SEEN_KEY_RESULT_STALE,		/* not answered: the sweep is late */
	SEEN_KEY_RESULT_ALLOWED,	/* not judged: on the allow list */
	SEEN_KEY_RESULT_REFUSED,	/* not done: the error behind the reply says why */

	__SEEN_KEY_RESULT_MAX,
	SEEN_KEY_RESULT_MAX = __SEEN_KEY_RESULT_MAX - 1
};

enum seen_guard_kind {
	SEEN_GUARD_KIND_UNSPEC,
	SEEN_GUARD_KIND_DEV,
	SEEN_GUARD_KIND_BRIDGE,	/* the ports of a bridge, as they come and go */

	__SEEN_GUARD_KIND_MAX,
	SEEN_GUARD_KIND_MAX = __SEEN_GUARD_KIND_MAX - 1
};

enum seen_hook {
	SEEN_HOOK_UNSPEC,
	SEEN_HOOK_INGRESS,
	SEEN_HOOK_EGRESS,

	__SEEN_HOOK_MAX,
	SEEN_HOOK_MAX = __SEEN_HOOK_MAX - 1
};

enum seen_guard_profile {
	SEEN_GUARD_PROFILE_UNSPEC,
	SEEN_GUARD_PROFILE_LOOP,
	SEEN_GUARD_PROFILE_RELAY,	/* UDP that relays feed to each other */
	SEEN_GUARD_PROFILE_PACKET,	/* what is mirrored at two places */

	__SEEN_GUARD_PROFILE_MAX,
	SEEN_GUARD_PROFILE_MAX = __SEEN_GUARD_PROFILE_MAX - 1
};

enum seen_match {
	SEEN_MATCH_UNSPEC,
	SEEN_MATCH_BUM,		/* broadcast and multicast, by destination MAC */
	SEEN_MATCH_ALL,

	__SEEN_MATCH_MAX,
	SEEN_MATCH_MAX = __SEEN_MATCH_MAX - 1
};

enum seen_verdict {
	SEEN_VERDICT_UNSPEC,
	SEEN_VERDICT_DUP,		/* seen within W on any port */
	SEEN_VERDICT_OTHER_PORT,	/* within W, first on another port */
	SEEN_VERDICT_LOOP,		/* profile loop's two thresholds */
	SEEN_VERDICT_LISTED,		/* it is there; packets store nothing */
	SEEN_VERDICT_HEAVY,		/* counted, it reaches the filter's threshold */

	__SEEN_VERDICT_MAX,
	SEEN_VERDICT_MAX = __SEEN_VERDICT_MAX - 1
};

enum seen_action {
	SEEN_ACTION_UNSPEC,
	SEEN_ACTION_COUNT,	/* shadow: report what would have been done */
	SEEN_ACTION_MARK,
	SEEN_ACTION_DROP,
	SEEN_ACTION_BLOCK,	/* drop, and block the port that loops */

	__SEEN_ACTION_MAX,
	SEEN_ACTION_MAX = __SEEN_ACTION_MAX - 1
};

enum seen_guard_state {
	SEEN_GUARD_STATE_UNSPEC,
	SEEN_GUARD_STATE_ARMED,
	SEEN_GUARD_STATE_WAITING,	/* its device is absent */
	SEEN_GUARD_STATE_PAUSED,

	__SEEN_GUARD_STATE_MAX,
	SEEN_GUARD_STATE_MAX = __SEEN_GUARD_STATE_MAX - 1
};

/* What duplicates do on a port. */
enum seen_alarm {
	SEEN_ALARM_UNSPEC,
	SEEN_ALARM_CALM,
	SEEN_ALARM_SUSPECT,	/* there are some */
	SEEN_ALARM_STORM,	/* they came at the guard's storm rate */

	__SEEN_ALARM_MAX,
	SEEN_ALARM_MAX = __SEEN_ALARM_MAX - 1
};

/* What probes have found, the weakest first. Only a loop blocks a port. */
enum seen_finding_kind {
	SEEN_FINDING_KIND_UNSPEC,
	SEEN_FINDING_KIND_UNCONFIRMED,	/* none came back */
	SEEN_FINDING_KIND_REFLECTION,	/* by the port that it left by */
	SEEN_FINDING_KIND_LEAK,		/* in another VLAN */
	SEEN_FINDING_KIND_PATH,		/* by another port, and is not forwarded again */
	SEEN_FINDING_KIND_LOOP,		/* by another port, and would be sent round again */

	__SEEN_FINDING_KIND_MAX,
	SEEN_FINDING_KIND_MAX = __SEEN_FINDING_KIND_MAX - 1
};

enum seen_a_guard {
	SEEN_A_GUARD_UNSPEC,
	SEEN_A_GUARD_PAD,
	SEEN_A_GUARD_KIND,		/* u32, enum seen_guard_kind */
	SEEN_A_GUARD_DEV,		/* string, device name */
	SEEN_A_GUARD_HOOK,		/* u32, enum seen_hook */
	SEEN_A_GUARD_FILTER,		/* string; absent with a profile: its own */
	SEEN_A_GUARD_PROFILE,		/* u32, enum seen_guard_profile */
	SEEN_A_GUARD_MATCH,		/* u32, enum seen_match */
	SEEN_A_GUARD_VERDICT,		/* u32, enum seen_verdict */
	SEEN_A_GUARD_ACTION,		/* u32, enum seen_action */
	SEEN_A_GUARD_MARK,		/* u32 */
	SEEN_A_GUARD_PRIORITY,		/* s32, of the hook */
	SEEN_A_GUARD_NO_BLOCK,		/* flag */
	SEEN_A_GUARD_PROTECT,		/* string, may repeat: a port never blocked */
	SEEN_A_GUARD_PAUSED,		/* u8: 1 pause, 0 resume */
	SEEN_A_GUARD_ALL,		/* flag, set: every guard of the namespace */
	/* told only: STATE to OTHER_NS, and FINDING */
	SEEN_A_GUARD_STATE,		/* u32, enum seen_guard_state */
	SEEN_A_GUARD_IFINDEX,		/* u32, 0 while waiting */
	SEEN_A_GUARD_SAME_NS,		/* u64, loop's thresholds */
	SEEN_A_GUARD_OTHER_NS,		/* u64 */
	/* given and told, from here on; conditions, each may repeat; one of a kind must hold */
	SEEN_A_GUARD_UDP,		/* nest, enum seen_a_range: destination ports */
	SEEN_A_GUARD_SRC,		/* nest, enum seen_a_prefix */
	SEEN_A_GUARD_DST,		/* nest, enum seen_a_prefix */
	SEEN_A_GUARD_STORM,		/* u32, duplicates a second on a port */
	SEEN_A_GUARD_MARK_VALUE,	/* flag: the mark is the map's value */
	SEEN_A_GUARD_REPEAT,		/* u32, repeats a second on a port and VLAN */
	SEEN_A_GUARD_NO_PROBE,		/* u8: 1 send no probes, 0 send them */
	SEEN_A_GUARD_EXEMPT,		/* nest, enum seen_a_prefix, of a MAC group; may
					 * repeat; LEN 0: none
					 */
	SEEN_A_GUARD_FINDING,		/* nest, told, enum seen_a_finding; may repeat */
	SEEN_A_GUARD_SUSPECT,		/* u32, returned frames that are a suspicion */
	SEEN_A_GUARD_BLOCK_FIRST_NS,	/* u64, a port's first block */
	SEEN_A_GUARD_BLOCK_MAX_NS,	/* u64, its longest */
	SEEN_A_GUARD_RESET,		/* flag, set: the counters of its ports begin at 0 */
	SEEN_A_GUARD_ID,		/* u32, unique in its namespace; for KIND, DEV and HOOK */
	SEEN_A_GUARD_FILTER_ID,		/* u32, add: for, or with, FILTER; told with it */
	SEEN_A_GUARD_REPLACE,		/* flag, add: in the place of the guard that is there */

	__SEEN_A_GUARD_MAX,
	SEEN_A_GUARD_MAX = __SEEN_A_GUARD_MAX - 1
};

/* Numbers from FIRST to LAST, both included. */
enum seen_a_range {
	SEEN_A_RANGE_UNSPEC,
	SEEN_A_RANGE_FIRST,		/* u16 */
	SEEN_A_RANGE_LAST,		/* u16 */

	__SEEN_A_RANGE_MAX,
	SEEN_A_RANGE_MAX = __SEEN_A_RANGE_MAX - 1
};

/* Addresses that begin with the same bits. */
enum seen_a_prefix {
	SEEN_A_PREFIX_UNSPEC,
	SEEN_A_PREFIX_ADDRESS,		/* binary, network order: 4 IPv4, 16 IPv6, 6 MAC */
	SEEN_A_PREFIX_LEN,		/* u8, bits of ADDRESS */

	__SEEN_A_PREFIX_MAX,
	SEEN_A_PREFIX_MAX = __SEEN_A_PREFIX_MAX - 1
};

/* A port of a guard. Counters are u64. */
enum seen_a_port {
	SEEN_A_PORT_UNSPEC,
	SEEN_A_PORT_PAD,
	SEEN_A_PORT_NAME,		/* string */
	SEEN_A_PORT_IFINDEX,		/* u32 */
	SEEN_A_PORT_SELF,		/* flag: what the bridge itself sends */
	SEEN_A_PORT_PROTECTED,		/* flag */
	SEEN_A_PORT_SUSPENDED,		/* flag */
	SEEN_A_PORT_GRO,		/* flag: GRO is on, merged packets are skipped */
	SEEN_A_PORT_OFFLOADED,		/* flag: forwards in hardware */
	SEEN_A_PORT_JUDGED,
	SEEN_A_PORT_NEW,
	SEEN_A_PORT_REPEAT,		/* seen, but the verdict lets it pass */
	SEEN_A_PORT_DUP_SAME,		/* duplicates first seen on this port */
	SEEN_A_PORT_DUP_OTHER,		/* duplicates first seen on another port */
	SEEN_A_PORT_EXEMPT,
	SEEN_A_PORT_NOKEY,
	SEEN_A_PORT_GRO_SKIPPED,
	SEEN_A_PORT_OVER_BUDGET,
	SEEN_A_PORT_FULL,		/* passed unrecorded: the filter is full */
	SEEN_A_PORT_DROPPED,		/* by the action, of the duplicates */
	SEEN_A_PORT_MARKED,
	SEEN_A_PORT_BLOCKED_IN,		/* frames dropped while blocked */
	SEEN_A_PORT_BLOCKED_OUT,
	SEEN_A_PORT_BLOCKS,		/* how often it was blocked */
	SEEN_A_PORT_BLOCKED_SINCE,	/* u64, ns ago; absent: not blocked */
	SEEN_A_PORT_BLOCKED_UNTIL,	/* u64, ns from now */
	SEEN_A_PORT_LAST,		/* nest, enum seen_a_dup: last of this port, or hit */
	SEEN_A_PORT_BUDGET,		/* u64, new keys a window; 0: no limit */
	SEEN_A_PORT_STALE,		/* not judged: the filter's sweep is late */
	SEEN_A_PORT_ALLOWED,		/* not judged: on the filter's allow list */
	SEEN_A_PORT_WOULD_DROP,		/* action count: drop would have dropped */
	SEEN_A_PORT_WOULD_BLOCK,	/* action count: block would have blocked */
	SEEN_A_PORT_ALARM,		/* u32, enum seen_alarm */
	SEEN_A_PORT_RATE,		/* u64, duplicates in the last second */
	SEEN_A_PORT_PEAK,		/* u64, the most of that, of the last alarm */
	SEEN_A_PORT_HIT,		/* listed, or heavy */
	SEEN_A_PORT_REFUSED,		/* the bridge did not take it: not recorded */
	SEEN_A_PORT_UNRECORDED,		/* taken, and passed unrecorded: its note was lost */
	SEEN_A_PORT_LAST_OTHER,		/* nest, enum seen_a_dup: last of another port */
	SEEN_A_PORT_PEER,		/* string: other port of the loop that blocked it */
	SEEN_A_PORT_GUARD_ID,		/* u32: whose it is; asked for: SEEN_A_GUARD_ID */
	/* asked for only: the guard's */
	SEEN_A_PORT_GUARD_KIND,		/* u32, enum seen_guard_kind */
	SEEN_A_PORT_GUARD_DEV,		/* string */
	SEEN_A_PORT_GUARD_HOOK,		/* u32, enum seen_hook */

	__SEEN_A_PORT_MAX,
	SEEN_A_PORT_MAX = __SEEN_A_PORT_MAX - 1
};

/* A duplicate frame. */
enum seen_a_dup {
	SEEN_A_DUP_UNSPEC,
	SEEN_A_DUP_PAD,
	SEEN_A_DUP_SMAC,		/* binary, 6 */
	SEEN_A_DUP_DMAC,		/* binary, 6 */
	SEEN_A_DUP_VLAN,		/* u16; absent: untagged */
	SEEN_A_DUP_ETHERTYPE,		/* u16, host order */
	SEEN_A_DUP_PORT,		/* string: where it came back */
	SEEN_A_DUP_FIRST_PORT,		/* string; absent: the filter cannot say */
	SEEN_A_DUP_AGE,			/* u64, ns */

	__SEEN_A_DUP_MAX,
	SEEN_A_DUP_MAX = __SEEN_A_DUP_MAX - 1
};

/* What probes have found. */
enum seen_a_finding {
	SEEN_A_FINDING_UNSPEC,
	SEEN_A_FINDING_PAD,
	SEEN_A_FINDING_KIND,		/* u32, enum seen_finding_kind */
	SEEN_A_FINDING_PORT,		/* string: the port that probes left by */
	SEEN_A_FINDING_OTHER,		/* string: where they came in; absent: nowhere */
	SEEN_A_FINDING_VLAN,		/* u16, that they left in; absent: none */
	SEEN_A_FINDING_INTO,		/* u16, that they came in, of a leak */
	SEEN_A_FINDING_COUNT,		/* u64, how often it was found */
	SEEN_A_FINDING_AGE,		/* u64, ns since it was found last */

	__SEEN_A_FINDING_MAX,
	SEEN_A_FINDING_MAX = __SEEN_A_FINDING_MAX - 1
};

/* What has changed. */
enum seen_change {
	SEEN_CHANGE_UNSPEC,
	SEEN_CHANGE_SET,
	SEEN_CHANGE_FLUSH,
	SEEN_CHANGE_SWAP,	/* each of the two names has an event */
	SEEN_CHANGE_RENAME,	/* the only event: guards and filters refer to it by id */
	SEEN_CHANGE_PAUSE,
	SEEN_CHANGE_RESUME,
	SEEN_CHANGE_ALLOW,	/* the allow list */
	SEEN_CHANGE_RESET,	/* its counters begin at 0 */
	SEEN_CHANGE_REPLACE,	/* an import, or GUARD_ADD with REPLACE, took its place */
	SEEN_CHANGE_MERGE,
	SEEN_CHANGE_FOLD,

	__SEEN_CHANGE_MAX,
	SEEN_CHANGE_MAX = __SEEN_CHANGE_MAX - 1
};

/* What an event tells beside the object it is about. */
enum seen_a_event {
	SEEN_A_EVENT_UNSPEC,
	SEEN_A_EVENT_PAD,
	SEEN_A_EVENT_TIME,		/* u64, ns, CLOCK_REALTIME */
	SEEN_A_EVENT_FILTER,		/* nest, enum seen_a_filter: NAME, and ID unless MISSING */
	SEEN_A_EVENT_GUARD,		/* nest, enum seen_a_guard: ID, KIND, DEV and HOOK
					 * at least
					 */
	SEEN_A_EVENT_PORT,		/* string */
	SEEN_A_EVENT_DUP,		/* nest, enum seen_a_dup */
	SEEN_A_EVENT_COUNT,		/* u64, duplicates since it was calm, keys */
	SEEN_A_EVENT_DURATION,		/* u64, ns: of the block, of the alarm */
	SEEN_A_EVENT_WINDOW,		/* u64, ns: effective */
	SEEN_A_EVENT_PROMISED,		/* u64, ns: W */
	SEEN_A_EVENT_OTHER,		/* string: the device it clashes with, or loops with */
	SEEN_A_EVENT_LOST,		/* u64, events lost before this one */
	SEEN_A_EVENT_RATE,		/* u64, duplicates in the last second */
	SEEN_A_EVENT_PEAK,		/* u64, the most of that since it was calm */
	SEEN_A_EVENT_FINDING,		/* nest, enum seen_a_finding */
	SEEN_A_EVENT_CHANGE,		/* u32, enum seen_change */
	SEEN_A_EVENT_OLD_NAME,		/* string, of a filter that was renamed */

	__SEEN_A_EVENT_MAX,
	SEEN_A_EVENT_MAX = __SEEN_A_EVENT_MAX - 1
};

#endif /* _UAPI_LINUX_SEEN_H */
