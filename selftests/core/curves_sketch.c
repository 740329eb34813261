// SPDX-License-Identifier: GPL-2.0
/*
 * How often counts err by more than a given part of the bound, on fixed streams:
 * the number of events of the i-th key is proportional to 1 / i^skew.
 */
#include <math.h>

#include "curves.h"
#include "rate.h"

#define CAPACITY	1000
#define FPP		(FPP_ONE / 20)	/* three rows */
#define KEYS		100000
#define EVENTS		1000000.0	/* about so many */
#define EIGHTHS		12
/* Fewer keys than that say nothing. */
#define KEYS_MIN	20

struct curve {
	const char *name;
	enum seen_set_kind kind;
	bool conservative;
	double skew;
};

static const struct curve curves[] = {
	{ "cms uniform", SEEN_SET_CMS, false, 0 },
	{ "cms zipf 1.1", SEEN_SET_CMS, false, 1.1 },
	{ "cms conservative zipf 1.1", SEEN_SET_CMS, true, 1.1 },
	{ "cmm zipf 1.1", SEEN_SET_CMM, false, 1.1 },
};

static u32 exact[KEYS];

/* Rounded to so many events a key, at least one. */
static u64 make_stream(double skew)
{
	double sum = 0;
	u64 events = 0;
	u32 i;

	for (i = 0; i < KEYS; i++)
		sum += pow(i + 1, -skew);
	for (i = 0; i < KEYS; i++) {
		exact[i] = fmax(1, round(EVENTS * pow(i + 1, -skew) / sum));
		events += exact[i];
	}
	return events;
}

/* All keys once, then those that come again, and so on. */
static void send(struct seen_set *set)
{
	bool more = true;
	u32 round, i;

	for (round = 0; more; round++) {
		more = false;
		for (i = 0; i < KEYS && exact[i] > round; i++) {
			seen_set_add(set, hash_of(1, i));
			more = true;
		}
	}
}

static void measure(struct seen_set *set, double bound,
		    struct curves_figure *figures)
{
	u64 above[EIGHTHS] = { };
	double error;
	u32 i, j;

	for (i = 0; i < KEYS; i++) {
		error = fabs((double)seen_set_count(set, hash_of(1, i)) -
			     exact[i]);
		for (j = 0; j < EIGHTHS; j++)
			above[j] += error > bound * (j + 1) / 8;
	}
	for (j = 0; j < EIGHTHS; j++) {
		figures[j].x = (j + 1) / 8.0;
		figures[j].predicted = seen_excess(&set->geo, figures[j].x);
		figures[j].measured = above[j] < KEYS_MIN ?
				      NAN : (double)above[j] / KEYS;
	}
}

void curves_sketches(void)
{
	struct curves_figure figures[EIGHTHS];
	struct seen_set *set;
	u64 events;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(curves); i++) {
		struct seen_geometry request = {
			.kind = curves[i].kind,
			.fpp = FPP,
			.conservative = curves[i].conservative,
		};

		reseed();
		events = make_stream(curves[i].skew);
		set = curves_set(request, CAPACITY, CAPACITY);
		send(set);
		measure(set, (double)events / CAPACITY, figures);
		curves_add("sketches", curves[i].name, figures, EIGHTHS);
		set_free(set);
	}
}
