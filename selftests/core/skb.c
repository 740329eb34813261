// SPDX-License-Identifier: GPL-2.0
#include <linux/if_arp.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../tools/lib/key.h"
#include "skb.h"

/* As NET_SKB_PAD + NET_IP_ALIGN: a network header lies at a multiple of 4. */
#define HEADROOM	66

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
	for (i = 0; i < parsed.count; i++) {
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

static void fill(struct sk_buff *skb, u8 *frame, int len,
		 const struct shape *shape)
{
	int pull = shape->pulled || shape->bare ? ETH_HLEN : 0;
	int linear;

	if (shape->net)
		pull = shape->net;
	if (shape->untagged)
		len = untag(skb, frame, len);
	linear = max(pull, min(shape->linear, len));
	skb->dev = shape->bare ? &tunnel : &ethernet;
	skb->head = copy(frame, HEADROOM, linear);
	skb->data = skb->head + HEADROOM + pull;
	skb->page = copy(frame + linear, 0, len - linear);
	skb->len = len - pull;
	skb->data_len = len - linear;
	skb->mac_header = shape->bare ? NO_MAC : HEADROOM + shape->mac;
	skb->network_header = HEADROOM + (shape->net ?: ETH_HLEN);
	if (shape->no_net)
		skb->network_header = 0;
	if (shape->type)
		skb->protocol = htons(shape->type);
	else if (len >= ETH_HLEN)
		memcpy(&skb->protocol, frame + ETH_HLEN - 2, 2);
	if (!shape->csum_start)
		return;
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = HEADROOM + shape->csum_start;
	skb->csum_offset = shape->csum_offset;
}

bool key_of(const struct seen_keyspec *spec, const u8 *frame, int len,
	    const struct shape *shape, struct seen_key *key)
{
	struct sk_buff skb = { .skb_iif = 7 };
	u8 *bytes = copy(frame, 0, len);
	bool has;

	fill(&skb, bytes, len, shape);
	memset(key, 0xa5, sizeof(*key));
	has = shape->rule ? seen_key_build_net(spec, &skb, shape->link, key)
			  : seen_key_build(spec, &skb, key);
	free(skb.head);
	free(skb.page);
	free(bytes);
	return has;
}

bool is_key(const struct seen_key *key, const u8 *bytes, int len)
{
	return key->len == len && !memcmp(key->bytes, bytes, len);
}

bool same_key(const struct seen_keyspec *spec, const u8 *frame, int len)
{
	struct shape shape = plain;
	struct seen_key want, key;
	bool has = key_of(spec, frame, len, &plain, &want);
	int way;

	for (shape.linear = 0; shape.linear <= len; shape.linear++) {
		for (way = 0; way < 4; way++) {
			shape.pulled = len >= ETH_HLEN && (way & 1);
			shape.untagged = way & 2;
			if (key_of(spec, frame, len, &shape, &key) != has)
				return false;
			if (has && !is_key(&key, want.bytes, want.len))
				return false;
		}
	}
	return true;
}
