// SPDX-License-Identifier: GPL-2.0
/* Key specifications: the fields, the profiles, and their netlink attributes; key.h. */
#include <net/genetlink.h>

#include "key.h"
#include "keyspec.h"

#define PREFIX4_MAX		32
#define PREFIX6_MAX		128

/**
 * struct field - properties of a field
 * @bytes: bytes in the canonical key; payload: bytes of its length only
 * @max: maximum of SEEN_A_FIELD_PARAM, whose minimum is 1; 0: the field has no parameter
 * @max6: the same for SEEN_A_FIELD_PARAM6
 * @rule: error text that states what the field accepts
 */
struct field {
	u16 bytes;
	u16 max;
	u16 max6;
	const char *rule;
};

#define FIELD(_bytes, _max, _max6, _rule) \
	{ .bytes = _bytes, .max = _max, .max6 = _max6, .rule = _rule }
#define PLAIN(_name, _bytes) \
	FIELD(_bytes, 0, 0, \
	      "key: field " _name " must be given once, without a parameter")
#define ADDR(_name) \
	FIELD(16, PREFIX4_MAX, PREFIX6_MAX, \
	      "key: field " _name \
	      " must be given once, with prefix lengths of 1 to 32 and (IPv6) 1 to 128")

static const struct field fields[] = {
	[SEEN_FIELD_SMAC]	= PLAIN("smac", 6),
	[SEEN_FIELD_DMAC]	= PLAIN("dmac", 6),
	[SEEN_FIELD_VLAN]	= PLAIN("vlan", 2),
	[SEEN_FIELD_ETHERTYPE]	= PLAIN("ethertype", 2),
	[SEEN_FIELD_SRC]	= ADDR("src"),
	[SEEN_FIELD_DST]	= ADDR("dst"),
	[SEEN_FIELD_PROTO]	= PLAIN("proto", 1),
	[SEEN_FIELD_TTL]	= PLAIN("ttl", 1),
	[SEEN_FIELD_DSCP]	= PLAIN("dscp", 1),
	[SEEN_FIELD_IPID]	= PLAIN("ipid", 4),
	[SEEN_FIELD_FRAG]	= PLAIN("frag", 2),
	[SEEN_FIELD_SPORT]	= PLAIN("sport", 2),
	[SEEN_FIELD_DPORT]	= PLAIN("dport", 2),
	[SEEN_FIELD_TCPSEQ]	= PLAIN("tcpseq", 4),
	[SEEN_FIELD_PAYLOAD]	= FIELD(4, SEEN_PAYLOAD_MAX, 0,
		"key: field payload must be given once, whole or with 1 to 65000 bytes"),
	[SEEN_FIELD_LEN]	= PLAIN("len", 4),
	[SEEN_FIELD_IIF]	= PLAIN("iif", 4),
	[SEEN_FIELD_BYTES]	= PLAIN("bytes", 0),
	[SEEN_FIELD_ID]		= PLAIN("id", 4),
};

static const struct seen_keyspec keyspec_profiles[] = {
	[SEEN_KEY_PROFILE_HOST] = {
		.count = 1,
		.field = { { SEEN_FIELD_SRC } },
	},
	[SEEN_KEY_PROFILE_FLOW] = {
		.count = 5,
		.field = {
			{ SEEN_FIELD_SRC },
			{ SEEN_FIELD_DST },
			{ SEEN_FIELD_PROTO },
			{ SEEN_FIELD_SPORT },
			{ SEEN_FIELD_DPORT },
		},
	},
	[SEEN_KEY_PROFILE_FRAME] = {
		.count = 6,
		.field = {
			{ SEEN_FIELD_SMAC },
			{ SEEN_FIELD_DMAC },
			{ SEEN_FIELD_VLAN },
			{ SEEN_FIELD_ETHERTYPE },
			{ SEEN_FIELD_PAYLOAD },
			{ SEEN_FIELD_LEN },
		},
	},
	[SEEN_KEY_PROFILE_PACKET] = {
		.count = 6,
		.field = {
			{ SEEN_FIELD_SRC },
			{ SEEN_FIELD_DST },
			{ SEEN_FIELD_PROTO },
			{ SEEN_FIELD_IPID },
			{ SEEN_FIELD_FRAG },
			{ SEEN_FIELD_PAYLOAD },
		},
	},
	[SEEN_KEY_PROFILE_BYTES] = {
		.count = 1,
		.field = { { SEEN_FIELD_BYTES } },
	},
	[SEEN_KEY_PROFILE_RELAY] = {
		.count = 4,
		.field = {
			{ SEEN_FIELD_SRC },
			{ SEEN_FIELD_SPORT },
			{ SEEN_FIELD_DPORT },
			{ SEEN_FIELD_PAYLOAD },
		},
	},
};

