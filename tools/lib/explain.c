// SPDX-License-Identifier: GPL-2.0
/*
 * Explains the key of a packet; explain.h. kmod/key.c builds the key: once for all fields
 * together, and once for each field alone. This file adds only where the bytes come from.
 */
#include <linux/build_bug.h>
#include <linux/if_arp.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <stdarg.h>
#include <stdio.h>

#include "../../kmod/core/trail.h"
#include "../../kmod/key.h"
#include "explain.h"
#include "key_field.h"

/* Letters of a payload in its text. */
#define LETTERS		64

/**
 * struct view - a packet that is being explained
 * @skb: as the kernel's code reads it; its offsets are those of the frame
 * @wire: the parsed outermost packet
 * @p: the parsed packet from which the key is built
 * @spec: the key's fields
 * @missed: bytes were read that were not captured
 * @net_cut: the network header was not captured completely
 * @room: where the next part's bytes go
 */
struct view {
	struct sk_buff skb;
	struct seen_packet wire;
	struct seen_packet p;
	const struct seen_key_spec *spec;
	bool missed;
	bool net_cut;
	u8 *room;
};

static __printf(3, 4) void say(struct seen_part *part, int at,
			       const char *format, ...)
{
	size_t used = strlen(part->why);
	va_list values;

	part->at = at;
	va_start(values, format);
	vsnprintf(part->why + used, sizeof(part->why) - used, format, values);
	va_end(values);
}

static u8 byte_at(const struct view *v, int at)
{
	return v->skb.data[at];
}

static u16 word_at(const struct view *v, int at)
{
	return byte_at(v, at) << 8 | byte_at(v, at + 1);
}

/* The network layer's type, for packets that are not IP; 0: unknown. */
static u16 type_of(const struct view *v)
{
	return ntohs(v->p.type);
}

/* Offsets in an IPv6 packet: of the last next-header byte, and of the fragment header or -1. */
struct chain {
	int next;
	int frag;
};

/* No bounds are checked: the kernel's code has walked these headers before. */
static struct chain explain_walk(const struct view *v)
{
	struct chain chain = { .next = v->p.net + 6, .frag = -1 };
	int at = v->p.net + sizeof(struct ipv6hdr);

	while (at < v->p.trans) {
		bool frag = byte_at(v, chain.next) == NEXTHDR_FRAGMENT;

		if (frag)
			chain.frag = at;
		chain.next = at;
		at += frag ? 8 : (byte_at(v, at + 1) + 1) * 8;
	}
	return chain;
}

static void explain_eth(const struct view *v, struct seen_part *part, u32 id)
{
	bool tagged = v->wire.vlan != SEEN_VLAN_NONE;

	if (id == SEEN_FIELD_DMAC)
		say(part, 0, "%s", "");
	else if (id == SEEN_FIELD_SMAC)
		say(part, ETH_ALEN, "%s", "");
	else if (id == SEEN_FIELD_ETHERTYPE)
		say(part, v->wire.net - 2, tagged ? "inside all tags" : "%s",
		    "");
	else if (tagged)
		say(part, v->wire.body - VLAN_HLEN, "from the outermost tag");
	else
		say(part, -1, "there is no tag");
}

static void explain_addr(const struct view *v, struct seen_part *part,
			 const struct seen_key_field *field)
{
	bool src = field->id == SEEN_FIELD_SRC;
	const struct in6_addr *addr = src ? &v->p.src : &v->p.dst;
	bool mapped = ipv6_addr_v4mapped(addr);
	bool any = seen_field_is_any(field);
	u32 prefix = any ? 0 : mapped ? field->param : field->param6;

	if (v->p.version == 4)
		say(part, v->p.net + (src ? 12 : 16), "IPv4 as ::ffff:a.b.c.d");
	else
		say(part, v->p.net + (src ? 8 : 24), "%s", mapped ?
		    "IPv4-mapped, as native IPv4" : "IPv6");
	if (prefix)
		say(part, part->at, ", masked /%u", prefix);
	else if (any)
		say(part, part->at, ", looked up with each prefix length");
}

static void explain_ip(const struct view *v, struct seen_part *part, u32 id)
{
	bool v4 = v->p.version == 4;

	if (id == SEEN_FIELD_TTL)
		say(part, v->p.net + (v4 ? 8 : 7), v4 ? "%s" : "hop limit", "");
	else
		say(part, v->p.net + (v4 ? 1 : 0), "six bits");
}

