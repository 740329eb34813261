// SPDX-License-Identifier: GPL-2.0
/*
 * Explanations of keys: their bytes equal those of the kernel, the frame has these bytes at
 * the named offsets, and a missing field has a reason. Random frames show that no byte
 * beyond the frame is read (the sanitizers check that).
 */
#include "frames.h"
#include "skb.h"
#include "test.h"

#include "../../tools/lib/explain.h"

#define LINKS	"smac,dmac,vlan,ethertype,"

static struct seen_explanation explanation;
static u8 room[SEEN_EXPLAIN_ROOM(FRAME_MAX)];

/* The expected text for one field of a frame's key. */
static const struct {
	const char *frame;
	const char *spec;
	const char *field;
	int at;
	const char *text;
	const char *why;
} samples[] = {
	{ UDP4, "frame", "smac", 6, "02:00:00:00:00:01", "" },
	{ UDP4, "frame", "vlan", -1, "none", "there is no tag" },
	{ MACS TAG UDP4_, "frame", "vlan", 14, "100", "from the outermost tag" },
	{ MACS STAG TAG UDP4_, "frame", "ethertype", 20, "ipv4",
	  "inside all tags" },
	{ UDP4, "host", "src", 26, "10.0.0.1", "IPv4 as ::ffff:a.b.c.d" },
	{ UDP4, "dst/24/48", "dst", 30, "10.0.0.0/24",
	  "IPv4 as ::ffff:a.b.c.d, masked /24" },
	{ UDP6, "src/24/48", "src", 22, "2001:db8::/48", "IPv6, masked /48" },
	{ UDP6, "src/24", "src", 22, "2001:db8::1", "IPv6" },
	{ UDP4, "flow", "proto", 23, "udp", "" },
	{ UDP4, "flow", "dport", 36, "53", "" },
	{ UDP6, "flow", "proto", 20, "udp", "the last next header" },
	{ MACS IP6("0034", "00") "2b" HOP "3c" ROUTE "11" HOP UDP, "flow",
	  "proto", 86, "udp", "the last next header" },
	{ MACS IP6("0014", "2c") "11" FRAG("0009") UDP, "ipid,frag", "ipid", 58,
	  "11259375", "from the fragment header" },
	{ MACS IP6("0014", "2c") "11" FRAG("0009") UDP, "ipid,frag", "frag", 56,
	  "8+", "from the fragment header" },
	{ UDP6, "ipid", "ipid", -1, "0", "IPv6 without a fragment header" },
	{ UDP4, "ttl,dscp", "dscp", 15, "46", "six bits" },
	{ UDP4, "len", "len", 16, "32", "IPv4 total length" },
	{ UDP6, "len", "len", 18, "52", "IPv6 payload length plus 40" },
	{ MACS IP4("1000", "0001", "4000", "11") UDP, "len", "len", -1, "46",
	  "IPv4 total length is 4096, which is impossible; used instead: the captured bytes, "
	  "at least 46" },
	{ MACS IP6("0000", "00") "11" HOP UDP, "len", "len", -1, "60",
	  "the captured bytes, because a jumbogram has payload length 0" },
	{ MACS ARP, "len", "len", -1, "28", "from ARP's address lengths" },
	{ MACS "88b5 01", "len", "len", -1, "46", "the minimum that frames are padded to" },
	{ UDP4, "payload", "payload", 42, "....", "4 bytes; the key stores this number before them" },
	{ MACS IP4("0020", "0001", "4000", "01") ICMP, "payload:12", "payload",
	  34, "........abcd", "12 bytes; the key stores this number before them" },
	{ UDP4, "packet", "payload", 34, "...5........",
	  "12 bytes; the key stores this number before them; the checksum at 40 is treated as 0" },
	{ MACS "88b5 01", "payload:3", "payload", 14, "...",
	  "3 bytes; the key stores this number before them; bytes from 15 on are treated as 0" },
	{ UDP4, "iif", "iif", -1, "0",
	  "a capture does not name the input device" },
	{ MACS IP4("0034", "0001", "4000", "04") IN4("0020", "11") UDP,
	  "host,inner", "src", 46, "10.1.0.1", "IPv4 as ::ffff:a.b.c.d" },
	/* missing */
	{ MACS ARP, "host", "src", -1, NULL, "not IP" },
	{ MACS "0800 4500 0020", "host", "src", -1, NULL,
	  "the IP header is cut off or malformed" },
	{ MACS "0800 4f00 0014 0001 4000 4011 1234 0a000001 0a000002", "flow",
	  "proto", -1, NULL,
	  "the options of IPv4 go beyond the packet's end" },
	{ MACS IP6("0008", "00") "1105 0104 00000000 ", "proto", "proto", -1,
	  NULL, "the extension headers of IPv6 are cut off, or more than 8" },
	{ MACS IP4("0020", "0001", "2001", "11") UDP, "flow", "sport", -1, NULL,
	  "a later fragment has no ports" },
	{ MACS IP4("0020", "0001", "4000", "32") UDP, "flow", "sport", -1, NULL,
	  "protocol esp has no ports" },
	{ MACS IP4("0016", "0001", "4000", "11") "04d2 ", "flow", "dport", -1,
	  NULL, "the transport header is cut off" },
	{ UDP4, "tcpseq", "tcpseq", -1, NULL, "not TCP" },
	{ MACS IP4("0028", "0001", "4000", "06")
	  "04d2 0050 00000065 00000000 4010 ffff abcd 0000 ", "payload",
	  "payload", -1, NULL,
	  "the transport header is cut off or malformed" },
	{ UDP4, "bytes", "bytes", -1, NULL,
	  "only programs can supply this field; no packet has it" },
	/* without a key, whatever the fields */
	{ MACS "8100 00", "vlan", NULL, -1, NULL,
	  "the packet ends within its link-layer header or VLAN tags" },
	{ MACS IP4("0034", "0001", "2000", "04") IN4("0020", "11") UDP,
	  "host,inner", NULL, -1, NULL,
	  "a fragment of a tunnel, or of UDP that may be a tunnel" },
	{ MACS IP4("0018", "0001", "4000", "04") "4500 0020 ", "host,inner",
	  NULL, -1, NULL,
	  "the IP header in the tunnel is cut off or malformed" },
	{ MACS IP4("001c", "0001", "4000", "2f") "2000 0800 0000", "host,inner",
	  NULL, -1, NULL, "the tunnel's header is cut off or malformed" },
	{ MACS IP4("0052", "0001", "4000", "2f") ERSPAN2("100a0401")
	  INMACS "0800" IN4("0020", "11") UDP, "host,inner", NULL, -1, NULL,
	  "ERSPAN says that the switch has cut the packet" },
	{ MACS "8847 00064140 88b50102 00000000000000000000000000000000 ", "len,inner",
	  NULL, -1, NULL, "the type of the tunnel's payload is unknown" },
	{ MACS "8847 00064040 ", "len,inner", NULL, -1, NULL,
	  "the tunnel's header is cut off or malformed" },
	{ MACS IP4("0084", "0001", "4000", "04") IN4("0070", "04")
	  IN4("005c", "04") IN4("0048", "04") IN4("0034", "04")
	  IN4("0020", "11") UDP, "src,inner", NULL, -1, NULL,
	  "there are more than 4 tunnels in each other" },
};

