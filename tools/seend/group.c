// SPDX-License-Identifier: GPL-2.0
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "group.h"

static uint64_t group_hash(const void *data, size_t len, const void *key, size_t key_len,
			   unsigned int bytes)
{
	uint8_t digest[crypto_generichash_BYTES_MIN];
	struct cursor from = { digest, sizeof(digest), false };

	crypto_generichash(digest, sizeof(digest), data, len, key, key_len);
	return get_number(&from, bytes);
}

static int group_compare(const void *a, const void *b)
{
	const struct peer *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

const char *group_complete(struct group *group)
{
	uint8_t *keys;

	group->id = group_hash(group->name, strlen(group->name), NULL, 0, 8);
	for (size_t i = 0; i < group->count; i++) {
		group->peers[i].id = group_hash(group->peers[i].key, PUBLIC_KEY_LEN, NULL, 0, 8);
		group->peers[i].number = group->peers[i].id >> 32;
	}
	qsort(group->peers, group->count, sizeof(*group->peers), group_compare);
	for (size_t i = 1; i < group->count; i++) {
		if (group->peers[i].id == group->peers[i - 1].id)
			return "two hosts have the same key";
		if (group->peers[i].number == group->peers[i - 1].number)
			return "two hosts have the same number; make another key for one of them";
	}
	keys = calloc(group->count + 1, PUBLIC_KEY_LEN + 1);
	if (!keys)
		return "no memory";
	for (size_t i = 0; i < group->count; i++) {
		memcpy(keys + i * (PUBLIC_KEY_LEN + 1), group->peers[i].key, PUBLIC_KEY_LEN);
		keys[i * (PUBLIC_KEY_LEN + 1) + PUBLIC_KEY_LEN] = group->peers[i].publishes;
	}
	group->roster = group_hash(keys, group->count * (PUBLIC_KEY_LEN + 1), NULL, 0, 4);
	free(keys);
	/* libsodium's secret key ends with the public key. */
	for (group->self = 0; group->self < group->count; group->self++)
		if (!memcmp(group->peers[group->self].key, group->secret + PUBLIC_KEY_LEN,
			    PUBLIC_KEY_LEN))
			break;
	return NULL;
}

uint64_t group_check(const char *spec, const uint8_t *secret, size_t len)
{
	return group_hash(spec, strlen(spec), secret, len, 8);
}

int group_numbered(const struct group *group, uint32_t number)
{
	size_t first = 0, end = group->count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (group->peers[middle].number == number)
			return middle;
		if (group->peers[middle].number < number)
			first = middle + 1;
		else
			end = middle;
	}
	return -1;
}

int group_peer(const struct group *group, uint64_t id)
{
	int place = group_numbered(group, id >> 32);

	return place >= 0 && group->peers[place].id == id ? place : -1;
}

bool group_sectioned(const struct group *group)
{
	return group->each || group->deletes;
}

const struct peer *group_me(const struct group *group)
{
	return &group->peers[group->self];
}
