/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hosts of the group whose signed messages this host cannot use, because their configuration or
 * filter differs. The signature was verified, so that no other host can have sent them.
 */
#ifndef SEEND_BLAME_H
#define SEEND_BLAME_H

#include "message.h"

/**
 * struct blame - the last message that was refused for a reason; zeroed memory: none was refused
 * @known: there was one whose sender is known
 * @named: the last one was of a known sender
 * @over: the sender has sent messages since then that this host uses
 * @batches: it was of an aggregator; otherwise of a publisher
 * @peer: place of its sender in the group
 * @time: when it was sent, ns of the engine's clock
 */
struct blame {
	bool known;
	bool named;
	bool over;
	bool batches;
	size_t peer;
	uint64_t time;
};

/**
 * blame_note() - note a message that was refused
 * @blames: by enum reason
 * @reason: why
 * @message: with its sender, unless message_read() could not verify it
 * @now: ns of the engine's clock
 */
void blame_note(struct blame blames[REASONS], enum reason reason, const struct message *message,
		uint64_t now);

/**
 * blame_end() - a message was used
 * @blames: by enum reason
 * @peer: its sender
 * @same: the sender has the same list of hosts, as far as is known
 * @now: ns of the engine's clock
 */
void blame_end(struct blame blames[REASONS], size_t peer, bool same, uint64_t now);

/**
 * blame_holds() - is a sender still wrong?
 * @blame: its last message
 * @collects: this host is the aggregator, which reads the messages of publishers
 * @now: ns of the engine's clock
 */
bool blame_holds(const struct blame *blame, bool collects, uint64_t now);

/* blame_text() - a fault of the sender and its remedy, to follow its name; or NULL */
const char *blame_text(const struct blame *blame, enum reason reason);

#endif
