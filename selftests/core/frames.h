/* SPDX-License-Identifier: GPL-2.0 */
/* Headers as hex digits, from which tests build frames. */
#ifndef SEEN_TEST_FRAMES_H
#define SEEN_TEST_FRAMES_H

#define FRAME_MAX	2048

#define MACS	"ffffffffffff 020000000001 "
#define TAG	"8100 6064 "			/* priority 3, VID 100 */
#define STAG	"88a8 00c8 "			/* VID 200 */

#define ARP	"0806 0001 0800 06 04 0001 020000000001 0a000001 " \
		"000000000000 0a000002 "
#define IP4(len, id, frag, proto) \
	"0800 45b8 " len " " id " " frag " 40 " proto " 1234 " \
	"0a000001 0a000002 "
#define IP6(len, next) \
	"86dd 6b800000 " len " " next " ff " \
	"20010db8000000000000000000000001 " \
	"20010db8000000000000000000000002 "
#define UDP	"04d2 0035 000c abcd 01020304 "
#define TCP	"04d2 0050 00000065 00000000 5010 ffff abcd 0000 "
#define SCTP	"04d2 0050 00000001 deadbeef 0300 0010 "
#define ICMP	"0800 1111 0001 0002 61626364 "
#define ICMP6	"8000 2222 0001 0002 61626364 "
/* Extension headers, past their first byte, the type of the next header. */
#define HOP	"00 0104 00000000 "
#define ROUTE	"02 0001 00000000 20010db8000000000000000000000003 "
#define FRAG(off)	"00 " off " 00abcdef "

/* What tunnels carry: other addresses, no ethertype before them. */
#define IN4(len, proto) \
	"4500 " len " 0007 4000 3f " proto " 4321 0a010001 0a010002 "
#define IN6(len, next) \
	"60000000 " len " " next " 3f " \
	"20010db8000100000000000000000001 " \
	"20010db8000100000000000000000002 "
#define INMACS	"020000000009 020000000008 "
/* A UDP header of so many bytes, and VXLAN's behind it. */
#define VXLAN_TO(port, len) \
	"8000 " port " " len " 0000 08000000 00002a00 "
#define VXLAN(len)	VXLAN_TO("12b5", len)
/* GRE, and ERSPAN of type II and III behind it. */
#define ERSPAN2(first)	"1000 88be 00000007 " first " 00000000 "
#define ERSPAN3(first, last) \
	"1000 22eb 00000007 " first " 00000000 " last " "
/* The same of Geneve, of whose header the first four bytes are given, and of GTP-U. */
#define GENEVE(first, len)	"8000 17c1 " len " 0000 " first " 00002a00 "
#define GTPU(first, len)	"0868 0868 " len " 0000 " first " 00000007 "

#define UDP4_ \
	"0800 45b8 0020 0001 4000 40 11 1234 0a000001 0a000002 " UDP
#define UDP4	"ffffffffffff 020000000001 " UDP4_
#define UDP6	"ffffffffffff 020000000001 " IP6("000c", "11") UDP

#endif
