// SPDX-License-Identifier: GPL-2.0
/* Keys as text: accepted texts, their bytes, and the text that these are printed as; errors. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../../tools/lib/key.h"

/* Room for the keys of all tests but the longest ones, and for their texts. */
#define SHORT_KEY	2048
#define SHORT_TEXT	SEEN_KEY_TEXT_LEN(SHORT_KEY)

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof(*(array)))

#define V4	"00000000000000000000ffff"
#define FE80_1	"fe800000000000000000000000000001"
#define FF02_FB	"ff0200000000000000000000000000fb"

/* @back: the text that the bytes become; NULL: @text itself. */
static const struct {
	const char *spec;
	const char *text;
	const char *key;
	const char *back;
} good[] = {
	{ "host", "10.0.0.1", V4 "0a000001", NULL },
	{ "host", "10.0.0.1/32", V4 "0a000001", "10.0.0.1" },
	{ "host", " 10.0.0.1\r\n", V4 "0a000001", "10.0.0.1" },
	{ "host", "::ffff:10.0.0.1", V4 "0a000001", "10.0.0.1" },
	{ "host", "2001:db8::1", "20010db8000000000000000000000001", NULL },
	{ "host", "2001:DB8::1/128", "20010db8000000000000000000000001",
	  "2001:db8::1" },
	{ "host", "::", "00000000000000000000000000000000", NULL },
	{ "src", "255.255.255.255", V4 "ffffffff", NULL },
	{ "src/128", "10.0.0.1", V4 "0a000001", NULL },
	{ "src/24", "10.0.0.77", V4 "0a000000", "10.0.0.0/24" },
	{ "src/24", "10.0.0.77/24", V4 "0a000000", "10.0.0.0/24" },
	{ "src/24", "2001:db8::1", "20010db8000000000000000000000001", NULL },
	{ "src/24/48", "10.0.0.77", V4 "0a000000", "10.0.0.0/24" },
	{ "src/24/48", "2001:db8:1:2::1/48",
	  "20010db8000100000000000000000000", "2001:db8:1::/48" },
	{ "src/32/29", "2001:dbf::1", "20010db8000000000000000000000000",
	  "2001:db8::/29" },
	{ "src/32/29", "10.0.0.77/32", V4 "0a00004d", "10.0.0.77" },
	{ "src/24", "::ffff:10.0.0.77", V4 "0a000000", "10.0.0.0/24" },
	{ "src/24", "::ffff:10.0.0.77/120", V4 "0a000000", "10.0.0.0/24" },
	{ "src/24/48", "::ffff:a00:4d/120", V4 "0a000000", "10.0.0.0/24" },
	{ "src", "::ffff:10.0.0.77/128", V4 "0a00004d", "10.0.0.77" },
	{ "src/*", "::ffff:10.2.3.4/112", V4 "0a02000070", "10.2.0.0/16" },
	{ "src/*", "::FFFF:a02:304/97", V4 "0000000061", "0.0.0.0/1" },
	{ "src/*", "::ffff:10.2.3.4", V4 "0a02030480", "10.2.3.4" },
	{ "src/*", "10.2.3.4/16", V4 "0a02000070", "10.2.0.0/16" },
	{ "src/*", "::fffe:10.2.3.4/64", "0000000000000000000000000000000040",
	  "::/64" },
	{ "host,inner", "10.0.0.1", V4 "0a000001", NULL },
	{ "src/1", "192.0.2.1", V4 "80000000", "128.0.0.0/1" },
	{ "src/1", "127.255.255.255/1", V4 "00000000", "0.0.0.0/1" },
	{ "src/64", "10.0.0.77", V4 "0a00004d", NULL },
	{ "src/48", "2001:db8:1:2::1", "20010db8000100000000000000000000",
	  "2001:db8:1::/48" },
	{ "src/64", "2001:db8:1:2:3::4/64",
	  "20010db8000100020000000000000000", "2001:db8:1:2::/64" },
	{ "src/127", "2001:db8::ff", "20010db80000000000000000000000fe",
	  "2001:db8::fe/127" },
	{ "dst/8,src/16", "10.1.2.3,10.1.2.3",
	  V4 "0a000000" V4 "0a010000", "10.0.0.0/8,10.1.0.0/16" },
	{ "flow", "10.0.0.1,10.0.0.2,tcp,1234,80",
	  V4 "0a000001" V4 "0a0000020604d20050", NULL },
	{ "flow", "10.0.0.1  10.0.0.2\t6 , 1234 0x50",
	  V4 "0a000001" V4 "0a0000020604d20050",
	  "10.0.0.1,10.0.0.2,tcp,1234,80" },
	{ "flow", "fe80::1,ff02::fb,udp,5353,5353",
	  FE80_1 FF02_FB "1114e914e9", NULL },
	{ "proto", "ipv6-icmp", "3a", "icmpv6" },
	{ "proto", "255", "ff", NULL },
	{ "smac,dmac", "02:00:00:00:00:01,FF-ff-ff-ff-ff-ff",
	  "020000000001ffffffffffff", "02:00:00:00:00:01,ff:ff:ff:ff:ff:ff" },
	{ "vlan", "none", "ffff", NULL },
	{ "vlan", "0", "0000", NULL },
	{ "vlan", "4095", "0fff", NULL },
	{ "ethertype", "arp", "0806", NULL },
	{ "ethertype", "0x86DD", "86dd", "ipv6" },
	{ "ethertype", "34525", "86dd", "ipv6" },
	{ "ethertype", "0x0842", "0842", NULL },
	{ "ttl,dscp", "255,63", "ff3f", NULL },
	{ "ipid", "4294967295", "ffffffff", NULL },
	{ "frag", "0", "0000", NULL },
	{ "frag", "0+", "0001", NULL },
	{ "frag", "1480+", "05c9", NULL },
	{ "frag", "65528", "fff8", NULL },
	{ "tcpseq,len,iif", "1,1500,4000000", "00000001000005dc003d0900", NULL },
	{ "iif", "lo", "00000001", "1" },
	{ "payload", "0x", "00000000", NULL },
	{ "payload", "0x0102", "000000020102", NULL },
	{ "payload:4", "0xdeadBEEF", "00000004deadbeef", "0xdeadbeef" },
	{ "payload:4,ttl", "0xde,9", "0900000001de", NULL },
	{ "src,sport,dport,payload:8,len", "10.0.0.1 53 5353 0x0102 30",
	  V4 "0a000001003514e90000001e000000020102",
	  "10.0.0.1,53,5353,0x0102,30" },
	{ "bytes", "hello, world", "68656c6c6f2c20776f726c64",
	  "0x68656c6c6f2c20776f726c64" },
	{ "bytes", " ", "20", "0x20" },
	{ "bytes", "0x00fF", "00ff", "0x00ff" },
	{ "bytes", "0X00", "30583030", "0x30583030" },
	{ "packet", "0x" V4 "0a000001" V4 "0a0000021100000007000000000001aa",
	  V4 "0a000001" V4 "0a0000021100000007000000000001aa", NULL },
	{ "frame", "0xffffffffffff020000000001ffff08060000002e00000000",
	  "ffffffffffff020000000001ffff08060000002e00000000", NULL },
	{ "frame,payload:2",
	  "0xffffffffffff020000000001ffff08060000002e000000020001",
	  "ffffffffffff020000000001ffff08060000002e000000020001", NULL },
};

