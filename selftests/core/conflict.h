/* SPDX-License-Identifier: GPL-2.0 */
/* About which words of memory actors conflict, as far as interleave.c knows yet. */
#ifndef SEEN_CONFLICT_H
#define SEEN_CONFLICT_H

#include "test.h"

/**
 * struct word - of memory, as it is accessed
 * @memory: its address
 * @readers: actors that have read it, a bit for each
 * @writers: that have written it
 * @place: of weak memory, if actors conflict, else NOWHERE
 * @locks: that are held at each write
 */
struct word {
	const volatile void *memory;
	u32 readers;
	u32 writers;
	int place;
	u64 locks;
};

/* A conflict that was not known: what was explored may lack its orders. */
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
