/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libseen: the netlink client of the kernel module as plain C.
 *
 * Functions return 0 or a negative errno; seen_error() then has one line for
 * people, in the kernel's own words where it gave any. Times are nanoseconds,
 * sizes bytes, false-positive rates whole numbers of 10^-12. Not thread-safe:
 * a client for each thread.
 */
#ifndef LIBSEEN_H
#define LIBSEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <net/if.h>
#include <linux/seen.h>

#include "key.h"
#include "names.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Room in this library's structures. It is the library's own, and more than the kernel has
 * use for today, as is what is reserved: a later kernel or a later library changes neither
 * the size of a structure nor the place of a member. What is reserved is 0; a function that
 * finds something else there fails with -E2BIG, since a later library has a meaning for it.
 */
#define SEEN_NAME_ROOM		64
#define SEEN_LENGTHS_ROOM	128
#define SEEN_STATS_ROOM		64
#define SEEN_PORT_ROOM		96
#define SEEN_CONDITIONS_ROOM	32
#define SEEN_EXEMPT_ROOM	32
#define SEEN_PROTECT_ROOM	128
#define SEEN_FINDINGS_ROOM	8

struct seen_client;

/* seen_version() - of this library, such as "1.0.0"; valid for ever */
const char *seen_version(void);

/**
 * seen_open() - connect to the module in the caller's network namespace
 * @client: out: to be closed by seen_close(), also after a failure; NULL if
 *          there was no memory
 *
 * The kernel loads the module when it is asked for it.
 *
 * Return: 0; -ENOENT: there is no module.
 */
int seen_open(struct seen_client **client);
void seen_close(struct seen_client *client);

/* seen_error() - why the last call failed */
const char *seen_error(const struct seen_client *client);

/* seen_warning() - what the kernel said although it did as asked, or NULL */
const char *seen_warning(const struct seen_client *client);

/**
 * struct seen_filter_config - what a filter shall be
 * @name: of the filter
 * @type: enum seen_type
 * @layout: enum seen_layout; 0: blocked for type bloom
 * @fp_bits: fingerprint bits, 0: the kernel chooses
 * @on_full: enum seen_on_full; 0: the type's default
 * @refresh: the window counts from the last sighting
 * @has_secret: @secret is given; a reply never tells it
 * @capacity: distinct keys
 * @fpp: at capacity, 0: what the fingerprint gives
 * @window: ns, 0: for ever
 * @secret: of the hash
 * @key: what of a packet is remembered
 * @first: bitmap: the range's first key, canonical
 * @first_len: its bytes
 * @threshold: kinds that count: seen from this count on; 0: from 1
 * @conservative: cms: an add raises only what must be
 * @top: cms, cmm: heaviest keys that are kept beside it
 * @reserved: 0
 */
struct seen_filter_config {
	char name[SEEN_NAME_ROOM];
	uint32_t type;
	uint32_t layout;
	uint32_t fp_bits;
	uint32_t on_full;
	bool refresh;
	bool has_secret;
	uint64_t capacity;
	uint64_t fpp;
	uint64_t window;
	uint8_t secret[SEEN_SECRET_LEN];
	struct seen_key_spec key;
	uint8_t first[16];
	uint32_t first_len;
	uint32_t threshold;
	bool conservative;
	uint32_t top;
	uint64_t reserved[8];
};

/*
 * A filter as the kernel tells it; the names are those of SEEN_A_FILTER_. @length has
 * @lengths prefix lengths: 1 to 32 of IPv4, and of IPv6 each with 32 added.
 */
