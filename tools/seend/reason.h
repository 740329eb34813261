/* SPDX-License-Identifier: GPL-2.0 */
/* Why messages, keys and keyframes are not used, and other events that are counted. */
#ifndef SEEND_REASON_H
#define SEEND_REASON_H

/* Each has its word and its sentence in reason.c. */
enum reason {
	REASON_NONE,
	/* Messages that change nothing. */
	REASON_SIZE,
	REASON_FORMAT,
	REASON_GROUP,
	REASON_SENDER,
	REASON_FORGED,
	REASON_CHECK,
	REASON_SEAL,
	REASON_BODY,
	REASON_TIME,
	REASON_REPLAY,
	REASON_EPOCH,
	REASON_FORK,
	REASON_ROSTER,
	/* Events of the stream. */
	REASON_GAP,
	REASON_LOST_TAIL,
	REASON_RESTART,
	REASON_RESEND,
	REASON_MISSING,
	/* Keys that are not sent, or not stored. */
	REASON_QUOTA,
	REASON_FULL,
	REASON_UNKEPT,
	REASON_UNTRACKED,
	REASON_FEED,
	/* Keyframes. */
	REASON_FRAME_AGE,
	REASON_FRAME_BYTES,
	REASON_FRAME_GEOMETRY,
	REASON_FRAME_FULL,
	REASON_FRAME_GROWTH,
	REASON_KEY,
	REASON_STORE,
	REASON_ENGINE,
	REASONS,
};

/* reason_word() - for JSON, such as "lost-tails" */
const char *reason_word(enum reason reason);

/* reason_text() - for the log: a sentence without its dot */
const char *reason_text(enum reason reason);

#endif
