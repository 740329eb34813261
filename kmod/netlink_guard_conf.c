// SPDX-License-Identifier: GPL-2.0
/* Parse a guard's parameters from the attributes of a request. */
#include <linux/etherdevice.h>
#include <linux/slab.h>

#include "guard_port.h"
#include "guard_profile.h"
#include "limit.h"
#include "netlink.h"
#include "netlink_guard_conf.h"
#include "netlink_policy.h"

/* *value is the default, and stays if the request does not have the attribute. */
static void nl_conf_get_u32(struct genl_info *info, int attr, u32 *value)
{
	if (info->attrs[attr])
		*value = nla_get_u32(info->attrs[attr]);
}

/* Kind, device and hook. */
static int nl_conf_parse_id(struct genl_info *info, struct seen_guard_config *config)
{
	const struct nlattr *dev = info->attrs[SEEN_A_GUARD_DEV];

	if (GENL_REQ_ATTR_CHECK(info, SEEN_A_GUARD_KIND) ||
	    GENL_REQ_ATTR_CHECK(info, SEEN_A_GUARD_DEV))
		return -EINVAL;
	if (!dev_valid_name(nla_data(dev))) {
		NL_SET_ERR_MSG_ATTR(info->extack, dev, SEEN_TEXT_DEV("dev"));
		return -EINVAL;
	}
	strscpy(config->dev, nla_data(dev), sizeof(config->dev));
	config->kind = nla_get_u32(info->attrs[SEEN_A_GUARD_KIND]);
	config->hook = SEEN_HOOK_INGRESS;
	nl_conf_get_u32(info, SEEN_A_GUARD_HOOK, &config->hook);
	return 0;
}

static int nl_conf_refuse(struct genl_info *info, int attr, const char *msg)
{
	return seen_nl_refuse(info, info->attrs[attr], msg);
}

static int nl_conf_parse_verdict(struct genl_info *info,
				 struct seen_guard_config *config)
{
	u32 verdict;

	nl_conf_get_u32(info, SEEN_A_GUARD_PROFILE, &config->profile);
	seen_profile_apply(config);
	verdict = config->verdict;
	nl_conf_get_u32(info, SEEN_A_GUARD_VERDICT, &verdict);
	if (config->profile && verdict != config->verdict)
		return nl_conf_refuse(info, SEEN_A_GUARD_VERDICT,
				      "verdict: contradicts profile; omit one of the two");
	if (verdict == SEEN_VERDICT_LOOP) {
		config->profile = SEEN_GUARD_PROFILE_LOOP;
		seen_profile_apply(config);
	}
	config->verdict = verdict;
	return 0;
}

/* The action if the request does not give it: count, except for verdict loop. */
static u32 nl_conf_default_action(const struct seen_guard_config *config)
{
	if (config->verdict != SEEN_VERDICT_LOOP)
		return SEEN_ACTION_COUNT;
	return config->kind == SEEN_GUARD_KIND_BRIDGE ? SEEN_ACTION_BLOCK
						 : SEEN_ACTION_DROP;
}

static int nl_conf_parse_mark(struct genl_info *info, struct seen_guard_config *config)
{
	const struct nlattr *value = info->attrs[SEEN_A_GUARD_MARK_VALUE];
	const struct nlattr *mark = info->attrs[SEEN_A_GUARD_MARK];

	if (mark && value)
		return nl_conf_refuse(info, SEEN_A_GUARD_MARK_VALUE,
				      "mark-value: contradicts mark; omit one of the two");
	if (value && config->action != SEEN_ACTION_MARK)
		return nl_conf_refuse(info, SEEN_A_GUARD_MARK_VALUE,
				      "mark-value: needs action mark");
	if (mark && config->action != SEEN_ACTION_MARK)
		return nl_conf_refuse(info, SEEN_A_GUARD_MARK,
				      "mark: needs action mark");
	if (mark || value) {
		/* Packets that are being processed may still get the old mark. */
		if (mark)
			config->mark = nla_get_u32(mark);
		config->mark_value = value;
	} else if (info->attrs[SEEN_A_GUARD_ACTION] &&
		   config->action == SEEN_ACTION_MARK) {
		return nl_conf_refuse(info, SEEN_A_GUARD_ACTION, "mark: required, or mark-value");
	}
	return 0;
}