struct seen_filter_info {
	struct seen_filter_config config;
	uint32_t id;
	uint32_t hashes;
	uint32_t users;
	uint32_t rules;
	bool guard_owned;
	bool full;
	bool missing;
	uint64_t unanswered;
	uint32_t allowed;
	uint64_t blocks;
	uint64_t tick;
	uint64_t bytes;
	uint64_t entries;
	uint64_t used;
	uint64_t room;
	uint64_t effective;
	uint32_t ticks;
	uint32_t fold;
	uint64_t total;
	char allow_map[SEEN_NAME_ROOM];
	uint32_t lengths;
	uint8_t length[SEEN_LENGTHS_ROOM];
	uint64_t stats[SEEN_STATS_ROOM];
	uint64_t reserved[16];
};

/* Room for the text of a range. */
#define SEEN_RANGE_TEXT_LEN	(2 * SEEN_KEY_TEXT_LEN(16))

/**
 * seen_range_parse() - a bitmap's range, and so its first key and capacity
 * @config: its key is given
 * @text: "10.0.0.0/8", "0-65535", "02:00:00:00:00:00-02:00:00:00:ff:ff"
 * @error: SEEN_KEY_ERROR_LEN bytes
 *
 * Return: 0 or -1.
 */
int seen_range_parse(struct seen_filter_config *config, const char *text,
		     char *error);
/* seen_range_format() - as FIRST-LAST; SEEN_RANGE_TEXT_LEN bytes */
void seen_range_format(const struct seen_filter_config *config, char *text);

int seen_filter_add(struct seen_client *client,
		    const struct seen_filter_config *config);

/*
 * seen_filter_del() - rules that use it have two seconds to go, unless @no_wait;
 * -EAGAIN: they have not
 */
int seen_filter_del(struct seen_client *client, const char *name, bool no_wait);
int seen_filter_flush(struct seen_client *client, const char *name);

/* seen_filter_reset() - the counters of a name begin at 0 */
int seen_filter_reset(struct seen_client *client, const char *name);
int seen_filter_rename(struct seen_client *client, const char *name,
		       const char *new_name);
int seen_filter_swap(struct seen_client *client, const char *name,
		     const char *other);
int seen_filter_set(struct seen_client *client, const char *name,
		    enum seen_on_full on_full);
/* seen_filter_set_allow_map() - @map's keys are never judged; "": of none */
int seen_filter_set_allow_map(struct seen_client *client, const char *name,
			      const char *map);
int seen_filter_get(struct seen_client *client, const char *name,
		    struct seen_filter_info *info);

/**
 * seen_filter_list() - every filter of the namespace, at one moment
 * @client: the connection
 * @list: out: to be freed
 * @count: out: how many
 */
int seen_filter_list(struct seen_client *client,
		     struct seen_filter_info **list, size_t *count);

/**
 * seen_filter_secret() - of a filter's hash
 * @client: the connection
 * @name: of the filter
 * @secret: out: SEEN_SECRET_LEN bytes
 *
 * Who has it can make keys that the filter takes for others. An export of the
 * filter that is under way begins again.
 */
int seen_filter_secret(struct seen_client *client, const char *name,
		       uint8_t *secret);

/**
 * seen_filter_export() - write a snapshot of a filter, which stays in use
 * @client: the connection
 * @name: of the filter
 * @path: "-": standard output. A file is there whole or not at all
 * @with_secret: tell the secret of its hash; the file is for its owner alone
 *
 * No key that was added before is missing.
 */
int seen_filter_export(struct seen_client *client, const char *name,
		       const char *path, bool with_secret);

/**
 * seen_filter_import() - make a filter of a snapshot, or nothing at all
 * @client: the connection
 * @name: of the filter
 * @path: "-": standard input
 * @secret: of its hash, or NULL: that in the snapshot; if there is none, that of
 *          the filter that is to be replaced
 * @replace: take the place of the filter of this name, if there is one
 */
int seen_filter_import(struct seen_client *client, const char *name,
		       const char *path, const uint8_t *secret, bool replace);

/**
 * seen_filter_merge() - add the keys of another filter
 * @client: the connection
 * @name: of the filter
 * @other: of the same geometry, key and secret; it stays as it is
 * @force: also beyond the promised capacity
 * @info: out: the filter afterwards
 */
