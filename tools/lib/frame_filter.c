// SPDX-License-Identifier: GPL-2.0
/* Filters of the caller's own that are asked for captured packets; frame.h. */
/* libc's net/if.h, which this needs, cannot follow the kernel's linux/if.h. */
#include "local_set.h"

#include <linux/skbuff.h>

#include "../../kmod/key.h"
#include "frame.h"

int seen_frame_test_and_add(struct seen_local *local,
			    const struct seen_key_spec *spec,
			    const struct seen_frame *frame)
{
	struct seen_keyspec whole = seen_frame_spec(spec, 0, spec->count);
	struct seen_key key;
	struct sk_buff skb;
	bool missed;

	seen_frame_show(&skb, frame, &missed);
	if (!seen_key_build(&whole, &skb, &key))
		return missed ? SEEN_FRAME_CUT : SEEN_FRAME_KEYLESS;
	if (!key.has_payload)
		return seen_local_test_and_add(local, key.head, key.len);
	return seen_local_test_and_add_hash(local,
					    seen_key_hash(&key, &local->secret,
							  &local->nh));
}
