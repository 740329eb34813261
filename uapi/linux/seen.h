/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/*
 * seen: have I seen this packet, or this key, before?
 *
 * Generic netlink family "seen". Documentation/netlink.md describes every
 * command and attribute, Documentation/netlink/specs/seen.yaml is the
 * machine-readable specification. The kernel refuses attributes that it does not
 * know; a program ignores them in replies and events.
 *
 * A request names a filter by its name, by its id, or by both, and a guard by its id, or
 * by kind, device and hook. All these attributes of a request must mean the same object.
 */
#ifndef _UAPI_LINUX_SEEN_H
#define _UAPI_LINUX_SEEN_H

#include <linux/types.h>

#define SEEN_FAMILY_NAME	"seen"
#define SEEN_FAMILY_VERSION	1
#define SEEN_MCGRP_EVENTS	"events"

/* Bytes of a name, including the terminating NUL. */
#define SEEN_NAME_MAX		32
/* Maximum bytes of all fields together, except the payload's bytes and SEEN_FIELD_BYTES. */
#define SEEN_KEY_HEAD_MAX	100
/* Maximum bytes of payload in a key of a request. A packet's payload may be longer. */
#define SEEN_PAYLOAD_MAX	65000
/* Maximum bytes of a canonical key in a request. */
#define SEEN_KEY_MAX		65100
/* Maximum bytes of a key of SEEN_FIELD_BYTES. */
#define SEEN_BYTES_MAX		512
/* Maximum bytes of a key on an allow list. */
#define SEEN_ALLOWED_MAX	16000
/* Maximum number of fields in a key. */
#define SEEN_KEY_FIELDS_MAX	16
/* SEEN_A_FIELD_PARAM: the field holds prefixes of any length. */
#define SEEN_PREFIX_ANY		255
/* Maximum number of prefix lengths in a filter with such a field. */
#define SEEN_LENGTHS_MAX	64
/* Maximum number of VXLAN's UDP ports that a key can name. */
#define SEEN_VXLAN_PORTS_MAX	4
/* Bytes of a filter's secret. */
#define SEEN_SECRET_LEN		16
/* Maximum bytes of a key in a map, or in a sketch's list of the heaviest keys. */
#define SEEN_KEY_EXACT_MAX	48
/* Maximum number of keys in a sketch's list of the heaviest keys. */
#define SEEN_TOP_MAX		1024
/* Maximum number of each of a guard's conditions UDP, SRC and DST. */
#define SEEN_CONDITIONS_MAX	16
/* Maximum number of keys in one request. */
#define SEEN_KEYS_MAX		1536
/* Maximum bytes of a table in one message. */
#define SEEN_CHUNK_MAX		30720
/* Maximum number of records in one message, and bytes of each. */
#define SEEN_RECORDS_MAX	2000
#define SEEN_RECORD_BYTES	16
/* Bit of the age of a record: the key was deleted. */
#define SEEN_RECORD_DELETED	0x8000000000000000ULL
/* False-positive rates are integers in units of 10^-12. This is a rate of 1. */
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

	/* Notifications. Each has its own command. */
	SEEN_CMD_FILTER_ADD_NTF,
	SEEN_CMD_FILTER_DEL_NTF,
	SEEN_CMD_GUARD_ADD_NTF,
	SEEN_CMD_GUARD_DEL_NTF,
	SEEN_CMD_WAITING_NTF,		/* a guard waits for its device, or cannot guard PORT */
	SEEN_CMD_ARMED_NTF,		/* a guard's device is present */
	SEEN_CMD_SUSPECT_NTF,		/* duplicates on a port, below the storm rate */
	SEEN_CMD_CALM_NTF,		/* the duplicates on a port have ended */
	SEEN_CMD_PORT_BLOCKED_NTF,
	SEEN_CMD_PORT_RELEASED_NTF,
	SEEN_CMD_SATURATED_NTF,		/* a filter is full, or a port exceeds its budget */
	SEEN_CMD_WINDOW_SHORT_NTF,	/* the effective window is below the promised one */
	SEEN_CMD_SUSPENDED_NTF,		/* a port stops judging: it would see packets twice */
	SEEN_CMD_RESUMED_NTF,		/* the port judges again */
	SEEN_CMD_STORM_NTF,		/* duplicates on a port reached the storm rate */
	SEEN_CMD_WOULD_BLOCK_NTF,	/* action count: block would have blocked the port */
	SEEN_CMD_MISSING_NTF,		/* rules name a filter that does not exist */
	SEEN_CMD_UNUSED_NTF,		/* the last rule that used a filter is gone */

	/* The allow list of a filter. Keys on it are never judged. */
	SEEN_CMD_ALLOW_ADD,
	SEEN_CMD_ALLOW_DEL,
	SEEN_CMD_ALLOW_GET,

	SEEN_CMD_KEY_COUNT,		/* report counts, or the values of a map */
	SEEN_CMD_TOP_GET,		/* dump: the heaviest keys of a sketch */
	SEEN_CMD_FILTER_MERGE,		/* add the keys of filter NEW_NAME to filter NAME */
	SEEN_CMD_FILTER_FOLD,		/* shrink a Bloom filter as far as FPP allows */
	SEEN_CMD_FILTER_EXPORT,		/* begin an export, or read a chunk of the table */
	SEEN_CMD_FILTER_IMPORT,		/* begin an import, write a chunk of the table, or commit */

	SEEN_CMD_PROBED_NTF,		/* what probes found about a suspected loop */
	SEEN_CMD_PORT_GET,		/* dump: ports of one guard, or of all guards */
	SEEN_CMD_FILTER_CHANGE_NTF,	/* a filter changed */
	SEEN_CMD_GUARD_CHANGE_NTF,	/* a guard changed */

	/* The feed of a filter: hashes of its new keys, for other hosts. */
	SEEN_CMD_FEED_ADD,
	SEEN_CMD_FEED_DEL,
	SEEN_CMD_FEED_GET,		/* take a batch of records */
	SEEN_CMD_HASH_ADD,		/* add keys by their hash, with an age */
	SEEN_CMD_HASH_DEL,		/* delete keys by their hash */
	SEEN_CMD_FEED_STALE_NTF,	/* no news from other hosts for too long */
	SEEN_CMD_FEED_FRESH_NTF,	/* news again */
	SEEN_CMD_CIRCLED_NTF,		/* trails of frames prove a loop */

	__SEEN_CMD_MAX,
	SEEN_CMD_MAX = __SEEN_CMD_MAX - 1
};