/* In memory of exactly its size. */
static void explain(const char *spec_text, const u8 *bytes, int len,
		    bool ethernet)
{
	u8 *exact = malloc(len + !len);
	struct seen_frame frame = {
		.bytes = exact, .captured = len, .len = len,
		.ethernet = ethernet,
		.type = ethernet ? 0 : ETH_P_IP,
	};
	char error[SEEN_KEY_ERROR_LEN];
	struct seen_key_spec spec;

	if (!exact || seen_key_spec_parse(&spec, spec_text, error))
		abort();
	memcpy(exact, bytes, len);
	seen_explain(&spec, &frame, &explanation, room);
	free(exact);
}

static const struct seen_part *find_part(const char *name)
{
	unsigned int i;

	for (i = 0; i < explanation.parts; i++)
		if (!strcmp(explanation.part[i].name, name))
			return &explanation.part[i];
	return NULL;
}

static bool is_said(int i)
{
	const struct seen_part *part;

	if (!samples[i].field)
		return !explanation.len && !explanation.parts &&
		       !strcmp(explanation.why, samples[i].why);
	part = find_part(samples[i].field);
	return part->at == samples[i].at && !strcmp(part->why, samples[i].why) &&
	       !part->len == !samples[i].text &&
	       (!part->len || !strcmp(part->text, samples[i].text));
}

