/* SPDX-License-Identifier: GPL-2.0 */
/* The words of memory on which actors conflict, as found by interleave.c so far. */
#ifndef SEEN_CONFLICT_H
#define SEEN_CONFLICT_H

#include "test.h"

/**
 * struct word - accesses to a word of memory
 * @memory: its address
 * @readers: actors that have read it, one bit for each
 * @writers: actors that have written it, one bit for each
 * @place: its place in weak memory if actors conflict, else NOWHERE
 * @locks: locks that were held at every write, one bit for each
 */
struct word {
	const volatile void *memory;
	u32 readers;
	u32 writers;
	int place;
	u64 locks;
};

/* A new conflict was found, so the exploration so far may lack interleavings. */
extern bool surprised;

/* words_begin() - nothing is known */
void words_begin(void);

/* words_renew() - before all is explored again */
void words_renew(void);

struct word *word_of(const volatile void *memory);

/* conflict() - of accesses by different actors, one of them a write? */
bool conflict(const struct word *word);

/* is_guarded() - do writes of it exclude each other? */
bool is_guarded(const struct word *word);

/* note_access() - by an actor that holds @locks, which matter in weak memory */
void note_access(struct word *word, int actor, bool write, u64 locks,
		 bool weakly);

#endif
