// SPDX-License-Identifier: GPL-2.0
#include "holders.h"

#define PROBES	128

static struct holder *holders_slot(struct holders *holders, uint64_t hash, size_t i)
{
	return &holders->entry[(hash + i) % HOLDERS_ENTRIES];
}

/* An entry that is dropped leaves a hole, so a search looks at all PROBES places. */
struct holder *holders_find(struct holders *holders, uint64_t hash, uint32_t who)
{
	for (size_t i = 0; i < PROBES; i++) {
		struct holder *holder = holders_slot(holders, hash, i);

		if (holder->who == who && holder->hash == hash)
			return holder;
	}
	return NULL;
}

struct holder *holders_make(struct holders *holders, uint64_t hash, uint32_t who, uint64_t when,
			    uint64_t oldest)
{
	struct holder *holder = holders_find(holders, hash, who);

	for (size_t i = 0; i < PROBES && !holder; i++) {
		holder = holders_slot(holders, hash, i);
		if (holder->who && holder->when >= oldest)
			holder = NULL;
		else if (holder->who)
			holders_drop(holders, holder);
	}
	if (!holder || holder->who)
		return holder;
	*holder = (struct holder) { .hash = hash, .when = when > oldest ? when : oldest };
	holders->used++;
	holder->who = who;
	return holder;
}

void holders_drop(struct holders *holders, struct holder *holder)
{
	holder->who = 0;
	holders->used--;
}