static void test_case(int i)
{
	u8 frame[FRAME_MAX];
	int len = frame_parse(samples[i].frame, frame, sizeof(frame));
	const char *field = samples[i].field ? samples[i].field : "no key";
	const char *why = *samples[i].why ? samples[i].why : samples[i].text;

	explain(samples[i].spec, frame, len, true);
	ok(is_said(i), "%s, %s: %s", samples[i].spec, field, why);
}

static const struct {
	const char *frame;
	const char *names;
	const char *shut;
} openings[] = {
	{ UDP4, "", NULL },
	{ MACS IP4("0034", "0001", "4000", "04") IN4("0020", "11") UDP, "ip-in-ip ", NULL },
	{ MACS IP4("003c", "0001", "4000", "2f") "0000 8847 00064140 " IN4("0020", "11") UDP,
	  "gre mpls ", NULL },
	{ MACS IP4("0046", "0001", "4000", "2f") "0000 88be " INMACS "0800" IN4("0020", "11") UDP,
	  "erspan-1 ", NULL },
	{ MACS IP4("0052", "0001", "4000", "2f") ERSPAN2("100a0001")
	  INMACS "0800" IN4("0020", "11") UDP, "erspan-2 ", NULL },
	{ MACS IP4("0056", "0001", "4000", "2f") ERSPAN3("200a0001", "00000000")
	  INMACS "0800" IN4("0020", "11") UDP,
	  "erspan-3 ", NULL },
	{ MACS IP4("0052", "0001", "4000", "11") VXLAN("003e") INMACS
	  "0800" IN4("0020", "11") UDP, "vxlan ", NULL },
	{ MACS IP4("0044", "0001", "4000", "11") GENEVE("0000 0800", "0030")
	  IN4("0020", "11") UDP, "geneve ", NULL },
	{ MACS IP4("0044", "0001", "4000", "11") GTPU("30ff 0020", "0030")
	  IN4("0020", "11") UDP, "gtp-u ", NULL },
	{ MACS "8864 1100 0001 0022 0021 " IN4("0020", "11") UDP "0000 ", "pppoe ", NULL },
	{ MACS "8864 1100 0001 000a c021 0900 0008 00000001 ", "",
	  "PPPoE carries neither IP nor MPLS" },
	{ MACS IP4("0024", "0001", "4000", "2f") "3001 880b 00040001 00000001 ff030021 ", "",
	  "GRE of another version than 0 is not opened" },
	{ MACS IP4("0018", "0001", "4000", "2f") "0000 0000 ", "",
	  "GRE carries neither IP, Ethernet, ERSPAN nor MPLS" },
	{ MACS IP4("0048", "0001", "4000", "2f") ERSPAN3("200a0001", "00000400")
	  IN4("0020", "11") UDP, "",
	  "ERSPAN III carries neither Ethernet nor IP" },
	{ MACS IP4("0044", "0001", "4000", "11") GENEVE("4000 0800", "0030")
	  IN4("0020", "11") UDP, "", "Geneve of another version than 0 is not opened" },
	{ MACS IP4("0024", "0001", "4000", "11") GENEVE("0000 894f", "0010"), "",
	  "Geneve carries neither IP nor Ethernet" },
	{ MACS IP4("0024", "0001", "4000", "11") GTPU("3001 0000", "0010"), "",
	  "this message of GTP-U carries no packet" },
	{ MACS IP4("0052", "0001", "4000", "11")
	  "8000 12b5 003e 0000 00000000 00002a00 " INMACS "0800" IN4("0020", "11") UDP, "",
	  "VXLAN without a VNI is not opened" },
	{ MACS "8847 00064140 10000021 000000000000000000000000000000 ", "",
	  "an associated channel of MPLS carries no packet" },
};

