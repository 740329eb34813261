/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The holders of each key, for groups with deletes: the publishers that stored a hash and have
 * not deleted it, and whether the filter stored the key because of this group. Only then may the
 * key be deleted from the filter, because its fingerprint may otherwise be another key's.
 *
 * A bounded hash table in memory that outlives the daemon. A hash that finds no place within
 * PROBES entries is not tracked, so that it cannot be deleted.
 */
#ifndef SEEND_HOLDERS_H
#define SEEND_HOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef HOLDERS_ENTRIES
#define HOLDERS_ENTRIES	0x100000
#endif

/* Value of holder.who: the key itself, whose @count is the number of its holders. */
#define HOLDER_KEY	1
/* The publisher at place 0; those at other places follow. */
#define HOLDER_FIRST	2

/**
 * struct holder - a key, or a publisher that holds it
 * @hash: of the key
 * @when: of the publisher's last message about the key, ns of the engine's clock
 * @who: HOLDER_KEY, or HOLDER_FIRST and the place of the publisher; 0: free
 * @count: of a key: number of its holders
 * @stored: the filter stored the key because of a message of the group
 */
struct holder {
	uint64_t hash;
	uint64_t when;
	uint32_t who;
	uint32_t count : 31;
	uint32_t stored : 1;
};

/**
 * struct holders - the table; zeroed memory is an empty one
 * @used: entries that are not free
 * @entry: by hash
 */
struct holders {
	uint64_t used;
	struct holder entry[HOLDERS_ENTRIES];
};

/* holders_find() - the entry of a key or of one of its holders; NULL: none */
struct holder *holders_find(struct holders *holders, uint64_t hash, uint32_t who);

/**
 * holders_make() - find an entry, or make it
 * @holders: the table
 * @hash: of the key
 * @who: see struct holder
 * @when: of a new entry; one that is too old is kept like one of @oldest
 * @oldest: entries whose @when is before this time may be replaced
 *
 * Return: the entry; NULL: the table has no place for it.
 */
struct holder *holders_make(struct holders *holders, uint64_t hash, uint32_t who, uint64_t when,
			    uint64_t oldest);

void holders_drop(struct holders *holders, struct holder *holder);

#endif
