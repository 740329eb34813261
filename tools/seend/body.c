// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "body.h"

#define BODY_BASE	1
#define BODY_UNLISTED	2

void engine_id_put(struct writer *to, struct engine_id id)
{
	put_number(to, id.ms, 8);
	put_number(to, id.seq, 8);
}

struct engine_id engine_id_get(struct cursor *from)
{
	struct engine_id id;

	id.ms = get_number(from, 8);
	id.seq = get_number(from, 8);
	return id;
}

void out_head_put(struct writer *to, const struct out_head *head)
{
	put_number(to, (head->has_base ? BODY_BASE : 0) | (head->unlisted ? BODY_UNLISTED : 0), 1);
	if (head->has_base)
		put_bytes(to, head->base, CHAIN_LEN);
	engine_id_put(to, head->covers);
	put_number(to, head->roster, 4);
	put_varint(to, head->refusals);
	for (size_t i = 0; i < head->refusals; i++) {
		put_number(to, head->refusal[i].sender, 8);
		put_varint(to, head->refusal[i].first);
		put_varint(to, head->refusal[i].count);
		put_number(to, head->refusal[i].reason, 1);
	}
	put_varint(to, head->sections);
}

void out_head_get(struct cursor *from, struct out_head *head)
{
	uint64_t flags = get_number(from, 1), refusals;
	const uint8_t *base;

	head->has_base = flags & BODY_BASE;
	head->unlisted = flags & BODY_UNLISTED;
	if (head->has_base) {
		base = get_bytes(from, CHAIN_LEN);
		if (base)
			memcpy(head->base, base, CHAIN_LEN);
	}
	head->covers = engine_id_get(from);
	head->roster = get_number(from, 4);
	refusals = get_varint(from);
	if (flags > (BODY_BASE | BODY_UNLISTED) || refusals > REFUSALS_MAX)
		from->bad = true;
	head->refusals = from->bad ? 0 : refusals;
	for (size_t i = 0; i < head->refusals; i++) {
		head->refusal[i].sender = get_number(from, 8);
		head->refusal[i].first = get_varint(from);
		head->refusal[i].count = get_varint(from);
		head->refusal[i].reason = get_number(from, 1);
	}
	head->sections = get_varint(from);
}

size_t out_section(const struct group *group, struct cursor *from, size_t *publisher,
		   struct seen_feed_record *keys, size_t room)
{
	int place = group_sectioned(group) ? group_numbered(group, get_number(from, 4)) : 0;

	*publisher = place < 0 ? PEERS_MAX : place;
	return section_get(from, keys, room, group->window);
}
