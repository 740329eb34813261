// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sorted.h"
#include "spool.h"

/* Number of slots of the table; at most three quarters are used. */
#define SLOT_BITS	20
#define SLOTS		(UINT64_C(1) << SLOT_BITS)
#define TABLE_MOST	(SLOTS / 4 * 3)
/* Further slots after the last one, so that probing needs no wraparound. */
#define TAIL		4096
#define RUNS_MAX	48
/* Number of pairs that are written at once. */
#define PIECE		4096

/**
 * struct run - a sorted file
 * @pair: memory mapping of its pairs
 * @count: number of pairs
 * @level: 2^level tables were merged into it
 */
struct run {
	const struct sorted_pair *pair;
	size_t count;
	unsigned int level;
};

/**
 * struct sorted - a set of pairs
 * @folder: folder for files
 * @table: hash table of new pairs, by the upper bits of the hash, so that its slots are
 *         almost sorted; with linear probing a pair is in its slot or in a later one
 * @used: number of pairs in @table
 * @run: sorted files, from the largest to the smallest
 * @runs: number of files
 */
struct sorted {
	const char *folder;
	struct sorted_pair *table;
	size_t used;
	struct run run[RUNS_MAX];
	unsigned int runs;
};

struct sorted *sorted_open(const char *folder)
{
	struct sorted *sorted = calloc(1, sizeof(*sorted));

	if (!sorted)
		return NULL;
	sorted->folder = folder;
	sorted->table = calloc(SLOTS + TAIL, sizeof(*sorted->table));
	if (sorted->table)
		return sorted;
	free(sorted);
	return NULL;
}

static void run_close(struct run *run)
{
	munmap((void *)run->pair, run->count * sizeof(*run->pair));
}

void sorted_close(struct sorted *sorted)
{
	if (!sorted)
		return;
	while (sorted->runs)
		run_close(&sorted->run[--sorted->runs]);
	free(sorted->table);
	free(sorted);
}

/* Map the file of a run. The mapping keeps the file, so the caller may close the spool. */
static int run_map(struct run *run, struct spool *spool)
{
	uint64_t bytes = spool_end(spool);
	int err = spool_flush(spool);
	void *map;

	if (err)
		return err;
	if ((size_t)bytes != bytes)
		return -ENOMEM;
	map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, spool->fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	run->pair = map;
	run->count = bytes / sizeof(*run->pair);
	return 0;
}

/* Insertion sort: probing has moved pairs only by a few slots. */
static void sort(struct sorted_pair *pair, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct sorted_pair one = pair[i];
		size_t to = i;

		for (; to && pair[to - 1].hash > one.hash; to--)
			pair[to] = pair[to - 1];
		pair[to] = one;
	}
}

/* Sort a copy, so that the table stays valid if the disk is full. */
static int write_table(struct sorted *sorted, struct spool *spool)
{
	const struct sorted_pair *table = sorted->table;
	struct sorted_pair *copy = malloc(sorted->used * sizeof(*copy));
	size_t count = 0;
	int err;

	if (!copy)
		return -ENOMEM;
	for (size_t i = 0; i < SLOTS + TAIL; i++)
		if (table[i].place)
			copy[count++] = table[i];
	sort(copy, count);
	err = spool_append(spool, copy, count * sizeof(*copy));
	free(copy);
	return err;
}

static int table_to_run(struct sorted *sorted, struct run *run)
{
	struct spool spool;
	int err = spool_open(&spool, sorted->folder);

	if (err)
		return err;
	err = write_table(sorted, &spool);
	if (!err)
		err = run_map(run, &spool);
	run->level = 0;
	spool_close(&spool);
	return err;
}

static int write_merged(struct spool *spool, const struct run *a,
			const struct run *b)
{
	struct sorted_pair piece[PIECE];
	size_t at = 0, i = 0, j = 0;
	int err = 0;

	while (!err && (i < a->count || j < b->count)) {
		bool first = j == b->count ||
			     (i < a->count && a->pair[i].hash <= b->pair[j].hash);

		piece[at++] = first ? a->pair[i++] : b->pair[j++];
		if (at < PIECE)
			continue;
		err = spool_append(spool, piece, sizeof(piece));
		at = 0;
	}
	return err ? err : spool_append(spool, piece, at * sizeof(*piece));
}

static int merge(struct sorted *sorted, const struct run *a, const struct run *b,
		 struct run *run)
{
	struct spool spool;
	int err = spool_open(&spool, sorted->folder);

	if (err)
		return err;
	err = write_merged(&spool, a, b);
	if (!err)
		err = run_map(run, &spool);
	run->level = a->level + 1;
	spool_close(&spool);
	return err;
}

/* Ignore an error of a merge, such as a full disk: more files are only slower. */
static void merge_all(struct sorted *sorted)
{
	while (sorted->runs > 1) {
		struct run *a = &sorted->run[sorted->runs - 2];
		struct run *b = a + 1;
		struct run merged;

		if (a->level != b->level || merge(sorted, a, b, &merged))
			return;
		run_close(a);
		run_close(b);
		*a = merged;
		sorted->runs--;
	}
}

static int flush(struct sorted *sorted)
{
	int err;

	if (sorted->runs == RUNS_MAX)
		return -ENOSPC;
	err = table_to_run(sorted, &sorted->run[sorted->runs]);
	if (err)
		return err;
	sorted->runs++;
	memset(sorted->table, 0, (SLOTS + TAIL) * sizeof(*sorted->table));
	sorted->used = 0;
	merge_all(sorted);
	return 0;
}

static size_t slot_of(uint64_t hash)
{
	return hash >> (64 - SLOT_BITS);
}

/* The first free slot for a hash, or SLOTS + TAIL without a free slot. */
static size_t free_slot(const struct sorted *sorted, uint64_t hash)
{
	size_t at = slot_of(hash);

	while (at < SLOTS + TAIL && sorted->table[at].place)
		at++;
	return at;
}

int sorted_add(struct sorted *sorted, const struct sorted_pair *pair)
{
	size_t at = free_slot(sorted, pair->hash);
	int err;

	if (sorted->used == TABLE_MOST || at == SLOTS + TAIL) {
		err = flush(sorted);
		if (err)
			return err;
		at = free_slot(sorted, pair->hash);
	}
	sorted->table[at] = *pair;
	sorted->used++;
	return 0;
}

/*
 * Index of the first pair with a hash of at least @hash. Hashes are evenly distributed, so
 * search near the expected index first.
 */
static size_t run_seek(const struct run *run, uint64_t hash)
{
	size_t guess = (hash >> 32) * (uint64_t)run->count >> 32;
	size_t low = guess, high = guess, step;

	for (step = 64; low && run->pair[low - 1].hash >= hash; step *= 2)
		low -= low < step ? low : step;
	for (step = 64; high < run->count && run->pair[high].hash < hash;
	     step *= 2)
		high += run->count - high < step ? run->count - high : step;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (run->pair[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int sorted_find(const struct sorted *sorted, uint64_t hash,
		int (*match)(uint64_t place, void *context), void *context)
{
	const struct sorted_pair *slot = sorted->table + slot_of(hash);
	const struct sorted_pair *end = sorted->table + SLOTS + TAIL;
	int found = 0;

	for (; slot < end && slot->place && !found; slot++)
		if (slot->hash == hash)
			found = match(slot->place, context);
	for (unsigned int i = sorted->runs; i-- && !found;) {
		const struct run *run = &sorted->run[i];
		size_t at = run_seek(run, hash);

		for (; at < run->count && run->pair[at].hash == hash && !found;
		     at++)
			found = match(run->pair[at].place, context);
	}
	return found;
}
