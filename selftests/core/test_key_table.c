// SPDX-License-Identifier: GPL-2.0
/*
 * The special cases of Documentation/keys.md, row by row. The first columns are equal; a
 * static test checks that.
 */
#include "frames.h"
#include "skb.h"
#include "test.h"

#include "../../tools/lib/key.h"

#define ZERO15	"000000000000000000000000000000"
/* The padding of UDP4 to 60 bytes, then a trail: filter, nonce, flags, hops, length. */
#define PADDING14	"0000000000000000000000000000"
#define TRAIL	"01000000000000000000000000000080 3412 10 03 4600 88b6 "
#define ESP	"00000101 00000007 "		/* SPI, sequence */
#define AH	"1104 0000 00000001 00000001 00000000 00000000 00000000 "
/* MACS and IP4() in one. */
#define MACS_IP4(len, frag, proto) \
	"ffffffffffff 020000000001 0800 45b8 " len " 0001 " frag " 40 " proto \
	" 1234 0a000001 0a000002 "
#define OPTIONS4(proto) \
	"ffffffffffff 020000000001 0800 4700 0028 0001 4000 40 " proto \
	" 1234 0a000001 0a000002 94040000 01010101 "
/* Addresses, protocol, id, fragment, length, 16 bytes without the CRC. */
#define SCTP_KEY \
	"0x00000000000000000000ffff0a000001" \
	"00000000000000000000ffff0a000002" \
	"8400000001000000000010" \
	"04d20050000000010000000003000010"
#define MAPPED	"00000000000000000000ffff0a000001 "

