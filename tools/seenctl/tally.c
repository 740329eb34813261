// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spool.h"
#include "tally.h"

/* Number of slots of the table; at most half of them are used. */
#define SLOT_BITS	18
#define SLOTS		(UINT64_C(1) << SLOT_BITS)
/* Number of counters that are read and written at once. */
#define PIECE		512

/**
 * struct pending - a slot of the table: increments of a counter
 * @number: number of the counter
 * @count: number of increments; 0: the slot is free
 */
struct pending {
	uint64_t number;
	uint64_t count;
};

/**
 * struct tally - counters
 * @fd: descriptor of the file
 * @used: number of slots in use
 * @slot: hash table by the number of the counter, with linear probing
 */
struct tally {
	int fd;
	size_t used;
	struct pending slot[SLOTS];
};

int tally_open(struct tally **made, const char *folder)
{
	struct tally *tally = calloc(1, sizeof(*tally));

	if (!tally)
		return -ENOMEM;
	tally->fd = spool_temp(folder);
	if (tally->fd < 0) {
		int err = tally->fd;

		free(tally);
		return err;
	}
	*made = tally;
	return 0;
}

void tally_close(struct tally *tally)
{
	if (!tally)
		return;
	close(tally->fd);
	free(tally);
}

int tally_file(const struct tally *tally)
{
	return tally->fd;
}

static int by_number(const void *a, const void *b)
{
	const struct pending *one = a, *other = b;

	return (one->number > other->number) - (one->number < other->number);
}

/* Move the used slots to the front, sorted by number. */
static void gather(struct tally *tally)
{
	size_t to = 0;

	for (size_t i = 0; i < SLOTS; i++)
		if (tally->slot[i].count)
			tally->slot[to++] = tally->slot[i];
	qsort(tally->slot, to, sizeof(*tally->slot), by_number);
}

/* Read PIECE counters at offset @at. Counters after the end of the file are 0. */
static int read_piece(int fd, uint64_t *counter, uint64_t at)
{
	size_t done = 0;
	ssize_t got;

	memset(counter, 0, PIECE * sizeof(*counter));
	do {
		got = pread(fd, (char *)counter + done,
			    PIECE * sizeof(*counter) - done, at + done);
		if (got < 0 && errno != EINTR)
			return -errno;
		done += got > 0 ? got : 0;
	} while (got && done < PIECE * sizeof(*counter));
	return 0;
}

/* Add the leading slots whose counters are in one piece; returns their number, or -errno. */
static ssize_t add_piece(int fd, const struct pending *pending, size_t count)
{
	uint64_t first = pending->number / PIECE * PIECE;
	uint64_t at = first * sizeof(uint64_t);
	uint64_t counter[PIECE];
	size_t i;
	int err;

	err = read_piece(fd, counter, at);
	if (err)
		return err;
	for (i = 0; i < count && pending[i].number < first + PIECE; i++)
		counter[pending[i].number - first] += pending[i].count;
	err = spool_write_at(fd, counter, sizeof(counter), at);
	return err ? err : (ssize_t)i;
}

int tally_flush(struct tally *tally)
{
	size_t done = 0;

	gather(tally);
	while (done < tally->used) {
		ssize_t part = add_piece(tally->fd, tally->slot + done,
					 tally->used - done);

		if (part < 0)
			return part;
		done += part;
	}
	memset(tally->slot, 0, sizeof(tally->slot));
	tally->used = 0;
	return 0;
}

static size_t slot_of(uint64_t number)
{
	return number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS);
}

static struct pending *find(struct tally *tally, uint64_t number)
{
	size_t at = slot_of(number);

	while (tally->slot[at].count && tally->slot[at].number != number)
		at = (at + 1) % SLOTS;
	return &tally->slot[at];
}

int tally_add(struct tally *tally, uint64_t number)
{
	struct pending *pending = find(tally, number);
	int err;

	if (!pending->count && tally->used == SLOTS / 2) {
		err = tally_flush(tally);
		if (err)
			return err;
		pending = find(tally, number);
	}
	tally->used += !pending->count;
	pending->number = number;
	pending->count++;
	return 0;
}