/* Fields that IPv6 has in its chain of headers. */
static void explain_chain(const struct view *v, struct seen_part *part, u32 id)
{
	struct chain chain;

	if (v->p.version == 4) {
		say(part, v->p.net + (id == SEEN_FIELD_PROTO ? 9 :
				      id == SEEN_FIELD_IPID ? 4 : 6), "%s", "");
		return;
	}
	chain = explain_walk(v);
	if (id == SEEN_FIELD_PROTO)
		say(part, chain.next, "the last next header");
	else if (chain.frag < 0)
		say(part, -1, "IPv6 without a fragment header");
	else
		say(part, chain.frag + (id == SEEN_FIELD_IPID ? 4 : 2),
		    "from the fragment header");
}

static void explain_payload(const struct view *v, struct seen_part *part)
{
	const struct seen_keyspec alone = seen_frame_spec(v->spec, 0, 0);
	int start, count = part->len - sizeof(u32);
	const struct seen_packet *p = &v->p;

	seen_key_payload_at(&alone, p, &start);
	say(part, start, "%d bytes; the key stores this number before them", count);
	if (p->check_len && p->check < start + count && p->check >= start)
		say(part, start, "; the checksum at %d is treated as 0", p->check);
	if (start + count > p->end)
		say(part, start, "; bytes from %d on are treated as 0", p->end);
}

/* @stated: the length that the header states in @field, at @at; it may be impossible */
static void explain_stated(const struct view *v, struct seen_part *part,
			   u32 stated, int at, const char *field)
{
	if (stated == v->p.len)
		say(part, at, "%s", field);
	else
		say(part, -1,
		    "%s is %u, which is impossible; used instead: the captured bytes, at least 46",
		    field, stated);
}

static void explain_len(const struct view *v, struct seen_part *part)
{
	u32 there = v->skb.len - v->p.net;
	int net = v->p.net;
	u16 type;

	if (v->p.version == 4) {
		explain_stated(v, part, word_at(v, net + 2), net + 2,
			       "IPv4 total length");
	} else if (v->p.version == 6 && !word_at(v, net + 4) &&
		   byte_at(v, net + 6) == NEXTHDR_HOP) {
		say(part, -1, "the captured bytes, because a jumbogram has payload length 0");
	} else if (v->p.version == 6) {
		explain_stated(v, part, sizeof(struct ipv6hdr) +
			       word_at(v, net + 4), net + 4,
			       "IPv6 payload length plus 40");
	} else {
		type = type_of(v);
		if ((type == ETH_P_ARP || type == ETH_P_RARP) &&
		    there >= sizeof(struct arphdr) && v->p.len <= there)
			say(part, -1, "from ARP's address lengths");
		else if (type < ETH_P_802_3_MIN && type && type <= there)
			say(part, net - 2, "802.3 length, at least 46");
		else
			say(part, -1, there < v->p.len ?
			    "the minimum that frames are padded to" : "the captured bytes");
	}
}

static void explain(const struct view *v, struct seen_part *part,
		    const struct seen_key_field *field)
{
	switch (field->id) {
	case SEEN_FIELD_SMAC:
	case SEEN_FIELD_DMAC:
	case SEEN_FIELD_VLAN:
	case SEEN_FIELD_ETHERTYPE:
		return explain_eth(v, part, field->id);
	case SEEN_FIELD_SRC:
	case SEEN_FIELD_DST:
		return explain_addr(v, part, field);
	case SEEN_FIELD_TTL:
	case SEEN_FIELD_DSCP:
		return explain_ip(v, part, field->id);
	case SEEN_FIELD_PROTO:
	case SEEN_FIELD_IPID:
	case SEEN_FIELD_FRAG:
		return explain_chain(v, part, field->id);
	case SEEN_FIELD_SPORT:
		return say(part, v->p.trans, "%s", "");
	case SEEN_FIELD_DPORT:
		return say(part, v->p.trans + 2, "%s", "");
	case SEEN_FIELD_TCPSEQ:
		return say(part, v->p.trans + 4, "%s", "");
	case SEEN_FIELD_PAYLOAD:
		return explain_payload(v, part);
	case SEEN_FIELD_LEN:
		return explain_len(v, part);
	case SEEN_FIELD_IIF:
		return say(part, -1, "a capture does not name the input device");
	}
}

static const char *no_ip(const struct view *v)
{
	u16 type = type_of(v);

	if (type == ETH_P_IP || type == ETH_P_IPV6)
		return "the IP header is cut off or malformed";
	return "not IP";
}

static const char *no_proto(const struct view *v)
{
	if (v->p.version == 4)
		return "the options of IPv4 go beyond the packet's end";
	return "the extension headers of IPv6 are cut off, or more than 8";
}