enum seen_type {
	SEEN_TYPE_UNSPEC,
	SEEN_TYPE_BLOOM,
	SEEN_TYPE_CUCKOO,
	SEEN_TYPE_BITMAP,	/* exact: a bit for each key of a range */
	SEEN_TYPE_COUNTING,	/* Bloom filter of counters up to 15; keys can be deleted */
	SEEN_TYPE_MAP,		/* exact: each key has a value */
	SEEN_TYPE_CMS,		/* count-min sketch: a count is never too low */
	SEEN_TYPE_CMM,		/* count-mean-min sketch: subtracts the expected noise */

	__SEEN_TYPE_MAX,
	SEEN_TYPE_MAX = __SEEN_TYPE_MAX - 1
};

/* Where a Bloom filter keeps the bits of a key. */
enum seen_layout {
	SEEN_LAYOUT_UNSPEC,
	SEEN_LAYOUT_BLOCKED,	/* all in one 64-byte line */
	SEEN_LAYOUT_CLASSIC,	/* anywhere in the table */

	__SEEN_LAYOUT_MAX,
	SEEN_LAYOUT_MAX = __SEEN_LAYOUT_MAX - 1
};

/* Action of a full filter. Default: evict for type cuckoo with a window, else reject. */
enum seen_on_full {
	SEEN_ON_FULL_UNSPEC,
	SEEN_ON_FULL_REJECT,	/* the new key is not stored; its packet passes */
	SEEN_ON_FULL_EVICT,	/* the oldest entry is evicted */
	SEEN_ON_FULL_ROTATE,	/* the oldest generation ends early */
	SEEN_ON_FULL_PASS,	/* no key counts as seen until there is room */

	__SEEN_ON_FULL_MAX,
	SEEN_ON_FULL_MAX = __SEEN_ON_FULL_MAX - 1
};

/* A filter, in requests and replies. */
enum seen_a_filter {
	SEEN_A_FILTER_UNSPEC,
	SEEN_A_FILTER_PAD,
	SEEN_A_FILTER_NAME,		/* string */
	SEEN_A_FILTER_NEW_NAME,		/* string: new name, or second filter of swap and merge */
	SEEN_A_FILTER_TYPE,		/* u32, enum seen_type */
	SEEN_A_FILTER_LAYOUT,		/* u32, enum seen_layout */
	SEEN_A_FILTER_CAPACITY,		/* u64, distinct keys */
	SEEN_A_FILTER_FPP,		/* u64, units of 10^-12: false-positive rate at capacity */
	SEEN_A_FILTER_FP_BITS,		/* u32, bits of a fingerprint */
	SEEN_A_FILTER_WINDOW,		/* u64, ns; absent: keys do not expire */
	SEEN_A_FILTER_REFRESH,		/* flag: the window begins at the last sighting */
	SEEN_A_FILTER_ON_FULL,		/* u32, enum seen_on_full */
	SEEN_A_FILTER_SECRET,		/* binary, SEEN_SECRET_LEN; reported with WITH_SECRET */
	SEEN_A_FILTER_KEY,		/* nest of SEEN_A_FIELD_ENTRY, in the order of the key */
	SEEN_A_FILTER_PROFILE,		/* u32, enum seen_key_profile */

	SEEN_A_FILTER_ID,		/* u32, unique in the namespace; absent with MISSING */

	/* in replies; HASHES, BLOCKS and TICK also in an import */
	SEEN_A_FILTER_HASHES,		/* u32, bits that a key sets, slots of a lookup, or rows */
	SEEN_A_FILTER_BLOCKS,		/* u64, lines, buckets, columns or (classic, bitmap) bits */
	SEEN_A_FILTER_TICK,		/* u64, ns: a key expires at most this long after WINDOW */
	SEEN_A_FILTER_BYTES,		/* u64, all memory of the filter */
	SEEN_A_FILTER_ENTRIES,		/* u64, keys in the window, estimated */
	SEEN_A_FILTER_USED,		/* u64, bits that are set, or slots in use */
	SEEN_A_FILTER_ROOM,		/* u64, all bits or slots */
	SEEN_A_FILTER_EFFECTIVE,	/* u64, ns: window that the filter kept lately */
	SEEN_A_FILTER_USERS,		/* u32, guards, rules, and filters whose ALLOW_MAP it is */
	SEEN_A_FILTER_GUARD_OWNED,	/* flag: created and deleted with a guard */
	SEEN_A_FILTER_KEY_LEN,		/* u32, bytes of a canonical key; 0: they vary */
	SEEN_A_FILTER_STATS,		/* nest, enum seen_a_stats */
	SEEN_A_FILTER_FULL,		/* flag: the filter is full now */
	SEEN_A_FILTER_RULES,		/* u32, rules among the USERS */
	SEEN_A_FILTER_MISSING,		/* flag: rules name this filter, but it does not exist */
	SEEN_A_FILTER_UNANSWERED,	/* u64, packets looked up while it was MISSING */
	SEEN_A_FILTER_ALLOWED,		/* u32, keys on the allow list */

