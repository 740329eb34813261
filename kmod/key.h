/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keys: what of a packet a filter remembers, as bytes.
 *
 * The key belongs to the filter. A canonical key is the encoding of its
 * fields, in the order of the key, each in the size that uapi/linux/seen.h
 * gives, numbers in network order. The payload is last, wherever its field
 * stands: its length, and its bytes. tools/lib builds the same bytes from text.
 */
#ifndef SEEN_KEY_H
#define SEEN_KEY_H

#include <linux/skbuff.h>
#include <linux/types.h>
#include <linux/seen.h>

#include "core/hash.h"
#include "core/lengths.h"
#include "payload.h"
#include "tunnel.h"

struct netlink_ext_ack;
struct nlattr;
struct nlmsghdr;

/**
 * struct seen_keyspec - the fields of a key
 * @profile: enum seen_key_profile, the name it came by
 * @count: fields
 * @inner: of layer 3 and up those of the innermost packet, see tunnel.h
 * @vxlan: then UDP ports of VXLAN, ascending; 0 ends them; none: the usual ones
 * @payload: one of the fields is the payload; @min bytes of a key come before it
 * @single: merged packets (GRO, GSO) have not the key of each of them
 * @link: some are of Ethernet, so that packets of other devices have no key
 * @prefix: where in a key the prefix of any length is, plus 1; 0: there is none
 * @len: bytes of every canonical key, 0: they differ (payload, bytes)
 * @min: bytes of the shortest one
 * @max: bytes of the longest one outside of packets, at most SEEN_KEY_MAX
 * @field: enum seen_field, its parameter (prefix bits of IPv4, SEEN_PREFIX_ANY,
 *         payload bytes),
 *         and prefix bits of IPv6; 0: the whole address, the whole payload. 64
 *         bytes in all:
 *         gcc 12 with CONFIG_INIT_STACK_ALL_ZERO clears parts of larger arrays
 *         in variables that have an initializer
 */
struct seen_keyspec {
	u8 profile;
	u8 count;
	bool inner;
	bool payload;
	bool single;
	bool link;
	u8 prefix;
	u16 len;
	u16 min;
	u16 max;
	struct {
		u8 id;
		u8 param6;
		u16 param;
	} field[SEEN_KEY_FIELDS_MAX];
	u16 vxlan[SEEN_VXLAN_PORTS_MAX];
};

/**
 * struct seen_key - a key, of a packet or of a request
 * @head: the fields; if the key has a payload, then its length, 32 bits
 * @len: bytes of @head
 * @has_payload: the payload is the rest of the key
 * @prefix: of the specification
 * @payload: where it lies
 * @room: @head of a packet's key
 */
struct seen_key {
	const u8 *head;
	u16 len;
	bool has_payload;
	u8 prefix;
	struct seen_payload payload;
	u8 room[SEEN_KEY_HEAD_MAX];
};

/**
 * seen_keyspec_parse() - from netlink to a key specification
 * @spec: to fill; untouched when refused
 * @profile: SEEN_A_FILTER_PROFILE or NULL
 * @fields: SEEN_A_FILTER_KEY or NULL; exactly one of the two must be there
 * @inner: SEEN_A_FILTER_INNER or NULL
 * @nlh: the request, whose SEEN_A_FILTER_VXLAN_PORT may repeat
 * @extack: says which field is wrong and why
 *
 * Context: process.
 * Return: 0, or -EINVAL.
 */
int seen_keyspec_parse(struct seen_keyspec *spec, const struct nlattr *profile,
		       const struct nlattr *fields, const struct nlattr *inner,
		       const struct nlmsghdr *nlh, struct netlink_ext_ack *extack);

/**
 * seen_keyspec_put() - to netlink: profile if it has one, always the fields,
 * and whether it is of the innermost packet, and what VXLAN's ports are then
 * @skb: the message
 * @spec: the key
 *
 * Return: 0, or -EMSGSIZE.
 */
int seen_keyspec_put(struct sk_buff *skb, const struct seen_keyspec *spec);

/* seen_keyspec_profile() - fill @spec with the fields of a profile */
void seen_keyspec_profile(struct seen_keyspec *spec,
			  enum seen_key_profile profile);

bool seen_keyspec_equal(const struct seen_keyspec *a,
			const struct seen_keyspec *b);

/* seen_keyspec_has() - is this enum seen_field one of its fields? */
bool seen_keyspec_has(const struct seen_keyspec *spec, u16 id);

/**
 * seen_key_take() - use the canonical bytes of a key
 * @spec: the key's fields
 * @key: to fill; refers to @bytes
 * @bytes: of the key, not trusted
 * @len: bytes of the key
 *
 * Return: true, or false: these bytes are no key of @spec, because there are too few
 * or too many of them or because the payload's length is wrong.
 */
bool seen_key_take(const struct seen_keyspec *spec, struct seen_key *key,
		   const u8 *bytes, size_t len);

/* seen_key_bytes() - number of canonical bytes of a key */
static inline size_t seen_key_bytes(const struct seen_key *key)
{
	return key->len + (size_t)key->payload.len;
}

/* seen_key_hash() - of a key with a payload, under a filter's secret */
u64 seen_key_hash(const struct seen_key *key, const struct seen_secret *secret,
		  const struct seen_nh_key *nh);

/* seen_key_enter() - seen_tunnel_enter() with the ports of a key that is @inner */
bool seen_key_enter(const struct seen_keyspec *spec, struct seen_packet *p);

/**
 * seen_key_payload_at() - where in a packet the payload of a key begins
 * @spec: the key's fields
 * @p: the packet, taken apart
 * @at: out: from skb->data
 *
 * Return: true, or false: the packet has no such payload.
 */
bool seen_key_payload_at(const struct seen_keyspec *spec,
			 const struct seen_packet *p, int *at);

/**
 * seen_key_build() - the key of a packet
 * @spec: what to take
 * @skb: never written; its MAC header is used only if it was set, its network
 *       header is found from the MAC header where there is one (ingress,
 *       egress and bridge hooks), else taken from skb_network_header()
 * @key: to fill; refers to @skb and to itself, so it cannot be copied
 *
 * Never trusts a length: a truncated packet has no key where a field that the
 * key needs is missing, nor if the key is of the innermost packet and that could
 * not be reached. A packet whose payload cannot be read (device memory, a long
 * fragment list) has no key either.
 *
 * Context: softirq or process; no allocation.
 * Return: true, or false: this packet has no such key.
 */
bool seen_key_build(const struct seen_keyspec *spec, const struct sk_buff *skb,
		    struct seen_key *key);

/**
 * seen_key_build_parsed() - the same of a packet that has been taken apart
 * @spec: what to take
 * @packet: of seen_packet_parse(); out: in another VLAN, and perhaps a tunnel, but with
 *          its link layer
 * @vlan: the bridge's VLAN, in place of the outermost tag's; negative: the tag's own
 * @key: to fill
 */
bool seen_key_build_parsed(const struct seen_keyspec *spec,
			   struct seen_packet *packet, int vlan,
			   struct seen_key *key);

/**
 * seen_key_build_net() - the same where a network protocol has the packet
 * @spec: what to take
 * @skb: never written, as said; its network header is skb_network_header()
 * @link: a link-layer header that ends there is the packet's own
 * @key: to fill
 */
bool seen_key_build_net(const struct seen_keyspec *spec,
			const struct sk_buff *skb, bool link,
			struct seen_key *key);

#endif
