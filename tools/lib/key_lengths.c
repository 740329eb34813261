// SPDX-License-Identifier: GPL-2.0
/* The lengths of prefixes in a list; key_lengths.h. */
#include <string.h>

#include "lengths.h"
#include "key_lengths.h"

/* The header must not use core's types, so the words are copied. */
static struct seen_lengths lengths_of(const struct seen_key_lengths *held)
{
	struct seen_lengths lengths;

	_Static_assert(sizeof(lengths.word) == sizeof(held->word),
		       "room for all lengths");
	memcpy(lengths.word, held->word, sizeof(lengths.word));
	return lengths;
}

static void keep(struct seen_key_lengths *held,
		 const struct seen_lengths *lengths)
{
	memcpy(held->word, lengths->word, sizeof(held->word));
}

bool seen_key_lengths_open(struct seen_key_lengths *held,
			   const struct seen_key_spec *spec)
{
	*held = (struct seen_key_lengths) { .at = seen_key_spec_prefix(spec) };
	return held->at;
}

void seen_key_lengths_take(struct seen_key_lengths *held,
			   const struct seen_filter_info *info)
{
	struct seen_lengths lengths = lengths_of(held);

	seen_lengths_take(&lengths, info->length, info->lengths);
	keep(held, &lengths);
}

int seen_key_lengths_index(const struct seen_key_lengths *held,
			   const uint8_t *key)
{
	return seen_lengths_index(key + held->at - 1);
}

bool seen_key_lengths_add(struct seen_key_lengths *held, const uint8_t *key)
{
	struct seen_lengths lengths = lengths_of(held);
	bool added = seen_lengths_add(&lengths,
				      seen_key_lengths_index(held, key));

	keep(held, &lengths);
	return added;
}

bool seen_key_lengths_walk(const struct seen_key_lengths *held, uint8_t *key,
			   int *index)
{
	const struct seen_lengths lengths = lengths_of(held);

	return seen_lengths_walk(&lengths, key + held->at - 1, index);
}
