// SPDX-License-Identifier: GPL-2.0
/*
 * Keys of packets, field by field: the kernel's own code on frames written by hand. The
 * bytes must equal those that libseen makes from the key's text.
 */
#include "frames.h"
#include "skb.h"
#include "test.h"

#include "../../tools/lib/key.h"

/* @text: what libseen is given; NULL: the frame has no such key. */
static const struct {
	const char *what;
	const char *frame;
	const char *spec;
	const char *text;
} cases[] = {
	{ "IPv4", UDP4, "host", "10.0.0.1" },
	{ "IPv6", UDP6, "host", "2001:db8::1" },
	{ "IPv4, prefixes", UDP4, "src/24,dst/31", "10.0.0.0/24 10.0.0.2/31" },
	{ "IPv4, a prefix for IPv6", UDP4, "src/64", "10.0.0.1" },
	{ "IPv6, prefixes", UDP6, "src/17,dst/127",
	  "2001:db8::1,2001:db8::2/127" },
	{ "UDP", UDP4, "flow", "10.0.0.1,10.0.0.2,udp,1234,53" },
	{ "UDP over IPv6", UDP6, "flow", "2001:db8::1,2001:db8::2,udp,1234,53" },
	{ "UDP, fields", UDP4, "ttl,dscp,ipid,frag,len,payload,iif",
	  "64,46,1,0,32,0x01020304,7" },
	{ "UDP over IPv6, fields", UDP6, "ttl,dscp,ipid,frag,len,payload",
	  "255,46,0,0,52,0x01020304" },
	{ "UDP, part of its payload", UDP4, "payload:3", "0x010203" },
	{ "UDP, padded", UDP4 "5555555555555555", "payload,len",
	  "0x01020304,32" },
	{ "UDP, no TCP", UDP4, "tcpseq", NULL },
	{ "TCP", MACS IP4("0028", "0001", "4000", "06") TCP,
	  "sport,dport,tcpseq,payload", "1234,80,101,0x" },
	{ "TCP with options and payload",
	  MACS IP4("002e", "0001", "4000", "06")
	  "04d2 0050 00000065 00000000 6010 ffff abcd 0000 01010101 aabb ",
	  "flow", "10.0.0.1,10.0.0.2,tcp,1234,80" },
	{ "TCP with options and payload",
	  MACS IP4("002e", "0001", "4000", "06")
	  "04d2 0050 00000065 00000000 6010 ffff abcd 0000 01010101 aabb ",
	  "payload", "0xaabb" },
	{ "TCP with an offset beyond its end",
	  MACS IP4("0028", "0001", "4000", "06")
	  "04d2 0050 00000065 00000000 f010 ffff abcd 0000 ",
	  "payload", NULL },
	{ "TCP with an offset inside its header",
	  MACS IP4("0028", "0001", "4000", "06")
	  "04d2 0050 00000065 00000000 4010 ffff abcd 0000 ",
	  "payload", NULL },
	{ "SCTP", MACS IP4("0024", "0001", "4000", "84") SCTP,
	  "proto,sport,dport,payload", "sctp,1234,80,0x03000010" },
	{ "DCCP", MACS IP4("0024", "0001", "4000", "21")
	  "04d2 0050 0400 0000 00000000 00000000 ",
	  "proto,sport,dport,payload", "dccp,1234,80,0x" },
	{ "ICMP: an id is no port",
	  MACS IP4("0020", "0001", "4000", "01") ICMP, "flow", NULL },
	{ "ICMP: all of it is payload",
	  MACS IP4("0020", "0001", "4000", "01") ICMP, "proto,payload",
	  "icmp,0x080011110001000261626364" },
	{ "ICMPv6: no checksum", MACS IP6("000c", "3a") ICMP6,
	  "proto,payload", "icmpv6,0x800000000001000261626364" },
	{ "ESP", MACS IP4("0020", "0001", "4000", "32") UDP, "flow", NULL },
	{ "ESP", MACS IP4("0020", "0001", "4000", "32") UDP, "proto", "esp" },
	{ "AH", MACS IP6("0018", "33") "1104 0000 00000001 00000001 " UDP,
	  "flow", NULL },
	{ "AH", MACS IP6("0018", "33") "1104 0000 00000001 00000001 " UDP,
	  "src,proto", "2001:db8::1,ah" },
	{ "ARP", MACS ARP, "flow", NULL },
	{ "ARP", MACS ARP, "host", NULL },
	{ "ARP", MACS ARP, "smac,dmac,vlan,ethertype,len",
	  "02:00:00:00:00:01,ff:ff:ff:ff:ff:ff,none,arp,28" },
	{ "ARP", MACS ARP, "payload:8", "0x0001080006040001" },
	{ "ARP for 200-byte addresses, short", MACS
	  "0806 0001 0800 c8 c8 0001 020000000001 0a000001", "len", "46" },
	{ "one tag", MACS TAG ARP, "vlan,ethertype", "100,arp" },
	{ "two tags", MACS STAG TAG ARP, "vlan,ethertype,len", "200,arp,28" },
	{ "eight tags", MACS TAG TAG TAG TAG TAG TAG TAG TAG ARP,
	  "vlan,ethertype", "100,arp" },
	{ "nine tags", MACS TAG TAG TAG TAG TAG TAG TAG TAG STAG ARP,
	  "vlan,ethertype", "100,0x88a8" },
	{ "half a tag", MACS "8100 00", "vlan", NULL },
	{ "tagged UDP", MACS TAG IP4("0020", "0001", "4000", "11") UDP, "flow",
	  "10.0.0.1,10.0.0.2,udp,1234,53" },
	{ "no Ethernet header", "ffffffffffff 0200000000", "dmac", NULL },
	{ "nothing but an Ethernet header", MACS "88b5", "ethertype,len",
	  "0x88b5,46" },
	{ "unknown, short", MACS "88b5 01", "payload:3,len", "0x010000,46" },
	{ "unknown, no IP", MACS "88b5 01", "src", NULL },
	{ "802.3", MACS "0003 424203", "ethertype,len", "3,46" },
	{ "first fragment", MACS IP4("0020", "0001", "2000", "11") UDP, "flow",
	  "10.0.0.1,10.0.0.2,udp,1234,53" },
	{ "first fragment", MACS IP4("0020", "0001", "2000", "11") UDP,
	  "ipid,frag", "1,0+" },
	{ "first fragment of 2 bytes", MACS IP4("0016", "0001", "2000", "11")
	  "04d2 ", "flow", NULL },
	{ "later fragment", MACS IP4("0020", "0001", "2001", "11") UDP, "flow",
	  NULL },
	{ "later fragment", MACS IP4("0020", "0001", "2001", "11") UDP,
	  "proto,frag,payload", "udp,8+,0x04d20035000cabcd01020304" },
	{ "last fragment", MACS IP4("0020", "0001", "1fff", "11") UDP, "frag",
	  "65528" },
	{ "IPv6, first fragment", MACS IP6("0014", "2c") "11" FRAG("0001") UDP,
	  "proto,sport,ipid,frag", "udp,1234,11259375,0+" },
	{ "IPv6, later fragment", MACS IP6("0014", "2c") "11" FRAG("05c8") UDP,
	  "flow", NULL },
	{ "IPv6, later fragment", MACS IP6("0014", "2c") "00" FRAG("05c8") UDP,
	  "proto,frag", "0,1480" },
	{ "IPv6, extension headers", MACS
	  IP6("0034", "00") "2b" HOP "3c" ROUTE "11" HOP UDP,
	  "flow", "2001:db8::1,2001:db8::2,udp,1234,53" },
	{ "IPv6, eight extension headers", MACS
	  IP6("004c", "00") "3c" HOP "3c" HOP "3c" HOP "3c" HOP "3c" HOP
	  "3c" HOP "3c" HOP "11" HOP UDP,
	  "proto,dport", "udp,53" },
	{ "IPv6, nine extension headers", MACS
	  IP6("0054", "00") "3c" HOP "3c" HOP "3c" HOP "3c" HOP "3c" HOP
	  "3c" HOP "3c" HOP "3c" HOP "11" HOP UDP,
	  "proto", NULL },
	{ "IPv6, nine extension headers", MACS
	  IP6("0054", "00") "3c" HOP "3c" HOP "3c" HOP "3c" HOP "3c" HOP
	  "3c" HOP "3c" HOP "3c" HOP "11" HOP UDP,
	  "src", "2001:db8::1" },
	{ "IPv6, half an extension header", MACS IP6("0004", "00") "1100 0104 ",
	  "proto", NULL },
	{ "IPv6, an extension header past its end", MACS
	  IP6("0008", "00") "1105 0104 00000000 ", "proto", NULL },
	{ "IPv6, no next header", MACS IP6("0000", "3b"), "proto,len",
	  "59,40" },
	{ "IPv6, jumbogram", MACS IP6("0000", "00") "11" HOP UDP, "len,dport",
	  "60,53" },
	{ "IPv4 that states too much",
	  MACS IP4("1000", "0001", "4000", "11") UDP, "len", "46" },
	{ "IPv4 that states too little",
	  MACS IP4("0010", "0001", "4000", "11") UDP, "len,dport", "46,53" },
	{ "IPv4 that ends before UDP",
	  MACS IP4("0014", "0001", "4000", "11") UDP, "sport", NULL },
	{ "IPv4, half a header", MACS "0800 4500 0020", "src", NULL },
	{ "IPv4, a header of 16 bytes",
	  MACS "0800 4400 0020 0001 4000 4011 1234 0a000001 0a000002", "src",
	  NULL },
	{ "IPv4 with options past its end",
	  MACS "0800 4f00 0014 0001 4000 4011 1234 0a000001 0a000002",
	  "src,dst", "10.0.0.1,10.0.0.2" },
	{ "IPv4 with options past its end",
	  MACS "0800 4f00 0014 0001 4000 4011 1234 0a000001 0a000002", "proto",
	  NULL },
	{ "IPv6 said to be IPv4", MACS
	  "0800 6b80 0020 0001 4000 4011 1234 0a000001 0a000002 " UDP, "src",
	  NULL },
	{ "bytes", UDP4, "bytes", NULL },
};

