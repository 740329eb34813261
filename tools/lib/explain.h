/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a packet gives to a key, field by field, and why. The bytes are those of
 * the kernel's own code, on a packet that was captured.
 */
#ifndef LIBSEEN_EXPLAIN_H
#define LIBSEEN_EXPLAIN_H

#include "frame.h"
#include "key.h"

#define SEEN_WHY_LEN		160
#define SEEN_PART_TEXT_LEN	96

/* Bytes of a packet's longest key: those that were captured, padding and fields. */
#define SEEN_EXPLAIN_ROOM(captured)	((captured) + 64 + SEEN_KEY_HEAD_MAX)

/* Tunnels that are opened at most. */
#define SEEN_EXPLAIN_TUNNELS		4

/**
 * struct seen_part - a field of the key
 * @name: of the field
 * @at: where in the frame it comes from, -1: not from one place there
 * @len: bytes that it gives, 0: it is missing
 * @bytes: those bytes; of the payload its length goes first
 * @text: the same for people; a long payload is cut off
 * @why: they are so, or it is missing; "" where there is nothing to say
 */
struct seen_part {
	const char *name;
	int at;
	size_t len;
	const uint8_t *bytes;
	char text[SEEN_PART_TEXT_LEN];
	char why[SEEN_WHY_LEN];
};

/**
 * struct seen_explanation - of a packet's key
 * @len: bytes of the key, 0: the packet has none
 * @key: the key's bytes
 * @tunnels: that the packet was taken out of
 * @tunnel: name of each, the outermost first
 * @shut: why the tunnel that the innermost packet is was not opened, or NULL
 * @why: there is no key, whatever the fields; then there are no parts
 * @parts: how many
 * @part: each field, in the key's order
 */
struct seen_explanation {
	size_t len;
	const uint8_t *key;
	unsigned int tunnels;
	const char *tunnel[SEEN_EXPLAIN_TUNNELS];
	const char *shut;
	char why[SEEN_WHY_LEN];
	unsigned int parts;
	struct seen_part part[SEEN_KEY_FIELDS_MAX];
};

/**
 * seen_explain() - a packet's key
 * @spec: the filter's, of fields that this version knows
 * @frame: the packet
 * @to: to fill; refers to @room
 * @room: SEEN_EXPLAIN_ROOM(frame->captured) bytes
 */
void seen_explain(const struct seen_key_spec *spec,
		  const struct seen_frame *frame, struct seen_explanation *to,
		  uint8_t *room);

#endif