/* no-block means action drop instead of action block. */
static int nl_conf_parse_no_block(struct genl_info *info,
				  struct seen_guard_config *config)
{
	static const char *const contradicts[] = {
		[SEEN_ACTION_COUNT] = "no-block: contradicts action count; omit one of the two",
		[SEEN_ACTION_MARK] = "no-block: contradicts action mark; omit one of the two",
		[SEEN_ACTION_BLOCK] = "no-block: contradicts action block; omit one of the two",
	};

	if (!info->attrs[SEEN_A_GUARD_NO_BLOCK])
		return 0;
	/* Not seen_guard_may_block(): drop also works in a kernel without egress hooks. */
	if (config->kind != SEEN_GUARD_KIND_BRIDGE ||
	    config->verdict != SEEN_VERDICT_LOOP)
		return nl_conf_refuse(info, SEEN_A_GUARD_NO_BLOCK,
				      "no-block: needs a bridge guard of profile loop");
	if (info->attrs[SEEN_A_GUARD_ACTION] && config->action != SEEN_ACTION_DROP)
		return nl_conf_refuse(info, SEEN_A_GUARD_NO_BLOCK, contradicts[config->action]);
	config->action = SEEN_ACTION_DROP;
	return 0;
}

/* @config->action and @config->mark are the defaults for attributes that are not given. */
static int nl_conf_parse_action(struct genl_info *info,
				struct seen_guard_config *config)
{
	nl_conf_get_u32(info, SEEN_A_GUARD_ACTION, &config->action);
	return nl_conf_parse_no_block(info, config) ?: nl_conf_parse_mark(info, config);
}

void seen_nl_guard_parse_paused(struct genl_info *info,
				struct seen_guard_config *config)
{
	if (info->attrs[SEEN_A_GUARD_PAUSED])
		config->paused = nla_get_u8(info->attrs[SEEN_A_GUARD_PAUSED]);
}

/* An empty name is not a port. A request with only an empty name clears the list. */
static int nl_conf_parse_protect(struct genl_info *info,
				 const struct seen_guard_config *config,
				 struct seen_protect *protect)
{
	const struct nlattr *nla;
	int rest;

	nlmsg_for_each_attr(nla, info->nlhdr, GENL_HDRLEN, rest) {
		if (nla_type(nla) != SEEN_A_GUARD_PROTECT ||
		    !*(const char *)nla_data(nla))
			continue;
		if (config->action != SEEN_ACTION_BLOCK &&
		    !(config->action == SEEN_ACTION_COUNT &&
		      seen_guard_may_block(config)))
			return nl_conf_refuse(info, SEEN_A_GUARD_PROTECT,
					      "protect: needs a bridge guard of profile loop with action block or count");
		if (!dev_valid_name(nla_data(nla)))
			return nl_conf_refuse(info, SEEN_A_GUARD_PROTECT,
					      SEEN_TEXT_DEV("protect"));
		if (protect->count == SEEN_PROTECT_MAX)
			return nl_conf_refuse(info, SEEN_A_GUARD_PROTECT,
					      "protect: must be at most 64 ports");
		strscpy(protect->name[protect->count++], nla_data(nla),
			IFNAMSIZ);
	}
	return 0;
}

static int nl_conf_parse_repeat(struct genl_info *info,
				struct seen_guard_config *config)
{
	const struct nlattr *nla = info->attrs[SEEN_A_GUARD_REPEAT];

	if (!nla)
		return 0;
	if (config->verdict != SEEN_VERDICT_LOOP)
		return nl_conf_refuse(info, SEEN_A_GUARD_REPEAT,
				      "repeat: needs profile loop");
	config->repeat = nla_get_u32(nla);
	return 0;
}

static int nl_conf_parse_suspect(struct genl_info *info,
				 struct seen_guard_config *config)
{
	const struct nlattr *nla = info->attrs[SEEN_A_GUARD_SUSPECT];

	if (!nla)
		return 0;
	if (!seen_guard_may_block(config))
		return nl_conf_refuse(info, SEEN_A_GUARD_SUSPECT,
				      "suspect: needs a bridge guard of profile loop");
	config->suspect = nla_get_u32(nla);
	return 0;
}

