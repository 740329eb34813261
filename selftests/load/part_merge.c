// SPDX-License-Identifier: GPL-2.0
/* kmod/netlink_merge.c: into one, and to a smaller one. */
#include "kmod.h"

static struct seen_slot *named[2];

static struct seen_slot *find(struct genl_info *info, int attr)
{
	(void)info;
	return named[attr == SEEN_A_FILTER_NEW_NAME];
}

#define seen_nl_reply(info, size)		((struct sk_buff *)(info))
#define nlmsg_free(reply)			((void)(reply))
#define send(info, reply, slot)			((void)(reply), 0)
#define check_merge(to, from, extack)		0
#define move_stats(from, to)			((void)(to))
#define move_effective(from, to)		((void)(to))
/* No table of held.c has room and no place. */
#define make_room(to, extack)			((void)(to), -ENOSPC)
#define current					NULL

#include "netlink_merge.part"

void part_merge(struct seen_slot *slot, struct seen_slot *other)
{
	struct genl_info info = { };

	named[0] = slot;
	named[1] = other;
	/* First as who asks whether there is room, then whatever the answer. */
	seen_nl_filter_merge(NULL, &info);
	info.attrs[SEEN_A_FILTER_FORCE] = &info;
	seen_nl_filter_merge(NULL, &info);
}

void part_fold(struct seen_slot *slot, struct seen_slot *other)
{
	struct genl_info info = { };

	(void)other;
	named[0] = slot;
	seen_nl_filter_fold(NULL, &info);
}
