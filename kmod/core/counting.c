// SPDX-License-Identifier: GPL-2.0
/*
 * Counting Bloom filter: counters instead of bits, so that keys can be deleted (Fan,
 * Cao, Almeida and Broder, "Summary cache", 2000). A key's counters lie in one 64-byte
 * line, one in each of geo.hashes neighbouring words; the line's eight words form a
 * circle. The key's count is the minimum of its counters. A lookup is one cache miss.
 *
 * Counters have 4 bits. A counter that reaches 15 sticks there: it may stand for any
 * number of keys from then on, so it is never decremented again.
 *
 * All writers of a line hold its stripe, so plain stores of whole words suffice. An add
 * raises the key's counters, and a del lowers counters that an add has raised. So a
 * reader that runs during an add or a del never finds a count of another key that is too
 * low.
 *
 * If keys are deleted, a count of distinct keys would be wrong. A key that is seen only
 * because of other keys would not be counted when it is added. After these keys are
 * deleted, deleting that key would be counted. Such errors would add up for as long as
 * a set is in use. So the load is the number of counters in use, which depends on the
 * table alone. It determines the false-positive rate, and the number of keys that use
 * so many counters on average.
 *
 * Direction of error: a new key is reported as seen, and counts are too high, at the
 * planned rate. A key that was never added but is reported as seen by mistake must not
 * be deleted: that lowers the counters of added keys, which may then no longer be seen.
 */
#include "block.h"
#include "keycount.h"
#include "kinds.h"

#define WORDS		8	/* of a line */
#define COUNTER_BITS	4
/* The lowest bit of each counter of a word, and all bits of every second counter. */
#define ONES		0x1111111111111111ULL
#define EVEN		0x0f0f0f0f0f0f0f0fULL

/*
 * A key's counters: the line, its words, the first word used, and @pick, which chooses
 * the counter in each word.
 */
struct place {
	u64 line;
	u64 *words;
	u32 first;
	u32 pick;
};

static struct place counting_locate(const struct seen_set *set, u64 hash)
{
	u64 line = seen_range(hash, set->geo.blocks);
	u64 mix = seen_remix(hash);

	return (struct place) {
		.line = line,
		.words = (u64 *)set->table + line * WORDS,
		.first = mix >> 61,
		.pick = mix,
	};
}

static u64 *counting_word_of(const struct place *place, u32 i)
{
	return place->words + (place->first + i) % WORDS;
}

static u32 counting_shift_of(const struct place *place, u32 i)
{
	return COUNTER_BITS * (place->pick >> COUNTER_BITS * i & 15);
}

static u32 counting_count(const struct seen_set *set, const struct place *place)
{
	u32 least = SEEN_COUNTING_MAX;
	u32 i, n;

	for (i = 0; i < set->geo.hashes; i++) {
		n = READ_ONCE(*counting_word_of(place, i)) >>
			    counting_shift_of(place, i) &
		    15;
		if (n < least)
			least = n;
	}
	return least;
}

/* Count a key once more; caller holds the stripe. Return: counters that were 0. */
static u32 counting_raise(struct seen_set *set, const struct place *place)
{
	u32 i, n, shift, begun = 0;
	u64 *word;

	for (i = 0; i < set->geo.hashes; i++) {
		word = counting_word_of(place, i);
		shift = counting_shift_of(place, i);
		n = *word >> shift & 15;
		begun += !n;
		if (n != SEEN_COUNTING_MAX)
			WRITE_ONCE(*word, *word + (1ULL << shift));
	}
	return begun;
}

/* Undo one count of a key whose count is not 0. Return: counters that are now 0. */
static u32 counting_lower(struct seen_set *set, const struct place *place)
{
	u32 i, n, shift, ended = 0;
	u64 *word;

	for (i = 0; i < set->geo.hashes; i++) {
		word = counting_word_of(place, i);
		shift = counting_shift_of(place, i);
		n = *word >> shift & 15;
		ended += n == 1;
		if (n != SEEN_COUNTING_MAX)
			WRITE_ONCE(*word, *word - (1ULL << shift));
	}
	return ended;
}

u32 seen_counting_count(const struct seen_set *set, u64 hash)
{
	const struct place place = counting_locate(set, hash);

	return counting_count(set, &place);
}

/* A key is seen from this count on. */
static u32 counting_threshold(const struct seen_set *set)
{
	return set->geo.threshold ? set->geo.threshold : 1;
}

/*
 * True if there is nothing to store: the key is seen, and @if_new is set or its count
 * sticks.
 */
