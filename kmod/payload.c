// SPDX-License-Identifier: GPL-2.0
/* Payload: the part of a packet that a key covers; payload.h. */
#include <linux/skbuff.h>
#include <net/checksum.h>

#include "payload.h"

/* Called for each piece of the payload. Return: false to end the walk. */
typedef bool piece_fn(void *context, const u8 *bytes, u32 len);

/**
 * struct stretch - the bytes of a packet that a walk still has to visit
 * @off: offset of the first byte, from the start of the buffer that is visited next
 * @len: number of bytes
 */
struct stretch {
	int off;
	u32 len;
};

/*
 * Visit the part of @left in the packet's next buffer, @size bytes at @at. In the first
 * buffer @left->off may be negative, because headers may lie before skb->data.
 */
static __always_inline bool payload_visit(struct stretch *left, const u8 *at, int size,
					  piece_fn *take, void *context)
{
	u32 here;

	if (left->off >= size) {
		left->off -= size;
		return true;
	}
	here = min_t(u32, size - left->off, left->len);
	if (here && !take(context, at + left->off, here))
		return false;
	left->off = 0;
	left->len -= here;
	return true;
}

static __always_inline bool payload_visit_buffer(struct stretch *left,
						 const struct sk_buff *skb,
						 piece_fn *take, void *context)
{
	const struct skb_shared_info *shared = skb_shinfo(skb);
	int i;

	if (!payload_visit(left, skb->data, skb_headlen(skb), take, context))
		return false;
	for (i = 0; i < shared->nr_frags && left->len; i++) {
		const skb_frag_t *frag = &shared->frags[i];

		if (!payload_visit(left, skb_frag_address(frag), skb_frag_size(frag),
				   take, context))
			return false;
	}
	return true;
}

static __always_inline bool payload_walk_packet(const struct sk_buff *skb, int off,
						u32 len, piece_fn *take, void *context)
{
	struct stretch left = { .off = off, .len = len };
	const struct sk_buff *buffer;

	if (!payload_visit_buffer(&left, skb, take, context))
		return false;
	if (likely(!left.len))
		return true;
	skb_walk_frags(skb, buffer)
		if (!payload_visit_buffer(&left, buffer, take, context))
			return false;
	return true;
}

/* Visit @len zeros: the padding that a frame of less than 60 bytes lacks. */
static __always_inline bool payload_walk_zeros(u32 len, piece_fn *take, void *context)
{
	static const u8 zeros[ETH_ZLEN];
	u32 here;

	for (; len; len -= here) {
		here = min_t(u32, len, sizeof(zeros));
		if (!take(context, zeros, here))
			return false;
	}
	return true;
}

/*
 * Always inlined, as all functions of the walk: @take is then constant, and the packet path
 * makes no indirect calls.
 */
static __always_inline void payload_walk(const struct seen_payload *payload,
					 piece_fn *take, void *context)
{
	const struct seen_mask *mask = payload->mask;
	int at, end;
	u32 i;

	if (!payload->skb) {
		if (payload->len)
			take(context, payload->bytes, payload->len);
		return;
	}
	at = payload->off;
	end = at + (int)payload->there;
	for (i = 0; i < payload->masks; i++, mask++) {
		if (!payload_walk_packet(payload->skb, at, mask->at - at, take,
					 context) ||
		    !take(context, mask->bytes, mask->len))
			return;
		at = mask->at + mask->len;
	}
	if (payload_walk_packet(payload->skb, at, end - at, take, context))
		payload_walk_zeros(payload->len - payload->there, take, context);
}

static bool payload_is_hole(const struct seen_payload *payload,
			    const struct seen_mask *mask)
{
	return mask->len == 2 && (mask->at - payload->off) % 2 == 0 &&
	       !mask->bytes[0] && !mask->bytes[1];
}

bool seen_payload_flat(const struct seen_payload *payload,
		       struct seen_flat *flat)
{
	const struct seen_mask *mask = &payload->mask[0];

	flat->len = payload->len;
	flat->hole = payload->len;
	if (!payload->skb) {
		flat->bytes = payload->bytes;
		flat->there = payload->len;
		return true;
	}
	flat->bytes = payload->skb->data + payload->off;
	flat->there = payload->there;
	if (payload->off + (int)payload->there > (int)skb_headlen(payload->skb) ||
	    payload->masks > 1 || (payload->masks && !payload_is_hole(payload, mask)))
		return false;
	if (payload->masks)
		flat->hole = mask->at - payload->off;
	return true;
}

static __always_inline bool payload_take_hash(void *context, const u8 *bytes, u32 len)
{
	seen_hash_append(context, bytes, len);
	return true;
}

void seen_payload_hash(const struct seen_payload *payload,
		       struct seen_hash *hash)
{
	payload_walk(payload, payload_take_hash, hash);
}