static void test_case(int i)
{
	struct seen_keyspec spec = spec_parse(cases[i].spec);
	char error[SEEN_KEY_ERROR_LEN] = "";
	u8 frame[FRAME_MAX], want[FLAT_MAX];
	struct seen_key_spec text;
	struct flat_key key;
	int len, bytes;
	bool has;

	len = frame_parse(cases[i].frame, frame, sizeof(frame));
	has = key_of(&spec, frame, len, &plain, &key);
	if (!cases[i].text) {
		ok(!has, "%s has no key %s", cases[i].what, cases[i].spec);
		return;
	}
	seen_key_spec_parse(&text, cases[i].spec, error);
	bytes = seen_key_parse(&text, cases[i].text, want, error);
	if (!ok(has && is_key(&key, want, bytes), "%s, key %s, is %s",
		cases[i].what, cases[i].spec, cases[i].text)) {
		char got[SEEN_KEY_TEXT_LEN(FLAT_MAX)] = "nothing";

		if (has)
			seen_key_format(&text, key.bytes, key.len, got,
					sizeof(got));
		note("%s, got %s", error, got);
	}
}

static void test_bare(void)
{
	const struct shape bare = { .linear = LINEAR, .bare = true };
	struct seen_keyspec flow = spec_parse("flow");
	struct seen_keyspec frame = spec_parse("frame");
	struct seen_keyspec vlan = spec_parse("vlan");
	struct flat_key key, want;
	u8 bytes[FRAME_MAX];
	int len;

	len = frame_parse(UDP4, bytes, sizeof(bytes));
	key_of(&flow, bytes, len, &plain, &want);
	ok(key_of(&flow, bytes, len, &bare, &key) &&
	   is_key(&key, want.bytes, want.len),
	   "without a MAC header: the same flow");
	ok(!key_of(&frame, bytes, len, &bare, &key) &&
	   !key_of(&vlan, bytes, len, &bare, &key),
	   "without a MAC header: no frame, no VLAN");
}

