// SPDX-License-Identifier: GPL-2.0
/*
 * Profiles "frame" and "packet": copies of a frame have the same key in every shape that
 * the kernel and the network may give them, and different frames have different keys.
 */
#include <linux/if_arp.h>

#include "frames.h"
#include "skb.h"
#include "test.h"

/* Another frame in VXLAN; the inner UDP's checksum and payload are to follow. */
#define VXLAN_UDP	MACS IP4("0052", "0001", "4000", "11") VXLAN("003e") \
	INMACS IP4("0020", "0007", "4000", "11") "04d2 0035 000c "
#define VXLAN_CSUM_START	(14 + 20 + 8 + 8 + 14 + 20)

/* UDP4 as it comes out of a router. */
#define ROUTED	"0a0000000001 0a0000000002 " TAG \
	"0800 4500 0020 0001 4000 3f 11 4321 0a000001 0a000002 " \
	"04d2 0035 000c 0000 01020304"

/* Frames whose profiles are looked at closely. */
static const struct sample {
	const char *what;
	const char *frame;
	int check;	/* where its checksum is */
	int check_len;
} samples[] = {
	{ "ARP", MACS ARP, 0, 0 },
	{ "tagged ARP", MACS TAG ARP, 0, 0 },
	{ "ARP with two tags", MACS STAG TAG ARP, 0, 0 },
	{ "UDP", UDP4, 40, 2 },
	{ "tagged UDP", MACS TAG IP4("0020", "0001", "4000", "11") UDP, 44, 2 },
	{ "UDP over IPv6", UDP6, 60, 2 },
	{ "TCP", MACS IP4("0028", "0001", "4000", "06") TCP, 50, 2 },
	{ "SCTP", MACS IP4("0024", "0001", "4000", "84") SCTP, 42, 4 },
	{ "UDP-Lite", MACS IP4("0020", "0001", "4000", "88") UDP, 40, 2 },
	{ "DCCP", MACS IP4("0024", "0001", "4000", "21")
	  "04d2 0050 0400 abcd 00000000 00000000 ", 40, 2 },
	{ "ICMP", MACS IP4("0020", "0001", "4000", "01") ICMP, 0, 0 },
	{ "ICMPv6 behind extension headers", MACS
	  IP6("0034", "00") "2b" HOP "3c" ROUTE "3a" HOP ICMP6, 96, 2 },
	{ "first fragment", MACS IP4("0020", "0001", "2000", "11") UDP, 40, 2 },
	{ "later fragment", MACS IP4("0020", "0001", "2001", "11") UDP, 0, 0 },
	{ "unknown", MACS "88b5 0102030405", 0, 0 },
	{ "802.3", MACS "0005 4242030102", 0, 0 },
	{ "VXLAN", VXLAN_UDP "1234 01020304", 40, 2 },
};

static const char *const specs[] = {
	"host", "flow", "frame", "packet", "relay",
	"smac,dmac,vlan,ethertype,payload:448,len",
	"src/24,dst/24,proto,ttl,dscp,ipid,frag,payload:16,len,iif",
	"src,sport,dport,tcpseq,payload:1",
};

static bool equal(const char *profile, const u8 *a, int a_len,
		  const struct shape *a_shape, const u8 *b, int b_len,
		  const struct shape *b_shape)
{
	struct seen_keyspec spec = spec_parse(profile);
	struct flat_key of_a, of_b;

	return key_of(&spec, a, a_len, a_shape, &of_a) &&
	       key_of(&spec, b, b_len, b_shape, &of_b) &&
	       is_key(&of_b, of_a.bytes, of_a.len);
}

static void test_shapes(const struct sample *sample)
{
	u8 frame[FRAME_MAX];
	bool same = true;
	unsigned int i;
	int len;

	len = frame_parse(sample->frame, frame, sizeof(frame));
	for (i = 0; i < ARRAY_SIZE(specs); i++) {
		struct seen_keyspec spec = spec_parse(specs[i]);

		same = same && same_key(&spec, frame, len);
	}
	ok(same, "%s: split anywhere, pulled, tag in vlan_tci: one key",
	   sample->what);
}

static void test_padding(const struct sample *sample)
{
	u8 frame[FRAME_MAX] = {};
	bool same = true;
	int len, padded;

	len = frame_parse(sample->frame, frame, sizeof(frame));
	for (padded = len; padded <= ETH_ZLEN; padded++)
		same = same && equal("frame", frame, len, &plain, frame, padded,
				     &plain);
	ok(same, "%s: padded to %d: one key", sample->what, ETH_ZLEN);
}

