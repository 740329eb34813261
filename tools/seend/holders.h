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

enum holder_kind { HOLDER_NONE, HOLDER_KEY, HOLDER_PUBLISHER };

/**
 * struct holder - a key, or a publisher that holds it
 * @hash: of the key
 * @when: of the last message about the key, of any publisher or of this one, ns of the engine's
 *	  clock; a publisher that is older than the window holds the key no more
 * @who: number of the publisher, see struct peer; of a key: 0, or the publisher whose filter has it
 * @kind: HOLDER_NONE: the entry is free
 * @stored: of a key: the filter stored it because of a message of the group
 * @crowded: of a key: more publishers hold it than have places
 * @fresh: of a publisher: it is in the keyframe that is being loaded
 */
struct holder {
	uint64_t hash;
	uint64_t when;
	uint32_t who;
	uint8_t kind;
	bool stored;
	bool crowded;
	bool fresh;
};

/**
 * struct holders - the table; zeroed memory is an empty one
 * @roster: of the group whose publishers hold the keys; another one: see holding_relist()
 * @restore: keys were deleted, and others that relied on their fingerprints must be added again
 * @entry: by hash
 */
struct holders {
	uint64_t roster;
	uint64_t restore;
	struct holder entry[HOLDERS_ENTRIES];
};

/* holders_find() - the entry of a key or of one of its holders; NULL: none */
struct holder *holders_find(struct holders *holders, uint64_t hash, enum holder_kind kind,
			    uint32_t who);

/* holders_hold() - does any publisher hold a key, with a message since @oldest? */
bool holders_hold(struct holders *holders, uint64_t hash, uint64_t oldest);

/**
 * holders_make() - find an entry, or make it; its time is then at least @when
 * @holders: the table
 * @hash: of the key
 * @kind: see struct holder
 * @who: see struct holder
 * @when: of the message; one that is too old is kept like one of @oldest
 * @oldest: entries whose @when is before this time may be replaced
 *
 * Return: the entry; NULL: the table has no place for it.
 */
struct holder *holders_make(struct holders *holders, uint64_t hash, enum holder_kind kind,
			    uint32_t who, uint64_t when, uint64_t oldest);

/* holders_sort() - sort copies of entries by @who; those of one number are together then */
void holders_sort(struct holder *copies, size_t count);

/* holders_count() - number of entries of a kind */
size_t holders_count(const struct holders *holders, enum holder_kind kind);

/* holders_clear() - drop all entries */
void holders_clear(struct holders *holders);

void holders_drop(struct holder *holder);

#endif