#define HEAD	"0xffffffffffff020000000001ffff08060000002e"
#define STATES_ONE \
	"frame: the key has 0 bytes of payload, not the 1 that it states: "
#define TOO_LONG "frame: the key must have at most 25 bytes, of which 1 are payload"
#define LONG	"0001:0002:0003:0004:0005:0006:0007:0008:00000000000000"
#define DIGEST	"as text a key of this profile must be 0x and its bytes in hex digits: "
#define PREFIXES	"src: prefix lengths must be 1 to 32 for IPv4 and 1 to 128 " \
	"for IPv6, not "
#define NO_INNER	"inner: excludes frame, bytes and id: "
#define FULL	"smac,dmac,src,dst,proto,ttl,dscp,ipid,sport,dport,tcpseq," \
	"payload:448,len"
#define ALL	"smac,dmac,vlan,ethertype,src,dst,proto,ttl,dscp,ipid,frag," \
	"sport,dport,tcpseq,len,iif"

#define MAPPED	"src: prefix length of an IPv4-mapped address must be 96 or more: "

/* As many digits as the longest word of a field. */
#define ZEROS_51	"000000000000000000000000000000000000000000000000000"
#define ZEROS		ZEROS_51 ZEROS_51 ZEROS_51 ZEROS_51 ZEROS_51