static bool keyspec_is_any(const struct seen_keyspec *spec, int i)
{
	return spec->field[i].param == SEEN_PREFIX_ANY &&
	       fields[spec->field[i].id].max6;
}

static int keyspec_refuse(struct netlink_ext_ack *extack, const struct nlattr *attr,
			  const char *why)
{
	if (extack) {
		extack->_msg = why;
		extack->bad_attr = attr;
	}
	return -EINVAL;
}

bool seen_keyspec_has(const struct seen_keyspec *spec, u16 id)
{
	int i;

	for (i = 0; i < spec->count; i++)
		if (spec->field[i].id == id)
			return true;
	return false;
}

/* Derive all members from @spec->field and @spec->count, which are set. */
static void keyspec_measure(struct seen_keyspec *spec)
{
	u16 free = 0;
	int i;

	spec->min = 0;
	for (i = 0; i < spec->count; i++) {
		if (keyspec_is_any(spec, i))
			spec->prefix = spec->min++ + 1;
		spec->min += fields[spec->field[i].id].bytes;
		if (spec->field[i].id == SEEN_FIELD_PAYLOAD)
			free = spec->field[i].param ?: SEEN_PAYLOAD_MAX;
	}
	spec->payload = free;
	if (seen_keyspec_has(spec, SEEN_FIELD_BYTES)) {
		spec->min = 1;
		free = SEEN_BYTES_MAX - 1;
	}
	spec->single = free || seen_keyspec_has(spec, SEEN_FIELD_LEN) ||
		       seen_keyspec_has(spec, SEEN_FIELD_IPID) ||
		       seen_keyspec_has(spec, SEEN_FIELD_TCPSEQ);
	spec->link = seen_keyspec_has(spec, SEEN_FIELD_SMAC) ||
		     seen_keyspec_has(spec, SEEN_FIELD_DMAC) ||
		     seen_keyspec_has(spec, SEEN_FIELD_VLAN) ||
		     seen_keyspec_has(spec, SEEN_FIELD_ETHERTYPE);
	spec->max = spec->min + free;
	spec->len = free ? 0 : spec->min;
}

void seen_keyspec_profile(struct seen_keyspec *spec,
			  enum seen_key_profile profile)
{
	*spec = keyspec_profiles[profile];
	spec->profile = profile;
	keyspec_measure(spec);
}

static void keyspec_parse_profile(struct seen_keyspec *spec, const struct nlattr *attr)
{
	seen_keyspec_profile(spec, nla_get_u32(attr));
}

static bool keyspec_is_wrong(const struct nlattr *param, u32 max)
{
	return param && nla_get_u32(param) > max;
}

/* Prefixes of any length: only for addresses, and without a second parameter. */
static bool keyspec_has_any(const struct field *field, struct nlattr **tb)
{
	const struct nlattr *param = tb[SEEN_A_FIELD_PARAM];

	return field->max6 && param && !tb[SEEN_A_FIELD_PARAM6] &&
	       nla_get_u32(param) == SEEN_PREFIX_ANY;
}

static bool keyspec_any_before(const struct seen_keyspec *spec)
{
	int i;

	for (i = 0; i < spec->count; i++)
		if (keyspec_is_any(spec, i))
			return true;
	return false;
}

/* 0 means the whole address, so that equal keys have equal parameters. */
static u16 keyspec_prefix_of(const struct nlattr *param, u32 max)
{
	return !param || nla_get_u32(param) == max ? 0 : nla_get_u32(param);
}

static void keyspec_set_params(struct seen_keyspec *spec, int i, struct nlattr **tb)
{
	const struct nlattr *param = tb[SEEN_A_FIELD_PARAM];

	if (spec->field[i].id == SEEN_FIELD_PAYLOAD) {
		spec->field[i].param = param ? nla_get_u32(param) : 0;
		return;
	}
	if (param && nla_get_u32(param) == SEEN_PREFIX_ANY) {
		spec->field[i].param = SEEN_PREFIX_ANY;
		return;
	}
	spec->field[i].param = keyspec_prefix_of(param, PREFIX4_MAX);
	spec->field[i].param6 = keyspec_prefix_of(tb[SEEN_A_FIELD_PARAM6],
						  PREFIX6_MAX);
}

static int keyspec_add_field(struct seen_keyspec *spec, const struct nlattr *entry,
			     u32 id, struct nlattr **tb,
			     struct netlink_ext_ack *extack)
{
	const struct field *field = &fields[id];