static void miss_ports(const struct view *v, struct seen_part *part)
{
	const struct seen_field_kind *kind = seen_field_kind(SEEN_FIELD_PROTO);
	char proto[16];

	if (v->p.later)
		return say(part, -1, "a later fragment has no ports");
	switch (v->p.proto) {
	case IPPROTO_TCP:
	case IPPROTO_UDP:
	case IPPROTO_UDPLITE:
	case IPPROTO_SCTP:
	case IPPROTO_DCCP:
		return say(part, -1, "the transport header is cut off");
	}
	kind->format(&(struct seen_key_field){ .id = SEEN_FIELD_PROTO },
		     &v->p.proto, 1, proto, sizeof(proto));
	say(part, -1, "protocol %s has no ports", proto);
}

static void miss(const struct view *v, struct seen_part *part, u32 id)
{
	switch (id) {
	case SEEN_FIELD_SMAC:
	case SEEN_FIELD_DMAC:
	case SEEN_FIELD_VLAN:
	case SEEN_FIELD_ETHERTYPE:
		return say(part, -1, "the capture has no Ethernet headers");
	case SEEN_FIELD_BYTES:
	case SEEN_FIELD_ID:
		return say(part, -1, "only programs can supply this field; no packet has it");
	}
	if (!v->p.version)
		return say(part, -1, "%s", no_ip(v));
	if (!v->p.has_proto)
		return say(part, -1, "%s", no_proto(v));
	if (id == SEEN_FIELD_TCPSEQ && v->p.proto != IPPROTO_TCP)
		return say(part, -1, "not TCP");
	if (id == SEEN_FIELD_PAYLOAD)
		return say(part, -1, "the transport header is cut off or malformed");
	miss_ports(v, part);
}

/* Printable characters as they are, all others as dots. */
static void put_letters(struct seen_part *part)
{
	const u8 *bytes = part->bytes + sizeof(u32);
	size_t i, count = part->len - sizeof(u32);

	for (i = 0; i < count && i < LETTERS; i++)
		part->text[i] = bytes[i] > ' ' && bytes[i] <= '~' ? bytes[i]
								  : '.';
	snprintf(part->text + i, sizeof(part->text) - i, "%s",
		 i < count ? "..." : "");
}

static void put_text(struct seen_part *part, const struct seen_key_field *field)
{
	const struct seen_field_kind *kind = seen_field_kind(field->id);

	if (field->id == SEEN_FIELD_PAYLOAD)
		put_letters(part);
	else
		kind->format(field, part->bytes, part->len, part->text,
			     sizeof(part->text));
}

/* Append the bytes of @key to the bytes of the preceding parts. */
static void put_bytes(struct view *v, struct seen_part *part,
		      const struct seen_key *key)
{
	part->bytes = v->room;
	part->len = seen_key_bytes(key);
	memcpy(v->room, key->head, key->len);
	seen_payload_copy(&key->payload, v->room + key->len, key->payload.len);
	v->room += part->len;
}

static void explain_part(struct view *v, unsigned int i, struct seen_part *part)
{
	const struct seen_key_field *field = &v->spec->field[i];
	struct seen_keyspec alone = seen_frame_spec(v->spec, i, 1);
	struct seen_key key;

	part->name = seen_field_kind(field->id)->name;
	part->text[0] = '\0';
	part->why[0] = '\0';
	part->len = 0;
	part->at = -1;
	v->missed = false;
	if (v->net_cut && (field->id == SEEN_FIELD_LEN ||
			   field->id == SEEN_FIELD_PAYLOAD)) {
		say(part, -1, "beyond the bytes that were captured");
	} else if (seen_key_build(&alone, &v->skb, &key)) {
		put_bytes(v, part, &key);
		put_text(part, field);
		explain(v, part, field);
	} else if (v->missed) {
		say(part, -1, "beyond the bytes that were captured");
	} else {
		miss(v, part, field->id);
	}
}

/* The payload is the last field in the key, wherever it is in the list. */
static void explain_parts(struct view *v, struct seen_explanation *to)
{
	unsigned int i, payload = to->parts;

	for (i = 0; i < to->parts; i++) {
		if (v->spec->field[i].id == SEEN_FIELD_PAYLOAD)
			payload = i;
		else
			explain_part(v, i, &to->part[i]);
	}
	if (payload < to->parts)
		explain_part(v, payload, &to->part[payload]);
}

static bool is_complete(const struct seen_explanation *of)
{
	for (unsigned int i = 0; i < of->parts; i++)
		if (!of->part[i].len)
			return false;
	return of->parts;
}

static_assert(SEEN_EXPLAIN_TUNNELS == SEEN_TUNNELS_MAX);

static const char *const tunnels[] = {
	[SEEN_TUNNEL_IP]	= "ip-in-ip",
	[SEEN_TUNNEL_GRE]	= "gre",
	[SEEN_TUNNEL_ERSPAN1]	= "erspan-1",
	[SEEN_TUNNEL_ERSPAN2]	= "erspan-2",
	[SEEN_TUNNEL_ERSPAN3]	= "erspan-3",
	[SEEN_TUNNEL_VXLAN]	= "vxlan",
	[SEEN_TUNNEL_GENEVE]	= "geneve",
	[SEEN_TUNNEL_GTPU]	= "gtp-u",
	[SEEN_TUNNEL_MPLS]	= "mpls",
	[SEEN_TUNNEL_PPPOE]	= "pppoe",
};

