// SPDX-License-Identifier: GPL-2.0
/*
 * Chosen keys: an attacker with the code, but without a filter's secret, gains nothing
 * by picking keys. For each way of picking keys and each kind of filter, over many secrets, the
 * test measures false positives, memory in use, the steps of adds, and the number of keys
 * before the first add fails. Random keys give the values to compare with.
 *
 * A hash must not distinguish chosen keys from random ones, so both must give the same values,
 * not only none that are worse. The bound is SIGMAS standard deviations of the difference of
 * the two means.
 */
#include <math.h>

#include "sets.h"

#define STORED		2000
#define ASKED		8000
/* Enough keys to fill any table. */
#define KEYS		(STORED + ASKED)
#define CELLS		64

enum figure {
	FIGURE_HITS,
	FIGURE_USED,
	FIGURE_STEPS,
	FIGURE_FIRST,
	FIGURES,
};

static const char * const figure_name[FIGURES] = {
	[FIGURE_HITS] = "false positives",
	[FIGURE_USED] = "fill",
	[FIGURE_STEPS] = "steps of the adds",
	[FIGURE_FIRST] = "keys before the first refusal",
};

/* Sums of one figure over all rounds. */
struct sums {
	double sum;
	double squares;
	u32 rounds;
};

static struct key keys[CHOICES][KEYS];
static struct seen_secret guess;
/* Number of keys added or looked up. */
static u64 brought;

/* There are only SECRETS_NEAR such secrets, and a repeated one gives no new information. */
static u32 rounds_of(enum choice choice, u32 rounds)
{
	return choice == CHOICE_NEAR && rounds > SECRETS_NEAR ? SECRETS_NEAR
							      : rounds;
}

static void note_sum(struct sums *sums, double value)
{
	sums->sum += value;
	sums->squares += value * value;
	sums->rounds++;
}

static double mean(const struct sums *sums)
{
	return sums->sum / sums->rounds;
}

/* Variance of the mean, plus a floor: one hit more or less in all rounds proves nothing. */
static double spread(const struct sums *sums)
{
	double n = sums->rounds, m = mean(sums);

	return fmax(sums->squares / n - m * m, 0) / (n - 1) + 1 / (n * n);
}

static double sigmas(const struct sums *a, const struct sums *b)
{
	return fabs(mean(a) - mean(b)) / sqrt(spread(a) + spread(b));
}

/* Bloom kinds are full when they have counted enough; sketches never are. */
static bool has_room_to_find(const struct seen_set *set)
{
	return set->geo.kind == SEEN_SET_CUCKOO ||
	       set->geo.kind == SEEN_SET_CUCKOO_WINDOW ||
	       set->geo.kind == SEEN_SET_MAP;
}

/* Number of stored keys that are not found, or that a sketch counts too low. */
static u64 missed(struct seen_set *set, const struct key *key, u64 count,
		  const struct seen_secret *secret)
{
	u64 missing = 0, i;

	for (i = 0; i < count; i++)
		missing += set->geo.kind != SEEN_SET_CMM &&
			   !ask(set, &key[i], secret);
	return missing;
}

static u64 one_round(const struct victim *victim, enum choice choice, u32 round,
		     struct sums *sums)
{
	const struct seen_secret secret = secret_for(choice, &guess, round);
	struct seen_set *set = victim_new(victim, STORED);
	const struct key *key = keys[choice];
	u64 hits = 0, used = 0, room = 0, missing, i;

	steps = 0;
	for (i = 0; i < STORED; i++)
		bring(set, &key[i], &secret);
	note_sum(&sums[FIGURE_STEPS], (double)steps / STORED);
	seen_set_used(set, 0, U64_MAX, &used, &room);
	note_sum(&sums[FIGURE_USED], used);
	for (; i < KEYS; i++)
		hits += ask(set, &key[i], &secret);
	note_sum(&sums[FIGURE_HITS], hits);
	missing = missed(set, key, STORED, &secret);

	for (i = STORED; has_room_to_find(set) && i < KEYS; i++)
		if (bring(set, &key[i], &secret) == SEEN_FULL)
			break;
	note_sum(&sums[FIGURE_FIRST], i);
	brought += KEYS;
	set_free(set);
	return missing;
}

