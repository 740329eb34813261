// SPDX-License-Identifier: GPL-2.0
#include <linux/if_arp.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../tools/lib/key.h"
#include "skb.h"

/* As NET_SKB_PAD + NET_IP_ALIGN: a network header lies at a multiple of 4. */
#define HEADROOM	66

/* Bytes of a piece at most, so that a frame has many. */
#define PIECE		100

static struct net_device ethernet = { .type = ARPHRD_ETHER };
static struct net_device tunnel = { .type = ARPHRD_NONE };

const struct shape plain = { .linear = LINEAR };

static int digit(char c)
{
	return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

int frame_parse(const char *hex, u8 *frame, int max)
{
	int len = 0;

	for (; *hex; hex++) {
		if (*hex == ' ')
			continue;
		if (len == max)
			abort();
		frame[len++] = digit(hex[0]) << 4 | digit(hex[1]);
		hex++;
	}
	return len;
}

struct seen_keyspec spec_parse(const char *text)
{
	char error[SEEN_KEY_ERROR_LEN];
	struct seen_keyspec spec = {};
	struct seen_key_spec parsed;
	u32 i;

	if (seen_key_spec_parse(&parsed, text, error)) {
		printf("Bail out! %s\n", error);
		exit(1);
	}
	spec.profile = parsed.profile;
	spec.inner = parsed.inner;
	spec.count = parsed.count;
	memcpy(spec.vxlan, parsed.vxlan, sizeof(spec.vxlan));
	for (i = 0; i < parsed.count; i++) {
		spec.payload |= parsed.field[i].id == SEEN_FIELD_PAYLOAD;
		spec.field[i].id = parsed.field[i].id;
		spec.field[i].param = parsed.field[i].param;
		spec.field[i].param6 = parsed.field[i].param6;
	}
	return spec;
}

/* Take the outermost tag out of the frame, as a driver does. */
static int untag(struct sk_buff *skb, u8 *frame, int len)
{
	const u8 *tag = frame + ETH_HLEN - 2;

	if (len < ETH_HLEN + VLAN_HLEN ||
	    !eth_type_vlan(htons(tag[0] << 8 | tag[1])))
		return len;
	skb->tagged = true;
	skb->vlan_tci = tag[2] << 8 | tag[3];
	memmove(frame + ETH_HLEN - 2, frame + ETH_HLEN + 2,
		len - ETH_HLEN - 2);
	return len - VLAN_HLEN;
}

static void *copy(const void *from, int headroom, int len)
{
	u8 *to = malloc(headroom + len);

	if (!to)
		abort();
	memcpy(to + headroom, from, len);
	return to;
}

/* A number below @n; a shape begins the sequence, so that it is always the same. */
static u32 state;

static int below(int n)
{
	state = state * 1664525 + 1013904223;
	return (u64)(state >> 8) * n >> 24;
}

/* Pages of any size, empty ones too, for as much of @len bytes as there is room for. */
static int add_pages(struct sk_buff *skb, const u8 *from, int len, int count)
{
	struct skb_shared_info *shared = skb->shared;
	int done = 0;

	while (done < len && shared->nr_frags < count) {
		bool last = shared->nr_frags == count - 1;
		int size = last ? len - done : below(PIECE);

		size = min(size, len - done);
		shared->frags[shared->nr_frags++] = (skb_frag_t) {
			.address = copy(from + done, 0, size), .size = size,
		};
		done += size;
	}
	skb->data_len += done;
	skb->len += done;
	return done;
}

static struct sk_buff *new_buffer(const u8 *from, int len)
{
	struct sk_buff *skb = calloc(1, sizeof(*skb));

	skb->shared = calloc(1, sizeof(*skb->shared));
	skb->head = copy(from, HEADROOM, len);
	skb->data = skb->head + HEADROOM;
	skb->len = len;
	return skb;
}

static void add_list(struct sk_buff *skb, const u8 *from, int len, bool pages)
{
	struct sk_buff **link = &skb->shared->frag_list;
	int done = 0, buffers = 0;

	while (done < len) {
		int rest = len - done, linear = below(PIECE);

		/* The last one that a list may have takes the rest. */
		if (++buffers == SEEN_FRAG_LIST_MAX)
			linear = rest;
		linear = min(linear, rest);
		*link = new_buffer(from + done, linear);
		done += linear;
		if (pages)
			done += add_pages(*link, from + done,
					  min(PIECE, len - done),
					  below(3));
		link = &(*link)->next;
	}
	skb->data_len += len;
	skb->len += len;
}

static void free_buffer(struct sk_buff *skb)
{
	struct sk_buff *buffer = skb->shared->frag_list, *next;
	int i;

	for (; buffer; buffer = next) {
		next = buffer->next;
		free_buffer(buffer);
	}
	for (i = 0; i < skb->shared->nr_frags; i++)
		free(skb->shared->frags[i].address);
	free(skb->shared);
	free(skb->head);
	free(skb);
}

static void add_pieces(struct sk_buff *skb, const u8 *from, int len, int split)
{
	int done = 0;

	if (split != 2)
		done = add_pages(skb, from, split == 3 ? len / 2 : len,
				 split ? 1 + below(MAX_SKB_FRAGS) : 1);
	if (done < len)
		add_list(skb, from + done, len - done, split == 3);
}

static struct sk_buff *shaped(u8 *frame, int len, const struct shape *shape)
{
	int pull = shape->pulled || shape->bare ? ETH_HLEN : 0;
	struct sk_buff tagged = {}, *skb;
	int linear;

	state = shape->linear * SPLITS + shape->split;
	if (shape->net)
		pull = shape->net;
	if (shape->untagged)
		len = untag(&tagged, frame, len);
	linear = max(pull, min(shape->linear, len));
	skb = new_buffer(frame, linear);
	skb->data += pull;
	skb->len -= pull;
	add_pieces(skb, frame + linear, len - linear, shape->split);
	skb->tagged = tagged.tagged;
	skb->vlan_tci = tagged.vlan_tci;
	skb->skb_iif = 7;
	skb->dev = shape->bare ? &tunnel : &ethernet;
	skb->mac_header = shape->bare ? NO_MAC : HEADROOM + shape->mac;
	skb->network_header = HEADROOM + (shape->net ?: ETH_HLEN);
	if (shape->no_net)
		skb->network_header = 0;
	if (shape->type)
		skb->protocol = htons(shape->type);
	else if (len >= ETH_HLEN)
		memcpy(&skb->protocol, frame + ETH_HLEN - 2, 2);
	if (!shape->csum_start)
		return skb;
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = HEADROOM + shape->csum_start;
	skb->csum_offset = shape->csum_offset;
	return skb;
}

unsigned int disagreements;

bool flatten(const struct seen_key *key, struct flat_key *flat)
{
	if (seen_key_bytes(key) > sizeof(flat->bytes))
		abort();
	flat->len = seen_key_bytes(key);
	memcpy(flat->bytes, key->head, key->len);
	return seen_payload_copy(&key->payload, flat->bytes + key->len,
				 key->payload.len) == key->payload.len;
}

/* With the bytes, as a request would bring them. */
static bool agrees(const struct seen_keyspec *spec, const struct seen_key *key,
		   struct flat_key *flat)
{
	static const struct seen_secret secret = { { 1, 2 } };
	struct seen_keyspec bounds = *spec;
	static struct seen_nh_key nh;
	struct seen_key taken;

	if (!nh.word[0])
		seen_nh_key_set(&nh, &secret);
	bounds.min = key->len;
	bounds.max = U16_MAX;
	if (!seen_key_take(&bounds, &taken, flat->bytes, flat->len) ||
	    seen_key_hash(key, &secret, &nh) !=
	    seen_key_hash(&taken, &secret, &nh) ||
	    !seen_payload_equal(&key->payload, flat->bytes + key->len))
		return false;
	if (!key->payload.len)
		return true;
	flat->bytes[flat->len - 1] ^= 1;
	if (seen_payload_equal(&key->payload, flat->bytes + key->len))
		return false;
	flat->bytes[flat->len - 1] ^= 1;
	return true;
}

bool key_of(const struct seen_keyspec *spec, const u8 *frame, int len,
	    const struct shape *shape, struct flat_key *flat)
{
	u8 *bytes = copy(frame, 0, len);
	struct sk_buff *skb = shaped(bytes, len, shape);
	struct seen_key key;
	bool has;

	memset(&key, 0xa5, sizeof(key));
	memset(flat, 0xa5, sizeof(*flat));
	has = shape->rule ? seen_key_build_net(spec, skb, shape->link, &key)
			  : seen_key_build(spec, skb, &key);
	if (has && (!flatten(&key, flat) ||
		    (spec->payload && !agrees(spec, &key, flat))))
		disagreements++;
	free_buffer(skb);
	free(bytes);
	return has;
}

bool is_key(const struct flat_key *key, const u8 *bytes, int len)
{
	return key->len == (u32)len && !memcmp(key->bytes, bytes, len);
}

bool same_key(const struct seen_keyspec *spec, const u8 *frame, int len)
{
	struct shape shape = plain;
	struct flat_key want, key;
	bool has = key_of(spec, frame, len, &plain, &want);
	int way;

	for (shape.linear = 0; shape.linear <= len; shape.linear++) {
		for (way = 0; way < 4 * SPLITS; way++) {
			shape.pulled = len >= ETH_HLEN && (way & 1);
			shape.untagged = way & 2;
			shape.split = way >> 2;
			if (key_of(spec, frame, len, &shape, &key) != has)
				return false;
			if (has && !is_key(&key, want.bytes, want.len))
				return false;
		}
	}
	return true;
}
