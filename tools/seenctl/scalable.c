// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "scalable.h"
#include "seenctl.h"

/* Number of fill levels at which the rate of a filter is computed. */
#define STEPS	64

/*
 * Rate of the next filter: half of the promised rate for the first filter, an eighth for
 * the second, and then half of the previous rate, but at least a 128th, because a lower
 * rate would need too long fingerprints. The sum for SCALABLE_MAX filters is below the
 * promised rate.
 */
static uint64_t fpp_of(const struct scalable *scalable)
{
	uint64_t least = scalable->fpp / 128 + 1;
	uint64_t fpp = scalable->fpp >> (scalable->parts + 2);

	if (scalable->window)
		return scalable->fpp;
	if (!scalable->parts)
		return scalable->fpp / 2 + 1;
	return fpp > least ? fpp : least;
}

/* Cuckoo filters need the least memory. For a rate that they cannot meet, use Bloom filters. */
static const char *size(const struct scalable *scalable, uint64_t capacity,
			struct seen_sizing *sizing)
{
	const struct seen_sizing asked = {
		.type = SEEN_TYPE_CUCKOO,
		.capacity = capacity,
		.fpp = fpp_of(scalable),
		.window = scalable->window,
		.evict = scalable->window,
		.min_tick = 1,
	};
	const char *error;

	*sizing = asked;
	error = seen_sizing_plan(sizing);
	if (!error || scalable->window)
		return error;
	*sizing = asked;
	sizing->type = SEEN_TYPE_BLOOM;
	sizing->layout = SEEN_LAYOUT_CLASSIC;
	return seen_sizing_plan(sizing);
}