/* A switch pads a frame with its tag in it, or when the tag has gone. */
static void test_padded_tag(void)
{
	const struct shape untagged = { .linear = LINEAR, .untagged = true };
	u8 frame[FRAME_MAX] = {};
	int len;

	len = frame_parse(MACS TAG "88b5 01", frame, sizeof(frame));
	ok(equal("frame", frame, len, &plain, frame, ETH_ZLEN, &untagged),
	   "tagged unknown: padded with its tag: one key");
	ok(equal("frame", frame, len, &plain, frame, ETH_ZLEN + VLAN_HLEN,
		 &untagged),
	   "tagged unknown: padded without its tag: one key");
}

/*
 * Every bit of a frame is part of its key, but for the checksum, and the
 * priority and the type of the outermost tag.
 */
static bool is_digested(const struct sample *sample, const u8 *frame, int at,
			int bit)
{
	bool tagged = eth_type_vlan(htons(frame[12] << 8 | frame[13]));

	if (at >= sample->check && at < sample->check + sample->check_len)
		return false;
	return !(tagged && at == 14 && bit >= 4);
}

static void test_bits(const struct sample *sample)
{
	u8 frame[FRAME_MAX], other[FRAME_MAX];
	bool good = true;
	int len, at;

	len = frame_parse(sample->frame, frame, sizeof(frame));
	for (at = 0; at < 8 * len; at++) {
		memcpy(other, frame, len);
		other[at / 8] ^= 1 << at % 8;
		if (equal("frame", frame, len, &plain, other, len, &plain) ==
		    is_digested(sample, frame, at / 8, at % 8)) {
			note("byte %d, bit %d", at / 8, at % 8);
			good = false;
		}
	}
	ok(good, "%s: the key has each bit but the checksum's", sample->what);
}

/* @cut: bytes that the frame lacks at its end; an odd last byte is a word's first. */
static void test_tunnel_check(const char *profile, int cut)
{
	const struct shape unfinished = {
		.linear = LINEAR, .csum_start = VXLAN_CSUM_START,
		.csum_offset = 6,
	};
	u8 begun[FRAME_MAX], done[FRAME_MAX] = {}, other[FRAME_MAX];
	u32 sum = 0x1420;	/* addresses, protocol, length */
	const int at = VXLAN_CSUM_START + 6;
	int i, len;

	len = frame_parse(VXLAN_UDP "0000 01020304", begun, sizeof(begun));
	len -= cut;
	begun[at] = sum >> 8;
	begun[at + 1] = sum;
	memcpy(done, begun, len);
	sum = 0;
	for (i = VXLAN_CSUM_START; i < len; i += 2)
		sum += done[i] << 8 | done[i + 1];
	sum = ~((sum & 0xffff) + (sum >> 16));
	done[at] = sum >> 8;
	done[at + 1] = sum;
	ok(equal(profile, begun, len, &unfinished, done, len, &plain),
	   "a checksum in a tunnel, not finished and finished, %s: one %s key",
	   cut ? "odd" : "even", profile);
	memcpy(other, done, len);
	other[at + 1] ^= 1;
	ok(!equal(profile, begun, len, &unfinished, other, len, &plain),
	   "a checksum in a tunnel, wrong, %s: another %s key",
	   cut ? "odd" : "even", profile);
}

/* A mirror's copy, as it was before a router and as it came out. */
static void test_mirror(void)
{
	u8 before[FRAME_MAX], after[FRAME_MAX];
	int len, tagged;

	len = frame_parse(UDP4, before, sizeof(before));
	tagged = frame_parse(ROUTED, after, sizeof(after));
	ok(equal("packet", before, len, &plain, after, tagged, &plain),
	   "packet: not MACs, VLAN, TTL, DSCP, checksums");
	after[tagged - 1] ^= 1;
	ok(!equal("packet", before, len, &plain, after, tagged, &plain),
	   "packet: another payload, another key");
}

/* Each profile with a payload has all of it; a bounded one has no more. */
static void test_long(void)
{
	static const char *const whole[] = { "frame", "packet", "relay" };
	u8 frame[FRAME_MAX] = {}, other[FRAME_MAX];
	char bounded[32];
	unsigned int i;
	int head;

	head = frame_parse(MACS IP4("05dc", "0001", "4000", "11")
			   "04d2 0035 05c8 abcd 01020304", frame,
			   sizeof(frame));
	memcpy(other, frame, sizeof(frame));
	other[1513] = 1;
	for (i = 0; i < ARRAY_SIZE(whole); i++) {
		ok(!equal(whole[i], frame, 1514, &plain, other, 1514, &plain),
		   "%s: the last byte of 1514 counts", whole[i]);
		snprintf(bounded, sizeof(bounded), "%s,payload:1400", whole[i]);
		ok(equal(bounded, frame, 1514, &plain, other, 1514, &plain),
		   "%s: the last byte of 1514 does not count", bounded);
	}
	frame[17] = head - ETH_HLEN;
	frame[16] = 0;
	ok(equal("frame", frame, head, &plain, frame, 1514, &plain),
	   "frame: the stated length, whatever follows it");
}