static const struct {
	const char *spec;
	const char *text;
	const char *error;
} bad[] = {
	{ "dport", ZEROS "80", "dport: longer than any value: " ZEROS_51 "0000000000000..." },
	{ "host", "", "key: must have 1 field (src): " },
	{ "host", "10.0.0.1 10.0.0.2",
	  "key: must have 1 field (src): 10.0.0.1 10.0.0.2" },
	{ "host", "10.0.0.1,", "key: must have 1 field (src): 10.0.0.1," },
	{ "host", ",10.0.0.1", "key: must have 1 field (src): ,10.0.0.1" },
	{ "src/*", "10.0.0.0/8 ,", "key: must have 1 field (src/*): 10.0.0.0/8 ," },
	{ "dport", "80,", "key: must have 1 field (dport): 80," },
	{ "payload", "0x61,", "key: must have 1 field (payload): 0x61," },
	{ "host", "10.0.0", "src: not an IPv4 or IPv6 address: 10.0.0" },
	{ "host", "10.0.0.256",
	  "src: not an IPv4 or IPv6 address: 10.0.0.256" },
	{ "host", "1:2:3:4:5:6:7:8:9",
	  "src: not an IPv4 or IPv6 address: 1:2:3:4:5:6:7:8:9" },
	{ "host", LONG,
	  "src: not an IPv4 or IPv6 address: " LONG },
	{ "host", "example.org",
	  "src: not an IPv4 or IPv6 address: example.org" },
	{ "host", "10.0.0.0/24",
	  "src: the key is a whole address, not a prefix: 10.0.0.0/24" },
	{ "host", "10.0.0.1/33",
	  "src: prefix length must be 0 to 32: 10.0.0.1/33" },
	{ "host", "10.0.0.1/",
	  "src: prefix length must be 0 to 32: 10.0.0.1/" },
	{ "src/24", "10.0.0.0/16",
	  "src: the key's prefix length is 24: 10.0.0.0/16" },
	{ "src/64", "10.0.0.0/24",
	  "src: the key is a whole address, not a prefix: 10.0.0.0/24" },
	{ "src/24/48", "2001:db8::/32",
	  "src: the key's prefix length is 48: 2001:db8::/32" },
	{ "src/24", "2001:db8::/32",
	  "src: the key is a whole address, not a prefix: 2001:db8::/32" },
	{ "src", "::ffff:10.0.0.1/32", MAPPED "::ffff:10.0.0.1/32" },
	{ "src", "::ffff:10.0.0.0/120",
	  "src: the key is a whole address, not a prefix: ::ffff:10.0.0.0/120" },
	{ "src/24", "::ffff:10.0.0.0/24", MAPPED "::ffff:10.0.0.0/24" },
	{ "src/24", "::ffff:10.0.0.0/112",
	  "src: the key's prefix length is 120: ::ffff:10.0.0.0/112" },
	{ "src/24/48", "::ffff:a00:0/48", MAPPED "::ffff:a00:0/48" },
	{ "src/24", "::ffff:10.0.0.0/129",
	  "src: prefix length must be 96 to 128: ::ffff:10.0.0.0/129" },
	{ "src/*", "::ffff:10.0.0.0/16", MAPPED "::ffff:10.0.0.0/16" },
	{ "src/*", "::ffff:10.0.0.0/95", MAPPED "::ffff:10.0.0.0/95" },
	{ "src/*", "::ffff:0:0/96",
	  "src: prefix length must be 97 to 128: ::ffff:0:0/96" },
	{ "src/*", "::ffff:10.0.0.0/129",
	  "src: prefix length must be 97 to 128: ::ffff:10.0.0.0/129" },
	{ "src/*", "10.0.0.0/33",
	  "src: prefix length must be 1 to 32: 10.0.0.0/33" },
	{ "src/*", "2001:db8::/0",
	  "src: prefix length must be 1 to 128: 2001:db8::/0" },
	{ "src,inner", "10.0.0.1 10.0.0.2",
	  "key: must have 1 field (src): 10.0.0.1 10.0.0.2" },
	{ "src/24", "2001:db8::/129",
	  "src: prefix length must be 0 to 128: 2001:db8::/129" },
	{ "flow", "10.0.0.1,10.0.0.2,tcp,1234",
	  "key: must have 5 fields (src,dst,proto,sport,dport): 10.0.0.1,10.0.0.2,tcp,1234" },
	{ "flow", "10.0.0.1,10.0.0.2,tcp,1234,80,1",
	  "key: must have 5 fields (src,dst,proto,sport,dport): 10.0.0.1,10.0.0.2,tcp,1234,80,1" },
	{ "flow", "10.0.0.1,10.0.0.2,quic,1234,80",
	  "proto: must be 0 to 255 or a known name: quic" },
	{ "flow", "10.0.0.1,10.0.0.2,256,1234,80",
	  "proto: must be 0 to 255 or a known name: 256" },
	{ "flow", "10.0.0.1,10.0.0.2,tcp,65536,80",
	  "sport: must be 0 to 65535: 65536" },
	{ "flow", "10.0.0.1,10.0.0.2,tcp,-1,80",
	  "sport: must be 0 to 65535: -1" },
	{ "flow", "10.0.0.1,10.0.0.2,tcp,80,0x",
	  "dport: must be 0 to 65535: 0x" },
	{ "ttl", "12a", "ttl: must be 0 to 255: 12a" },
	{ "ttl", "99999999999999999999",
	  "ttl: must be 0 to 255: 99999999999999999999" },
	{ "dscp", "64", "dscp: must be 0 to 63: 64" },
	{ "vlan", "4096",
	  "vlan: must be 0 to 4095 or a known name: 4096" },
	{ "ethertype", "0x10000",
	  "ethertype: must be 0 to 65535 or a known name: 0x10000" },
	{ "ipid", "4294967296",
	  "ipid: must be 0 to 4294967295: 4294967296" },
	{ "iif", "none0", "iif: must be 0 to 4294967295: none0" },
	{ "frag", "7",
	  "frag: must be a multiple of 8 up to 65528, with + if more fragments follow: 7" },
	{ "frag", "8++",
	  "frag: must be a multiple of 8 up to 65528, with + if more fragments follow: 8++" },
	{ "frag", "+",
	  "frag: must be a multiple of 8 up to 65528, with + if more fragments follow: +" },
	{ "smac", "02:00:00:00:00",
	  "smac: not a MAC address: 02:00:00:00:00" },
	{ "smac", "02:00:00:00:00:01:02",
	  "smac: not a MAC address: 02:00:00:00:00:01:02" },
	{ "dmac", "02:00:00:00:00:0",
	  "dmac: not a MAC address: 02:00:00:00:00:0" },
	{ "dmac", "020000000001", "dmac: not a MAC address: 020000000001" },
	{ "payload:2", "0x010203",
	  "payload: must be 0x and two hex digits for each of at most 2 bytes: 0x010203" },
	{ "payload:2", "0x010",
	  "payload: must be 0x and two hex digits for each of at most 2 bytes: 0x010" },
	{ "payload:2", "text",
	  "payload: must be 0x and two hex digits for each of at most 2 bytes: text" },
	{ "bytes", "", "bytes: the key has 0 bytes, must have 1 to 512" },
	{ "bytes", "0x",
	  "bytes: must be 0x and two hex digits for each of 1 to 512 bytes: 0x" },
	{ "bytes", "0x0",
	  "bytes: must be 0x and two hex digits for each of 1 to 512 bytes: 0x0" },
	{ "bytes", "0xzz",
	  "bytes: must be 0x and two hex digits for each of 1 to 512 bytes: 0xzz" },
	{ "frame", "02:00:00:00:00:01",
	  "frame: " DIGEST "02:00:00:00:00:01" },
	{ "frame", "0x00",
	  "frame: must be 0x and two hex digits for each of 24 to 65024 bytes: 0x00" },
	{ "packet", "0x0",
	  "packet: must be 0x and two hex digits for each of 43 to 65043 bytes: 0x0" },
	{ "frame", HEAD "00000001", STATES_ONE HEAD "00000001" },
	{ "frame,payload:1", HEAD "000000020001", TOO_LONG },
};

