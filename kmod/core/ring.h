/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring of records: hashes of keys, from the packet path of a CPU to one reader.
 *
 * Producers run on one CPU and do not migrate. A producer may interrupt another one, so
 * it takes its slot by an exchange that is atomic only on this CPU, which costs no bus
 * lock. Then it fills the slot and publishes it. Producers on several CPUs need a lock. The
 * consumer may run on another CPU. It reads records in place, and releases them later, so
 * that a reader that fails in between loses none.
 *
 * A slot that was taken but not published stops the consumer: records keep their order.
 * The producer that was interrupted publishes the slot soon.
 *
 * Direction of error: if the ring is full, a new record is lost, and is counted as lost. A
 * record that is stored is never overwritten.
 */
#ifndef SEEN_CORE_RING_H
#define SEEN_CORE_RING_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>

/* Bits of the time of a record: ns of 146 years. */
#define SEEN_RING_TIME_BITS	62

/**
 * struct seen_record - a record
 * @hash: hash of a key
 * @when: seen_now() at the record, below 2^SEEN_RING_TIME_BITS
 * @deleted: the key was deleted; otherwise it was seen
 */
struct seen_record {
	u64 hash;
	u64 when;
	bool deleted;
};

/**
 * struct seen_ring_slot - room for a record
 * @hash: hash of the key
 * @low: lower 32 bits of the time
 * @mark: 0: no record; otherwise SEEN_RING_USED, SEEN_RING_DELETED, and the higher 30 bits
 *        of the time. Written last; 32 bits, so that machines with 32 bits have an atomic
 *        access with an order
 */
struct seen_ring_slot {
	u64 hash;
	u32 low;
	u32 mark;
};

#define SEEN_RING_USED		0x80000000U
#define SEEN_RING_DELETED	0x40000000U

/**
 * struct seen_ring - the ring of a CPU
 * @slot: @mask + 1 slots
 * @lost: number of records that found the ring full; producers
 * @mask: number of slots, a power of two, less 1
 * @head: number of slots that were taken, modulo 2^32; producers
 * @tail: number of slots that were released, modulo 2^32; the consumer
 */
struct seen_ring {
	struct seen_ring_slot *slot;
	atomic64_t lost;
	u32 mask;
	u32 head;

	u32 tail __aligned(64);
};

/**
 * seen_ring_init() - make an empty ring
 * @ring: out
 * @slot: zeroed memory for @count slots
 * @count: power of two, at most 2^30
 *
 * Context: process; @ring is not yet in use.
 */
void seen_ring_init(struct seen_ring *ring, struct seen_ring_slot *slot, u32 count);

/**
 * seen_ring_put() - add a record, or count it as lost
 * @ring: of this CPU
 * @record: the record
 *
 * Context: any but hard interrupt; preemption disabled, so that all producers of @ring run
 * on one CPU, one inside the other; or a lock held.
 */
void seen_ring_put(struct seen_ring *ring, const struct seen_record *record);

/**
 * seen_ring_peek() - read a record that was not released
 * @ring: of any CPU
 * @at: number of records before it, since the last released one
 * @record: out
 *
 * Context: any; one consumer at a time.
 * Return: false: there are no more than @at records, or a record is not published yet.
 */
bool seen_ring_peek(const struct seen_ring *ring, u32 at, struct seen_record *record);

/**
 * seen_ring_release() - remove the oldest records
 * @ring: of any CPU
 * @count: number of records; seen_ring_peek() has returned each of them
 *
 * Context: any; one consumer at a time.
 */
void seen_ring_release(struct seen_ring *ring, u32 count);

/* seen_ring_pending() - number of records that were not released; any context */
static inline u32 seen_ring_pending(const struct seen_ring *ring)
{
	return READ_ONCE(ring->head) - READ_ONCE(ring->tail);
}

/* seen_ring_lost() - number of records that were lost since the ring was made */
static inline u64 seen_ring_lost(const struct seen_ring *ring)
{
	return atomic64_read(&ring->lost);
}

#endif