	/* in requests and replies */
	SEEN_A_FILTER_INNER,		/* flag: the key is built from the innermost packet */
	SEEN_A_FILTER_FIRST,		/* binary, type bitmap: first key of the range */
	SEEN_A_FILTER_THRESHOLD,	/* u32, a key is seen from this count on; 0: from 1 */
	SEEN_A_FILTER_CONSERVATIVE,	/* flag, cms: an add raises only the lowest counters */
	SEEN_A_FILTER_TOP,		/* u32, cms, cmm: keys in the list of the heaviest */
	SEEN_A_FILTER_ALLOW_MAP,	/* string: a map filter, whose keys are allowed, too */
	SEEN_A_FILTER_FOLD,		/* u32, reply, import: blocks folded into one */
	SEEN_A_FILTER_TOTAL,		/* u64, reply, import: cms, cmm: sum of all counts */

	/* export and import; an import also has the attributes of FILTER_ADD */
	SEEN_A_FILTER_TICKS,		/* u32, ticks of the window */
	SEEN_A_FILTER_COOKIE,		/* u64, the export or import that a request continues */
	SEEN_A_FILTER_FROM,		/* u64, first unit of the chunk */
	SEEN_A_FILTER_NEXT,		/* u64, reply: first unit of the next chunk; absent: end */
	SEEN_A_FILTER_DATA,		/* binary, the units of the chunk, as in a snapshot */
	SEEN_A_FILTER_AGE,		/* u64, ns since the tick of the export began */
	SEEN_A_FILTER_WITH_SECRET,	/* flag, export: report SECRET */
	SEEN_A_FILTER_SECRET_CHECK,	/* u64, derived from SECRET; reveals a wrong secret */
	SEEN_A_FILTER_COMMIT,		/* flag, import: publish the filter */
	SEEN_A_FILTER_REPLACE,		/* flag, import: replace the filter that has this NAME, and
					 * this ID if one is given
					 */
	SEEN_A_FILTER_FORCE,		/* flag: merge even if the keys exceed the capacity */
	SEEN_A_FILTER_SPAN,		/* u64, with FOLD: blocks before the fold */
	SEEN_A_FILTER_UNIT,		/* u32, reply: bytes of a unit in DATA */
	/* in requests and replies */
	SEEN_A_FILTER_VXLAN_PORT,	/* u16, with INNER; may repeat, in ascending order */
	SEEN_A_FILTER_RESET,		/* flag, set: reset the counters */
	SEEN_A_FILTER_TOP_KEY,		/* nest, enum seen_a_entry, import; may repeat */
	SEEN_A_FILTER_LENGTHS4,		/* binary, reply, import: IPv4 prefix lengths as bytes */
	SEEN_A_FILTER_LENGTHS6,		/* binary, reply, import: IPv6 prefix lengths as bytes */
	SEEN_A_FILTER_NEW_ID,		/* u32, swap, merge: id of the second filter */
	SEEN_A_FILTER_ALLOW_MAP_ID,	/* u32, set, reply: id of the ALLOW_MAP */
	SEEN_A_FILTER_UNFIT_RULES,	/* u32, reply: RULES that the filter can never answer */
	SEEN_A_FILTER_FEED,		/* nest, enum seen_a_feed, reply; absent: no feed */
	SEEN_A_FILTER_TABLE_ID,		/* u64, reply: random; another one: the filter was flushed,
					 * folded or replaced
					 */

	__SEEN_A_FILTER_MAX,
	SEEN_A_FILTER_MAX = __SEEN_A_FILTER_MAX - 1
};

/* Counters of a filter. All are u64. */
enum seen_a_stats {
	SEEN_A_STATS_UNSPEC,
	SEEN_A_STATS_PAD,
	SEEN_A_STATS_LOOKUPS,		/* lookups, for packets and requests */
	SEEN_A_STATS_SEEN,		/* lookups with the answer seen */
	SEEN_A_STATS_NEW,		/* lookups with the answer new */
	SEEN_A_STATS_ADDS,		/* keys stored */
	SEEN_A_STATS_DELS,		/* keys removed */
	SEEN_A_STATS_NOKEY,		/* packets that do not have such a key */
	SEEN_A_STATS_FULL,		/* keys not stored: the filter is full */
	SEEN_A_STATS_EVICTED,		/* live entries evicted to make room */
	SEEN_A_STATS_COPIES,		/* keys not stored: all permitted copies exist */
	SEEN_A_STATS_ABSENT,		/* keys not removed: not in the filter */
	SEEN_A_STATS_STALE,		/* not judged: the sweep is late */
	SEEN_A_STATS_UNFIT,		/* the filter's type cannot do what a rule asks */
	SEEN_A_STATS_ALLOWED,		/* not judged: the key is allowed */

