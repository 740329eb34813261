// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: an input is a key's fields, the shape that a packet has in the kernel, and its
 * frame. No byte beyond the frame may be read (the shim keeps it in memory of exactly its size),
 * all shapes of a packet must have the same key, and the explained key must equal that key.
 */
#include <linux/skbuff.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../tools/lib/explain.h"
#include "skb.h"

#define FIELDS		6
#define FRAME_MAX	2048

enum {
	PULLED = 1, UNTAGGED = 2, BARE = 4, RULE = 8, LINK = 16, NO_NET = 32,
	/* the upper two bits are struct shape.split */
};

/**
 * struct head - the beginning of an input, before the frame
 * @profile: enum seen_key_profile; upper bit: the key is of the innermost packet
 * @fields: number of fields, without a profile
 * @id: of each field
 * @param: parameter of each field, reduced to its range
 * @param6: the second parameter of each field
 * @flags: of the shape
 * @linear: bytes in the linear piece
 * @csum_offset: see struct shape
 * @csum_start: see struct shape: where a pending checksum starts
 * @net: claimed offset of the network header
 * @mac: claimed offset of the MAC header
 * @type: skb->protocol
 */
struct head {
	u8 profile;
	u8 fields;
	u8 id[FIELDS];
	u8 param[FIELDS];
	u8 param6[FIELDS];
	u8 flags;
	u8 linear;
	u8 csum_offset;
	u8 csum_start;
	u8 net;
	u8 mac;
	u8 type[2];
};

static struct seen_explanation explanation;
static u8 room[SEEN_EXPLAIN_ROOM(FRAME_MAX + 256)];

static void require(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "fuzz_packet: %s\n", what);
	abort();
}

static void set_field(struct seen_key_field *field, const struct head *head,
		      u32 i)
{
	field->id = 1 + head->id[i] % SEEN_FIELD_MAX;
	if (field->id == SEEN_FIELD_SRC || field->id == SEEN_FIELD_DST) {
		field->param = head->param[i] % 32;
		field->param6 = head->param6[i] % 128;
	} else if (field->id == SEEN_FIELD_PAYLOAD) {
		field->param = head->param[i] << 8 | head->param6[i];
		field->param %= SEEN_PAYLOAD_MAX + 1;
	}
}

/* Convert the fields to text and back, so that only valid keys remain. */
static bool set_spec(struct seen_key_spec *spec, const struct head *head)
{
	struct seen_key_spec given = {
		.profile = (head->profile & 0x7f) %
			   (SEEN_KEY_PROFILE_MAX + 1),
		.inner = head->profile & 0x80,
		.count = 1 + head->fields % FIELDS,
	};
	char text[SEEN_KEY_SPEC_LEN], error[SEEN_KEY_ERROR_LEN];
	u32 i;

	for (i = 0; i < given.count; i++)
		set_field(&given.field[i], head, i);
	seen_key_spec_format(&given, text);
	return !seen_key_spec_parse(spec, text, error);
}

/* The same packet in another shape: another linear piece, or its tag outside the frame. */
static struct shape same_shape(const struct head *head, int len)
{
	return (struct shape) {
		.linear = head->linear % (len + 1),
		.split = head->flags >> 6,
		.pulled = len >= ETH_HLEN && (head->flags & PULLED),
		.untagged = head->flags & UNTAGGED,
	};
}

/* Any shape: other parts of the kernel may have left any values in the sk_buff. */
static struct shape any_shape(const struct head *head, int len)
{
	struct shape shape = same_shape(head, len);

	if (len < ETH_HLEN)
		return shape;
	shape.bare = head->flags & BARE;
	shape.rule = head->flags & RULE;
	shape.link = head->flags & LINK;
	shape.no_net = head->flags & NO_NET;
	shape.csum_start = head->csum_start % (len + 1);
	shape.csum_offset = head->csum_offset;
	shape.mac = head->mac % (len + 1);
	shape.type = head->type[0] << 8 | head->type[1];
	if (shape.rule)
		shape.net = head->net % (len - 3);
	return shape;
}

