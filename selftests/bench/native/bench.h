/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the programs of this folder share: each measures a few contenders, given the
 * same keys by the same loops, and prints a line of JSON for each figure.
 */
#ifndef SEEN_BENCH_H
#define SEEN_BENCH_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
typedef __u32 u32;
typedef __u64 u64;

extern "C" {
#endif

/**
 * struct keys - what an operation is done to, one after the other
 * @count: how many
 * @hash: of each, for contenders that take a ready hash; else NULL
 * @bytes: of all, @len each, for contenders that take a key; else NULL
 * @len: bytes of a key
 */
struct keys {
	u64 count;
	u64 *hash;
	unsigned char *bytes;
	u32 len;
};

/* The operations; "serial" has a fence behind each key, as packets come. */
enum operation {
	OP_INSERT,
	OP_LOOKUP,
	OP_LOOKUP_SERIAL,
	OP_LOOKUP_BATCH,	/* with prefetch */
	OP_FUSED,		/* test and add: in one call where there is one */
	OP_FUSED_SERIAL,
	OP_DELETE,
	OP_INSERT_FULL,		/* as OP_INSERT and OP_DELETE, */
	OP_DELETE_FULL,		/* in a filter that stays full */
	OPS
};

/**
 * struct contender - a filter, or a floor
 * @name: in the results
 * @whole: takes keys, and hashes them itself
 * @window: forgets: lookups are of the last keys
 * @exact: it counts, and a key that was inserted and is missing is an error
 * @make: for so many keys of so many bytes (0: ready hashes); NULL: it cannot be had
 * @bytes: that it takes; NULL: not told
 * @destroy: frees it
 * @rest: what others do for it now and then, not measured; or NULL
 * @run: each operation, or NULL (of a full filter: none, they are the same); returns for
 *       how many keys the answer was "seen", or of an insert or deletion, how many were done
 */
struct contender {
	const char *name;
	bool whole;
	bool window;
	bool exact;
	void *(*make)(u64 capacity, u32 len);
	u64 (*bytes)(const void *self);
	void (*destroy)(void *self);
	void (*rest)(void *self);
	u64 (*run[OPS])(void *self, const struct keys *keys);
};

/* Defined by each program; the last one has no name. */
extern const struct contender contenders[];

/* Called before anything else, with the pages that memory shall have. */
void contenders_init(bool huge);

/* Zeroed memory in pages of 2 MiB or of 4 KiB, as the program was told; or it ends. */
void *memory_get(u64 bytes);
void memory_put(void *memory, u64 bytes);

/* Let what is there already, but was not touched yet, have such pages. */
void memory_advise(void *memory, u64 bytes);

/* Has the mapping that this is in, and that was touched, pages of 2 MiB? */
bool memory_is_huge(const void *memory);

/* A contender's exit status where it cannot be measured with the pages it was told. */
#define NO_SUCH_PAGES	3

/* Of sketches: a count errs by more than all that was counted / this with this chance. */
#define SKETCH_ERROR	1000
#define SKETCH_FPP	0.01

/* Later instructions wait until this one's predecessors are done. */
static inline void fence(void)
{
	__asm__ volatile("lfence" ::: "memory");
}

#ifdef __cplusplus
}
#endif

#endif