/* All figures match those of random keys. */
static bool alike(const struct victim *victim, enum choice choice,
		  const struct sums *sums, const struct sums *random)
{
	bool good = true;
	double far;
	u32 i;

	for (i = 0; i < FIGURES; i++) {
		far = sigmas(&sums[i], &random[i]);
		if (far <= SIGMAS)
			continue;
		note("%s, %s: %s %.6g, of random keys %.6g: %.1f sigmas",
		     victim->name, choice_name[choice], figure_name[i],
		     mean(&sums[i]), mean(&random[i]), far);
		good = false;
	}
	return good;
}

/* The promised false-positive rate; sketches promise none. */
static bool kept(const struct victim *victim, const struct sums *hits)
{
	switch (victim->geo.kind) {
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		return true;
	case SEEN_SET_MAP:
		return !hits->sum;
	default:
		return rate_kept(hits->sum, (u64)hits->rounds * ASKED,
				 victim->geo.fpp);
	}
}

static void attack(const struct victim *victim, u32 rounds)
{
	struct sums sums[CHOICES][FIGURES] = { };
	enum choice choice;
	u64 missing;
	bool good;
	u32 i;

	for (choice = 0; choice < CHOICES; choice++) {
		const struct sums *hits = &sums[choice][FIGURE_HITS];

		missing = 0;
		for (i = 0; i < rounds_of(choice, rounds); i++)
			missing += one_round(victim, choice, i, sums[choice]);
		good = alike(victim, choice, sums[choice], sums[CHOICE_RANDOM]);
		ok(!missing && kept(victim, hits) && good,
		   "%s, %s: %.5g hits, %llu missed", victim->name,
		   choice_name[choice], hits->sum, (unsigned long long)missing);
	}
}

/* Pearson's chi-square of the cells that the two halves of the hash choose. */
static double chi_square(enum choice choice, u32 rounds, bool mixed)
{
	double sum = 0, due = (double)KEYS / CELLS;
	u32 round, i;

	for (round = 0; round < rounds; round++) {
		const struct seen_secret secret = secret_for(choice, &guess,
							     round);
		u64 count[CELLS] = { };

		for (i = 0; i < KEYS; i++) {
			u64 hash = key_hash(&keys[choice][i], &secret);

			count[seen_range(mixed ? seen_remix(hash) : hash,
					 CELLS)]++;
		}
		for (i = 0; i < CELLS; i++)
			sum += (count[i] - due) * (count[i] - due) / due;
	}
	return sum;
}

static void even(enum choice choice, u32 rounds, bool mixed)
{
	double freedom = (double)rounds * (CELLS - 1);
	double far = (chi_square(choice, rounds, mixed) - freedom) /
		     sqrt(2 * freedom);

	ok(fabs(far) <= SIGMAS, "%s: %s are even, chi-square off by %.1f sigmas",
	   choice_name[choice], mixed ? "patterns" : "places", far);
}

/* Control: with the secret for which they were made, the keys do harm, so the tests can fail. */
static void control(void)
{
	struct seen_set *set = victim_new(&victims[6], STORED);
	u64 refused = 0, i;

	for (i = 0; i < STORED; i++)
		refused += bring(set, &keys[CHOICE_LINES][i], &guess) ==
			   SEEN_FULL;
	ok(refused > STORED / 10,
	   "%s: under the guessed secret %llu of %u keys find no room",
	   victims[6].name, (unsigned long long)refused, STORED);
	set_free(set);
}

int main(void)
{
	u32 rounds = getenv("LONG") && *getenv("LONG") ? 1000 : 40;
	enum choice choice;
	u32 i;

	test_begin(VICTIMS * CHOICES + 2 * CHOICES + 1);
	guess = (struct seen_secret) { { random64(), random64() } };
	for (choice = 0; choice < CHOICES; choice++)
		choose(choice, keys[choice], KEYS,
		       choice == CHOICE_ZERO ? &(struct seen_secret) { } :
					       &guess);
	control();
	for (choice = 0; choice < CHOICES; choice++) {
		even(choice, rounds_of(choice, rounds), false);
		even(choice, rounds_of(choice, rounds), true);
	}
	for (i = 0; i < VICTIMS; i++)
		attack(&victims[i], rounds);
	printf("# figure: chosen keys: %u kinds, %u ways to pick, up to %u secrets, %llu keys\n",
	       VICTIMS, CHOICES - 1, rounds, (unsigned long long)brought);
	return test_end();
}
