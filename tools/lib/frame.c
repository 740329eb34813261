// SPDX-License-Identifier: GPL-2.0
/* The kernel's own code on captured packets; frame.h. */
#include <linux/if_arp.h>
#include <linux/skbuff.h>

#include "../../kmod/key.h"
#include "frame.h"
#include "key_field.h"

static struct net_device ethernet = { .type = ARPHRD_ETHER };
static struct net_device other = { .type = ARPHRD_NONE };

struct seen_keyspec seen_frame_spec(const struct seen_key_spec *spec,
				    unsigned int first, unsigned int count)
{
	struct seen_keyspec to = {
		.profile = spec->profile, .inner = spec->inner, .count = count,
	};
	unsigned int i;

	for (i = 0; i < count; i++) {
		to.field[i].id = spec->field[first + i].id;
		to.field[i].param = spec->field[first + i].param;
		to.field[i].param6 = spec->field[first + i].param6;
		to.payload |= to.field[i].id == SEEN_FIELD_PAYLOAD;
	}
	memcpy(to.vxlan, spec->vxlan, sizeof(to.vxlan));
	return to;
}

/* The kernel's code only reads packets, so @frame's bytes can be used as they are. */
void seen_frame_show(struct sk_buff *skb, const struct seen_frame *frame,
		     bool *missed)
{
	*missed = false;
	*skb = (struct sk_buff) {
		.missed = missed,
		.head = (u8 *)frame->bytes,
		.data = (u8 *)frame->bytes,
		.len = frame->len,
		.data_len = frame->len - frame->captured,
		.dev = frame->ethernet ? &ethernet : &other,
		.mac_header = frame->ethernet ? 0 : NO_MAC,
		.network_header = frame->ethernet ? ETH_HLEN : frame->net,
		.protocol = htons(frame->type),
	};
}

bool seen_frame_net_cut(const struct seen_frame *frame)
{
	struct seen_packet p;
	struct sk_buff skb;
	bool missed;

	if (frame->captured == frame->len)
		return false;
	seen_frame_show(&skb, frame, &missed);
	return seen_packet_parse(&p, &skb) && !p.version && missed;
}

int seen_frame_key(const struct seen_key_spec *spec,
		   const struct seen_frame *frame, struct sk_buff *skb,
		   struct seen_key *key)
{
	struct seen_keyspec whole = seen_frame_spec(spec, 0, spec->count);
	bool missed;

	seen_frame_show(skb, frame, &missed);
	if (!seen_key_build(&whole, skb, key))
		return missed ? SEEN_FRAME_CUT : SEEN_FRAME_KEYLESS;
	skb->missed = NULL;
	if (missed && (seen_key_find(spec, SEEN_FIELD_LEN) || key->has_payload) &&
	    seen_frame_net_cut(frame))
		return SEEN_FRAME_CUT;
	return 0;
}

size_t seen_frame_payload(const struct seen_key_spec *spec,
			  const struct seen_frame *frame)
{
	struct seen_keyspec whole = seen_frame_spec(spec, 0, spec->count);
	struct seen_packet p;
	struct sk_buff skb;
	bool missed;
	int at;

	seen_frame_show(&skb, frame, &missed);
	if (seen_frame_net_cut(frame) || !seen_packet_parse(&p, &skb) ||
	    (whole.inner && !seen_key_enter(&whole, &p)) ||
	    !seen_key_payload_at(&whole, &p, &at) || at >= (int)frame->captured)
		return 0;
	return frame->captured - at;
}
