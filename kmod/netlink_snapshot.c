// SPDX-License-Identifier: GPL-2.0
/*
 * Export and import, one chunk per request. An export keeps no state in the kernel but its
 * number, which is part of its cookie. A request with the cookie can read any chunk. An
 * import belongs to its socket until it is complete; snapshot.h.
 */
#include "core/snapshot.h"
#include "core/unit_set.h"
#include "netlink_entry.h"
#include "netlink_mode.h"
#include "snapshot.h"

static int nl_import_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, SEEN_A_FILTER_PAD);
}

static u64 nl_import_get_u64(const struct genl_info *info, int attr)
{
	return info->attrs[attr] ? nla_get_u64(info->attrs[attr]) : 0;
}

static u32 nl_snapshot_get_u32(const struct genl_info *info, int attr)
{
	return info->attrs[attr] ? nla_get_u32(info->attrs[attr]) : 0;
}

/*
 * A set numbers its exports from 1. The serial number makes a cookie invalid if another
 * filter replaces the filter under the same name.
 */
static u64 nl_snapshot_cookie_of(const struct seen_filter *filter, u64 number)
{
	return (u64)filter->serial << 32 | (u32)number;
}

static int nl_snapshot_put_secret(struct sk_buff *skb, const struct genl_info *info,
				  const struct seen_filter *filter)
{
	u8 bytes[SEEN_SECRET_LEN];
	int err;

	if (!info->attrs[SEEN_A_FILTER_WITH_SECRET])
		return 0;
	seen_secret_get(&filter->secret, bytes);
	err = nla_put(skb, SEEN_A_FILTER_SECRET, sizeof(bytes), bytes);
	memzero_explicit(bytes, sizeof(bytes));
	return err;
}

static int nl_snapshot_put_begin(struct sk_buff *skb, const struct genl_info *info,
				 struct seen_binding *binding)
{
	struct seen_filter *filter = seen_binding_filter(binding);
	const struct seen_geometry *geo = &filter->set.geo;
	u64 number = seen_set_export_begin(&filter->set);

	return seen_nl_filter_put(skb, binding) ||
	       (geo->window && nla_put_u32(skb, SEEN_A_FILTER_TICKS, geo->ticks)) ||
	       (geo->fold > 1 &&
		nl_import_put_u64(skb, SEEN_A_FILTER_SPAN, geo->span)) ||
	       nl_import_put_u64(skb, SEEN_A_FILTER_COOKIE,
				 nl_snapshot_cookie_of(filter, number)) ||
	       nla_put_u32(skb, SEEN_A_FILTER_UNIT,
			   seen_snapshot_unit_bytes(geo)) ||
	       nl_import_put_u64(skb, SEEN_A_FILTER_SECRET_CHECK,
				 seen_secret_check(&filter->secret,
						   filter->spec.payload)) ||
	       nl_snapshot_put_secret(skb, info, filter);
}

static int nl_snapshot_export_begin(struct genl_info *info, struct seen_binding *binding)
{
	struct sk_buff *reply = seen_nl_reply(info, NLMSG_GOODSIZE);
	struct seen_net *sn = seen_info_net(info);
	void *header;
	int err;

	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &seen_family, 0,
				   info->genlhdr->cmd);
	down_read(&sn->lock);
	err = !header || nl_snapshot_put_begin(reply, info, binding);
	up_read(&sn->lock);
	return seen_nl_send(info, reply, header, err);
}

/* Put @count units, or fewer at the end of the table. -ESTALE: the export must restart. */
static int nl_snapshot_put_units(struct sk_buff *skb, struct seen_filter *filter,
				 u64 number, u64 from, u64 count)
{
	u64 left = seen_unit_count(&filter->set.geo) - from, next;
	u32 unit = seen_snapshot_unit_bytes(&filter->set.geo);
	struct nlattr *data;

	count = min(count, left);
	data = nla_reserve(skb, SEEN_A_FILTER_DATA, count * unit);
	if (!data)
		return -EMSGSIZE;
	if (!seen_set_export(&filter->set, number, from, count,
			     nla_data(data), &next))
		return -ESTALE;
	/* Read the clock after the units, so that no unit is of a later tick. */
	return nl_import_put_u64(skb, SEEN_A_FILTER_AGE,
				 seen_unit_now(&filter->set.geo)) ||
	       (next && nl_import_put_u64(skb, SEEN_A_FILTER_NEXT, next));
}

