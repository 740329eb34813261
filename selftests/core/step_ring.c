// SPDX-License-Identifier: GPL-2.0
/*
 * The ring of records, in every interleaving. One of two producers may interrupt the other one
 * anywhere. The consumer runs on another CPU.
 */
#include <string.h>

#include "interleave.h"
#include "ring.h"

/* Records: two that are in the ring at first, and those of the producers. */
enum { FIRST, SECOND_ONE, A, B, C, RECORDS };
enum { SLOTS = 2 };

static struct seen_ring ring;
static struct seen_ring_slot slots[SLOTS];

/* The records that the consumer got, in order. */
static struct {
	u32 count;
	u32 record[8];
	u32 wrong;
} got;

static struct seen_record record_of(u64 n)
{
	return (struct seen_record) {
		.hash = 0x1111111111111111ULL * (n + 1),
		.when = (n + 1) << 32 | (n + 1),
		.deleted = n % 2,
	};
}

static void put(u64 n)
{
	struct seen_record record = record_of(n);

	seen_ring_put(&ring, &record);
}

static void put_a(void)
{
	put(A);
}

static void put_b(void)
{
	put(B);
}

static void put_b_and_c(void)
{
	put(B);
	put(C);
}

/* Which record is this? RECORDS: none that was put whole. */
static u32 name_of(const struct seen_record *record)
{
	struct seen_record due;
	u32 n;

	for (n = 0; n < RECORDS; n++) {
		due = record_of(n);
		if (record->hash == due.hash && record->when == due.when &&
		    record->deleted == due.deleted)
			break;
	}
	return n;
}

/* Read all that there is, then release it. */
static void consume(void)
{
	struct seen_record record;
	u32 count = 0;

	while (seen_ring_peek(&ring, count, &record)) {
		got.record[got.count++] = name_of(&record);
		count++;
	}
	seen_ring_release(&ring, count);
}

static void consume_twice(void)
{
	consume();
	consume();
}

/* The first answer does not reach the reader. */
static void consume_again(void)
{
	struct seen_record record;
	u32 first = RECORDS;

	if (seen_ring_peek(&ring, 0, &record))
		first = name_of(&record);
	consume();
	got.wrong += first != RECORDS && got.record[0] != first;
}

/* How often was the record read? */
static u32 times(u32 n)
{
	u32 i, sum = 0;

	for (i = 0; i < got.count; i++)
		sum += got.record[i] == n;
	return sum;
}

/* All of @from to @to were put; what was not lost was read once, in whole. */
static void expect_all(u32 from, u32 to)
{
	u32 n, read = 0;

	ends++;
	consume();

	for (n = 0; n < RECORDS; n++) {
		expect(times(n) <= 1);
		read += times(n);
	}
	expect(got.count == read && !got.wrong);
	expect(read + seen_ring_lost(&ring) == to - from);
	expect(!seen_ring_pending(&ring));
}

static void after_empty(void)
{
	expect_all(A, C);
	expect(!seen_ring_lost(&ring));
}

/* One of them finds the ring full, unless the consumer was before it. */
static void after_one(void)
{
	expect_all(SECOND_ONE, C);
	expect(got.record[0] == SECOND_ONE && seen_ring_lost(&ring) <= 1);
}

static void after_full(void)
{
	expect_all(FIRST, C);
	expect(got.record[0] == FIRST && got.record[1] == SECOND_ONE);
}

static void after_three(void)
{
	expect_all(A, RECORDS);
	expect(seen_ring_lost(&ring) <= 1);
	expect(!times(C) || times(B));
}

static void prepare(u32 from, u32 to, u32 at)
{
	memset(slots, 0, sizeof(slots));
	memset(&got, 0, sizeof(got));
	seen_ring_init(&ring, slots, SLOTS);
	ring.head = at;
	ring.tail = at;
	for (; from < to; from++)
		put(from);
	unshare();
	share(&ring, sizeof(ring));
	share(slots, sizeof(slots));
	share(&got, sizeof(got));
}

int main(void)
{
	test_begin(7);
	prepare(0, 0, 0);
	play("two records, the reader",
	     (void (*[])(void)) { put_a, put_b, consume, NULL }, after_empty);

	prepare(0, 0, U32_MAX);
	play("the same where the counters wrap",
	     (void (*[])(void)) { put_a, put_b, consume, NULL }, after_empty);

	prepare(0, 0, 0);
	play("two records, and an answer that is lost",
	     (void (*[])(void)) { put_a, put_b, consume_again, NULL }, after_empty);

	prepare(SECOND_ONE, A, 1);
	play("two records, room for one, the reader",
	     (void (*[])(void)) { put_a, put_b, consume, NULL }, after_one);

	prepare(FIRST, A, 0);
	play("two records and a full ring, the reader",
	     (void (*[])(void)) { put_a, put_b, consume, NULL }, after_full);

	prepare(FIRST, A, U32_MAX - 1);
	play("the same, the reader twice",
	     (void (*[])(void)) { put_a, put_b, consume_twice, NULL }, after_full);

	prepare(0, 0, 0);
	play("three records, room for two, the reader twice",
	     (void (*[])(void)) { put_a, put_b_and_c, consume_twice, NULL }, after_three);
	return test_end();
}