static void test_opening(int i)
{
	char names[100] = "";
	u8 frame[FRAME_MAX];
	int len = frame_parse(openings[i].frame, frame, sizeof(frame));
	unsigned int k;

	explain("len,inner", frame, len, true);
	for (k = 0; k < explanation.tunnels; k++) {
		strcat(names, explanation.tunnel[k]);
		strcat(names, " ");
	}
	ok(!strcmp(names, openings[i].names) &&
	   (openings[i].shut ? explanation.shut &&
			       !strcmp(explanation.shut, openings[i].shut)
			     : !explanation.shut),
	   "tunnels: %s%s", names, openings[i].shut ? openings[i].shut : "");
}

/*
 * The parts are the key, and the payload is its end; or one is missing, or none is
 * there, with a reason.
 */
static bool adds_up(void)
{
	const u8 *end = explanation.key + explanation.len;
	bool missing = !explanation.parts;
	size_t sum = 0, at = 0;
	unsigned int i;

	if (!explanation.parts != !!*explanation.why)
		return false;
	for (i = 0; i < explanation.parts; i++) {
		const struct seen_part *part = &explanation.part[i];

		missing = missing || !part->len;
		if (!part->len && !*part->why)
			return false;
		sum += part->len;
		if (!strcmp(part->name, "payload")) {
			if (explanation.len && part->bytes + part->len != end)
				return false;
			continue;
		}
		if (explanation.len && part->bytes != explanation.key + at)
			return false;
		at += part->len;
	}
	return explanation.len == (missing ? 0 : sum);
}

/* As the test's own way to a key has it. */
static bool is_kernels(const char *text, const u8 *frame, int len)
{
	struct seen_keyspec spec = spec_parse(text);
	struct flat_key key;

	if (!key_of(&spec, frame, len, &plain, &key))
		return !explanation.len;
	return is_key(&key, explanation.key, explanation.len);
}

static void test_random(void)
{
	static const char *const texts[] = {
		"frame", "packet", "packet,inner", "flow,inner",
		LINKS "src/24/48,proto,ttl,dscp,ipid,frag,len,payload",
		"src,tcpseq,payload:448,inner",
	};
	static const u8 protocols[] = { 4, 6, 17, 41, 47, 50, 132 };
	static const u8 nexts[] = { 0, 4, 6, 17, 41, 43, 44, 47, 60 };
	u64 i, rounds = scale(100000);
	bool good = true;
	u8 frame[200];

	for (i = 0; i < rounds && good; i++) {
		const char *text = texts[random_below(ARRAY_SIZE(texts))];
		bool v4 = random_below(2);
		unsigned int at;
		int len;

		for (at = 0; at < sizeof(frame); at++)
			frame[at] = random_below(3) ? random64() : 0;
		memcpy(frame + 12, v4 ? "\x08\x00\x45" : "\x86\xdd\x60", 3);
		if (v4)
			memset(frame + 20, 0, 2);
		frame[v4 ? 23 : 20] = v4 ?
			protocols[random_below(ARRAY_SIZE(protocols))] :
			nexts[random_below(ARRAY_SIZE(nexts))];
		frame[34] = random_below(2) ? 0x45 : 0;
		len = random_below(sizeof(frame) + 1);
		explain(text, frame, len, true);
		good = adds_up() && is_kernels(text, frame, len);
		explain(text, frame, len, false);
		good = good && adds_up();
	}
	ok(good, "%llu random frames: the fields are the key",
	   (unsigned long long)rounds);
}