	__SEEN_A_STATS_MAX,
	SEEN_A_STATS_MAX = __SEEN_A_STATS_MAX - 1
};

/* Fields of a packet that make a key, and their bytes in the canonical key. */
enum seen_field {
	SEEN_FIELD_UNSPEC,
	SEEN_FIELD_SMAC,	/* 6 bytes */
	SEEN_FIELD_DMAC,	/* 6 bytes */
	SEEN_FIELD_VLAN,	/* 2 bytes, VID of the outermost tag; 0xffff: untagged */
	SEEN_FIELD_ETHERTYPE,	/* 2 bytes, inside all VLAN tags */
	SEEN_FIELD_SRC,		/* 16 bytes, IPv4 as ::ffff:a.b.c.d; address or prefix */
	SEEN_FIELD_DST,		/* as SEEN_FIELD_SRC */
	SEEN_FIELD_PROTO,	/* 1 byte, protocol after IPv6 extension headers */
	SEEN_FIELD_TTL,		/* 1 byte, or hop limit */
	SEEN_FIELD_DSCP,	/* 1 byte, 0 to 63 */
	SEEN_FIELD_IPID,	/* 4 bytes; 0 in IPv6 without a fragment header */
	SEEN_FIELD_FRAG,	/* 2 bytes, offset in bytes, plus 1 if more fragments follow */
	SEEN_FIELD_SPORT,	/* 2 bytes */
	SEEN_FIELD_DPORT,	/* 2 bytes */
	SEEN_FIELD_TCPSEQ,	/* 4 bytes */
	SEEN_FIELD_PAYLOAD,	/* last in a key: 4 bytes of length, then the bytes */
	SEEN_FIELD_LEN,		/* 4 bytes, length that IP, ARP or 802.3 states */
	SEEN_FIELD_IIF,		/* 4 bytes, interface index */
	SEEN_FIELD_BYTES,	/* bytes of the caller's choice, as the only field */
	SEEN_FIELD_ID,		/* 4 bytes, a number of the caller's choice; not in packets */

	__SEEN_FIELD_MAX,
	SEEN_FIELD_MAX = __SEEN_FIELD_MAX - 1
};

/* Named lists of fields. FRAME and PACKET also define where PAYLOAD begins. */
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
	SEEN_A_FIELD_ENTRY,		/* nest of the attributes below, for one field */
	SEEN_A_FIELD_ID,		/* u32, enum seen_field */
	SEEN_A_FIELD_PARAM,		/* u32, IPv4 prefix length, SEEN_PREFIX_ANY, or maximum
					 * bytes of payload
					 */
	SEEN_A_FIELD_PARAM6,		/* u32, IPv6 prefix length */

	__SEEN_A_FIELD_MAX,
	SEEN_A_FIELD_MAX = __SEEN_A_FIELD_MAX - 1
};

/* In SEEN_A_KEY_PACKED: precedes the bytes of each key. There is no padding between keys. */
struct seen_packed_key {
	__u8 len[2];		/* little-endian: number of bytes of the key */
};

/* A request with keys, and its reply. */
enum seen_a_key {
	SEEN_A_KEY_UNSPEC,
	SEEN_A_KEY_PAD,
	SEEN_A_KEY_FILTER,		/* string */
	SEEN_A_KEY_FILTER_ID,		/* u32, id of the filter */
	SEEN_A_KEY_ENTRY,		/* nest, may repeat, enum seen_a_entry */
	SEEN_A_KEY_PACKED,		/* binary, instead of ENTRY: for each key a struct
					 * seen_packed_key and the key
					 */
	SEEN_A_KEY_IF_NEW,		/* flag, add: store only keys that are not seen */
	/* in replies */
	SEEN_A_KEY_DONE,		/* u32, number of keys processed */
	SEEN_A_KEY_FAILED,		/* u32, index of the refused key */
	SEEN_A_KEY_NEW,			/* u32, PACKED: keys that were new */
	SEEN_A_KEY_STALE,		/* u32, PACKED: keys not stored: the sweep is late */

	__SEEN_A_KEY_MAX,
	SEEN_A_KEY_MAX = __SEEN_A_KEY_MAX - 1
};

/* One key. */
enum seen_a_entry {
	SEEN_A_ENTRY_UNSPEC,
	SEEN_A_ENTRY_KEY,		/* binary, canonical; replies to key commands omit it */
	SEEN_A_ENTRY_VALUE,		/* u32: a map's value; in a reply also a count */
	SEEN_A_ENTRY_RESULT,		/* u32, reply, enum seen_key_result */

	__SEEN_A_ENTRY_MAX,
	SEEN_A_ENTRY_MAX = __SEEN_A_ENTRY_MAX - 1
};

enum seen_key_result {
	SEEN_KEY_RESULT_UNSPEC,
	SEEN_KEY_RESULT_NEW,		/* was not in the filter; after an add it is */
	SEEN_KEY_RESULT_SEEN,		/* was in the filter */
	SEEN_KEY_RESULT_FULL,		/* not stored: the filter is full */
	SEEN_KEY_RESULT_COPIES,	/* not stored: all permitted copies exist */
	SEEN_KEY_RESULT_ABSENT,	/* not removed: not in the filter */
	SEEN_KEY_RESULT_STALE,		/* no answer: the sweep is late */
	SEEN_KEY_RESULT_ALLOWED,	/* not judged: the key is allowed */
	SEEN_KEY_RESULT_REFUSED,	/* not processed; an error with the reason follows */

