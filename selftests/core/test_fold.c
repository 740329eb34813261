// SPDX-License-Identifier: GPL-2.0
/*
 * A folded filter equals a filter that was made with the smaller size: no key is lost, and
 * the rate is kept; keys are added while it is folded.
 */
#include "sets.h"

static struct seen_set *folded(struct seen_set *set, u64 keys)
{
	struct seen_geometry geo;
	struct seen_set *small;
	u64 at = 0;

	if (!seen_fold_plan(set, keys, &geo))
		return NULL;
	small = set_new(&geo);
	do {
		at = seen_set_fold(set, small, at, 1000);
	} while (at);
	return small;
}

static void rate(const char *name, struct seen_set *set, u64 keys)
{
	u64 others = scale(4000000), hits = 0;
	u64 i;

	for (i = 0; i < others; i++)
		hits += seen_set_test(set, hash_of(2, i)) == SEEN_SEEN;
	note("%s: %llu keys, %llu bytes, rate %.4g, promised %.4g", name,
	     (unsigned long long)keys,
	     (unsigned long long)seen_geometry_bytes(&set->geo),
	     (double)hits / others, (double)set->geo.fpp / FPP_ONE);
	ok(rate_kept(hits, others, set->geo.fpp), "%s: the rate is kept", name);
}

/* Sized for a hundred times what it holds. */
static void smallest(const struct kind *kind)
{
	u64 capacity = scale(10000000), keys = capacity / 100;
	struct seen_set *set = kind_new(kind, capacity);
	struct seen_geometry fresh = kind->geo;
	struct seen_set *small, *again;
	u64 bytes;

	add_all(set, 1, 0, keys);
	small = folded(set, 0);
	ok(small, "%s: it folds", kind->name);
	fresh.capacity = keys;
	seen_plan(&fresh, MIN_TICK);
	bytes = seen_geometry_bytes(&fresh);
	ok(small->geo.fold >= 90 &&
	   seen_geometry_bytes(&small->geo) <=
	   bytes + bytes / 50 + SEEN_LINE_BYTES,
	   "%s: by %u, to the size of one for %llu keys", kind->name,
	   small->geo.fold, (unsigned long long)keys);
	ok(!seen_geometry_check(&small->geo), "%s: a geometry to import",
	   kind->name);
	ok(!missed(small, 1, 0, keys), "%s: every key is seen", kind->name);
	rate(kind->name, small, keys);
	ok(!folded(small, 0), "%s: the filter cannot be made smaller", kind->name);
	set_free(small);

	small = folded(set, keys * 10);
	add_all(small, 1, keys, keys * 10);
	ok(!missed(small, 1, 0, keys * 10),
	   "%s: with room for ten times as many, they fit", kind->name);
	rate(kind->name, small, keys * 10);
	again = folded(set, keys * 40);
	set_free(small);
	small = folded(again, 0);
	ok(small && !missed(small, 1, 0, keys), "%s: a folded filter folds again",
	   kind->name);
	set_free(small);
	set_free(again);
	set_free(set);
}

/* Keys that come before, during and after; each is new once, and stays. */
static void mirrored(const struct kind *kind)
{
	u64 capacity = scale(1000000), keys = capacity / 50;
	struct seen_set *set = kind_new(kind, capacity);
	struct seen_geometry geo;
	struct seen_set *small;
	u64 next = keys / 4;
	u64 new, at = 0;

	new = add_all(set, 1, 0, next);
	ok(seen_fold_plan(set, keys, &geo), "%s: a plan", kind->name);
	small = set_new(&geo);
	seen_set_mirror(set, small);
	do {
		at = seen_set_fold(set, small, at, 50);
		if (next < keys / 2) {
			new += add_all(set, 1, next, next + 20);
			next += 20;
		}
	} while (at);
	seen_set_mirror_judges(set);
	new += add_all(set, 1, 0, keys * 3 / 4);
	ok(!missed(small, 1, 0, keys * 3 / 4),
	   "%s: keys added meanwhile are in the smaller filter", kind->name);
	/* Somebody uses the new one already. */
	new += add_all(small, 1, keys * 3 / 4, keys);
	new += add_all(set, 1, keys * 3 / 4, keys);
	ok(new <= keys && rate_kept(keys - new, keys, set->geo.fpp),
	   "%s: each key was new once (%llu of %llu)", kind->name,
	   (unsigned long long)new, (unsigned long long)keys);
	seen_set_mirror(set, NULL);
	seen_set_test_and_add(set, hash_of(3, 0));
	ok(seen_set_test(small, hash_of(3, 0)) == SEEN_NEW,
	   "%s: other keys are not seen", kind->name);
	set_free(small);
	set_free(set);
}