/* DISCOVER and REQUEST of one client: one byte differs, behind BOOTP's fields. */
static void test_dhcp(void)
{
	u8 discover[342] = {}, request[342];
	int type = ETH_HLEN + 20 + 8 + 236 + 4 + 2;

	frame_parse(MACS IP4("0148", "0000", "0000", "11")
		    "0044 0043 0134 0000 01010600 1badcafe", discover,
		    sizeof(discover));
	discover[type] = 1;
	memcpy(request, discover, sizeof(request));
	request[type] = 3;
	ok(!equal("frame", discover, 342, &plain, request, 342, &plain),
	   "frame: DISCOVER and REQUEST have two keys");
	ok(equal("frame,payload:256", discover, 342, &plain, request, 342,
		 &plain), "frame,payload:256: they have one");
}

/* The last four bytes are out of reach; only a checksum that is due needs them. */
static void test_unreadable(void)
{
	struct seen_keyspec spec = spec_parse("frame,payload:78");
	struct seen_keyspec longer = spec_parse("frame,payload:79");
	struct net_device dev = { .type = ARPHRD_ETHER };
	u8 frame[FRAME_MAX];
	struct seen_key key;
	bool missed;
	struct sk_buff skb = {
		.missed = &missed, .head = frame, .data = frame, .dev = &dev,
		.network_header = ETH_HLEN, .data_len = 4,
		.csum_start = VXLAN_CSUM_START, .csum_offset = 6,
	};

	skb.len = frame_parse(VXLAN_UDP "0000 01020304", frame, sizeof(frame));
	ok(seen_key_build(&spec, &skb, &key), "a payload that can be read gives a key");
	ok(!seen_key_build(&longer, &skb, &key), "one byte more gives no key");
	skb.ip_summed = CHECKSUM_PARTIAL;
	ok(!seen_key_build(&spec, &skb, &key),
	   "a checksum over bytes that cannot be read gives no key");
}

/* A packet's way through a list is bounded. */
static void test_list(void)
{
	struct seen_keyspec spec = spec_parse("frame");
	struct skb_shared_info shared = {};
	struct sk_buff buffer[SEEN_FRAG_LIST_MAX + 1] = {}, skb;
	struct net_device dev = { .type = ARPHRD_ETHER };
	u8 frame[FRAME_MAX] = {}, byte = 1;
	struct seen_key key;
	int i;

	skb = (struct sk_buff) {
		.shared = &shared, .head = frame, .data = frame, .dev = &dev,
		.network_header = ETH_HLEN,
	};
	frame_parse(MACS "88b5", frame, sizeof(frame));
	shared.frag_list = buffer;
	for (i = 0; i < SEEN_FRAG_LIST_MAX; i++) {
		buffer[i] = (struct sk_buff) { .data = &byte, .len = 1 };
		if (i)
			buffer[i - 1].next = &buffer[i];
	}
	skb.data_len = SEEN_FRAG_LIST_MAX;
	skb.len = ETH_HLEN + SEEN_FRAG_LIST_MAX;
	ok(seen_key_build(&spec, &skb, &key),
	   "a list of %d buffers: a key", SEEN_FRAG_LIST_MAX);
	buffer[i - 1].next = &buffer[i];
	buffer[i] = (struct sk_buff) { .data = &byte, .len = 1 };
	skb.data_len++;
	skb.len++;
	ok(!seen_key_build(&spec, &skb, &key),
	   "a list of %d buffers: no key", SEEN_FRAG_LIST_MAX + 1);
}

int main(void)
{
	unsigned int i;

	test_begin(3 * ARRAY_SIZE(samples) + 2 + 4 * 2 + 2 + 7 + 2 + 3 + 2 + 1);
	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		test_shapes(&samples[i]);
		test_padding(&samples[i]);
		test_bits(&samples[i]);
	}
	test_padded_tag();
	test_tunnel_check("frame", 0);
	test_tunnel_check("frame", 1);
	test_tunnel_check("packet", 0);
	test_tunnel_check("packet", 1);
	test_mirror();
	test_long();
	test_dhcp();
	test_unreadable();
	test_list();
	ok(!disagreements, "each packet agrees with the bytes of its key");
	return test_end();
}
