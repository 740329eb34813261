/* SPDX-License-Identifier: GPL-2.0 */
/* Packets in all shapes in which the kernel stores them, and their keys. */
#ifndef SEEN_TEST_SKB_H
#define SEEN_TEST_SKB_H

#include <linux/skbuff.h>

#include "../../kmod/key.h"

/**
 * struct shape - how a frame lies in its skb
 * @linear: bytes in the linear part
 * @split: place of the other bytes: 0 in one page; 1 in pages; 2 in a fragment list; 3 in
 *         pages and in a fragment list whose buffers have pages
 * @pulled: the data begins after the MAC header, as on ingress
 * @untagged: the outermost tag, if there is one, is in skb->vlan_tci
 * @bare: there is no MAC header
 * @rule: the key is for a rule of a network protocol
 * @link: with @rule: the packet has a valid link-layer header
 * @no_net: the network header is not set
 * @net: offset of the network header, and of the data; 0: after the Ethernet header
 * @mac: offset to which the MAC header is set
 * @type: skb->protocol; 0: the type in the Ethernet header
 * @csum_start: offset of the bytes to be summed; 0: the checksum is complete
 * @csum_offset: offset of the checksum from @csum_start
 */
struct shape {
	int linear;
	int split;
	bool pulled;
	bool untagged;
	bool bare;
	bool rule;
	bool link;
	bool no_net;
	int net;
	int mac;
	int type;
	int csum_start;
	int csum_offset;
};

/* struct shape.linear of a frame in one piece. */
#define LINEAR	65536
#define SPLITS	4
/* Bytes of the longest key here. */
#define FLAT_MAX	(2048 + 64 + SEEN_KEY_HEAD_MAX)

/**
 * struct flat_key - a key as its canonical bytes
 * @len: bytes used
 * @bytes: the key
 */
struct flat_key {
	u32 len;
	u8 bytes[FLAT_MAX];
};

/* In one piece, its data at the MAC header. */
extern const struct shape plain;

/* frame_parse() - bytes from hex digits and blanks; at most @max of them */
int frame_parse(const char *hex, u8 *frame, int max);

/* spec_parse() - "src/24,dport", for the kernel; ends the test if it cannot */
struct seen_keyspec spec_parse(const char *text);

/**
 * key_of() - build the key of a frame by the kernel's code
 * @spec: the key's fields
 * @frame: the frame, from its MAC header on
 * @len: its length in bytes
 * @shape: the shape of the packet
 * @key: out: the key
 *
 * Counts in disagreements a packet that is not copied whole, whose hash is not the hash of the
 * key's bytes, or that does not compare equal to them.
 *
 * Return: true, or false if the frame has no such key.
 */
bool key_of(const struct seen_keyspec *spec, const u8 *frame, int len,
	    const struct shape *shape, struct flat_key *key);

/* Packets that disagree with the bytes of their key; must stay 0. */
extern unsigned int disagreements;

/* flatten() - a key as its bytes; false: bytes of the payload are missing */
bool flatten(const struct seen_key *key, struct flat_key *flat);

/* is_key() - are these its bytes? */
bool is_key(const struct flat_key *key, const u8 *bytes, int len);

/* same_key() - do all shapes of a frame have the key, or none, of the plain? */
bool same_key(const struct seen_keyspec *spec, const u8 *frame, int len);

#endif
