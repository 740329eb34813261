// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "dedup.h"

#define WAYS	8

/* @time: of the sighting that was forwarded; 0: free */
struct dedup_entry {
	uint64_t hash;
	uint64_t time;
};

struct dedup {
	size_t buckets;
	struct dedup_entry entry[];
};

struct dedup *dedup_new(size_t entries)
{
	struct dedup *dedup = calloc(1, sizeof(*dedup) + entries * sizeof(dedup->entry[0]));

	if (dedup)
		dedup->buckets = entries / WAYS;
	return dedup;
}

void dedup_free(struct dedup *dedup)
{
	free(dedup);
}

static struct dedup_entry *dedup_bucket(struct dedup *dedup, uint64_t hash)
{
	return &dedup->entry[(hash & (dedup->buckets - 1)) * WAYS];
}

bool dedup_pass(struct dedup *dedup, uint64_t hash, uint64_t life, uint64_t when)
{
	struct dedup_entry *bucket = dedup_bucket(dedup, hash), *oldest = bucket;

	when = when ? when : 1;
	for (size_t i = 0; i < WAYS; i++) {
		struct dedup_entry *entry = &bucket[i];

		if (entry->time && entry->hash == hash) {
			if (!life || when < entry->time || when - entry->time < life)
				return false;
			oldest = entry;
			break;
		}
		if (entry->time < oldest->time)
			oldest = entry;
	}
	*oldest = (struct dedup_entry) { hash, when };
	return true;
}

void dedup_forget(struct dedup *dedup, uint64_t hash)
{
	struct dedup_entry *bucket = dedup_bucket(dedup, hash);

	for (size_t i = 0; i < WAYS; i++)
		if (bucket[i].time && bucket[i].hash == hash)
			bucket[i].time = 0;
}

void dedup_clear(struct dedup *dedup)
{
	memset(dedup->entry, 0, dedup->buckets * WAYS * sizeof(dedup->entry[0]));
}
