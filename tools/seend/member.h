/* SPDX-License-Identifier: GPL-2.0 */
/*
 * This host in a group: publisher, reader, and perhaps aggregator. Nothing here waits, reads a
 * clock or uses the network, except by the engine and the store.
 *
 * The daemon may be killed at any time. State that must outlive it is in struct member_state.
 */
#ifndef SEEND_MEMBER_H
#define SEEND_MEMBER_H

#include "blame.h"
#include "chain.h"
#include "dedup.h"
#include "holders.h"
#include "outbox.h"
#include "quota.h"
#include "store.h"

/* Times, ns. */
#define BATCH_TIME	(NS_PER_SEC / 5)
#define LOOK_TIME	(NS_PER_SEC / 20)
#define SIGN_TIME	NS_PER_SEC
#define LOCK_TIME	(3 * NS_PER_SEC)
#define FRAME_TIME	(600 * NS_PER_SEC)
#define FRAME_AGE_MOST	(1200 * NS_PER_SEC)
/* The clocks of two hosts, which both follow the engine's, differ by less. */
#define AHEAD_MOST	(2 * NS_PER_SEC)

/**
 * struct member_state - memory that outlives the daemon; zeroed memory is the beginning
 * @chain: see there
 * @outbox: see there
 * @holders: see there; only groups with deletes use it
 */
struct member_state {
	struct chain chain;
	struct outbox outbox;
	struct holders holders;
};

/**
 * struct publisher - sends new keys of the feed
 * @done: number of the batch of the feed that is in the outbox
 * @lost: keys that the feed lost before
 * @next: when the feed is read next
 * @taken: keys that were read at once last
 * @quota: of this host
 * @index: see struct outbox_index, or NULL
 * @refused: when the aggregator last refused keys of this host because of a quota, ns of the
 *	     engine's clock; 0: never
 * @sequenced: a message was sent since the start
 * @call: an empty message is to be sent, because an aggregator's epoch is too low
 * @call_next: not before this time
 */
struct publisher {
	uint64_t done;
	uint64_t lost;
	uint64_t next;
	size_t taken;
	struct quota quota;
	struct outbox_index *index;
	uint64_t refused;
	bool sequenced;
	bool call;
	uint64_t call_next;
};

/**
 * struct reader - applies batches
 * @placed: the position is right for the engine's process
 * @joined: a keyframe was tried before the first message is read
 * @frame_next: when a keyframe is tried next, if one is needed
 * @frame: id of the last keyframe that was loaded
 * @torn: a keyframe was applied in part only, and must be loaded again
 * @applied: keys that were added or deleted
 * @time: of the last accepted message; 0: none yet
 * @quota: of the group, refilled by the times of its messages
 * @missed: keys of the message were left out
 * @late: the filter's sweep was late, so that it did not store a key
 * @caught_up: the last call found no entry
 * @stuck: the filter could not be used, so that a message is read again
 */
struct reader {
	bool placed;
	bool joined;
	uint64_t frame_next;
	uint64_t frame;
	bool torn;
	uint64_t applied;
	uint64_t time;
	struct quota quota;
	bool missed;
	bool late;
	bool caught_up;
	bool stuck;
};

/* AGGREGATOR_IDLE: another host does it; _START: waits for its START; _SCAN: reads "in" back */
enum aggregator_stage { AGGREGATOR_IDLE, AGGREGATOR_START, AGGREGATOR_SCAN, AGGREGATOR_RUN };

/**
 * struct pending - a key that will be in the next batch
 * @hash: of the key
 * @when: ns of the engine's clock
 * @publisher: its place; 0 if batches have no sections
 * @deleted: it was deleted
 */
struct pending {
	uint64_t hash;
	uint64_t when;
	uint32_t publisher;
	bool deleted;
};

/**
 * struct sender - a publisher, as its aggregator sees it
 * @sequence: the highest that was accepted; 0: none
 * @rate: quota of keys a second
 * @share: quota of the capacity
 * @place: while the next batch is sorted: where this publisher's next key is
 */
struct sender {
	uint64_t sequence;
	struct quota rate;
	struct quota share;
	size_t place;
};