	if (keyspec_has_any(field, tb) && keyspec_any_before(spec))
		return keyspec_refuse(extack, tb[SEEN_A_FIELD_PARAM],
				      "key: at most one field can have prefixes of any length");
	if (!keyspec_has_any(field, tb) &&
	    keyspec_is_wrong(tb[SEEN_A_FIELD_PARAM], field->max))
		return keyspec_refuse(extack, tb[SEEN_A_FIELD_PARAM], field->rule);
	if (keyspec_is_wrong(tb[SEEN_A_FIELD_PARAM6], field->max6))
		return keyspec_refuse(extack, tb[SEEN_A_FIELD_PARAM6], field->rule);
	if (seen_keyspec_has(spec, id))
		return keyspec_refuse(extack, entry, field->rule);
	if (seen_keyspec_has(spec, SEEN_FIELD_BYTES) ||
	    (id == SEEN_FIELD_BYTES && spec->count))
		return keyspec_refuse(extack, entry,
				      "key: field bytes must be the only field");
	if (spec->count == SEEN_KEY_FIELDS_MAX)
		return keyspec_refuse(extack, entry, "key: must have at most 16 fields");
	spec->field[spec->count].id = id;
	keyspec_set_params(spec, spec->count, tb);
	spec->count++;
	return 0;
}

static struct netlink_range_validation param_range = {
	.min = 1, .max = SEEN_PAYLOAD_MAX,
};

static const struct nla_policy keyspec_entry_policy[SEEN_A_FIELD_MAX + 1] = {
	[SEEN_A_FIELD_ID] = NLA_POLICY_RANGE(NLA_U32, 1, SEEN_FIELD_MAX),
	[SEEN_A_FIELD_PARAM] = NLA_POLICY_FULL_RANGE(NLA_U32, &param_range),
	[SEEN_A_FIELD_PARAM6] = NLA_POLICY_RANGE(NLA_U32, 1, PREFIX6_MAX),
};

const struct nla_policy seen_keyspec_policy[SEEN_A_FIELD_ENTRY + 1] = {
	[SEEN_A_FIELD_ENTRY] = NLA_POLICY_NESTED(keyspec_entry_policy),
};

static int keyspec_parse_entry(struct seen_keyspec *spec, const struct nlattr *entry,
			       struct netlink_ext_ack *extack)
{
	struct nlattr *tb[SEEN_A_FIELD_MAX + 1];
	int err;

	err = nla_parse_nested(tb, SEEN_A_FIELD_MAX, entry, keyspec_entry_policy, extack);
	if (err)
		return err;
	if (NL_REQ_ATTR_CHECK(extack, entry, tb, SEEN_A_FIELD_ID))
		return -EINVAL;
	return keyspec_add_field(spec, entry, nla_get_u32(tb[SEEN_A_FIELD_ID]), tb,
				 extack);
}

static int keyspec_parse_fields(struct seen_keyspec *spec, const struct nlattr *attr,
				struct netlink_ext_ack *extack)
{
	const struct nlattr *entry;
	int rem, err;

	nla_for_each_nested(entry, attr, rem) {
		err = keyspec_parse_entry(spec, entry, extack);
		if (err)
			return err;
	}
	if (!spec->count)
		return keyspec_refuse(extack, attr, "key: must have at least one field");
	keyspec_measure(spec);
	if (!spec->prefix || !spec->payload)
		return 0;
	return keyspec_refuse(extack, attr,
			      "key: prefixes of any length cannot be combined with field payload");
}

/* The fields must be those of the profile. Only the payload's maximum may differ. */
static int keyspec_parse_variant(struct seen_keyspec *spec, const struct nlattr *attr,
				 struct netlink_ext_ack *extack)
{
	struct seen_keyspec profile = {};
	int i;

	keyspec_parse_profile(&profile, attr);
	for (i = 0; i < spec->count; i++)
		if (spec->field[i].id == SEEN_FIELD_PAYLOAD)
			profile.field[i].param = spec->field[i].param;
	spec->profile = profile.profile;
	if (seen_keyspec_equal(spec, &profile))
		return 0;
	return keyspec_refuse(extack, attr,
			      "key: fields contradict the profile; omit profile");
}

/*
 * Profile frame is about the frame on the wire, and packets do not have the fields bytes
 * and id. So none of the three can be combined with inner.
 */
static int keyspec_parse_inner(struct seen_keyspec *spec, const struct nlattr *inner,
			       struct netlink_ext_ack *extack)
{
	spec->inner = inner;
	if (!inner || (spec->profile != SEEN_KEY_PROFILE_FRAME &&
		       !seen_keyspec_has(spec, SEEN_FIELD_BYTES) &&
		       !seen_keyspec_has(spec, SEEN_FIELD_ID)))
		return 0;
	return keyspec_refuse(extack, inner,
			      "key: inner cannot be combined with profile frame, field bytes or field id");
}

static bool keyspec_is_usual(const u16 *port, int count)
{
	return count == 2 && port[0] == SEEN_VXLAN_PORT &&
	       port[1] == SEEN_VXLAN_PORT_LINUX;
}

