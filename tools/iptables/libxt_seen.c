// SPDX-License-Identifier: GPL-2.0
/*
 * The match "seen" of iptables and ip6tables, for the legacy and the nft backend.
 * linux/netfilter/xt_seen.h and libxt_seen(8) describe what a rule means.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <xtables.h>
#include <linux/netfilter/xt_seen.h>

/* A filter of type cms or cmm must be able to count to N + 1; other types have lower limits. */
#define OVER_MAX	(UINT32_MAX - 1)

enum {
	O_FILTER, O_TEST, O_ADD, O_TEST_ADD, O_DEL, O_COUNT_OVER, O_MISSING,

	F_OP = 1 << O_TEST | 1 << O_ADD | 1 << O_TEST_ADD | 1 << O_DEL,
};

/* By enum xt_seen_op. */
static const char * const ops[] = { "test", "add", "test-add", "del" };

static const struct xt_option_entry options[] = {
	{ .name = "filter", .id = O_FILTER, .type = XTTYPE_STRING,
	  .flags = XTOPT_MAND | XTOPT_INVERT },
	{ .name = "test", .id = O_TEST, .type = XTTYPE_NONE, .excl = F_OP },
	{ .name = "add", .id = O_ADD, .type = XTTYPE_NONE, .excl = F_OP },
	{ .name = "test-add", .id = O_TEST_ADD, .type = XTTYPE_NONE,
	  .excl = F_OP },
	{ .name = "del", .id = O_DEL, .type = XTTYPE_NONE, .excl = F_OP },
	{ .name = "count-over", .id = O_COUNT_OVER, .type = XTTYPE_UINT32,
	  .max = OVER_MAX, .flags = XTOPT_PUT,
	  XTOPT_POINTER(struct xt_seen_info, over) },
	{ .name = "missing", .id = O_MISSING, .type = XTTYPE_STRING },
	XTOPT_TABLEEND,
};

static void help(void)
{
	printf("seen match options:\n"
"[!] --filter NAME    match if the filter NAME (seenctl filter add) has seen the\n"
"                     key of the packet; with !: if it has not\n"
"    --test           only test the key (default)\n"
"    --test-add       test the key, and store it if it is new\n"
"    --add            test the key, and store it, even if it is stored already\n"
"    --del            test the key, and delete one copy of it\n"
"    --count-over N   with --test or --add: seen if the key is then stored more\n"
"                     than N times (cuckoo without window: N up to 7;\n"
"                     counting: up to 14; cms, cmm)\n"
"    --missing WORD   match or nomatch (default), with or without !: the result if\n"
"                     the filter cannot answer: it does not exist (yet), the\n"
"                     packet has no such key here, the filter cannot do this, or\n"
"                     its sweep is late\n");
}

/* The kernel checks the same, but cannot return a text for the error. */
static void parse_filter(const char *name, struct xt_seen_info *info)
{
	if (strlen(name) >= sizeof(info->filter))
		xtables_error(PARAMETER_PROBLEM,
			      "seen: --filter %s: a name has at most %zu characters",
			      name, sizeof(info->filter) - 1);
	if (!*name || !strcmp(name, "-") || !strcmp(name, "all"))
		xtables_error(PARAMETER_PROBLEM,
			      "seen: --filter: the name must not be empty, - or all");
	for (const char *c = name; *c; c++)
		if (*c <= ' ' || *c >= 0x7f || *c == '/')
			xtables_error(PARAMETER_PROBLEM,
				      "seen: --filter %s: must be printable ASCII without blanks and slashes",
				      name);
	strcpy(info->filter, name);
}

static void parse_missing(const char *word, struct xt_seen_info *info)
{
	if (!strcmp(word, "match"))
		info->flags |= XT_SEEN_MISSING_MATCH;
	else if (strcmp(word, "nomatch"))
		xtables_error(PARAMETER_PROBLEM,
			      "seen: --missing \"%s\": must be match or nomatch", word);
}

static void parse(struct xt_option_call *call)
{
	struct xt_seen_info *info = call->data;

	xtables_option_parse(call);
	switch (call->entry->id) {
	case O_FILTER:
		parse_filter(call->arg, info);
		if (call->invert)
			info->flags |= XT_SEEN_INVERT;
		break;
	case O_TEST:
		info->op = XT_SEEN_TEST;
		break;
	case O_ADD:
		info->op = XT_SEEN_ADD;
		break;
	case O_TEST_ADD:
		info->op = XT_SEEN_TEST_ADD;
		break;
	case O_DEL:
		info->op = XT_SEEN_DEL;
		break;
	case O_COUNT_OVER:
		info->flags |= XT_SEEN_COUNT_OVER;
		break;
	case O_MISSING:
		parse_missing(call->arg, info);
		break;
	}
}

static void check(struct xt_fcheck_call *call)
{
	if (!(call->xflags & 1 << O_COUNT_OVER))
		return;
	if (call->xflags & 1 << O_TEST_ADD)
		xtables_error(PARAMETER_PROBLEM,
			      "seen: --test-add and --count-over exclude each other: use --add or --test");
	if (call->xflags & 1 << O_DEL)
		xtables_error(PARAMETER_PROBLEM,
			      "seen: --del and --count-over exclude each other: use --add or --test");
}

/* Print the options that are not the default, each preceded by @dash. */
static void tell(const struct xt_seen_info *info, const char *dash)
{
	printf("%s %sfilter", info->flags & XT_SEEN_INVERT ? " !" : "", dash);
	xtables_save_string(info->filter);
	if (info->op != XT_SEEN_TEST && info->op <= XT_SEEN_OP_MAX)
		printf(" %s%s", dash, ops[info->op]);
	if (info->flags & XT_SEEN_COUNT_OVER)
		printf(" %scount-over %u", dash, info->over);
	if (info->flags & XT_SEEN_MISSING_MATCH)
		printf(" %smissing match", dash);
}

static void print(const void *ip, const struct xt_entry_match *match,
		  int numeric)
{
	printf(" seen");
	tell((const void *)match->data, "");
}

static void save(const void *ip, const struct xt_entry_match *match)
{
	tell((const void *)match->data, "--");
}

/*
 * nftables has no expression for this match, and without it the rest of the rule would match
 * too much. Returning 0 turns the whole rule into a comment. The printed line above it gives
 * the reason, and repeats the match, because xtables loses the "!" there. nft also calls this
 * function when it lists rules, but has no place for such a line.
 */
static int xlate(struct xt_xlate *xl, const struct xt_xlate_mt_params *params)
{
	if (!strstr(xt_params->program_name, "translate"))
		return 0;
	printf("# nftables has no expression for -m seen");
	tell((const void *)params->match->data, "--");
	printf(": keep iptables-nft, or let a guard (seenctl) mark packets\n");
	return 0;
}

static struct xtables_match match = {
	.version	= XTABLES_VERSION,
	.name		= "seen",
	.revision	= 0,
	.family		= NFPROTO_UNSPEC,
	.size		= XT_ALIGN(sizeof(struct xt_seen_info)),
	.userspacesize	= offsetof(struct xt_seen_info, binding),
	.help		= help,
	.print		= print,
	.save		= save,
	.x6_parse	= parse,
	.x6_fcheck	= check,
	.x6_options	= options,
	.xlate		= xlate,
};

static __attribute__((constructor)) void enroll(void)
{
	xtables_register_match(&match);
}