static int nl_snapshot_refuse_stale(struct genl_info *info)
{
	NL_SET_ERR_MSG(info->extack,
		       "cookie: the filter changed or another export began; restart the export");
	return -ESTALE;
}

static int nl_snapshot_export_chunk(struct genl_info *info, struct seen_filter *filter)
{
	u32 unit = seen_snapshot_unit_bytes(&filter->set.geo);
	u64 cookie = nl_import_get_u64(info, SEEN_A_FILTER_COOKIE);
	u64 from = nl_import_get_u64(info, SEEN_A_FILTER_FROM);
	struct sk_buff *reply;
	void *header;
	int err;

	if (cookie >> 32 != filter->serial)
		return nl_snapshot_refuse_stale(info);
	if (from >= seen_unit_count(&filter->set.geo)) {
		NL_SET_ERR_MSG_ATTR(info->extack,
				    info->attrs[SEEN_A_FILTER_FROM],
				    "from: past the end");
		return -EINVAL;
	}
	reply = seen_nl_reply(info, nla_total_size(SEEN_CHUNK_MAX) +
			      2 * nla_total_size_64bit(sizeof(u64)));
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &seen_family, 0,
				   info->genlhdr->cmd);
	err = header ? nl_snapshot_put_units(reply, filter, (u32)cookie, from,
					     SEEN_CHUNK_MAX / unit) : -EMSGSIZE;
	if (err != -ESTALE)
		return seen_nl_send(info, reply, header, err);
	nlmsg_free(reply);
	return nl_snapshot_refuse_stale(info);
}

int seen_nl_filter_export(struct sk_buff *skb, struct genl_info *info)
{
	struct seen_binding *binding =
		seen_nl_binding_find_to_change(info, &seen_nl_filter);
	int mode;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	mode = seen_nl_export_mode(info);
	if (mode < 0)
		return mode;
	return mode == SEEN_NL_CHUNK ?
	       nl_snapshot_export_chunk(info, seen_binding_filter(binding)) :
	       nl_snapshot_export_begin(info, binding);
}

/* The request has the sizes that seen_plan() would choose. seen_geometry_check() checks them. */
static void nl_snapshot_parse_table(struct genl_info *info, struct seen_geometry *geo)
{
	geo->hashes = nl_snapshot_get_u32(info, SEEN_A_FILTER_HASHES);
	geo->ticks = nl_snapshot_get_u32(info, SEEN_A_FILTER_TICKS);
	geo->tick = nl_import_get_u64(info, SEEN_A_FILTER_TICK);
	geo->blocks = nl_import_get_u64(info, SEEN_A_FILTER_BLOCKS);
	geo->fold = nl_snapshot_get_u32(info, SEEN_A_FILTER_FOLD);
	geo->span = nl_import_get_u64(info, SEEN_A_FILTER_SPAN);
}

/* Require the attributes that describe a table, and those of a window and of a fold. */
static int nl_import_require(struct genl_info *info)
{
	if (GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_SECRET) ||
	    GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_HASHES) ||
	    GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_BLOCKS))
		return -EINVAL;
	if (info->attrs[SEEN_A_FILTER_WINDOW] &&
	    (GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_TICK) ||
	     GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_TICKS)))
		return -EINVAL;
	if (info->attrs[SEEN_A_FILTER_FOLD] &&
	    GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_SPAN))
		return -EINVAL;
	return info->attrs[SEEN_A_FILTER_SPAN] &&
	       GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_FOLD) ? -EINVAL : 0;
}

/* Require what is optional for FILTER_ADD. seen_nl_filter_parse() has checked the type. */
static int nl_import_require_of(struct genl_info *info, const struct seen_geometry *geo)
{
	if (nla_get_u32(info->attrs[SEEN_A_FILTER_TYPE]) == SEEN_TYPE_CUCKOO &&
	    GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_FP_BITS))
		return -EINVAL;
	return !seen_nl_type_is_exact(geo) &&
	       GENL_REQ_ATTR_CHECK(info, SEEN_A_FILTER_FPP) ? -EINVAL : 0;
}