	__SEEN_KEY_RESULT_MAX,
	SEEN_KEY_RESULT_MAX = __SEEN_KEY_RESULT_MAX - 1
};

enum seen_guard_kind {
	SEEN_GUARD_KIND_UNSPEC,
	SEEN_GUARD_KIND_DEV,
	SEEN_GUARD_KIND_BRIDGE,	/* all ports of a bridge, also later ones */

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
	SEEN_GUARD_PROFILE_RELAY,	/* UDP datagrams that relays send in a circle */
	SEEN_GUARD_PROFILE_PACKET,	/* packets that were mirrored more than once */

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
	SEEN_VERDICT_DUP,		/* duplicate: seen within the window, on any port */
	SEEN_VERDICT_OTHER_PORT,	/* duplicate: first seen on another port, in the window */
	SEEN_VERDICT_LOOP,		/* duplicate, by the times SAME_NS and OTHER_NS */
	SEEN_VERDICT_LISTED,		/* hit: the key is in the filter; packets store nothing */
	SEEN_VERDICT_HEAVY,		/* hit: the key's count reaches the filter's threshold */

	__SEEN_VERDICT_MAX,
	SEEN_VERDICT_MAX = __SEEN_VERDICT_MAX - 1
};

enum seen_action {
	SEEN_ACTION_UNSPEC,
	SEEN_ACTION_COUNT,	/* dry run: count what another action would do */
	SEEN_ACTION_MARK,
	SEEN_ACTION_DROP,
	SEEN_ACTION_BLOCK,	/* drop, and block a port when a loop is proved */

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

/* Duplicates on a port. */
enum seen_alarm {
	SEEN_ALARM_UNSPEC,
	SEEN_ALARM_CALM,	/* none */
	SEEN_ALARM_SUSPECT,	/* some */
	SEEN_ALARM_STORM,	/* they reached the guard's storm rate */

	__SEEN_ALARM_MAX,
	SEEN_ALARM_MAX = __SEEN_ALARM_MAX - 1
};

/* Results of probes, the weakest first, and the result of a trail. Only LOOP blocks a port. */
enum seen_finding_kind {
	SEEN_FINDING_KIND_UNSPEC,
	SEEN_FINDING_KIND_UNCONFIRMED,	/* no probe came back */
	SEEN_FINDING_KIND_REFLECTION,	/* back on the port that sent it */
	SEEN_FINDING_KIND_LEAK,		/* back in another VLAN */
	SEEN_FINDING_KIND_PATH,		/* back on another port; would not be forwarded */
	SEEN_FINDING_KIND_LOOP,		/* back on another port; would be forwarded again */
	SEEN_FINDING_KIND_TRAIL,	/* a frame's trail: the frame came back */

	__SEEN_FINDING_KIND_MAX,
	SEEN_FINDING_KIND_MAX = __SEEN_FINDING_KIND_MAX - 1
};

enum seen_a_guard {
	SEEN_A_GUARD_UNSPEC,
	SEEN_A_GUARD_PAD,
	SEEN_A_GUARD_KIND,		/* u32, enum seen_guard_kind */
	SEEN_A_GUARD_DEV,		/* string, device name */
	SEEN_A_GUARD_HOOK,		/* u32, enum seen_hook */
	SEEN_A_GUARD_FILTER,		/* string; absent: the profile's own filter */
	SEEN_A_GUARD_PROFILE,		/* u32, enum seen_guard_profile */
	SEEN_A_GUARD_MATCH,		/* u32, enum seen_match */
	SEEN_A_GUARD_VERDICT,		/* u32, enum seen_verdict */
	SEEN_A_GUARD_ACTION,		/* u32, enum seen_action */
	SEEN_A_GUARD_MARK,		/* u32 */
	SEEN_A_GUARD_PRIORITY,		/* s32, of the netfilter hook */
	SEEN_A_GUARD_NO_BLOCK,		/* flag: profile loop with action drop instead of block */
	SEEN_A_GUARD_PROTECT,		/* string, may repeat: port that is never blocked */
	SEEN_A_GUARD_PAUSED,		/* u8: 1 pause, 0 resume */
	SEEN_A_GUARD_ALL,		/* flag, set: all guards of the namespace */
	/* in replies: STATE to OTHER_NS, and FINDING */
	SEEN_A_GUARD_STATE,		/* u32, enum seen_guard_state */
	SEEN_A_GUARD_IFINDEX,		/* u32, 0 while waiting */
	SEEN_A_GUARD_SAME_NS,		/* u64: duplicate within this time on the same port */
	SEEN_A_GUARD_OTHER_NS,		/* u64: duplicate within this time on another port */
	/* conditions UDP, SRC, DST: may repeat; of each kind that is given, one must match */
	SEEN_A_GUARD_UDP,		/* nest, enum seen_a_range: UDP destination ports */
	SEEN_A_GUARD_SRC,		/* nest, enum seen_a_prefix */
	SEEN_A_GUARD_DST,		/* nest, enum seen_a_prefix */
	SEEN_A_GUARD_STORM,		/* u32, storm rate: duplicates per second on a port */
	SEEN_A_GUARD_MARK_VALUE,	/* flag: the mark is the packet's value in the map */
	SEEN_A_GUARD_REPEAT,		/* u32, repeats per second on a port and VLAN; more are
					 * a sign of a loop
					 */
	SEEN_A_GUARD_NO_PROBE,		/* u8: 1 do not send probes, 0 send them */
	SEEN_A_GUARD_EXEMPT,		/* nest, enum seen_a_prefix, may repeat: MAC addresses of a
					 * control group; LEN 0: no group
					 */
	SEEN_A_GUARD_FINDING,		/* nest, enum seen_a_finding; may repeat */
	SEEN_A_GUARD_SUSPECT,		/* u32, frames returned within a second that raise a
					 * suspicion of a loop
					 */
	SEEN_A_GUARD_BLOCK_FIRST_NS,	/* u64, length of a port's first block */
	SEEN_A_GUARD_BLOCK_MAX_NS,	/* u64, maximum length of a block */
	SEEN_A_GUARD_RESET,		/* flag, set: reset the counters of the ports */
	SEEN_A_GUARD_ID,		/* u32, unique in the namespace; names the guard, as KIND,
					 * DEV and HOOK do
					 */
	SEEN_A_GUARD_FILTER_ID,		/* u32, add, reply: id of the filter */
	SEEN_A_GUARD_REPLACE,		/* flag, add: replace the guard of this KIND, DEV, HOOK */
	SEEN_A_GUARD_TRAIL,		/* nest, add, reply, enum seen_a_trail: trails of frames */