/* @back: as in good[]. */
static const struct {
	const char *text;
	const char *back;
} good_specs[] = {
	{ "host", NULL },
	{ "flow", NULL },
	{ "frame", NULL },
	{ "packet", NULL },
	{ "bytes", NULL },
	{ "src", NULL },
	{ "src/24,dport", NULL },
	{ "src/128", "src" },
	{ "src/32", "src" },
	{ "src/32/128", "src" },
	{ "src/24/48,dst/64", NULL },
	{ "src/24/128", "src/24" },
	{ "src/32/48", "src/48" },
	{ "src/32/29", NULL },
	{ "packet,inner", NULL },
	{ "inner,flow", "flow,inner" },
	{ "flow,inner:14789", NULL },
	{ "inner:8472,payload:20,packet", "packet,payload:20,inner:8472" },
	{ "inner:65535:1:4789,flow", "flow,inner:1:4789:65535" },
	{ "src,inner:8472:4789", "src,inner" },
	{ "inner,src,dport", "src,dport,inner" },
	{ "src/24,inner,dport", "src/24,dport,inner" },
	{ "payload", NULL },
	{ "payload:65000", NULL },
	{ FULL, NULL },
	{ "frame,payload:256", NULL },
	{ "inner,packet,payload:20", "packet,payload:20,inner" },
	{ "payload:20,frame", "frame,payload:20" },
	{ "relay,inner,payload:20", "relay,payload:20,inner" },
	{ ALL, NULL },
};

