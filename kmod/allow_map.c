// SPDX-License-Identifier: GPL-2.0
/*
 * Allow maps: a filter of type map whose keys another filter never judges, beside
 * its own list. Where a list's keys are one filter's, many filters may have one
 * map, which packets' rules may change, and which can be swapped.
 *
 * The map is pinned as a guard pins its filter. One that has an allow map serves
 * as none, so there are no cycles, and a packet looks into one map at a time.
 */
#include "allow.h"

struct seen_slot *seen_slot_allow_map(const struct seen_slot *slot)
{
	return rcu_dereference_protected(slot->allow_map,
					 lockdep_is_held(&slot->sn->lock) ||
					 lockdep_is_held(&slot->sn->changes));
}

bool seen_allow_map_find(const struct seen_slot *map,
			 const struct seen_key *key)
{
	struct seen_filter *filter = rcu_dereference(map->filter);
	struct seen_item item;

	/* It is being deleted, after the last filter that had it. */
	if (!filter || !seen_filter_question(filter, key, &item))
		return false;
	/* Also when it is full: policy "pass" is about keys that it judges. */
	return seen_filter_find(filter, &item);
}

static int check(const struct seen_slot *slot, const struct seen_slot *map,
		 struct netlink_ext_ack *extack)
{
	const struct seen_filter *filter = seen_slot_filter(slot);
	const struct seen_filter *other = seen_slot_filter(map);

	if (map == slot) {
		NL_SET_ERR_MSG(extack, "allow-map: this is the filter itself");
		return -EINVAL;
	}
	if (other->set.geo.kind != SEEN_SET_MAP) {
		NL_SET_ERR_MSG(extack, "allow-map: must be of type map");
		return -EINVAL;
	}
	if (!seen_keyspec_equal(&filter->spec, &other->spec)) {
		NL_SET_ERR_MSG(extack,
			       "allow-map: the two filters have different keys");
		return -EINVAL;
	}
	if (slot->allow_maps || seen_slot_allow_map(map)) {
		NL_SET_ERR_MSG(extack,
			       "allow-map: an allow map has none of its own");
		return -EINVAL;
	}
	return 0;
}

static void release(struct seen_slot *map)
{
	map->allow_maps--;
	seen_slot_put(map);
}

void seen_allow_map_drop(struct seen_slot *slot)
{
	struct seen_slot *map = seen_slot_allow_map(slot);

	lockdep_assert_held_write(&slot->sn->lock);
	if (!map)
		return;
	seen_slot_listed(slot);
	/* Pairs with nothing_came(): who sees none sees that one has gone. */
	smp_wmb();
	RCU_INIT_POINTER(slot->allow_map, NULL);
	release(map);
}

int seen_slot_set_allow_map(struct seen_slot *slot, const struct nlattr *name,
			    struct netlink_ext_ack *extack)
{
	struct seen_slot *map, *old;
	int err;

	lockdep_assert_held_write(&slot->sn->lock);
	if (!*(const char *)nla_data(name)) {
		seen_allow_map_drop(slot);
		return 0;
	}
	map = seen_slot_find(slot->sn, name, extack);
	if (IS_ERR(map))
		return PTR_ERR(map);
	err = check(slot, map, extack);
	if (err)
		return err;
	old = seen_slot_allow_map(slot);
	if (map == old)
		return 0;
	map->allow_maps++;
	/* No packet is judged in between. */
	rcu_assign_pointer(slot->allow_map, map);
	seen_slot_listed(slot);
	if (old)
		release(old);
	return 0;
}