struct comparison {
	const u8 *with;
	bool equal;
};

static __always_inline bool payload_take_equal(void *context, const u8 *bytes, u32 len)
{
	struct comparison *comparison = context;

	comparison->equal = !memcmp(comparison->with, bytes, len);
	comparison->with += len;
	return comparison->equal;
}

bool seen_payload_equal(const struct seen_payload *payload, const u8 *bytes)
{
	struct comparison comparison = { .with = bytes, .equal = true };

	payload_walk(payload, payload_take_equal, &comparison);
	return comparison.equal;
}

struct copy {
	u8 *to;
	u32 room;
};

static __always_inline bool payload_take_copy(void *context, const u8 *bytes, u32 len)
{
	struct copy *copy = context;
	u32 here = min(len, copy->room);

	memcpy(copy->to, bytes, here);
	copy->to += here;
	copy->room -= here;
	return copy->room;
}

u32 seen_payload_copy(const struct seen_payload *payload, u8 *to, u32 max)
{
	struct copy copy = { .to = to, .room = max };

	payload_walk(payload, payload_take_copy, &copy);
	return max - copy.room;
}

/* Mask the checksum at @at with zeros. It may extend beyond the payload. */
static void payload_add_zeros(struct seen_payload *payload, int at, int len)
{
	int till = min(at + len, payload->off + (int)payload->there);
	struct seen_mask *mask = &payload->mask[0];

	if (at < payload->off || at >= till)
		return;
	*mask = (struct seen_mask) { .at = at, .len = till - at };
	payload->masks = 1;
}

/* Mask @len bytes at @at with @bytes, as far as they lie within the payload. */
static void payload_add_mask(struct seen_payload *payload, int at, const void *bytes,
			     int len)
{
	int from = max(at, payload->off);
	int till = min(at + len, payload->off + (int)payload->there);
	struct seen_mask *mask = &payload->mask[payload->masks];

	if (from >= till)
		return;
	if (payload->masks++ && at < payload->mask[0].at) {
		*mask = payload->mask[0];
		mask = &payload->mask[0];
	}
	mask->at = from;
	mask->len = till - from;
	memcpy(mask->bytes, bytes + from - at, till - from);
}

static bool payload_overlap(int a, int a_len, int b, int b_len)
{
	return a < b + b_len && b < a + a_len;
}

static bool payload_is_readable(const struct sk_buff *skb)
{
	const struct sk_buff *buffer;
	u32 buffers = 0;

	if (!skb_is_nonlinear(skb))
		return true;
	if (!skb_frags_readable(skb))
		return false;
	skb_walk_frags(skb, buffer)
		if (++buffers > SEEN_FRAG_LIST_MAX ||
		    skb_has_frag_list(buffer) || !skb_frags_readable(buffer))
			return false;
	return true;
}

/*
 * A finished checksum inside a tunnel cannot be located, so it cannot be masked with zeros.
 * Therefore compute an unfinished one, and mask it with the result. (SCTP's CRC32c is not
 * computed: two copies of SCTP in a tunnel may have different keys, and then pass.)
 *
 * Return: false: the packet cannot be read to its end.
 */
static bool payload_finish_checksum(struct seen_payload *payload,
				    const struct seen_packet *p)
{
	const struct sk_buff *skb = p->skb;
	int start, at;
	__sum16 sum;

	if (skb->ip_summed != CHECKSUM_PARTIAL)
		return true;
	start = skb_checksum_start_offset(skb);
	at = start + skb->csum_offset;
	if (p->check_len && payload_overlap(at, sizeof(sum), p->check, p->check_len))
		return true;
	if (start < 0 || start >= p->end ||
	    !payload_overlap(at, sizeof(sum), payload->off, payload->there))
		return true;
	/* The sum covers the packet to its end, also beyond the payload. */
	if (!payload_is_readable(skb))
		return false;
	sum = csum_fold(skb_checksum(skb, start, skb->len - start, 0));
	if (!sum)
		sum = CSUM_MANGLED_0;
	payload_add_mask(payload, at, &sum, sizeof(sum));
	return true;
}

bool seen_payload_of(struct seen_payload *payload, const struct seen_packet *p,
		     int off, u32 max)
{
	payload->skb = p->skb;
	payload->off = off;
	payload->len = min_t(u32, p->net + (int)p->len - off, max);
	payload->there = min_t(u32, p->end - off, payload->len);
	payload->masks = 0;
	if (off + (int)payload->there > (int)skb_headlen(p->skb) &&
	    !payload_is_readable(p->skb))
		return false;
	if (p->check_len)
		payload_add_zeros(payload, p->check, p->check_len);
	return payload_finish_checksum(payload, p);
}