static void nl_conf_parse_block_time(struct genl_info *info, int attr, u64 *time)
{
	if (info->attrs[attr])
		*time = nla_get_u64(info->attrs[attr]);
}

static int nl_conf_parse_block_times(struct genl_info *info,
				     struct seen_guard_config *config)
{
	int attr = info->attrs[SEEN_A_GUARD_BLOCK_MAX_NS] ?
		   SEEN_A_GUARD_BLOCK_MAX_NS : SEEN_A_GUARD_BLOCK_FIRST_NS;

	if (info->attrs[attr] && !seen_guard_may_block(config))
		return nl_conf_refuse(info, attr, attr == SEEN_A_GUARD_BLOCK_MAX_NS ?
				      "block-max: needs a bridge guard of profile loop" :
				      "block-first: needs a bridge guard of profile loop");
	nl_conf_parse_block_time(info, SEEN_A_GUARD_BLOCK_FIRST_NS, &config->block_first);
	nl_conf_parse_block_time(info, SEEN_A_GUARD_BLOCK_MAX_NS, &config->block_max);
	if (config->block_first > config->block_max)
		return nl_conf_refuse(info, attr,
				      "block-first: must not be longer than block-max");
	return 0;
}

static int nl_conf_parse_no_probe(struct genl_info *info,
				  struct seen_guard_config *config)
{
	const struct nlattr *nla = info->attrs[SEEN_A_GUARD_NO_PROBE];

	if (!nla)
		return 0;
	if (!seen_guard_may_block(config))
		return nl_conf_refuse(info, SEEN_A_GUARD_NO_PROBE,
				      "no-probe: needs a bridge guard of profile loop");
	config->no_probe = nla_get_u8(nla);
	return 0;
}

/* Does the group contain the broadcast address? If that were exempt, no loop would be found. */
static bool nl_conf_has_broadcast(u64 addr, u32 bits)
{
	return bits && !((~addr & (U64_MAX >> 16)) >> (48 - bits));
}

static int nl_conf_check_group(struct genl_info *info, const struct nlattr *nla,
			       const u8 *addr, const struct seen_group *group)
{
	const char *wrong = NULL;

	if (!is_multicast_ether_addr(addr))
		wrong = "exempt: must be a multicast address";
	else if (group->bits < 8)
		wrong = "exempt: prefix length must be 8 to 48";
	else if (nl_conf_has_broadcast(ether_addr_to_u64(group->addr), group->bits))
		wrong = "exempt: must not contain the broadcast address";
	return wrong ? seen_nl_refuse(info, nla, wrong) : 0;
}

static int nl_conf_read_group(struct genl_info *info, const struct nlattr *nla,
			      struct seen_group *group)
{
	struct nlattr *tb[SEEN_A_PREFIX_MAX + 1];
	const u8 *addr;
	int err;

	err = seen_nl_prefix_parse(info, nla, seen_nl_group_policy, tb);
	if (err)
		return err;
	addr = nla_data(tb[SEEN_A_PREFIX_ADDRESS]);
	group->bits = nla_get_u8(tb[SEEN_A_PREFIX_LEN]);
	u64_to_ether_addr(ether_addr_to_u64(addr) & ~(U64_MAX >> 16 >> group->bits),
			  group->addr);
	return group->bits ? nl_conf_check_group(info, nla, addr, group) : 0;
}

/* A group of 0 bits is not a group. A request with only such a group clears the list. */
static int nl_conf_read_groups(struct genl_info *info, struct seen_exempts *exempts)
{
	const struct nlattr *nla;
	int rest, err;

	nlmsg_for_each_attr(nla, info->nlhdr, GENL_HDRLEN, rest) {
		if (nla_type(nla) != SEEN_A_GUARD_EXEMPT)
			continue;
		if (exempts->count == SEEN_EXEMPT_MAX)
			return nl_conf_refuse(info, SEEN_A_GUARD_EXEMPT,
					      "exempt: must be at most 16 groups");
		err = nl_conf_read_group(info, nla, &exempts->group[exempts->count]);
		if (err)
			return err;
		exempts->count += !!exempts->group[exempts->count].bits;
	}
	return 0;
}

