// SPDX-License-Identifier: GPL-2.0
/*
 * The time for which a command makes others wait does not depend on the size of a filter. The
 * module's own files, on a fake kernel, run long commands on tables of two sizes, of each kind.
 * The test counts the most that is done in a span during which others wait (spans.h). In spans
 * for which packets wait, the limit is a search for room; in other spans, the count must not
 * grow with the table.
 */
#include "../../kmod/core/snapshot.h"
#include "../core/test.h"
#include "../fake/module.h"
#include "../fake/spans.h"
#include "commands.h"

/* Number of units: half of them are more than a sample takes. And number of stripes. */
#define UNITS		36000
#define STRIPES		1024
#define LARGER		4
/* Two counts may differ by this factor: bits that are set and keys that move are random. */
#define LIKE		2
/* Limit in blocks of code; a search in a full cuckoo filter takes 12,000. */
#define MOST		20000
#define HOUR		(3600 * SECOND)

/**
 * struct kind - a kind of filter
 * @name: in the results
 * @part: fraction of its capacity that it holds: a full filter does not fold, and a merge needs
 *	room, but only a full filter rotates
 * @geo: requested geometry
 */
struct kind {
	const char *name;
	u32 part;
	struct seen_geometry geo;
};

#define KIND(word, share, of, one_in, ...)				\
	{ word, share, { .kind = SEEN_SET_##of,				\
			 .fpp = FPP_ONE / (one_in), __VA_ARGS__ } }

static const struct kind kinds[] = {
	KIND("blocked", 4, BLOCKED, 100, .window = 0),
	KIND("classic", 4, CLASSIC, 100, .window = 0),
	KIND("bloom, window", 4, BLOOM_WINDOW, 100, .window = HOUR),
	KIND("bloom, window, full", 1, BLOOM_WINDOW, 100, .window = HOUR),
	KIND("counting", 4, COUNTING, 100, .window = 0),
	KIND("bitmap", 4, BITMAP, 100, .window = 0),
	KIND("cuckoo 8, full", 1, CUCKOO, 20, .fp_bits = 8),
	KIND("cuckoo 32", 2, CUCKOO, 1000, .fp_bits = 32),
	KIND("cuckoo-window 16", 2, CUCKOO_WINDOW, 1000, .fp_bits = 16, .window = HOUR),
	KIND("map", 2, MAP, 1000, .key_bytes = sizeof(u64)),
	KIND("cms, window", 1, CMS, 100, .window = HOUR),
	KIND("cmm", 1, CMM, 100, .window = 0),
};

static bool any(const struct kind *kind)
{
	(void)kind;
	return true;
}

static bool is_map(const struct kind *kind)
{
	return kind->geo.kind == SEEN_SET_MAP;
}

static bool folds(const struct kind *kind)
{
	return kind->part > 1 && !seen_set_can_fold(&kind->geo);
}

static bool sweeps(const struct kind *kind)
{
	return kind->geo.window;
}

static bool rotates(const struct kind *kind)
{
	return kind->part == 1 && kind->geo.kind == SEEN_SET_BLOOM_WINDOW;
}

/* The commands run in this order, on the same filters. @walks: visits the whole table. */
static const struct {
	const char *name;
	command *run;
	bool (*can)(const struct kind *kind);
	bool walks;
} commands[] = {
	{ "creation", command_create, any, false },
	{ "dump of two filters", command_dump, any, false },
	{ "export and import", command_export_and_import, any, true },
	{ "merge", command_merge, any, true },
	{ "sweep", command_sweep, sweeps, true },
	{ "rehash", command_rehash, is_map, true },
	{ "rotation", command_rotate, rotates, false },
	{ "fold", command_fold, folds, true },
	{ "flush", command_flush, any, false },
	{ "deletion", command_delete, any, false },
};

enum size { SIZE_SMALL, SIZE_LARGE, SIZES };

static struct seen_geometry plan(struct seen_geometry geo, u64 capacity)
{
	geo.capacity = capacity;
	if (seen_plan(&geo, MIN_TICK)) {
		printf("Bail out! no plan\n");
		exit(1);
	}
	return geo;
}

static struct seen_geometry plan_for(const struct kind *kind, enum size size)
{
	struct seen_geometry small;
	u64 capacity = UNITS;

	do {
		capacity += capacity / 8;
		small = plan(kind->geo, capacity);
	} while (seen_geometry_units(&small) < UNITS ||
		 seen_geometry_stripes(&small) < STRIPES);
	return size == SIZE_SMALL ? small : plan(kind->geo, LARGER * capacity);
}

/* --- filters -------------------------------------------------------------- */