static void check_shapes(const struct seen_keyspec *spec, const u8 *frame,
			 int len, const struct head *head)
{
	struct shape shape = same_shape(head, len);
	struct flat_key want, key;
	bool has = key_of(spec, frame, len, &plain, &want);

	require(key_of(spec, frame, len, &shape, &key) == has,
		"only one of the two shapes has a key");
	require(!has || is_key(&key, want.bytes, want.len),
		"two shapes have two keys");
	shape.csum_start = head->csum_start % (len + 1);
	shape.csum_offset = head->csum_offset;
	require(key_of(spec, frame, len, &shape, &key) == has,
		"a checksum that is due decides whether there is a key");
	require(!has || key.len == want.len,
		"a checksum that is due changes the key's length");
	shape = any_shape(head, len);
	key_of(spec, frame, len, &shape, &key);
}

/* The parts must make up the key, or a part must be missing for a reason. */
static void check_parts(void)
{
	const struct seen_explanation *e = &explanation;
	bool missing = !e->parts;
	unsigned int i;
	size_t sum = 0, at = 0;

	require(!e->parts == !!*e->why, "no parts and no reason, or both");
	for (i = 0; i < e->parts; i++) {
		const struct seen_part *part = &e->part[i];

		missing = missing || !part->len;
		require(part->len || *part->why, "missing without a reason");
		sum += part->len;
		if (!strcmp(part->name, "payload")) {
			require(!e->len || part->bytes + part->len == e->key + e->len,
				"the payload is not the key's end");
			continue;
		}
		require(!e->len || part->bytes == e->key + at,
			"a part is not where the key has it");
		at += part->len;
	}
	require(e->len == (missing ? 0 : sum), "the parts are not the key");
}

/* The shim's packets arrived on interface 7; captured packets have no interface. */
static bool has_iif(const struct seen_key_spec *spec)
{
	u32 i;

	for (i = 0; i < spec->count; i++)
		if (spec->field[i].id == SEEN_FIELD_IIF)
			return true;
	return false;
}

static void check_explained(const struct seen_key_spec *spec, const u8 *frame,
			    int len)
{
	struct seen_keyspec kernels = seen_frame_spec(spec, 0, spec->count);
	struct flat_key key;

	if (!key_of(&kernels, frame, len, &plain, &key))
		require(!explanation.len, "explains a key that the packet does not have");
	else if (!has_iif(spec))
		require(is_key(&key, explanation.key, explanation.len),
			"what is explained is not the kernel's key");
}

static void explain(const struct seen_key_spec *spec, const u8 *frame, int len,
		    const struct head *head)
{
	struct seen_frame shown = {
		.bytes = frame, .captured = len, .len = len, .ethernet = true,
	};

	seen_explain(spec, &shown, &explanation, room);
	check_parts();
	check_explained(spec, frame, len);
	shown.ethernet = false;
	shown.type = head->type[0] << 8 | head->type[1];
	shown.net = head->net;
	seen_explain(spec, &shown, &explanation, room);
	check_parts();
	/* If a packet was captured in part, only the captured bytes may be read. */
	shown.len += head->linear;
	shown.ethernet = head->flags & LINK;
	seen_explain(spec, &shown, &explanation, room);
	check_parts();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct seen_key_spec spec;
	struct seen_keyspec kernels;
	struct head head;
	u8 *frame, *before;
	int len;

	if (size < sizeof(head))
		return 0;
	memcpy(&head, data, sizeof(head));
	len = min_t(size_t, size - sizeof(head), FRAME_MAX);
	if (!set_spec(&spec, &head))
		return 0;
	kernels = seen_frame_spec(&spec, 0, spec.count);
	check_shapes(&kernels, data + sizeof(head), len, &head);
	/* Memory of exactly the frame's size, which must not be written to. */
	frame = malloc(len);
	before = malloc(len);
	memcpy(frame, data + sizeof(head), len);
	memcpy(before, frame, len);
	explain(&spec, frame, len, &head);
	require(!memcmp(frame, before, len), "a packet was written to");
	require(!disagreements, "a packet is not the bytes of its key");
	free(frame);
	free(before);
	return 0;
}