static const char *const whole[] = {
	UDP4, UDP6, MACS ARP, MACS TAG UDP4_, MACS "88b5 0102030405",
	MACS IP4("0028", "0001", "4000", "06") TCP,
	MACS IP4("0024", "0001", "4000", "84") SCTP,
	MACS IP6("0034", "00") "2b" HOP "3c" ROUTE "11" HOP UDP,
	MACS IP4("0020", "0001", "2001", "11") UDP,
	MACS IP4("0034", "0001", "4000", "04") IN4("0020", "11") UDP,
	MACS IP4("0056", "0001", "4000", "2f") ERSPAN3("200a0001", "00000000")
	INMACS "0800" IN4("0020", "11") UDP,
	MACS IP4("0054", "0001", "4000", "11") GTPU("34ff 0030", "0040")
	"00000085 01100985 02100900 00000000 " IN4("0020", "11") UDP,
	MACS "8847 00064140 00000000 " INMACS "0800" IN4("0020", "11") UDP,
	MACS "8847 00064140 " IN6("000c", "11") UDP,
	MACS "8864 1100 0001 0022 0021 " IN4("0020", "11") UDP "0000 ",
};

/* Of @captured bytes the whole key, or none; and a reason that says so. */
static bool is_same_or_cut(const struct seen_key_spec *spec, const u8 *bytes,
			   int len, int captured)
{
	struct flat_key all = {}, some = {};
	struct seen_frame frame = {
		.bytes = bytes, .captured = len, .len = len, .ethernet = true,
	};
	struct sk_buff skb;
	struct seen_key key;
	u8 *exact = malloc(captured + !captured);
	int of_all, result;

	of_all = seen_frame_key(spec, &frame, &skb, &key);
	if (!of_all && !flatten(&key, &all))
		disagreements++;
	memcpy(exact, bytes, captured);
	frame.bytes = exact;
	frame.captured = captured;
	result = seen_frame_key(spec, &frame, &skb, &key);
	if (!result && !flatten(&key, &some))
		disagreements++;
	seen_explain(spec, &frame, &explanation, room);
	free(exact);
	if (result)
		return !explanation.len &&
		       (result == SEEN_FRAME_CUT || result == of_all);
	return !of_all && is_key(&some, all.bytes, all.len) &&
	       is_key(&some, explanation.key, explanation.len);
}

static void test_cut(void)
{
	static const char *const texts[] = {
		"frame", "packet", "relay", "smac", "smac,len", "smac,payload",
		"smac,payload:4", "frame,payload:1", "packet,payload:20", "src",
		"flow", "tcpseq", "ttl,frag,ipid", "packet,inner", "src,inner",
		"len,payload:2,inner",
	};
	char error[SEEN_KEY_ERROR_LEN];
	struct seen_key_spec spec;
	u8 frame[FRAME_MAX];
	bool good = true;
	unsigned int i, k;
	int len, captured;

	for (i = 0; i < ARRAY_SIZE(whole); i++) {
		len = frame_parse(whole[i], frame, sizeof(frame));
		for (k = 0; k < ARRAY_SIZE(texts); k++) {
			seen_key_spec_parse(&spec, texts[k], error);
			for (captured = 0; captured <= len; captured++) {
				if (is_same_or_cut(&spec, frame, len, captured))
					continue;
				note("%s, %d bytes of %s", texts[k], captured,
				     whole[i]);
				good = false;
			}
		}
	}
	ok(good, "a frame that is cut off anywhere has its own key, or none");
}

int main(void)
{
	unsigned int i;

	test_begin(ARRAY_SIZE(samples) + ARRAY_SIZE(openings) + 2 + 1);
	for (i = 0; i < ARRAY_SIZE(samples); i++)
		test_case(i);
	for (i = 0; i < ARRAY_SIZE(openings); i++)
		test_opening(i);
	test_random();
	test_cut();
	ok(!disagreements, "each packet agrees with the bytes of its key");
	return test_end();
}
