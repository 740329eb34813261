/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Payload: the part of a packet that a key covers.
 *
 * A packet's payload is read in place: in its linear data, its pages and its
 * fragment list. Nothing is copied and nothing is allocated.
 */
#ifndef SEEN_PAYLOAD_H
#define SEEN_PAYLOAD_H

#include "core/hash.h"
#include "packet.h"

/* Maximum number of buffers in a packet's fragment list. Longer lists are not read. */
#define SEEN_FRAG_LIST_MAX	64

/**
 * struct seen_mask - bytes that replace bytes of the packet in the key
 * @at: offset in the packet, from skb->data
 * @len: number of bytes, 1 to 4
 * @bytes: the bytes in the key
 */
struct seen_mask {
	int at;
	int len;
	u8 bytes[4];
};

/**
 * struct seen_payload - the bytes that a key covers
 * @skb: the packet; NULL: the payload is at @bytes
 * @bytes: the payload, if @skb is NULL
 * @len: bytes of the payload
 * @off: where the payload begins, from skb->data. This and the members below are valid only
 *       with @skb
 * @there: bytes of the payload in the packet; the rest of @len counts as zeros
 * @masks: number of masks, 0 to 2
 * @mask: masks, sorted by @at; each lies within the @there bytes
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
 * @payload: out; points into the packet
 * @p: the parsed packet
 * @off: where the payload begins, from skb->data
 * @max: maximum bytes that the key covers
 *
 * The payload ends at the length that the packet states. A packet without a finished
 * checksum (CHECKSUM_PARTIAL) may come back with the finished one. So the outer transport
 * checksum counts as zero, and an unfinished checksum inside a tunnel is computed.
 *
 * Context: any; no allocation.
 * Return: true, or false: parts of the payload cannot be read (device memory, more than
 * SEEN_FRAG_LIST_MAX buffers in the fragment list, or a nested fragment list).
 */
bool seen_payload_of(struct seen_payload *payload, const struct seen_packet *p,
		     int off, u32 max);

/* seen_payload_set() - set a payload of @len bytes in memory, without a packet */
static inline void seen_payload_set(struct seen_payload *payload,
				    const u8 *bytes, u32 len)
{
	payload->skb = NULL;
	payload->bytes = bytes;
	payload->len = len;
}

/**
 * seen_payload_flat() - describe a payload that is one contiguous piece
 * @payload: the payload
 * @flat: out; valid only if true is returned
 *
 * Return: true, or false: the payload is in several pieces, or has masks other than a
 * single hole of two zero bytes at an even offset.
 */
bool seen_payload_flat(const struct seen_payload *payload,
		       struct seen_flat *flat);

/* seen_payload_hash() - append the whole payload to a hash */
void seen_payload_hash(const struct seen_payload *payload,
		       struct seen_hash *hash);

/* seen_payload_equal() - does the payload equal these payload->len bytes? */
bool seen_payload_equal(const struct seen_payload *payload, const u8 *bytes);

/**
 * seen_payload_copy() - copy the first bytes of the payload
 * @payload: the payload
 * @to: buffer of at least @max bytes
 * @max: maximum number of bytes to copy
 *
 * Return: number of bytes copied: @max, or fewer if the payload is shorter.
 */
u32 seen_payload_copy(const struct seen_payload *payload, u8 *to, u32 max);

#endif
