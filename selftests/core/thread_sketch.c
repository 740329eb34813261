// SPDX-License-Identifier: GPL-2.0
/*
 * Sketches with threads: no count is ever too low while other threads add the same keys,
 * and keys that share counters with them, with plain and with conservative updates, while
 * generations change and the sweep runs. The list of the heaviest keys has no torn keys.
 */
#include <string.h>

#include "clock.h"
#include "item.h"
#include "kinds.h"
#include "test.h"
#include "top.h"

enum { THREADS = 4 };

enum family { SHARED, OWN, HOT };

static const struct kind {
	enum seen_set_kind kind;
	bool conservative;
	const char *name;
} kinds[] = {
	{ SEEN_SET_CMS, false, "cms" },
	{ SEEN_SET_CMS, true, "cms conservative" },
	{ SEEN_SET_CMM, false, "cmm" },
};

static struct seen_set *planned(const struct kind *kind, u64 capacity,
				u64 window)
{
	return set_planned((struct seen_geometry) {
		.kind = kind->kind,
		.conservative = kind->conservative,
		.capacity = capacity,
		.fpp = FPP_ONE / 100,
		.window = window,
	});
}

static void add_up(u64 *sum, u64 n)
{
	__atomic_fetch_add(sum, n, __ATOMIC_RELAXED);
}

/* Keys that all threads add, so that they meet, and keys of their own. */
struct crowd {
	struct seen_set *set;
	u64 keys;
	u64 rounds;
	u64 low;
};

static void add_all(int id, void *arg)
{
	struct crowd *crowd = arg;
	struct seen_set *set = crowd->set;
	u64 i, n, low = 0;

	for (i = 1; i <= crowd->rounds; i++)
		for (n = 0; n < crowd->keys; n++) {
			low += seen_sketch_add(set, hash_of(SHARED, n)) < i;
			low += seen_sketch_add(set, hash_of(OWN + id, n)) < i;
			low += seen_set_count(set, hash_of(SHARED, n)) < i;
		}
	add_up(&crowd->low, low);
}

/* With few counters all keys share them; with many, none does: counts are exact. */
static void test_crowd(const struct kind *kind, u64 capacity, u64 window)
{
	struct crowd crowd = {
		.set = planned(kind, capacity, window),
		.keys = 20,
		.rounds = scale(20000),
	};
	bool room = capacity > 100;
	u64 wrong = 0, n, count;
	int id;

	in_threads(THREADS, add_all, &crowd);
	for (n = 0; n < crowd.keys; n++) {
		count = seen_set_count(crowd.set, hash_of(SHARED, n));
		wrong += count < THREADS * crowd.rounds;
		wrong += room && count != THREADS * crowd.rounds;
		for (id = 0; id < THREADS; id++) {
			count = seen_set_count(crowd.set, hash_of(OWN + id, n));
			wrong += count < crowd.rounds;
			wrong += room && count != crowd.rounds;
		}
	}
	ok(!crowd.low && !wrong, "%s%s, %s: no count is too low%s", kind->name,
	   window ? " with a window" : "", room ? "room" : "no room",
	   room ? " or too high" : "");
	ok(seen_sketch_total(crowd.set) ==
	   2 * THREADS * crowd.keys * crowd.rounds, "the total is exact");
	set_free(crowd.set);
}

/*
 * All threads add one shared key, and each adds a key of its own, while the clock runs. The
 * time of an add is between two readings of the clock. This gives the lowest and the
 * highest right count.
 */
enum { MANY = 4096 };

struct sighting {
	u64 from;
	u64 to;
};

struct log {
	struct sighting at[MANY];
	u64 count;
};

struct turn {
	struct seen_set *set;
	struct log hot[THREADS];
	struct log own[THREADS];
	u64 wrong;
	u64 asked;
};

static void add_at(struct seen_set *set, struct log *log, u64 hash)
{
	u64 from = seen_now();

	seen_sketch_add(set, hash);
	log->at[log->count++ % MANY] = (struct sighting) { from, seen_now() };
}

static u64 since(const struct log *log, u64 moment, bool sure)
{
	u64 first = log->count > MANY ? log->count - MANY : 0;
	u64 sum = 0, i;

	for (i = log->count; i > first; i--) {
		if (log->at[(i - 1) % MANY].to < moment)
			break;
		sum += !sure || log->at[(i - 1) % MANY].from >= moment;
	}
	return sum;
}

/* Where a thread asks for its own key, nobody else adds it. */
static void ask_own(struct turn *turn, int id)
{
	struct seen_set *set = turn->set;
	u64 window = set->geo.window;
	u64 before = seen_now();
	u32 count = seen_set_count(set, hash_of(OWN, id));
	u64 after = seen_now();

	add_up(&turn->wrong,
	       count < since(&turn->own[id], after - window, true) ||
	       count > since(&turn->own[id],
			     before - window - set->geo.tick, false));
	add_up(&turn->asked, 1);
}

