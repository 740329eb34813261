// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "client.h"
#include "reserved.h"

/* Enough for all arrays of struct seen_guard_config full, two more names, and numbers. */
#define REQUEST_BYTES	16384

static int put_id(struct nl_msg *msg, const struct seen_guard_id *id)
{
	NLA_PUT_U32(msg, SEEN_A_GUARD_KIND, id->kind);
	if (id->hook)
		NLA_PUT_U32(msg, SEEN_A_GUARD_HOOK, id->hook);
	NLA_PUT_STRING(msg, SEEN_A_GUARD_DEV, id->dev);
	return 0;

nla_put_failure:
	return -NLE_NOMEM;
}

static int put_given(struct nl_msg *msg, const struct seen_guard_config *config,
		     int attr, uint32_t value)
{
	return config->given & (1ULL << attr) ? nla_put_u32(msg, attr, value)
					      : 0;
}

static size_t address_bytes(int family)
{
	return family == AF_INET ? 4 : 16;
}

static int guard_put_prefix(struct nl_msg *msg, int attr, const void *address,
			    size_t size, uint8_t len)
{
	struct nlattr *nest = nla_nest_start(msg, attr);

	if (!nest || nla_put(msg, SEEN_A_PREFIX_ADDRESS, size, address) ||
	    nla_put_u8(msg, SEEN_A_PREFIX_LEN, len))
		return -NLE_NOMEM;
	return nla_nest_end(msg, nest);
}

static int guard_put_prefixes(struct nl_msg *msg, int attr,
			      const struct seen_prefixes *prefixes)
{
	for (uint32_t i = 0; i < prefixes->count; i++) {
		const struct seen_prefix *prefix = &prefixes->prefix[i];

		if (guard_put_prefix(msg, attr, prefix->address,
				     address_bytes(prefix->family), prefix->len))
			return -NLE_NOMEM;
	}
	return 0;
}

static int guard_put_range(struct nl_msg *msg, const struct seen_port_range *range)
{
	struct nlattr *nest = nla_nest_start(msg, SEEN_A_GUARD_UDP);

	if (!nest || nla_put_u16(msg, SEEN_A_RANGE_FIRST, range->first) ||
	    nla_put_u16(msg, SEEN_A_RANGE_LAST, range->last))
		return -NLE_NOMEM;
	return nla_nest_end(msg, nest);
}

static int put_conditions(struct nl_msg *msg,
			  const struct seen_guard_config *config)
{
	for (uint32_t i = 0; i < config->udps; i++)
		if (guard_put_range(msg, &config->udp[i]))
			return -NLE_NOMEM;
	if (guard_put_prefixes(msg, SEEN_A_GUARD_SRC, &config->src) ||
	    guard_put_prefixes(msg, SEEN_A_GUARD_DST, &config->dst))
		return -NLE_NOMEM;
	return 0;
}

/* Does the request empty a list? Only GUARD_SET can: the lists of a new guard are empty. */
static bool guard_empties(enum seen_cmd cmd, const struct seen_guard_config *config,
			  int attr, uint32_t count)
{
	return cmd == SEEN_CMD_GUARD_SET && !count && config->given & (1ULL << attr);
}

/* An empty list is sent as a group of 0 bits. */
static int guard_put_exempts(struct nl_msg *msg, enum seen_cmd cmd,
			     const struct seen_guard_config *config)
{
	static const struct seen_group none;
	uint32_t count = config->exempts;

	if (guard_empties(cmd, config, SEEN_A_GUARD_EXEMPT, count))
		count = 1;
	for (uint32_t i = 0; i < count; i++) {
		const struct seen_group *group =
			config->exempts ? &config->exempt[i] : &none;

		if (guard_put_prefix(msg, SEEN_A_GUARD_EXEMPT, group->addr,
				     sizeof(group->addr), group->bits))
			return -NLE_NOMEM;
	}
	return 0;
}

