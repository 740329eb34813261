/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libseen: guards of the kernel. libseen.h states units, errors and threads.
 */
#ifndef LIBSEEN_GUARD_H
#define LIBSEEN_GUARD_H

#include "libseen_client.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most elements in a structure. */
#define SEEN_PORT_ROOM		96
#define SEEN_CONDITIONS_ROOM	32
#define SEEN_EXEMPT_ROOM	32
#define SEEN_PROTECT_ROOM	128
#define SEEN_FINDINGS_ROOM	8
#define SEEN_TRAIL_PORTS_ROOM	128

/**
 * struct seen_dup_info - a duplicate frame
 * @smac: source MAC address
 * @dmac: destination MAC address
 * @tagged: the frame has a VLAN tag
 * @vlan: VLAN of that tag
 * @ethertype: inside all tags, host order
 * @port: the port on which the duplicate arrived
 * @first: the port on which the first copy arrived; "": unknown
 * @age: ns since the kernel noted this duplicate
 * @reserved: 0
 */
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

/**
 * struct seen_port_info - a port of a guard
 * @name: of the device
 * @ifindex: of the device
 * @self: the port stands for frames that the bridge itself sends
 * @protect: it is never blocked
 * @suspended: it judges nothing, because it would judge the same packets a second time
 * @gro: GRO is on; merged packets are skipped
 * @offloaded: it forwards in hardware, which bypasses the guard
 * @blocked: it is blocked now
 * @has_last: @last is reported
 * @has_last_other: @last_other is reported
 * @alarm: enum seen_alarm
 * @last: the last duplicate that was first seen on this port; with verdict listed or heavy, the
 *        last hit
 * @last_other: the last duplicate that was first seen on another port
 * @peer: the other port of the loop for which this port is blocked
 * @count: the counters of the port, indexed by enum seen_a_port; 0 also if the kernel does not
 *         report the counter
 * @reserved: 0
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

/* The ports of a guard; seen_ports_at() reads each. */
struct seen_ports;

/**
 * seen_ports_count() - number of ports of a guard
 * @ports: from struct seen_guard_info, or NULL: no ports
 *
 * Context: any thread.
 * Return: the number of ports.
 */
size_t seen_ports_count(const struct seen_ports *ports);

/**
 * seen_ports_at() - a port of a guard
 * @ports: from struct seen_guard_info, or NULL
 * @index: of the port, from 0
 *
 * Context: any thread.
 * Return: the port, valid as long as the guard's list; NULL: there are fewer ports.
 */
const struct seen_port_info *seen_ports_at(const struct seen_ports *ports,
					   size_t index);

/**
 * struct seen_finding_info - the result of a guard's probes, or of a frame's trail
 * @kind: enum seen_finding_kind
 * @port: the port that sent the probes, or received the frame
 * @other: the port that received them; "": none
 * @vlan: VLAN in which the probes were sent
 * @into: for a leak: the VLAN in which the probes arrived
 * @count: how often this was found
 * @age: ns since it was last found
 * @nodes: for a trail: nodes of the loop, and of the way to it
 * @reserved: 0
 */
struct seen_finding_info {
	enum seen_finding_kind kind;
	char port[IF_NAMESIZE];
	char other[IF_NAMESIZE];
	uint16_t vlan;
	uint16_t into;
	uint64_t count;
	uint64_t age;
	uint64_t nodes;
	uint64_t reserved[1];
};

/**
 * struct seen_guard_id - identifies a guard: each device and hook has at most one
 * @kind: guard of a device, or of the ports of a bridge
 * @hook: ingress or egress
 * @dev: name of the device or the bridge
 * @reserved: 0
 */
struct seen_guard_id {
	enum seen_guard_kind kind;
	enum seen_hook hook;
	char dev[IF_NAMESIZE];
	uint32_t reserved[4];
};

/**
 * struct seen_group - group addresses
 * @addr: an address
 * @bits: 8 to 48: the group is all addresses that begin with these bits of @addr; 0: no group
 */
struct seen_group {
	uint8_t addr[6];
	uint8_t bits;
};

/**
 * struct seen_port_range - UDP ports
 * @first: the lowest, in host order
 * @last: the highest
 */
struct seen_port_range {
	uint16_t first;
	uint16_t last;
};

/**
 * struct seen_prefix - IP addresses
 * @family: AF_INET or AF_INET6
 * @len: prefix length in bits
 * @address: 4 or 16 bytes in network order
 */
struct seen_prefix {
	int family;
	uint8_t len;
	uint8_t address[16];
};

/**
 * struct seen_prefixes - a list of IP addresses
 * @count: elements of @prefix that are used
 * @prefix: the addresses
 */
struct seen_prefixes {
	uint32_t count;
	struct seen_prefix prefix[SEEN_CONDITIONS_ROOM];
};

/* Bytes for the text of a range, a prefix or a group, with its NUL. */
#define SEEN_CONDITION_LEN	64

/**
 * seen_port_range_parse() - read UDP ports
 * @range: out
 * @text: "53", "6000-6010" or "all"
 *
 * Context: any thread.
 * Return: true; false: @text is not valid.
 */
