// SPDX-License-Identifier: GPL-2.0
/*
 * FILTER_MERGE adds the keys of one filter to another. FILTER_FOLD makes a Bloom filter
 * smaller. The filters stay in use meanwhile. Only seen_net.changes is held, which keeps them
 * in their bindings.
 */
#include <linux/math64.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "core/map.h"
#include "core/snapshot.h"
#include "netlink.h"
#include "binding.h"

/* Units between two calls of cond_resched(). */
#define SLICE	1024
/* A merge fails when it had to restart this often because a key moved or found no room. */
#define TEARS	16

/* @reply was allocated before the change, because the change cannot be undone. */
static int nl_merge_send(struct genl_info *info, struct sk_buff *reply,
			 struct seen_binding *binding, u32 change)
{
	struct seen_net *sn = seen_info_net(info);
	int err;

	down_read(&sn->lock);
	seen_binding_changed(binding, change, NULL);
	err = seen_nl_filter_reply(info, reply, binding);
	up_read(&sn->lock);
	return err;
}

/* The same key must have the same hash and the same place in both filters. */
static int check_merge(const struct seen_filter *to,
		       const struct seen_filter *from,
		       struct netlink_ext_ack *extack)
{
	const char *why = seen_set_can_merge(&to->set.geo, &from->set.geo);

	if (why) {
		SEEN_SET_ERR_MSG_FMT(to->sn, extack,
				     SEEN_TEXT_EQUAL("%s"), why);
		return -EINVAL;
	}
	if (memcmp(&to->span, &from->span, sizeof(to->span))) {
		NL_SET_ERR_MSG(extack, SEEN_TEXT_EQUAL("range"));
		return -EINVAL;
	}
	if (!seen_keyspec_equal(&to->spec, &from->spec)) {
		NL_SET_ERR_MSG(extack, SEEN_TEXT_EQUAL("key"));
		return -EINVAL;
	}
	if (memcmp(&to->secret, &from->secret, sizeof(to->secret))) {
		NL_SET_ERR_MSG(extack,
			       SEEN_TEXT_EQUAL("secret") "; add both with the same seed");
		return -EINVAL;
	}
	return 0;
}

static int nl_merge_refuse_signal(struct netlink_ext_ack *extack)
{
	NL_SET_ERR_MSG(extack, "merge: interrupted by a signal");
	return -EINTR;
}

static int nl_merge_check_room(struct seen_filter *to, struct seen_filter *from,
			       struct netlink_ext_ack *extack)
{
	u64 keys, at = 0;

	do {
		at = seen_set_merge_room(&to->set, &from->set, at, SLICE,
					 &keys);
		if (at && fatal_signal_pending(current))
			return nl_merge_refuse_signal(extack);
		cond_resched();
	} while (at);
	if (keys <= to->set.geo.capacity)
		return 0;
	SEEN_SET_ERR_MSG_FMT(to->sn, extack,
			     "capacity: exceeded by the %llu keys of both filters; use force",
			     keys);
	return -ENOSPC;
}

/* A key found no room. If the map's hashes are the reason, rehash it. Return: 0: try again. */
static int nl_merge_make_room(struct seen_filter *to, struct netlink_ext_ack *extack)
{
	int err = seen_map_torn(&to->set) ? seen_rehash(to, NULL) : -EAGAIN;

	switch (err) {
	case -EAGAIN:
		NL_SET_ERR_MSG(extack,
			       "capacity: no room for a key; the keys before this one are added");
		return -ENOSPC;
	case -ENOSPC:
		NL_SET_ERR_MSG(extack,
			       SEEN_TEXT_REHASH_CAP "; the keys before this one are added");
		return err;
	case -ENOMEM:
		NL_SET_ERR_MSG(extack,
			       SEEN_TEXT_REHASH_MEMORY "; the keys before this one are added");
		return err;
	default:
		return err;
	}
}

static int merge_units(struct seen_filter *to, struct seen_filter *from,
		       struct netlink_ext_ack *extack)
{
	enum seen_merge result;
	u32 tears = 0;
	u64 at = 0;
	int err;

	/* After a failure restart at unit 0. Keys that are in @to already are not added again. */
	do {
		result = seen_set_merge(&to->set, &from->set, at, SLICE, &at);
		seen_sweep_wake(to);
		if (result == SEEN_MERGE_FULL) {
			err = nl_merge_make_room(to, extack);
			if (err)
				return err;
		}
		if (result && ++tears == TEARS) {
			NL_SET_ERR_MSG(extack,
				       "new-name: some keys are not added, since keys moved too often; try again");
			return -EAGAIN;
		}
		if ((at || result) && fatal_signal_pending(current))
			return nl_merge_refuse_signal(extack);
		cond_resched();
	} while (at || result);
	return 0;
}

static int nl_merge_units(struct seen_filter *to, struct seen_filter *from,
			  struct netlink_ext_ack *extack)
{
	int err;

	seen_set_merge_begin(&to->set);
	err = merge_units(to, from, extack);
	seen_set_merge_end(&to->set);
	return err;
}

static int nl_merge_admit(struct seen_filter *to, const struct seen_filter *from,
			  struct netlink_ext_ack *extack)
{
	if (seen_filter_admit_all(to, from))
		return 0;
	NL_SET_ERR_MSG(extack,
		       "new-name: both filters together have prefixes of more than 64 lengths");
	return -E2BIG;
}