/* Headers of tunnels. */
#define PPPOE	"8864 1100 0001 0022 0021 "
#define IN_IP4	IP4("0034", "0001", "4000", "04")
#define IN_IP6	IP6("0020", "04")
#define BARE4	IN4("0020", "11")

/* @src: of the packet; @smac: it has one, its own. */
static const struct {
	const char *what;
	const char *frame;
	struct shape shape;
	const char *src;
	bool smac;
} places[] = {
	{ "a guard, where only the MAC header is set", UDP4,
	  { .no_net = true }, "10.0.0.1", true },
	{ "a guard, on the way in", UDP4,
	  { .net = 14 }, "10.0.0.1", true },
	{ "a guard, a packet looped back", UDP4,
	  { .net = 14, .mac = 14 }, "10.0.0.1", false },
	{ "a rule, on the way in", UDP4,
	  { .rule = true, .link = true, .net = 14 }, "10.0.0.1", true },
	{ "a rule, on the way out", UDP4,
	  { .rule = true, .net = 14 }, "10.0.0.1", false },
	{ "a rule, no MAC header", UDP4,
	  { .rule = true, .link = true, .net = 14, .bare = true }, "10.0.0.1",
	  false },
	{ "a rule, a packet looped back", UDP4,
	  { .rule = true, .link = true, .net = 14, .mac = 14 }, "10.0.0.1",
	  false },
	{ "a rule, a tag in the frame", MACS TAG UDP4_,
	  { .rule = true, .link = true, .net = 18, .type = ETH_P_IP },
	  "10.0.0.1", true },
	{ "a rule, a tag beside it", MACS TAG UDP4_,
	  { .rule = true, .link = true, .net = 14, .untagged = true },
	  "10.0.0.1", true },
	{ "a rule, IPv4 out of IPv4", MACS IN_IP4 BARE4 UDP,
	  { .rule = true, .link = true, .net = 34 }, "10.1.0.1", false },
	{ "a rule, IPv4 out of IPv6", MACS IN_IP6 BARE4 UDP,
	  { .rule = true, .link = true, .net = 54, .type = ETH_P_IP },
	  "10.1.0.1", false },
	{ "a rule, IPv4 out of PPPoE", MACS PPPOE BARE4 UDP,
	  { .rule = true, .link = true, .net = 22, .type = ETH_P_IP },
	  "10.1.0.1", false },
	{ "a rule, a MAC header that begins too late", UDP4,
	  { .rule = true, .link = true, .net = 14, .mac = 4 }, "10.0.0.1",
	  false },
};