#define WORDS \
	" (host, flow, frame, packet, bytes, relay, smac, dmac, vlan, ethertype, src, dst" \
	", proto, ttl, dscp, ipid, frag, sport, dport, tcpseq, payload, len, iif, id, inner)"

static const struct {
	const char *text;
	const char *error;
} bad_specs[] = {
	{ "", "unknown field or profile \"\"" WORDS },
	{ "source", "unknown field or profile \"source\"" WORDS },
	{ "src,", "unknown field or profile \"\"" WORDS },
	{ "src dst", "unknown field or profile \"src dst\"" WORDS },
	{ "scr", "unknown field or profile \"scr\", did you mean \"src\"?" },
	{ "dst,sprot", "unknown field or profile \"sprot\", did you mean \"sport\"?" },
	{ "ether", "unknown field or profile \"ether\", did you mean \"ethertype\"?" },
	{ "by", "unknown field or profile \"by\", did you mean \"bytes\"?" },
	{ "src-mca", "unknown field or profile \"src-mca\"" WORDS },
	{ "src,flow",
	  "flow: a profile must be first and without other fields; list the fields instead" },
	{ "src,src/24", "src: given twice" },
	{ "src,bytes", "bytes: must be the only field" },
	{ "bytes,src", "src: profile bytes takes no other field; list the fields instead" },
	{ "src/0", "src: prefix length must be 1 to 128, not 0" },
	{ "dst/129", "dst: prefix length must be 1 to 128, not 129" },
	{ "src/", "src: prefix length must be 1 to 128, not " },
	{ "src/00000241", "src: prefix length must be 1 to 128, not 00000241" },
	{ "src/24/0", PREFIXES "24/0" },
	{ "src/00000241/48", PREFIXES "00000241/48" },
	{ "src/33/48", PREFIXES "33/48" },
	{ "src/24/129", PREFIXES "24/129" },
	{ "src/24/48/64", PREFIXES "24/48/64" },
	{ "src/999999999", "src: prefix length must be 1 to 128, not 999999999" },
	{ "inner", "inner: requires a profile or fields" },
	{ "inner,inner,src", "inner: given twice" },
	{ "src,inner:", "inner: a UDP port of VXLAN must be 1 to 65535, not \"\"" },
	{ "src,inner:0", "inner: a UDP port of VXLAN must be 1 to 65535, not \"0\"" },
	{ "src,inner:65536", "inner: a UDP port of VXLAN must be 1 to 65535, not \"65536\"" },
	{ "src,inner:1:2:1", "inner: at most 4 ports of VXLAN, each given once" },
	{ "src,inner:1:2:3:4:5", "inner: at most 4 ports of VXLAN, each given once" },
	{ "src,inner,inner", "inner: given twice" },
	{ "inner,", "unknown field or profile \"\"" WORDS },
	{ "src,,inner", "unknown field or profile \"\"" WORDS },
	{ "inner/24,src", "unknown field or profile \"inner/24\"" WORDS },
	{ "frame,inner", NO_INNER "frame,inner" },
	{ "inner,bytes", NO_INNER "inner,bytes" },
	{ "inner,flow,src", "src: profile flow takes no other field; list the fields instead" },
	{ "flow,payload:4",
	  "payload:4: profile flow takes no other field; list the fields instead" },
	{ "frame,len",
	  "len: profile frame takes no other field but payload:N; list the fields instead" },
	{ "frame,payload",
	  "payload: profile frame takes no other field but payload:N; list the fields instead" },
	{ "frame,payload:1,payload:2", "payload: given twice" },
	{ "src:24", "src: takes /PREFIX, not :24" },
	{ "payload:0", "payload: must be 1 to 65000 bytes, not \"0\"; payload alone is all of it" },
	{ "payload:65001", "payload: must be 1 to 65000 bytes, not \"65001\"; payload alone is all of it" },
	{ "payload/64", "payload: takes :BYTES, not /64" },
	{ "ttl:1", "ttl: takes no parameter, not :1" },
	{ "bytes:8", "bytes: takes no parameter, not :8" },
	{ ALL ",payload:1",
	  "payload: a key has at most 16 fields" },
};

