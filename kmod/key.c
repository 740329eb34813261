// SPDX-License-Identifier: GPL-2.0
/* Build the canonical key of a packet; key.h. */
#include <linux/tcp.h>
#include <net/ipv6.h>

#include "key.h"

#define ADDRESS_BITS		128

static void key_put_bytes(struct seen_key *key, const void *bytes, u16 len)
{
	memcpy(key->room + key->len, bytes, len);
	key->len += len;
}

static bool key_put_u8(struct seen_key *key, u8 value)
{
	key_put_bytes(key, &value, sizeof(value));
	return true;
}

static bool key_put_u16(struct seen_key *key, u16 value)
{
	__be16 be = htons(value);

	key_put_bytes(key, &be, sizeof(be));
	return true;
}

static bool key_put_u32(struct seen_key *key, u32 value)
{
	__be32 be = htonl(value);

	key_put_bytes(key, &be, sizeof(be));
	return true;
}

/*
 * The prefix length depends on the address, not on the packet's IP version: an IPv4-mapped
 * address counts as IPv4. A key written as text has only the address, and must give the same
 * bytes as a packet.
 */
static bool key_put_addr(struct seen_key *key, const struct in6_addr *addr,
			 u16 prefix4, u16 prefix6)
{
	struct in6_addr masked;
	int prefix = prefix6;

	if (ipv6_addr_v4mapped(addr) && prefix4)
		prefix = 96 + prefix4;
	else if (ipv6_addr_v4mapped(addr) || !prefix6)
		prefix = 128;
	ipv6_addr_prefix(&masked, addr, prefix);
	key_put_bytes(key, &masked, sizeof(masked));
	return true;
}

/* Prefixes of any length: a packet's address is a prefix of 128 bits. */
static bool key_put_any(struct seen_key *key, const struct in6_addr *addr)
{
	return key_put_addr(key, addr, 0, 0) && key_put_u8(key, ADDRESS_BITS);
}

static bool key_put_tcpseq(struct seen_key *key, const struct seen_packet *p)
{
	__be32 seq;

	if (!p->has_ports || p->proto != IPPROTO_TCP ||
	    !seen_packet_copy(p, p->trans + offsetof(struct tcphdr, seq),
			      sizeof(seq), &seq))
		return false;
	key_put_bytes(key, &seq, sizeof(seq));
	return true;
}

static bool key_put_eth(struct seen_key *key, const struct seen_packet *p, u16 id)
{
	if (!p->has_eth)
		return false;
	switch (id) {
	case SEEN_FIELD_SMAC:
		key_put_bytes(key, p->link.eth.h_source, ETH_ALEN);
		return true;
	case SEEN_FIELD_DMAC:
		key_put_bytes(key, p->link.eth.h_dest, ETH_ALEN);
		return true;
	case SEEN_FIELD_VLAN:
		return key_put_u16(key, p->vlan);
	default:
		return key_put_u16(key, ntohs(p->link.eth.h_proto));
	}
}

static bool key_put_ip(struct seen_key *key, const struct seen_packet *p, u16 id,
		       u16 param, u16 param6)
{
	const struct in6_addr *addr = id == SEEN_FIELD_SRC ? &p->src : &p->dst;

	if (!p->version)
		return false;
	switch (id) {
	case SEEN_FIELD_SRC:
	case SEEN_FIELD_DST:
		return param == SEEN_PREFIX_ANY ? key_put_any(key, addr) :
		       key_put_addr(key, addr, param, param6);
	case SEEN_FIELD_TTL:
		return key_put_u8(key, p->ttl);
	default:
		return key_put_u8(key, p->dscp);
	}
}

/* These fields are known only if all extension headers were parsed. */
static bool key_put_next(struct seen_key *key, const struct seen_packet *p, u16 id)
{
	if (!p->has_proto)
		return false;
	switch (id) {
	case SEEN_FIELD_PROTO:
		return key_put_u8(key, p->proto);
	case SEEN_FIELD_IPID:
		return key_put_u32(key, p->id);
	default:
		return key_put_u16(key, p->frag);
	}
}

static bool key_put_port(struct seen_key *key, const struct seen_packet *p,
			 int which)
{
	if (!p->has_ports)
		return false;
	key_put_bytes(key, &p->ports[which], sizeof(p->ports[which]));
	return true;
}

bool seen_key_payload_at(const struct seen_keyspec *spec,
			 const struct seen_packet *p, int *at)
{
	switch (spec->profile) {
	case SEEN_KEY_PROFILE_FRAME:
		/* Includes the inner tags, so that frames of two inner VLANs differ. */
		*at = p->body;
		return true;
	case SEEN_KEY_PROFILE_PACKET:
		*at = p->trans;
		return p->has_proto;
	default:
		*at = p->data;
		return p->has_data;
	}
}

