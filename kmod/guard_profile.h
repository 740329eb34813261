/* SPDX-License-Identifier: GPL-2.0 */
/* The filters of profiles loop, relay and packet. */
#ifndef SEEN_GUARD_PROFILE_H
#define SEEN_GUARD_PROFILE_H

#include "binding.h"
#include "guard_conf.h"

/**
 * seen_profile_filter() - create the filter of a profile, not published yet
 * @sn: the namespace, its changes held, but no other lock, since the table may be large
 * @config: parameters of the guard, with a profile
 * @extack: receives the text of an error
 *
 * Return: the filter; NULL: a filter with its name exists; or ERR_PTR.
 */
struct seen_filter *seen_profile_filter(struct seen_net *sn,
					const struct seen_guard_config *config,
					struct netlink_ext_ack *extack);

/**
 * seen_profile_binding() - publish the filter of a profile, or find the one that guards share
 * @sn: the namespace, its lock held for writing
 * @config: parameters of the guard, with a profile
 * @filter: from seen_profile_filter(), @sn->changes held since then. Set to NULL when it is
 *          published
 * @extack: receives the text of an error
 *
 * Return: the binding or ERR_PTR.
 */
struct seen_binding *seen_profile_binding(struct seen_net *sn,
					  const struct seen_guard_config *config,
					  struct seen_filter **filter,
					  struct netlink_ext_ack *extack);

#endif