	__SEEN_A_GUARD_MAX,
	SEEN_A_GUARD_MAX = __SEEN_A_GUARD_MAX - 1
};

/* What trails, the filters that travel in frames, are for. */
enum seen_trail_mode {
	SEEN_TRAIL_MODE_UNSPEC,
	SEEN_TRAIL_MODE_BOTH,	/* the guard's filter and trails find loops */
	SEEN_TRAIL_MODE_ONLY,	/* only trails do; the filter stores no frame */

	__SEEN_TRAIL_MODE_MAX,
	SEEN_TRAIL_MODE_MAX = __SEEN_TRAIL_MODE_MAX - 1
};

/* The trails of a guard's frames. The secret of its filter chooses their bits, and signs. */
enum seen_a_trail {
	SEEN_A_TRAIL_UNSPEC,
	SEEN_A_TRAIL_PAD,
	SEEN_A_TRAIL_MODE,		/* u32, enum seen_trail_mode; default BOTH */
	SEEN_A_TRAIL_BITS,		/* u32, 128 (default) or 256 */
	SEEN_A_TRAIL_MOST,		/* u32, most bytes behind the Ethernet header of a frame
					 * with a trail; default 1400
					 */
	SEEN_A_TRAIL_NODE,		/* u64, number of the guard in trails; 0 or absent:
					 * that of the guard that it replaces, else random
					 */
	SEEN_A_TRAIL_AUTH,		/* flag: trails are signed; others are payload */
	SEEN_A_TRAIL_PORT,		/* nest, enum seen_a_role; may repeat */

	__SEEN_A_TRAIL_MAX,
	SEEN_A_TRAIL_MAX = __SEEN_A_TRAIL_MAX - 1
};

/* A port that is an edge, or belongs to a segment. */
enum seen_a_role {
	SEEN_A_ROLE_UNSPEC,
	SEEN_A_ROLE_NAME,		/* string, device name */
	SEEN_A_ROLE_SEGMENT,	/* u32, not 0; absent: an edge, which trails do not cross */

	__SEEN_A_ROLE_MAX,
	SEEN_A_ROLE_MAX = __SEEN_A_ROLE_MAX - 1
};

/* The numbers from FIRST to LAST, both included. */
enum seen_a_range {
	SEEN_A_RANGE_UNSPEC,
	SEEN_A_RANGE_FIRST,		/* u16 */
	SEEN_A_RANGE_LAST,		/* u16 */

	__SEEN_A_RANGE_MAX,
	SEEN_A_RANGE_MAX = __SEEN_A_RANGE_MAX - 1
};

/* All addresses that begin with the same bits. */
enum seen_a_prefix {
	SEEN_A_PREFIX_UNSPEC,
	SEEN_A_PREFIX_ADDRESS,		/* binary, network order: 4 bytes IPv4, 16 IPv6, 6 MAC */
	SEEN_A_PREFIX_LEN,		/* u8, bits of ADDRESS that count */