/* Why the innermost packet was not opened although it may be a tunnel; NULL: it is no tunnel. */
static const char *const ends[] = {
	[SEEN_TUNNEL_GRE_VERSION]	= "GRE of another version than 0 is not opened",
	[SEEN_TUNNEL_GRE_PAYLOAD]	=
		"GRE carries neither IP, Ethernet, ERSPAN nor MPLS",
	[SEEN_TUNNEL_VXLAN_NO_VNI]	= "VXLAN without a VNI is not opened",
	[SEEN_TUNNEL_GENEVE_VERSION]	= "Geneve of another version than 0 is not opened",
	[SEEN_TUNNEL_GENEVE_PAYLOAD]	= "Geneve carries neither IP nor Ethernet",
	[SEEN_TUNNEL_GTPU_MESSAGE]	= "this message of GTP-U carries no packet",
	[SEEN_TUNNEL_MPLS_CHANNEL]	= "an associated channel of MPLS carries no packet",
	[SEEN_TUNNEL_PPP_PAYLOAD]	= "PPPoE carries neither IP nor MPLS",
	[SEEN_TUNNEL_ERSPAN_PAYLOAD]	= "ERSPAN III carries neither Ethernet nor IP",
	[SEEN_TUNNEL_FRAGMENT]		=
		"a fragment of a tunnel, or of UDP that may be a tunnel",
	[SEEN_TUNNEL_DEEP]		= "there are more than 4 tunnels in each other",
	[SEEN_TUNNEL_TRUNCATED]		= "ERSPAN says that the switch has cut the packet",
	[SEEN_TUNNEL_UNKNOWN]		= "the type of the tunnel's payload is unknown",
};

static const char *lost(const struct view *v)
{
	if (v->p.tunnel_end != SEEN_TUNNEL_CUT)
		return ends[v->p.tunnel_end];
	if (v->p.version && !v->p.has_proto)
		return no_proto(v);
	if (!v->p.version && (type_of(v) == ETH_P_IP || type_of(v) == ETH_P_IPV6))
		return "the IP header in the tunnel is cut off or malformed";
	return "the tunnel's header is cut off or malformed";
}

static bool explain_enter(struct view *v)
{
	const struct seen_keyspec spec = seen_frame_spec(v->spec, 0, 0);

	return seen_key_enter(&spec, &v->p);
}

/* Parse the packet. Return: why no key can be built from it, or NULL. */
static const char *take_apart(struct view *v)
{
	if (!seen_packet_parse(&v->wire, &v->skb))
		return v->missed ? "the link-layer header was not captured completely" :
		       "the packet ends within its link-layer header or VLAN tags";
	v->p = v->wire;
	if (v->spec->inner && !explain_enter(v))
		return v->missed ? "the tunnel's headers were not captured completely" :
		       lost(v);
	return NULL;
}

/*
 * Only bytes behind the length that the packet states can be a trail. A packet that states none,
 * or that could not be parsed, has no such bytes.
 */
static void explain_trail(const struct view *v, struct seen_trail_part *to)
{
	const struct seen_packet *wire = &v->wire;
	struct seen_trail_domain domain;
	u32 len = v->skb.len;
	struct seen_trail trail;

	*to = (struct seen_trail_part) {};
	if (v->skb.data_len)
		return;
	to->bytes = seen_trail_peek(v->skb.data + len, len - wire->end, len - wire->net,
				    &domain, &trail);
	if (!to->bytes)
		return;
	to->at = len - to->bytes;
	to->hops = trail.hops;
	to->strike = trail.strike;
}

void seen_explain(const struct seen_key_spec *spec,
		  const struct seen_frame *frame, struct seen_explanation *to,
		  uint8_t *room)
{
	struct view v = {
		.spec = spec, .room = room, .net_cut = seen_frame_net_cut(frame),
	};
	const char *why;

	seen_frame_show(&v.skb, frame, &v.missed);
	why = take_apart(&v);
	snprintf(to->why, sizeof(to->why), "%s", why ? why : "");
	explain_trail(&v, &to->trail);
	to->tunnels = v.p.tunnels;
	for (unsigned int i = 0; i < to->tunnels; i++)
		to->tunnel[i] = tunnels[v.p.tunnel[i]];
	to->shut = why ? NULL : ends[v.p.tunnel_end];
	to->parts = why ? 0 : spec->count;
	explain_parts(&v, to);
	to->key = room;
	to->len = is_complete(to) ? v.room - room : 0;
}
