// SPDX-License-Identifier: GPL-2.0
/*
 * Groups with deletes. A key is deleted from the filter when the last publisher that holds it
 * deletes it, and only if the filter stored the key because of the group. Keys whose fingerprint
 * was there already may have relied on the deleted one, so they are added again.
 */
#include "member.h"

static size_t holding_who(const struct member *member, size_t publisher)
{
	return member->group->each ? publisher : STORE_OWN;
}

/* In mode "each" every publisher has its own filter, and so its own entry for a key. */
static uint32_t holding_key(const struct member *member, size_t publisher)
{
	return member->group->each ? HOLDER_FIRST + PEERS_MAX + publisher : HOLDER_KEY;
}

static uint64_t holding_oldest(const struct member *member)
{
	uint64_t now = member_now(member);

	return member->group->window && now > member->group->window ?
		now - member->group->window : 0;
}

/* Note that a publisher holds a key, with the result of adding it. */
static void holding_add(struct member *member, size_t publisher, uint64_t hash, uint8_t result,
			uint64_t when)
{
	struct holders *holders = &member->state->holders;
	uint64_t oldest = holding_oldest(member);
	bool held = holders_find(holders, hash, HOLDER_FIRST + publisher);
	struct holder *key, *holder;

	key = holders_make(holders, hash, holding_key(member, publisher), when, oldest);
	holder = key ? holders_make(holders, hash, HOLDER_FIRST + publisher, when, oldest) : NULL;
	if (!holder) {
		if (key && !key->count)
			holders_drop(holders, key);
		member_count(member, REASON_UNTRACKED, 1);
		return;
	}
	if (result == SEEN_HASH_NEW)
		key->stored = true;
	key->count += !held;
	holder->when = when;
	key->when = key->when > when ? key->when : when;
}

/*
 * Note that a publisher does not hold a key any more. Returns its entry if the filter must change:
 * without holders the key is deleted; otherwise this host has deleted it, and must add it again.
 */
static struct holder *holding_del(struct member *member, size_t publisher, uint64_t hash)
{
	struct holders *holders = &member->state->holders;
	struct holder *holder = holders_find(holders, hash, HOLDER_FIRST + publisher);
	struct holder *key = holders_find(holders, hash, holding_key(member, publisher));

	if (!key)
		return NULL;
	if (holder) {
		holders_drop(holders, holder);
		key->count -= key->count > 0;
	}
	if (key->count)
		return publisher == member->group->self ? key : NULL;
	if (key->stored)
		return key;
	holders_drop(holders, key);
	return NULL;
}

/* Add keys, and note those that the filter has because of the group. */
static bool holding_store(struct member *member, size_t publisher, size_t count)
{
	uint32_t who = holding_key(member, publisher);

	if (!apply_keys(member, holding_who(member, publisher), count))
		return false;
	for (size_t i = 0; i < count; i++) {
		struct holder *key = holders_find(&member->state->holders, member->keys[i].hash,
						  who);

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
	uint64_t now = member_now(member);
	size_t count = 0;

	for (size_t i = 0; i <= HOLDERS_ENTRIES; i++) {
		struct holder *key = &holders->entry[i];

		if (count == OUT_KEYS || (i == HOLDERS_ENTRIES && count)) {
			if (!holding_store(member, publisher, count))
				return false;
			count = 0;
		}
		if (i == HOLDERS_ENTRIES)
			break;
		key = &holders->entry[i];
		if (key->who == who && key->count && !key->stored)
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
		struct holder *key = holders_find(holders, member->scratch[i].hash,
						  holding_key(member, publisher));

		if (key)
			holders_drop(holders, key);
	}
	return holding_restore(member, publisher);
}

bool holding_apply(struct member *member, size_t publisher, size_t count, uint64_t time)
{
	size_t added = 0, removed = 0, again = 0;
	struct holder *key;

	while (added < count && !member->keys[added].deleted)
		added++;
	if (!apply_keys(member, holding_who(member, publisher), added))
		return false;
	for (size_t i = 0; i < added; i++)
		if (member->results[i] == SEEN_HASH_NEW || member->results[i] == SEEN_HASH_SEEN)
			holding_add(member, publisher, member->keys[i].hash, member->results[i],
				    time);
	for (size_t i = added; i < count; i++) {
		key = holding_del(member, publisher, member->keys[i].hash);
		if (key && !key->count)
			member->scratch[removed++] = member->keys[i];
		else if (key)
			member->keys[again++] = (struct seen_feed_record) {
				.hash = key->hash, .age = member->keys[i].age,
			};
	}
	return holding_store(member, publisher, again) &&
	       holding_remove(member, publisher, removed);
}