static void add_and_turn(int id, void *arg)
{
	struct turn *turn = arg;
	u64 from = 0;
	u64 i;

	for (i = 0; i < MANY / 4; i++) {
		add_at(turn->set, &turn->hot[id], hash_of(HOT, 0));
		if (!(i % 4))
			add_at(turn->set, &turn->own[id], hash_of(OWN, id));
		if (!(i % 16))
			ask_own(turn, id);
		clock_add(turn->set->geo.tick / 700);
		if (!id)
			from = seen_set_sweep(turn->set, from, 64);
	}
}

static void test_turn(const struct kind *kind)
{
	static struct turn turn;
	u64 end = deadline(5);
	u64 window, least, most, rounds = 0, count;
	int id;

	memset(&turn, 0, sizeof(turn));
	turn.set = planned(kind, 5000, SECOND);
	window = turn.set->geo.window;
	do {
		in_threads(THREADS, add_and_turn, &turn);
		least = 0;
		most = 0;
		for (id = 0; id < THREADS; id++) {
			least += since(&turn.hot[id], test_clock - window,
				       true);
			most += since(&turn.hot[id], test_clock - window -
				      turn.set->geo.tick, false);
		}
		count = seen_set_count(turn.set, hash_of(HOT, 0));
		turn.wrong += count < least || count > most || !least;
		rounds++;
	} while (!passed(end));
	ok(!turn.wrong,
	   "%s: right while generations change, %llu rounds, %llu tests",
	   kind->name, (unsigned long long)rounds,
	   (unsigned long long)turn.asked);
	set_free(turn.set);
}

/* A key's bytes say which it is. */
static struct seen_item item_of(u64 n)
{
	struct seen_item item = {
		.hash = hash_of(SHARED, n),
		.len = SEEN_ITEM_KEY_MAX,
	};
	u32 i;

	for (i = 0; i < SEEN_ITEM_KEY_MAX; i++)
		item.key[i] = seen_remix(n) >> i % 57;
	memcpy(item.key, &n, sizeof(n));
	return item;
}

static bool whole(const struct seen_item *item)
{
	struct seen_item was;
	u64 n;

	memcpy(&n, item->key, sizeof(n));
	was = item_of(n);
	return was.hash == item->hash && was.len == item->len &&
	       !memcmp(was.key, item->key, sizeof(was.key));
}

struct listing {
	struct seen_set *set;
	u64 end;
	u64 wrong;
	u64 listed;
};

/* Those with a low number come more often, and others are heavy each time. */
static void note_keys(struct listing *l, int id)
{
	u64 state = id, i, n;
	struct seen_item item;
	u32 count;

	for (i = 0; go_on(i, l->end); i++) {
		state += 0x9e3779b97f4a7c15ULL;
		n = seen_range64(seen_remix(state), 40) *
		    seen_range64(seen_remix(~state), 40);
		item = item_of(n + i / 2000);
		seen_item_add_count(l->set, &item, 0, &count);
		clock_add(l->set->geo.tick / 3000);
	}
}

static void list_keys(struct listing *l)
{
	struct seen_top_entry list[16];
	u32 count, k;
	u64 i;

	for (i = 0; go_on(i, l->end); i++) {
		count = seen_top_list(l->set, list, ARRAY_SIZE(list));
		for (k = 0; k < count; k++)
			l->wrong += !whole(&list[k].item) ||
				    (k && list[k].count > list[k - 1].count);
		l->listed += count;
	}
}

static void note_or_list(int id, void *arg)
{
	if (id)
		note_keys(arg, id);
	else
		list_keys(arg);
}

static void test_list(const struct kind *kind, u64 window)
{
	struct listing l = { .end = deadline(3) };
	struct seen_geometry geo = {
		.kind = kind->kind,
		.conservative = kind->conservative,
		.capacity = 100000,
		.fpp = FPP_ONE / 100,
		.window = window,
		.top = 8,
		.key_bytes = SEEN_ITEM_KEY_MAX,
	};
	u64 bytes;

	l.set = set_planned(geo);
	bytes = seen_top_bytes(&l.set->geo);
	l.set->top = aligned_alloc(SEEN_LINE_BYTES, bytes);
	memset(l.set->top, 0, bytes);
	in_threads(THREADS, note_or_list, &l);
	ok(!l.wrong && l.listed, "%s%s: %llu listed, in order and not torn",
	   kind->name, window ? " with a window" : "",
	   (unsigned long long)l.listed);
	free(l.set->top);
	set_free(l.set);
}

int main(void)
{
	u32 i;

	test_begin(2 * 8 + 3 * ARRAY_SIZE(kinds));
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (kinds[i].kind == SEEN_SET_CMS) {
			test_crowd(&kinds[i], 3, 0);
			test_crowd(&kinds[i], 3, SECOND);
			test_crowd(&kinds[i], 10000, 0);
			test_crowd(&kinds[i], 10000, SECOND);
		}
		test_turn(&kinds[i]);
		test_list(&kinds[i], 0);
		test_list(&kinds[i], SECOND);
	}
	return test_end();
}