static int nl_import_parse_secret(struct genl_info *info, bool payload,
				  struct seen_secret *secret)
{
	const struct nlattr *check = info->attrs[SEEN_A_FILTER_SECRET_CHECK];
	const struct nlattr *attr = info->attrs[SEEN_A_FILTER_SECRET];

	seen_secret_set(secret, nla_data(attr));
	if (!check || nla_get_u64(check) == seen_secret_check(secret, payload))
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, attr,
			    "secret: the snapshot was made with another secret");
	return -ENOKEY;
}

/* Check name and id before a large table is allocated. */
static int nl_import_check_name(struct genl_info *info, const char *name)
{
	const struct nlattr *id = info->attrs[SEEN_A_FILTER_ID];
	struct seen_net *sn = seen_info_net(info);
	int err;

	if (info->attrs[SEEN_A_FILTER_REPLACE])
		return id ? PTR_ERR_OR_ZERO(seen_nl_binding_find_to_change(info,
							&seen_nl_filter)) : 0;
	if (id)
		return seen_nl_refuse(info, id, "id: of the filter to replace; add replace");
	down_read(&sn->lock);
	err = seen_binding_check_name(sn, name, info->extack);
	up_read(&sn->lock);
	return err;
}

/* @shorter: index of the family's first length; @max: the family's longest prefix, in bits */
static const char *nl_import_take_lengths(struct seen_filter *filter,
					  const struct nlattr *attr, u32 shorter,
					  u32 max)
{
	const u8 *length = nla_data(attr);
	int i;

	if (!filter->spec.prefix)
		return "lengths: need a key with prefixes of any length";
	for (i = 0; i < nla_len(attr); i++) {
		if (!length[i] || length[i] > max)
			return max == SEEN_PREFIX4_MAX ?
			       "lengths4: must be 1 to 32" :
			       "lengths6: must be 1 to 128";
		if (!seen_lengths_add(&filter->lengths, shorter + length[i] - 1))
			return "lengths: must be at most 64 of IPv4 and IPv6 together";
	}
	return NULL;
}

/* Return: @filter, or ERR_PTR after freeing @filter. */
static struct seen_filter *nl_snapshot_give_lengths(struct genl_info *info,
						    struct seen_filter *filter)
{
	const struct nlattr *attr = info->attrs[SEEN_A_FILTER_LENGTHS4];
	const char *error = NULL;

	if (attr)
		error = nl_import_take_lengths(filter, attr, 0, SEEN_PREFIX4_MAX);
	if (!error && info->attrs[SEEN_A_FILTER_LENGTHS6]) {
		attr = info->attrs[SEEN_A_FILTER_LENGTHS6];
		error = nl_import_take_lengths(filter, attr, SEEN_PREFIX4_MAX,
					       SEEN_PREFIX6_MAX);
	}
	if (!error)
		return filter;
	seen_filter_free(filter);
	NL_SET_BAD_ATTR(info->extack, attr);
	info->extack->_msg = error;
	return ERR_PTR(-EINVAL);
}

/*
 * The new filter must stay within the caps, even if it will replace another filter: that
 * filter may be gone by the time of the commit.
 */
static struct seen_filter *nl_import_create(struct genl_info *info)
{
	struct seen_filter_config config = {};
	struct seen_filter *filter;
	int err;

	err = seen_nl_filter_parse(info, &config) ?:
	      nl_import_check_name(info, nla_data(info->attrs[SEEN_A_FILTER_NAME])) ?:
	      nl_import_require(info) ?:
	      nl_import_require_of(info, &config.geo) ?:
	      nl_import_parse_secret(info, config.spec.payload, &config.secret);
	if (!err)
		nl_snapshot_parse_table(info, &config.geo);
	filter = err ? ERR_PTR(err) :
		 seen_filter_create_as(seen_info_net(info), &config, false,
				       info->extack);
	memzero_explicit(&config.secret, sizeof(config.secret));
	return IS_ERR(filter) ? filter : nl_snapshot_give_lengths(info, filter);
}

