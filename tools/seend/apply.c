// SPDX-License-Identifier: GPL-2.0
/* Batches become keys of the filter. */
#include <string.h>

#include "member.h"

/*
 * The filter's own clock runs from a key's age: what the message says, and the time since then by
 * the engine's clock, so that the clocks of hosts do not matter.
 */
static void apply_ages(struct member *member, size_t count, uint64_t time)
{
	uint64_t now = member_now(member), passed = now > time ? now - time : 0;

	for (size_t i = 0; i < count; i++)
		if (__builtin_add_overflow(member->keys[i].age, passed, &member->keys[i].age))
			member->keys[i].age = UINT64_MAX >> 1;
}

bool apply_keys(struct member *member, size_t who, size_t count)
{
	struct store *store = member->store;

	if (!count)
		return true;
	if (store->ops->add(store, who, member->keys, count, NULL, member->results)) {
		member_count(member, REASON_STORE, 1);
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		member->reader.late |= member->results[i] == SEEN_HASH_STALE;
		if (member->results[i] == SEEN_HASH_FULL)
			member_count(member, REASON_FULL, 1);
	}
	return true;
}

static bool apply_section(struct member *member, const struct message *message, size_t publisher,
			  size_t count)
{
	const struct group *group = member->group;

	/* In mode "each" the own keys are in the own filter. */
	if (group->each && publisher == group->self)
		return true;
	/* Without sections a batch does not name publishers. */
	if (group_sectioned(group) &&
	    (publisher == PEERS_MAX || !group->peers[publisher].publishes)) {
		member_refuse(member, REASON_ROSTER, message);
		return true;
	}
	member->reader.applied += count;
	if (group->deletes)
		return holding_apply(member, publisher, count);
	while (count && member->keys[count - 1].deleted)
		count--;
	return apply_keys(member, group->each ? publisher : STORE_OWN, count);
}

/* Read all sections before the first one is applied; *@keys: their keys. */
static bool apply_is_sound(struct member *member, struct cursor from, uint64_t *keys)
{
	size_t publisher;

	*keys = 0;
	for (uint64_t i = 0; i < member->out.sections && !from.bad; i++)
		*keys += out_section(member->group, &from, &publisher, member->keys, OUT_KEYS);
	return !from.bad && !from.left;
}

/*
 * An aggregator keeps to the quota of the group. This host enforces it with room for two terms of
 * an aggregator, and by the times of messages: it may read those of many minutes at once.
 */
static bool apply_allows(struct member *member, uint64_t keys, uint64_t time)
{
	uint64_t rate = member->group->limits.group_rate, latest = member_now(member) + AHEAD_MOST;

	return quota_take(&member->reader.quota, rate, NS_PER_SEC, 16 * rate + OUT_KEYS, keys,
			  time < latest ? time : latest);
}

/* The filter learns how old the news of the group are. */
static bool apply_age(struct member *member, uint64_t time)
{
	uint64_t now = member_now(member), age = now > time ? now - time : 0;

	return !member->store->ops->add(member->store, STORE_OWN, NULL, 0, &age, NULL);
}

static bool apply_sections(struct member *member, const struct message *message,
			   struct cursor *from)
{
	size_t publisher, count;

	for (uint64_t i = 0; i < member->out.sections; i++) {
		count = out_section(member->group, from, &publisher, member->keys, OUT_KEYS);
		apply_ages(member, count, message->time);
		if (!apply_section(member, message, publisher, count))
			return false;
	}
	/* All sections were tried, so that the results of stored keys are noted. */
	if (member->group->deletes && !holding_finish(member))
		return false;
	return !member->reader.late && apply_age(member, message->time);
}

bool apply_again(struct member *member, const struct message *message, struct cursor *from)
{
	uint64_t keys;

	member->reader.late = false;
	return !apply_is_sound(member, *from, &keys) || apply_sections(member, message, from);
}

bool apply_batch(struct member *member, const struct message *message, struct cursor *from)
{
	uint64_t keys;

	member->reader.late = false;
	member->reader.missed = true;
	if (!apply_is_sound(member, *from, &keys)) {
		member_refuse(member, REASON_BODY, message);
		return true;
	}
	if (!apply_allows(member, keys, message->time)) {
		member_refuse(member, REASON_QUOTA, message);
		return true;
	}
	member->reader.missed = false;
	if (apply_sections(member, message, from))
		return true;
	/* The message will be applied again. */
	quota_return(&member->reader.quota, keys);
	return false;
}
