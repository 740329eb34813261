// SPDX-License-Identifier: GPL-2.0
/*
 * A frame and its copy with a trail have one key, whatever its fields; explanations name the
 * trail. Only bytes behind the length that a packet states can be a trail.
 */
#include "frames.h"
#include "skb.h"
#include "test.h"
#include "trail.h"

#include "../../tools/lib/explain.h"

#define FORMATS		4
#define ZEROS		"00000000000000000000"

/* Packets that state their length. */
static const struct {
	const char *what;
	const char *packet;
} packets[] = {
	{ "UDP", UDP4_ },
	{ "TCP", IP4("0028", "0001", "4000", "06") TCP },
	{ "SCTP", IP4("0024", "0001", "4000", "84") SCTP },
	{ "a later fragment", IP4("0020", "0001", "2001", "11") UDP },
	{ "UDP over IPv6", IP6("000c", "11") UDP },
	{ "IPv6 with extension headers", IP6("0034", "00") "2b" HOP "3c" ROUTE "11" HOP UDP },
	{ "ARP", ARP },
	{ "RARP", "8035 0001 0800 06 04 0003 020000000001 00000000 020000000001 00000000 " },
	{ "802.3 with LLC", "0005 4242030102 " },
	{ "802.3 with LLC, 53 bytes",
	  "0035 424203 " ZEROS ZEROS ZEROS ZEROS ZEROS },
};

static const char *const tags[] = { "", TAG, STAG TAG };

static const char *const texts[] = {
	"host", "flow", "frame", "packet", "relay", "len", "payload", "packet,inner",
	"smac,dmac,vlan,ethertype,payload:448,len",
	"src/24,dst/24,proto,ttl,dscp,ipid,frag,payload:16,len,iif",
};

static struct seen_explanation explanation;
static u8 room[SEEN_EXPLAIN_ROOM(FRAME_MAX)];

static struct seen_trail_domain domain_of(u32 format)
{
	return (struct seen_trail_domain) {
		.secret = { { 1, 2 } }, .wide = format & 1, .sign = format & 2,
	};
}

static struct seen_trail random_trail(void)
{
	return (struct seen_trail) {
		.filter = { random64(), random64(), random64(), random64() },
		.nonce = random64(), .hops = random64(), .strike = random64() & 1,
	};
}

/* Append a trail, as a node does. Return: the frame's new length. */
static int trail_append(u8 *frame, int len, int net, u32 format, const struct seen_trail *trail)
{
	struct seen_trail_domain domain = domain_of(format);
	int bytes = seen_trail_bytes(&domain);

	for (; len < ETH_ZLEN; len++)
		frame[len] = 0;
	seen_trail_write(&domain, frame, trail, len + bytes - net, frame + len);
	return len + bytes;
}

/* Return: length of the frame; @net: out: offset of its network header. */
static int frame_make(u8 *frame, const char *tag, const char *packet, int *net)
{
	int len = frame_parse(MACS, frame, FRAME_MAX);

	len += frame_parse(tag, frame + len, FRAME_MAX - len);
	*net = len + 2;
	return len + frame_parse(packet, frame + len, FRAME_MAX - len);
}

/* --- keys ------------------------------------------------------------------------- */

static bool is_ignored(const char *text, const u8 *frame, int len, const u8 *other, int longer)
{
	struct seen_keyspec spec = spec_parse(text);
	struct flat_key a, b;
	bool has = key_of(&spec, frame, len, &plain, &a);

	if (key_of(&spec, other, longer, &plain, &b) != has ||
	    (has && !is_key(&b, a.bytes, a.len))) {
		note("key %s", text);
		return false;
	}
	return true;
}

static bool all_ignored(const u8 *frame, int len, int net)
{
	struct seen_trail trail = random_trail();
	u8 other[FRAME_MAX];
	u32 format, i;
	int longer;

	for (format = 0; format < FORMATS; format++) {
		memcpy(other, frame, len);
		longer = trail_append(other, len, net, format, &trail);
		for (i = 0; i < ARRAY_SIZE(texts); i++)
			if (!is_ignored(texts[i], frame, len, other, longer))
				return false;
	}
	return true;
}

static bool shapes_agree(const u8 *frame, int len, int net)
{
	struct seen_keyspec spec = spec_parse("frame");
	struct seen_trail trail = random_trail();
	u8 other[FRAME_MAX];

	memcpy(other, frame, len);
	return same_key(&spec, other, trail_append(other, len, net, 0, &trail));
}

static void test_keys(u32 i)
{
	u8 frame[FRAME_MAX];
	bool good = true;
	int len, net;
	u32 k;

	for (k = 0; k < ARRAY_SIZE(tags); k++) {
		len = frame_make(frame, tags[k], packets[i].packet, &net);
		good = good && all_ignored(frame, len, net) && shapes_agree(frame, len, net);
	}
	ok(good, "%s: no key has the trail", packets[i].what);
}

