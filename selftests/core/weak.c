// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "weak.h"

#define SITES	32

struct weak weak;
u32 weak_places;

/* Where orders were asked for. */
static struct site {
	const char *file;
	int line;
	enum seen_shim_order order;
} sites[SITES];
static u32 site_count;

static const char * const order_names[] = {
	[SEEN_SHIM_ACQUIRE] = "acquire",
	[SEEN_SHIM_DEPEND] = "dependency",
	[SEEN_SHIM_RELEASE] = "release",
	[SEEN_SHIM_FULL] = "atomic",
	[SEEN_SHIM_RMB] = "smp_rmb",
	[SEEN_SHIM_WMB] = "smp_wmb",
	[SEEN_SHIM_MB] = "smp_mb",
	[SEEN_SHIM_GRACE] = "grace period",
};

static void tell_sites(void)
{
	u32 i;

	for (i = 0; i < site_count; i++)
		printf("# site %s:%d %s\n", sites[i].file, sites[i].line,
		       order_names[sites[i].order]);
}

static const char *base_name(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

static void note_site(enum seen_shim_order order, const char *file, int line)
{
	u32 i;

	for (i = 0; i < site_count; i++)
		if (sites[i].line == line && !strcmp(sites[i].file, file))
			return;
	if (!site_count)
		atexit(tell_sites);
	if (site_count == SITES) {
		printf("Bail out! too many sites\n");
		exit(1);
	}
	sites[site_count++] = (struct site) { file, line, order };
}

static const char *ignored;

bool weak_hunts(void)
{
	return ignored;
}

enum seen_shim_order weak_order(enum seen_shim_order order, const char *file,
				int line)
{
	static char here[64];

	if (order == SEEN_SHIM_RELAXED || order == SEEN_SHIM_RMW)
		return order;
	file = base_name(file);
	note_site(order, file, line);
	if (!ignored)
		return order;
	snprintf(here, sizeof(here), "%s:%d", file, line);
	if (strcmp(ignored, here))
		return order;
	if (order == SEEN_SHIM_DEPEND)
		return SEEN_SHIM_LOOSE;
	return order == SEEN_SHIM_FULL ? SEEN_SHIM_RMW : SEEN_SHIM_RELAXED;
}

void weak_begin(void)
{
	weak_places = 0;
	ignored = getenv("SITE");
}

static void join(struct view *to, const struct view *from)
{
	u32 i;

	for (i = 0; i < weak_places; i++)
		if (to->at[i] < from->at[i])
			to->at[i] = from->at[i];
}

void weak_reset(void)
{
	u32 i;

	memset(weak.mind, 0, sizeof(weak.mind));
	memset(&weak.all, 0, sizeof(weak.all));
	for (i = 0; i < weak_places; i++) {
		weak.place[i].count = 0;
		memset(&weak.place[i].newest, 0, sizeof(struct view));
		memset(&weak.place[i].stores, 0, sizeof(struct view));
	}
}

int weak_place(const volatile void *memory)
{
	if (weak_places == PLACES) {
		printf("Bail out! too many places\n");
		exit(1);
	}
	weak.place[weak_places] = (struct place) { .memory = memory };
	return weak_places++;
}

static u64 in_memory(const struct place *p)
{
	u64 value = 0;

	memcpy(&value, (const void *)p->memory, p->bytes);
	return value;
}

/* All accesses to a word must have the same size. */
struct place *weak_word(int place, u32 bytes)
{
	struct place *p = &weak.place[place];

	if (p->bytes && p->bytes != bytes) {
		printf("Bail out! a word of %u and %u bytes\n", p->bytes, bytes);
		exit(1);
	}
	p->bytes = bytes;
	return p;
}

static u64 value_at(const struct place *p, u32 at)
{
	return at < p->count ? p->old[at].value : in_memory(p);
}

/*
 * Of equal values only the oldest is a choice: it carries the oldest view, so it allows
 * all results that a newer one allows.
 */
static bool is_choice(const struct place *p, u32 oldest, u32 at)
{
	u32 i;

	for (i = oldest; i < at; i++)
		if (value_at(p, i) == value_at(p, at))
			return false;
	return true;
}

u32 weak_values(int actor, int place)
{
	const struct place *p = &weak.place[place];
	u32 oldest = weak.mind[actor].now.at[place];
	u32 count = 0;
	u32 at;

	for (at = oldest; at <= p->count; at++)
		count += is_choice(p, oldest, at);
	return count;
}

static u32 chosen(int actor, int place, u32 choice)
{
	const struct place *p = &weak.place[place];
	u32 oldest = weak.mind[actor].now.at[place];
	u32 at = oldest;

	while (!is_choice(p, oldest, at) || choice--)
		at++;
	return at;
}

u64 weak_load(int actor, int place, u32 bytes, u32 choice,
	      enum seen_shim_order order)
{
	struct place *p = weak_word(place, bytes);
	struct mind *mind = &weak.mind[actor];
	u32 at = chosen(actor, place, choice);
	const struct view *view = at < p->count ? &p->old[at].view : &p->newest;

	mind->now.at[place] = at;
	/* Plain accesses are not modelled, so they must be complete before any fence. */
	if (order != SEEN_SHIM_LOOSE)
		join(&mind->met, view);
	if (order == SEEN_SHIM_ACQUIRE ||
	    (order == SEEN_SHIM_DEPEND && value_at(p, at)))
		join(&mind->now, view);
	return value_at(p, at);
}

static void full(struct mind *mind)
{
	join(&mind->now, &mind->met);
	join(&mind->now, &weak.all);
	weak.all = mind->now;
	mind->told = mind->now;
}

void weak_store(int actor, int place, u32 bytes, enum seen_shim_order order)
{
	struct place *p = weak_word(place, bytes);
	struct mind *mind = &weak.mind[actor];
	struct view view;

	if (p->count == OLD) {
		printf("Bail out! too many values of one word\n");
		exit(1);
	}
	p->old[p->count++] = (struct message) { in_memory(p), p->newest };
	if (order == SEEN_SHIM_RMW || order == SEEN_SHIM_FULL)
		join(&mind->met, &p->newest);
	mind->now.at[place] = p->count;
	mind->wrote.at[place] = p->count;
	if (order == SEEN_SHIM_FULL)
		full(mind);

	view = order == SEEN_SHIM_RELEASE ? mind->now : mind->told;
	view.at[place] = p->count;
	/* An atomic update continues the release sequence of the value that it replaces. */
	if (order == SEEN_SHIM_RMW || order == SEEN_SHIM_FULL)
		join(&view, &p->newest);
	p->newest = view;
}

/* No actor reads the older values of a lock. */
void weak_lock(int actor, int place, enum seen_shim_order order)
{
	struct place *p = &weak.place[place];
	struct mind *mind = &weak.mind[actor];

	if (order == SEEN_SHIM_ACQUIRE) {
		join(&mind->now, &p->newest);
		join(&mind->told, &p->stores);
	} else if (order == SEEN_SHIM_RELEASE) {
		join(&p->newest, &mind->now);
		join(&p->stores, &mind->told);
		join(&p->stores, &mind->wrote);
	}
}

void weak_fence(int actor, enum seen_shim_order order)
{
	struct mind *mind = &weak.mind[actor];

	if (order == SEEN_SHIM_RMB)
		join(&mind->now, &mind->met);
	else if (order == SEEN_SHIM_WMB)
		join(&mind->told, &mind->wrote);
	else if (order == SEEN_SHIM_MB)
		full(mind);
}

static void lower(struct view *view, u32 place, u32 by)
{
	view->at[place] -= view->at[place] < by ? view->at[place] : by;
}

static void lower_all(u32 place, u32 by)
{
	struct mind *mind;
	u32 i, j;

	lower(&weak.all, place, by);
	for (i = 0; i < ACTORS_MAX; i++) {
		mind = &weak.mind[i];
		lower(&mind->now, place, by);
		lower(&mind->met, place, by);
		lower(&mind->wrote, place, by);
		lower(&mind->told, place, by);
	}
	for (i = 0; i < weak_places; i++) {
		lower(&weak.place[i].newest, place, by);
		lower(&weak.place[i].stores, place, by);
		for (j = 0; j < weak.place[i].count; j++)
			lower(&weak.place[i].old[j].view, place, by);
	}
}

void weak_prune(u32 actors)
{
	struct place *p;
	u32 i, by;
	int actor;

	for (i = 0; i < weak_places; i++) {
		p = &weak.place[i];
		by = p->count;
		for (actor = 0; actor < ACTORS_MAX; actor++)
			if (actors & 1U << actor &&
			    weak.mind[actor].now.at[i] < by)
				by = weak.mind[actor].now.at[i];
		if (!by)
			continue;
		p->count -= by;
		memmove(p->old, p->old + by, p->count * sizeof(*p->old));
		lower_all(i, by);
	}
}

static u64 hash_view(u64 hash, const struct view *view)
{
	u32 i;

	for (i = 0; i < weak_places; i++)
		if (view->at[i])
			hash = seen_remix(hash ^ (i << 8 | view->at[i])) + 1;
	return seen_remix(hash + 3);
}

u64 weak_hash(u64 hash, u32 actors)
{
	const struct place *p;
	u32 i, j;

	for (i = 0; i < weak_places; i++) {
		p = &weak.place[i];
		hash = seen_remix(hash ^ p->count) + 5;
		for (j = 0; j < p->count; j++) {
			hash = seen_remix(hash ^ p->old[j].value) + 7;
			hash = hash_view(hash, &p->old[j].view);
		}
		hash = hash_view(hash, &p->newest);
		hash = hash_view(hash, &p->stores);
	}
	for (i = 0; i < ACTORS_MAX; i++) {
		if (!(actors & 1U << i))
			continue;
		hash = hash_view(hash, &weak.mind[i].now);
		hash = hash_view(hash, &weak.mind[i].met);
		hash = hash_view(hash, &weak.mind[i].wrote);
		hash = hash_view(hash, &weak.mind[i].told);
	}
	return hash_view(hash, &weak.all);
}
