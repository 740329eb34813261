// SPDX-License-Identifier: GPL-2.0
/*
 * The ring of records, with threads: more than the kernel asks of it, since its producers
 * are never on two CPUs. Records are whole and in the order of their producer, none comes
 * twice, and each is either read or counted as lost.
 */
#include <string.h>

#include "ring.h"
#include "test.h"

enum { SLOTS = 64, PRODUCERS = 3, THREADS = PRODUCERS + 1 };

struct work {
	struct seen_ring ring;
	struct seen_ring_slot slots[SLOTS];
	u64 records;			/* of each producer */
	u64 done;			/* producers that ended */
	u64 read[PRODUCERS];
	u64 wrong;
};

static struct seen_record record_of(u64 id, u64 n)
{
	return (struct seen_record) {
		.hash = id << 48 | n,
		.when = hash_of(id, n) >> (64 - SEEN_RING_TIME_BITS),
		.deleted = n % 3 == 0,
	};
}

static void produce(struct work *work, u64 id)
{
	struct seen_record record;
	u64 n;

	for (n = 1; n <= work->records; n++) {
		record = record_of(id, n);
		seen_ring_put(&work->ring, &record);
	}
	__atomic_fetch_add(&work->done, 1, __ATOMIC_RELEASE);
}

static void check(struct work *work, u64 next[PRODUCERS], const struct seen_record *record)
{
	u64 id = record->hash >> 48, n = record->hash << 16 >> 16;
	struct seen_record due;

	if (id >= PRODUCERS || n < next[id] || n > work->records) {
		work->wrong++;
		return;
	}
	due = record_of(id, n);
	work->wrong += record->when != due.when || record->deleted != due.deleted;
	work->read[id]++;
	next[id] = n + 1;
}

/* Reads up to 16 records, and again, as if the first answer was lost. */
static u32 consume_some(struct work *work, u64 next[PRODUCERS])
{
	struct seen_record first[16], again;
	u32 count, i;

	for (count = 0; count < ARRAY_SIZE(first); count++)
		if (!seen_ring_peek(&work->ring, count, &first[count]))
			break;
	for (i = 0; i < count; i++) {
		work->wrong += !seen_ring_peek(&work->ring, i, &again) ||
			       again.hash != first[i].hash ||
			       again.when != first[i].when;
		check(work, next, &first[i]);
	}
	seen_ring_release(&work->ring, count);
	return count;
}

static void consume(struct work *work)
{
	u64 next[PRODUCERS] = {};
	bool last;

	do {
		last = __atomic_load_n(&work->done, __ATOMIC_ACQUIRE) == PRODUCERS;
		while (consume_some(work, next))
			;
	} while (!last);
}

static void run(int id, void *arg)
{
	if (id < PRODUCERS)
		produce(arg, id);
	else
		consume(arg);
}

int main(void)
{
	struct work *work = aligned_alloc(64, sizeof(*work));
	u64 read = 0;
	int i;

	test_begin(3);
	memset(work, 0, sizeof(*work));
	work->records = scale(3000000);
	seen_ring_init(&work->ring, work->slots, SLOTS);
	in_threads(THREADS, run, work);
	for (i = 0; i < PRODUCERS; i++)
		read += work->read[i];
	note("%llu read, %llu lost", (unsigned long long)read,
	     (unsigned long long)seen_ring_lost(&work->ring));
	ok(!work->wrong, "each record is whole, in order, and comes once");
	ok(read + seen_ring_lost(&work->ring) == PRODUCERS * work->records,
	   "each record is read, or counted as lost");
	ok(!seen_ring_pending(&work->ring) && read >= SLOTS, "none is left behind");
	free(work);
	return test_end();
}
