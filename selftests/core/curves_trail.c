// SPDX-License-Identifier: GPL-2.0
/* Trails: how often a frame on a path without a loop is lost, and withheld from a segment. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "curves.h"
#include "trail.h"

#define NODES		16
#define STEP		4	/* nodes between two figures */
#define SEGMENTS	3	/* other segments in a frame */
#define STRIKES		2
#define BITS_MAX	256
#define PATHS		1000000000ULL
#define THREADS		2
/* Fewer events than that are expected: nothing can be said. */
#define EVENTS_MIN	20

/* --- predicted --------------------------------------------------------------------- */

/* Chance that so many bits are set, and that the frame had so many hits. */
struct chances {
	double set[BITS_MAX + 1][STRIKES];
	double lost;
};

/* @from bits are set; @to: the chance that so many are after some draws with replacement. */
static void draw(u32 bits, u32 draws, u32 from, double *to)
{
	u32 i, set;

	memset(to, 0, (bits + 1) * sizeof(*to));
	to[from] = 1;
	for (i = 0; i < draws; i++) {
		for (set = bits; set > 0; set--)
			to[set] = to[set] * set / bits + to[set - 1] * (bits - set + 1) / bits;
		to[0] = 0;
	}
}

/* A node is passed. If all its bits are set, no further one is. */
static void visit(struct chances *chances, u32 bits, u32 draws, u32 strikes)
{
	struct chances next = { .lost = chances->lost };
	double to[BITS_MAX + 1];
	u32 from, hits, set;

	for (from = 0; from <= bits; from++) {
		draw(bits, draws, from, to);
		for (hits = 0; hits < strikes; hits++) {
			double chance = chances->set[from][hits];

			if (hits + 1 < strikes)
				next.set[from][hits + 1] += chance * to[from];
			else
				next.lost += chance * to[from];
			for (set = from + 1; set <= bits; set++)
				next.set[set][hits] += chance * to[set];
		}
	}
	*chances = next;
}

static u32 draws_of(bool wide)
{
	return wide ? SEEN_TRAIL_DRAWS_WIDE : SEEN_TRAIL_DRAWS;
}

static u32 bits_of(bool wide)
{
	return wide ? 256 : 128;
}

/* The chance that a frame is lost within so many nodes. */
static double predict(bool wide, u32 strikes, u32 nodes)
{
	struct chances chances = { .set = { [0] = { 1 } } };
	u32 i;

	for (i = 0; i < nodes; i++)
		visit(&chances, bits_of(wide), draws_of(wide), strikes);
	return chances.lost;
}

/* The chance that the bits of a segment are set by so many others. */
static double predict_segment(u32 others)
{
	double chance[BITS_MAX + 1] = { 1 }, next[BITS_MAX + 1], to[BITS_MAX + 1], sum = 0;
	u32 bits = bits_of(false), i, from, set;

	for (i = 0; i < others; i++) {
		memset(next, 0, sizeof(next));
		for (from = 0; from <= bits; from++) {
			draw(bits, SEEN_TRAIL_DRAWS, from, to);
			for (set = from; set <= bits; set++)
				next[set] += chance[from] * to[set];
		}
		memcpy(chance, next, sizeof(chance));
	}
	for (set = 0; set <= bits; set++)
		sum += chance[set] * pow((double)set / bits, SEEN_TRAIL_DRAWS);
	return sum;
}

/* --- measured ---------------------------------------------------------------------- */

/**
 * struct walk - the part of a thread
 * @paths: paths that it walks
 * @state: of its random numbers
 * @lost: paths on which a frame was lost within so many nodes, for one strike and for two
 * @withheld: frames whose trail had a segment that they had not passed, by the number of other
 *	segments in it
 */
struct walk {
	u64 paths;
	u64 state;
	bool wide;
	u64 lost[STRIKES][NODES + 1];
	u64 withheld[SEGMENTS + 1];
};

