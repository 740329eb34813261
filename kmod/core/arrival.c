// SPDX-License-Identifier: GPL-2.0
#include "arrival.h"
#include "cuckoo_window.h"

/* The entries of a key at one moment, the verdict, and which entries to stamp. */
struct judgement {
	struct seen_arrival_answer answer;
	struct seen_time now;
	struct seen_entry key;		/* D */
	struct seen_entry here;		/* Dp */
	bool stamp_key;
	bool stamp_here;
};

static bool arrival_older(struct seen_entry entry, u32 ticks)
{
	return !seen_entry_alive(entry) || entry.age > ticks;
}

static void arrival_judge_none(struct judgement *j)
{
	j->answer.result = seen_entry_alive(j->key) ? SEEN_ARRIVAL_REPEAT
						    : SEEN_ARRIVAL_NEW;
	j->stamp_key = true;
	j->stamp_here = true;
}

/*
 * Rules with @restamp (profiles loop and relay). If the last frame that was let through
 * arrived on this port, Dp is at least as young as D.
 */
static void arrival_judge_loop(struct judgement *j, const struct seen_arrival_rule *rule)
{
	if (rule->same && !arrival_older(j->here, rule->same)) {
		j->answer.result = SEEN_ARRIVAL_DUP_SAME;
		j->stamp_here = rule->extend;
	} else if (!arrival_older(j->key, rule->other) &&
		   arrival_older(j->here, j->key.age)) {
		j->answer.result = SEEN_ARRIVAL_DUP_OTHER;
		j->stamp_here = rule->extend && seen_entry_alive(j->here);
	} else {
		j->answer.result = seen_entry_alive(j->key) ?
				   SEEN_ARRIVAL_REPEAT : SEEN_ARRIVAL_NEW;
		j->stamp_key = true;
		j->stamp_here = true;
	}
}

/* Rules without @restamp (verdicts dup and other-port). */
static void arrival_judge_window(struct judgement *j, const struct seen_arrival_rule *rule,
				 bool refresh)
{
	if (!seen_entry_alive(j->key)) {
		j->answer.result = SEEN_ARRIVAL_NEW;
		j->stamp_key = true;
		j->stamp_here = true;
		return;
	}

	j->answer.result = SEEN_ARRIVAL_REPEAT;
	if (!seen_entry_alive(j->here)) {
		if (!arrival_older(j->key, rule->other))
			j->answer.result = SEEN_ARRIVAL_DUP_OTHER;
	} else if (rule->same && !arrival_older(j->here, rule->same)) {
		j->answer.result = SEEN_ARRIVAL_DUP_SAME;
	}
	j->stamp_key = refresh;
	j->stamp_here = refresh && seen_entry_alive(j->here);
}

/*
 * The first port on which the key arrived since D was stamped: the port of the oldest
 * Dp that is not older than D. The fingerprint of another key may look like a Dp;
 * longer fingerprints make this rarer.
 */
static u32 arrival_first_port(const struct seen_set *set,
			      const struct seen_place *place,
			      const struct judgement *j)
{
	u32 first = 0;
	u32 oldest = 0;
	u32 slot, port, age;

	for (slot = 0; slot < place->slots; slot++) {
		port = seen_cuckoo_window_fp(set, place, slot) ^ place->fp;
		age = seen_cuckoo_window_age(set, place, slot, &j->now);
		if (!port || port > SEEN_ARRIVAL_MAX || age > j->key.age)
			continue;
		if (!first || age > oldest || (age == oldest && port < first)) {
			first = port;
			oldest = age;
		}
	}
	return first;
}

static void arrival_find(const struct seen_set *set, const struct seen_place *place,
			 u32 port, struct judgement *j)
{
	*j = (struct judgement) { .now = seen_cuckoo_window_time(set) };
	j->key = seen_cuckoo_window_find(set, place, place->fp, &j->now);
	j->here = seen_cuckoo_window_find(set, place, place->fp ^ port, &j->now);
}

/* @rule: NULL to record without judging */
static void arrival_judge(const struct seen_set *set, const struct seen_place *place,
			  u32 port, const struct seen_arrival_rule *rule,
			  struct judgement *j)
{
	arrival_find(set, place, port, j);
	if (seen_cuckoo_window_stale(set, &j->now)) {
		j->answer.result = SEEN_ARRIVAL_STALE;
		return;
	}