static bool counting_settled(const struct seen_set *set, u32 has, bool if_new)
{
	return has >= counting_threshold(set) && (if_new || has == SEEN_COUNTING_MAX);
}

/* Caller holds the line's stripe. */
static enum seen_result counting_add(struct seen_set *set, const struct place *place,
				     struct seen_stripe *stripe, bool if_new, u32 *has)
{
	u32 had = counting_count(set, place);

	*has = had;
	if (counting_settled(set, had, if_new))
		return SEEN_SEEN;
	if (!had && seen_keycount_full(set))
		return SEEN_FULL;
	seen_keycount_change(set, stripe, counting_raise(set, place));
	*has = had + 1;
	return had >= counting_threshold(set) ? SEEN_SEEN : SEEN_NEW;
}

enum seen_result seen_counting_add(struct seen_set *set, u64 hash, bool if_new,
				   u32 *has)
{
	const struct place place = counting_locate(set, hash);
	struct seen_stripe *stripe;
	enum seen_result result;

	*has = counting_count(set, &place);
	if (counting_settled(set, *has, if_new))
		return SEEN_SEEN;

	stripe = seen_set_stripe(set, place.line);
	seen_stripe_lock(stripe);
	result = counting_add(set, &place, stripe, if_new, has);
	seen_stripe_unlock(stripe);
	return result;
}

/* Caller holds the line's stripe. */
static enum seen_result counting_del(struct seen_set *set, const struct place *place,
				     struct seen_stripe *stripe)
{
	if (!counting_count(set, place))
		return SEEN_ABSENT;
	seen_keycount_change(set, stripe, -(s32)counting_lower(set, place));
	return SEEN_SEEN;
}

enum seen_result seen_counting_del(struct seen_set *set, u64 hash)
{
	const struct place place = counting_locate(set, hash);
	struct seen_stripe *stripe;
	enum seen_result result;

	if (!counting_count(set, &place))
		return SEEN_ABSENT;
	stripe = seen_set_stripe(set, place.line);
	seen_stripe_lock(stripe);
	result = counting_del(set, &place, stripe);
	seen_stripe_unlock(stripe);
	return result;
}

/* Number of counters of a word that are not 0. */
static u32 counting_weight(u64 word)
{
	word |= word >> 2;
	word |= word >> 1;
	word &= ONES;
	word = (word & EVEN) + (word >> COUNTER_BITS & EVEN);
	return word * 0x0101010101010101ULL >> 56;
}

u32 seen_counting_used(const struct seen_set *set, u64 line)
{
	const u64 *word = (const u64 *)set->table + line * WORDS;
	u32 used = 0;
	int i;

	for (i = 0; i < WORDS; i++)
		used += counting_weight(READ_ONCE(word[i]));
	return used;
}

/*
 * Average number of counters, of m, that @keys keys use: m - m (1 - k/m)^n. The power
 * is computed by squaring; with 64 bits of fraction more than 24 bits are correct.
 */
static u64 counting_used_by(const struct seen_geometry *geo, u64 keys)
{
	u64 room = geo->blocks * SEEN_COUNTERS;
	u64 power = U64_MAX - U64_MAX / room * geo->hashes;
	u64 unused = U64_MAX;

	for (; keys; keys >>= 1) {
		if (keys & 1)
			unused = seen_multiply_round(unused, power);
		power = seen_multiply_round(power, power);
	}
	return room - seen_multiply_round(room, unused);
}

u64 seen_counting_keys(const struct seen_geometry *geo, u64 used)
{
	u64 keys = 0;
	u64 step;

	for (step = SEEN_CAPACITY_MAX; step; step /= 2)
		if (counting_used_by(geo, keys + step) <= used)
			keys += step;
	return keys + (used - counting_used_by(geo, keys) >
		       counting_used_by(geo, keys + 1) - used);
}

static u64 counting_root(u64 n)
{
	u64 root = 0;
	u64 step;

	for (step = 1ULL << 31; step; step /= 2)
		if ((root + step) * (root + step) <= n)
			root += step;
	return root;
}

/*
 * With n keys the standard deviation of the counters in use is the number of counters
 * that 0.6 sqrt(n / k) keys use. A margin of more than six times that lets any
 * @capacity keys fit. In small sets the limit is k counters per key instead, because
 * keys cannot use more.
 */
u64 seen_counting_max(const struct seen_geometry *geo)
{
	u64 spare = 4 * (counting_root(geo->capacity / geo->hashes) + 1);
	u64 max = counting_used_by(geo, geo->capacity + spare);
	u64 each = geo->capacity * geo->hashes;

	return each < max ? each : max;
}
