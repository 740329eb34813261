/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Payload: the bytes that a key covers, where they lie.
 *
 * A packet's payload is read in place: in its linear data, its pages and its
 * fragment list. Nothing is copied and nothing is allocated.
 */
#ifndef SEEN_PAYLOAD_H
#define SEEN_PAYLOAD_H

#include "core/hash.h"
#include "packet.h"

/* Buffers in a packet's fragment list. A packet with more has no payload. */
#define SEEN_FRAG_LIST_MAX	64

/**
 * struct seen_mask - bytes of a packet that have another value in the key
 * @at: from skb->data
 * @len: number of bytes
 * @bytes: the values
 */
struct seen_mask {
	int at;
	int len;
	u8 bytes[4];
};

/**
 * struct seen_payload - the bytes that a key covers
 * @skb: the packet; NULL: the payload is at @bytes
 * @bytes: the payload, if there is no packet
 * @len: bytes of the payload
 * @off: where it begins in the packet, from skb->data; of a packet, like the next ones
 * @there: bytes of the payload that the packet has; the rest of @len counts as zeros
 * @masks: number of masks
 * @mask: masks, sorted by @at; each lies within the bytes that the packet has
 */
struct seen_payload {
	const struct sk_buff *skb;
	const u8 *bytes;
	u32 len;
	int off;
	u32 there;
	u32 masks;
	struct seen_mask mask[2];
};

/**
 * seen_payload_of() - find the payload of a packet
 * @payload: to fill
 * @p: the packet, taken apart
 * @off: where the payload begins, from skb->data
 * @max: bytes of it that the key covers at most
 *
 * The payload ends at the length that the packet states. A packet that waits for its
 * checksum (CHECKSUM_PARTIAL) may return with the checksum filled in. So the
 * transport checksum is zero in the payload, and an unfinished checksum further
 * inside, in a tunnel, is computed.
 *
 * Context: any; no allocation.
 * Return: true, or false: parts of the payload cannot be read (device memory, or
 * more than SEEN_FRAG_LIST_MAX buffers in the fragment list, or lists in it).
 */
bool seen_payload_of(struct seen_payload *payload, const struct seen_packet *p,
		     int off, u32 max);

/* seen_payload_set() - use a payload that lies in @len bytes of memory */
static inline void seen_payload_set(struct seen_payload *payload,
				    const u8 *bytes, u32 len)
{
	payload->skb = NULL;
	payload->bytes = bytes;
	payload->len = len;
}

/**
 * seen_payload_flat() - is the payload in one piece?
 * @payload: the payload
 * @flat: to fill
 *
 * Return: true, or false: it is in pieces, or more than two of its bytes have another
 * value in the key.
 */
bool seen_payload_flat(const struct seen_payload *payload,
		       struct seen_flat *flat);

/* seen_payload_hash() - append the whole payload to a hash */
void seen_payload_hash(const struct seen_payload *payload,
		       struct seen_hash *hash);

/* seen_payload_equal() - are these payload->len bytes the payload? */
bool seen_payload_equal(const struct seen_payload *payload, const u8 *bytes);

/**
 * seen_payload_copy() - copy the first bytes of the payload
 * @payload: the payload
 * @to: at least @max bytes
 * @max: bytes to copy at most
 *
 * Return: bytes copied: @max, or fewer if the payload is shorter.
 */
u32 seen_payload_copy(const struct seen_payload *payload, u8 *to, u32 max);

#endif
