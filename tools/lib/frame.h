/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Captured packets, and their keys, which the kernel's own code builds. Internal to libseen
 * and seenctl.
 */
#ifndef LIBSEEN_FRAME_H
#define LIBSEEN_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "key.h"

struct seen_local;

/**
 * struct seen_frame - a captured packet
 * @bytes: the captured bytes
 * @captured: number of @bytes
 * @len: bytes of the packet on the wire, at least @captured
 * @ethernet: the packet begins with an Ethernet header, and @net and @type are not used
 * @net: offset of the network header
 * @type: ethertype of the packet
 */
struct seen_frame {
	const uint8_t *bytes;
	size_t captured;
	size_t len;
	bool ethernet;
	uint16_t net;
	uint16_t type;
};

struct sk_buff;
struct seen_key;
struct seen_keyspec;

/**
 * seen_frame_show() - make the sk_buff by which the kernel's code reads a packet
 * @skb: out
 * @frame: the packet; used as long as @skb is
 * @missed: set when bytes are read that were not captured; used as long as @skb is
 */
void seen_frame_show(struct sk_buff *skb, const struct seen_frame *frame,
		     bool *missed);

/* seen_frame_spec() - @count fields of a key from @first on, in the kernel's structure */
struct seen_keyspec seen_frame_spec(const struct seen_key_spec *spec,
				    unsigned int first, unsigned int count);

/**
 * seen_frame_net_cut() - was too little captured to read the network header?
 * @frame: the packet
 *
 * If so, the packet's length and the end of its payload are unknown. The kernel's code does not
 * notice this, and treats the packet as one of another protocol.
 */
bool seen_frame_net_cut(const struct seen_frame *frame);

/* Why a captured packet has no key. */
enum seen_frame_result {
	SEEN_FRAME_KEYLESS	= -1,	/* the packet has no such key */
	SEEN_FRAME_CUT		= -2,	/* too little of the packet was captured */
};

/**
 * seen_frame_key() - build the key of a captured packet, without copying its payload
 * @spec: the key's fields
 * @frame: the packet; used as long as @key is
 * @skb: memory for an sk_buff; used as long as @key is
 * @key: out
 *
 * Return: 0 or enum seen_frame_result.
 */
int seen_frame_key(const struct seen_key_spec *spec,
		   const struct seen_frame *frame, struct sk_buff *skb,
		   struct seen_key *key);

/**
 * seen_frame_test_and_add() - test whether a packet's key is seen, and store it
 * @local: the filter, of a type that stores hashes, such as cuckoo
 * @spec: the filter's key, whose fields this version must know
 * @frame: the packet
 * @hash: out: hash of the key, if the packet has one
 *
 * The packet is hashed in place.
 *
 * Return: enum seen_key_result or enum seen_frame_result.
 */
int seen_frame_test_and_add(struct seen_local *local,
			    const struct seen_key_spec *spec,
			    const struct seen_frame *frame, uint64_t *hash);

/**
 * seen_frame_payload() - how much of a key's payload was captured
 * @spec: a key with a payload
 * @frame: the packet
 *
 * Return: bytes; 0: no byte, or the packet has no such payload.
 */
size_t seen_frame_payload(const struct seen_key_spec *spec,
			  const struct seen_frame *frame);

#endif
