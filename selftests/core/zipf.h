/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares sketches with exact counts on Zipf streams: each event is the i-th key with a
 * chance proportional to 1 / i^s.
 */
#ifndef SEEN_ZIPF_H
#define SEEN_ZIPF_H

#include "test.h"
#include "top.h"

/* Length of the list of the heaviest keys. */
#define ZIPF_TOP	100
/* A key is heavy if its count is at least this multiple of the error bound. */
#define ZIPF_HEAVY	10
/* A key with a lower count than this is in the long tail. */
#define ZIPF_TAIL	10
/* Classes of keys by their exact count: 0, 1, 2-3, 4-7, ... */
#define ZIPF_CLASSES	33

enum zipf_part { HEAVY, MIDDLE, TAIL, PARTS };

/**
 * struct zipf - a stream
 * @skew: s
 * @keys: number of different keys
 * @events: number of events
 * @event: the key of each event
 * @exact: the exact count of each key
 */
struct zipf {
	double skew;
	u64 keys;
	u64 events;
	u32 *event;
	u32 *exact;
};

/**
 * struct zipf_error - errors of some keys
 * @keys: number of keys
 * @sum: sum of the absolute errors of their counts
 */
struct zipf_error {
	u64 keys;
	double sum;
};

/**
 * struct zipf_result - accuracy of a sketch
 * @bound: the error that counts seldom exceed: events / capacity
 * @under: keys whose count is too low
 * @beyond: keys whose count is wrong by more than @bound
 * @asked: all keys, including keys that had no event
 * @part: errors of heavy keys, of keys in the tail that had an event, and of the others
 * @class: errors by exact count
 * @heavy: keys whose exact count is at least ZIPF_HEAVY times @bound
 * @missed: heavy keys whose count in the sketch is lower than that
 * @false_alarms: other keys whose count in the sketch is at least that
 * @listed: number of the ZIPF_TOP heaviest keys that are in the list
 * @order: number of these that are in the right place of the list
 * @entries: seen_set_entries()
 * @distinct: keys that had an event
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

/* zipf_new() - make a stream from the random sequence of the seed */
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

/* zipf_mean() - the mean absolute error; 0 if there are no keys */
double zipf_mean(const struct zipf_error *error);

/* zipf_beyond() - share of the keys that err by more than the bound */
double zipf_beyond(const struct zipf_result *result);

#endif
