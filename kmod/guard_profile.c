// SPDX-License-Identifier: GPL-2.0
/*
 * Profiles: verdict, match and filter of a guard under one name.
 *
 * A loop is detected by the ports of one guard, so each loop guard has a filter of its own.
 * Relays and mirrors connect different devices, whose guards share one filter. It is made
 * with the first of these guards and deleted with the last.
 */
#include <linux/random.h>

#include "guard.h"
#include "guard_profile.h"

#define FPP		(SEEN_FPP_ONE / 1000000)

/**
 * struct profile - see above
 * @name: name of the filter, or its beginning
 * @shared: all guards of this profile and hook share the filter
 * @verdict: enum seen_verdict
 * @match: enum seen_match
 * @key: enum seen_key_profile
 * @frames: number of frames, with their ports, that the filter can hold; see core/arrival.h
 * @window: window of the filter in ns
 *
 * packet: 10 Gbit/s of the smallest packets are 744,000 packets in 50 ms. In 50 ms and a
 * tick, at 250 Hz, they are 863,000. The budgets of a port must allow nine eighths of that.
 */
struct profile {
	const char *name;
	bool shared;
	u32 verdict;
	u32 match;
	u32 key;
	u64 frames;
	u64 window;
};

static const struct profile profiles[] = {
	[SEEN_GUARD_PROFILE_LOOP] = {
		.name = "loop",
		.verdict = SEEN_VERDICT_LOOP,
		.match = SEEN_MATCH_BUM,
		.key = SEEN_KEY_PROFILE_FRAME,
		.frames = 65536,
		.window = SEEN_LOOP_OTHER,
	},
	[SEEN_GUARD_PROFILE_RELAY] = {
		.name = "relay",
		.shared = true,
		.verdict = SEEN_VERDICT_OTHER_PORT,
		.match = SEEN_MATCH_BUM,
		.key = SEEN_KEY_PROFILE_RELAY,
		.frames = 65536,
		.window = 2 * NSEC_PER_SEC,
	},
	[SEEN_GUARD_PROFILE_PACKET] = {
		.name = "packet",
		.shared = true,
		.verdict = SEEN_VERDICT_DUP,
		.match = SEEN_MATCH_ALL,
		.key = SEEN_KEY_PROFILE_PACKET,
		.frames = 1 << 20,
		.window = 50 * NSEC_PER_MSEC,
	},
};

void seen_profile_apply(struct seen_guard_config *config)
{
	if (!config->profile) {
		config->verdict = SEEN_VERDICT_DUP;
		config->match = SEEN_MATCH_ALL;
		return;
	}
	config->verdict = profiles[config->profile].verdict;
	config->match = profiles[config->profile].match;
}

static void profile_name_filter(const struct seen_guard_config *config,
				char name[SEEN_NAME_MAX])
{
	const struct profile *profile = &profiles[config->profile];
	const char *dev = profile->shared ? "" : config->dev;

	snprintf(name, SEEN_NAME_MAX, "%s%s%s%s", profile->name,
		 *dev ? "-" : "", dev,
		 config->hook == SEEN_HOOK_EGRESS ? "-egress" : "");
}

static struct seen_filter *profile_create(struct seen_net *sn,
					  const struct profile *profile,
					  struct netlink_ext_ack *extack)
{
	struct seen_filter_config config = {
		.geo = {
			.kind = SEEN_SET_CUCKOO_WINDOW,
			.capacity = profile->frames * 10 / 3 + 1,
			.fpp = FPP,
			.window = profile->window,
		},
		.on_full = SEEN_ON_FULL_EVICT,
	};
	struct seen_filter *filter;

	seen_keyspec_profile(&config.spec, profile->key);
	get_random_bytes(&config.secret, sizeof(config.secret));
	filter = seen_filter_create(sn, &config, false, extack);
	memzero_explicit(&config.secret, sizeof(config.secret));
	return filter;
}

/* The binding of the profile's filter, or NULL if there is no filter. */
static struct seen_binding *profile_find(struct seen_net *sn,
					 const struct seen_guard_config *config)
{
	char name[SEEN_NAME_MAX];
	struct seen_binding *binding;

	profile_name_filter(config, name);
	binding = seen_binding_lookup(sn, name);
	/* Rules may have pinned an empty binding of this name. */
	return binding && seen_binding_filter(binding) ? binding : NULL;
}

struct seen_filter *seen_profile_filter(struct seen_net *sn,
					const struct seen_guard_config *config,
					struct netlink_ext_ack *extack)
{
	bool there;

	lockdep_assert_held(&sn->changes);
	down_read(&sn->lock);
	there = profile_find(sn, config);
	up_read(&sn->lock);
	return there ? NULL : profile_create(sn, &profiles[config->profile], extack);
}

/* @binding has the name, but its filter belongs to a user or to another guard. */
static void profile_refuse(struct seen_net *sn, const struct seen_binding *binding,
			   struct netlink_ext_ack *extack)
{
	const struct seen_guard *guard;

	if (!binding->owned) {
		SEEN_SET_ERR_MSG_FMT(sn, extack,
				     "filter \"%s\" already exists; rename or delete it first",
				     binding->name);
		return;
	}
	guard = list_first_entry(&binding->pins, struct seen_guard, pin.list);
	SEEN_SET_ERR_MSG_FMT(sn, extack, "filter \"%s\" exists; delete guard %s %s first",
			     binding->name,
			     guard->config.kind == SEEN_GUARD_KIND_BRIDGE ? "bridge" : "dev",
			     guard->config.dev);
}

int seen_profile_check_owned(const struct seen_binding *binding, const char *word,
			     const char *rest, struct netlink_ext_ack *extack)
{
	const struct seen_guard *guard;

	lockdep_assert_held(&binding->sn->lock);
	if (!binding->owned)
		return 0;
	if (binding->guards > 1) {
		SEEN_SET_ERR_MSG_FMT(binding->sn, extack, "%s: belongs to %u guards%s", word,
				     binding->guards, rest);
		return -EBUSY;
	}
	guard = list_first_entry(&binding->pins, struct seen_guard, pin.list);
	SEEN_SET_ERR_MSG_FMT(binding->sn, extack, "%s: belongs to guard %s %s%s%s", word,
			     guard->config.kind == SEEN_GUARD_KIND_BRIDGE ? "bridge" : "dev",
			     guard->config.dev,
			     guard->config.hook == SEEN_HOOK_EGRESS ? " hook egress" : "",
			     rest);
	return -EBUSY;
}

struct seen_binding *seen_profile_binding(struct seen_net *sn,
					  const struct seen_guard_config *config,
					  struct seen_filter **filter,
					  struct netlink_ext_ack *extack)
{
	const struct profile *profile = &profiles[config->profile];
	struct seen_binding *binding = profile_find(sn, config);
	char name[SEEN_NAME_MAX];

	lockdep_assert_held_write(&sn->lock);
	if (!binding) {
		profile_name_filter(config, name);
		binding = seen_binding_add(sn, name, *filter, true, extack);
		if (!IS_ERR(binding))
			*filter = NULL;
		return binding;
	}
	if (binding->owned && profile->shared)
		return binding;
	profile_refuse(sn, binding, extack);
	return ERR_PTR(-EEXIST);
}