static void test_place(int i)
{
	static const u8 smac[ETH_ALEN] = { 2, 0, 0, 0, 0, 1 };
	struct seen_keyspec host = spec_parse("src");
	struct seen_keyspec link = spec_parse("smac");
	struct shape shape = places[i].shape;
	u8 frame[FRAME_MAX], want[FLAT_MAX];
	char error[SEEN_KEY_ERROR_LEN] = "";
	struct seen_key_spec text;
	struct flat_key key;
	int len, bytes;

	shape.linear = LINEAR;
	len = frame_parse(places[i].frame, frame, sizeof(frame));
	seen_key_spec_parse(&text, "src", error);
	bytes = seen_key_parse(&text, places[i].src, want, error);
	ok(key_of(&host, frame, len, &shape, &key) &&
	   is_key(&key, want, bytes), "%s: src", places[i].what);
	ok(key_of(&link, frame, len, &shape, &key) == places[i].smac &&
	   (!places[i].smac || is_key(&key, smac, sizeof(smac))),
	   "%s: %s smac", places[i].what, places[i].smac ? "its" : "no");
}

int main(void)
{
	unsigned int i;

	test_begin(ARRAY_SIZE(cases) + 2 * ARRAY_SIZE(places) + 2 + 1);
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		test_case(i);
	for (i = 0; i < ARRAY_SIZE(places); i++)
		test_place(i);
	test_bare();
	ok(!disagreements, "each packet agrees with the bytes of its key");
	return test_end();
}