static void add(struct seen_filter *filter, u64 n)
{
	const struct seen_geometry *geo = &filter->set.geo;
	struct seen_item item = { .hash = random_below(geo->capacity) };

	/* A bitmap's keys are positions, which are not hashed. */
	if (geo->kind != SEEN_SET_BITMAP)
		seen_item_make(geo, &filter->secret, NULL, &n, sizeof(n),
			       &item);
	if (seen_set_can_test_and_add(geo))
		seen_item_test_and_add(&filter->set, &item);
	else
		seen_item_add(&filter->set, &item);
	fake_sleep();
}

static struct seen_binding *slot_new(const char *name,
				     const struct seen_geometry *geo, u64 first,
				     u64 keys)
{
	struct seen_filter *filter = fake_filter(geo);
	u64 i;

	for (i = 0; i < keys; i++)
		add(filter, first + i);
	return seen_binding_add(&fake_sn, name, filter, false, NULL);
}

/* --- counts --------------------------------------------------------------- */

#define COMMANDS	ARRAY_SIZE(commands)
#define KINDS		ARRAY_SIZE(kinds)

static struct spans held[COMMANDS][KINDS][SIZES];

static void run(u32 kind, enum size size)
{
	struct seen_geometry geo = plan_for(&kinds[kind], size);
	u64 keys = geo.capacity / kinds[kind].part;
	struct seen_binding *binding, *other;
	u32 i;

	fake_sn_begin();
	binding = slot_new(SLOT_NAME, &geo, 0, keys);
	/* Both filters have half of their keys in common. */
	other = slot_new(OTHER_NAME, &geo, keys / 2, keys);
	for (i = 0; i < COMMANDS; i++) {
		if (!commands[i].can(&kinds[kind]))
			continue;
		spans_watch(&held[i][kind][size]);
		commands[i].run(binding, other);
		fake_run();
	}
	spans_watch(NULL);
}

/* Spans for which a packet or its grace period waits: at most as long as a search for room. */
static bool is_short(const struct spans *of)
{
	return !of->atomic && of->worst[SPAN_BH_OFF] <= MOST &&
	       of->worst[SPAN_RCU] <= MOST;
}

/* Spans for which others wait: no longer in a larger table. */
static bool is_bounded(const struct spans *of, enum span span)
{
	return of[SIZE_LARGE].worst[span] <= LIKE * of[SIZE_SMALL].worst[span];
}

/* The command has visited all of the larger table, not only a sample of constant size. */
static bool walked(const struct spans *of)
{
	return of[SIZE_LARGE].total > of[SIZE_SMALL].total * 3 / 2;
}

static bool is_good(const struct spans *of, bool walks)
{
	return is_short(&of[SIZE_SMALL]) && is_short(&of[SIZE_LARGE]) &&
	       is_bounded(of, SPAN_LOCKED) &&
	       is_bounded(of, SPAN_UNSCHEDULED) && of[SIZE_SMALL].total &&
	       (!walks || walked(of));
}

static void show(const char *name, const struct spans *of)
{
	enum span span;

	note("%s: %lu in all, %lu in the larger table; slept %lu times, %lu wrongly",
	     name, of[SIZE_SMALL].total, of[SIZE_LARGE].total,
	     of[SIZE_SMALL].atomic, of[SIZE_LARGE].atomic);
	for (span = 0; span < SPANS; span++)
		note("%s: at most %lu, %lu %s", name,
		     of[SIZE_SMALL].worst[span], of[SIZE_LARGE].worst[span],
		     span_name[span]);
}

/* Judges a command on each kind that supports it. */
static void judge(u32 command)
{
	const struct spans *of;
	bool good = true;
	u32 kind;

	for (kind = 0; kind < KINDS; kind++) {
		of = held[command][kind];
		if (!commands[command].can(&kinds[kind]) ||
		    is_good(of, commands[command].walks))
			continue;
		show(kinds[kind].name, of);
		good = false;
	}
	ok(good, "%s", commands[command].name);
}

static void tell(enum span span)
{
	u32 command, kind, worst = 0, worst_kind = 0;
	u64 most = 0;

	for (command = 0; command < COMMANDS; command++)
		for (kind = 0; kind < KINDS; kind++) {
			if (held[command][kind][SIZE_LARGE].worst[span] <= most)
				continue;
			most = held[command][kind][SIZE_LARGE].worst[span];
			worst = command;
			worst_kind = kind;
		}
	printf("# figure: held: %s at most %llu blocks of code (%s, %s)\n",
	       span_name[span], (unsigned long long)most,
	       commands[worst].name, kinds[worst_kind].name);
}

int main(void)
{
	u32 i;

	test_begin(COMMANDS);
	for (i = 0; i < KINDS; i++) {
		run(i, SIZE_SMALL);
		run(i, SIZE_LARGE);
	}
	for (i = 0; i < COMMANDS; i++)
		judge(i);
	tell(SPAN_BH_OFF);
	tell(SPAN_LOCKED);
	tell(SPAN_UNSCHEDULED);
	return test_end();
}
