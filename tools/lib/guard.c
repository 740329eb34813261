// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"

/* SEEN_PROTECT_MAX names, groups, the conditions, two more names, and numbers. */
#define REQUEST_BYTES	4096
/* Bytes of the longest address and of its length. */
#define PREFIX_BYTES	17

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

static int guard_put_prefixes(struct nl_msg *msg, int attr,
			      const struct seen_prefixes *prefixes)
{
	uint8_t bytes[PREFIX_BYTES];

	for (uint32_t i = 0; i < prefixes->count; i++) {
		const struct seen_prefix *prefix = &prefixes->prefix[i];
		size_t size = address_bytes(prefix->family);

		memcpy(bytes, prefix->address, size);
		bytes[size] = prefix->len;
		NLA_PUT(msg, attr, size + 1, bytes);
	}
	return 0;

nla_put_failure:
	return -NLE_NOMEM;
}

static int put_conditions(struct nl_msg *msg,
			  const struct seen_guard_config *config)
{
	for (uint32_t i = 0; i < config->udps; i++)
		NLA_PUT_U32(msg, SEEN_A_GUARD_UDP,
			    (uint32_t)config->udp[i].first << 16 |
			    config->udp[i].last);
	if (guard_put_prefixes(msg, SEEN_A_GUARD_SRC, &config->src) ||
	    guard_put_prefixes(msg, SEEN_A_GUARD_DST, &config->dst))
		return -NLE_NOMEM;
	return 0;

nla_put_failure:
	return -NLE_NOMEM;
}

/* None, if it is given, is a group of no bits. */
static int guard_put_exempts(struct nl_msg *msg,
			     const struct seen_guard_config *config)
{
	uint8_t bytes[7] = {};

	if (!(config->given & (1ULL << SEEN_A_GUARD_EXEMPT)))
		return 0;
	if (!config->exempts)
		NLA_PUT(msg, SEEN_A_GUARD_EXEMPT, sizeof(bytes), bytes);
	for (uint32_t i = 0; i < config->exempts; i++) {
		memcpy(bytes, config->exempt[i].addr, 6);
		bytes[6] = config->exempt[i].bits;
		NLA_PUT(msg, SEEN_A_GUARD_EXEMPT, sizeof(bytes), bytes);
	}
	return 0;

nla_put_failure:
	return -NLE_NOMEM;
}

/* None, if the list is given, is an empty name. */
static int put_protects(struct nl_msg *msg,
			const struct seen_guard_config *config)
{
	if (!config->protects &&
	    config->given & (1ULL << SEEN_A_GUARD_PROTECT))
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

static int put_config(struct nl_msg *msg,
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
	    guard_put_exempts(msg, config) || put_protects(msg, config) ||
	    put_conditions(msg, config))
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
		       const struct seen_guard_config *config)
{
	struct nl_msg *msg = seen_request(client, cmd, NLM_F_ACK,
					  REQUEST_BYTES);

	if (msg && put_config(msg, config)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, NULL, NULL);
}

int seen_guard_add(struct seen_client *client,
		   const struct seen_guard_config *config)
{
	return send_config(client, SEEN_CMD_GUARD_ADD, config);
}

int seen_guard_set(struct seen_client *client,
		   const struct seen_guard_config *config)
{
	return send_config(client, SEEN_CMD_GUARD_SET, config);
}

int seen_guard_del(struct seen_client *client, const struct seen_guard_id *id)
{
	const struct seen_guard_config config = { .id = *id };

	return send_config(client, SEEN_CMD_GUARD_DEL, &config);
}

/* @id: NULL: all of them */
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
	struct nl_msg *msg = set_request(client, id);

	if (msg && nla_put_u8(msg, SEEN_A_GUARD_PAUSED, pause)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, NULL, NULL);
}

int seen_guard_reset(struct seen_client *client, const struct seen_guard_id *id)
{
	struct nl_msg *msg = set_request(client, id);

	if (msg && nla_put_flag(msg, SEEN_A_GUARD_RESET)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, NULL, NULL);
}