/* An empty list is sent as an empty name. */
static int put_protects(struct nl_msg *msg, enum seen_cmd cmd,
			const struct seen_guard_config *config)
{
	if (guard_empties(cmd, config, SEEN_A_GUARD_PROTECT, config->protects))
		NLA_PUT_STRING(msg, SEEN_A_GUARD_PROTECT, "");
	for (uint32_t i = 0; i < config->protects; i++)
		NLA_PUT_STRING(msg, SEEN_A_GUARD_PROTECT, config->protect[i]);
	return 0;

nla_put_failure:
	return -NLE_NOMEM;
}

static int put_given_ns(struct nl_msg *msg,
			const struct seen_guard_config *config, int attr,
			uint64_t ns)
{
	if (config->given & (1ULL << attr))
		NLA_PUT_U64(msg, attr, ns);
	return 0;

nla_put_failure:
	return -NLE_NOMEM;
}

static int guard_put_trail_port(struct nl_msg *msg, const struct seen_trail_port *port)
{
	struct nlattr *nest = nla_nest_start(msg, SEEN_A_TRAIL_PORT);

	if (!nest || nla_put_string(msg, SEEN_A_ROLE_NAME, port->name) ||
	    (port->segment && nla_put_u32(msg, SEEN_A_ROLE_SEGMENT, port->segment)))
		return -NLE_NOMEM;
	return nla_nest_end(msg, nest);
}

static int guard_put_trail(struct nl_msg *msg, const struct seen_trail_config *trail)
{
	struct nlattr *nest;

	if (!trail->mode)
		return 0;
	nest = nla_nest_start(msg, SEEN_A_GUARD_TRAIL);
	if (!nest || nla_put_u32(msg, SEEN_A_TRAIL_MODE, trail->mode) ||
	    (trail->bits && nla_put_u32(msg, SEEN_A_TRAIL_BITS, trail->bits)) ||
	    (trail->most && nla_put_u32(msg, SEEN_A_TRAIL_MOST, trail->most)) ||
	    (trail->has_node && nla_put_u64(msg, SEEN_A_TRAIL_NODE, trail->node)) ||
	    (trail->auth && nla_put_flag(msg, SEEN_A_TRAIL_AUTH)))
		return -NLE_NOMEM;
	for (uint32_t i = 0; i < trail->ports; i++)
		if (guard_put_trail_port(msg, &trail->port[i]))
			return -NLE_NOMEM;
	return nla_nest_end(msg, nest);
}

static int put_config(struct nl_msg *msg, enum seen_cmd cmd,
		      const struct seen_guard_config *config)
{
	if (put_id(msg, &config->id) ||
	    put_given(msg, config, SEEN_A_GUARD_MATCH, config->match) ||
	    put_given(msg, config, SEEN_A_GUARD_VERDICT, config->verdict) ||
	    put_given(msg, config, SEEN_A_GUARD_ACTION, config->action) ||
	    put_given(msg, config, SEEN_A_GUARD_MARK, config->mark) ||
	    put_given(msg, config, SEEN_A_GUARD_PRIORITY, config->priority) ||
	    put_given(msg, config, SEEN_A_GUARD_STORM, config->storm) ||
	    put_given(msg, config, SEEN_A_GUARD_REPEAT, config->repeat) ||
	    put_given(msg, config, SEEN_A_GUARD_SUSPECT, config->suspect) ||
	    put_given_ns(msg, config, SEEN_A_GUARD_BLOCK_FIRST_NS,
			 config->block_first) ||
	    put_given_ns(msg, config, SEEN_A_GUARD_BLOCK_MAX_NS,
			 config->block_max) ||
	    guard_put_exempts(msg, cmd, config) ||
	    put_protects(msg, cmd, config) || put_conditions(msg, config) ||
	    guard_put_trail(msg, &config->trail))
		return -NLE_NOMEM;
	if (config->profile)
		NLA_PUT_U32(msg, SEEN_A_GUARD_PROFILE, config->profile);
	if (config->filter[0])
		NLA_PUT_STRING(msg, SEEN_A_GUARD_FILTER, config->filter);
	if (config->no_block)
		NLA_PUT_FLAG(msg, SEEN_A_GUARD_NO_BLOCK);
	if (config->given & (1ULL << SEEN_A_GUARD_NO_PROBE))
		NLA_PUT_U8(msg, SEEN_A_GUARD_NO_PROBE, config->no_probe);
	if (config->mark_value)
		NLA_PUT_FLAG(msg, SEEN_A_GUARD_MARK_VALUE);
	if (config->paused)
		NLA_PUT_U8(msg, SEEN_A_GUARD_PAUSED, 1);
	return 0;

nla_put_failure:
	return -NLE_NOMEM;
}