int seen_nl_filter_merge(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_binding *binding =
		seen_nl_binding_find_to_change(info, &seen_nl_filter);
	struct seen_filter *to, *from;
	struct seen_binding *other;
	struct sk_buff *reply;
	int err;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	other = seen_nl_binding_find_to_change(info, &seen_nl_other_filter);
	if (IS_ERR(other))
		return PTR_ERR(other);
	if (binding == other) {
		NL_SET_ERR_MSG(info->extack,
			       SEEN_TEXT_OTHER("new-name"));
		return -EINVAL;
	}
	to = seen_binding_filter(binding);
	from = seen_binding_filter(other);
	err = check_merge(to, from, info->extack);
	if (!err && !info->attrs[SEEN_A_FILTER_FORCE])
		err = nl_merge_check_room(to, from, info->extack);
	if (err)
		return err;
	reply = seen_nl_reply(info, NLMSG_GOODSIZE);
	if (!reply)
		return -ENOMEM;
	/* Must be the last check: prefix lengths that were added stay until a flush. */
	err = nl_merge_admit(to, from, info->extack);
	if (err)
		goto free_reply;
	err = nl_merge_units(to, from, info->extack);
	if (!err)
		return nl_merge_send(info, reply, binding, SEEN_CHANGE_MERGE);
	/* The merge failed, but some keys were added. */
	seen_binding_changed_unlocked(binding, SEEN_CHANGE_MERGE);
free_reply:
	nlmsg_free(reply);
	return err;
}

static struct seen_filter *nl_merge_create_folded(struct genl_info *info,
						  struct seen_filter *old)
{
	struct nlattr *capacity = info->attrs[SEEN_A_FILTER_CAPACITY];
	struct seen_filter_config config = {
		.spec = old->spec,
		.secret = old->secret,
		.span = old->span,
		.on_full = READ_ONCE(old->on_full),
	};
	u64 keys = seen_set_entries(&old->set);
	struct seen_filter *folded;

	if (capacity)
		keys = max(keys, nla_get_u64(capacity));
	if (!seen_fold_plan(&old->set, keys, &config.geo)) {
		NL_SET_ERR_MSG(info->extack,
			       "capacity: a smaller table would exceed the false-positive rate");
		return ERR_PTR(-ENOSPC);
	}
	folded = seen_filter_create_as(old->sn, &config, true, info->extack);
	memzero_explicit(&config.secret, sizeof(config.secret));
	return folded;
}

/*
 * Wait until no packet (RCU read section) and no key command (seen_net.lock) uses the state
 * from before this call. A fold must wait, because keys go to two tables. Other commands
 * free the old table later and do not wait.
 */
static void nl_merge_wait_for_users(struct seen_net *sn)
{
	down_write(&sn->lock);
	up_write(&sn->lock);
	synchronize_rcu();
}

static void nl_merge_fold_units(struct seen_filter *from, struct seen_filter *to)
{
	u64 at = 0;

	/* From now on keys are stored in both tables. */
	seen_set_mirror(&from->set, &to->set);
	nl_merge_wait_for_users(from->sn);
	do {
		at = seen_set_fold(&from->set, &to->set, at, SLICE);
		cond_resched();
	} while (at);
	seen_set_mirror_judges(&from->set);
	nl_merge_wait_for_users(from->sn);
}

/* Keep a recent shortfall of the window visible in the new filter. */
static void nl_merge_move_effective(struct seen_filter *from, struct seen_filter *to)
{
	if (seen_filter_effective(from) >= seen_filter_effective(to))
		return;
	WRITE_ONCE(to->effective, READ_ONCE(from->effective));
	WRITE_ONCE(to->effective_at, READ_ONCE(from->effective_at));
}

/*
 * Nothing counts in @from any more. The set counts evictions itself, but no type that can be
 * folded evicts.
 */
static void nl_merge_move_stats(struct seen_filter *from, struct seen_filter *to)
{
	enum seen_stat stat;
	int cpu;

	for_each_possible_cpu(cpu)
		for (stat = 0; stat < SEEN_STATS; stat++)
			this_cpu_add(to->stats->count[stat],
				     per_cpu_ptr(from->stats, cpu)->count[stat]);
}

int seen_nl_filter_fold(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_binding *binding =
		seen_nl_binding_find_to_change(info, &seen_nl_filter);
	struct seen_filter *old, *folded;
	struct sk_buff *reply;
	const char *why;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	old = seen_binding_filter(binding);
	why = seen_set_can_fold(&old->set.geo);
	if (why) {
		SEEN_SET_ERR_MSG_FMT(binding->sn, info->extack,
				     "%s: fold needs bloom", why);
		return -EOPNOTSUPP;
	}
	/* A prefix length added during the fold would be missing in one of the two filters. */
	if (old->spec.prefix) {
		NL_SET_ERR_MSG(info->extack,
			       "key: a filter with prefixes of any length cannot be folded; add a smaller one");
		return -EOPNOTSUPP;
	}
	reply = seen_nl_reply(info, NLMSG_GOODSIZE);
	if (!reply)
		return -ENOMEM;
	folded = nl_merge_create_folded(info, old);
	if (IS_ERR(folded)) {
		nlmsg_free(reply);
		return PTR_ERR(folded);
	}
	nl_merge_fold_units(old, folded);
	seen_binding_exchange(binding, folded);
	nl_merge_wait_for_users(old->sn);
	seen_set_mirror(&old->set, NULL);
	nl_merge_move_stats(old, folded);
	nl_merge_move_effective(old, folded);
	seen_filter_destroy(old);
	return nl_merge_send(info, reply, binding, SEEN_CHANGE_FOLD);
}