static unsigned int run, failed;

static void result(bool good, const char *what, const char *of,
		   const char *got, const char *want)
{
	printf("%sok %u - %s: %s\n", good ? "" : "not ", ++run, what, of);
	if (!good) {
		printf("# got  '%s'\n# want '%s'\n", got, want);
		failed++;
	}
}

static void check(const char *what, const char *of, const char *got,
		  const char *want)
{
	result(!strcmp(got, want), what, of, got, want);
}

static void to_hex(const unsigned char *key, int len, char *hex)
{
	int i;

	*hex = '\0';
	for (i = 0; i < len; i++)
		sprintf(hex + 2 * i, "%02x", key[i]);
}

/* Writes the canonical bytes to @hex in hex digits, or the error in the text. */
static int parse(const char *spec_text, const char *text,
		 struct seen_key_spec *spec, unsigned char *key, char *hex)
{
	int len;

	if (seen_key_spec_parse(spec, spec_text, hex))
		return -1;
	len = seen_key_parse(spec, text, key, hex);
	if (len >= 0)
		to_hex(key, len, hex);
	return len;
}

static void test_good(unsigned int i)
{
	char hex[SHORT_TEXT], back[SHORT_TEXT] = "";
	unsigned char key[SHORT_KEY];
	struct seen_key_spec spec;
	int len;

	len = parse(good[i].spec, good[i].text, &spec, key, hex);
	check(good[i].spec, good[i].text, hex, good[i].key);
	if (len >= 0)
		seen_key_format(&spec, key, len, back, sizeof(back));
	check("told back", good[i].text, back,
	      good[i].back ? good[i].back : good[i].text);
}

static void test_bad(unsigned int i)
{
	unsigned char key[SHORT_KEY];
	struct seen_key_spec spec;
	char hex[SHORT_TEXT];

	parse(bad[i].spec, bad[i].text, &spec, key, hex);
	check("refused", bad[i].text, hex, bad[i].error);
}

static void test_good_spec(unsigned int i)
{
	char text[SEEN_KEY_ERROR_LEN];
	struct seen_key_spec spec;

	if (!seen_key_spec_parse(&spec, good_specs[i].text, text))
		seen_key_spec_format(&spec, text);
	check("key", good_specs[i].text, text,
	      good_specs[i].back ? good_specs[i].back : good_specs[i].text);
}

