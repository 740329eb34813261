/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The packets that passed within the window, by the hash of their key: which one a copy
 * is a copy of.
 *
 * Direction of error: beyond its room the table forgets the oldest packet. A copy of a
 * forgotten packet is a copy still, but of an unknown packet.
 */
#ifndef SEENCTL_PAIRS_H
#define SEENCTL_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct pair - a packet that passed
 * @hash: of its key
 * @number: of the packet, from 1
 * @time: ns, of the packet
 * @clock: ns, when it passed
 * @way: outgoing records of the packet, less the incoming ones
 * @next: inside of the table
 */
struct pair {
	uint64_t hash;
	uint64_t number;
	uint64_t time;
	uint64_t clock;
	int64_t way;
	uint64_t next;
};

/**
 * struct pairs - a table of them: a ring, and lists of equal hashes
 * @ring: in the order in which they passed
 * @list: where the list of a hash begins
 * @room: of both, a power of two, or 0
 * @oldest: the number of packets that were forgotten
 * @newest: the number of packets that passed
 * @most: packets that it holds at most
 * @keep: ns that it holds a packet at least, while there is room
 */
struct pairs {
	struct pair *ring;
	uint64_t *list;
	size_t room;
	uint64_t oldest;
	uint64_t newest;
	uint64_t most;
	uint64_t keep;
};

/* pairs_find() - the last packet of such a key, or NULL; valid until the next call */
struct pair *pairs_find(struct pairs *pairs, uint64_t hash);

/* pairs_add() - a packet has passed; false: no memory */
bool pairs_add(struct pairs *pairs, const struct pair *pair);

void pairs_free(struct pairs *pairs);

#endif