	if (!rule)
		arrival_judge_none(j);
	else if (rule->restamp)
		arrival_judge_loop(j, rule);
	else
		arrival_judge_window(j, rule, set->geo.refresh);

	if (j->answer.result == SEEN_ARRIVAL_DUP_OTHER)
		j->answer.first = arrival_first_port(set, place, j);
	else if (j->answer.result != SEEN_ARRIVAL_NEW && seen_entry_alive(j->here))
		j->answer.first = port;
	if (seen_entry_alive(j->key))
		j->answer.since = (j->now.tick - j->key.age) * set->geo.tick;

	/* Restamp at most once per tick. */
	j->stamp_key = j->stamp_key && j->key.age;
	j->stamp_here = j->stamp_here && j->here.age;
	j->answer.pending = j->stamp_key || j->stamp_here;
}

struct seen_arrival_answer seen_arrival_peek(struct seen_set *set, u64 hash, u32 port,
					     const struct seen_arrival_rule *rule)
{
	const struct seen_place place = seen_cuckoo_window_place(set, hash);
	struct seen_pair_seq seq;
	struct judgement j;
	int tries;

	for (tries = 0; tries < SEEN_PAIR_TRIES; tries++) {
		seq = seen_pair_look(&place.pair);
		arrival_judge(set, &place, port, rule, &j);
		if (seen_pair_calm(&place.pair, seq))
			return j.answer;
	}

	seen_pair_lock(&place.pair);
	arrival_judge(set, &place, port, rule, &j);
	seen_pair_unlock(&place.pair);
	return j.answer;
}

static void arrival_write(struct seen_set *set, const struct seen_place *place,
			  struct seen_entry entry, u32 slot, u32 fp,
			  const struct seen_time *now)
{
	if (seen_entry_alive(entry))
		seen_cuckoo_window_stamp(place, slot, now->stamp);
	else
		seen_cuckoo_window_store(set, place, slot, fp, now);
}

/* Store both entries or neither. Return: false if there is no room for a new entry. */
static bool arrival_record(struct seen_set *set, const struct seen_place *place,
			   u32 port, const struct judgement *j)
{
	u32 key = j->key.slot;
	u32 here = j->here.slot;

	if (j->stamp_key && key == SEEN_SLOT_NONE) {
		key = seen_cuckoo_window_pick(set, place, here, &j->now);
		if (key == SEEN_SLOT_NONE)
			return false;
	}
	if (j->stamp_here && here == SEEN_SLOT_NONE) {
		here = seen_cuckoo_window_pick(set, place, key, &j->now);
		if (here == SEEN_SLOT_NONE)
			return false;
	}

	seen_pair_write_begin(&place->pair);
	if (j->stamp_key)
		arrival_write(set, place, j->key, key, place->fp, &j->now);
	if (j->stamp_here)
		arrival_write(set, place, j->here, here, place->fp ^ port, &j->now);
	seen_pair_write_end(&place->pair);
	return true;
}

static bool arrival_renews(const struct seen_set *set, const struct judgement *j)
{
	return j->stamp_key && seen_entry_alive(j->key) &&
	       seen_cuckoo_window_renews(set, j->key.age, &j->now);
}

struct seen_arrival_answer seen_arrival_commit(struct seen_set *set, u64 hash,
					       u32 port,
					       const struct seen_arrival_rule *rule)
{
	const struct seen_place place = seen_cuckoo_window_place(set, hash);
	struct judgement j;

	seen_pair_lock(&place.pair);
	arrival_judge(set, &place, port, rule, &j);
	if (j.answer.pending && !arrival_record(set, &place, port, &j))
		j.answer.result = SEEN_ARRIVAL_FULL;
	else
		j.answer.renewed = arrival_renews(set, &j);
	seen_pair_unlock(&place.pair);

	j.answer.pending = false;
	return j.answer;
}

struct seen_arrival_answer seen_arrival_record(struct seen_set *set, u64 hash, u32 port)
{
	struct seen_arrival_answer answer = seen_arrival_peek(set, hash, port, NULL);

	if (answer.pending)
		answer = seen_arrival_commit(set, hash, port, NULL);
	return answer;
}

u32 seen_arrival_ticks(const struct seen_geometry *geo, u64 ns)
{
	u64 ticks = (ns + geo->tick - 1) / geo->tick;

	return ticks < geo->ticks ? ticks : geo->ticks;
}
