/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Explains the key of a captured packet: which bytes each field contributes, and why. The
 * kernel's own code builds the key.
 */
#ifndef LIBSEEN_EXPLAIN_H
#define LIBSEEN_EXPLAIN_H

#include "frame.h"
#include "key.h"

#define SEEN_WHY_LEN		160
#define SEEN_PART_TEXT_LEN	96

/* Bytes of the longest key of a packet with @captured bytes: with its padding and all fields. */
#define SEEN_EXPLAIN_ROOM(captured)	((captured) + 64 + SEEN_KEY_HEAD_MAX)

/* Most tunnels that are opened. */
#define SEEN_EXPLAIN_TUNNELS		4

/**
 * struct seen_part - a field of the key
 * @name: of the field
 * @at: offset in the frame; -1: the bytes, if any, do not come from one place of the frame
 * @len: bytes of the field in the key; 0: the packet lacks the field
 * @bytes: these bytes; a payload is preceded by its length
 * @text: the same as text for people; a long payload is cut off
 * @why: why the bytes are as they are, or why the field is missing; "": no remark
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
 * struct seen_trail_part - the trail at the end of a frame, which belongs to no key
 * @at: offset in the frame
 * @bytes: bytes of the trail; 0: there is no trail
 * @hops: nodes that the frame has passed; 255: that many or more
 * @strike: a node has found its bits set
 */
struct seen_trail_part {
	uint32_t at;
	uint32_t bytes;
	uint8_t hops;
	bool strike;
};

/**
 * struct seen_explanation - a packet's key, explained
 * @len: bytes of the key; 0: the packet has no such key
 * @key: the key's bytes
 * @tunnels: number of tunnels around the packet from which the key is built
 * @tunnel: name of each, the outermost first
 * @shut: if the innermost packet is itself a tunnel: why it was not opened; else NULL
 * @why: why no key can be built from the packet, whatever its fields are; then @parts is 0; else ""
 * @trail: of the frame; kmod/core/trail.h has its format
 * @parts: elements of @part
 * @part: each field, in the key's order
 */
struct seen_explanation {
	size_t len;
	const uint8_t *key;
	unsigned int tunnels;
	const char *tunnel[SEEN_EXPLAIN_TUNNELS];
	const char *shut;
	char why[SEEN_WHY_LEN];
	struct seen_trail_part trail;
	unsigned int parts;
	struct seen_part part[SEEN_KEY_FIELDS_MAX];
};

/**
 * seen_explain() - explain a packet's key
 * @spec: the filter's key, whose fields this version must know
 * @frame: the packet
 * @to: out; refers to @room
 * @room: SEEN_EXPLAIN_ROOM(frame->captured) bytes
 */
void seen_explain(const struct seen_key_spec *spec,
		  const struct seen_frame *frame, struct seen_explanation *to,
		  uint8_t *room);

#endif
