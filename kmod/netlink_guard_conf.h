/* SPDX-License-Identifier: GPL-2.0 */
/* Parse a guard's parameters from the attributes of a request. */
#ifndef SEEN_NETLINK_GUARD_CONF_H
#define SEEN_NETLINK_GUARD_CONF_H

#include "guard.h"
#include "netlink.h"

/* seen_nl_guard_parse() - parse SEEN_CMD_GUARD_ADD, except lists; 0, or error with a text */
int seen_nl_guard_parse(struct genl_info *info, struct seen_guard_config *config);

/* seen_nl_guard_parse_changes() - parse what GUARD_SET can change; the rest of @config stays */
int seen_nl_guard_parse_changes(struct genl_info *info,
				struct seen_guard_config *config);

/* seen_nl_guard_parse_paused() - set @config->paused if the request has the attribute */
void seen_nl_guard_parse_paused(struct genl_info *info,
				struct seen_guard_config *config);

/* seen_nl_guard_parse_lists() - parse conditions and protected ports; caller zeroes @lists */
int seen_nl_guard_parse_lists(struct genl_info *info,
			      const struct seen_guard_config *config,
			      struct seen_guard_lists *lists);

/*
 * seen_nl_trail_parse(), _parse_ports() - parse SEEN_A_GUARD_TRAIL, if it is there: its
 * parameters for a guard with @config, and its ports; caller zeroes @trail and @ports
 */
int seen_nl_trail_parse(struct genl_info *info, const struct seen_guard_config *config,
			struct seen_trail_config *trail);
int seen_nl_trail_parse_ports(struct genl_info *info, struct seen_trail_ports *ports);
/* seen_nl_trail_put() - put SEEN_A_GUARD_TRAIL, if frames have trails; 0 or -EMSGSIZE */
int seen_nl_trail_put(struct sk_buff *skb, const struct seen_guard *guard);

/**
 * seen_nl_guard_parse_exempts() - parse the control groups of a request
 * @info: the request
 * @config: parameters of the guard, with the changes of the request
 *
 * Return: the groups, to be freed by kfree(); NULL: the request does not change them; or
 * ERR_PTR with a text.
 */
struct seen_exempts *seen_nl_guard_parse_exempts(struct genl_info *info,
						 const struct seen_guard_config *config);
/* seen_nl_guard_parse_protect() - the same for the ports that are never blocked */
struct seen_protect *seen_nl_guard_parse_protect(struct genl_info *info,
						 const struct seen_guard_config *config);

#endif
