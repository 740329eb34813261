// SPDX-License-Identifier: GPL-2.0
/* Local filters and captured packets; frame.h. */
/* libc's net/if.h, which local_set.h includes, must come before the kernel's linux/if.h. */
#include "local_set.h"

#include <linux/skbuff.h>

#include "../../kmod/key.h"
#include "frame.h"

/* A key without a payload fits key->head. */
static u64 hash_of(const struct seen_local *local, const struct seen_key *key)
{
	struct seen_item item = {};

	if (key->has_payload)
		return seen_key_hash(key, &local->secret, &local->nh);
	seen_item_make(&local->set.geo, &local->secret, &local->span, key->head,
		       key->len, &item);
	return item.hash;
}

int seen_frame_test_and_add(struct seen_local *local,
			    const struct seen_key_spec *spec,
			    const struct seen_frame *frame, uint64_t *hash)
{
	struct seen_key key;
	struct sk_buff skb;
	int none = seen_frame_key(spec, frame, &skb, &key);

	if (none)
		return none;
	*hash = hash_of(local, &key);
	return seen_local_test_and_add_hash(local, *hash);
}
