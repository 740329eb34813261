// SPDX-License-Identifier: GPL-2.0
/* The feed of a binding: which filter it belongs to. kmod/feed.c has the feed itself. */
#include "binding.h"

void seen_binding_feed_add(struct seen_binding *binding, struct seen_feed *feed)
{
	lockdep_assert_held_write(&binding->sn->lock);
	binding->feed = feed;
	feed->name = binding->name;
	feed->name_id = binding->id;
	seen_filter_set_feed(seen_binding_filter(binding), feed);
	seen_binding_changed(binding, SEEN_CHANGE_FEED, NULL);
}

void seen_binding_feed_drop(struct seen_binding *binding)
{
	struct seen_filter *filter = seen_binding_filter(binding);
	struct seen_feed *feed = binding->feed;

	lockdep_assert_held_write(&binding->sn->lock);
	if (!feed)
		return;
	binding->feed = NULL;
	if (filter)
		seen_filter_set_feed(filter, NULL);
	seen_feed_destroy(feed);
}

void seen_binding_feed_del(struct seen_binding *binding)
{
	seen_binding_feed_drop(binding);
	seen_binding_changed(binding, SEEN_CHANGE_FEED, NULL);
}

void seen_binding_feed_move(struct seen_binding *from, struct seen_binding *to)
{
	struct seen_feed *feed = from->feed;

	lockdep_assert_held_write(&from->sn->lock);
	if (!feed)
		return;
	from->feed = NULL;
	to->feed = feed;
	feed->name = to->name;
	feed->name_id = to->id;
}
