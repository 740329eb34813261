// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <string.h>

#include "item.h"
#include "zipf.h"

static void *must(void *memory)
{
	if (!memory) {
		printf("Bail out! no memory\n");
		exit(1);
	}
	return memory;
}

/* The first key whose part of all is not below @share. */
static u64 invert(const double *sum, u64 keys, double share)
{
	u64 low = 0, high = keys - 1;
	u64 middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (sum[middle] < share)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct zipf *zipf_new(double skew, u64 keys, u64 events)
{
	struct zipf *zipf = must(calloc(1, sizeof(*zipf)));
	double *sum = must(calloc(keys, sizeof(*sum)));
	double all = 0;
	u64 i, key;

	zipf->skew = skew;
	zipf->keys = keys;
	zipf->events = events;
	zipf->event = must(calloc(events, sizeof(*zipf->event)));
	zipf->exact = must(calloc(keys, sizeof(*zipf->exact)));
	for (i = 0; i < keys; i++) {
		all += pow(i + 1, -skew);
		sum[i] = all;
	}
	for (i = 0; i < events; i++) {
		key = invert(sum, keys, ldexp(random64(), -64) * all);
		zipf->event[i] = key;
		zipf->exact[key]++;
	}
	free(sum);
	return zipf;
}

void zipf_free(struct zipf *zipf)
{
	free(zipf->event);
	free(zipf->exact);
	free(zipf);
}

static struct seen_item item_of(u64 key)
{
	struct seen_item item = {
		.hash = hash_of(1, key),
		.len = sizeof(key),
	};

	memcpy(item.key, &key, sizeof(key));
	return item;
}

static u64 key_of(const struct seen_item *item)
{
	u64 key;

	memcpy(&key, item->key, sizeof(key));
	return key;
}

static void send(const struct zipf *zipf, struct seen_set *set)
{
	struct seen_item item;
	u32 count;
	u64 i;

	for (i = 0; i < zipf->events; i++) {
		item = item_of(zipf->event[i]);
		seen_item_add_count(set, &item, 0, &count);
	}
}

static enum zipf_part part_of(u32 exact, double threshold)
{
	if (exact >= threshold)
		return HEAVY;
	return exact < ZIPF_TAIL ? TAIL : MIDDLE;
}

/* The number of binary digits of the count; 0 for keys that had no event. */
static u32 class_of(u32 exact)
{
	u32 class = 0;

	for (; exact; exact >>= 1)
		class++;
	return class;
}

static void note_error(struct zipf_error *of, double error)
{
	of->keys++;
	of->sum += error;
}

static void judge(struct zipf_result *r, u32 exact, u32 count)
{
	double error = fabs((double)count - exact);
	double threshold = ZIPF_HEAVY * r->bound;

	r->asked++;
	r->distinct += !!exact;
	r->under += count < exact;
	r->beyond += error > r->bound;
	r->heavy += exact >= threshold;
	r->missed += exact >= threshold && count < threshold;
	r->false_alarms += exact < threshold && count >= threshold;
	note_error(&r->class[class_of(exact)], error);
	if (exact)
		note_error(&r->part[part_of(exact, threshold)], error);
}

/* The least count that is among the @n highest. */
static u32 nth_count(const struct zipf *zipf, u64 n)
{
	u32 low = 0, high = U32_MAX;
	u32 middle;
	u64 i, many;

	while (low < high) {
		middle = low + (high - low) / 2 + 1;
		many = 0;
		for (i = 0; i < zipf->keys; i++)
			many += zipf->exact[i] >= middle;
		if (many >= n)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Keys as heavy as the last of the exact list are as good as it. */
static void judge_top(const struct zipf *zipf, struct seen_set *set,
		      struct zipf_result *r)
{
	struct seen_top_entry list[ZIPF_TOP];
	u32 count = seen_top_list(set, list, ZIPF_TOP);
	u32 least = nth_count(zipf, ZIPF_TOP);
	u32 i, exact;

	for (i = 0; i < count; i++) {
		exact = zipf->exact[key_of(&list[i].item)];
		r->listed += exact >= least;
		r->order += exact == nth_count(zipf, i + 1);
	}
}

void zipf_measure(const struct zipf *zipf, struct seen_geometry request,
		  struct zipf_result *result)
{
	struct seen_set *set;
	u64 i;

	request.top = ZIPF_TOP;
	request.key_bytes = sizeof(u64);
	memset(result, 0, sizeof(*result));
	result->bound = (double)zipf->events / request.capacity;
	set = set_planned(request);
	set->top = must(aligned_alloc(SEEN_LINE_BYTES,
				      seen_top_bytes(&set->geo)));
	memset(set->top, 0, seen_top_bytes(&set->geo));
	send(zipf, set);
	for (i = 0; i < zipf->keys; i++)
		judge(result, zipf->exact[i],
		      seen_set_count(set, hash_of(1, i)));
	judge_top(zipf, set, result);
	result->entries = seen_set_entries(set);
	free(set->top);
	set_free(set);
}

double zipf_mean(const struct zipf_error *error)
{
	return error->keys ? error->sum / error->keys : 0;
}

double zipf_beyond(const struct zipf_result *result)
{
	return (double)result->beyond / result->asked;
}
