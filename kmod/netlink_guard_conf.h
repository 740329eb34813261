/* SPDX-License-Identifier: GPL-2.0 */
/* Parse a guard's parameters from the attributes of a request. */
#ifndef SEEN_NETLINK_GUARD_CONF_H
#define SEEN_NETLINK_GUARD_CONF_H

#include "guard.h"
#include "netlink.h"

/* seen_nl_guard_parse() - of SEEN_CMD_GUARD_ADD, but for lists; 0, or an error with a text */
int seen_nl_guard_parse(struct genl_info *info, struct seen_guard_config *config);

/* seen_nl_guard_parse_changes() - what changes live; the rest of @config stays */
int seen_nl_guard_parse_changes(struct genl_info *info,
				struct seen_guard_config *config);

/* seen_nl_guard_parse_paused() - @config->paused, if the request has it */
void seen_nl_guard_parse_paused(struct genl_info *info,
				struct seen_guard_config *config);

/* seen_nl_guard_parse_lists() - conditions and protected ports; @lists is zero before */
int seen_nl_guard_parse_lists(struct genl_info *info,
			      const struct seen_guard_config *config,
			      struct seen_guard_lists *lists);

/**
 * seen_nl_guard_parse_exempts() - the groups of a request, for kfree()
 * @info: the request
 * @config: of the guard, as the request leaves it
 *
 * Return: NULL if the request has no groups, or ERR_PTR with a text.
 */
struct seen_exempts *seen_nl_guard_parse_exempts(struct genl_info *info,
						 const struct seen_guard_config *config);
/* seen_nl_guard_parse_protect() - the same of the ports that are never blocked */
struct seen_protect *seen_nl_guard_parse_protect(struct genl_info *info,
						 const struct seen_guard_config *config);

#endif
