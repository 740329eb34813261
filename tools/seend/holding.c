// SPDX-License-Identifier: GPL-2.0
/*
 * Groups with deletes. A key is deleted from the filter when the last publisher that holds it
 * deletes it, and only if the filter stored the key because of the group. Keys whose fingerprint
 * was there already may have relied on the deleted one, so they are added again.
 */
#include <stdlib.h>

#include "member.h"

/* A key is not deleted in its last second: its fingerprint may be another key's by then. */
#define LAST	NS_PER_SEC

static size_t holding_who(const struct member *member, size_t publisher)
{
	return member->group->each ? publisher : STORE_OWN;
}

static uint32_t holding_number(const struct member *member, size_t publisher)
{
	return member->group->peers[publisher].number;
}

/* In mode "each" every publisher has its own filter, and so its own entry for a key. */
static uint32_t holding_key(const struct member *member, size_t publisher)
{
	return member->group->each ? holding_number(member, publisher) : 0;
}

static struct holder *holding_find_key(struct member *member, size_t publisher, uint64_t hash)
{
	return holders_find(&member->state->holders, hash, HOLDER_KEY,
			    holding_key(member, publisher));
}

static uint64_t holding_oldest(const struct member *member)
{
	uint64_t now = member_now(member);

	return member->group->window && now > member->group->window ?
		now - member->group->window : 0;
}

/* Does a publisher hold the key of this entry? */
static bool holding_is_held(struct member *member, const struct holder *key)
{
	struct holders *holders = &member->state->holders;
	uint64_t oldest = holding_oldest(member);
	const struct holder *holder;

	if (!member->group->each)
		return holders_hold(holders, key->hash, oldest);
	holder = holders_find(holders, key->hash, HOLDER_PUBLISHER, key->who);
	return holder && holder->when >= oldest;
}

/* May the filter have the key of this entry only because of the group? */
static bool holding_is_ours(struct member *member, const struct holder *key)
{
	uint64_t oldest = holding_oldest(member);

	return key->stored && (!oldest || key->when >= oldest + LAST);
}

static uint64_t holding_when(const struct member *member, const struct seen_feed_record *record)
{
	uint64_t now = member_now(member);

	return now > record->age ? now - record->age : 0;
}

/* Note that a publisher holds a key, with the result of adding it. */
static void holding_add(struct member *member, size_t publisher,
			const struct seen_feed_record *record, uint8_t result)
{
	uint64_t oldest = holding_oldest(member), when = holding_when(member, record);
	struct holders *holders = &member->state->holders;
	uint64_t hash = record->hash;
	struct holder *key, *holder = NULL;

	key = holders_make(holders, hash, HOLDER_KEY, holding_key(member, publisher), when, oldest);
	if (key)
		holder = holders_make(holders, hash, HOLDER_PUBLISHER,
				      holding_number(member, publisher), when, oldest);
	if (!holder) {
		if (key && !holding_is_held(member, key))
			holders_drop(holders, key);
		member_count(member, REASON_UNTRACKED, 1);
		return;
	}
	if (result == SEEN_HASH_NEW)
		key->stored = true;
	holder->fresh = true;
	holder->when = holder->when > when ? holder->when : when;
	key->when = key->when > when ? key->when : when;
}

/*
 * Note that a publisher does not hold a key any more. Returns its entry if the filter must change:
 * without holders the key is deleted; if it is @held, this host has deleted it, and must add it
 * again.
 */
static struct holder *holding_del(struct member *member, size_t publisher, uint64_t hash,
				  bool *held)
{
	struct holders *holders = &member->state->holders;
	struct holder *holder = holders_find(holders, hash, HOLDER_PUBLISHER,
					     holding_number(member, publisher));
	struct holder *key = holding_find_key(member, publisher, hash);

	if (!key)
		return NULL;
	if (holder)
		holders_drop(holders, holder);
	*held = holding_is_held(member, key);
	if (*held)
		return publisher == member->group->self ? key : NULL;
	if (holding_is_ours(member, key))
		return key;
	holders_drop(holders, key);
	return NULL;
}

/* Add keys, and note those that the filter has because of the group. */
static bool holding_store(struct member *member, size_t publisher, size_t count)
{
	if (!apply_keys(member, holding_who(member, publisher), count))
		return false;
	for (size_t i = 0; i < count; i++) {
		struct holder *key = holding_find_key(member, publisher, member->keys[i].hash);

		if (key && member->results[i] == SEEN_HASH_NEW)
			key->stored = true;
	}
	return true;
}