bool seen_port_range_parse(struct seen_port_range *range, const char *text);

/**
 * seen_port_range_text() - write UDP ports as seen_port_range_parse() reads them
 * @range: the ports
 * @text: out
 *
 * Context: any thread.
 * Return: @text, or the constant "all".
 */
const char *seen_port_range_text(const struct seen_port_range *range,
				 char text[SEEN_CONDITION_LEN]);

/**
 * seen_prefix_parse() - read IP addresses
 * @prefix: out
 * @text: "192.0.2.1", "10.0.0.0/8" or "fe80::/10"
 *
 * Context: any thread.
 * Return: true; false: @text is not valid.
 */
bool seen_prefix_parse(struct seen_prefix *prefix, const char *text);

/**
 * seen_prefix_text() - write IP addresses as seen_prefix_parse() reads them
 * @prefix: the addresses
 * @text: out
 *
 * Context: any thread.
 * Return: @text.
 */
const char *seen_prefix_text(const struct seen_prefix *prefix,
			     char text[SEEN_CONDITION_LEN]);

/**
 * seen_group_parse() - read group addresses
 * @group: out
 * @text: "01:00:0c:cc:cc:cc" or "01:80:c2:00:00:30/44"
 *
 * Context: any thread.
 * Return: true; false: @text is not valid.
 */
bool seen_group_parse(struct seen_group *group, const char *text);

/**
 * seen_group_text() - write group addresses as seen_group_parse() reads them
 * @group: the addresses
 * @text: out
 *
 * Context: any thread.
 * Return: @text.
 */
const char *seen_group_text(const struct seen_group *group,
			    char text[SEEN_CONDITION_LEN]);

/**
 * struct seen_trail_port - the part of a port in trails
 * @name: of the device
 * @segment: number of its segment; 0: it is an edge, which trails do not cross
 */
struct seen_trail_port {
	char name[IF_NAMESIZE];
	uint32_t segment;
};

/**
 * struct seen_trail_config - the trails of a guard's frames, filters that travel in them
 * @mode: enum seen_trail_mode; 0: frames get no trail, and the other members are ignored
 * @bits: 128 or 256; 0: 128
 * @most: most bytes behind the Ethernet header of a frame with a trail; 0: 1400
 * @has_node: @node is given; otherwise the kernel draws one
 * @auth: trails are signed with the secret of the filter; others are payload
 * @node: number of the guard in trails
 * @ports: elements of @port
 * @port: ports that are edges or belong to a segment
 * @reserved: 0
 */
struct seen_trail_config {
	uint32_t mode;
	uint32_t bits;
	uint32_t most;
	bool has_node;
	bool auth;
	uint64_t node;
	uint32_t ports;
	struct seen_trail_port port[SEEN_TRAIL_PORTS_ROOM];
	uint32_t reserved[7];
};

/**
 * struct seen_guard_config - the configuration of a guard
 * @id: device and hook
 * @given: bit (1 << SEEN_A_GUARD_x) for each of these members that is given: @match,
 *         @verdict, @action, @mark, @priority, @storm, @repeat, @suspect, @block_first,
 *         @block_max, @no_probe; also for @exempt and @protect, to empty the list
 * @filter: name; "": @profile creates a filter for this guard
 * @profile: enum seen_guard_profile
 * @match: enum seen_match
 * @verdict: enum seen_verdict
 * @action: enum seen_action
 * @mark: for SEEN_ACTION_MARK
 * @mark_value: the filter is a map, and a packet's mark is the value of its key there
 * @priority: of the netfilter hook
 * @storm: this many duplicates a second, or more, on one port are a storm
 * @repeat: more than this many repeats a second on a port and VLAN are a sign of a loop
 * @suspect: the guard suspects a loop if this many frames return within a second
 * @block_first: ns, the first block of a port
 * @block_max: ns, the longest block of a port
 * @no_block: for action drop of a bridge guard with profile loop: do not block ports
 * @no_probe: send no probes
 * @paused: seen_guard_add(), seen_guard_replace(): the guard judges nothing until it is
 *          resumed; seen_guard_set() refuses this member, use seen_guard_pause()
 * @exempts: elements of @exempt; if 0 and @given has the bit of @exempt, seen_guard_set() empties
 *           the list
 * @exempt: groups of control frames, in addition to the built-in ones
 * @protects: elements of @protect; if 0 and @given has the bit of @protect, seen_guard_set()
 *            empties the list
 * @protect: names of ports that are never blocked
 * @udps: elements of @udp; 0: judge packets of any protocol and port
 * @udp: judge only UDP packets to one of these destination ports
 * @src: judge only packets from one of these addresses; empty: from any
 * @dst: judge only packets to one of these addresses; empty: to any
 * @trail: trails of its frames; only a bridge guard of profile loop can have them, and
 *         seen_guard_set() cannot change them
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
	struct seen_trail_config trail;
	uint64_t reserved[16];
};

/**
 * struct seen_guard_info - a guard as the kernel reports it
 * @config: its configuration
 * @id: unique in the namespace, ascending
 * @filter_id: id of the filter @config.filter
 * @state: enum seen_guard_state
 * @paused: it judges nothing
 * @ifindex: of the device; 0: the device does not exist
 * @same: ns after a frame in which a copy on the same port is a duplicate
 * @other: ns after a frame in which a copy on another port is a duplicate
 * @findings: elements of @finding
 * @finding: the last results of probes
 * @ports: the ports of the device or bridge, to be read by seen_ports_at(); NULL: no ports
 * @reserved: 0
 */
