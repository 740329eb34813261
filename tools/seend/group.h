/* SPDX-License-Identifier: GPL-2.0 */
/* A group: its parameters, its hosts and their keys. */
#ifndef SEEND_GROUP_H
#define SEEND_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GROUP_NAME_ROOM		64
#define PEERS_MAX		16384
#define PUBLIC_KEY_LEN		32
#define SECRET_KEY_LEN		64
#define SEAL_KEY_LEN		32
#define NS_PER_SEC		1000000000ULL

/* For how long streams and hosts keep messages, in ns. */
#define KEEP_TIME		(900 * NS_PER_SEC)
/* From this age of an entry on it may have been trimmed before it was covered. */
#define TRIM_RISK		(600 * NS_PER_SEC)

/**
 * struct peer - a host of the group
 * @name: for people, and for names of filters in mode "each"
 * @key: its public key
 * @id: BLAKE2b-64 of @key
 * @number: the first half of @id, which is another one for each host of the group
 * @publishes: may send keys
 * @aggregates: may send batches to all
 * @line: of the configuration
 */
struct peer {
	char name[GROUP_NAME_ROOM];
	uint8_t key[PUBLIC_KEY_LEN];
	uint64_t id;
	uint32_t number;
	bool publishes;
	bool aggregates;
	unsigned int line;
};

/**
 * struct limits - what one host can do to the others
 * @rate: keys a second of a publisher
 * @share: keys of a publisher that may be in the group at a time, in percent of the capacity
 * @group_rate: keys a second of the whole group
 * @growth: percent that a keyframe may add to a filter at once
 * @recent: hashes that the aggregator compares, a power of two
 */
struct limits {
	uint64_t rate;
	uint64_t share;
	uint64_t group_rate;
	uint64_t growth;
	uint64_t recent;
};

/**
 * struct group - a group as this host sees it
 * @name: of the group
 * @id: BLAKE2b-64 of @name
 * @check: of key specification, window and secret of the filter, see group_check()
 * @each: one filter for each publisher; otherwise one for all
 * @deletes: deleted keys are sent, too
 * @sealed: messages are encrypted with @seal
 * @force: a keyframe may add any number of keys
 * @window: of the filter, in ns; 0: none
 * @capacity: of the filter
 * @peers: hosts, sorted by id
 * @count: elements of @peers
 * @self: place of this host in @peers
 * @roster: BLAKE2b-32 of all keys and their rights to publish
 * @secret: this host's secret key, in locked memory
 * @seal: key of the group, in locked memory, or NULL
 * @limits: see there
 */
struct group {
	char name[GROUP_NAME_ROOM];
	uint64_t id;
	uint64_t check;
	bool each;
	bool deletes;
	bool sealed;
	bool force;
	uint64_t window;
	uint64_t capacity;
	struct peer *peers;
	size_t count;
	size_t self;
	uint32_t roster;
	const uint8_t *secret;
	const uint8_t *seal;
	struct limits limits;
};

/**
 * group_complete() - compute the ids, sort the hosts, and find this host
 * @group: with name, hosts and secret; out: @self is @count if this host is not one of them
 *
 * Return: NULL; or a text: why the group cannot be used.
 */
const char *group_complete(struct group *group);

/**
 * group_check() - a number that differs for filters that cannot share keys
 * @spec: key and window as text
 * @secret: of the hash
 * @len: bytes of @secret
 */
uint64_t group_check(const char *spec, const uint8_t *secret, size_t len);

/* group_peer(), group_numbered() - the place of a host by its id, by its number; -1: none */
int group_peer(const struct group *group, uint64_t id);
int group_numbered(const struct group *group, uint32_t number);

/* group_sectioned() - do batches name the publisher of each key? */
bool group_sectioned(const struct group *group);

/* group_me() - this host */
const struct peer *group_me(const struct group *group);

#endif
