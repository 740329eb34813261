// SPDX-License-Identifier: GPL-2.0
/* Prefetches a key's memory, by kind; see prefetch.h. */
#include "cuckoo.h"
#include "cuckoo_window.h"
#include "fetch.h"
#include "prefetch.h"

static void prefetch_line(const struct seen_set *set, u64 line)
{
	seen_fetch((const char *)set->table + line * SEEN_LINE_BYTES);
}

/* A bucket may span two cache lines. */
static void prefetch_bucket(const void *at, u32 bytes)
{
	seen_fetch(at);
	seen_fetch((const char *)at + bytes - 1);
}

static void prefetch_cuckoo(const struct seen_set *set, u64 hash)
{
	u32 bytes = SEEN_CUCKOO_SLOTS * set->geo.fp_bits / 8;
	u32 values = U32_MAX >> (32 - set->geo.fp_bits);
	u32 fp = 1 + seen_range(seen_remix(hash), values);
	u64 bucket = seen_range(hash, set->geo.blocks);

	prefetch_bucket((const char *)set->table + bucket * bytes, bytes);
	bucket = seen_cuckoo_other(set, bucket, fp);
	prefetch_bucket((const char *)set->table + bucket * bytes, bytes);
}

static void prefetch_cuckoo_window(const struct seen_set *set, u64 hash)
{
	u32 bytes = seen_slots_words(set->geo.fp_bits) * sizeof(u64);
	struct seen_place place = seen_cuckoo_window_place(set, hash);

	prefetch_bucket(place.bucket[0], bytes);
	prefetch_bucket(place.bucket[1], bytes);
}

bool seen_set_prefetch(const struct seen_set *set, u64 hash)
{
	switch (set->geo.kind) {
	case SEEN_SET_BLOCKED:
	case SEEN_SET_BLOOM_WINDOW:
	case SEEN_SET_COUNTING:
		prefetch_line(set, seen_set_block(set, hash));
		break;
	case SEEN_SET_CLASSIC:
		prefetch_line(set, seen_set_place(set, hash) / SEEN_LINE_BITS);
		break;
	case SEEN_SET_BITMAP:
		prefetch_line(set, hash / SEEN_LINE_BITS);
		break;
	case SEEN_SET_CUCKOO:
		prefetch_cuckoo(set, hash);
		break;
	case SEEN_SET_CUCKOO_WINDOW:
		prefetch_cuckoo_window(set, hash);
		break;
	case SEEN_SET_MAP:
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		return false;
	}
	return true;
}
