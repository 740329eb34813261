/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/*
 * The netfilter match "seen": a rule asks a filter about its packet. A rule
 * names a filter of its own namespace, which may be added after it.
 */
#ifndef _UAPI_LINUX_NETFILTER_XT_SEEN_H
#define _UAPI_LINUX_NETFILTER_XT_SEEN_H

#include <linux/types.h>
#include <linux/seen.h>

struct seen_binding;

/* What a rule does with the key of its packet, and what it calls seen then. */
enum xt_seen_op {
	XT_SEEN_TEST,		/* look only; seen: it is there */
	XT_SEEN_ADD,		/* store it, once more; seen: it was there */
	XT_SEEN_TEST_ADD,	/* store it if it is new; seen: it was there */
	XT_SEEN_DEL,		/* remove it, once; seen: it was there */

	__XT_SEEN_OP_MAX,
	XT_SEEN_OP_MAX = __XT_SEEN_OP_MAX - 1
};

enum xt_seen_flags {
	XT_SEEN_INVERT = 1 << 0,	/* match what is not seen */
	XT_SEEN_COUNT_OVER = 1 << 1,	/* seen: there more than @over times */
	XT_SEEN_MISSING_MATCH = 1 << 2,	/* match where the filter can't tell */

	XT_SEEN_FLAGS = (1 << 3) - 1
};

/**
 * struct xt_seen_info - a rule; of the same size for 32-bit userspace
 * @filter: name, closed by a NUL
 * @op: enum xt_seen_op
 * @flags: enum xt_seen_flags
 * @reserved: 0
 * @over: for XT_SEEN_COUNT_OVER, with @op counted first: copies; else 0
 * @binding: the kernel's own; userspace sees and gives 0
 * @binding_room: as much of it as a 64-bit kernel needs
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
