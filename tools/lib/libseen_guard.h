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

/* Elements that fit a structure. */
#define SEEN_PORT_ROOM		96
#define SEEN_CONDITIONS_ROOM	32
#define SEEN_EXEMPT_ROOM	32
#define SEEN_PROTECT_ROOM	128
#define SEEN_FINDINGS_ROOM	8

/**
 * struct seen_dup_info - a duplicate frame
 * @smac: source MAC address
 * @dmac: destination MAC address
 * @tagged: it has a VLAN tag
 * @vlan: of that tag
 * @ethertype: inside all tags, host order
 * @port: where it came back
 * @first: where it came first; "": the filter cannot say
 * @age: ns since then
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
 * @self: what the bridge itself sends
 * @protect: it is never blocked
 * @suspended: it would meet its packets twice, and rests
 * @gro: GRO is on; merged packets are skipped
 * @offloaded: it forwards in hardware, past the guard
 * @blocked: it is blocked now
 * @has_last: @last is reported
 * @has_last_other: @last_other is reported
 * @alarm: enum seen_alarm
 * @last: the last duplicate that was first on this port, or the last hit
 * @last_other: the last duplicate that was first on another port
 * @peer: the other port of the loop that blocked it
 * @count: what is u64, by enum seen_a_port; 0: the kernel does not report it
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

/* The ports of a guard; seen_ports_at() reads one. */
struct seen_ports;

/**
 * seen_ports_count() - how many ports a guard has
 * @ports: of struct seen_guard_info, or NULL: it has none
 *
 * Context: any thread.
 * Return: the number of ports.
 */
size_t seen_ports_count(const struct seen_ports *ports);

/**
 * seen_ports_at() - a port of a guard
 * @ports: of struct seen_guard_info, or NULL
 * @index: of the port, from 0
 *
 * Context: any thread.
 * Return: the port, valid as long as the guard's list; NULL: there are fewer ports.
 */
const struct seen_port_info *seen_ports_at(const struct seen_ports *ports,
					   size_t index);

/**
 * struct seen_finding_info - what probes have found
 * @kind: enum seen_finding_kind
 * @port: the port that they left by
 * @other: the port that they came in by; "": none
 * @vlan: that they left in
 * @into: that they came in, of a leak
 * @count: how often that was found
 * @age: ns since the last time
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
	uint64_t reserved[2];
};

/**
 * struct seen_guard_id - which guard is meant: there is one for each device and hook
 * @kind: of a device, or of the ports of a bridge
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
 * @bits: 8 to 48: addresses that begin with so many bits of @addr; 0: none
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
 * @len: bits of @address that count
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

/* Room for the text of a range, a prefix or a group. */
#define SEEN_CONDITION_LEN	64

/**
 * seen_port_range_parse() - read UDP ports
 * @range: out
 * @text: "53", "6000-6010" or "all"
 *
 * Context: any thread.
 * Return: true; false: @text is none of these.
 */
bool seen_port_range_parse(struct seen_port_range *range, const char *text);

/**
 * seen_port_range_text() - write UDP ports as seen_port_range_parse() reads them
 * @range: the ports
 * @text: out
 *
 * Context: any thread.
 * Return: @text.
 */
const char *seen_port_range_text(const struct seen_port_range *range,
				 char text[SEEN_CONDITION_LEN]);

/**
 * seen_prefix_parse() - read IP addresses
 * @prefix: out
 * @text: "192.0.2.1", "10.0.0.0/8" or "fe80::/10"
 *
 * Context: any thread.
 * Return: true; false: @text is none of these.
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
 * Return: true; false: @text is none of these.
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
 * struct seen_guard_config - the configuration of a guard
 * @id: device and hook
 * @given: bit (1 << SEEN_A_GUARD_x) for each member that is given, of those that need one:
 *         @match, @verdict, @action, @mark, @priority, @storm, @repeat, @suspect,
 *         @block_first, @block_max, @no_probe, and empty lists of @exempt and @protect
 * @filter: name; "": @profile makes one
 * @profile: enum seen_guard_profile
 * @match: enum seen_match
 * @verdict: enum seen_verdict
 * @action: enum seen_action
 * @mark: for SEEN_ACTION_MARK
 * @mark_value: the mark is the value that the filter, a map, has for the packet
 * @priority: of the netfilter hook
 * @storm: duplicates within a second on a port that are a storm
 * @repeat: repeats a second on a port and VLAN that are a sign of a loop
 * @suspect: frames that came back within a second that are a suspicion of a loop
 * @block_first: ns, the first block of a port
 * @block_max: ns, the longest block of a port
 * @no_block: action drop of a bridge guard of profile loop
 * @no_probe: send no probes
 * @paused: seen_guard_add(), seen_guard_replace(): it judges nothing until it is resumed;
 *          seen_guard_set() refuses it, see seen_guard_pause()
 * @exempts: elements of @exempt; given with none, to seen_guard_set(): the list becomes empty
 * @exempt: more control groups
 * @protects: elements of @protect; given with none, to seen_guard_set(): the list becomes
 *            empty
 * @protect: names of ports that are never blocked
 * @udps: elements of @udp; 0: all packets
 * @udp: only UDP to one of these ports
 * @src: only from one of these addresses, if there are any
 * @dst: only to one of these addresses, if there are any
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

/**
 * struct seen_guard_info - a guard as the kernel reports it
 * @config: its configuration
 * @id: unique in the namespace, ascending
 * @filter_id: the id of @config.filter
 * @state: enum seen_guard_state
 * @paused: it judges nothing
 * @ifindex: of the device; 0: there is none
 * @same: ns in which a copy is a duplicate on its own port
 * @other: ns in which a copy is a duplicate on another port
 * @findings: elements of @finding
 * @finding: what probes have found last
 * @ports: the ports of the device or bridge, for seen_ports_at(); NULL: none
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
 * The guard waits for a device that is not there.
 *
 * Context: one thread a client.
 * Return: 0; -EEXIST: there is a guard on this device and hook; -EBUSY: another guard would
 * judge the same packets; another negative errno of libseen.h.
 */