static int parse_port(struct nlattr *nest, struct seen_guard_info *guard)
{
	struct nlattr *tb[SEEN_A_PORT_MAX + 1];
	struct seen_port_info *port;

	if (nla_parse_nested(tb, SEEN_A_PORT_MAX, nest, NULL))
		return -EPROTO;
	port = seen_grow((void **)&guard->port, &guard->ports, sizeof(*port));
	if (!port)
		return -ENOMEM;
	seen_attr_text(tb[SEEN_A_PORT_NAME], port->name, sizeof(port->name));
	port->ifindex = seen_attr_u32(tb[SEEN_A_PORT_IFINDEX]);
	port->self = tb[SEEN_A_PORT_SELF];
	port->protect = tb[SEEN_A_PORT_PROTECTED];
	port->suspended = tb[SEEN_A_PORT_SUSPENDED];
	port->gro = tb[SEEN_A_PORT_GRO];
	port->offloaded = tb[SEEN_A_PORT_OFFLOADED];
	port->alarm = seen_attr_u32(tb[SEEN_A_PORT_ALARM]);
	port->blocked = tb[SEEN_A_PORT_BLOCKED_SINCE];
	port->has_last = tb[SEEN_A_PORT_LAST];
	if (port->has_last)
		seen_dup_parse(tb[SEEN_A_PORT_LAST], &port->last);
	port->has_last_other = tb[SEEN_A_PORT_LAST_OTHER];
	if (port->has_last_other)
		seen_dup_parse(tb[SEEN_A_PORT_LAST_OTHER], &port->last_other);
	seen_attr_text(tb[SEEN_A_PORT_PEER], port->peer, sizeof(port->peer));
	for (int i = 0; i <= SEEN_A_PORT_MAX; i++)
		port->count[i] = seen_attr_u64(tb[i]);
	return 0;
}

