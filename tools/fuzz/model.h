/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a set must answer: its keys and when each came, without any approximation.
 * Each answer of a set is held against it, and ends the fuzzer where it is wrong.
 */
#ifndef SEEN_FUZZ_MODEL_H
#define SEEN_FUZZ_MODEL_H

#include "item.h"
#include "test.h"

/* Keys that there are: one byte of an input names one. */
#define KEYS		128
/* Epochs of which a sketch's counts are kept. */
#define EPOCHS		4

/**
 * struct known - of a key
 * @there: it was stored, and must be seen while its epoch lives
 * @maybe: another one's trace may be left: it may be seen
 * @epoch: in which it was stored, or stored again
 * @copies: cuckoo, counting: how often at least
 * @value: of a map
 * @counted: sketches: how often in an epoch, at epoch % EPOCHS
 * @counted_in: which epoch that is
 */
struct known {
	bool there;
	bool maybe;
	u64 epoch;
	u32 copies;
	u32 value;
	u32 counted[EPOCHS];
	u64 counted_in[EPOCHS];
};

/**
 * struct model - of a set
 * @set: it
 * @precise: a key that is not in it is not seen
 * @estimated: its load is an estimate, not a count
 * @strained: some entry may have found no room
 * @lossy: live entries had to go
 * @unsure: a late sweep has cleared some of it, or all
 * @imports: how often it was read in again
 * @rotations: generations that were ended early, each an epoch more
 * @stored: keys that were new
 * @swept: when its last whole sweep began
 * @sweeping: when the one that is under way did
 * @sweep_at: block at which that goes on
 * @known: each key
 */
struct model {
	struct seen_set *set;
	bool precise;
	bool estimated;
	bool strained;
	bool lossy;
	bool unsure;
	u64 imports;
	u64 rotations;
	u64 stored;
	u64 swept;
	u64 sweeping;
	u64 sweep_at;
	struct known known[KEYS];
};

/* model_of() - of an empty set */
void model_of(struct model *model, struct seen_set *set, bool precise);

/* model_key() - a key as its set knows it; false: it is not in a bitmap's range */
bool model_key(const struct model *model, u32 key, struct seen_item *item);

/* model_stale() - its sweep is late: nothing is known, nothing stored */
bool model_stale(const struct model *model);

/* model_check() - all that a set says now */
void model_check(const struct model *model);

/* model_tested(), _added(), _put(), _deleted() - what a set has said of a key */
void model_tested(const struct model *model, u32 key, enum seen_result result);
void model_added(struct model *model, u32 key, bool restart,
		 enum seen_result result);
void model_put(struct model *model, u32 key, u32 value,
	       enum seen_result result);
void model_deleted(struct model *model, u32 key, enum seen_result result);

/* model_swept() - a sweep went on, or came to its end: @whole */
void model_swept(struct model *model, bool whole);

/* model_exported() - all of it, for a set that takes its place */
void model_exported(struct model *model);

/* model_may_del() - who deletes what was never added may take from others */
bool model_may_del(const struct model *model, u32 key);

/* model_merged() - @to has got what @from has; @whole: all of it found room */
void model_merged(struct model *to, const struct model *from, bool whole);

/* require() - ends the fuzzer if not so, and says what is wrong */
void require(bool good, const char *what);

#endif
