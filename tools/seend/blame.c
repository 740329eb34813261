// SPDX-License-Identifier: GPL-2.0
#include "blame.h"

/* An aggregator sends each second, and is replaced within four. */
#define BATCHES_TIME	(10 * NS_PER_SEC)

void blame_note(struct blame blames[REASONS], enum reason reason, const struct message *message,
		uint64_t now)
{
	blames[reason].named = message->peer != PEERS_MAX;
	if (!blames[reason].named)
		return;
	blames[reason] = (struct blame) {
		true, true, false, message->type != MESSAGE_PUBLISH, message->peer,
		message->time < now ? message->time : now,
	};
}

void blame_end(struct blame blames[REASONS], size_t peer, bool same, uint64_t now)
{
	for (size_t i = 0; i < REASONS; i++) {
		if (!blames[i].known || blames[i].peer != peer)
			continue;
		/* Only some batches have keys of the publisher that one list does not have. */
		if (i == REASON_ROSTER && !same)
			blames[i].time = now;
		else
			blames[i].over = true;
	}
}

bool blame_holds(const struct blame *blame, bool collects, uint64_t now)
{
	if (!blame->known || blame->over || (!blame->batches && !collects))
		return false;
	/* A publisher sends only when it has keys. */
	return now - blame->time < (blame->batches ? BATCHES_TIME : KEEP_TIME);
}

/* About a publisher's messages, and about an aggregator's. */
static const char *const blame_texts[REASONS][2] = {
	[REASON_SEAL] = {
		"sends keys that are not sealed with this group's seal; give all hosts the same seal",
		"sends batches that are not sealed with this group's seal; give all hosts the same seal",
	},
	[REASON_CHECK] = {
		"sends keys of a filter with another key, secret or window, or has another mode or deletes; make them equal on all hosts",
		"sends batches of a filter with another key, secret or window, or has another mode or deletes; make them equal on all hosts",
	},
	[REASON_SENDER] = {
		"sends keys, but may not publish in this host's list; make [hosts] equal on all hosts",
		"sends batches, but may not aggregate in this host's list; make [hosts] equal on all hosts",
	},
	[REASON_ROSTER] = {
		"sends keys of a publisher that is not in this host's list; make [hosts] equal on all hosts",
		"sends keys of a publisher that is not in this host's list; make [hosts] equal on all hosts",
	},
};

const char *blame_text(const struct blame *blame, enum reason reason)
{
	return blame_texts[reason][blame->batches];
}