/**
 * struct aggregator - sends one batch for all publishers
 * @stage: see above
 * @next: when the lock is tried or renewed next
 * @deadline: give up then, unless the own newest messages are read before
 * @lock: value of the lock
 * @epoch: of this term
 * @highest: the highest epoch that a publisher named
 * @raise_next: when @highest may change next
 * @sequence: of the last message
 * @head: of the chain behind the last message
 * @base: of this term
 * @start: the START of this term
 * @start_len: bytes of @start
 * @start_id: its entry
 * @position: the last entry of "in" that was read
 * @scan: stage SCAN: the oldest entry that was read
 * @scanned: entries that were read in stage SCAN
 * @sent: when the last batch was sent
 * @news: there is something that must not wait for SIGN_TIME
 * @sender: of each host of the group
 * @quota: of the whole group
 * @dedup: see there
 * @out: head of the next batch
 * @count: elements of @pending
 * @pending: room for 2 * OUT_KEYS, the second half to sort them
 * @forwarded: keys that were sent
 * @dropped: keys that were not, because they were just sent before
 * @frame_time: when the last keyframe was made
 * @frame_entries: keys in it
 * @frame_next: when it is looked at next, whether one is due
 */
struct aggregator {
	enum aggregator_stage stage;
	uint64_t next;
	uint64_t deadline;
	char lock[64];
	uint64_t epoch;
	uint64_t highest;
	uint64_t raise_next;
	uint64_t sequence;
	uint8_t head[CHAIN_LEN];
	uint8_t base[CHAIN_LEN];
	uint8_t start[START_ROOM];
	size_t start_len;
	struct engine_id start_id;
	struct engine_id position;
	struct engine_id scan;
	size_t scanned;
	uint64_t sent;
	bool news;
	struct sender *sender;
	struct quota quota;
	struct dedup *dedup;
	struct out_head out;
	size_t count;
	struct pending *pending;
	uint64_t forwarded;
	uint64_t dropped;
	uint64_t frame_time;
	uint64_t frame_entries;
	uint64_t frame_next;
};

/**
 * struct member - see above
 * @group: see there
 * @engine: of the group
 * @store: of the group
 * @state: see there
 * @usable: the filter exists, and other hosts can use its hashes
 * @store_next: when the filter is looked at next
 * @online: the engine answers
 * @retry: when to try it again, if it does not
 * @mono: ns, the clock of this host
 * @offset: the engine's clock less @mono
 * @clocked: the engine has answered once since the start, so that its clock is known
 * @clock_next: when the engine's clock is read next, by @mono
 * @publisher: see there
 * @reader: see there
 * @aggregator: see there
 * @counts: by enum reason
 * @blames: by enum reason
 * @keys: room for OUT_KEYS
 * @scratch: room for OUT_KEYS
 * @results: room for OUT_KEYS
 * @bytes: room for MESSAGE_MOST
 * @body: room for MESSAGE_MOST
 * @plain: room for MESSAGE_MOST
 * @out: head of the message that is being read
 */
struct member {
	struct group *group;
	struct engine *engine;
	struct store *store;
	struct member_state *state;
	bool usable;
	uint64_t store_next;
	bool online;
	uint64_t retry;
	uint64_t mono;
	int64_t offset;
	bool clocked;
	uint64_t clock_next;
	struct publisher publisher;
	struct reader reader;
	struct aggregator aggregator;
	uint64_t counts[REASONS];
	struct blame blames[REASONS];
	struct seen_feed_record keys[OUT_KEYS];
	struct seen_feed_record scratch[OUT_KEYS];
	uint8_t results[OUT_KEYS];
	uint8_t bytes[MESSAGE_MOST];
	uint8_t body[MESSAGE_MOST];
	uint8_t plain[MESSAGE_MOST];
	struct out_head out;
};

/**
 * member_new() - take part in a group
 * @group: complete; its window and capacity are set from the store
 * @engine: is not called before member_tick()
 * @store: of the group
 * @state: see there
 *
 * Return: the member; NULL: no memory, or the store cannot be used.
 */
