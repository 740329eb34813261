/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the programs in this folder: each measures a few contenders, with the same keys in
 * the same loops, and prints a line of JSON for each figure.
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
 * struct keys - the keys for an operation, in their order
 * @count: number of keys
 * @hash: hash of each key, for contenders that take a ready hash; else NULL
 * @bytes: the keys, @len bytes each, for contenders that take a key; else NULL
 * @len: bytes of a key
 */
struct keys {
	u64 count;
	u64 *hash;
	unsigned char *bytes;
	u32 len;
};

/* The operations; "serial" ones have a fence after each key, like packets one at a time. */
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
 * struct contender - a filter, or a lower bound for all filters ("floor")
 * @name: name in the results
 * @whole: takes keys, and hashes them itself
 * @window: forgets keys: lookups are of the last keys
 * @exact: if an inserted key is missing, that is an error
 * @make: makes it for @capacity keys of @len bytes (0: ready hashes); NULL: not available
 * @bytes: memory that it uses; NULL: unknown
 * @destroy: frees it
 * @rest: maintenance outside of operations, which is not measured; or NULL
 * @run: the operations, or NULL. (For a full filter always NULL: they are the same.) Return:
 *       number of answers "seen"; for an insert or a deletion, number of keys done
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

/* Defined by each program; the last element has no name. */
extern const struct contender contenders[];

/* Called first. @huge: memory must have pages of 2 MiB. */
void contenders_init(bool huge);

/* Zeroed memory with pages of the size on the command line; ends the program on failure. */
void *memory_get(u64 bytes);
void memory_put(void *memory, u64 bytes);

/* Requests pages of this size for existing memory that was not touched yet. */
void memory_advise(void *memory, u64 bytes);

/* Does the mapping with this address, which was touched, have pages of 2 MiB? */
bool memory_is_huge(const void *memory);

/* Exit status if the contenders cannot be measured with pages of this size. */
#define NO_SUCH_PAGES	3

/* Sketches: the error of a count exceeds total / SKETCH_ERROR with probability SKETCH_FPP. */
#define SKETCH_ERROR	1000
#define SKETCH_FPP	0.01

/* Later instructions wait until all earlier ones have finished. */
static inline void fence(void)
{
	__asm__ volatile("lfence" ::: "memory");
}

#ifdef __cplusplus
}
#endif

#endif
