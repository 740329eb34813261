// SPDX-License-Identifier: GPL-2.0
/* Types of filters: the kind of set, and the attributes that fit it. */
#include <linux/ipv6.h>
#include <net/ipv6.h>

#include "core/plan_text.h"
#include "filter.h"
#include "netlink.h"

static const struct {
	enum seen_set_kind kind;
	enum seen_set_kind windowed;
} kinds[] = {
	[SEEN_TYPE_BLOOM] = { SEEN_SET_BLOCKED, SEEN_SET_BLOOM_WINDOW },
	[SEEN_TYPE_CUCKOO] = { SEEN_SET_CUCKOO, SEEN_SET_CUCKOO_WINDOW },
	[SEEN_TYPE_BITMAP] = { SEEN_SET_BITMAP, SEEN_SET_BITMAP },
	[SEEN_TYPE_COUNTING] = { SEEN_SET_COUNTING, SEEN_SET_COUNTING },
	[SEEN_TYPE_MAP] = { SEEN_SET_MAP, SEEN_SET_MAP },
	[SEEN_TYPE_CMS] = { SEEN_SET_CMS, SEEN_SET_CMS },
	[SEEN_TYPE_CMM] = { SEEN_SET_CMM, SEEN_SET_CMM },
};

#define OF(type)	BIT(SEEN_TYPE_##type)
#define SKETCHES	(OF(CMS) | OF(CMM))

/* Attributes that only some types accept. */
static const struct {
	int attr;
	u32 types;
	const char *why;
} fits[] = {
	{ SEEN_A_FILTER_LAYOUT, OF(BLOOM),
	  SEEN_TEXT_LAYOUT },
	{ SEEN_A_FILTER_FP_BITS, OF(CUCKOO),
	  SEEN_TEXT_BITS },
	{ SEEN_A_FILTER_FPP, (u32)~(OF(BITMAP) | OF(MAP)),
	  "fpp: types bitmap and map are exact; omit it" },
	{ SEEN_A_FILTER_WINDOW, OF(BLOOM) | OF(CUCKOO) | SKETCHES,
	  SEEN_TEXT_WINDOW },
	{ SEEN_A_FILTER_REFRESH, OF(BLOOM) | OF(CUCKOO),
	  SEEN_TEXT_REFRESH },
	{ SEEN_A_FILTER_FIRST, OF(BITMAP),
	  "range: needs type bitmap" },
	{ SEEN_A_FILTER_THRESHOLD, OF(COUNTING) | SKETCHES,
	  "threshold: needs type counting, cms or cmm" },
	{ SEEN_A_FILTER_CONSERVATIVE, OF(CMS),
	  "conservative: needs type cms" },
	{ SEEN_A_FILTER_TOP, SKETCHES,
	  SEEN_TEXT_TOP },
};

static int nl_type_refuse(struct genl_info *info, int attr, const char *msg)
{
	NL_SET_BAD_ATTR(info->extack, info->attrs[attr]);
	info->extack->_msg = msg;
	return -EINVAL;
}

static int nl_type_check_fits(struct genl_info *info, u32 type)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(fits); i++)
		if (info->attrs[fits[i].attr] && !(fits[i].types & BIT(type)))
			return nl_type_refuse(info, fits[i].attr, fits[i].why);
	return 0;
}

int seen_nl_type_parse(struct genl_info *info, struct seen_geometry *geo)
{
	const struct nlattr *layout = info->attrs[SEEN_A_FILTER_LAYOUT];
	u32 type = nla_get_u32(info->attrs[SEEN_A_FILTER_TYPE]);
	int err;

	err = nl_type_check_fits(info, type);
	if (err)
		return err;
	geo->kind = info->attrs[SEEN_A_FILTER_WINDOW] ? kinds[type].windowed
						      : kinds[type].kind;
	if (layout && nla_get_u32(layout) == SEEN_LAYOUT_CLASSIC)
		geo->kind = SEEN_SET_CLASSIC;
	return 0;
}

u32 seen_nl_type_of(u32 kind)
{
	u32 type;

	if (kind == SEEN_SET_CLASSIC)
		return SEEN_TYPE_BLOOM;
	for (type = SEEN_TYPE_MAX; type > SEEN_TYPE_BLOOM; type--)
		if (kinds[type].kind == kind || kinds[type].windowed == kind)
			break;
	return type;
}

bool seen_nl_type_is_exact(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_BITMAP || geo->kind == SEEN_SET_MAP;
}

static int nl_type_parse_threshold(struct genl_info *info, struct seen_geometry *geo)
{
	const struct nlattr *nla = info->attrs[SEEN_A_FILTER_THRESHOLD];

	if (!nla)
		return 0;
	geo->threshold = nla_get_u32(nla);
	if (geo->threshold <= seen_set_count_max(geo))
		return 0;
	return nl_type_refuse(info, SEEN_A_FILTER_THRESHOLD,
			      seen_plan_text(SEEN_PLAN_THRESHOLD));
}

/*
 * Number of trailing bits that are 0 in all keys of a range of prefixes; 0 for other ranges.
 * The address decides which prefix length applies: an IPv4-mapped address counts as IPv4.
 */