/* Return: 0, or -EINVAL: too many ports, not in ascending order, or the key is not inner. */
static int keyspec_add_vxlan(const struct seen_keyspec *spec, const struct nlattr *attr,
			     u16 *port, int count, struct netlink_ext_ack *extack)
{
	if (!spec->inner)
		return keyspec_refuse(extack, attr,
				      "vxlan-port: needs inner");
	if (count == SEEN_VXLAN_PORTS_MAX)
		return keyspec_refuse(extack, attr, "vxlan-port: must be at most 4 ports");
	port[count] = nla_get_u16(attr);
	if (count && port[count] <= port[count - 1])
		return keyspec_refuse(extack, attr,
				      "vxlan-port: ports must be in ascending order");
	return 0;
}

/* The default ports are stored as none, so that equal keys have equal ports. */
static int keyspec_parse_vxlan(struct seen_keyspec *spec, const struct nlmsghdr *nlh,
			       struct netlink_ext_ack *extack)
{
	u16 port[SEEN_VXLAN_PORTS_MAX] = {};
	const struct nlattr *attr;
	int count = 0, rest, err;

	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, rest) {
		if (nla_type(attr) != SEEN_A_FILTER_VXLAN_PORT)
			continue;
		err = keyspec_add_vxlan(spec, attr, port, count++, extack);
		if (err)
			return err;
	}
	if (!keyspec_is_usual(port, count))
		memcpy(spec->vxlan, port, sizeof(port));
	return 0;
}

int seen_keyspec_parse(struct seen_keyspec *spec, const struct nlattr *profile,
		       const struct nlattr *fields, const struct nlattr *inner,
		       const struct nlmsghdr *nlh,
		       struct netlink_ext_ack *extack)
{
	struct seen_keyspec parsed = {};
	int err = 0;

	if (!profile && !fields)
		return keyspec_refuse(extack, NULL,
				      "key: required, or profile");
	if (fields)
		err = keyspec_parse_fields(&parsed, fields, extack);
	else
		keyspec_parse_profile(&parsed, profile);
	if (!err && fields && profile)
		err = keyspec_parse_variant(&parsed, profile, extack);
	if (!err)
		err = keyspec_parse_inner(&parsed, inner, extack);
	if (!err)
		err = keyspec_parse_vxlan(&parsed, nlh, extack);
	if (!err)
		*spec = parsed;
	return err;
}

static bool keyspec_put_entry(struct sk_buff *skb, const struct seen_keyspec *spec,
			      int i)
{
	struct nlattr *entry = nla_nest_start(skb, SEEN_A_FIELD_ENTRY);
	u16 param = spec->field[i].param, param6 = spec->field[i].param6;

	if (!entry || nla_put_u32(skb, SEEN_A_FIELD_ID, spec->field[i].id) ||
	    (param && nla_put_u32(skb, SEEN_A_FIELD_PARAM, param)) ||
	    (param6 && nla_put_u32(skb, SEEN_A_FIELD_PARAM6, param6)))
		return false;
	nla_nest_end(skb, entry);
	return true;
}

static int keyspec_put_inner(struct sk_buff *skb, const struct seen_keyspec *spec)
{
	int i;

	if (nla_put_flag(skb, SEEN_A_FILTER_INNER))
		return -EMSGSIZE;
	for (i = 0; i < SEEN_VXLAN_PORTS_MAX && spec->vxlan[i]; i++)
		if (nla_put_u16(skb, SEEN_A_FILTER_VXLAN_PORT, spec->vxlan[i]))
			return -EMSGSIZE;
	return 0;
}

int seen_keyspec_put(struct sk_buff *skb, const struct seen_keyspec *spec)
{
	struct nlattr *nest;
	int i;

	if (spec->profile &&
	    nla_put_u32(skb, SEEN_A_FILTER_PROFILE, spec->profile))
		return -EMSGSIZE;
	nest = nla_nest_start(skb, SEEN_A_FILTER_KEY);
	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < spec->count; i++)
		if (!keyspec_put_entry(skb, spec, i))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return spec->inner ? keyspec_put_inner(skb, spec) : 0;
}

/* In these profiles the payload begins elsewhere than in a list of the same fields. */
static u8 keyspec_meaning(const struct seen_keyspec *spec)
{
	return spec->profile == SEEN_KEY_PROFILE_FRAME ||
	       spec->profile == SEEN_KEY_PROFILE_PACKET ? spec->profile : 0;
}

bool seen_keyspec_equal(const struct seen_keyspec *a,
			const struct seen_keyspec *b)
{
	return keyspec_meaning(a) == keyspec_meaning(b) && a->inner == b->inner &&
	       !memcmp(a->vxlan, b->vxlan, sizeof(a->vxlan)) &&
	       a->count == b->count &&
	       !memcmp(a->field, b->field, a->count * sizeof(a->field[0]));
}
