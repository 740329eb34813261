/* SPDX-License-Identifier: GPL-2.0 */
/* The filters that come with profiles loop, relay and packet. */
#ifndef SEEN_GUARD_PROFILE_H
#define SEEN_GUARD_PROFILE_H

#include "binding.h"
#include "guard_conf.h"

/**
 * seen_profile_filter() - the filter that comes with a profile, not published
 * @sn: the namespace, its changes held, and no other lock: it may be large
 * @config: of the guard, with a profile
 * @extack: why not
 *
 * Return: the filter; NULL: there is one of its name; or ERR_PTR.
 */
struct seen_filter *seen_profile_filter(struct seen_net *sn,
					const struct seen_guard_config *config,
					struct netlink_ext_ack *extack);

/**
 * seen_profile_binding() - publish it, or find the one that guards share
 * @sn: the namespace, its lock held for writing
 * @config: as there
 * @filter: from there, its changes still held; NULL from when it is published
 * @extack: why not
 *
 * Return: the binding or ERR_PTR.
 */
struct seen_binding *seen_profile_binding(struct seen_net *sn,
					  const struct seen_guard_config *config,
					  struct seen_filter **filter,
					  struct netlink_ext_ack *extack);

#endif