/* Puts the payload's length after all fields. The payload itself stays in the packet. */
static bool key_put_payload(struct seen_key *key, const struct seen_packet *p,
			    const struct seen_keyspec *spec, u16 param)
{
	int at;

	key->has_payload = true;
	return seen_key_payload_at(spec, p, &at) &&
	       seen_payload_of(&key->payload, p, at, param ?: U32_MAX) &&
	       key_put_u32(key, key->payload.len);
}

static bool key_put_field(struct seen_key *key, const struct seen_packet *p,
			  const struct seen_keyspec *spec, int i)
{
	u16 id = spec->field[i].id, param = spec->field[i].param;

	switch (id) {
	case SEEN_FIELD_SMAC:
	case SEEN_FIELD_DMAC:
	case SEEN_FIELD_VLAN:
	case SEEN_FIELD_ETHERTYPE:
		return key_put_eth(key, p, id);
	case SEEN_FIELD_SRC:
	case SEEN_FIELD_DST:
	case SEEN_FIELD_TTL:
	case SEEN_FIELD_DSCP:
		return key_put_ip(key, p, id, param, spec->field[i].param6);
	case SEEN_FIELD_PROTO:
	case SEEN_FIELD_IPID:
	case SEEN_FIELD_FRAG:
		return key_put_next(key, p, id);
	case SEEN_FIELD_SPORT:
		return key_put_port(key, p, 0);
	case SEEN_FIELD_DPORT:
		return key_put_port(key, p, 1);
	case SEEN_FIELD_TCPSEQ:
		return key_put_tcpseq(key, p);
	case SEEN_FIELD_LEN:
		return key_put_u32(key, p->len);
	case SEEN_FIELD_IIF:
		return key_put_u32(key, p->skb->skb_iif);
	default:
		return false;	/* packets do not have the fields bytes and id */
	}
}

bool seen_key_enter(const struct seen_keyspec *spec, struct seen_packet *p)
{
	static const u16 usual[SEEN_VXLAN_PORTS_MAX] = {
		SEEN_VXLAN_PORT, SEEN_VXLAN_PORT_LINUX,
	};

	return seen_tunnel_enter(p, spec->vxlan[0] ? spec->vxlan : usual);
}

static bool key_build(struct seen_key *key, struct seen_packet *p,
		      const struct seen_keyspec *spec)
{
	u16 param = 0;
	int i;

	key->head = key->room;
	key->len = 0;
	key->prefix = spec->prefix;
	key->has_payload = false;
	seen_payload_set(&key->payload, NULL, 0);
	if (spec->inner && !seen_key_enter(spec, p))
		return false;
	for (i = 0; i < spec->count; i++) {
		if (spec->field[i].id == SEEN_FIELD_PAYLOAD)
			param = spec->field[i].param;
		else if (!key_put_field(key, p, spec, i))
			return false;
	}
	return !spec->payload || key_put_payload(key, p, spec, param);
}

bool seen_key_build(const struct seen_keyspec *spec, const struct sk_buff *skb,
		    struct seen_key *key)
{
	struct seen_packet p __uninitialized;

	return seen_packet_parse(&p, skb) && key_build(key, &p, spec);
}

bool seen_key_build_parsed(const struct seen_keyspec *spec,
			   struct seen_packet *packet, int vlan,
			   struct seen_key *key)
{
	if (vlan >= 0)
		packet->vlan = vlan;
	return key_build(key, packet, spec);
}

bool seen_key_build_net(const struct seen_keyspec *spec,
			const struct sk_buff *skb, bool link,
			struct seen_key *key)
{
	struct seen_packet p __uninitialized;

	return seen_packet_parse_net(&p, skb, link) && key_build(key, &p, spec);
}

bool seen_key_take(const struct seen_keyspec *spec, struct seen_key *key,
		   const u8 *bytes, size_t len)
{
	__be32 stated;

	if (len < spec->min || len > spec->max)
		return false;
	key->head = bytes;
	key->prefix = spec->prefix;
	key->has_payload = spec->payload;
	key->len = spec->payload ? spec->min : len;
	seen_payload_set(&key->payload, bytes + key->len, len - key->len);
	if (spec->prefix && seen_lengths_index(bytes + spec->prefix - 1) < 0)
		return false;
	if (!spec->payload)
		return true;
	memcpy(&stated, bytes + key->len - sizeof(stated), sizeof(stated));
	return ntohl(stated) == key->payload.len;
}

u64 seen_key_hash(const struct seen_key *key, const struct seen_secret *secret,
		  const struct seen_nh_key *nh)
{
	struct seen_flat flat;
	struct seen_hash hash;

	if (likely(seen_payload_flat(&key->payload, &flat)))
		return seen_hash_flat(secret, nh, key->head, key->len, &flat);
	seen_hash_begin(&hash, secret, nh, key->head, key->len);
	seen_payload_hash(&key->payload, &hash);
	return seen_hash_end(&hash);
}