int seen_guard_add(struct seen_client *client,
		   const struct seen_guard_config *config);

/**
 * seen_guard_replace() - put a guard on a device or a bridge, in the place of another one
 * @client: the connection
 * @config: the guard
 *
 * Without a guard on this device and hook it is seen_guard_add(). What is not given gets the
 * value that seen_guard_add() gives it. A guard that differs only in what seen_guard_set()
 * changes keeps its id, counters and blocks. Otherwise a new guard, with a new id, takes its
 * place at one moment: each packet of a device is judged by one of the two. A frame that is
 * on its way through a bridge passes, and counts as unrecorded. With another priority, packets
 * of a device may pass unjudged for some milliseconds. A filter that a profile made stays, with
 * its allow list, if the profile stays; @config may name it.
 *
 * Context: one thread a client.
 * Return: 0; -EBUSY: another guard would judge the same packets, or the allow list of the old
 * guard's own filter would be lost; another negative errno of libseen.h. On an error the old
 * guard is as it was.
 */
int seen_guard_replace(struct seen_client *client,
		       const struct seen_guard_config *config);

/**
 * seen_guard_set() - change a guard; effective with the next packet
 * @client: the connection
 * @config: its id, and the members that change
 *
 * Context: one thread a client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_guard_set(struct seen_client *client,
		   const struct seen_guard_config *config);

/**
 * seen_guard_del() - take a guard away, and the filter that it made
 * @client: the connection
 * @id: device and hook
 *
 * Context: one thread a client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_guard_del(struct seen_client *client, const struct seen_guard_id *id);

/**
 * seen_guard_pause() - pause or resume guards; a paused guard lets every packet pass
 * @client: the connection
 * @id: device and hook; NULL: every guard of the namespace
 * @pause: true: pause; false: resume
 *
 * Context: one thread a client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_guard_pause(struct seen_client *client, const struct seen_guard_id *id,
		     bool pause);

/**
 * seen_guard_reset() - set the counters of guards to 0
 * @client: the connection
 * @id: device and hook; NULL: every guard of the namespace
 *
 * Context: one thread a client.
 * Return: 0, or a negative errno of libseen.h.
 */
int seen_guard_reset(struct seen_client *client,
		     const struct seen_guard_id *id);

/* Guards with their ports; seen_guards_at() reads one. */
struct seen_guards;

/**
 * seen_guard_list() - read every guard of the namespace, and its ports
 * @client: the connection
 * @list: out: for seen_guards_free(); NULL: the call failed
 *
 * libseen sends two requests: for all guards, and then for all ports. No guard or port is
 * added or removed during one of them. Between them a port may be: the list has the ports of
 * the second request. Each guard and each port is as it was when the kernel reached it:
 * meanwhile counters go on, and guards may be changed.
 *
 * Context: one thread a client.
 * Return: 0; -EAGAIN: guards or ports came and went faster than they could be listed;
 * another negative errno of libseen.h.
 */
int seen_guard_list(struct seen_client *client, struct seen_guards **list);

/**
 * seen_guards_count() - how many guards a list has
 * @list: the list, or NULL: it has none
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
 * seen_guards_free() - free a list of seen_guard_list(), and the ports of its guards
 * @list: the list, or NULL
 *
 * Context: any thread.
 */
void seen_guards_free(struct seen_guards *list);

#ifdef __cplusplus
}
#endif

#endif
