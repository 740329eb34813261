/* SPDX-License-Identifier: GPL-2.0 */
/* Packets in all the shapes that the kernel has them in, and their keys. */
#ifndef SEEN_TEST_SKB_H
#define SEEN_TEST_SKB_H

#include <linux/skbuff.h>

#include "../../kmod/key.h"

/**
 * struct shape - how a frame lies in its skb
 * @linear: bytes of it in the linear piece
 * @split: how the others lie: 0 in one page; 1 in pages; 2 in a fragment list; 3 in
 *         pages and in a fragment list whose buffers have pages
 * @pulled: the data begins past the MAC header, as on the way in
 * @untagged: its outermost tag, if it has any, lies beside it
 * @bare: there is no MAC header
 * @rule: a rule of a network protocol asks for the key
 * @link: which takes a link-layer header that belongs to the packet
 * @no_net: nobody has set the network header
 * @net: where in the frame it is, and the data; 0: past the Ethernet header
 * @mac: where in the frame the MAC header is said to be
 * @type: skb->protocol; 0: what the Ethernet header says
 * @csum_start: in the frame; 0: no checksum is due
 * @csum_offset: from there
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

/* What struct shape.linear says of a frame in one piece. */
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
 * key_of() - what the kernel makes of a frame
 * @spec: the key
 * @frame: from its MAC header on
 * @len: bytes
 * @shape: how it comes
 * @key: to fill
 *
 * Counts in disagreements a packet that is not copied whole, whose hash is not that of
 * the key's bytes, or that is not found equal to them.
 *
 * Return: true, or false: it has no such key.
 */
bool key_of(const struct seen_keyspec *spec, const u8 *frame, int len,
	    const struct shape *shape, struct flat_key *key);

/* Packets that do not agree with the bytes of their key: no test has any. */
extern unsigned int disagreements;

/* flatten() - a key as its bytes; false: bytes of the payload are missing */
bool flatten(const struct seen_key *key, struct flat_key *flat);

/* is_key() - are these its bytes? */
bool is_key(const struct flat_key *key, const u8 *bytes, int len);

/* same_key() - do all shapes of a frame have the key, or none, of the plain? */
bool same_key(const struct seen_keyspec *spec, const u8 *frame, int len);

#endif