static u32 nl_type_shift_of(const struct seen_keyspec *spec, const u8 *first)
{
	struct in6_addr addr;

	if (spec->field[0].id != SEEN_FIELD_SRC &&
	    spec->field[0].id != SEEN_FIELD_DST)
		return 0;
	memcpy(&addr, first, sizeof(addr));
	if (ipv6_addr_v4mapped(&addr))
		return spec->field[0].param ? 32 - spec->field[0].param : 0;
	return spec->field[0].param6 ? 128 - spec->field[0].param6 : 0;
}

/* The last eight bytes of a key. The bytes before them are equal in the whole range. */
static u64 nl_type_low_bytes(const u8 *key, u32 len)
{
	u64 number = 0;
	u32 i;

	for (i = len > 8 ? len - 8 : 0; i < len; i++)
		number = number << 8 | key[i];
	return number;
}

/* How many keys can follow @first in its last eight bytes; for IPv4, in the last four. */
static u64 nl_type_keys_after(const u8 *first, u32 len, u64 number)
{
	struct in6_addr addr;

	if (len == sizeof(addr)) {
		memcpy(&addr, first, sizeof(addr));
		if (ipv6_addr_v4mapped(&addr))
			return U32_MAX - (u32)number;
	}
	return len < 8 ? (1ULL << (8 * len)) - 1 - number : U64_MAX - number;
}

static int nl_type_check_range(struct genl_info *info, const struct seen_span *span,
			       u64 capacity)
{
	u64 number = nl_type_low_bytes(span->first, span->len);
	u64 after = nl_type_keys_after(span->first, span->len, number);

	if (number & ((1ULL << span->shift) - 1))
		return nl_type_refuse(info, SEEN_A_FILTER_FIRST,
				      "range: the first key must have no bits beyond its prefix length");
	if (capacity && capacity - 1 > after >> span->shift)
		return nl_type_refuse(info, SEEN_A_FILTER_FIRST,
				      "range: must not go beyond the last possible key");
	return 0;
}

static int nl_type_parse_range(struct genl_info *info,
			       struct seen_filter_config *config)
{
	const struct nlattr *first = info->attrs[SEEN_A_FILTER_FIRST];
	const struct seen_keyspec *spec = &config->spec;
	struct seen_span *span = &config->span;
	u32 shift;

	if (GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_FIRST))
		return -EINVAL;
	if (spec->count != 1 || !spec->len || spec->len > sizeof(span->first))
		return nl_type_refuse(info, SEEN_A_FILTER_FIRST,
				      "key: type bitmap needs one field other than payload and bytes");
	if (nla_len(first) != spec->len)
		return nl_type_refuse(info, SEEN_A_FILTER_FIRST,
				      "range: the first key must have the length of the filter's key");
	shift = nl_type_shift_of(spec, nla_data(first));
	if (shift > 63)
		return nl_type_refuse(info, SEEN_A_FILTER_FIRST,
				      "range: IPv6 prefixes of type bitmap must have at least 65 bits");
	memcpy(span->first, nla_data(first), spec->len);
	span->len = spec->len;
	span->shift = shift;
	return nl_type_check_range(info, span, config->geo.capacity);
}

/* A key of field bytes may be too long for the set. Such a key is refused when it is added. */
static u32 nl_type_key_bytes(const struct seen_keyspec *spec)
{
	if (seen_keyspec_has(spec, SEEN_FIELD_BYTES))
		return SEEN_KEY_EXACT_MAX;
	return spec->max;
}

int seen_nl_type_parse_rest(struct genl_info *info,
			    struct seen_filter_config *config)
{
	struct seen_geometry *geo = &config->geo;

	geo->conservative = info->attrs[SEEN_A_FILTER_CONSERVATIVE];
	if (info->attrs[SEEN_A_FILTER_TOP])
		geo->top = nla_get_u32(info->attrs[SEEN_A_FILTER_TOP]);
	if (config->spec.prefix)
		geo->asks = SEEN_LENGTHS_MAX;
	if (config->spec.prefix &&
	    (geo->kind == SEEN_SET_BITMAP || geo->kind == SEEN_SET_CMS ||
	     geo->kind == SEEN_SET_CMM))
		return nl_type_refuse(info, SEEN_A_FILTER_TYPE,
				      SEEN_TEXT_ANY_PREFIX);
	if (geo->kind == SEEN_SET_MAP || geo->top) {
		if (config->spec.payload)
			return nl_type_refuse(info, SEEN_A_FILTER_KEY,
					      SEEN_TEXT_WHOLE_KEY);
		geo->key_bytes = nl_type_key_bytes(&config->spec);
	}
	if (geo->kind == SEEN_SET_BITMAP)
		return nl_type_parse_range(info, config);
	return nl_type_parse_threshold(info, geo);
}

int seen_nl_type_put(struct sk_buff *skb, const struct seen_filter *filter)
{
	const struct seen_geometry *geo = &filter->set.geo;

	if (geo->kind == SEEN_SET_BITMAP &&
	    nla_put(skb, SEEN_A_FILTER_FIRST, filter->span.len,
		    filter->span.first))
		return -EMSGSIZE;
	if (geo->threshold &&
	    nla_put_u32(skb, SEEN_A_FILTER_THRESHOLD, geo->threshold))
		return -EMSGSIZE;
	if (geo->conservative && nla_put_flag(skb, SEEN_A_FILTER_CONSERVATIVE))
		return -EMSGSIZE;
	return geo->top ? nla_put_u32(skb, SEEN_A_FILTER_TOP, geo->top) : 0;
}
