// SPDX-License-Identifier: GPL-2.0
/* kmod/netlink_snapshot.c and kmod/snapshot.c: a filter leaves, and comes. */
#include "kmod.h"
#include "test.h"

struct seen_import {
	struct seen_filter *filter;
	u64 next;
	u64 age;
	u64 begun;
};

/* Of the reply to an export. */
static struct nlattr chunk;
static u64 next_unit;

static int put_u64(struct sk_buff *skb, int attr, u64 value)
{
	(void)skb;
	if (attr == SEEN_A_FILTER_NEXT)
		next_unit = value;
	return 0;
}

static struct nlattr *nla_reserve(struct sk_buff *skb, int attr, u32 len)
{
	(void)skb;
	(void)attr;
	chunk.len = len;
	return &chunk;
}

static int seen_rehash(struct seen_filter *filter, struct netlink_ext_ack *extack)
{
	struct seen_slot slot = { .filter = filter };

	(void)extack;
	part_rehash(&slot, NULL);
	return seen_map_torn(&filter->set) ? -EAGAIN : 0;
}

#define publish(import, extack)		((void)(extack), 0)
#define forget(import)			((void)(import))

#include "netlink_snapshot.part"
#include "snapshot.part"

/* A request each; the units come where they were. */
void part_export_and_import(struct seen_slot *slot, struct seen_slot *other)
{
	struct seen_filter *filter = slot->filter;
	struct seen_filter_config config = {
		.geo = filter->set.geo,
		.secret = filter->secret,
	};
	struct seen_import import = { .begun = seen_now() };
	u32 unit = seen_snapshot_unit_bytes(&filter->set.geo);
	u64 number = seen_set_export_begin(&filter->set);

	(void)other;
	import.filter = seen_filter_create_as(slot->sn, &config, false, NULL);
	do {
		span_sleeps();
		next_unit = 0;
		if (put_units(NULL, filter, number, import.next,
			      SEEN_CHUNK_MAX / unit))
			abort();
		span_sleeps();
		if (seen_import_chunk(&import, import.next, &chunk, NULL))
			abort();
	} while (next_unit);
	span_sleeps();
	if (seen_import_commit(&import, NULL))
		abort();
	seen_filter_free(import.filter);
}
