/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Is each answer one that a user can do something with? Counts of all of them, in
 * memory that processes share.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "policy.h"
#include "talk.h"

/* Refusals that are told apart. */
#define REFUSALS	1024

/**
 * struct refusal - one that came, however often
 * @cmd: of the request
 * @err: errno
 * @named: an attribute is named, by its place or by its text
 * @text: why not
 * @count: how often
 */
struct refusal {
	uint8_t cmd;
	int err;
	bool named;
	char text[96];
	uint64_t count;
};

/**
 * struct tally - of all processes
 * @sent: messages, broken ones too, by command
 * @done: those that the kernel took
 * @broken: messages that were made wrong before they were sent
 * @accepted: a bit for each attribute that was in a message which was taken
 * @left: dumps that were left half read: neither taken nor refused
 * @silent: no answer came
 * @lost: the kernel had no room for an answer
 * @wordless: an error with no text, missing attribute or policy that should have one
 * @allowed: one without that may be so: the core's own
 * @nameless: a text that names no attribute, and no place
 * @lock: of @refusals
 * @refusals: by text
 */
struct tally {
	uint64_t sent[256];
	uint64_t done[256];
	uint64_t broken;
	uint64_t accepted[256];
	uint64_t left;
	uint64_t silent;
	uint64_t lost;
	uint64_t wordless;
	uint64_t allowed;
	uint64_t nameless;
	uint32_t lock;
	struct refusal refusals[REFUSALS];
};

/*
 * judge_one() - one answer; tells on standard error of what should not be
 * @half: no more was read of a dump than its first message
 */
void judge_one(struct tally *tally, const struct message *message,
	       const struct answer *answer, bool half);

/* judge_report() - figures, one a line; false: some are bad */
bool judge_report(const struct tally *tally);

#endif
