// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "bits.h"
#include "codec.h"

/* One pass of a merge sort, which keeps the order of equal hashes. */
static void codec_merge(const struct seen_feed_record *from, size_t count, size_t run,
			struct seen_feed_record *to)
{
	for (size_t begin = 0; begin < count; begin += 2 * run) {
		size_t middle = begin + run < count ? begin + run : count;
		size_t end = middle + run < count ? middle + run : count;
		size_t left = begin, right = middle;

		for (size_t i = begin; i < end; i++) {
			bool second = left == middle ||
				      (right < end && from[right].hash < from[left].hash);

			to[i] = from[second ? right++ : left++];
		}
	}
}

size_t keys_sort(struct seen_feed_record *keys, size_t count, struct seen_feed_record *scratch)
{
	size_t kept = 0, added = 0, deleted = 0;

	for (size_t run = 1; run < count; run *= 4) {
		codec_merge(keys, count, run, scratch);
		codec_merge(scratch, count, 2 * run, keys);
	}
	for (size_t i = 0; i < count; i++) {
		if (i + 1 == count || keys[i].hash != keys[i + 1].hash)
			keys[kept++] = keys[i];
		else if (!keys[i].deleted && !keys[i + 1].deleted && keys[i].age < keys[i + 1].age)
			keys[i + 1].age = keys[i].age;
	}
	for (size_t i = 0; i < kept; i++) {
		if (keys[i].deleted)
			scratch[deleted++] = keys[i];
		else
			keys[added++] = keys[i];
	}
	memcpy(keys + added, scratch, deleted * sizeof(*keys));
	return kept;
}

/* The low bits of a difference: the mean of n differences is 2^64 / n. */
static unsigned int codec_low(size_t count)
{
	return __builtin_clzll(count);
}

static void codec_put_hashes(struct writer *to, const struct seen_feed_record *keys, size_t count)
{
	struct bit_writer bits = { .to = to };

	put_varint(to, count);
	for (size_t i = 0; i < count; i++)
		rice_put(&bits, i ? keys[i].hash - keys[i - 1].hash - 1 : keys[0].hash,
			 codec_low(count));
	bit_writer_end(&bits);
}

void section_put(struct writer *to, const struct seen_feed_record *keys, size_t count, bool aged)
{
	size_t added = 0;

	while (added < count && !keys[added].deleted)
		added++;
	codec_put_hashes(to, keys, added);
	for (size_t i = 0; aged && i < added; i++)
		put_varint(to, keys[i].age / AGE_UNIT);
	codec_put_hashes(to, keys + added, count - added);
}

/* Read sorted hashes; returns their number, or 0 if they are malformed. */
static size_t codec_get_hashes(struct cursor *from, struct seen_feed_record *keys, size_t room,
			       bool deleted)
{
	struct bit_cursor bits = { .from = from };
	uint64_t count = get_varint(from), hash = 0;

	/* The check of the bytes is not needed for safety. It ends a useless loop early. */
	if (from->bad || count > room || count > from->left) {
		from->bad = true;
		return 0;
	}
	for (size_t i = 0; i < count && !from->bad; i++) {
		uint64_t step = rice_get(&bits, codec_low(count));

		if (__builtin_add_overflow(hash, step, &hash) ||
		    (i && __builtin_add_overflow(hash, 1, &hash)))
			from->bad = true;
		keys[i] = (struct seen_feed_record) { .hash = hash, .deleted = deleted };
	}
	bit_cursor_end(&bits);
	return from->bad ? 0 : count;
}

size_t section_get(struct cursor *from, struct seen_feed_record *keys, size_t room, bool aged)
{
	size_t added = codec_get_hashes(from, keys, room, false), deleted;

	for (size_t i = 0; aged && i < added; i++)
		if (__builtin_mul_overflow(get_varint(from), AGE_UNIT, &keys[i].age))
			from->bad = true;
	deleted = codec_get_hashes(from, keys + added, room - added, true);
	return from->bad ? 0 : added + deleted;
}
