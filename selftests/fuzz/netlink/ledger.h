/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters that one process alone changes, and what the kernel has acknowledged of
 * them: what it counts, and which keys are in them, follows from its own answers.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include "talk.h"

/* Filters of a process. */
#define OWN		3
/* Keys that are known of one, and bytes of the longest. */
#define LEDGER_KEYS	2048
#define LEDGER_KEY_MAX	64
/* Bytes of a name. */
#define OWN_NAME	32

/**
 * struct ledger_key - one that was acknowledged
 * @len: its bytes
 * @bytes: they
 * @used: there is one in this place
 * @copies: how often it is there, at least; 0: it was deleted
 * @value: of a map
 * @at: when it was stored last, or before
 */
struct ledger_key {
	uint16_t len;
	uint8_t bytes[LEDGER_KEY_MAX];
	bool used;
	uint32_t copies;
	uint32_t value;
	double at;
};

/**
 * struct ledger - of a filter
 * @there: it was added, and not deleted
 * @lost: another one has come by its name
 * @folded: how many keys are in it is an estimate
 * @spoiled: a key that was not in it was deleted, and others with it
 * @partial: not all of its keys are known
 * @type: enum seen_type
 * @window: ns, 0: none
 * @stats: by SEEN_A_STATS_*
 * @stored: keys that were new
 * @counted: adds that are in the counters of who counts
 * @removed: deletes that found something
 * @allowed: keys on its allow list
 * @begun: when the first key was stored, or before
 * @keys: by hash
 */
struct ledger {
	bool there;
	bool lost;
	bool folded;
	bool spoiled;
	bool partial;
	uint32_t type;
	uint64_t window;
	uint64_t stats[SEEN_A_STATS_MAX + 1];
	uint64_t stored;
	uint64_t counted;
	uint64_t removed;
	uint64_t allowed;
	double begun;
	struct ledger_key keys[LEDGER_KEYS];
};

/* own_name() - of a process's filter; no other message has such a name */
void own_name(uint32_t owner, uint32_t number, char *name);

/* own_number() - of a process's filter, or -1 */
int own_number(uint32_t owner, const char *name);

/**
 * ledger_apply() - keys of a filter were answered for
 * @ledger: of it
 * @message: the request, as it was sent
 * @reply: to it
 * @sent: when it was, or before
 */
void ledger_apply(struct ledger *ledger, const struct message *message,
		  const struct reply *reply, double sent);

/* ledger_reply() - the same, if it is one of a process's OWN filters */
void ledger_reply(struct ledger *own, uint32_t owner,
		  const struct message *message, const struct reply *reply,
		  double sent);

/* ledger_done() - the request was taken */
void ledger_done(struct ledger *own, uint32_t owner,
		 const struct message *message);

#endif