/* What finds room in the larger one is new there, and not lost in the smaller. */
static void overflowing(const struct kind *kind)
{
	u64 keys = scale(20000);
	struct seen_set *set = kind_new(kind, 4 * keys);
	struct seen_geometry geo;
	struct seen_set *small;
	u64 new, at = 0;

	add_all(set, 1, 0, keys / 2);
	seen_fold_plan(set, keys, &geo);
	small = set_new(&geo);
	seen_set_mirror(set, small);
	new = add_all(set, 1, keys / 2, 2 * keys);
	do {
		at = seen_set_fold(set, small, at, 50);
	} while (at);
	ok(new >= 3 * keys / 2 - keys / 20 && !missed(small, 1, 0, 2 * keys),
	   "%s: a mirror takes %llu keys beyond its capacity", kind->name,
	   (unsigned long long)(new - keys / 2));
	seen_set_mirror(set, NULL);
	ok(seen_set_full(small) && !add_all(small, 3, 0, 10),
	   "%s: after the fold it is full", kind->name);
	set_free(small);
	set_free(set);
}

/*
 * A new key has its whole window in the smaller filter, even if that filter takes it for
 * an earlier key.
 */
static void lasting(const struct kind *kind)
{
	u64 keys = scale(20000), fresh = scale(40000);
	struct seen_set *set = kind_new(kind, 8 * keys);
	u64 tick = set->geo.tick, taken = 0, lost = 0;
	bool *new = calloc(fresh, sizeof(*new));
	struct seen_geometry geo;
	struct seen_set *small;
	u64 i, at = 0;

	add_all(set, 1, 0, keys);
	seen_fold_plan(set, keys, &geo);
	small = set_new(&geo);
	seen_set_mirror(set, small);
	add_all(set, 1, keys, 4 * keys);
	do {
		at = seen_set_fold(set, small, at, 50);
	} while (at);

	clock_add(tick + tick / 2);
	for (i = 0; i < fresh; i++) {
		taken += seen_set_test(small, hash_of(3, i)) == SEEN_SEEN;
		new[i] = seen_set_test_and_add(set, hash_of(3, i)) == SEEN_NEW;
	}
	seen_set_mirror(set, NULL);
	clock_add(kind->geo.window - 1);
	for (i = 0; i < fresh; i++)
		lost += new[i] &&
			seen_set_test(small, hash_of(3, i)) != SEEN_SEEN;
	ok(taken > fresh / 100 && !lost,
	   "%s: new keys stay for the window (%llu lost, %llu false positives)",
	   kind->name, (unsigned long long)lost, (unsigned long long)taken);
	free(new);
	set_free(small);
	set_free(set);
}

int main(void)
{
	u32 i;

	test_begin(3 * (9 + 4 + 2) + 1 + 1);
	for (i = 0; i < 3; i++)
		smallest(&kinds[i]);
	for (i = 0; i < 3; i++)
		mirrored(&kinds[i]);
	for (i = 0; i < 3; i++)
		overflowing(&kinds[i]);
	lasting(&kinds[2]);
	ok(!strcmp(seen_set_can_fold(&kinds[5].geo), "type"),
	   "a cuckoo filter has no smaller one");
	return test_end();
}