static void parse_config(struct nlattr **tb, struct seen_guard_config *config)
{
	config->id.kind = seen_attr_u32(tb[SEEN_A_GUARD_KIND]);
	config->id.hook = seen_attr_u32(tb[SEEN_A_GUARD_HOOK]);
	seen_attr_text(tb[SEEN_A_GUARD_DEV], config->id.dev,
		       sizeof(config->id.dev));
	seen_attr_text(tb[SEEN_A_GUARD_FILTER], config->filter,
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
}

static void guard_parse_protect(const struct nlattr *attr,
				struct seen_guard_config *config)
{
	if (config->protects < SEEN_PROTECT_MAX)
		seen_attr_text(attr, config->protect[config->protects++],
			       IF_NAMESIZE);
}

static void parse_exempt(struct nlattr *attr, struct seen_guard_config *config)
{
	uint8_t bytes[7] = {};
	struct seen_group *group;

	if (config->exempts == SEEN_EXEMPT_MAX)
		return;
	group = &config->exempt[config->exempts++];
	seen_attr_bytes(attr, bytes, sizeof(bytes));
	memcpy(group->addr, bytes, sizeof(group->addr));
	group->bits = bytes[6];
}

static void guard_parse_udp(const struct nlattr *attr,
			    struct seen_guard_config *config)
{
	uint32_t ports = seen_attr_u32(attr);

	if (config->udps < SEEN_CONDITIONS_MAX)
		config->udp[config->udps++] = (struct seen_port_range){
			.first = ports >> 16, .last = ports,
		};
}

static void guard_parse_prefix(struct nlattr *attr,
			       struct seen_prefixes *prefixes)
{
	size_t size = nla_len(attr) < PREFIX_BYTES ? 4 : 16;
	uint8_t bytes[PREFIX_BYTES] = {};
	struct seen_prefix *prefix;

	if (prefixes->count == SEEN_CONDITIONS_MAX)
		return;
	prefix = &prefixes->prefix[prefixes->count++];
	seen_attr_bytes(attr, bytes, size + 1);
	prefix->family = size == 4 ? AF_INET : AF_INET6;
	prefix->len = bytes[size];
	memcpy(prefix->address, bytes, size);
}

/* What may come more than once. */
static void guard_parse_lists(struct nlmsghdr *nlh,
			      struct seen_guard_config *config)
{
	struct genlmsghdr *header = genlmsg_hdr(nlh);
	struct nlattr *attr;
	int left;

	nla_for_each_attr(attr, genlmsg_attrdata(header, 0),
			  genlmsg_attrlen(header, 0), left)
		switch (nla_type(attr)) {
		case SEEN_A_GUARD_PROTECT:
			guard_parse_protect(attr, config);
			break;
		case SEEN_A_GUARD_EXEMPT:
			parse_exempt(attr, config);
			break;
		case SEEN_A_GUARD_UDP:
			guard_parse_udp(attr, config);
			break;
		case SEEN_A_GUARD_SRC:
			guard_parse_prefix(attr, &config->src);
			break;
		case SEEN_A_GUARD_DST:
			guard_parse_prefix(attr, &config->dst);
			break;
		}
}

static int parse_ports(struct nlmsghdr *nlh, struct seen_guard_info *guard)
{
	struct genlmsghdr *header = genlmsg_hdr(nlh);
	struct nlattr *attr;
	int left, err = 0;

	nla_for_each_attr(attr, genlmsg_attrdata(header, 0),
			  genlmsg_attrlen(header, 0), left) {
		if (nla_type(attr) == SEEN_A_GUARD_PORT)
			err = parse_port(attr, guard);
		if (err)
			return err;
	}
	return 0;
}

static void parse_findings(struct nlmsghdr *nlh, struct seen_guard_info *guard)
{
	struct genlmsghdr *header = genlmsg_hdr(nlh);
	struct nlattr *attr;
	int left;

	nla_for_each_attr(attr, genlmsg_attrdata(header, 0),
			  genlmsg_attrlen(header, 0), left)
		if (nla_type(attr) == SEEN_A_GUARD_FINDING &&
		    guard->findings < SEEN_FINDINGS_MAX)
			seen_finding_parse(attr,
					   &guard->finding[guard->findings++]);
}

struct listing {
	struct seen_guard_info *list;
	size_t count;
};

static bool same_guard(const struct seen_guard_id *a,
		       const struct seen_guard_id *b)
{
	return a->kind == b->kind && a->hook == b->hook &&
	       !strcmp(a->dev, b->dev);
}

/* A guard whose ports do not fit one message goes on in the next. */
static int parse_next(struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_GUARD_MAX + 1];
	struct seen_guard_info *guard, *last;
	struct seen_guard_config config = {};
	struct listing *listing = context;

	if (genlmsg_parse(nlh, 0, tb, SEEN_A_GUARD_MAX, NULL))
		return -EPROTO;
	parse_config(tb, &config);
	last = listing->count ? &listing->list[listing->count - 1] : NULL;
	if (last && same_guard(&last->config.id, &config.id))
		return parse_ports(nlh, last);

	guard = seen_grow((void **)&listing->list, &listing->count,
			  sizeof(*guard));
	if (!guard)
		return -ENOMEM;
	guard->config = config;
	guard->id = seen_attr_u32(tb[SEEN_A_GUARD_ID]);
	guard->state = seen_attr_u32(tb[SEEN_A_GUARD_STATE]);
	guard->paused = seen_attr_u8(tb[SEEN_A_GUARD_PAUSED]);
	guard->ifindex = seen_attr_u32(tb[SEEN_A_GUARD_IFINDEX]);
	guard->same = seen_attr_u64(tb[SEEN_A_GUARD_SAME_NS]);
	guard->other = seen_attr_u64(tb[SEEN_A_GUARD_OTHER_NS]);
	guard_parse_lists(nlh, &guard->config);
	parse_findings(nlh, guard);
	return parse_ports(nlh, guard);
}

void seen_guard_free(struct seen_guard_info *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i].port);
	free(list);
}

int seen_guard_list(struct seen_client *client, struct seen_guard_info **list,
		    size_t *count)
{
	struct listing listing;
	int err;

	do {
		listing = (struct listing){};
		err = seen_transact(client,
				    seen_request(client, SEEN_CMD_GUARD_GET,
						 NLM_F_DUMP, 0),
				    parse_next, &listing);
		if (err)
			seen_guard_free(listing.list, listing.count);
	} while (err == -EAGAIN);
	*list = err ? NULL : listing.list;
	*count = err ? 0 : listing.count;
	return err;
}
