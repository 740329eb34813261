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

/**
 * struct seen_frame - a packet as it was captured
 * @bytes: of it
 * @len: how many
 * @ethernet: it begins with an Ethernet header; the rest is for others
 * @net: where the network header is
 * @type: what it is, an ethertype
 */
struct seen_frame {
	const uint8_t *bytes;
	size_t len;
	bool ethernet;
	uint16_t net;
	uint16_t type;
};

struct sk_buff;
struct seen_keyspec;

/* seen_frame_show() - as the kernel's code wants to see a packet */
void seen_frame_show(struct sk_buff *skb, const struct seen_frame *frame);

/* seen_frame_spec() - fields of a key, as the kernel's code wants to see them */
struct seen_keyspec seen_frame_spec(const struct seen_key_spec *spec,
				    unsigned int first, unsigned int count);

/**
 * seen_frame_key() - a packet's key
 * @spec: the filter's, of fields that this version knows
 * @frame: the packet
 * @key: SEEN_KEY_MAX bytes
 *
 * Return: bytes of the key, 0: it has none.
 */
size_t seen_frame_key(const struct seen_key_spec *spec,
		      const struct seen_frame *frame, uint8_t *key);

#endif
