// SPDX-License-Identifier: GPL-2.0
/*
 * What is counted, by whom it is asked, when a sketch's sweep is late: kmod's own
 * functions, which part.sh has taken from its files. In a guest that takes days.
 */
#include <string.h>

#include "clock.h"
#include "item.h"
#include "sketch.h"
#include "test.h"
#include "top.h"

#define OVER		1
#define TOP		4
#define KEY_LEN		3

/* --- what kmod's functions need of it ----------------------------------------------- */

enum seen_stat { SEEN_STAT_NEW, SEEN_STAT_SEEN, SEEN_STAT_LOOKUPS, SEEN_STAT_STALE, STATS };
enum seen_rule_answer { SEEN_RULE_UNKNOWN, SEEN_RULE_NEW, SEEN_RULE_SEEN };
enum { SEEN_FILTER_STALE };

struct seen_filter {
	struct seen_set set;
	u64 stat[STATS];
	u64 told;
};

#define max(a, b)			((a) > (b) ? (a) : (b))
#define clamp_t(type, n, low, high)	((type)((n) < (low) ? (low) :	\
						(n) > (high) ? (high) : (n)))
#define seen_filter_count(filter, which) ((filter)->stat[which]++)
#define seen_filter_announce(filter, event) ((void)(event), (filter)->told++)
#define seen_filter_passes(filter)	((void)(filter), false)
#define seen_filter_add_count(filter, item, most, count)		\
	seen_item_add_count(&(filter)->set, item, most, count)

/* A command about the filter; it ends with an error, or is told keys. */
struct netlink_ext_ack {
	int refusals;
};

struct sk_buff;

enum { SEEN_A_KEY_FILTER, ATTRIBUTES };
enum { EAGAIN = 11, ENOMEM = 12, EOPNOTSUPP = 95 };

struct genl_info {
	struct netlink_ext_ack *extack;
	const void *attrs[ATTRIBUTES];
	u32 told;
};

#define seen_slot				seen_filter
#define seen_info_net(info)			(skb)
#define seen_slot_find(sn, name, extack)	((void)(sn), (void)(name), &filter)
#define seen_slot_filter(slot)			(slot)
#define IS_ERR(slot)				(!(slot))
#define PTR_ERR(slot)				0
#define NL_SET_ERR_MSG(extack, text)		((extack)->refusals++)
#define GFP_KERNEL				0
#define kvcalloc(n, bytes, flags)		calloc(n, bytes)
#define kvfree(memory)				free(memory)

static struct seen_filter filter;

static int tell(struct genl_info *info, const struct seen_top_entry *list, u32 count)
{
	(void)list;
	info->told = count;
	return 0;
}

#include "filter_value.part"
#include "rule_over.part"
#include "netlink_top.part"

/* --- in time, and late ----------------------------------------------------------------- */

static struct seen_item item;

static void begin(enum seen_set_kind kind)
{
	struct seen_set *set;
	size_t bytes;
	int i;

	clock_set(1000 * SECOND);
	set = set_planned((struct seen_geometry) {
		.kind = kind, .capacity = 100, .fpp = FPP_ONE / 100,
		.window = 2 * MIN_TICK, .threshold = 1,
		.top = TOP, .key_bytes = KEY_LEN,
	});
	bytes = seen_top_bytes(&set->geo);
	set->top = memset(aligned_alloc(SEEN_LINE_BYTES, bytes), 0, bytes);
	filter = (struct seen_filter) { .set = *set };
	free(set);
	item = (struct seen_item) {
		.hash = hash_of(0, 1), .key = { 1, 2, 3 }, .len = KEY_LEN,
	};
	for (i = 0; i < 5; i++)
		seen_item_add(&filter.set, &item);
}

static void counted(enum seen_set_kind kind, const char *name)
{
	struct netlink_ext_ack extack = { };
	struct genl_info info = { .extack = &extack };
	u32 value;

	begin(kind);
	ok(seen_filter_value(&filter, &item, &value) == SEEN_SEEN && value == 5 &&
	   test_over(&filter, &item, OVER) == SEEN_RULE_SEEN &&
	   test_over(&filter, &item, 5) == SEEN_RULE_NEW &&
	   add_over(&filter, &item, OVER) == SEEN_RULE_SEEN && !filter.told,
	   "%s: in time, who is over is seen", name);
	ok(!seen_nl_top_get(NULL, &info) && info.told == 1 && !extack.refusals,
	   "%s: and the heaviest keys are told", name);
	clock_add(2 * seen_set_sweep_period(&filter.set.geo));
	ok(seen_filter_value(&filter, &item, &value) == SEEN_STALE && !value,
	   "%s: late, nobody knows how often a key came", name);
	ok(test_over(&filter, &item, OVER) == SEEN_RULE_UNKNOWN,
	   "%s: nor does a rule that asks", name);
	ok(add_over(&filter, &item, OVER) == SEEN_RULE_UNKNOWN,
	   "%s: nor one that adds", name);
	ok(seen_nl_top_get(NULL, &info) == -EAGAIN && extack.refusals == 1,
	   "%s: which keys are the heaviest is not told", name);
	ok(filter.stat[SEEN_STAT_STALE] == 2 && filter.told == 2,
	   "%s: what was asked is counted and told", name);
	free(filter.set.table);
	free(filter.set.stripes);
	free(filter.set.top);
}

int main(void)
{
	test_begin(14);
	counted(SEEN_SET_CMS, "cms");
	counted(SEEN_SET_CMM, "cmm");
	return test_end();
}
