/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For filters that only one process changes: a record of all that the kernel has acknowledged. The
 * kernel's counters and the stored keys follow from its own answers.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include "talk.h"

/* Number of such filters of each process. */
#define OWN		3
/* Keys recorded for a filter, and bytes of the longest key. */
#define LEDGER_KEYS	2048
#define LEDGER_KEY_MAX	64
/* Bytes of a name with its NUL. */
#define OWN_NAME	32

/**
 * struct ledger_key - a key whose storage was acknowledged
 * @len: number of @bytes
 * @bytes: the key
 * @used: this place holds a key
 * @copies: number of copies, at least; 0: deleted
 * @value: value, for a map
 * @at: time of its last storage, or earlier
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
 * struct ledger - the record of a filter
 * @there: it was added, and not deleted
 * @lost: another filter has taken its name
 * @folded: the number of keys in it is an estimate
 * @spoiled: a key that was not stored was deleted, perhaps with other keys
 * @partial: some of its keys are not recorded
 * @type: enum seen_type
 * @window: ns, 0: no window
 * @stats: by SEEN_A_STATS_*
 * @stored: keys that were new
 * @counted: adds that a type with counters has counted
 * @removed: deletions of existing keys
 * @allowed: keys on its allow list
 * @begun: time when the first key was stored, or earlier
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

/* own_name() - name of a process's own filter; no other message uses such a name */
void own_name(uint32_t owner, uint32_t number, char *name);

/* own_number() - number of the process's own filter with this name, or -1 */
int own_number(uint32_t owner, const char *name);

/**
 * ledger_apply() - record the answer to a request with keys
 * @ledger: ledger of the filter
 * @message: the request, as it was sent
 * @reply: the answer
 * @sent: time of the request, or earlier
 */
void ledger_apply(struct ledger *ledger, const struct message *message,
		  const struct reply *reply, double sent);

/* ledger_reply() - the same, if the filter is one of the process's OWN filters */
void ledger_reply(struct ledger *own, uint32_t owner,
		  const struct message *message, const struct reply *reply,
		  double sent);

/* ledger_done() - record that the request was accepted */
void ledger_done(struct ledger *own, uint32_t owner,
		 const struct message *message);

#endif
