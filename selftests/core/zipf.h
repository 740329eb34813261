/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sketches against exact counts on Zipf streams: the i-th of some keys comes with
 * a chance that goes with 1 / i^s.
 */
#ifndef SEEN_ZIPF_H
#define SEEN_ZIPF_H

#include "test.h"
#include "top.h"

/* Keys of the list of the heaviest that is judged. */
#define ZIPF_TOP	100
/* A key is heavy from so many times the error bound on. */
#define ZIPF_HEAVY	10
/* A key of the long tail has come less often than this. */
#define ZIPF_TAIL	10
/* Classes of keys by their exact count: 0, 1, 2-3, 4-7, ... */
#define ZIPF_CLASSES	33

enum zipf_part { HEAVY, MIDDLE, TAIL, PARTS };

/**
 * struct zipf - a stream
 * @skew: s
 * @keys: that may come
 * @events: how many come
 * @event: key by key
 * @exact: how often each has come
 */
struct zipf {
	double skew;
	u64 keys;
	u64 events;
	u32 *event;
	u32 *exact;
};

/**
 * struct zipf_error - of some keys
 * @keys: how many
 * @sum: of the absolute errors of their counts
 */
struct zipf_error {
	u64 keys;
	double sum;
};

/**
 * struct zipf_result - how a sketch did
 * @bound: the error that is to be exceeded seldom: events / capacity
 * @under: keys whose count is below the exact one
 * @beyond: keys whose count is wrong by more than @bound
 * @asked: keys in all, those that never came included
 * @part: errors of heavy keys, of those of the tail that came, and in between
 * @class: errors by exact count
 * @heavy: keys that have come ZIPF_HEAVY times @bound or more
 * @missed: of those, what the sketch says have not
 * @false_alarms: others that it says have
 * @listed: of the ZIPF_TOP heaviest, how many are in the list
 * @order: of those that are, how many stand in their exact place
 * @entries: seen_set_entries()
 * @distinct: keys that came
 */
struct zipf_result {
	double bound;
	u64 under;
	u64 beyond;
	u64 asked;
	struct zipf_error part[PARTS];
	struct zipf_error class[ZIPF_CLASSES];
	u64 heavy;
	u64 missed;
	u64 false_alarms;
	u64 listed;
	u64 order;
	u64 entries;
	u64 distinct;
};

/* zipf_new() - make a stream, of the sequence that the seed begins */
struct zipf *zipf_new(double skew, u64 keys, u64 events);
void zipf_free(struct zipf *zipf);

/**
 * zipf_measure() - send a stream through a sketch
 * @zipf: the stream
 * @request: for seen_plan(); gets a list of the heaviest
 * @result: to fill
 */
void zipf_measure(const struct zipf *zipf, struct seen_geometry request,
		  struct zipf_result *result);

/* zipf_mean() - the mean absolute error, 0 of no keys */
double zipf_mean(const struct zipf_error *error);

/* zipf_beyond() - share of the keys that err by more than the bound */
double zipf_beyond(const struct zipf_result *result);

#endif
