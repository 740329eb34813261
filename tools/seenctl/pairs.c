// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "pairs.h"

#define ROOM	1024
/* End of a list. pairs.list and pair.next hold numbers plus 1. */
#define NONE	0

static struct pair *pair_at(const struct pairs *pairs, uint64_t number)
{
	return &pairs->ring[number & (pairs->room - 1)];
}

static uint64_t *list_of(const struct pairs *pairs, uint64_t hash)
{
	return &pairs->list[hash & (pairs->room - 1)];
}

/* Is the packet still in the table? A list begins with its newest packet. */
static bool is_there(const struct pairs *pairs, uint64_t next)
{
	return next > pairs->oldest;
}

struct pair *pairs_find(struct pairs *pairs, uint64_t hash)
{
	uint64_t next = pairs->room ? *list_of(pairs, hash) : NONE;

	while (is_there(pairs, next)) {
		struct pair *pair = pair_at(pairs, next - 1);

		if (pair->hash == hash)
			return pair;
		next = pair->next;
	}
	return NULL;
}

static void put_in(struct pairs *pairs, uint64_t number)
{
	struct pair *pair = pair_at(pairs, number);
	uint64_t *list = list_of(pairs, pair->hash);

	pair->next = *list;
	*list = number + 1;
}

static bool grow(struct pairs *pairs)
{
	size_t room = pairs->room ? 2 * pairs->room : ROOM;
	struct pairs old = *pairs;

	pairs->ring = malloc(room * sizeof(*pairs->ring));
	pairs->list = calloc(room, sizeof(*pairs->list));
	if (!pairs->ring || !pairs->list) {
		pairs_free(pairs);
		*pairs = old;
		return false;
	}
	pairs->room = room;
	for (uint64_t i = old.oldest; i < old.newest; i++) {
		*pair_at(pairs, i) = *pair_at(&old, i);
		put_in(pairs, i);
	}
	pairs_free(&old);
	return true;
}

static void forget(struct pairs *pairs, uint64_t clock)
{
	while (pairs->oldest < pairs->newest &&
	       (pairs->newest - pairs->oldest >= pairs->most ||
		clock - pair_at(pairs, pairs->oldest)->clock > pairs->keep))
		pairs->oldest++;
}

bool pairs_add(struct pairs *pairs, const struct pair *pair)
{
	forget(pairs, pair->clock);
	if (pairs->newest - pairs->oldest == pairs->room && !grow(pairs))
		return false;
	*pair_at(pairs, pairs->newest) = *pair;
	put_in(pairs, pairs->newest);
	pairs->newest++;
	return true;
}

void pairs_free(struct pairs *pairs)
{
	free(pairs->ring);
	free(pairs->list);
}
