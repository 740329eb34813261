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
	struct seen_key key;
	struct sk_buff skb;
	int none = seen_frame_key(spec, frame, &skb, &key);

	if (none)
		return none;
	if (!key.has_payload)
		return seen_local_test_and_add(local, key.head, key.len);
	return seen_local_test_and_add_hash(local,
					    seen_key_hash(&key, &local->secret,
							  &local->nh));
}
