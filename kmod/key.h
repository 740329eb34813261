/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keys: the bytes of a packet that a filter stores or looks up.
 *
 * A filter defines which fields make its key (struct seen_keyspec). The canonical key
 * holds the fields in the order of the definition, each with the size that
 * uapi/linux/seen.h gives, numbers in network order. The payload is always last: its
 * length (32 bits), then its bytes. tools/lib builds the same bytes from text.
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
 * struct seen_keyspec - which fields make a key
 * @profile: enum seen_key_profile if the fields came from a profile, else 0
 * @count: number of fields, 1 to SEEN_KEY_FIELDS_MAX
 * @inner: take the fields of layer 3 and above from the innermost packet, see tunnel.h
 * @payload: one of the fields is the payload; the first @min bytes of a key precede it
 * @single: a merged packet (GRO, GSO) has another key than the packets in it
 * @link: some fields are of Ethernet, so packets of other devices have no key
 * @prefix: offset in the key of the prefix of any length, plus 1; 0: no such prefix
 * @len: bytes of every canonical key; 0: they differ (fields payload, bytes)
 * @min: bytes of the shortest canonical key; with @payload, bytes before the payload
 * @max: bytes of the longest canonical key in a request, at most SEEN_KEY_MAX
 * @field: id: enum seen_field. param: IPv4 prefix length, SEEN_PREFIX_ANY, or maximum bytes
 *         of payload. param6: IPv6 prefix length. 0: the whole address or payload.
 *         The array must not exceed 64 bytes: gcc 12 with CONFIG_INIT_STACK_ALL_ZERO
 *         clears parts of larger arrays in variables with an initializer
 * @vxlan: UDP ports of VXLAN for @inner, ascending, ended by 0 if fewer than
 *         SEEN_VXLAN_PORTS_MAX; none: 4789 and 8472
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
 * struct seen_key - the key of a packet, or of a request
 * @head: the fields; with a payload, also the payload's length (32 bits)
 * @len: bytes of @head
 * @has_payload: the payload follows @head in the canonical key
 * @prefix: struct seen_keyspec.prefix
 * @payload: the payload, which stays where it is in memory
 * @room: memory for @head of a packet's key
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
 * seen_keyspec_parse() - parse a key specification from netlink attributes
 * @spec: out; not changed on error
 * @profile: SEEN_A_FILTER_PROFILE or NULL
 * @fields: SEEN_A_FILTER_KEY or NULL. At least one of the two is required; with both, the
 *          fields must be the profile's, but the payload's maximum may differ
 * @inner: SEEN_A_FILTER_INNER or NULL
 * @nlh: the request, in which SEEN_A_FILTER_VXLAN_PORT may repeat
 * @extack: receives the field that is wrong and the reason
 *
 * Context: process.
 * Return: 0, or -EINVAL.
 */
int seen_keyspec_parse(struct seen_keyspec *spec, const struct nlattr *profile,
		       const struct nlattr *fields, const struct nlattr *inner,
		       const struct nlmsghdr *nlh, struct netlink_ext_ack *extack);

/**
 * seen_keyspec_put() - put a key specification into a message
 * @skb: the message
 * @spec: the key specification
 *
 * Puts the fields; the profile, if there is one; and SEEN_A_FILTER_INNER with the VXLAN
 * ports that were given.
 *
 * Return: 0, or -EMSGSIZE.
 */
int seen_keyspec_put(struct sk_buff *skb, const struct seen_keyspec *spec);

/* seen_keyspec_profile() - set @spec to the fields of a profile */
void seen_keyspec_profile(struct seen_keyspec *spec,
			  enum seen_key_profile profile);

/* seen_keyspec_equal() - do both make the same key of every packet? */
bool seen_keyspec_equal(const struct seen_keyspec *a,
			const struct seen_keyspec *b);

/* seen_keyspec_has() - is @id (enum seen_field) one of the fields? */
bool seen_keyspec_has(const struct seen_keyspec *spec, u16 id);

/**
 * seen_key_take() - make a key from canonical bytes of a request
 * @spec: the key specification
 * @key: out; points into @bytes
 * @bytes: canonical key, not trusted
 * @len: number of @bytes
 *
 * Return: true, or false: @bytes are not a key of @spec, because there are too few or too
 * many of them, or because the payload's length or a prefix length is wrong.
 */
bool seen_key_take(const struct seen_keyspec *spec, struct seen_key *key,
		   const u8 *bytes, size_t len);

/* seen_key_bytes() - number of canonical bytes of a key */
static inline size_t seen_key_bytes(const struct seen_key *key)
{
	return key->len + (size_t)key->payload.len;
}

/* seen_key_hash() - hash a key with a payload, under a filter's secret */
u64 seen_key_hash(const struct seen_key *key, const struct seen_secret *secret,
		  const struct seen_nh_key *nh);

/* seen_key_enter() - seen_tunnel_enter() with the VXLAN ports of @spec */
bool seen_key_enter(const struct seen_keyspec *spec, struct seen_packet *p);

/**
 * seen_key_payload_at() - find where the payload of a key begins in a packet
 * @spec: the key specification
 * @p: the parsed packet
 * @at: out: offset from skb->data
 *
 * Return: true, or false: the packet has no such payload.
 */
bool seen_key_payload_at(const struct seen_keyspec *spec,
			 const struct seen_packet *p, int *at);

/**
 * seen_key_build() - build the key of a packet at a hook of a device or a bridge
 * @spec: the key specification
 * @skb: the packet, not modified. If it has an Ethernet header, its network header follows
 *       that and the tags, else it is at skb_network_header()
 * @key: out; points into @skb and into itself, so it must not be copied
 *
 * A packet has no key if it lacks one of the fields (for example because it is truncated),
 * if the key is of the innermost packet and that cannot be found, or if the payload cannot
 * be read (device memory, a long fragment list). Stated lengths are not trusted.
 *
 * Context: softirq or process; no allocation.
 * Return: true, or false: the packet has no such key.
 */
bool seen_key_build(const struct seen_keyspec *spec, const struct sk_buff *skb,
		    struct seen_key *key);

/**
 * seen_key_build_parsed() - seen_key_build() for a packet that is parsed already
 * @spec: the key specification
 * @packet: from seen_packet_parse(). Changed: @packet->vlan becomes @vlan, and with an
 *          inner key it describes the innermost packet. The link layer stays
 * @vlan: VID that the bridge assigned, instead of the outermost tag's; negative: the tag's
 * @key: out, as above
 */
bool seen_key_build_parsed(const struct seen_keyspec *spec,
			   struct seen_packet *packet, int vlan,
			   struct seen_key *key);

/**
 * seen_key_build_net() - seen_key_build() in the network layer, as at netfilter hooks
 * @spec: the key specification
 * @skb: the packet, not modified; its network header is skb_network_header()
 * @link: as in seen_packet_parse_net()
 * @key: out, as above
 */
bool seen_key_build_net(const struct seen_keyspec *spec,
			const struct sk_buff *skb, bool link,
			struct seen_key *key);

#endif