int seen_filter_merge(struct seen_client *client, const char *name,
		      const char *other, bool force,
		      struct seen_filter_info *info);

/**
 * seen_filter_fold() - to the smallest size that keeps the promised rate
 * @client: the connection
 * @name: of the filter, which stays in use
 * @capacity: keys that shall fit, 0: those that are in it
 * @info: out: the filter afterwards
 */
int seen_filter_fold(struct seen_client *client, const char *name,
		     uint64_t capacity, struct seen_filter_info *info);

/* Most bytes of keys that one request carries: at least one of any length. */
#define SEEN_KEYS_BYTES		65500

/**
 * struct seen_keys - a request for many keys, and its answer
 * @count: keys in it
 * @size: bytes used of @data
 * @done: answer: keys that were done
 * @failed: answer: key number @done was refused, and none after it was tried
 * @brief: the answer to keys that are added without values has no @result; this is faster
 * @has_values: @value goes with the keys, or has come with the answer
 * @added: answer to an add: keys that were new
 * @stale: answer to an add: keys that were not stored, since the sweep is late
 * @result: answer: enum seen_key_result of each that was done
 * @value: add to a map: of each key; answer to count: counts, or a map's values
 * @data: records as of SEEN_A_KEY_PACKED
 */
struct seen_keys {
	uint32_t count;
	uint32_t size;
	uint32_t done;
	bool failed;
	bool brief;
	bool has_values;
	uint32_t added;
	uint32_t stale;
	uint8_t result[SEEN_KEYS_MAX];
	uint32_t value[SEEN_KEYS_MAX];
	uint8_t data[SEEN_KEYS_BYTES];
};

/* seen_keys_reserve() - room for one more key of at most @len bytes, or NULL: full */
uint8_t *seen_keys_reserve(struct seen_keys *keys, size_t len);
/* seen_keys_commit() - @len bytes were written to what was reserved */
void seen_keys_commit(struct seen_keys *keys, uint16_t len);

/**
 * seen_keys_send() - add, test or delete the keys
 * @client: the connection
 * @cmd: SEEN_CMD_KEY_ADD, _TEST, _DEL or _COUNT, SEEN_CMD_ALLOW_ADD or _DEL
 * @filter: name
 * @if_new: add only what is not seen
 * @keys: in: the keys, out: the answer
 *
 * Return: 0 or -errno; a key that is refused is one too.
 */
int seen_keys_send(struct seen_client *client, enum seen_cmd cmd,
		   const char *filter, bool if_new, struct seen_keys *keys);

/**
 * seen_top_keys() - the heaviest keys of a sketch, heaviest first
 * @client: the connection
 * @filter: name
 * @tell: called for each key; a return other than 0 ends it
 * @context: handed to it
 *
 * Return: 0, what @tell returned, or -errno.
 */
int seen_top_keys(struct seen_client *client, const char *filter,
		  int (*tell)(const uint8_t *key, size_t len, uint32_t count,
			      void *context),
		  void *context);

/**
 * seen_allow_list() - the keys that a filter never judges
 * @client: the connection
 * @filter: name
 * @tell: called for each key; a return other than 0 ends it
 * @context: handed to it
 *
 * A key that is on the list all the time is told once. A key that is added or deleted
 * meanwhile may be told.
 *
 * Return: 0, what @tell returned, or -errno.
 */
int seen_allow_list(struct seen_client *client, const char *filter,
		    int (*tell)(const uint8_t *key, size_t len, void *context),
		    void *context);

/* A duplicate frame. */
struct seen_dup_info {
	uint8_t smac[6];
	uint8_t dmac[6];
	bool tagged;
	uint16_t vlan;
	uint16_t ethertype;
	char port[IF_NAMESIZE];
	char first[IF_NAMESIZE];
	uint64_t age;
	uint64_t reserved[2];
};