	__SEEN_A_PREFIX_MAX,
	SEEN_A_PREFIX_MAX = __SEEN_A_PREFIX_MAX - 1
};

/* A port of a guard. Counters are u64. */
enum seen_a_port {
	SEEN_A_PORT_UNSPEC,
	SEEN_A_PORT_PAD,
	SEEN_A_PORT_NAME,		/* string */
	SEEN_A_PORT_IFINDEX,		/* u32 */
	SEEN_A_PORT_SELF,		/* flag: frames that the bridge itself sends */
	SEEN_A_PORT_PROTECTED,		/* flag: never blocked */
	SEEN_A_PORT_SUSPENDED,		/* flag: would see packets twice, judges nothing */
	SEEN_A_PORT_GRO,		/* flag: GRO is on, merged packets are skipped */
	SEEN_A_PORT_OFFLOADED,		/* flag: forwards in hardware, past the guard */
	SEEN_A_PORT_JUDGED,		/* sum of NEW, REPEAT, DUP_SAME, DUP_OTHER and HIT */
	SEEN_A_PORT_NEW,
	SEEN_A_PORT_REPEAT,		/* seen, but the verdict lets it pass */
	SEEN_A_PORT_DUP_SAME,		/* duplicates first seen on this port */
	SEEN_A_PORT_DUP_OTHER,		/* duplicates first seen on another port */
	SEEN_A_PORT_EXEMPT,
	SEEN_A_PORT_NOKEY,
	SEEN_A_PORT_GRO_SKIPPED,
	SEEN_A_PORT_OVER_BUDGET,
	SEEN_A_PORT_FULL,		/* passed, not stored: the filter is full */
	SEEN_A_PORT_DROPPED,		/* duplicates and hits that the action dropped */
	SEEN_A_PORT_MARKED,
	SEEN_A_PORT_BLOCKED_IN,		/* received and dropped while blocked */
	SEEN_A_PORT_BLOCKED_OUT,	/* to be sent, and dropped while blocked */
	SEEN_A_PORT_BLOCKS,		/* number of blocks */
	SEEN_A_PORT_BLOCKED_SINCE,	/* u64, ns since the block began; absent: not blocked */
	SEEN_A_PORT_BLOCKED_UNTIL,	/* u64, ns until the block ends */
	SEEN_A_PORT_LAST,		/* nest, enum seen_a_dup: last duplicate that was first on
					 * this port, or last hit
					 */
	SEEN_A_PORT_BUDGET,		/* u64, new keys per window; 0: no limit */
	SEEN_A_PORT_STALE,		/* not judged: the filter's sweep is late */
	SEEN_A_PORT_ALLOWED,		/* not judged: the key is allowed */
	SEEN_A_PORT_WOULD_DROP,		/* action count: frames that drop would have dropped */
	SEEN_A_PORT_WOULD_BLOCK,	/* action count: blocks that block would have made */
	SEEN_A_PORT_ALARM,		/* u32, enum seen_alarm */
	SEEN_A_PORT_RATE,		/* u64, duplicates in the last second */
	SEEN_A_PORT_PEAK,		/* u64, highest RATE of the present or the last alarm */
	SEEN_A_PORT_HIT,		/* verdicts listed and heavy: hits */
	SEEN_A_PORT_REFUSED,		/* not stored: the bridge did not accept the frame */
	SEEN_A_PORT_UNRECORDED,		/* passed, not stored: the frame's state was lost */
	SEEN_A_PORT_LAST_OTHER,		/* nest, enum seen_a_dup: last duplicate that was first on
					 * another port
					 */
	SEEN_A_PORT_PEER,		/* string, while blocked: the other port of the loop */
	SEEN_A_PORT_GUARD_ID,		/* u32, SEEN_A_GUARD_ID of its guard; also in requests */
	/* in requests: the guard, as SEEN_A_GUARD_KIND, _DEV and _HOOK */
	SEEN_A_PORT_GUARD_KIND,		/* u32, enum seen_guard_kind */
	SEEN_A_PORT_GUARD_DEV,		/* string */
	SEEN_A_PORT_GUARD_HOOK,		/* u32, enum seen_hook */
	SEEN_A_PORT_TRAIL_ADDED,	/* frames that got a trail */
	SEEN_A_PORT_TRAIL_NONE,		/* passed without, or as it came: no memory */
	SEEN_A_PORT_TRAIL_STRIKE,	/* first hits, which pass */
	SEEN_A_PORT_TRAIL_LOOP,		/* second hits, which the action drops */
	SEEN_A_PORT_TRAIL_STRIPPED,	/* left by an edge, without their trail */
	SEEN_A_PORT_TRAIL_WITHHELD,	/* dropped: from a segment to the same segment */

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
	SEEN_A_DUP_ETHERTYPE,		/* u16, host byte order */
	SEEN_A_DUP_PORT,		/* string: port on which the duplicate arrived */
	SEEN_A_DUP_FIRST_PORT,		/* string: port of the first copy; absent: unknown */
	SEEN_A_DUP_AGE,			/* u64, ns since the duplicate arrived */

	__SEEN_A_DUP_MAX,
	SEEN_A_DUP_MAX = __SEEN_A_DUP_MAX - 1
};

/* A finding: the result of a round of probes, or of a frame's trail. */
enum seen_a_finding {
	SEEN_A_FINDING_UNSPEC,
	SEEN_A_FINDING_PAD,
	SEEN_A_FINDING_KIND,		/* u32, enum seen_finding_kind */
	SEEN_A_FINDING_PORT,		/* string: port that sent the probes, or got the frame */
	SEEN_A_FINDING_OTHER,		/* string: port that received a probe; absent: none */
	SEEN_A_FINDING_VLAN,		/* u16, VLAN in which probes were sent; absent: none */
	SEEN_A_FINDING_INTO,		/* u16, of a leak: VLAN in which a probe arrived */
	SEEN_A_FINDING_COUNT,		/* u64, how often this was found */
	SEEN_A_FINDING_AGE,		/* u64, ns since this was found last */
	SEEN_A_FINDING_NODES,		/* u16, of a trail: nodes of the loop and the way to it */

