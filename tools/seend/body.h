/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bodies of messages.
 *
 * PUBLISH: one section of keys, see codec.h. START: empty.
 *
 * OUT:
 *	flags 1			BODY_BASE: base follows; BODY_UNLISTED
 *	base 16			head of the chain before the START of this epoch
 *	covers 16		up to this entry the stream "in" was read
 *	roster 4		hash of the list of publishers
 *	varint, refusals	each: sender 8, first sequence varint, number varint, reason 1
 *	varint, sections	each: number 4 of the publisher, if the group is sectioned; section
 *				of keys
 */
#ifndef SEEND_BODY_H
#define SEEND_BODY_H

#include "codec.h"
#include "engine_id.h"
#include "message.h"

/* Keys of a message of a publisher, and of an aggregator. */
#define PUBLISH_KEYS	512
#define OUT_KEYS	16384
#define REFUSALS_MAX	1024

/**
 * struct refusal - messages of a publisher that are not in the batch, although it covers them
 * @sender: id of the publisher
 * @first: their first sequence
 * @count: their number
 * @reason: REASON_MISSING: they were not found; another enum reason: they were refused
 */
struct refusal {
	uint64_t sender;
	uint64_t first;
	uint64_t count;
	uint8_t reason;
};

/**
 * struct out_head - an OUT message before its sections
 * @has_base: @base is given: the first message of an epoch
 * @base: see above
 * @unlisted: messages of hosts that are not in the aggregator's list were left out
 * @covers: see above
 * @roster: see above
 * @refusals: elements of @refusal
 * @refusal: see there
 * @sections: number of sections that follow
 */
struct out_head {
	bool has_base;
	uint8_t base[CHAIN_LEN];
	bool unlisted;
	struct engine_id covers;
	uint32_t roster;
	size_t refusals;
	struct refusal refusal[REFUSALS_MAX];
	uint64_t sections;
};

void out_head_put(struct writer *to, const struct out_head *head);

/* out_head_get() - read the head; from->bad is set if it is malformed */
void out_head_get(struct cursor *from, struct out_head *head);

void engine_id_put(struct writer *to, struct engine_id id);
struct engine_id engine_id_get(struct cursor *from);

/**
 * out_section() - read the next section of an OUT message
 * @group: of the message
 * @from: from here; from->bad is set if the section is malformed
 * @publisher: out: its place in the group, or PEERS_MAX if it is not listed; 0 if the group is not
 *	       sectioned
 * @keys: out
 * @room: elements of @keys
 *
 * Return: the number of keys.
 */
size_t out_section(const struct group *group, struct cursor *from, size_t *publisher,
		   struct seen_feed_record *keys, size_t room);

#endif
