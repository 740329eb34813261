/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trails: a Bloom filter at the end of a frame. Each node that forwards the frame adds itself,
 * so that a node recognizes a frame that it has forwarded before, without any state of its own.
 * The idea is that of Whitaker and Wetherall ("Forwarding without Loops in Icarus", 2002); the
 * place is that of PRP's trailer (IEC 62439-3): behind the length that the frame's protocol
 * states, where switches and hosts take it for padding.
 *
 * From its first byte to the end of the frame, all numbers little-endian:
 *
 *	filter	16 bytes, or 32 with @wide of the domain
 *	tag	4 bytes, only with @sign of the domain
 *	nonce	2 bytes, chosen by the node that appends the trail
 *	flags	1 byte: 0x10, the version; 4: the filter has 32 bytes; 2: there is a tag; 1: strike
 *	hops	1 byte: nodes that the frame has passed; 255: that many or more
 *	length	2 bytes: from the network header, behind all VLAN tags, to the end
 *	suffix	2 bytes: 88 b6, which IEEE 802 leaves to local experiments
 *
 * A length without VLAN tags tolerates that a switch removes or adds one.
 *
 * Direction of error: on a path without a loop other nodes may have set a node's bits. The
 * first such hit of a frame is a strike: the frame is forwarded. The second hit, at any node,
 * drops it. Documentation/theory/trail.md has the probability. A frame that really circles
 * hits at each node that it passes again, and so is never forwarded for more than a round and
 * a hop. Bytes that do not verify are payload.
 */
#ifndef SEEN_CORE_TRAIL_H
#define SEEN_CORE_TRAIL_H

#include <linux/types.h>

#include "siphash.h"

/* Words of 64 bits of the widest filter. */
#define SEEN_TRAIL_WORDS	4
/* Bytes of the shortest and the longest trail. */
#define SEEN_TRAIL_BYTES_MIN	24
#define SEEN_TRAIL_BYTES_MAX	44
/* Bits that a node sets, drawn with replacement: of 128, and of 256. */
#define SEEN_TRAIL_DRAWS	8
#define SEEN_TRAIL_DRAWS_WIDE	12
/* Hops that a trail can count. */
#define SEEN_TRAIL_HOPS_MAX	255

/**
 * struct seen_trail_domain - what all nodes of a network agree on
 * @secret: chooses the bits of nodes, and signs
 * @wide: filters have 256 bits
 * @sign: trails have a tag; those without a valid one are payload
 */
struct seen_trail_domain {
	struct seen_secret secret;
	bool wide;
	bool sign;
};

/**
 * struct seen_trail - the trail of a frame
 * @filter: the filter; unused words are 0
 * @nonce: makes the bits of each node other ones in each frame
 * @hops: nodes that the frame has passed, at most SEEN_TRAIL_HOPS_MAX
 * @strike: a node has found all of its bits set
 */
struct seen_trail {
	u64 filter[SEEN_TRAIL_WORDS];
	u16 nonce;
	u8 hops;
	bool strike;
};

/* enum seen_trail_kind - what a member of a filter is; members of two kinds never meet */
enum seen_trail_kind {
	SEEN_TRAIL_NODE = 1,
	SEEN_TRAIL_SEGMENT,
};

/**
 * struct seen_trail_member - what can be added to a trail
 * @kind: what it is
 * @id: its number; of a node, random
 * @vlan: of a node, the VLAN in which it forwards the frame: a bridge that a frame crosses in
 *        two VLANs is two nodes
 */
struct seen_trail_member {
	enum seen_trail_kind kind;
	u64 id;
	u16 vlan;
};

/**
 * struct seen_trail_bits - the bits of a member in the trail of one frame
 * @word: as @filter of struct seen_trail
 */
struct seen_trail_bits {
	u64 word[SEEN_TRAIL_WORDS];
};

/* enum seen_trail_result - what the visit of a node means */
enum seen_trail_result {
	SEEN_TRAIL_ADDED,	/* the frame was not here; it has the node's bits now */
	SEEN_TRAIL_STRIKE,	/* it may have been here; it is forwarded once more */
	SEEN_TRAIL_LOOP,	/* the second hit: to be dropped; the trail is unchanged */
};

/* seen_trail_bytes() - length of trails in a domain */
u32 seen_trail_bytes(const struct seen_trail_domain *domain);

/**
 * seen_trail_read() - verify and read the trail of a frame
 * @domain: of the node
 * @addresses: destination and source of the frame, 12 bytes; a tag is of them, too
 * @end: the last seen_trail_bytes() bytes of the frame
 * @length: bytes from the network header to the end of the frame
 * @trail: out; undefined if the trail does not verify
 *
 * Context: any.
 * Return: false: the frame ends with payload, or with a trail of another domain.
 */
bool seen_trail_read(const struct seen_trail_domain *domain, const u8 *addresses,
		     const u8 *end, u32 length, struct seen_trail *trail);

/**
 * seen_trail_peek() - read the trail of a frame without its domain, as tools do
 * @behind: the end of the frame: the byte behind its last one
 * @room: bytes before @behind that may belong to a trail
 * @length: as for seen_trail_read()
 * @domain: out: the format; its secret is 0
 * @trail: out
 *
 * Nobody verifies the tag, because that needs the secret.
 *
 * Context: any.
 * Return: bytes of the trail; 0: the frame ends with payload, then @domain and @trail are
 * undefined.
 */
u32 seen_trail_peek(const u8 *behind, u32 room, u32 length, struct seen_trail_domain *domain,
		    struct seen_trail *trail);

/**
 * seen_trail_write() - write a trail
 * @domain: of the node
 * @addresses: as for seen_trail_read()
 * @trail: the trail
 * @length: as for seen_trail_read(), with the trail; at most 65535
 * @end: out, seen_trail_bytes() bytes
 *
 * Context: any.
 */
void seen_trail_write(const struct seen_trail_domain *domain, const u8 *addresses,
		      const struct seen_trail *trail, u32 length, u8 *end);

/* seen_trail_draw() - the bits of a member in the trail of a frame with this @nonce */
struct seen_trail_bits seen_trail_draw(const struct seen_trail_domain *domain,
				       const struct seen_trail_member *member, u16 nonce);

/* seen_trail_has() - are all these bits set? */
bool seen_trail_has(const struct seen_trail *trail, const struct seen_trail_bits *bits);

/* seen_trail_add() - set these bits */
void seen_trail_add(struct seen_trail *trail, const struct seen_trail_bits *bits);

/* seen_trail_visit() - a frame with this trail passes a node with these bits; one more hop */
enum seen_trail_result seen_trail_visit(struct seen_trail *trail,
					const struct seen_trail_bits *bits);

#endif