uint64_t scalable_room(const struct scalable *scalable, uint64_t memory)
{
	uint64_t low = 0, high = UINT64_C(1) << 34;
	struct seen_sizing sizing;

	while (low < high) {
		uint64_t middle = low + (high - low + 1) / 2;

		if (!size(scalable, middle, &sizing) && sizing.bytes <= memory)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

static int add_part(struct scalable *scalable, const struct seen_sizing *sizing)
{
	const struct seen_filter_config config = {
		.type = sizing->type,
		.layout = sizing->layout,
		.fp_bits = sizing->fp_bits,
		.capacity = sizing->capacity,
		.fpp = sizing->fpp,
		.window = sizing->window,
		.key = {
			.profile = SEEN_KEY_PROFILE_BYTES,
			.count = 1,
			.field[0].id = SEEN_FIELD_BYTES,
		},
	};
	struct scalable_part *part = &scalable->part[scalable->parts];

	*part = (struct scalable_part) { .sizing = *sizing };
	if (seen_local_create(&part->local, &config))
		return refused("%s", seen_local_error());
	scalable->bytes += sizing->bytes;
	scalable->parts++;
	return DONE;
}

int scalable_refuse(const struct scalable *scalable, const char *what, uint64_t bytes)
{
	const char *word = scalable->parts ? "--state" : "--capacity";
	char need[TEXT_LEN], room[TEXT_LEN];

	text_bytes(need, bytes);
	text_bytes(room, scalable->memory);
	if (scalable->limit == SCALABLE_GIVEN)
		return usage("--memory: %s %s (%ju bytes), %s is given", what,
			     need, bytes, room);
	if (scalable->limit == SCALABLE_HALF)
		return usage("%s: %s %s (%ju bytes), half of memory is %s; use --memory %ju",
			     word, what, need, bytes, room, bytes);
	return usage("%s: %s %s (%ju bytes), %s is available%s", word, what,
		     need, bytes, room, scalable->parts ? "" :
		     "; lower --capacity or raise --fpp");
}

int scalable_start(struct scalable *scalable)
{
	char what[TEXT_LEN + 32];
	struct seen_sizing sizing;
	const char *error;

	error = size(scalable, scalable->capacity ? scalable->capacity : 1, &sizing);
	if (error)
		return usage("--%s", error);
	if (!scalable->capacity)
		return usage("--memory: no key fits in %ju bytes",
			     scalable->memory);
	snprintf(what, sizeof(what), "%ju lines at this rate need",
		 scalable->capacity);
	if (sizing.bytes > scalable->memory)
		return scalable_refuse(scalable, what, sizing.bytes);
	return add_part(scalable, &sizing);
}

bool scalable_adopt(struct scalable *scalable, struct seen_local *local,
		    uint64_t keys)
{
	struct scalable_part *part = &scalable->part[scalable->parts];
	const struct seen_filter_config *config;
	struct seen_filter_info info;

	seen_local_info(local, &info);
	config = &info.config;
	if (scalable->parts == SCALABLE_MAX || config->window || config->top ||
	    config->key.count != 1 ||
	    config->key.field[0].id != SEEN_FIELD_BYTES ||
	    (config->type != SEEN_TYPE_CUCKOO && config->type != SEEN_TYPE_BLOOM))
		return false;
	*part = (struct scalable_part) {
		.local = local,
		.sizing = {
			.type = config->type,
			.layout = config->layout,
			.fp_bits = config->fp_bits,
			.hashes = info.hashes,
			.capacity = config->capacity,
			.fpp = config->fpp,
			.blocks = info.blocks,
			.bytes = info.bytes,
		},
		.keys = keys,
	};
	scalable->bytes += info.bytes;
	scalable->parts++;
	return true;
}

void scalable_end(struct scalable *scalable)
{
	for (unsigned int i = 0; i < scalable->parts; i++)
		seen_local_close(scalable->part[i].local);
	scalable->parts = 0;
}

/* Add a filter of twice the capacity of the last one, or as large as memory allows. */
static bool grow(struct scalable *scalable)
{
	const struct scalable_part *last = &scalable->part[scalable->parts - 1];
	uint64_t left = scalable->memory - scalable->bytes;
	struct seen_sizing sizing;

	if (scalable->window || scalable->unstored ||
	    scalable->parts == SCALABLE_MAX)
		return false;
	if (size(scalable, 2 * last->sizing.capacity, &sizing))
		return false;
	if (sizing.bytes > left) {
		uint64_t room = scalable_room(scalable, left);

		/* Every filter costs time per key, so a small one is not worth it. */
		if (room < last->sizing.capacity / 4 ||
		    size(scalable, room, &sizing))
			return false;
	}
	return !add_part(scalable, &sizing);
}

/* Keys that are not answered yet. @number: index of each key in the caller's array. */
struct batch {
	const void *key[SEEN_LOCAL_BATCH];
	size_t len[SEEN_LOCAL_BATCH];
	uint8_t number[SEEN_LOCAL_BATCH];
	uint8_t result[SEEN_LOCAL_BATCH];
	size_t count;
};

/* Set @seen of the keys with @result to @answer, and remove them; returns their number. */
static size_t take(struct batch *batch, uint8_t result, bool answer, bool *seen)
{
	size_t left = 0, taken;

	for (size_t i = 0; i < batch->count; i++) {
		if (batch->result[i] == result) {
			seen[batch->number[i]] = answer;
			continue;
		}
		batch->key[left] = batch->key[i];
		batch->len[left] = batch->len[i];
		batch->result[left] = batch->result[i];
		batch->number[left++] = batch->number[i];
	}
	taken = batch->count - left;
	batch->count = left;
	return taken;
}

/* Test the keys in the first @parts filters, without storing them. */
static void test(struct scalable *scalable, unsigned int parts,
		 struct batch *batch, bool *seen)
{
	for (unsigned int i = 0; i < parts && batch->count; i++) {
		seen_local_test_many(scalable->part[i].local, batch->key,
				     batch->len, batch->count, batch->result);
		take(batch, SEEN_KEY_RESULT_SEEN, true, seen);
	}
}

static void test_and_add(struct scalable *scalable, struct batch *batch,
			 bool *seen)
{
	struct scalable_part *part = &scalable->part[scalable->parts - 1];

	seen_local_test_and_add_many(part->local, batch->key, batch->len,
				     batch->count, batch->result);
	part->keys += take(batch, SEEN_KEY_RESULT_NEW, false, seen);
	take(batch, SEEN_KEY_RESULT_SEEN, true, seen);
}

/* Does the newest filter have room for @keys? Beyond its capacity its rate would be too high. */
static bool has_room(const struct scalable *scalable, size_t keys)
{
	const struct scalable_part *part = &scalable->part[scalable->parts - 1];

	return scalable->window || part->keys + keys <= part->sizing.capacity;
}

void scalable_test_and_add(struct scalable *scalable, const void *const *key,
			   const size_t *len, size_t count, bool *seen)
{
	struct batch batch = { .count = count };
	bool room;

	do {
		room = has_room(scalable, count);
	} while (!room && grow(scalable));
	for (size_t i = 0; i < count; i++) {
		batch.key[i] = key[i];
		batch.len[i] = len[i];
		batch.number[i] = i;
		seen[i] = false;
	}
	test(scalable, scalable->parts - room, &batch, seen);
	if (room && batch.count)
		test_and_add(scalable, &batch, seen);
	scalable->unstored += batch.count;
	for (size_t i = 0; i < batch.count; i++)
		seen[batch.number[i]] = scalable->suspect;
}

bool scalable_test(const struct scalable *scalable, const void *key, size_t len)
{
	for (unsigned int i = 0; i < scalable->parts; i++)
		if (seen_local_test(scalable->part[i].local, key, len) ==
		    SEEN_KEY_RESULT_SEEN)
			return true;
	return false;
}

/* Expected number of false positives while the keys of a filter were added one by one. */
static double lost_by(const struct scalable_part *part)
{
	double sum = 0;

	for (unsigned int i = 0; i < STEPS; i++)
		sum += seen_sizing_rate(&part->sizing,
					part->keys * (i + 0.5) / STEPS);
	return sum / STEPS * part->keys;
}

double scalable_lost(const struct scalable *scalable)
{
	double lost = 0, rate = 0;

	/* Keys of a filter were tested in all previous filters first. */
	for (unsigned int i = 0; i < scalable->parts; i++) {
		const struct scalable_part *part = &scalable->part[i];

		lost += lost_by(part) + rate * part->keys;
		rate += seen_sizing_rate(&part->sizing, part->keys);
	}
	return lost + rate * scalable->unstored;
}

void scalable_look(const struct scalable *scalable, double *fill,
		   uint64_t *kept)
{
	uint64_t used = 0, room = 0;

	for (unsigned int i = 0; i < scalable->parts; i++) {
		struct seen_filter_info info;

		seen_local_info(scalable->part[i].local, &info);
		used += info.used;
		room += info.room;
		*kept = info.effective;
	}
	*fill = (double)used / room;
}

uint64_t scalable_capacity(const struct scalable *scalable)
{
	uint64_t capacity = 0;

	for (unsigned int i = 0; i < scalable->parts; i++)
		capacity += scalable->part[i].sizing.capacity;
	return capacity;
}