/* @text: what libseen is given; NULL: the frame has no such key. */
static const struct {
	const char *row;
	const char *frame;
	const char *spec;
	const char *text;
} rows[] = {
	{ "any packet", UDP4, "bytes", NULL },
	{ "any packet", UDP4, "id", NULL },
	{ "any packet", UDP4, "src,id", NULL },
	{ "IPv4", UDP4, "host", "10.0.0.1" },
	{ "IPv4", UDP4, "src/24/48,dst/31/64", "10.0.0.0/24,10.0.0.2/31" },
	{ "IPv4", UDP4, "src/48", "10.0.0.1" },
	{ "IPv4", UDP4, "src/24", "10.0.0.0/24" },
	{ "IPv6", UDP6, "host", "2001:db8::1" },
	{ "IPv6", UDP6, "src/24/48,dst/31/64", "2001:db8::/48,2001:db8::/64" },
	{ "IPv6", UDP6, "src/48", "2001:db8::/48" },
	{ "IPv6", UDP6, "src/24", "2001:db8::1" },
	{ "IPv6", UDP6, "src/32/20", "2001:000::/20" },
	{ "IPv4-mapped", MACS "86dd 60000000 000c 11 ff " MAPPED MAPPED UDP,
	  "host", "10.0.0.1" },
	{ "IPv4-mapped", MACS "86dd 60000000 000c 11 ff " MAPPED MAPPED UDP,
	  "src/24/48", "10.0.0.0/24" },
	{ "IPv4 options", OPTIONS4("11")
	  UDP, "flow", "10.0.0.1,10.0.0.2,udp,1234,53" },
	{ "IPv4 options", OPTIONS4("11")
	  UDP, "payload,len", "0x01020304,40" },
	{ "IPv6 extension headers", MACS
	  IP6("0034", "00") "2b" HOP "3c" ROUTE "11" HOP UDP,
	  "flow", "2001:db8::1,2001:db8::2,udp,1234,53" },
	{ "IPv6 extension headers", MACS
	  IP6("0034", "00") "2b" HOP "3c" ROUTE "11" HOP UDP,
	  "ipid,frag,payload,len", "0,0,0x01020304,92" },
	{ "ESP", MACS IP4("0020", "0001", "4000", "32") ESP "deadbeef",
	  "proto,payload", "esp,0x0000010100000007deadbeef" },
	{ "ESP", MACS IP6("000c", "32") ESP "deadbeef", "flow", NULL },
	{ "ESP", MACS IP6("000c", "32") ESP "deadbeef", "host,inner",
	  "2001:db8::1" },
	{ "AH", MACS IP4("0038", "0001", "4000", "33") AH UDP, "flow", NULL },
	{ "AH", MACS IP4("0038", "0001", "4000", "33") AH UDP,
	  "src,proto,payload:4", "10.0.0.1,ah,0x11040000" },
	{ "AH", MACS IP6("0024", "33") AH UDP, "src,proto,payload:4",
	  "2001:db8::1,ah,0x11040000" },
	{ "ICMP", MACS IP4("0020", "0001", "4000", "01") ICMP, "flow", NULL },
	{ "ICMP", MACS IP4("0020", "0001", "4000", "01") ICMP,
	  "proto,payload", "icmp,0x080011110001000261626364" },
	{ "ICMPv6", MACS IP6("000c", "3a") ICMP6, "flow", NULL },
	{ "ICMPv6", MACS IP6("000c", "3a") ICMP6, "proto,payload",
	  "icmpv6,0x800000000001000261626364" },
	{ "SCTP", MACS IP4("0024", "0001", "4000", "84") SCTP,
	  "proto,sport,dport,payload", "sctp,1234,80,0x03000010" },
	{ "SCTP", MACS IP4("0024", "0001", "4000", "84") SCTP, "packet",
	  SCTP_KEY },
	{ "DCCP", MACS IP4("0024", "0001", "4000", "21")
	  "04d2 0050 0400 abcd 00000000 00000000 ",
	  "proto,sport,dport,payload", "dccp,1234,80,0x" },
	{ "DCCP", MACS IP4("0024", "0001", "4000", "21")
	  "04d2 0050 0200 abcd 00000000 00000000 ",
	  "payload", NULL },
	{ "UDP-Lite", MACS IP4("0020", "0001", "4000", "88") UDP,
	  "proto,sport,dport,payload", "udplite,1234,53,0x01020304" },
	{ "other protocols", MACS IP4("0020", "0001", "4000", "70") UDP,
	  "sport", NULL },
	{ "other protocols", MACS IP4("0020", "0001", "4000", "70") UDP,
	  "proto,payload", "vrrp,0x04d20035000cabcd01020304" },
	{ "first fragment", MACS IP4("0020", "0001", "2000", "11") UDP,
	  "flow", "10.0.0.1,10.0.0.2,udp,1234,53" },
	{ "first fragment", MACS IP6("0014", "2c") "11" FRAG("0001") UDP,
	  "proto,sport,ipid,frag", "udp,1234,11259375,0+" },
	{ "first fragment", MACS IP4("0016", "0001", "2000", "11") "04d2 ",
	  "sport", NULL },
	{ "later fragment", MACS IP4("0020", "0001", "2001", "11") UDP,
	  "flow", NULL },
	{ "later fragment", MACS IP4("0020", "0001", "2001", "11") UDP,
	  "proto,ipid,frag,payload", "udp,1,8+,0x04d20035000cabcd01020304" },
	{ "later fragment", MACS IP6("0014", "2c") "11" FRAG("05c8") UDP,
	  "proto,ipid,frag", "udp,11259375,1480" },
	{ "header cut off", MACS "0800 4500 0020", "src", NULL },
	{ "header cut off", MACS IP4("0028", "0001", "4000", "06")
	  "04d2 0050 0000", "sport,dport", "1234,80" },
	{ "header cut off", MACS IP4("0028", "0001", "4000", "06")
	  "04d2 0050 0000", "payload", NULL },
	{ "header cut off", MACS IP6("0008", "00") "1105 0104 00000000 ",
	  "proto", NULL },
	{ "header cut off", MACS IP6("0008", "00") "1105 0104 00000000 ",
	  "src,ttl,dscp", "2001:db8::1,255,46" },
	{ "header cut off", MACS
	  "0800 4f00 0014 0001 4000 4011 1234 0a000001 0a000002",
	  "src,ttl,dscp", "10.0.0.1,64,0" },
	{ "header cut off", MACS
	  "0800 4f00 0014 0001 4000 4011 1234 0a000001 0a000002", "ipid",
	  NULL },
	{ "header cut off", "ffffffffffff 0200000000", "len", NULL },
	{ "header cut off", MACS "8100 00", "vlan", NULL },
	{ "impossible length", MACS IP4("1000", "0001", "4000", "11") UDP,
	  "len", "46" },
	{ "impossible length", MACS IP4("0010", "0001", "4000", "11") UDP,
	  "len,dport", "46,53" },
	{ "jumbogram", MACS IP6("0000", "00") "11" HOP UDP, "len,dport",
	  "60,53" },
	{ "padding", UDP4 "5555555555555555", "payload,len",
	  "0x01020304,32" },
	{ "padding", MACS ARP "555555555555", "len", "28" },
	{ "trail", UDP4 PADDING14 TRAIL, "payload,len", "0x01020304,32" },
	{ "not IP", MACS ARP, "src", NULL },
	{ "not IP", MACS ARP, "proto", NULL },
	{ "not IP", MACS ARP, "ethertype,payload:8,len",
	  "arp,0x0001080006040001,28" },
	{ "not IP", MACS "88b5 01", "payload:3,len", "0x010000,46" },
	{ "802.3", MACS "0003 424203", "ethertype,payload:4,len",
	  "3,0x42420300,46" },
	{ "802.3", MACS "0003 424203 5555", "ethertype,payload:5,len",
	  "3,0x4242030000,46" },
	{ "802.3", MACS "0030 424203" ZERO15 ZERO15 ZERO15 "deadbeef",
	  "payload:4,len", "0x42420300,48" },
	{ "VLAN", MACS TAG UDP4_, "vlan,ethertype,src", "100,ipv4,10.0.0.1" },
	{ "VLAN", UDP4, "vlan", "none" },
	{ "QinQ", MACS STAG TAG UDP4_, "vlan,ethertype,dport", "200,ipv4,53" },
	{ "no tunnel", UDP4, "flow,inner", "10.0.0.1,10.0.0.2,udp,1234,53" },
	{ "no tunnel", MACS ARP, "len,inner", "28" },
	{ "IP in IP", MACS_IP4("0034", "4000", "04") IN4("0020", "11") UDP,
	  "flow", NULL },
	{ "IP in IP", MACS_IP4("0034", "4000", "04") IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "IP in IP", MACS_IP4("0034", "4000", "04") IN4("0020", "11") UDP,
	  "ttl,dscp,ipid,frag,len,payload,inner", "63,0,7,0,32,0x01020304" },
	{ "IP in IP", MACS IP4("0048", "0001", "4000", "29")
	  IN6("000c", "11") UDP, "flow,inner",
	  "2001:db8:1::1,2001:db8:1::2,udp,1234,53" },
	{ "IP in IP", MACS IP4("0048", "0001", "4000", "29")
	  IN6("000c", "11") UDP, "ipid,frag,len,inner", "0,0,52" },
	{ "IP in IP", MACS IP6("0020", "04") IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "IP in IP", MACS IP6("0034", "29") IN6("000c", "11") UDP,
	  "flow,inner", "2001:db8:1::1,2001:db8:1::2,udp,1234,53" },
	{ "IP in IP", MACS IP6("0028", "3c") "04" HOP IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "GRE", MACS_IP4("0038", "4000", "2f") "0000 0800 " IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "GRE", MACS_IP4("004c", "4000", "2f") "0000 86dd " IN6("000c", "11") UDP,
	  "flow,inner", "2001:db8:1::1,2001:db8:1::2,udp,1234,53" },
	{ "GRE", MACS_IP4("0044", "4000", "2f") "b000 0800 ffff0000 00000007 00000001 "
	  IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "GRE", MACS IP6("0028", "2f") "2000 0800 00000007 "
	  IN4("0020", "11") UDP, "host,inner", "10.1.0.1" },
	{ "GRE with Ethernet", MACS_IP4("0046", "4000", "2f") "0000 6558 " INMACS
	  "0800" IN4("0020", "11") UDP, "host,inner", "10.1.0.1" },
	{ "GRE with Ethernet", MACS_IP4("004e", "4000", "2f") "0000 6558 " INMACS STAG TAG
	  "0800" IN4("0020", "11") UDP, "src,len,inner", "10.1.0.1,32" },
	{ "GRE with Ethernet", MACS_IP4("0042", "4000", "2f") "0000 6558 " INMACS ARP,
	  "len,inner", "28" },
	{ "VXLAN", MACS_IP4("0052", "4000", "11") VXLAN("003e") INMACS "0800" IN4("0020", "11") UDP,
	  "flow", "10.0.0.1,10.0.0.2,udp,32768,4789" },
	{ "VXLAN", MACS_IP4("0052", "4000", "11") VXLAN("003e") INMACS "0800" IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "VXLAN", MACS IP6("0042", "11") VXLAN("0042") INMACS TAG
	  "0800" IN4("0020", "11") UDP, "flow,inner",
	  "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "VXLAN", MACS_IP4("004e", "4000", "11") VXLAN("003a") INMACS ARP, "host,inner", NULL },
	{ "VXLAN", MACS_IP4("004e", "4000", "11") VXLAN("003a") INMACS ARP, "len,inner", "28" },
	{ "VXLAN", MACS_IP4("0052", "4000", "11") VXLAN("003e") INMACS
	  "0800" IN4("0020", "01") ICMP, "sport,inner", NULL },
	{ "VXLAN", MACS_IP4("0052", "4000", "11") VXLAN_TO("2118", "003e") INMACS
	  "0800" IN4("0020", "11") UDP, "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "VXLAN", MACS_IP4("0052", "4000", "11") VXLAN_TO("39c5", "003e") INMACS
	  "0800" IN4("0020", "11") UDP, "src,dport,inner", "10.0.0.1,14789" },
	{ "VXLAN", MACS_IP4("0052", "4000", "11") VXLAN_TO("39c5", "003e") INMACS
	  "0800" IN4("0020", "11") UDP, "flow,inner:14789:4789",
	  "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "VXLAN", MACS_IP4("0052", "4000", "11") VXLAN_TO("2118", "003e") INMACS
	  "0800" IN4("0020", "11") UDP, "src,dport,inner:4789", "10.0.0.1,8472" },
	{ "VXLAN without a VNI", MACS IP4("0052", "0001", "4000", "11")
	  "8000 12b5 003e 0000 00000000 00002a00 " INMACS
	  "0800" IN4("0020", "11") UDP, "src,dport,inner",
	  "10.0.0.1,4789" },
	{ "ERSPAN", MACS_IP4("0046", "4000", "2f") "0000 88be " INMACS "0800" IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "ERSPAN", MACS_IP4("0052", "4000", "2f") ERSPAN2("100a0001")
	  INMACS "0800" IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "ERSPAN", MACS_IP4("005a", "4000", "2f") ERSPAN2("100a0001")
	  INMACS STAG TAG "0800" IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "ERSPAN", MACS_IP4("0056", "4000", "2f") ERSPAN3("200a0001", "00000000")
	  INMACS "0800" IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "ERSPAN", MACS_IP4("005e", "4000", "2f") ERSPAN3("200a0001", "00000001 0000000000000000")
	  INMACS "0800" IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "ERSPAN", MACS_IP4("0048", "4000", "2f") ERSPAN3("200a0001", "00000800")
	  IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "ERSPAN", MACS_IP4("0048", "4000", "2f") ERSPAN3("200a0001", "00000400")
	  IN4("0020", "11") UDP, "src,inner", "10.0.0.1" },
	{ "ERSPAN of a cut packet", MACS_IP4("0052", "4000", "2f") ERSPAN2("100a0401")
	  INMACS "0800" IN4("0020", "11") UDP, "host,inner", NULL },
	{ "ERSPAN of a cut packet", MACS_IP4("0056", "4000", "2f") ERSPAN3("200a0401", "00000000")
	  INMACS "0800" IN4("0020", "11") UDP,
	  "host,inner", NULL },
	{ "Geneve", MACS_IP4("0052", "4000", "11") GENEVE("0000 6558", "003e") INMACS
	  "0800" IN4("0020", "11") UDP, "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "Geneve", MACS_IP4("005a", "4000", "11") GENEVE("0240 6558", "0046")
	  "0102 8001 00000000 " INMACS "0800" IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "Geneve", MACS_IP4("0044", "4000", "11") GENEVE("0000 0800", "0030")
	  IN4("0020", "11") UDP, "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "Geneve", MACS_IP4("0044", "4000", "11") GENEVE("4000 0800", "0030")
	  IN4("0020", "11") UDP, "src,inner", "10.0.0.1" },
	{ "GTP-U", MACS_IP4("0044", "4000", "11") GTPU("30ff 0020", "0030") IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "GTP-U", MACS_IP4("0048", "4000", "11") GTPU("32ff 0024", "0034") "00010000 "
	  IN4("0020", "11") UDP, "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "GTP-U", MACS_IP4("0054", "4000", "11") GTPU("34ff 0030", "0040")
	  "00000085 01100985 02100900 00000000 " IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "GTP-U", MACS_IP4("0058", "4000", "11") GTPU("30ff 0034", "0044") IN6("000c", "11") UDP,
	  "flow,inner", "2001:db8:1::1,2001:db8:1::2,udp,1234,53" },
	{ "GTP-U", MACS_IP4("0024", "4000", "11") GTPU("3001 0000", "0010"),
	  "src,inner", "10.0.0.1" },
	{ "MPLS", MACS "8847 00064140 " IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "MPLS", MACS TAG "8847 00064040 000c8140 " IN6("000c", "11") UDP,
	  "flow,inner", "2001:db8:1::1,2001:db8:1::2,udp,1234,53" },
	{ "MPLS", MACS "8847 00064140 " INMACS "0800" IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "MPLS", MACS "8847 00064140 00000000 " INMACS "0800" IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "MPLS", MACS "8847 00064140 600000000002 600000000001 0800" IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "MPLS", MACS_IP4("003c", "4000", "2f") "0000 8847 00064140 " IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "MPLS", MACS "8847 00064140 10000021 " ZERO15, "len,inner", "46" },
	{ "MPLS of unknown content", MACS "8847 00064140 88b50102 " ZERO15,
	  "len,inner", NULL },
	{ "MPLS of unknown content", MACS "8847 00064140 " IN4("0021", "11") UDP,
	  "len,inner", NULL },
	{ "PPPoE", MACS "8864 1100 0001 0022 0021 " IN4("0020", "11") UDP "0000 ",
	  "src,dport,len,payload,inner", "10.1.0.1,53,32,0x01020304" },
	{ "PPPoE", MACS TAG "8864 1100 0001 0035 57 " IN6("000c", "11") UDP,
	  "flow,inner", "2001:db8:1::1,2001:db8:1::2,udp,1234,53" },
	{ "PPPoE", MACS "8864 1100 0001 000a c021 0900 0008 00000001 ",
	  "ethertype,inner", "0x8864" },
	{ "tunnels in tunnels", MACS_IP4("0066", "4000", "04") IN4("0052", "11")
	  VXLAN("003e") INMACS "0800" IN4("0020", "11") UDP,
	  "flow,inner", "10.1.0.1,10.1.0.2,udp,1234,53" },
	{ "tunnels in tunnels", MACS_IP4("0070", "4000", "04") IN4("005c", "04")
	  IN4("0048", "04") IN4("0034", "04") IN4("0020", "11") UDP,
	  "dport,inner", "53" },
	{ "tunnels in tunnels", MACS_IP4("0084", "4000", "04") IN4("0070", "04")
	  IN4("005c", "04") IN4("0048", "04") IN4("0034", "04")
	  IN4("0020", "11") UDP, "src,inner", NULL },
	{ "fragment of a tunnel", MACS_IP4("0034", "2000", "04") IN4("0020", "11") UDP,
	  "host,inner", NULL },
	{ "fragment of a tunnel", MACS_IP4("0034", "0002", "04") IN4("0020", "11") UDP,
	  "host,inner", NULL },
	{ "fragment of a tunnel", MACS_IP4("0034", "2000", "04") IN4("0020", "11") UDP,
	  "host", "10.0.0.1" },
	{ "fragment of a tunnel", MACS IP4("0052", "0001", "2000", "11")
	  VXLAN("003e") INMACS "0800" IN4("0020", "11") UDP, "host,inner",
	  NULL },
	{ "fragment of a tunnel", MACS IP6("002c", "2c") "2f" FRAG("0001")
	  "0000 0800 " IN4("0020", "11") UDP, "host,inner", NULL },
	{ "fragment of UDP", MACS IP4("0020", "0001", "2000", "11") UDP,
	  "src,dport,inner", "10.0.0.1,53" },
	{ "fragment of UDP", MACS IP4("0020", "0001", "2001", "11") UDP,
	  "host,inner", NULL },
	{ "fragment of UDP", MACS IP4("0020", "0001", "2001", "06") UDP,
	  "host,inner", "10.0.0.1" },
	{ "fragment in a tunnel", MACS_IP4("0034", "4000", "04")
	  "4500 0020 0007 2001 3f 06 4321 0a010001 0a010002 " UDP,
	  "src,frag,inner", "10.1.0.1,8+" },
	{ "tunnel cut off", MACS_IP4("0018", "4000", "04") "4500 0020 ", "host,inner",
	  NULL },
	{ "tunnel cut off", MACS_IP4("0034", "4000", "04") IN6("000c", "11"),
	  "host,inner", NULL },
	{ "tunnel cut off", MACS_IP4("001c", "4000", "2f") "2000 0800 0000", "host,inner", NULL },
	{ "tunnel cut off", MACS_IP4("001c", "4000", "2f") "2000 0000 0000",
	  "host,inner", NULL },
	{ "tunnel cut off", MACS_IP4("0016", "4000", "2f") "2000 ", "host,inner", NULL },
	{ "tunnel cut off", MACS_IP4("0038", "4000", "2f") "4000 0800 " IN4("0020", "11") UDP,
	  "host,inner", NULL },
	{ "tunnel cut off", MACS_IP4("0024", "4000", "2f") "0000 6558 " INMACS, "host,inner",
	  NULL },
	{ "tunnel cut off", MACS_IP4("0020", "4000", "11") VXLAN("000c"), "host,inner", NULL },
	{ "tunnel cut off", MACS_IP4("0030", "4000", "11") VXLAN("001c") INMACS, "host,inner",
	  NULL },
	{ "tunnel cut off", MACS_IP4("0034", "4000", "11") VXLAN("0020") INMACS "8100 00",
	  "host,inner", NULL },
	{ "tunnel cut off", MACS IP6("0008", "00") "1105 0104 00000000 ",
	  "host,inner", NULL },
	{ "tunnel cut off", MACS "8847 00064040 ", "len,inner", NULL },
	{ "tunnel cut off", MACS "8847 00064140 ", "len,inner", NULL },
	{ "tunnel cut off", MACS "8864 1100 0001 0023 0021 " IN4("0020", "11") UDP,
	  "len,inner", NULL },
	{ "tunnel cut off", MACS "8864 1100 0001 0000 0021 " IN4("0020", "11") UDP,
	  "len,inner", NULL },
	{ "tunnel cut off", MACS "8864 2100 0001 0022 0021 " IN4("0020", "11") UDP,
	  "len,inner", NULL },
	{ "tunnel cut off", MACS_IP4("0024", "4000", "11") GENEVE("0100 6558", "0010"),
	  "host,inner", NULL },
	{ "tunnel cut off", MACS_IP4("0044", "4000", "11") GTPU("30ff 0021", "0030")
	  IN4("0020", "11") UDP, "host,inner", NULL },
	{ "tunnel cut off", MACS_IP4("0030", "4000", "11") GTPU("34ff 000c", "001c")
	  "00000085 00000085 00000000 ", "host,inner", NULL },
	{ "tunnel cut off", MACS_IP4("0044", "4000", "11") GTPU("30ff 0020", "0030")
	  "0000 0020 0007 4000 3f 11 4321 0a010001 0a010002 " UDP, "host,inner", NULL },
	{ "tunnel cut off", MACS_IP4("0022", "4000", "2f") "1000 88be 00000007 100a 0001 0000 ",
	  "host,inner", NULL },
	{ "tunnel cut off", MACS_IP4("0052", "4000", "2f") ERSPAN2("200a0001")
	  INMACS "0800" IN4("0020", "11") UDP, "host,inner", NULL },
	{ "tunnel cut off", MACS_IP4("0056", "4000", "2f") ERSPAN3("100a0001", "00000000")
	  INMACS "0800" IN4("0020", "11") UDP,
	  "host,inner", NULL },
	{ "other tunnels", MACS_IP4("0024", "4000", "2f")
	  "3001 880b 00040001 00000001 ff030021 ", "src,proto,inner", "10.0.0.1,gre" },
	{ "other tunnels", MACS_IP4("0018", "4000", "2f") "0000 0000 ", "src,proto,inner",
	  "10.0.0.1,gre" },
	{ "other tunnels", MACS IP4("0024", "0001", "4000", "11") GENEVE("0000 894f", "0010"),
	  "src,dport,inner", "10.0.0.1,6081" },
	{ "other tunnels", MACS IP4("0020", "0001", "4000", "11")
	  "8000 06a5 000c 0000 02000001 ", "src,dport,inner", "10.0.0.1,1701" },
	{ "link layer", MACS TAG IP4("0052", "0001", "4000", "11")
	  VXLAN("003e") INMACS "0800" IN4("0020", "11") UDP,
	  "smac,vlan,ethertype,src,inner",
	  "02:00:00:00:00:01,100,ipv4,10.1.0.1" },
	{ "link layer", MACS IP4("0048", "0001", "4000", "29")
	  IN6("000c", "11") UDP, "ethertype,src,inner",
	  "ipv4,2001:db8:1::1" },
};

static void test_case(int i)
{
	struct seen_keyspec spec = spec_parse(rows[i].spec);
	char error[SEEN_KEY_ERROR_LEN] = "";
	u8 frame[FRAME_MAX], want[FLAT_MAX];
	const char *told = rows[i].text ? rows[i].text : "no key";
	struct seen_key_spec text;
	struct flat_key key;
	int len, bytes = -1;
	bool has, good;

	len = frame_parse(rows[i].frame, frame, sizeof(frame));
	has = key_of(&spec, frame, len, &plain, &key);
	if (rows[i].text) {
		seen_key_spec_parse(&text, rows[i].spec, error);
		bytes = seen_key_parse(&text, rows[i].text, want, error);
	}
	good = has == !!rows[i].text &&
	       (!has || is_key(&key, want, bytes)) &&
	       same_key(&spec, frame, len);
	if (!ok(good, "%s: %s: %s", rows[i].row, rows[i].spec, told)) {
		char got[SEEN_KEY_TEXT_LEN(FLAT_MAX)] = "nothing";

		if (has)
			seen_key_format(&text, key.bytes, key.len, got,
					sizeof(got));
		note("%s, got %s", error, got);
	}
}

static bool equal(const char *spec_text, const char *a, const char *b)
{
	struct seen_keyspec spec = spec_parse(spec_text);
	struct flat_key of_a, of_b;
	u8 frame[FRAME_MAX];
	int len;

	len = frame_parse(a, frame, sizeof(frame));
	if (!key_of(&spec, frame, len, &plain, &of_a))
		return false;
	len = frame_parse(b, frame, sizeof(frame));
	return key_of(&spec, frame, len, &plain, &of_b) &&
	       is_key(&of_b, of_a.bytes, of_a.len);
}

/* One packet in many tunnels is one packet; a tunnel's two are two. */
static void test_ways(void)
{
	static const char bare[] = MACS "0800" IN4("0020", "11") UDP;
	static const char *const ways[] = {
		MACS_IP4("0034", "4000", "04") IN4("0020", "11") UDP,
		MACS_IP4("0044", "4000", "2f") "b000 0800 ffff0000 00000007 00000001 "
		IN4("0020", "11") UDP,
		MACS_IP4("0052", "4000", "11") VXLAN("003e") INMACS "0800" IN4("0020", "11") UDP,
		MACS STAG IP6("0042", "11") VXLAN("0042") INMACS TAG
		"0800" IN4("0020", "11") UDP,
		MACS_IP4("0052", "4000", "2f") ERSPAN2("100a0001")
		INMACS "0800" IN4("0020", "11") UDP,
		MACS_IP4("0052", "4000", "2f") ERSPAN2("100a0002")
		INMACS "0800" IN4("0020", "11") UDP,
		MACS "8847 00064140 " IN4("0020", "11") UDP,
		MACS "8847 000c8040 00064140 00000000 " INMACS "0800" IN4("0020", "11") UDP,
		MACS "8864 1100 0001 0022 0021 " IN4("0020", "11") UDP "0000 ",
		MACS_IP4("0044", "4000", "11") GTPU("30ff 0020", "0030") IN4("0020", "11") UDP,
	};
	bool same = true;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ways); i++)
		same = same && equal("packet,inner", bare, ways[i]) &&
		       !equal("packet", bare, ways[i]);
	ok(same, "packet,inner: one key without, and in each tunnel");
	ok(!equal("packet,inner", bare,
		  MACS_IP4("0034", "4000", "04") IN4("0020", "11")
		  "04d2 0035 000c 0000 01020305"),
	   "packet,inner: another payload, another key");
}

