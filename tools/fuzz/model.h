/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An exact model of a set: its keys, and when each was stored. Each answer of a set is compared
 * with the model; a wrong answer aborts the fuzzer.
 */
#ifndef SEEN_FUZZ_MODEL_H
#define SEEN_FUZZ_MODEL_H

#include "item.h"
#include "test.h"

/* Number of keys; one byte of an input selects one. */
#define KEYS		128
/* Number of epochs for which the counts of a sketch are kept. */
#define EPOCHS		4

/**
 * struct known - the state of a key
 * @there: the key was stored, and must be seen until its epoch expires
 * @maybe: the key may be seen although it is not stored
 * @epoch: epoch in which the key was last stored
 * @copies: cuckoo, counting: least number of copies
 * @value: value in a map
 * @counted: sketches: count in an epoch, at index epoch % EPOCHS
 * @counted_in: sketches: the epoch at that index
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
 * struct model - the model of a set
 * @set: the set
 * @precise: no key of the model is seen by mistake
 * @estimated: the set's load is an estimate, not a count
 * @strained: an entry may have found no room
 * @lossy: live entries were lost
 * @unsure: a late sweep has cleared some or all of the set
 * @imports: number of imports of the set
 * @rotations: number of generations that were ended early; each adds an epoch
 * @stored: number of keys that were new
 * @swept: time at which the last complete sweep began
 * @sweeping: time at which the current sweep began
 * @sweep_at: block at which the current sweep continues
 * @known: the state of each key
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

/* model_of() - initialise the model of an empty set */
void model_of(struct model *model, struct seen_set *set, bool precise);

/* model_key() - make the item of a key; false: the key is not in a bitmap's range */
bool model_key(const struct model *model, u32 key, struct seen_item *item);

/* model_stale() - is the sweep late, so that the set neither answers nor stores? */
bool model_stale(const struct model *model);

/* model_check() - compare everything that the set reports */
void model_check(const struct model *model);

/* model_tested(), _added(), _put(), _deleted() - compare the set's result for a key */
void model_tested(const struct model *model, u32 key, enum seen_result result);
void model_added(struct model *model, u32 key, bool restart,
		 enum seen_result result);
void model_put(struct model *model, u32 key, u32 value,
	       enum seen_result result);
void model_deleted(struct model *model, u32 key, enum seen_result result);

/* model_swept() - the set was swept; @whole: the sweep is complete */
void model_swept(struct model *model, bool whole);

/* model_exported() - the whole set was exported to replace it by an import */
void model_exported(struct model *model);

/* model_may_del() - may the key be deleted without harm to other keys? */
bool model_may_del(const struct model *model, u32 key);

/* model_merged() - @from was merged into @to; @whole: every key found room */
void model_merged(struct model *to, const struct model *from, bool whole);

/* require() - abort with the message @what if @good is false */
void require(bool good, const char *what);

#endif