struct member *member_new(struct group *group, struct engine *engine, struct store *store,
			  struct member_state *state);
void member_free(struct member *member);

/**
 * member_tick() - do what is to be done now
 * @member: this host
 * @mono: ns, never less than before
 */
void member_tick(struct member *member, uint64_t mono);

/**
 * member_next() - when member_tick() is due, if the engine has no news before
 * @member: this host
 *
 * Return: ns, by the clock of member_tick(); 0: at once.
 */
uint64_t member_next(const struct member *member);

/* member_now() - the engine's clock, ns */
uint64_t member_now(const struct member *member);

/*
 * member_epoch_may_be() - is an epoch at most a year ahead of the engine's clock? A host that names
 * the highest possible epoch must not leave the group without a higher one.
 */
bool member_epoch_may_be(const struct member *member, uint64_t epoch);

/* member_count() - count an event */
void member_count(struct member *member, enum reason reason, uint64_t count);

/* member_refuse() - count a message that is not used, and note its sender */
void member_refuse(struct member *member, enum reason reason, const struct message *message);

/* member_blames() - does the sender that a reason is noted for still send such messages? */
bool member_blames(const struct member *member, enum reason reason);

/* member_is_complete() - has this host all keys up to the last batch that was sent? */
bool member_is_complete(const struct member *member);

/* member_is_refused() - does the aggregator refuse keys of this host because of a quota? */
bool member_is_refused(const struct member *member);

/* member_store_is_same() - has the filter all its keys since it was looked at last? */
bool member_store_is_same(struct member *member);

/*
 * member_engine() - judge the result of a function of the engine: true if it is 0. After an error
 * the engine is asked again from the beginning, later.
 */
bool member_engine(struct member *member, int err);

/* Parts, called by member_tick(). */
void reader_begin(struct member *member);
void reader_restarted(struct member *member);
void reader_tick(struct member *member);
void publisher_collect(struct member *member);
void publisher_discard(struct member *member);
void publisher_tick(struct member *member);
void aggregator_tick(struct member *member);
uint64_t aggregator_next(const struct member *member);
void aggregator_stop(struct member *member);

/* intake_entry() - take the keys of an entry of the stream "in"; false: there is no more room */
bool intake_entry(void *context, struct engine_id id, const uint8_t *bytes, size_t len);

/* intake_has_room() - is there room for another message of a publisher, and for its refusals? */
bool intake_has_room(const struct aggregator *aggregator);

/*
 * batch_append() - sign a message and append it to the stream "out"; returns its length, 0: the
 * engine is away
 */
size_t batch_append(struct member *member, struct message *message, struct engine_id *id);

/* batch_send() - send the keys that were taken since the last batch, and the last "in" id */
void batch_send(struct member *member);

/* apply_batch() - apply the keys of a verified OUT message; false: the store failed */
bool apply_batch(struct member *member, const struct message *message, struct cursor *from);

/* apply_again() - as apply_batch(), for a message that was applied before */
bool apply_again(struct member *member, const struct message *message, struct cursor *from);

/*
 * holding_apply() - apply member->keys of a publisher, whose ages are as of now, in groups with
 * deletes; false: the store failed
 */
bool holding_apply(struct member *member, size_t publisher, size_t count);

/*
 * holding_finish() - after deletes: add keys again that relied on fingerprints of deleted ones;
 * false: the store failed
 */
bool holding_finish(struct member *member);

/*
 * holding_relist() - the group has other hosts than before: delete the keys that only hosts held
 * that are no longer in it; false: the store failed
 */
bool holding_relist(struct member *member);

/*
 * holding_frame_begin(), holding_frame_end() - before and after the sections of a keyframe are
 * applied: publishers hold what the keyframe says, and no other key; false: the store failed
 */
void holding_frame_begin(struct member *member);
bool holding_frame_end(struct member *member);

/*
 * apply_keys() - add member->keys to a filter, and set member->results; false: the store failed. If
 * member->reader.late is set, the message must be applied again.
 */
bool apply_keys(struct member *member, size_t who, size_t count);

#endif
