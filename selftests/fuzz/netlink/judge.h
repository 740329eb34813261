/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Judges whether a user can act on each answer. Counts all answers, in memory that the processes
 * share.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "policy.h"
#include "talk.h"

/* Number of different refusals that are stored. */
#define REFUSALS	1024

/**
 * struct refusal - a refusal with this text
 * @cmd: command of the request
 * @err: errno
 * @named: the answer names an attribute, by its offset or in its text
 * @text: the kernel's text
 * @count: number of such answers
 */
struct refusal {
	uint8_t cmd;
	int err;
	bool named;
	char text[96];
	uint64_t count;
};

/**
 * struct tally - totals of all processes
 * @sent: messages by command, also broken ones
 * @done: accepted messages by command
 * @broken: messages that were broken before they were sent
 * @accepted: a bit for each attribute of an accepted message
 * @left: dumps of which only a part was read: neither accepted nor refused
 * @silent: messages without an answer
 * @lost: answers for which the socket had no room
 * @wordless: errors without the text, missing attribute or policy that they should have
 * @allowed: errors without a text that may lack one: those of the netlink core
 * @nameless: errors whose answer names no attribute, neither in its text nor by offset
 * @lock: protects @refusals
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
 * judge_one() - judge one answer; prints errors to standard error
 * @half: only the first message of a dump was read
 */
void judge_one(struct tally *tally, const struct message *message,
	       const struct answer *answer, bool half);

/* judge_report() - print the figures, one per line. Return: false if some are wrong */
bool judge_report(const struct tally *tally);

#endif