/* Add keys again that the group holds, but that were seen when they were added. */
static bool holding_restore(struct member *member, size_t publisher)
{
	struct holders *holders = &member->state->holders;
	uint32_t who = holding_key(member, publisher);
	uint64_t now = member_now(member), oldest = holding_oldest(member);
	size_t count = 0;

	for (size_t i = 0; i <= HOLDERS_ENTRIES; i++) {
		struct holder *key;

		if (count == OUT_KEYS || (i == HOLDERS_ENTRIES && count)) {
			if (!holding_store(member, publisher, count))
				return false;
			count = 0;
		}
		if (i == HOLDERS_ENTRIES)
			break;
		key = &holders->entry[i];
		if (key->kind == HOLDER_KEY && key->who == who && !key->stored &&
		    key->when >= oldest)
			member->keys[count++] = (struct seen_feed_record) {
				key->hash, now > key->when ? now - key->when : 0, false,
			};
	}
	return true;
}

/* Delete member->keys from the filter, and forget them. */
static bool holding_remove(struct member *member, size_t publisher, size_t count)
{
	struct holders *holders = &member->state->holders;
	struct store *store = member->store;

	if (!count)
		return true;
	if (store->ops->del(store, holding_who(member, publisher), member->scratch, count,
			    member->results)) {
		member_count(member, REASON_STORE, 1);
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		struct holder *key = holding_find_key(member, publisher, member->scratch[i].hash);

		if (key)
			holders_drop(holders, key);
	}
	return holding_restore(member, publisher);
}

static int holding_compare(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	return (x->who > y->who) - (x->who < y->who);
}

/* Copy the keys that nobody holds and that must be deleted, sorted by filter; drop the others. */
static struct holder *holding_unheld(struct member *member, size_t *count)
{
	struct holders *holders = &member->state->holders;
	struct holder *unheld = malloc((holders->used + 1) * sizeof(*unheld));

	*count = 0;
	for (size_t i = 0; unheld && i < HOLDERS_ENTRIES; i++) {
		struct holder *key = &holders->entry[i];

		if (key->kind != HOLDER_KEY || holding_is_held(member, key))
			continue;
		/* The filter of a publisher that is not in the list is nobody's. */
		if (!holding_is_ours(member, key) ||
		    (member->group->each && group_numbered(member->group, key->who) < 0))
			holders_drop(holders, key);
		else
			unheld[(*count)++] = *key;
	}
	if (unheld)
		qsort(unheld, *count, sizeof(*unheld), holding_compare);
	return unheld;
}

/* Delete the keys that no publisher holds any more. */
static bool holding_settle(struct member *member)
{
	const struct group *group = member->group;
	struct holder *unheld;
	size_t count, keys = 0;
	bool done;

	unheld = holding_unheld(member, &count);
	done = unheld;
	for (size_t i = 0; i < count && done; i++) {
		size_t publisher = group->each ? group_numbered(group, unheld[i].who) : 0;

		member->scratch[keys++] = (struct seen_feed_record) { .hash = unheld[i].hash };
		if (keys < OUT_KEYS && i + 1 < count && unheld[i + 1].who == unheld[i].who)
			continue;
		done = holding_remove(member, publisher, keys);
		keys = 0;
	}
	free(unheld);
	return done;
}

bool holding_relist(struct member *member)
{
	struct holders *holders = &member->state->holders;

	for (size_t i = 0; i < HOLDERS_ENTRIES; i++) {
		struct holder *holder = &holders->entry[i];

		if (holder->kind == HOLDER_PUBLISHER &&
		    group_numbered(member->group, holder->who) < 0)
			holders_drop(holders, holder);
	}
	return holding_settle(member);
}

void holding_frame_begin(struct member *member)
{
	struct holders *holders = &member->state->holders;

	for (size_t i = 0; i < HOLDERS_ENTRIES; i++)
		holders->entry[i].fresh = false;
}

bool holding_frame_end(struct member *member)
{
	struct holders *holders = &member->state->holders;

	for (size_t i = 0; i < HOLDERS_ENTRIES; i++) {
		struct holder *holder = &holders->entry[i];

		if (holder->kind == HOLDER_PUBLISHER && !holder->fresh)
			holders_drop(holders, holder);
	}
	return holding_settle(member);
}

bool holding_apply(struct member *member, size_t publisher, size_t count)
{
	size_t added = 0, removed = 0, again = 0;
	struct holder *key;
	bool held;

	while (added < count && !member->keys[added].deleted)
		added++;
	if (!apply_keys(member, holding_who(member, publisher), added))
		return false;
	for (size_t i = 0; i < added; i++)
		if (member->results[i] == SEEN_HASH_NEW || member->results[i] == SEEN_HASH_SEEN)
			holding_add(member, publisher, &member->keys[i], member->results[i]);
	for (size_t i = added; i < count; i++) {
		key = holding_del(member, publisher, member->keys[i].hash, &held);
		if (key && !held)
			member->scratch[removed++] = member->keys[i];
		else if (key)
			member->keys[again++] = (struct seen_feed_record) {
				.hash = key->hash, .age = member->keys[i].age,
			};
	}
	return holding_store(member, publisher, again) &&
	       holding_remove(member, publisher, removed);
}