static int send_config(struct seen_client *client, enum seen_cmd cmd,
		       const struct seen_guard_config *config, bool replace)
{
	const char *fault = seen_guard_fault(config);
	struct nl_msg *msg;

	if (!fault && config->paused && cmd == SEEN_CMD_GUARD_SET)
		fault = "paused: use seen_guard_pause()";
	if (fault)
		return seen_refuse(client, fault);
	msg = seen_request(client, cmd, NLM_F_ACK, REQUEST_BYTES);
	if (msg && (put_config(msg, cmd, config) ||
		    (replace && nla_put_flag(msg, SEEN_A_GUARD_REPLACE)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, NULL, NULL);
}

int seen_guard_add(struct seen_client *client,
		   const struct seen_guard_config *config)
{
	return send_config(client, SEEN_CMD_GUARD_ADD, config, false);
}

int seen_guard_replace(struct seen_client *client,
		       const struct seen_guard_config *config)
{
	return send_config(client, SEEN_CMD_GUARD_ADD, config, true);
}

int seen_guard_set(struct seen_client *client,
		   const struct seen_guard_config *config)
{
	return send_config(client, SEEN_CMD_GUARD_SET, config, false);
}

int seen_guard_del(struct seen_client *client, const struct seen_guard_id *id)
{
	const struct seen_guard_config config = { .id = *id };

	return send_config(client, SEEN_CMD_GUARD_DEL, &config, false);
}

/* @id: NULL: all guards */
static struct nl_msg *set_request(struct seen_client *client,
				  const struct seen_guard_id *id)
{
	struct nl_msg *msg = seen_request(client, SEEN_CMD_GUARD_SET,
					  NLM_F_ACK, REQUEST_BYTES);

	if (msg && (id ? put_id(msg, id) :
			 nla_put_flag(msg, SEEN_A_GUARD_ALL))) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

int seen_guard_pause(struct seen_client *client, const struct seen_guard_id *id,
		     bool pause)
{
	const char *fault = id ? seen_guard_id_fault(id) : NULL;
	struct nl_msg *msg;

	if (fault)
		return seen_refuse(client, fault);
	msg = set_request(client, id);
	if (msg && nla_put_u8(msg, SEEN_A_GUARD_PAUSED, pause)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, NULL, NULL);
}

int seen_guard_reset(struct seen_client *client, const struct seen_guard_id *id)
{
	const char *fault = id ? seen_guard_id_fault(id) : NULL;
	struct nl_msg *msg;

	if (fault)
		return seen_refuse(client, fault);
	msg = set_request(client, id);
	if (msg && nla_put_flag(msg, SEEN_A_GUARD_RESET)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, NULL, NULL);
}

static void guard_parse_trail_port(struct seen_client *client, struct nlattr *nest,
				   struct seen_trail_config *trail)
{
	struct nlattr *tb[SEEN_A_ROLE_MAX + 1];
	struct seen_trail_port *port;

	if (!seen_fits(client, "trail ports", trail->ports, SEEN_TRAIL_PORTS_ROOM) ||
	    nla_parse_nested(tb, SEEN_A_ROLE_MAX, nest, NULL))
		return;
	port = &trail->port[trail->ports++];
	seen_attr_name(client, tb[SEEN_A_ROLE_NAME], port->name, sizeof(port->name));
	port->segment = seen_attr_u32(tb[SEEN_A_ROLE_SEGMENT]);
}

static void guard_parse_trail(struct seen_client *client, struct nlattr *nest,
			      struct seen_trail_config *trail)
{
	struct nlattr *tb[SEEN_A_TRAIL_MAX + 1], *attr;
	int left;

	if (!nest || nla_parse_nested(tb, SEEN_A_TRAIL_MAX, nest, NULL))
		return;
	trail->mode = seen_attr_u32(tb[SEEN_A_TRAIL_MODE]);
	trail->bits = seen_attr_u32(tb[SEEN_A_TRAIL_BITS]);
	trail->most = seen_attr_u32(tb[SEEN_A_TRAIL_MOST]);
	trail->has_node = tb[SEEN_A_TRAIL_NODE];
	trail->node = seen_attr_u64(tb[SEEN_A_TRAIL_NODE]);
	trail->auth = tb[SEEN_A_TRAIL_AUTH];
	nla_for_each_nested(attr, nest, left)
		if (nla_type(attr) == SEEN_A_TRAIL_PORT)
			guard_parse_trail_port(client, attr, trail);
}

static void parse_config(struct seen_client *client, struct nlattr **tb,
			 struct seen_guard_config *config)
{
	config->id.kind = seen_attr_u32(tb[SEEN_A_GUARD_KIND]);
	config->id.hook = seen_attr_u32(tb[SEEN_A_GUARD_HOOK]);
	seen_attr_name(client, tb[SEEN_A_GUARD_DEV], config->id.dev,
		       sizeof(config->id.dev));
	seen_attr_name(client, tb[SEEN_A_GUARD_FILTER], config->filter,
		       sizeof(config->filter));
	config->profile = seen_attr_u32(tb[SEEN_A_GUARD_PROFILE]);
	config->match = seen_attr_u32(tb[SEEN_A_GUARD_MATCH]);
	config->verdict = seen_attr_u32(tb[SEEN_A_GUARD_VERDICT]);
	config->action = seen_attr_u32(tb[SEEN_A_GUARD_ACTION]);
	config->mark = seen_attr_u32(tb[SEEN_A_GUARD_MARK]);
	config->priority = seen_attr_u32(tb[SEEN_A_GUARD_PRIORITY]);
	config->storm = seen_attr_u32(tb[SEEN_A_GUARD_STORM]);
	config->repeat = seen_attr_u32(tb[SEEN_A_GUARD_REPEAT]);
	config->suspect = seen_attr_u32(tb[SEEN_A_GUARD_SUSPECT]);
	config->block_first = seen_attr_u64(tb[SEEN_A_GUARD_BLOCK_FIRST_NS]);
	config->block_max = seen_attr_u64(tb[SEEN_A_GUARD_BLOCK_MAX_NS]);
	config->no_block = tb[SEEN_A_GUARD_NO_BLOCK];
	config->no_probe = seen_attr_u8(tb[SEEN_A_GUARD_NO_PROBE]);
	config->mark_value = tb[SEEN_A_GUARD_MARK_VALUE];
	guard_parse_trail(client, tb[SEEN_A_GUARD_TRAIL], &config->trail);
}

static void guard_parse_protect(struct seen_client *client, const struct nlattr *attr,
				struct seen_guard_config *config)
{
	if (seen_fits(client, "protected ports", config->protects, SEEN_PROTECT_ROOM))
		seen_attr_name(client, attr, config->protect[config->protects++],
			       IF_NAMESIZE);
}

/* Return: the address of a nest of enum seen_a_prefix, or NULL; its length in *@len */
static const struct nlattr *guard_read_prefix(struct nlattr *nest, uint8_t *len)
{
	struct nlattr *tb[SEEN_A_PREFIX_MAX + 1];

	if (nla_parse_nested(tb, SEEN_A_PREFIX_MAX, nest, NULL))
		return NULL;
	*len = seen_attr_u8(tb[SEEN_A_PREFIX_LEN]);
	return tb[SEEN_A_PREFIX_ADDRESS];
}

static void parse_exempt(struct seen_client *client, struct nlattr *nest,
			 struct seen_guard_config *config)
{
	const struct nlattr *address;
	struct seen_group *group;

	if (!seen_fits(client, "exempt groups", config->exempts, SEEN_EXEMPT_ROOM))
		return;
	group = &config->exempt[config->exempts++];
	address = guard_read_prefix(nest, &group->bits);
	seen_attr_bytes(address, group->addr, sizeof(group->addr));
}

static void guard_parse_udp(struct seen_client *client, struct nlattr *nest,
			    struct seen_guard_config *config)
{
	struct nlattr *tb[SEEN_A_RANGE_MAX + 1];

	if (!seen_fits(client, "UDP ports", config->udps, SEEN_CONDITIONS_ROOM) ||
	    nla_parse_nested(tb, SEEN_A_RANGE_MAX, nest, NULL))
		return;
	config->udp[config->udps++] = (struct seen_port_range){
		.first = seen_attr_u16(tb[SEEN_A_RANGE_FIRST]),
		.last = seen_attr_u16(tb[SEEN_A_RANGE_LAST]),
	};
}

static void guard_parse_prefix(struct seen_client *client, struct nlattr *nest,
			       struct seen_prefixes *prefixes)
{
	const struct nlattr *address;
	struct seen_prefix *prefix;

	if (!seen_fits(client, "addresses", prefixes->count, SEEN_CONDITIONS_ROOM))
		return;
	prefix = &prefixes->prefix[prefixes->count++];
	address = guard_read_prefix(nest, &prefix->len);
	prefix->family = address && nla_len(address) == 4 ? AF_INET : AF_INET6;
	seen_attr_bytes(address, prefix->address, address_bytes(prefix->family));
}

/* Attributes that may be repeated. */
static void guard_parse_lists(struct seen_client *client, struct nlmsghdr *nlh,
			      struct seen_guard_config *config)
{
	struct genlmsghdr *header = genlmsg_hdr(nlh);
	struct nlattr *attr;
	int left;

	nla_for_each_attr(attr, genlmsg_attrdata(header, 0),
			  genlmsg_attrlen(header, 0), left)
		switch (nla_type(attr)) {
		case SEEN_A_GUARD_PROTECT:
			guard_parse_protect(client, attr, config);
			break;
		case SEEN_A_GUARD_EXEMPT:
			parse_exempt(client, attr, config);
			break;
		case SEEN_A_GUARD_UDP:
			guard_parse_udp(client, attr, config);
			break;
		case SEEN_A_GUARD_SRC:
			guard_parse_prefix(client, attr, &config->src);
			break;
		case SEEN_A_GUARD_DST:
			guard_parse_prefix(client, attr, &config->dst);
			break;
		}
}

static void parse_findings(struct seen_client *client, struct nlmsghdr *nlh,
			   struct seen_guard_info *guard)
{
	struct genlmsghdr *header = genlmsg_hdr(nlh);
	struct nlattr *attr;
	int left;

	nla_for_each_attr(attr, genlmsg_attrdata(header, 0),
			  genlmsg_attrlen(header, 0), left)
		if (nla_type(attr) == SEEN_A_GUARD_FINDING &&
		    seen_fits(client, "findings", guard->findings, SEEN_FINDINGS_ROOM))
			seen_finding_parse(client, attr,
					   &guard->finding[guard->findings++]);
}

int seen_guard_parse(struct seen_client *client, struct nlmsghdr *nlh,
		     struct seen_guard_info *guard)
{
	struct nlattr *tb[SEEN_A_GUARD_MAX + 1];

	if (genlmsg_parse(nlh, 0, tb, SEEN_A_GUARD_MAX, NULL))
		return -EPROTO;
	parse_config(client, tb, &guard->config);
	guard->id = seen_attr_u32(tb[SEEN_A_GUARD_ID]);
	guard->filter_id = seen_attr_u32(tb[SEEN_A_GUARD_FILTER_ID]);
	guard->state = seen_attr_u32(tb[SEEN_A_GUARD_STATE]);
	guard->paused = seen_attr_u8(tb[SEEN_A_GUARD_PAUSED]);
	guard->ifindex = seen_attr_u32(tb[SEEN_A_GUARD_IFINDEX]);
	guard->same = seen_attr_u64(tb[SEEN_A_GUARD_SAME_NS]);
	guard->other = seen_attr_u64(tb[SEEN_A_GUARD_OTHER_NS]);
	guard_parse_lists(client, nlh, &guard->config);
	parse_findings(client, nlh, guard);
	return 0;
}