/* Vigna's splitmix64, "An experimental exploration of Marsaglia's xorshift generators", 2016. */
static u64 walk_random(struct walk *walk)
{
	u64 z = walk->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* As seen_trail_draw(), from other random numbers than its hash, which takes longer. */
static struct seen_trail_bits walk_draw(struct walk *walk)
{
	struct seen_trail_bits bits = {};
	u32 mask = bits_of(walk->wide) - 1, i, bit;
	u64 random = 0;

	for (i = 0; i < draws_of(walk->wide); i++) {
		if (i % 8 == 0)
			random = walk_random(walk);
		bit = random & mask;
		bits.word[bit / 64] |= 1ULL << bit % 64;
		random >>= 8;
	}
	return bits;
}

static void walk_path(struct walk *walk)
{
	struct seen_trail trail = {};
	struct seen_trail_bits bits;
	u32 node, hits = 0;
	bool hit;

	for (node = 1; node <= NODES && hits < STRIKES; node++) {
		bits = walk_draw(walk);
		if (node > 1 && node <= SEGMENTS + 1 && !hits)
			walk->withheld[node - 1] += seen_trail_has(&trail, &bits);
		hit = trail.strike;
		if (seen_trail_visit(&trail, &bits) == SEEN_TRAIL_LOOP || trail.strike != hit)
			walk->lost[hits++][node]++;
	}
}

static void *walk_paths(void *arg)
{
	struct walk *walk = arg;
	u64 i;

	for (i = 0; i < walk->paths; i++)
		walk_path(walk);
	return NULL;
}

static void walk_all(bool wide, struct walk *sum)
{
	struct walk walks[THREADS] = {};
	pthread_t threads[THREADS];
	u32 i, j, node;

	for (i = 0; i < THREADS; i++) {
		walks[i] = (struct walk) {
			.paths = PATHS / THREADS, .state = random64(), .wide = wide,
		};
		if (pthread_create(&threads[i], NULL, walk_paths, &walks[i]))
			exit(1);
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		for (j = 0; j < STRIKES; j++)
			for (node = 0; node <= NODES; node++)
				sum->lost[j][node] += walks[i].lost[j][node];
		for (j = 0; j <= SEGMENTS; j++)
			sum->withheld[j] += walks[i].withheld[j];
	}
}

/* --- figures ----------------------------------------------------------------------- */

static double measured(u64 events, double predicted)
{
	return predicted * PATHS < EVENTS_MIN ? NAN : (double)events / PATHS;
}

static void curve(const char *name, const struct walk *walk, bool wide, u32 strikes)
{
	struct curves_figure figures[NODES / STEP];
	u64 lost = 0;
	u32 node;

	for (node = 1; node <= NODES; node++) {
		struct curves_figure *figure = &figures[(node - 1) / STEP];

		lost += walk->lost[strikes - 1][node];
		if (node % STEP)
			continue;
		figure->x = node;
		figure->predicted = predict(wide, strikes, node);
		figure->measured = measured(lost, figure->predicted);
	}
	curves_add("trail", name, figures, NODES / STEP);
}

static void segments(const struct walk *walk)
{
	struct curves_figure figures[SEGMENTS];
	u32 i;

	for (i = 0; i < SEGMENTS; i++) {
		figures[i].x = i + 1;
		figures[i].predicted = predict_segment(i + 1);
		figures[i].measured = measured(walk->withheld[i + 1], figures[i].predicted);
	}
	curves_add("trail", "a segment: one hit", figures, SEGMENTS);
}

void curves_trails(void)
{
	struct walk narrow = {}, wide = {};

	walk_all(false, &narrow);
	walk_all(true, &wide);
	curve("128 bits: two strikes", &narrow, false, 2);
	curve("128 bits: one strike", &narrow, false, 1);
	curve("256 bits: two strikes", &wide, true, 2);
	curve("256 bits: one strike", &wide, true, 1);
	segments(&narrow);
}
