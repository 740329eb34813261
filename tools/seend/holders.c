// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "holders.h"

#define PROBES	128

static struct holder *holders_slot(struct holders *holders, uint64_t hash, size_t i)
{
	return &holders->entry[(hash + i) % HOLDERS_ENTRIES];
}

/* An entry that is dropped leaves a hole, so a search looks at all PROBES places. */
struct holder *holders_find(struct holders *holders, uint64_t hash, enum holder_kind kind,
			    uint32_t who)
{
	for (size_t i = 0; i < PROBES; i++) {
		struct holder *holder = holders_slot(holders, hash, i);

		if (holder->kind == kind && holder->who == who && holder->hash == hash)
			return holder;
	}
	return NULL;
}

bool holders_hold(struct holders *holders, uint64_t hash, uint64_t oldest)
{
	for (size_t i = 0; i < PROBES; i++) {
		const struct holder *holder = holders_slot(holders, hash, i);

		if (holder->kind == HOLDER_PUBLISHER && holder->hash == hash &&
		    holder->when >= oldest)
			return true;
	}
	return false;
}

struct holder *holders_make(struct holders *holders, uint64_t hash, enum holder_kind kind,
			    uint32_t who, uint64_t when, uint64_t oldest)
{
	struct holder *holder = holders_find(holders, hash, kind, who);

	when = when > oldest ? when : oldest;
	if (holder) {
		/* Notes about an expired key say nothing about this one. */
		if (holder->when < oldest)
			*holder = (struct holder) { hash, when, who, kind, false, false, false };
		holder->when = holder->when > when ? holder->when : when;
		return holder;
	}
	for (size_t i = 0; i < PROBES && !holder; i++) {
		holder = holders_slot(holders, hash, i);
		if (holder->kind && holder->when >= oldest)
			holder = NULL;
		else if (holder->kind)
			holders_drop(holder);
	}
	if (!holder)
		return NULL;
	*holder = (struct holder) { .hash = hash, .when = when, .who = who };
	holder->kind = kind;
	return holder;
}

static int holders_compare(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	return (x->who > y->who) - (x->who < y->who);
}

void holders_sort(struct holder *copies, size_t count)
{
	if (count)
		qsort(copies, count, sizeof(*copies), holders_compare);
}

size_t holders_count(const struct holders *holders, enum holder_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < HOLDERS_ENTRIES; i++)
		count += holders->entry[i].kind == kind;
	return count;
}

void holders_clear(struct holders *holders)
{
	memset(holders->entry, 0, sizeof(holders->entry));
}

void holders_drop(struct holder *holder)
{
	holder->kind = HOLDER_NONE;
}
