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

/**
 * seen_profile_check_owned() - refuse a change of a filter that belongs to guards
 * @binding: the filter, its namespace's lock held
 * @word: name of the attribute that names the filter, for the error text
 * @rest: end of the error text; @word and @rest together have at most 29 characters, because
 *        the kernel truncates a text after 79
 * @extack: receives the text of an error, which names the guard
 *
 * Return: 0 or -EBUSY.
 */
int seen_profile_check_owned(const struct seen_binding *binding, const char *word,
			     const char *rest, struct netlink_ext_ack *extack);

#endif