/*
 * A port of a guard; @count has what is u64 by enum seen_a_port. @last was first on this
 * port, or a hit; @last_other was first on another port; @peer is the other port of the
 * loop that blocked it.
 */
struct seen_port_info {
	char name[IF_NAMESIZE];
	uint32_t ifindex;
	bool self;
	bool protect;
	bool suspended;
	bool gro;
	bool offloaded;
	bool blocked;
	bool has_last;
	bool has_last_other;
	uint32_t alarm;
	struct seen_dup_info last;
	struct seen_dup_info last_other;
	char peer[IF_NAMESIZE];
	uint64_t count[SEEN_PORT_ROOM];
	uint64_t reserved[8];
};

/* What probes have found; @other is "" if they came in nowhere. */
struct seen_finding_info {
	enum seen_finding_kind kind;
	char port[IF_NAMESIZE];
	char other[IF_NAMESIZE];
	uint16_t vlan;
	uint16_t into;
	uint64_t count;
	uint64_t age;
	uint64_t reserved[2];
};

/* Which guard is meant: there is one for each device and hook. */
struct seen_guard_id {
	enum seen_guard_kind kind;
	enum seen_guard_hook hook;
	char dev[IF_NAMESIZE];
	uint32_t reserved[4];
};

/* Ports that one guard may be told never to block. */
#define SEEN_PROTECT_MAX	64

/* Control groups that may be added to one guard. */
#define SEEN_EXEMPT_MAX		16

/* Group addresses that begin with the first @bits of @addr. */
struct seen_group {
	uint8_t addr[6];
	uint8_t bits;
};

/* UDP ports, ends included. */
struct seen_port_range {
	uint16_t first;
	uint16_t last;
};

/* Addresses of a @family, AF_INET or AF_INET6: @len bits of @address. */
struct seen_prefix {
	int family;
	uint8_t len;
	uint8_t address[16];
};

/* Room for the text of a range or a prefix. */
#define SEEN_CONDITION_LEN	64

struct seen_prefixes {
	uint32_t count;
	struct seen_prefix prefix[SEEN_CONDITIONS_ROOM];
};

/* seen_port_range_parse() - "53", "6000-6010" or "all"; false: none of these */
bool seen_port_range_parse(struct seen_port_range *range, const char *text);
const char *seen_port_range_text(const struct seen_port_range *range,
				 char text[SEEN_CONDITION_LEN]);

/* seen_prefix_parse() - "192.0.2.1", "10.0.0.0/8", "fe80::/10"; false: neither */
bool seen_prefix_parse(struct seen_prefix *prefix, const char *text);
const char *seen_prefix_text(const struct seen_prefix *prefix,
			     char text[SEEN_CONDITION_LEN]);

/* seen_group_parse() - "01:00:0c:cc:cc:cc", "01:80:c2:00:00:30/44"; false: neither */
bool seen_group_parse(struct seen_group *group, const char *text);
const char *seen_group_text(const struct seen_group *group,
			    char text[SEEN_CONDITION_LEN]);

/**
 * struct seen_guard_config - what a guard shall be
 * @id: where
 * @given: bit (1 << SEEN_A_GUARD_x) for each of the others that is given
 * @filter: name
 * @profile: enum seen_guard_profile
 * @match: enum seen_guard_match
 * @verdict: enum seen_guard_verdict
 * @action: enum seen_guard_action
 * @mark: for SEEN_ACTION_MARK
 * @mark_value: the mark is the value that the filter, a map, has for the packet
 * @priority: of the hook
 * @storm: duplicates within a second on a port that are one
 * @repeat: repeats a second on a port and VLAN that are a sign of a loop
 * @suspect: frames that came back within a second that are a suspicion
 * @block_first: ns, a port's first block
 * @block_max: ns, its longest
 * @no_block: never block a port
 * @no_probe: send no probes
 * @paused: seen_guard_add(): it judges nothing until it is resumed
 * @exempts: how many; given with none: the list becomes empty
 * @exempt: more control groups
 * @protects: how many; given with none: the list becomes empty
 * @protect: ports never blocked
 * @udps: how many; 0: all packets
 * @udp: only UDP to one of these ports
 * @src: only from one of these, if there are any
 * @dst: only to one of these, if there are any
 * @reserved: 0
 */