struct seen_exempts *seen_nl_guard_parse_exempts(struct genl_info *info,
						 const struct seen_guard_config *config)
{
	struct seen_exempts *exempts;
	int err;

	if (!info->attrs[SEEN_A_GUARD_EXEMPT])
		return NULL;
	if (config->verdict != SEEN_VERDICT_LOOP) {
		nl_conf_refuse(info, SEEN_A_GUARD_EXEMPT,
			       "exempt: needs profile loop");
		return ERR_PTR(-EINVAL);
	}
	exempts = kzalloc(struct_size(exempts, group, SEEN_EXEMPT_MAX),
			  SEEN_GFP);
	if (!exempts) {
		NL_SET_ERR_MSG(info->extack, SEEN_TEXT_MEMORY("exempt"));
		return ERR_PTR(-ENOMEM);
	}
	err = nl_conf_read_groups(info, exempts);
	if (!err)
		return exempts;
	kfree(exempts);
	return ERR_PTR(err);
}

struct seen_protect *seen_nl_guard_parse_protect(struct genl_info *info,
						 const struct seen_guard_config *config)
{
	struct seen_protect *protect;
	int err;

	if (!info->attrs[SEEN_A_GUARD_PROTECT])
		return NULL;
	protect = kzalloc(sizeof(*protect), SEEN_GFP);
	if (!protect) {
		NL_SET_ERR_MSG(info->extack, SEEN_TEXT_MEMORY("protect"));
		return ERR_PTR(-ENOMEM);
	}
	err = nl_conf_parse_protect(info, config, protect);
	if (!err)
		return protect;
	kfree(protect);
	return ERR_PTR(err);
}

/* Parse the parameters that GUARD_SET can change, except the action. */
static int nl_conf_parse_live(struct genl_info *info, struct seen_guard_config *config)
{
	nl_conf_get_u32(info, SEEN_A_GUARD_MATCH, &config->match);
	nl_conf_get_u32(info, SEEN_A_GUARD_STORM, &config->storm);
	seen_nl_guard_parse_paused(info, config);
	return nl_conf_parse_repeat(info, config) ?:
	       nl_conf_parse_suspect(info, config) ?:
	       nl_conf_parse_block_times(info, config) ?:
	       nl_conf_parse_no_probe(info, config);
}

int seen_nl_guard_parse_changes(struct genl_info *info,
				struct seen_guard_config *config)
{
	return nl_conf_parse_action(info, config) ?: nl_conf_parse_live(info, config);
}

/* Profile relay matches only UDP; without ports in the request, UDP to any port. */
int seen_nl_guard_parse_lists(struct genl_info *info,
			      const struct seen_guard_config *config,
			      struct seen_guard_lists *lists)
{
	struct seen_conditions *conditions = &lists->conditions;
	int err;

	err = nl_conf_parse_protect(info, config, &lists->protect) ?:
	      seen_nl_conditions_parse(info, conditions) ?:
	      seen_nl_trail_parse_ports(info, &lists->trail);
	if (!err && config->profile == SEEN_GUARD_PROFILE_RELAY && !conditions->udps)
		conditions->udp[conditions->udps++].last = U16_MAX;
	return err;
}

int seen_nl_guard_parse(struct genl_info *info, struct seen_guard_config *config)
{
	const struct nlattr *priority = info->attrs[SEEN_A_GUARD_PRIORITY];
	int err;

	err = nl_conf_parse_id(info, config) ?: nl_conf_parse_verdict(info, config);
	if (err)
		return err;
	config->action = nl_conf_default_action(config);
	config->priority = priority ? nla_get_s32(priority)
				    : SEEN_GUARD_PRIORITY;
	config->storm = SEEN_STORM;
	config->repeat = SEEN_REPEAT_DEFAULT;
	config->suspect = SEEN_SUSPECT;
	config->block_first = SEEN_BLOCK_FIRST;
	config->block_max = SEEN_BLOCK_MAX;
	return seen_nl_trail_parse(info, config, &config->trail) ?:
	       seen_nl_guard_parse_changes(info, config);
}
