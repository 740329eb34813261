// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "dedup.h"

#define WAYS	8

/* @time: of the sighting or delete that was forwarded; 0: free */
struct dedup_entry {
	struct dedup_mark mark;
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

static bool dedup_is(const struct dedup_entry *entry, struct dedup_mark mark)
{
	return entry->time && entry->mark.hash == mark.hash && entry->mark.who == mark.who &&
	       entry->mark.deleted == mark.deleted;
}

bool dedup_pass(struct dedup *dedup, struct dedup_mark mark, uint64_t life, uint64_t when)
{
	struct dedup_entry *bucket = dedup_bucket(dedup, mark.hash), *oldest = bucket;

	when = when ? when : 1;
	for (size_t i = 0; i < WAYS; i++) {
		struct dedup_entry *entry = &bucket[i];

		if (dedup_is(entry, mark)) {
			if (!life || when < entry->time || when - entry->time < life)
				return false;
			oldest = entry;
			break;
		}
		if (entry->time < oldest->time)
			oldest = entry;
	}
	*oldest = (struct dedup_entry) { mark, when };
	return true;
}

bool dedup_forget(struct dedup *dedup, struct dedup_mark mark)
{
	struct dedup_entry *bucket = dedup_bucket(dedup, mark.hash);

	for (size_t i = 0; i < WAYS; i++) {
		if (!dedup_is(&bucket[i], mark))
			continue;
		bucket[i].time = 0;
		return true;
	}
	return false;
}

void dedup_clear(struct dedup *dedup)
{
	memset(dedup->entry, 0, dedup->buckets * WAYS * sizeof(dedup->entry[0]));
}