/* The trail of a frame in a tunnel. */
static void test_tunnel(void)
{
	static const char *const inner[] = { "packet,inner", "flow,inner", "len,inner" };
	struct seen_trail trail = random_trail();
	u8 frame[FRAME_MAX], other[FRAME_MAX];
	int len, longer, outer;
	bool good = true;
	u32 i;

	len = frame_parse(MACS IP4("0052", "0001", "4000", "11") VXLAN("003e")
			  INMACS "0800" IN4("0020", "11") UDP, frame, sizeof(frame));
	outer = frame_parse(MACS IP4("0078", "0001", "4000", "11") VXLAN("0064"), other,
			    sizeof(other));
	memcpy(other + outer, frame + outer, len - outer);
	longer = outer + trail_append(other + outer, len - outer, ETH_HLEN, 0, &trail);
	for (i = 0; i < ARRAY_SIZE(inner); i++)
		good = good && is_ignored(inner[i], frame, len, other, longer);
	ok(good, "VXLAN: no key of the inner packet has the trail of the inner frame");
}

/* No node appends a trail to it. */
static void test_unknown(void)
{
	struct seen_keyspec spec = spec_parse("frame");
	struct seen_trail trail = random_trail();
	u8 frame[FRAME_MAX], other[FRAME_MAX];
	struct flat_key a, b;
	int len, net, longer;

	len = frame_make(frame, "", "88b5 0102030405", &net);
	memcpy(other, frame, len);
	longer = trail_append(other, len, net, 0, &trail);
	ok(key_of(&spec, frame, len, &plain, &a) && key_of(&spec, other, longer, &plain, &b) &&
	   !is_key(&b, a.bytes, a.len), "a packet without a stated length: all is payload");
}

/* --- explanations ----------------------------------------------------------------- */

/* In memory of exactly @captured bytes. */
static const struct seen_trail_part *explain(const u8 *bytes, int captured, int len, u16 type)
{
	struct seen_frame frame = {
		.captured = captured, .len = len, .ethernet = !type, .type = type,
	};
	u8 *exact = malloc(captured + !captured);
	char error[SEEN_KEY_ERROR_LEN];
	struct seen_key_spec spec;

	memcpy(exact, bytes, captured);
	frame.bytes = exact;
	seen_key_spec_parse(&spec, "len", error);
	seen_explain(&spec, &frame, &explanation, room);
	free(exact);
	return &explanation.trail;
}

static bool is_named(u8 *frame, int len, int net, u32 format)
{
	struct seen_trail trail = random_trail();
	int longer, at = len < ETH_ZLEN ? ETH_ZLEN : len;
	const struct seen_trail_part *part;

	if (explain(frame, len, len, 0)->bytes)
		return false;
	longer = trail_append(frame, len, net, format, &trail);
	part = explain(frame, longer, longer, 0);
	return part->at == (u32)at && part->bytes == (u32)(longer - at) &&
	       part->hops == trail.hops && part->strike == trail.strike &&
	       !explain(frame, longer - 1, longer, 0)->bytes &&
	       !explain(frame, longer - 1, longer - 1, 0)->bytes;
}

static void test_named(void)
{
	u8 frame[FRAME_MAX];
	u32 format, i, k;
	bool good = true;
	int len, net;

	for (i = 0; i < ARRAY_SIZE(packets); i++) {
		for (k = 0; k < ARRAY_SIZE(tags); k++) {
			for (format = 0; format < FORMATS; format++) {
				len = frame_make(frame, tags[k], packets[i].packet, &net);
				good = good && is_named(frame, len, net, format);
			}
		}
	}
	ok(good, "an explanation names the trail, if all of it was captured");
}

static void test_not_named(void)
{
	struct seen_trail trail = random_trail();
	struct seen_trail_domain domain = domain_of(0);
	u8 frame[FRAME_MAX];
	int len, net;

	len = frame_make(frame, "", UDP4_, &net);
	len = trail_append(frame, len, net, 0, &trail);
	ok(explain(frame + net, len - net, len - net, ETH_P_IP)->bytes,
	   "a capture without link layers has trails, too");
	len = frame_make(frame, "", "88b5 0102030405", &net);
	len = trail_append(frame, len, net, 0, &trail);
	ok(!explain(frame, len, len, 0)->bytes, "without a stated length there is no trail");
	len = frame_make(frame, "", IP4("0038", "0001", "4000", "11") UDP, &net);
	seen_trail_write(&domain, frame, &trail, 56, frame + len);
	len += seen_trail_bytes(&domain);
	ok(!explain(frame, len, len, 0)->bytes, "payload that looks like a trail is none");
}

int main(void)
{
	u32 i;

	test_begin(ARRAY_SIZE(packets) + 6 + 1);
	for (i = 0; i < ARRAY_SIZE(packets); i++)
		test_keys(i);
	test_tunnel();
	test_unknown();
	test_named();
	test_not_named();
	ok(!disagreements, "each packet agrees with the bytes of its key");
	return test_end();
}
