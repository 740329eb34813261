/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A table of the packets that passed within the window, by the hash of their key. It
 * finds the original of a copy.
 *
 * Direction of error: a full table forgets the oldest packet. A copy of a forgotten
 * packet still counts as a copy, but its original is unknown.
 */
#ifndef SEENCTL_PAIRS_H
#define SEENCTL_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct pair - a packet that passed
 * @hash: hash of its key
 * @number: number of the packet in the capture, from 1
 * @time: time of the packet in the capture, in ns
 * @clock: value of timeline.clock when the packet passed, in ns
 * @way: number of outgoing records of the packet minus the incoming records
 * @next: for the table: number plus 1 of the next older packet in the list; 0: none
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
 * struct pairs - the table: a ring of packets, and a list per hash
 * @ring: the packets in the order in which they passed
 * @list: for each hash the newest packet of its list, as its number in the ring plus 1
 * @room: slots of @ring and of @list, a power of two, or 0
 * @oldest: number of packets that were forgotten
 * @newest: number of packets that were added
 * @most: maximum number of packets
 * @keep: a packet is forgotten after more than this time, in ns
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

/* pairs_find() - last packet with this hash, or NULL; valid until the next call */
struct pair *pairs_find(struct pairs *pairs, uint64_t hash);

/* pairs_add() - add a packet that passed; false: no memory */
bool pairs_add(struct pairs *pairs, const struct pair *pair);

void pairs_free(struct pairs *pairs);

#endif
