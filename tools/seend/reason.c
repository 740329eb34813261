// SPDX-License-Identifier: GPL-2.0
#include "reason.h"

static const struct {
	const char *word;
	const char *text;
} reasons[REASONS] = {
	[REASON_NONE] = { "none", "no error" },
	[REASON_SIZE] = { "size", "a message is too short or too long" },
	[REASON_FORMAT] = { "format", "a message is malformed, or of a newer version" },
	[REASON_GROUP] = { "group", "a message is of another group" },
	[REASON_SENDER] = { "sender", "a message is by a host that may not send it" },
	[REASON_FORGED] = { "forged", "the signature of a message is wrong" },
	[REASON_CHECK] = {
		"check",
		"the sender's filter has another key, secret or window, or its group another mode or deletes"
	},
	[REASON_SEAL] = { "seal", "a message is not sealed with this group's seal" },
	[REASON_BODY] = { "body", "the content of a signed message is malformed" },
	[REASON_TIME] = { "time", "a message is older than 15 minutes" },
	[REASON_REPLAY] = { "replay", "a message was there before" },
	[REASON_EPOCH] = { "epoch", "a message is by an aggregator that was replaced" },
	[REASON_FORK] = { "fork", "an aggregator signed two histories; the first one counts" },
	[REASON_ROSTER] = {
		"roster",
		"a publisher is not in this host's list; make [hosts] equal on all hosts"
	},
	[REASON_GAP] = { "gap", "messages are missing; a keyframe is needed" },
	[REASON_LOST_TAIL] = { "lost-tails", "the engine lost its newest messages" },
	[REASON_RESTART] = { "engine-restarts", "the engine was restarted" },
	[REASON_RESEND] = { "resends", "keys are sent again" },
	[REASON_MISSING] = { "missing", "messages of a publisher are missing" },
	[REASON_QUOTA] = { "quota", "a quota is exceeded" },
	[REASON_FULL] = { "full", "the filter has no room for a key" },
	[REASON_UNKEPT] = { "unkept", "keys were dropped before they were acknowledged" },
	[REASON_UNTRACKED] = { "untracked", "a key has too many holders to delete it" },
	[REASON_FEED] = { "feed-lost", "the filter's feed lost new keys" },
	[REASON_FRAME_AGE] = { "frame-age", "the keyframe is too old" },
	[REASON_FRAME_BYTES] = { "frame-bytes", "the keyframe is incomplete or damaged" },
	[REASON_FRAME_GEOMETRY] = { "frame-geometry", "the keyframe has another type or size" },
	[REASON_FRAME_FULL] = { "frame-full", "the keyframe is too full" },
	[REASON_FRAME_GROWTH] = { "frame-growth", "the keyframe adds too many keys at once" },
	[REASON_KEY] = {
		"key",
		"the filter has another key, secret or window than before; restart seend if all hosts of the group have it"
	},
	[REASON_STORE] = { "store", "the filter cannot be used" },
	[REASON_ENGINE] = { "engine", "the engine cannot be used" },
};

const char *reason_word(enum reason reason)
{
	return reasons[reason].word;
}

const char *reason_text(enum reason reason)
{
	return reasons[reason].text;
}