static int nl_snapshot_reply_import(struct genl_info *info,
				    const struct seen_import *import)
{
	u32 unit = seen_snapshot_unit_bytes(&import->filter->set.geo);
	struct sk_buff *reply;
	void *header;

	reply = seen_nl_reply(info, nla_total_size_64bit(sizeof(u64)) +
			      nla_total_size(sizeof(unit)));
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &seen_family, 0,
				   info->genlhdr->cmd);
	return seen_nl_send(info, reply, header, !header ||
			    nl_import_put_u64(reply, SEEN_A_FILTER_COOKIE,
					      import->cookie) ||
			    nla_put_u32(reply, SEEN_A_FILTER_UNIT, unit));
}

static int nl_snapshot_import_begin(struct genl_info *info)
{
	struct seen_net *sn = seen_info_net(info);
	struct seen_filter *filter;
	struct seen_import *import;
	int err = seen_nl_import_mode(info);

	if (err < 0)
		return err;
	/* End the socket's old import first, to release the memory charged for it. */
	import = seen_import_find(sn, info->snd_portid);
	if (import)
		seen_import_end(import);
	filter = nl_import_create(info);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	import = seen_import_begin(sn, info->snd_portid,
				   nla_data(info->attrs[SEEN_A_FILTER_NAME]),
				   filter, info->extack);
	if (IS_ERR(import))
		return PTR_ERR(import);
	import->replace = info->attrs[SEEN_A_FILTER_REPLACE];
	import->replaces = nl_snapshot_get_u32(info, SEEN_A_FILTER_ID);
	import->age = nl_import_get_u64(info, SEEN_A_FILTER_AGE);
	err = nl_snapshot_reply_import(info, import);
	if (err)
		seen_import_end(import);
	return err;
}

static int nl_import_top(struct genl_info *info, struct seen_import *import)
{
	struct seen_nl_entry entry;
	const struct nlattr *nla;
	int rest, err = 0;

	nlmsg_for_each_attr(nla, info->nlhdr, GENL_HDRLEN, rest) {
		if (nla_type(nla) != SEEN_A_FILTER_TOP_KEY)
			continue;
		err = seen_nl_entry_read(nla, &entry, info->extack);
		if (!err)
			err = seen_import_top(import, entry.bytes, entry.len,
					      info->extack);
		if (err)
			return err;
		cond_resched();
	}
	return 0;
}

static int nl_import_commit(struct genl_info *info, struct seen_import *import)
{
	const struct nlattr *total = info->attrs[SEEN_A_FILTER_TOTAL];

	if (total && seen_set_can_test_and_add(&import->filter->set.geo))
		return seen_nl_refuse(info, total, "total: needs type cms or cmm");
	return seen_import_commit(import, total ? nla_get_u64(total) : 0, info->extack);
}

static int nl_snapshot_import_more(struct genl_info *info, struct seen_import *import)
{
	int mode = seen_nl_import_mode(info);

	switch (mode) {
	case SEEN_NL_COMMIT:
		return nl_import_commit(info, import);
	case SEEN_NL_TOP:
		return nl_import_top(info, import);
	case SEEN_NL_CHUNK:
		return seen_import_chunk(import,
					 nl_import_get_u64(info, SEEN_A_FILTER_FROM),
					 info->attrs[SEEN_A_FILTER_DATA],
					 info->extack);
	case SEEN_NL_ABORT:
		NL_SET_ERR_MSG(info->extack,
			       "import: aborted");
		return -ECANCELED;
	}
	return mode;
}

int seen_nl_filter_import(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *cookie = info->attrs[SEEN_A_FILTER_COOKIE];
	struct seen_import *import;
	int err;

	if (!cookie)
		return nl_snapshot_import_begin(info);
	import = seen_import_find(seen_info_net(info), info->snd_portid);
	if (!import || import->cookie != nla_get_u64(cookie)) {
		NL_SET_ERR_MSG_ATTR(info->extack, cookie,
				    "cookie: this socket has no import with this cookie; begin a new import");
		return -ESTALE;
	}
	err = nl_snapshot_import_more(info, import);
	/* Any error aborts the import. */
	if (err)
		seen_import_end(import);
	return err;
}
