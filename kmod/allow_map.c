// SPDX-License-Identifier: GPL-2.0
/*
 * Allow maps: a filter can have a map, and never judges the keys of this map. An allow list
 * belongs to one filter; many filters can have the same allow map, rules can add keys to it
 * and delete keys, and it can be swapped.
 *
 * The binding of the map is pinned. A filter that has an allow map cannot be an allow map, so
 * there are no cycles, and a packet is looked up in one map only.
 */
#include "allow.h"

struct seen_binding *seen_binding_allow_map(const struct seen_binding *binding)
{
	return rcu_dereference_protected(binding->allow_map,
					 seen_binding_is_held(binding));
}

bool seen_allow_map_find(const struct seen_binding *map,
			 const struct seen_key *key)
{
	struct seen_filter *filter = rcu_dereference(map->filter);

	/*
	 * NULL: the map was deleted after the packet had read allow_map, so no filter has this
	 * map any more; the caller sees that lists_seq has changed, and looks again. The policy
	 * of a full map does not matter, since the map does not judge the packet.
	 */
	return filter && seen_filter_find(filter, key);
}

static int allow_map_check(const struct seen_binding *binding,
			   const struct seen_binding *map, struct netlink_ext_ack *extack)
{
	const struct seen_filter *filter = seen_binding_filter(binding);
	const struct seen_filter *other = seen_binding_filter(map);

	if (map == binding) {
		NL_SET_ERR_MSG(extack, SEEN_TEXT_OTHER("allow-map"));
		return -EINVAL;
	}
	if (other->set.geo.kind != SEEN_SET_MAP) {
		NL_SET_ERR_MSG(extack, "allow-map: must be a filter of type map");
		return -EINVAL;
	}
	if (!seen_keyspec_equal(&filter->spec, &other->spec)) {
		NL_SET_ERR_MSG(extack,
			       "allow-map: must have the same key as the filter");
		return -EINVAL;
	}
	if (binding->allow_maps || seen_binding_allow_map(map)) {
		NL_SET_ERR_MSG(extack,
			       "allow-map: an allow map cannot have an allow map; remove one of the two first");
		return -EINVAL;
	}
	return 0;
}

static void allow_map_release(struct seen_binding *map)
{
	map->allow_maps--;
	seen_binding_put(map);
}

void seen_allow_map_drop(struct seen_binding *binding)
{
	struct seen_binding *map = seen_binding_allow_map(binding);

	lockdep_assert_held_write(&binding->sn->lock);
	if (!map)
		return;
	seen_binding_listed(binding);
	/* Pairs with allow_nothing_came(): if a reader finds no map, it sees the change. */
	smp_wmb();
	RCU_INIT_POINTER(binding->allow_map, NULL);
	allow_map_release(map);
}

int seen_binding_set_allow_map(struct seen_binding *binding,
			       struct seen_binding *map,
			       struct netlink_ext_ack *extack)
{
	struct seen_binding *old;
	int err;

	lockdep_assert_held_write(&binding->sn->lock);
	err = allow_map_check(binding, map, extack);
	if (err)
		return err;
	old = seen_binding_allow_map(binding);
	if (map == old)
		return 0;
	map->allow_maps++;
	/* One store, so that a packet finds the old or the new map. */
	rcu_assign_pointer(binding->allow_map, map);
	seen_binding_listed(binding);
	if (old)
		allow_map_release(old);
	return 0;
}