static void test_bad_spec(unsigned int i)
{
	char error[SEEN_KEY_ERROR_LEN] = "";
	struct seen_key_spec spec;

	seen_key_spec_parse(&spec, bad_specs[i].text, error);
	check("key refused", bad_specs[i].text, error, bad_specs[i].error);
}

/* Fields that only a newer kernel has are printed as numbers. */
static void test_unknown(void)
{
	struct seen_key_spec spec = {
		.profile = 99, .count = 2,
		.field = { { SEEN_FIELD_SRC, 24 }, { 77, 5 } },
	};
	unsigned char key[SHORT_KEY] = { 1, 2, 3 };
	char text[SHORT_TEXT];

	seen_key_spec_format(&spec, text);
	check("unknown field", "told", text, "src/24,77/5");
	seen_key_format(&spec, key, 3, text, sizeof(text));
	check("unknown field", "bytes", text, "0x010203");
	seen_key_parse(&spec, "10.0.0.1,1", key, text);
	check("unknown field", "parsed", text,
	      "field 77: unknown to this version; update libseen");
}

/* A key in hex digits, there and back. */
static void test_long_hex(const char *spec_text, char *text, int digits,
			  int bytes)
{
	static char out[SEEN_KEY_TEXT_LEN(SEEN_KEY_MAX)];
	static unsigned char key[SEEN_KEY_MAX];
	struct seen_key_spec spec;
	char last = text[2 + digits];
	int len;

	text[2 + digits] = '\0';
	len = parse(spec_text, text, &spec, key, out);
	result(len == bytes, spec_text, "the longest in hex", out, text + 2);
	if (len < 0)
		len = 0;
	seen_key_format(&spec, key, len, out, sizeof(out));
	check("told back", "the longest in hex", out, text);
	text[2 + digits] = last;
}

/* The longest texts stay within their buffers: the sanitizers watch. */
static void test_long(void)
{
	static char text[3 * SEEN_KEY_MAX], out[SEEN_KEY_TEXT_LEN(SEEN_KEY_MAX)];
	static unsigned char key[SEEN_KEY_MAX];
	struct seen_key_spec spec;
	int len;

	memset(text, 'a', sizeof(text));
	text[2047] = '\0';
	len = parse("host", text, &spec, key, out);
	result(len < 0, "refused", "2,047 letters as an address", out, "");
	len = parse("bytes", text, &spec, key, out);
	check("refused", "2,047 letters as bytes", out,
	      "bytes: the key has 2047 bytes, must have 1 to 512");
	result(seen_key_spec_parse(&spec, text, out) < 0, "refused",
	       "2,047 letters as a key", out, "");
	text[2047] = 'a';

	memcpy(text, "0x", 2);
	test_long_hex("bytes", text, 2 * SEEN_BYTES_MAX, SEEN_BYTES_MAX);
	test_long_hex("payload:448", text, 2 * 448, 4 + 448);
	test_long_hex("payload", text, 2 * SEEN_PAYLOAD_MAX,
		      4 + SEEN_PAYLOAD_MAX);
	text[2 + 2 * (SEEN_PAYLOAD_MAX + 1)] = '\0';
	len = parse("payload", text, &spec, key, out);
	result(len < 0, "refused", "65,001 bytes of payload", out, "");
}

int main(void)
{
	unsigned int i;

	printf("TAP version 13\n1..%zu\n",
	       2 * ARRAY_SIZE(good) + ARRAY_SIZE(bad) + ARRAY_SIZE(good_specs) +
	       ARRAY_SIZE(bad_specs) + 13);
	for (i = 0; i < ARRAY_SIZE(good); i++)
		test_good(i);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		test_bad(i);
	for (i = 0; i < ARRAY_SIZE(good_specs); i++)
		test_good_spec(i);
	for (i = 0; i < ARRAY_SIZE(bad_specs); i++)
		test_bad_spec(i);
	test_unknown();
	test_long();
	return failed != 0;
}
