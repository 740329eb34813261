// SPDX-License-Identifier: GPL-2.0
/*
 * The ring of records: order, contents, loss of records that find no room, records that are
 * read twice because they were not released, counters that wrap.
 */
#include "ring.h"
#include "test.h"

enum { SLOTS = 8 };

static struct seen_ring_slot slots[SLOTS];
static struct seen_ring ring;

/* The counters of both sides begin at @at. */
static void begin(u32 at)
{
	u32 i;

	for (i = 0; i < SLOTS; i++)
		slots[i] = (struct seen_ring_slot) {};
	seen_ring_init(&ring, slots, SLOTS);
	ring.head = at;
	ring.tail = at;
}

static struct seen_record record_of(u64 n)
{
	return (struct seen_record) {
		.hash = hash_of(1, n),
		.when = hash_of(2, n) >> (64 - SEEN_RING_TIME_BITS),
		.deleted = hash_of(3, n) & 1,
	};
}

static void put(u64 from, u64 to)
{
	struct seen_record record;

	for (; from < to; from++) {
		record = record_of(from);
		seen_ring_put(&ring, &record);
	}
}

static bool same(const struct seen_record *a, const struct seen_record *b)
{
	return a->hash == b->hash && a->when == b->when && a->deleted == b->deleted;
}

/* Are these the records that can be read, and no more? */
static bool holds(u64 from, u64 to)
{
	struct seen_record record, due;
	u32 at;

	for (at = 0; from < to; at++, from++) {
		due = record_of(from);
		if (!seen_ring_peek(&ring, at, &record) || !same(&record, &due))
			return false;
	}
	return !seen_ring_peek(&ring, at, &record) && seen_ring_pending(&ring) == at;
}

static void test_order(u32 at)
{
	u64 n = 0;
	bool good;
	int i;

	begin(at);
	good = holds(0, 0);
	for (i = 0; i < 1000; i++, n += 5) {
		put(n, n + 5);
		good &= holds(n, n + 5);
		/* Read again: nothing was released. */
		good &= holds(n, n + 5);
		seen_ring_release(&ring, 2);
		good &= holds(n + 2, n + 5);
		seen_ring_release(&ring, 3);
		good &= holds(0, 0);
	}
	ok(good && !seen_ring_lost(&ring), "records in order, from counter %u", at);
}

static void test_full(u32 at)
{
	bool good;

	begin(at);
	put(0, SLOTS);
	good = holds(0, SLOTS) && !seen_ring_lost(&ring);
	put(100, 103);
	good &= holds(0, SLOTS) && seen_ring_lost(&ring) == 3;
	seen_ring_release(&ring, 1);
	put(SLOTS, SLOTS + 2);
	good &= holds(1, SLOTS + 1) && seen_ring_lost(&ring) == 4;
	seen_ring_release(&ring, SLOTS);
	good &= holds(0, 0);
	put(7, 9);
	good &= holds(7, 9) && seen_ring_lost(&ring) == 4;
	ok(good, "a full ring keeps its records and counts others, from counter %u", at);
}

/* The oldest record was taken by a producer that was interrupted. */
static void test_gap(void)
{
	struct seen_record record = record_of(0), read;
	bool good;

	begin(0);
	ring.head = 1;
	put(1, 3);
	good = !seen_ring_peek(&ring, 0, &read) && seen_ring_pending(&ring) == 3;
	ring.head = 0;
	seen_ring_put(&ring, &record);
	ring.head = 3;
	ok(good && holds(0, 3), "a record that is not published stops the reader");
}

static void test_times(void)
{
	static const u64 times[] = {
		0, 1, U32_MAX, 1ULL << 32, (1ULL << SEEN_RING_TIME_BITS) - 1,
	};
	struct seen_record record, read;
	bool good = true;
	u32 i;

	begin(0);
	for (i = 0; i < 2 * ARRAY_SIZE(times); i++) {
		record = (struct seen_record) { 0, times[i / 2], i % 2 };
		seen_ring_put(&ring, &record);
		good &= seen_ring_peek(&ring, 0, &read) && same(&record, &read);
		seen_ring_release(&ring, 1);
	}
	ok(good, "hash 0, and the first and last times");
}

int main(void)
{
	static const u32 at[] = { 0, 3, U32_MAX - 2 };
	u32 i;

	test_begin(2 * ARRAY_SIZE(at) + 2);
	for (i = 0; i < ARRAY_SIZE(at); i++) {
		test_order(at[i]);
		test_full(at[i]);
	}
	test_gap();
	test_times();
	return test_end();
}
