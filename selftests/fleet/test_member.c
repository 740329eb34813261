// SPDX-License-Identifier: GPL-2.0
/* When the daemon calls a host again that cannot use its filter. */
#include <errno.h>
#include <stdlib.h>

#include "../../tools/seend/member.h"
#include "tap.h"

#define NOW	(1000 * NS_PER_SEC)

static struct group group;
static bool absent;
static uint64_t check;

static int filter_info(struct store *store, size_t who, struct store_info *info)
{
	(void)store;
	(void)who;
	*info = (struct store_info) { .identity = 1, .check = check, .capacity = 1000 };
	return absent ? -ENOENT : 0;
}

static const struct store_ops ops = { .info = filter_info };
static struct store store = { &ops };

/* The engine is not called as long as the filter cannot be used. */
static bool waits(struct member *member, uint64_t now)
{
	member_tick(member, now);
	return !member->usable && member_next(member) > now &&
	       member_next(member) <= now + NS_PER_SEC;
}

int main(void)
{
	struct member_state *state = calloc(1, sizeof(*state));
	struct member *member;

	tap_begin(4);
	group_make(&group, 1, 1, 0);
	check = group.check;
	member = member_new(&group, NULL, &store, state);
	ok(member && member->usable, "a filter that can be used");
	absent = true;
	ok(waits(member, NOW), "an absent filter is looked at again within a second, not at once");
	/* Times of its last work have passed since then. */
	member->clock_next = 1;
	member->online = true;
	ok(waits(member, NOW + NS_PER_SEC), "also after the host has worked");
	absent = false;
	check++;
	ok(waits(member, NOW + 2 * NS_PER_SEC), "a filter with another secret, too");
	member_free(member);
	group_free(&group);
	free(state);
	return tap_end();
}
