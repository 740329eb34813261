// SPDX-License-Identifier: GPL-2.0
/* The ring of a CPU; see ring.h. */
#include "ring.h"

#define MARK_TIME	(SEEN_RING_DELETED - 1)

void seen_ring_init(struct seen_ring *ring, struct seen_ring_slot *slot, u32 count)
{
	*ring = (struct seen_ring) {
		.slot = slot,
		.mask = count - 1,
	};
}

/* Return: false: the ring is full. */
static bool ring_take(struct seen_ring *ring, u32 *at)
{
	u32 head = READ_ONCE(ring->head), now;

	for (;;) {
		/*
		 * Pairs with seen_ring_release(): the slot has no record any more. The
		 * difference is negative if this producer was interrupted since it read
		 * @head, and the records of the other one have been released.
		 */
		if ((s32)(head - smp_load_acquire(&ring->tail)) > (s32)ring->mask)
			return false;
		now = cmpxchg_local(&ring->head, head, head + 1);
		if (now == head)
			break;
		head = now;
	}
	*at = head & ring->mask;
	return true;
}

void seen_ring_put(struct seen_ring *ring, const struct seen_record *record)
{
	u32 mark = SEEN_RING_USED | (record->when >> 32 & MARK_TIME);
	struct seen_ring_slot *slot;
	u32 at;

	if (!ring_take(ring, &at)) {
		atomic64_inc(&ring->lost);
		return;
	}
	if (record->deleted)
		mark |= SEEN_RING_DELETED;
	slot = &ring->slot[at];
	WRITE_ONCE(slot->hash, record->hash);
	WRITE_ONCE(slot->low, (u32)record->when);
	/* Publishes the record; pairs with seen_ring_peek(). */
	smp_store_release(&slot->mark, mark);
}

/*
 * The consumer has released all slots before @tail, and only it changes @tail. A slot that is
 * marked was published since then, so it is not one of the last round.
 */
bool seen_ring_peek(const struct seen_ring *ring, u32 at, struct seen_record *record)
{
	const struct seen_ring_slot *slot = &ring->slot[(ring->tail + at) & ring->mask];
	u32 mark;

	if (at > ring->mask)
		return false;
	/* Pairs with seen_ring_put(). */
	mark = smp_load_acquire(&slot->mark);
	if (!mark)
		return false;
	*record = (struct seen_record) {
		.hash = READ_ONCE(slot->hash),
		.when = (u64)(mark & MARK_TIME) << 32 | READ_ONCE(slot->low),
		.deleted = mark & SEEN_RING_DELETED,
	};
	return true;
}

void seen_ring_release(struct seen_ring *ring, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		WRITE_ONCE(ring->slot[(ring->tail + i) & ring->mask].mark, 0);
	/* From here on producers use the slots; pairs with ring_take(). */
	smp_store_release(&ring->tail, ring->tail + count);
}
