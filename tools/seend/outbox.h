/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The batches of a publisher: not yet sent, sent, and acknowledged ones, which are kept for
 * KEEP_TIME in case that the engine loses them. The outbox lies in memory that outlives the daemon;
 * a batch is written before it is counted.
 *
 * A later event of a key supersedes its earlier ones, so that a batch that is sent again does not
 * undo a newer one.
 */
#ifndef SEEND_OUTBOX_H
#define SEEND_OUTBOX_H

#include "body.h"

#ifndef OUTBOX_KEYS
#define OUTBOX_KEYS	0x100000
#endif
#define OUTBOX_BATCHES	(OUTBOX_KEYS / 16)

enum outbox_state { OUTBOX_UNSENT, OUTBOX_SENT, OUTBOX_ACKED };

/**
 * struct outbox_batch - keys that are sent together
 * @first: number of the first key; key n is at place n % OUTBOX_KEYS
 * @count: keys
 * @state: enum outbox_state
 * @sequence: of the message that had them last; 0: none
 * @id: of its entry
 * @time: UNSENT: send it from then on; SENT, ACKED: since when, ns of the engine's clock
 * @node: ACKED: number of the chain's node that acknowledged it
 */
struct outbox_batch {
	uint64_t first;
	uint32_t count;
	uint32_t state;
	uint64_t sequence;
	struct engine_id id;
	uint64_t time;
	uint64_t node;
};

/**
 * struct outbox_key - a key
 * @hash: of the key
 * @when: ns of the engine's clock, times 4; 1: it was deleted; 2: a later event supersedes this one
 */
struct outbox_key {
	uint64_t hash;
	uint64_t when;
};

#define OUTBOX_DELETED		1
#define OUTBOX_SUPERSEDED	2

/**
 * struct outbox - see above; zeroed memory is an empty outbox
 * @sequence: the last one that was used
 * @unclocked: number of the first batch, plus 1, whose keys have times of the host's own clock,
 *	       because the engine had not answered yet; 0: none
 * @dropped: number of the first batch that is still kept
 * @added: number of the next batch; batch n is at place n % OUTBOX_BATCHES
 * @batch: see @added
 * @key: see struct outbox_batch
 */
struct outbox {
	uint64_t sequence;
	uint64_t unclocked;
	uint64_t dropped;
	uint64_t added;
	struct outbox_batch batch[OUTBOX_BATCHES];
	struct outbox_key key[OUTBOX_KEYS];
};

/**
 * struct outbox_index - finds the last event of a key; not kept over a restart
 * @used: entries that were filled since outbox_reindex()
 * @place: places of keys in the outbox, plus 1; 0: free
 */
struct outbox_index {
	uint32_t used;
	uint32_t place[4 * OUTBOX_KEYS];
};

/**
 * outbox_add() - add a batch
 * @outbox: without room for it, drops the oldest batches
 * @index: or NULL: no key is deleted in this group
 * @keys: at most PUBLISH_KEYS, in the order of their events
 * @count: elements of @keys
 * @now: ns of the engine's clock
 *
 * Return: number of keys that were dropped before they were acknowledged.
 */
size_t outbox_add(struct outbox *outbox, struct outbox_index *index,
		  const struct seen_feed_record *keys, size_t count, uint64_t now);

/*
 * outbox_holds() - is the last event of a key that it was seen, at @oldest (ns of the engine's
 * clock) or later? Such a key is this host's, also before it is acknowledged.
 */
bool outbox_holds(const struct outbox *outbox, struct outbox_index *index, uint64_t hash,
		  uint64_t oldest);

/* outbox_unclock() - batches that are added from now on have times of the host's own clock */
void outbox_unclock(struct outbox *outbox);

/* outbox_clock() - the engine's clock is known: it is by @offset ahead of the host's, ns */
void outbox_clock(struct outbox *outbox, uint64_t offset);

/* outbox_next() - the oldest batch that is to be sent; NULL: none */
struct outbox_batch *outbox_next(struct outbox *outbox, uint64_t now);

/* outbox_keys() - the keys of a batch that no later event supersedes; returns their number */
size_t outbox_keys(const struct outbox *outbox, const struct outbox_batch *batch, uint64_t now,
		   struct seen_feed_record *keys);

/**
 * outbox_cover() - an accepted message covers entries up to an id
 * @outbox: the batches that are covered, and sent less than TRIM_RISK ago, are acknowledged
 * @out: head of the message
 * @group: of the message. Batches of this host that the message refuses are sent again, and those
 *	   that the aggregator may have left out because its list of hosts differs
 * @time: of the message
 * @node: number of the message's node in the chain
 *
 * Return: number of batches that will be sent again.
 */
size_t outbox_cover(struct outbox *outbox, const struct out_head *out,
		    const struct group *group, uint64_t time, uint64_t node);

/* outbox_over_quota() - does a message refuse keys of this host because of a quota? */
bool outbox_over_quota(const struct out_head *out, const struct group *group);

/* outbox_rewind() - the engine has lost the messages behind a node; as outbox_cover() */
size_t outbox_rewind(struct outbox *outbox, uint64_t node, uint64_t now);

/* outbox_unsend() - send each batch that is not acknowledged; as outbox_cover() */
size_t outbox_unsend(struct outbox *outbox, uint64_t now);

/**
 * outbox_expire() - drop batches that were acknowledged long ago, send old ones again
 * @outbox: the outbox
 * @stream: time of the newest message that this host has accepted. While nothing arrives, nothing
 *	    is dropped: the next aggregator may have missed the messages that acknowledged it
 * @now: ns of the engine's clock
 *
 * Return: number of batches that will be sent again.
 */
size_t outbox_expire(struct outbox *outbox, uint64_t stream, uint64_t now);

/* outbox_forget() - drop all batches; the last sequence stays, because others have seen it */
void outbox_forget(struct outbox *outbox);

/* outbox_valid() - may this memory have been written by these functions? */
bool outbox_valid(const struct outbox *outbox);

/* outbox_reindex() - fill the index after a restart */
void outbox_reindex(const struct outbox *outbox, struct outbox_index *index);

#endif
