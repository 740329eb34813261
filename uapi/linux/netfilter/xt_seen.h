/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/*
 * The netfilter match "seen": a rule looks up its packet in a filter. The rule
 * names a filter of its own network namespace. The filter may be added later.
 */
#ifndef _UAPI_LINUX_NETFILTER_XT_SEEN_H
#define _UAPI_LINUX_NETFILTER_XT_SEEN_H

#include <linux/types.h>
#include <linux/seen.h>

struct seen_binding;

/* Operation of a rule on the packet's key. A key is seen if the filter held it before. */
enum xt_seen_op {
	XT_SEEN_TEST,		/* look it up, change nothing */
	XT_SEEN_ADD,		/* store it, or one more copy of it */
	XT_SEEN_TEST_ADD,	/* store it if it is not seen */
	XT_SEEN_DEL,		/* remove one copy of it */

	__XT_SEEN_OP_MAX,
	XT_SEEN_OP_MAX = __XT_SEEN_OP_MAX - 1
};

enum xt_seen_flags {
	XT_SEEN_INVERT = 1 << 0,	/* match keys that are not seen */
	XT_SEEN_COUNT_OVER = 1 << 1,	/* seen: counted more than @over times */
	XT_SEEN_MISSING_MATCH = 1 << 2,	/* match if the filter has no answer */

	XT_SEEN_FLAGS = (1 << 3) - 1
};

/**
 * struct xt_seen_info - a rule; the same layout for 32-bit and 64-bit programs
 * @filter: name, terminated by a NUL
 * @op: enum xt_seen_op
 * @flags: enum xt_seen_flags
 * @reserved: 0
 * @over: XT_SEEN_COUNT_OVER: the key is seen if its count, after @op, is greater; else 0
 * @binding: used by the kernel; userspace sees and sets 0
 * @binding_room: reserves the size that @binding has in a 64-bit kernel
 */
struct xt_seen_info {
	char filter[SEEN_NAME_MAX];
	__u8 op;
	__u8 flags;
	__u16 reserved;
	__u32 over;
	union {
		struct seen_binding *binding;
		__aligned_u64 binding_room;
	};
};

#endif /* _UAPI_LINUX_NETFILTER_XT_SEEN_H */