struct seen_guard_config {
	struct seen_guard_id id;
	uint64_t given;
	char filter[SEEN_NAME_ROOM];
	uint32_t profile;
	uint32_t match;
	uint32_t verdict;
	uint32_t action;
	uint32_t mark;
	bool mark_value;
	int32_t priority;
	uint32_t storm;
	uint32_t repeat;
	uint32_t suspect;
	uint64_t block_first;
	uint64_t block_max;
	bool no_block;
	bool no_probe;
	bool paused;
	uint32_t exempts;
	struct seen_group exempt[SEEN_EXEMPT_ROOM];
	uint32_t protects;
	char protect[SEEN_PROTECT_ROOM][IF_NAMESIZE];
	uint32_t udps;
	struct seen_port_range udp[SEEN_CONDITIONS_ROOM];
	struct seen_prefixes src;
	struct seen_prefixes dst;
	uint64_t reserved[16];
};

/* A guard as the kernel tells it; @id is unique in its namespace. */
struct seen_guard_info {
	struct seen_guard_config config;
	uint32_t id;
	uint32_t state;
	bool paused;
	uint32_t ifindex;
	uint64_t same;
	uint64_t other;
	size_t findings;
	struct seen_finding_info finding[SEEN_FINDINGS_ROOM];
	size_t ports;
	struct seen_port_info *port;
	uint64_t reserved[16];
};

int seen_guard_add(struct seen_client *client,
		   const struct seen_guard_config *config);
int seen_guard_set(struct seen_client *client,
		   const struct seen_guard_config *config);
int seen_guard_del(struct seen_client *client, const struct seen_guard_id *id);

/* seen_guard_pause() - pause or resume one guard, or all where @id is NULL */
int seen_guard_pause(struct seen_client *client, const struct seen_guard_id *id,
		     bool pause);

/* seen_guard_reset() - the counters of one guard, or of all where @id is NULL, begin at 0 */
int seen_guard_reset(struct seen_client *client,
		     const struct seen_guard_id *id);

/**
 * seen_guard_list() - every guard of the namespace, at one moment
 * @client: the connection
 * @list: out: for seen_guard_free()
 * @count: out: how many
 */
int seen_guard_list(struct seen_client *client, struct seen_guard_info **list,
		    size_t *count);
void seen_guard_free(struct seen_guard_info *list, size_t count);

/* An event; what was not told is 0 or "". */
struct seen_event_info {
	enum seen_cmd cmd;
	bool has_guard;
	bool has_dup;
	bool has_finding;
	struct seen_guard_id guard;
	char filter[SEEN_NAME_ROOM];
	char port[IF_NAMESIZE];
	char other[IF_NAMESIZE];
	struct seen_dup_info dup;
	struct seen_finding_info finding;
	uint64_t time;
	uint64_t count;
	uint64_t duration;
	uint64_t window;
	uint64_t promised;
	uint64_t rate;
	uint64_t peak;
	uint64_t lost;
	uint64_t reserved[16];
};

/* seen_listen() - join the events; the client serves for nothing else then */
int seen_listen(struct seen_client *client);

/* seen_listen_fd() - to poll for events */
int seen_listen_fd(const struct seen_client *client);

/**
 * seen_listen_next() - read what has come
 * @client: after seen_listen()
 * @tell: called for each event; a return other than 0 skips what is left
 * @context: handed to it
 *
 * Return: 0, what @tell returned, or -ENOBUFS: events were lost on the way.
 */
int seen_listen_next(struct seen_client *client,
		     int (*tell)(const struct seen_event_info *event,
				 void *context),
		     void *context);

#ifdef __cplusplus
}
#endif

#endif
