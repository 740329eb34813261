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

/*
 * Does a publisher hold the key of this entry? This host does as soon as the key is in its outbox,
 * also if its own message has not come back yet.
 */
static bool holding_is_held(struct member *member, const struct holder *key)
{
	struct holders *holders = &member->state->holders;
	uint64_t oldest = holding_oldest(member);
	const struct holder *holder;

	if (key->crowded && key->when >= oldest)
		return true;
	if (!member->group->each)
		return holders_hold(holders, key->hash, oldest) ||
			outbox_holds(&member->state->outbox, member->publisher.index, key->hash,
				     oldest);
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
	if (holder)
		holder->fresh = true;
	else
		member_count(member, REASON_UNTRACKED, 1);
	/* A key of which a holder is not known is never deleted. */
	if (key)
		key->crowded |= !holder;
	if (key && result == SEEN_HASH_NEW)
		key->stored = true;
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
		holders_drop(holder);
	*held = holding_is_held(member, key);
	if (*held)
		return publisher == member->group->self ? key : NULL;
	if (holding_is_ours(member, key))
		return key;
	holders_drop(key);
	return NULL;
}

static struct seen_feed_record holding_record(const struct member *member,
					      const struct holder *key)
{
	uint64_t now = member_now(member);

	return (struct seen_feed_record) {
		key->hash, now > key->when ? now - key->when : 0, false,
	};
}

/* Add member->keys, and note those that the filter has because of the group. */
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

/* Delete member->scratch from the filter, and forget the keys. */
static bool holding_delete(struct member *member, size_t publisher, size_t count)
{
	struct store *store = member->store;

	if (!count)
		return true;
	member->state->holders.restore = true;
	if (store->ops->del(store, holding_who(member, publisher), member->scratch, count,
			    member->results)) {
		member_count(member, REASON_STORE, 1);
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		struct holder *key = holding_find_key(member, publisher, member->scratch[i].hash);

		if (key)
			holders_drop(key);
	}
	return true;
}

typedef bool (*holding_wants)(struct member *member, struct holder *key);
typedef bool (*holding_does)(struct member *member, size_t publisher, size_t count);

/* Copy the keys that are wanted, sorted by filter; NULL: no memory. The caller frees them. */
static struct holder *holding_collect(struct member *member, holding_wants wants, size_t *count)
{
	struct holders *holders = &member->state->holders;
	struct holder *found;

	*count = 0;
	found = malloc((holders_count(holders, HOLDER_KEY) + 1) * sizeof(*found));
	for (size_t i = 0; found && i < HOLDERS_ENTRIES; i++) {
		struct holder *key = &holders->entry[i];

		if (key->kind == HOLDER_KEY && wants(member, key))
			found[(*count)++] = *key;
	}
	holders_sort(found, *count);
	return found;
}

/* Put the keys that are wanted into @records, and call @does for one filter after the other. */
static bool holding_each(struct member *member, holding_wants wants,
			 struct seen_feed_record *records, holding_does does)
{
	const struct group *group = member->group;
	struct holder *found;
	size_t count, keys = 0;
	bool done;

	found = holding_collect(member, wants, &count);
	done = found;
	for (size_t i = 0; i < count && done; i++) {
		size_t publisher = group->each ? group_numbered(group, found[i].who) : 0;

		records[keys++] = holding_record(member, &found[i]);
		if (keys < OUT_KEYS && i + 1 < count && found[i + 1].who == found[i].who)
			continue;
		done = does(member, publisher, keys);
		keys = 0;
	}
	free(found);
	return done;
}

/* The filter of a publisher that is not in the list is nobody's. */
static bool holding_has_filter(const struct member *member, const struct holder *key)
{
	return !member->group->each || group_numbered(member->group, key->who) >= 0;
}

/* The filter may have lost this key together with one that was deleted. */
static bool holding_may_lack(struct member *member, struct holder *key)
{
	return !key->stored && key->when >= holding_oldest(member) &&
	       holding_has_filter(member, key);
}

/* Must this key be deleted, because nobody holds it? If it need not, it is dropped. */
static bool holding_is_unheld(struct member *member, struct holder *key)
{
	if (holding_is_held(member, key))
		return false;
	if (holding_is_ours(member, key) && holding_has_filter(member, key))
		return true;
	holders_drop(key);
	return false;
}

/* Delete the keys that no publisher holds any more. */
static bool holding_settle(struct member *member)
{
	return holding_each(member, holding_is_unheld, member->scratch, holding_delete) &&
	       holding_finish(member);
}

bool holding_finish(struct member *member)
{
	struct holders *holders = &member->state->holders;

	if (!holders->restore)
		return true;
	holders->restore = !holding_each(member, holding_may_lack, member->keys, holding_store);
	return !holders->restore;
}

bool holding_relist(struct member *member)
{
	struct holders *holders = &member->state->holders;

	for (size_t i = 0; i < HOLDERS_ENTRIES; i++) {
		struct holder *holder = &holders->entry[i];

		if (holder->kind == HOLDER_PUBLISHER &&
		    group_numbered(member->group, holder->who) < 0)
			holders_drop(holder);
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
			holders_drop(holder);
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
			member->keys[again++] = holding_record(member, key);
	}
	/* This host has deleted its keys before it published that. */
	if (publisher == member->group->self && added < count)
		member->state->holders.restore = true;
	return holding_store(member, publisher, again) &&
	       holding_delete(member, publisher, removed);
}
