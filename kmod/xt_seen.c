// SPDX-License-Identifier: GPL-2.0
/*
 * The netfilter match "seen", for iptables and ip6tables, nft and legacy. It is a
 * separate module, so that module seen does not depend on xtables.
 *
 * Direction of error: a false positive of the filter calls a new packet seen, at the
 * filter's false-positive rate. Then "-m seen --filter f -j DROP" drops a new packet, and
 * "! --filter f -j DROP" accepts a packet whose key is not in the filter. If the filter has
 * no answer, the rule matches as --missing says, with or without "!"; by default it does not
 * match. An allowed key never matches, with or without "!".
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/netfilter.h>
#include <linux/netfilter/x_tables.h>
#include <linux/netfilter/xt_seen.h>

#include "rule.h"
#include "version.h"

static enum seen_rule_op xt_op_of(const struct xt_seen_info *info)
{
	bool over = info->flags & XT_SEEN_COUNT_OVER;

	switch (info->op) {
	case XT_SEEN_ADD:
		return over ? SEEN_RULE_ADD_OVER : SEEN_RULE_ADD;
	case XT_SEEN_TEST_ADD:
		return SEEN_RULE_TEST_ADD;
	case XT_SEEN_DEL:
		return SEEN_RULE_DEL;
	default:
		return over ? SEEN_RULE_TEST_OVER : SEEN_RULE_TEST;
	}
}

/*
 * Can a link-layer header be the packet's own? After routing it is left over from the
 * device that received the packet. Before routing it may belong to an outer packet: IPsec
 * and SRv6 send the inner packet through PREROUTING again. seen_packet_parse_net() checks
 * that.
 */
static bool xt_is_arrival(const struct xt_action_param *par)
{
	return xt_hooknum(par) != NF_INET_LOCAL_OUT &&
	       xt_hooknum(par) != NF_INET_POST_ROUTING;
}

/*
 * Is there no packet of the rule for which xt_is_arrival() is true? An empty mask stands for a
 * chain of the user's, which any hook may call.
 */
static bool xt_never_arrives(const struct xt_mtchk_param *par)
{
	const unsigned int late = 1 << NF_INET_LOCAL_OUT | 1 << NF_INET_POST_ROUTING;

	return par->hook_mask && !(par->hook_mask & ~late);
}

/*
 * Bit 0 of info->binding holds the result of xt_never_arrives(), because seen_mt_destroy() has
 * no mask of hooks.
 */
#define XT_NEVER_ARRIVES	1UL

static struct seen_binding *xt_binding_of(const struct xt_seen_info *info)
{
	return (void *)((unsigned long)info->binding & ~XT_NEVER_ARRIVES);
}

static struct seen_question xt_question_of(const struct xt_seen_info *info,
					   bool arrival)
{
	return (struct seen_question) {
		.op = xt_op_of(info), .arrival = arrival, .over = info->over,
	};
}

static bool seen_mt_match(const struct sk_buff *skb, struct xt_action_param *par)
{
	const struct xt_seen_info *info = par->matchinfo;
	const struct seen_question question =
		xt_question_of(info, xt_is_arrival(par));

	switch (seen_rule_ask(xt_binding_of(info), skb, &question)) {
	case SEEN_RULE_SEEN:
		return !(info->flags & XT_SEEN_INVERT);
	case SEEN_RULE_NEW:
		return info->flags & XT_SEEN_INVERT;
	case SEEN_RULE_UNKNOWN:
		return info->flags & XT_SEEN_MISSING_MATCH;
	case SEEN_RULE_ALLOWED:
		return false;
	}
	return false;
}

static const char *seen_mt_check(const struct xt_seen_info *info)
{
	if (strnlen(info->filter, sizeof(info->filter)) ==
	    sizeof(info->filter))
		return "filter: name must end with a zero byte";
	if (info->op > XT_SEEN_OP_MAX)
		return "op: unknown operation";
	if (info->flags & ~XT_SEEN_FLAGS || info->reserved)
		return "flags: unknown flags";
	if (!(info->flags & XT_SEEN_COUNT_OVER))
		return info->over ? "over: needs flag count-over" : NULL;
	if (info->op != XT_SEEN_TEST && info->op != XT_SEEN_ADD)
		return "count-over: needs operation test or add";
	return NULL;
}

static int seen_mt_checkentry(const struct xt_mtchk_param *par)
{
	struct xt_seen_info *info = par->matchinfo;
	const char *error = seen_mt_check(info);
	struct netlink_ext_ack extack = {};
	struct seen_question question;
	struct seen_binding *binding;
	bool never;

	if (error) {
		pr_info_ratelimited("%s\n", error);
		return -EINVAL;
	}
	never = xt_never_arrives(par);
	question = xt_question_of(info, !never);
	binding = seen_rule_pin(par->net, info->filter, &question, &extack);
	if (IS_ERR(binding)) {
		pr_info_ratelimited("%s\n", extack._msg);
		return PTR_ERR(binding);
	}
	info->binding = (void *)((unsigned long)binding |
				 (never ? XT_NEVER_ARRIVES : 0));
	return 0;
}

static void seen_mt_destroy(const struct xt_mtdtor_param *par)
{
	const struct xt_seen_info *info = par->matchinfo;
	bool never = (unsigned long)info->binding & XT_NEVER_ARRIVES;
	const struct seen_question question = xt_question_of(info, !never);

	seen_rule_unpin(xt_binding_of(info), &question);
}

#define MATCH(nfproto) {					\
	.name = "seen",						\
	.family = (nfproto),					\
	.match = seen_mt_match,						\
	.checkentry = seen_mt_checkentry,				\
	.destroy = seen_mt_destroy,					\
	.matchsize = sizeof(struct xt_seen_info),		\
	.usersize = offsetof(struct xt_seen_info, binding),	\
	.me = THIS_MODULE,					\
}

/* No other family: no tool creates such rules, and no test covers them. */
static struct xt_match reg[] __read_mostly = {
	MATCH(NFPROTO_IPV4),
	MATCH(NFPROTO_IPV6),
};

static int __init xt_seen_init(void)
{
	return xt_register_matches(reg, ARRAY_SIZE(reg));
}

static void __exit xt_seen_exit(void)
{
	xt_unregister_matches(reg, ARRAY_SIZE(reg));
}

module_init(xt_seen_init);
module_exit(xt_seen_exit);

MODULE_DESCRIPTION("Netfilter: match packets by the filters of module seen");
MODULE_LICENSE("GPL");
MODULE_VERSION(SEEN_VERSION);
MODULE_ALIAS("ipt_seen");
MODULE_ALIAS("ip6t_seen");
