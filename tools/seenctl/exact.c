// SPDX-License-Identifier: GPL-2.0
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"

/* A key. In the set its bytes follow the struct; in a search they are the caller's. */
struct member {
	const uint8_t *key;
	size_t len;
};

static int compare(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->key, y->key, x->len);
}

bool exact_add(struct exact *exact, const uint8_t *key, size_t len)
{
	struct member *member = malloc(sizeof(*member) + len);
	struct member **found;
	uint8_t *copy;

	if (!member)
		return false;
	copy = (uint8_t *)(member + 1);
	memcpy(copy, key, len);
	*member = (struct member) { .key = copy, .len = len };
	found = tsearch(member, &exact->tree, compare);
	if (!found || *found != member)
		free(member);
	return found;
}

static bool find(const struct exact *exact, const uint8_t *key, size_t len)
{
	const struct member wanted = { .key = key, .len = len };

	return exact->tree && tfind(&wanted, &exact->tree, compare);
}

/*
 * Is a prefix that covers the key in the set? See covers() in kmod/allow.c. The key fits
 * into @shorter, because a key with a prefix has no payload.
 */
static bool covers(const struct exact *exact, const uint8_t *key, size_t len)
{
	uint8_t shorter[SEEN_KEY_HEAD_MAX];
	int index = seen_key_lengths_index(&exact->lengths, key);

	memcpy(shorter, key, len);
	while (seen_key_lengths_walk(&exact->lengths, shorter, &index))
		if (find(exact, shorter, len))
			return true;
	return false;
}

bool exact_has(const struct exact *exact, const uint8_t *key, size_t len)
{
	return exact->lengths.at ? covers(exact, key, len) :
				   find(exact, key, len);
}

void exact_free(struct exact *exact)
{
	tdestroy(exact->tree, free);
	exact->tree = NULL;
}