/* Checksums of the innermost transport are no part of the key. */
static void test_checks(void)
{
	ok(equal("packet,inner", MACS_IP4("0034", "4000", "04") IN4("0020", "11") UDP,
		 MACS_IP4("0034", "4000", "04") IN4("0020", "11")
		 "04d2 0035 000c 0000 01020304 "),
	   "packet,inner: no checksum of UDP in a tunnel");
	ok(equal("packet,inner",
		 MACS_IP4("0056", "4000", "11") VXLAN("0042") INMACS "0800" IN4("0024", "84") SCTP,
		 MACS_IP4("0056", "4000", "11") VXLAN("0042") INMACS "0800" IN4("0024", "84")
		 "04d2 0050 00000001 00000000 0300 0010 "),
	   "packet,inner: no checksum of SCTP in a tunnel");
	ok(!equal("packet",
		  MACS_IP4("0056", "4000", "11") VXLAN("0042") INMACS "0800" IN4("0024", "84") SCTP,
		  MACS_IP4("0056", "4000", "11") VXLAN("0042") INMACS "0800" IN4("0024", "84")
		  "04d2 0050 00000001 00000000 0300 0010 "),
	   "packet: SCTP's in a tunnel is");
}

int main(void)
{
	unsigned int i;

	test_begin(ARRAY_SIZE(rows) + 2 + 3 + 1);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		test_case(i);
	test_ways();
	test_checks();
	ok(!disagreements, "each packet agrees with the bytes of its key");
	return test_end();
}