	__SEEN_A_FINDING_MAX,
	SEEN_A_FINDING_MAX = __SEEN_A_FINDING_MAX - 1
};

/* The change that an event reports. */
enum seen_change {
	SEEN_CHANGE_UNSPEC,
	SEEN_CHANGE_SET,
	SEEN_CHANGE_FLUSH,
	SEEN_CHANGE_SWAP,	/* each of the two filters has an event */
	SEEN_CHANGE_RENAME,	/* guards and filters that use the filter send no event */
	SEEN_CHANGE_PAUSE,
	SEEN_CHANGE_RESUME,
	SEEN_CHANGE_ALLOW,	/* of the allow list */
	SEEN_CHANGE_RESET,	/* the counters are 0 */
	SEEN_CHANGE_REPLACE,	/* by an import, or by GUARD_ADD with REPLACE */
	SEEN_CHANGE_MERGE,
	SEEN_CHANGE_FOLD,
	SEEN_CHANGE_FEED,	/* the filter got a feed, or lost it */

	__SEEN_CHANGE_MAX,
	SEEN_CHANGE_MAX = __SEEN_CHANGE_MAX - 1
};

/* An event, with the object that it is about. */
enum seen_a_event {
	SEEN_A_EVENT_UNSPEC,
	SEEN_A_EVENT_PAD,
	SEEN_A_EVENT_TIME,		/* u64, ns, CLOCK_REALTIME */
	SEEN_A_EVENT_FILTER,		/* nest, enum seen_a_filter: at least NAME, and ID unless
					 * MISSING
					 */
	SEEN_A_EVENT_GUARD,		/* nest, enum seen_a_guard: at least ID, KIND, DEV, HOOK */
	SEEN_A_EVENT_PORT,		/* string */
	SEEN_A_EVENT_DUP,		/* nest, enum seen_a_dup */
	SEEN_A_EVENT_COUNT,		/* u64, duplicates of the alarm, keys in the full filter, or
					 * keys over the port's budget
					 */
	SEEN_A_EVENT_DURATION,		/* u64, ns: length of the block, or of the alarm, or since
					 * the last news of a stale feed
					 */
	SEEN_A_EVENT_WINDOW,		/* u64, ns: the effective window */
	SEEN_A_EVENT_PROMISED,		/* u64, ns: the promised window */
	SEEN_A_EVENT_OTHER,		/* string: the port that sees the same packets, or the other
					 * port of the loop
					 */
	SEEN_A_EVENT_LOST,		/* u64, events lost before this event */
	SEEN_A_EVENT_RATE,		/* u64, duplicates in the last second */
	SEEN_A_EVENT_PEAK,		/* u64, highest RATE of the alarm */
	SEEN_A_EVENT_FINDING,		/* nest, enum seen_a_finding */
	SEEN_A_EVENT_CHANGE,		/* u32, enum seen_change */
	SEEN_A_EVENT_OLD_NAME,		/* string, name of a filter before its rename */

	__SEEN_A_EVENT_MAX,
	SEEN_A_EVENT_MAX = __SEEN_A_EVENT_MAX - 1
};

/* In SEEN_A_FEED_DATA: a record. Host byte order. */
struct seen_packed_record {
	__u64 hash;		/* of the key, under the filter's secret */
	__u64 age;		/* ns since the key was seen or deleted; SEEN_RECORD_DELETED */
};

/* A feed, its records, and keys by their hash. */
enum seen_a_feed {
	SEEN_A_FEED_UNSPEC,
	SEEN_A_FEED_PAD,
	SEEN_A_FEED_FILTER,		/* string */
	SEEN_A_FEED_FILTER_ID,		/* u32, id of the filter */
	SEEN_A_FEED_RECORDS,		/* u32, records of each ring, a power of two */
	SEEN_A_FEED_STALE,		/* u64, ns without news until the feed is stale; 0: never */
	SEEN_A_FEED_DONE,		/* u64, FEED_GET: BATCH of the last reply */
	SEEN_A_FEED_BATCH,		/* u64, reply: number of the batch */
	SEEN_A_FEED_DATA,		/* binary: struct seen_packed_record, at most
					 * SEEN_RECORDS_MAX
					 */
	SEEN_A_FEED_LOST,		/* u64, reply: records that found no room */
	SEEN_A_FEED_PENDING,		/* u64, reply: records to be taken, without this batch */
	SEEN_A_FEED_AGE,		/* u64, ns, at most 2^60: age of the last news from
					 * other hosts
					 */
	SEEN_A_FEED_RESULTS,		/* binary, reply: a byte for each record of the request,
					 * enum seen_hash_result
					 */
	SEEN_A_FEED_TOTAL,		/* u64, reply: records made, without LOST */
	SEEN_A_FEED_IS_STALE,		/* flag, reply */

	__SEEN_A_FEED_MAX,
	SEEN_A_FEED_MAX = __SEEN_A_FEED_MAX - 1
};

/* The result for a key that was added or deleted by its hash. */
enum seen_hash_result {
	SEEN_HASH_UNSPEC,
	SEEN_HASH_NEW,		/* was not in the filter, and is now */
	SEEN_HASH_SEEN,		/* was in the filter; renewed if this sighting is later */
	SEEN_HASH_FULL,		/* not stored: the filter is full */
	SEEN_HASH_STALE,	/* nothing done: the sweep is late */
	SEEN_HASH_EXPIRED,	/* not stored: older than the window */
	SEEN_HASH_ABSENT,	/* not deleted: not in the filter */
	SEEN_HASH_REMOVED,

	__SEEN_HASH_MAX,
	SEEN_HASH_MAX = __SEEN_HASH_MAX - 1
};

#endif /* _UAPI_LINUX_SEEN_H */