struct seen_guard_info {
	struct seen_guard_config config;
	uint32_t id;
	uint32_t filter_id;
	uint32_t state;
	bool paused;
	uint32_t ifindex;
	uint64_t same;
	uint64_t other;
	size_t findings;
	struct seen_finding_info finding[SEEN_FINDINGS_ROOM];
	const struct seen_ports *ports;
	uint64_t reserved[16];
};

/**
 * seen_guard_add() - put a guard on a device or a bridge
 * @client: the connection
 * @config: the guard
 *
 * If the device does not exist, the guard waits for it.
 *
 * Context: one thread at a time for each client.
 * Return: 0; -EEXIST: this device and hook already have a guard; -EBUSY: another guard would
 * judge the same packets; another negative errno of libseen.h.
 */
int seen_guard_add(struct seen_client *client,
		   const struct seen_guard_config *config);

/**
 * seen_guard_replace() - add a guard, or replace the one on the same device and hook
 * @client: the connection
 * @config: the guard
 *
 * Without a guard on this device and hook, works as seen_guard_add(). A member that is not
 * given gets the default of seen_guard_add().
 *
 * If only members differ that seen_guard_set() can change, the guard keeps its id, counters and
 * blocks. Otherwise a new guard with a new id replaces the old one atomically: each packet of a
 * device is judged by exactly one of the two. There are two exceptions. A frame that a bridge
 * is forwarding at that moment passes and counts as unrecorded. If the priority changes,
 * packets of a device may pass unjudged for some milliseconds.
 *
 * A filter that a profile created stays, with its allow list, if the profile stays; @config
 * may name it.
 *
 * Context: one thread at a time for each client.
 * Return: 0; -EBUSY: another guard would judge the same packets, or the allow list of the old
 * guard's own filter would be lost; another negative errno of libseen.h. After an error the
 * old guard is unchanged.
 */
int seen_guard_replace(struct seen_client *client,
		       const struct seen_guard_config *config);

/**
 * seen_guard_set() - change a guard, effective with the next packet
 * @client: the connection
 * @config: the guard's id, and the members to change
 *
 * Context: one thread at a time for each client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_guard_set(struct seen_client *client,
		   const struct seen_guard_config *config);

/**
 * seen_guard_del() - delete a guard, and the filter that its profile created
 * @client: the connection
 * @id: device and hook
 *
 * Context: one thread at a time for each client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_guard_del(struct seen_client *client, const struct seen_guard_id *id);

/**
 * seen_guard_pause() - pause or resume guards; a paused guard lets every packet pass
 * @client: the connection
 * @id: device and hook; NULL: every guard of the namespace
 * @pause: true: pause; false: resume
 *
 * Context: one thread at a time for each client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_guard_pause(struct seen_client *client, const struct seen_guard_id *id,
		     bool pause);

/**
 * seen_guard_reset() - set the counters of guards to 0
 * @client: the connection
 * @id: device and hook; NULL: every guard of the namespace
 *
 * Context: one thread at a time for each client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_guard_reset(struct seen_client *client,
		     const struct seen_guard_id *id);

/* A list of guards with their ports; seen_guards_at() reads its elements. */
struct seen_guards;

/**
 * seen_guard_list() - read every guard of the namespace, with its ports
 * @client: the connection
 * @list: out: the list; free it with seen_guards_free(); NULL: the call failed
 *
 * libseen sends two requests: one for all guards, then one for all ports. Each answer is
 * consistent: no guard or port is added or removed while it is read. Ports may change between
 * the two requests; the list has the ports of the second one. Each guard and each port is
 * reported as it was when the kernel reached it; counters and settings may have changed since.
 *
 * Context: one thread at a time for each client.
 * Return: 0; -EAGAIN: guards or ports were added or removed during every try; another negative
 * errno of libseen.h.
 */
int seen_guard_list(struct seen_client *client, struct seen_guards **list);

/**
 * seen_guards_count() - number of guards in a list
 * @list: the list, or NULL, which counts as empty
 *
 * Context: any thread.
 * Return: the number of guards.
 */
size_t seen_guards_count(const struct seen_guards *list);

/**
 * seen_guards_at() - a guard of a list
 * @list: the list, or NULL
 * @index: of the guard, from 0
 *
 * Context: any thread.
 * Return: the guard, valid until seen_guards_free(); NULL: the list is shorter.
 */
const struct seen_guard_info *seen_guards_at(const struct seen_guards *list,
					     size_t index);

/**
 * seen_guards_free() - free a list from seen_guard_list(), and the ports of its guards
 * @list: the list, or NULL
 *
 * Context: any thread.
 */
void seen_guards_free(struct seen_guards *list);

#ifdef __cplusplus
}
#endif

#endif
