// SPDX-License-Identifier: GPL-2.0
/* The trails of a guard's frames in requests and replies. */
#include "guard.h"
#include "netlink.h"
#include "netlink_guard_conf.h"
#include "netlink_policy.h"

static int nl_trail_read_bits(struct genl_info *info, const struct nlattr *nla,
			      struct seen_trail_config *trail)
{
	u32 bits = nla ? nla_get_u32(nla) : 128;

	if (bits != 128 && bits != 256)
		return seen_nl_refuse(info, nla, "trail-bits: must be 128 or 256");
	trail->wide = bits == 256;
	return 0;
}

/* Trails are for loops of bridges, and need the hook at which a host's own frames leave. */
static int nl_trail_check(struct genl_info *info, const struct seen_guard_config *config)
{
	const struct nlattr *nla = info->attrs[SEEN_A_GUARD_TRAIL];

	if (config->kind != SEEN_GUARD_KIND_BRIDGE || config->verdict != SEEN_VERDICT_LOOP)
		return seen_nl_refuse(info, nla, "trail: needs a bridge guard of profile loop");
	if (!IS_ENABLED(CONFIG_NETFILTER_EGRESS))
		return seen_nl_refuse(info, nla,
				      "trail: needs a kernel with CONFIG_NETFILTER_EGRESS");
	return 0;
}

int seen_nl_trail_parse(struct genl_info *info, const struct seen_guard_config *config,
			struct seen_trail_config *trail)
{
	const struct nlattr *nest = info->attrs[SEEN_A_GUARD_TRAIL];
	struct nlattr *tb[SEEN_A_TRAIL_MAX + 1];
	int err;

	if (!nest)
		return 0;
	err = nl_trail_check(info, config) ?:
	      nla_parse_nested(tb, SEEN_A_TRAIL_MAX, nest, seen_nl_trail_policy, info->extack) ?:
	      nl_trail_read_bits(info, tb[SEEN_A_TRAIL_BITS], trail);
	if (err)
		return err;
	trail->mode = tb[SEEN_A_TRAIL_MODE] ? nla_get_u32(tb[SEEN_A_TRAIL_MODE]) :
		      SEEN_TRAIL_MODE_BOTH;
	trail->most = tb[SEEN_A_TRAIL_MOST] ? nla_get_u32(tb[SEEN_A_TRAIL_MOST]) :
		      SEEN_TRAIL_MOST;
	trail->node = tb[SEEN_A_TRAIL_NODE] ? nla_get_u64(tb[SEEN_A_TRAIL_NODE]) : 0;
	trail->sign = tb[SEEN_A_TRAIL_AUTH];
	return 0;
}

static int nl_trail_read_port(struct genl_info *info, const struct nlattr *nla,
			      struct seen_trail_ports *ports)
{
	struct seen_trail_port *port = &ports->port[ports->count];
	struct nlattr *tb[SEEN_A_ROLE_MAX + 1];
	u32 i;
	int err;

	if (ports->count == SEEN_TRAIL_PORTS_MAX)
		return seen_nl_refuse(info, nla, "port: must be at most 64 ports");
	err = nla_parse_nested(tb, SEEN_A_ROLE_MAX, nla, seen_nl_role_policy,
			       info->extack);
	if (err)
		return err;
	if (NL_REQ_ATTR_CHECK(info->extack, nla, tb, SEEN_A_ROLE_NAME))
		return -EINVAL;
	if (!dev_valid_name(nla_data(tb[SEEN_A_ROLE_NAME])))
		return seen_nl_refuse(info, nla, SEEN_TEXT_DEV("port"));
	strscpy(port->name, nla_data(tb[SEEN_A_ROLE_NAME]), sizeof(port->name));
	port->segment = tb[SEEN_A_ROLE_SEGMENT] ?
			nla_get_u32(tb[SEEN_A_ROLE_SEGMENT]) : 0;
	for (i = 0; i < ports->count; i++)
		if (!strcmp(ports->port[i].name, port->name))
			return seen_nl_refuse(info, nla,
					      "port: has two parts; omit one");
	ports->count++;
	return 0;
}

int seen_nl_trail_parse_ports(struct genl_info *info, struct seen_trail_ports *ports)
{
	const struct nlattr *nest = info->attrs[SEEN_A_GUARD_TRAIL], *nla;
	int rest, err;

	if (!nest)
		return 0;
	nla_for_each_nested(nla, nest, rest) {
		if (nla_type(nla) != SEEN_A_TRAIL_PORT)
			continue;
		err = nl_trail_read_port(info, nla, ports);
		if (err)
			return err;
	}
	return 0;
}

static int nl_trail_put_port(struct sk_buff *skb, const struct seen_trail_port *port)
{
	struct nlattr *nest = nla_nest_start(skb, SEEN_A_TRAIL_PORT);

	if (!nest || nla_put_string(skb, SEEN_A_ROLE_NAME, port->name) ||
	    (port->segment && nla_put_u32(skb, SEEN_A_ROLE_SEGMENT, port->segment)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

int seen_nl_trail_put(struct sk_buff *skb, const struct seen_guard *guard)
{
	const struct seen_trail_config *trail = &guard->config.trail;
	const struct seen_trail_ports *ports = &guard->lists.trail;
	struct nlattr *nest;
	u32 i;

	if (!trail->mode)
		return 0;
	nest = nla_nest_start(skb, SEEN_A_GUARD_TRAIL);
	if (!nest || nla_put_u32(skb, SEEN_A_TRAIL_MODE, trail->mode) ||
	    nla_put_u32(skb, SEEN_A_TRAIL_BITS, trail->wide ? 256 : 128) ||
	    nla_put_u32(skb, SEEN_A_TRAIL_MOST, trail->most) ||
	    nla_put_u64_64bit(skb, SEEN_A_TRAIL_NODE, trail->node, SEEN_A_TRAIL_PAD) ||
	    (trail->sign && nla_put_flag(skb, SEEN_A_TRAIL_AUTH)))
		return -EMSGSIZE;
	for (i = 0; i < ports->count; i++)
		if (nl_trail_put_port(skb, &ports->port[i]))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}
