/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Captured packets, and the keys that the kernel's own code makes of them. Inside of
 * libseen and seenctl.
 */
#ifndef LIBSEEN_FRAME_H
#define LIBSEEN_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "key.h"

struct seen_local;

/**
 * struct seen_frame - a packet as it was captured
 * @bytes: of it
 * @captured: how many of them are there
 * @len: bytes of the packet on the wire, at least @captured
 * @ethernet: it begins with an Ethernet header; the rest is for others
 * @net: where the network header is
 * @type: what it is, an ethertype
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
 * seen_frame_show() - a packet as the kernel's code wants to see it
 * @skb: to fill
 * @frame: the packet; must stay
 * @missed: set when bytes are asked for that were not captured; must stay
 */
void seen_frame_show(struct sk_buff *skb, const struct seen_frame *frame,
		     bool *missed);

/* seen_frame_spec() - fields of a key, as the kernel's code wants to see them */
struct seen_keyspec seen_frame_spec(const struct seen_key_spec *spec,
				    unsigned int first, unsigned int count);

/**
 * seen_frame_net_cut() - was too little captured to read the network header?
 * @frame: the packet
 *
 * Then its length and where its payload ends are not known, even though the kernel's
 * code takes it for a packet of another protocol.
 */
bool seen_frame_net_cut(const struct seen_frame *frame);

/* Why a captured packet has no key. */
enum seen_frame_result {
	SEEN_FRAME_KEYLESS	= -1,	/* the packet has no such key */
	SEEN_FRAME_CUT		= -2,	/* too little of it was captured to say */
};

/**
 * seen_frame_key() - the key of a captured packet, where it lies
 * @spec: the key's fields
 * @frame: the packet; must stay
 * @skb: room that must stay as long as @key
 * @key: to fill
 *
 * Return: 0 or enum seen_frame_result.
 */
int seen_frame_key(const struct seen_key_spec *spec,
		   const struct seen_frame *frame, struct sk_buff *skb,
		   struct seen_key *key);

/**
 * seen_frame_test_and_add() - ask a filter for a packet's key, and store it
 * @local: the filter, of a type that stores hashes, such as cuckoo
 * @spec: its key, of fields that this version knows
 * @frame: the packet
 * @hash: out: of the key, if there is one
 *
 * The packet is hashed where it lies.
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
 * Return: bytes, 0: none, or the packet has no such payload.
 */
size_t seen_frame_payload(const struct seen_key_spec *spec,
			  const struct seen_frame *frame);

#endif
