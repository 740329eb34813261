// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#include "client.h"
#include "key_field.h"
#include "reserved.h"

/* Enough for a name, a secret, a key of SEEN_KEY_FIELDS_MAX fields, and numbers. */
#define REQUEST_BYTES	1024
/* Seconds that seen_filter_del() waits until the rules of a filter are deleted. */
#define DEL_PATIENCE	2

static int put_fields(struct nl_msg *msg, const struct seen_key_spec *spec)
{
	struct nlattr *nest = nla_nest_start(msg, SEEN_A_FILTER_KEY);

	if (!nest)
		return -NLE_NOMEM;
	for (uint32_t i = 0; i < spec->count; i++) {
		const struct seen_key_field *field = &spec->field[i];
		struct nlattr *entry;

		entry = nla_nest_start(msg, SEEN_A_FIELD_ENTRY);
		if (!entry || nla_put_u32(msg, SEEN_A_FIELD_ID, field->id))
			return -NLE_NOMEM;
		if (field->param &&
		    nla_put_u32(msg, SEEN_A_FIELD_PARAM, field->param))
			return -NLE_NOMEM;
		if (field->param6 &&
		    nla_put_u32(msg, SEEN_A_FIELD_PARAM6, field->param6))
			return -NLE_NOMEM;
		nla_nest_end(msg, entry);
	}
	return nla_nest_end(msg, nest);
}

static bool is_bounded(const struct seen_key_spec *spec)
{
	const struct seen_key_field *payload =
		seen_key_find(spec, SEEN_FIELD_PAYLOAD);

	return payload && payload->param;
}

static int filter_put_inner(struct nl_msg *msg,
			    const struct seen_key_spec *spec)
{
	if (nla_put_flag(msg, SEEN_A_FILTER_INNER))
		return -NLE_NOMEM;
	for (int i = 0; i < SEEN_VXLAN_PORTS_ROOM && spec->vxlan[i]; i++)
		if (nla_put_u16(msg, SEEN_A_FILTER_VXLAN_PORT, spec->vxlan[i]))
			return -NLE_NOMEM;
	return 0;
}

static int put_key(struct nl_msg *msg, const struct seen_key_spec *spec)
{
	if (spec->inner && filter_put_inner(msg, spec))
		return -NLE_NOMEM;
	/* A profile implies its fields; they are sent only if their payload is bounded. */
	if ((!spec->profile || is_bounded(spec)) &&
	    put_fields(msg, spec))
		return -NLE_NOMEM;
	if (!spec->profile)
		return 0;
	return nla_put_u32(msg, SEEN_A_FILTER_PROFILE, spec->profile);
}

int seen_filter_config_put(struct nl_msg *msg,
			   const struct seen_filter_config *config)
{
	NLA_PUT_STRING(msg, SEEN_A_FILTER_NAME, config->name);
	NLA_PUT_U32(msg, SEEN_A_FILTER_TYPE, config->type);
	NLA_PUT_U64(msg, SEEN_A_FILTER_CAPACITY, config->capacity);
	if (config->layout)
		NLA_PUT_U32(msg, SEEN_A_FILTER_LAYOUT, config->layout);
	if (config->fpp)
		NLA_PUT_U64(msg, SEEN_A_FILTER_FPP, config->fpp);
	if (config->fp_bits)
		NLA_PUT_U32(msg, SEEN_A_FILTER_FP_BITS, config->fp_bits);
	if (config->window)
		NLA_PUT_U64(msg, SEEN_A_FILTER_WINDOW, config->window);
	if (config->refresh)
		NLA_PUT_FLAG(msg, SEEN_A_FILTER_REFRESH);
	if (config->on_full)
		NLA_PUT_U32(msg, SEEN_A_FILTER_ON_FULL, config->on_full);
	if (config->has_secret)
		NLA_PUT(msg, SEEN_A_FILTER_SECRET, SEEN_SECRET_LEN,
			config->secret);
	if (config->first_len)
		NLA_PUT(msg, SEEN_A_FILTER_FIRST, config->first_len,
			config->first);
	if (config->threshold)
		NLA_PUT_U32(msg, SEEN_A_FILTER_THRESHOLD, config->threshold);
	if (config->conservative)
		NLA_PUT_FLAG(msg, SEEN_A_FILTER_CONSERVATIVE);
	if (config->top)
		NLA_PUT_U32(msg, SEEN_A_FILTER_TOP, config->top);
	return put_key(msg, &config->key);

nla_put_failure:
	return -NLE_NOMEM;
}

int seen_filter_add(struct seen_client *client,
		    const struct seen_filter_config *config)
{
	const char *fault = seen_filter_fault(config);
	struct nl_msg *msg;

	if (fault)
		return seen_refuse(client, fault);
	msg = seen_request(client, SEEN_CMD_FILTER_ADD, NLM_F_ACK, REQUEST_BYTES);
	if (msg && seen_filter_config_put(msg, config)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, NULL, NULL);
}

static int del_once(struct seen_client *client, const char *name)
{
	return seen_simple(client, SEEN_CMD_FILTER_DEL, SEEN_A_FILTER_NAME,
			   name, 0, NULL);
}

static int ignore(const struct seen_event_info *event, void *context)
{
	(void)event;
	(void)context;
	return 0;
}

static int left_until(const struct timespec *end)
{
	struct timespec now;
	long ms;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ms = (end->tv_sec - now.tv_sec) * 1000 +
	     (end->tv_nsec - now.tv_nsec) / 1000000;
	return ms > 0 ? ms : 0;
}

/* Retry after each event of the namespace: one of them reports that the last rule is deleted. */
static int del_patiently(struct seen_client *client, const char *name,
			 struct seen_client *events)
{
	struct pollfd fd = { .fd = seen_listen_fd(events), .events = POLLIN };
	struct timespec end;
	int err, left;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += DEL_PATIENCE;
	while ((err = del_once(client, name)) == -EAGAIN) {
		left = left_until(&end);
		if (!left || poll(&fd, 1, left) <= 0)
			return err;
		seen_listen_next(events, ignore, NULL);
	}
	return err;
}

int seen_filter_del(struct seen_client *client, const char *name, bool no_wait)
{
	struct seen_client *events;
	int err = del_once(client, name);

	if (err == -EAGAIN && !no_wait) {
		if (!seen_open(&events) && !seen_listen(events))
			err = del_patiently(client, name, events);
		seen_close(events);
	}
	return err == -EAGAIN ? -EBUSY : err;
}

int seen_filter_flush(struct seen_client *client, const char *name)
{
	return seen_simple(client, SEEN_CMD_FILTER_FLUSH, SEEN_A_FILTER_NAME,
			   name, 0, NULL);
}

int seen_filter_rename(struct seen_client *client, const char *name,
		       const char *new_name)
{
	return seen_simple(client, SEEN_CMD_FILTER_RENAME, SEEN_A_FILTER_NAME,
			   name, SEEN_A_FILTER_NEW_NAME, new_name);
}

int seen_filter_swap(struct seen_client *client, const char *name,
		     const char *other)
{
	return seen_simple(client, SEEN_CMD_FILTER_SWAP, SEEN_A_FILTER_NAME,
			   name, SEEN_A_FILTER_NEW_NAME, other);
}

int seen_filter_set(struct seen_client *client, const char *name,
		    enum seen_on_full on_full)
{
	int err = seen_check_name(client, SEEN_CMD_FILTER_SET, SEEN_A_FILTER_NAME, name);
	struct nl_msg *msg;

	if (err)
		return err;
	msg = seen_request(client, SEEN_CMD_FILTER_SET, NLM_F_ACK, REQUEST_BYTES);
	if (msg && (nla_put_string(msg, SEEN_A_FILTER_NAME, name) ||
		    nla_put_u32(msg, SEEN_A_FILTER_ON_FULL, on_full))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, NULL, NULL);
}

int seen_filter_set_allow_map(struct seen_client *client, const char *name,
			      const char *map)
{
	return seen_simple(client, SEEN_CMD_FILTER_SET, SEEN_A_FILTER_NAME,
			   name, SEEN_A_FILTER_ALLOW_MAP, map);
}

int seen_filter_reset(struct seen_client *client, const char *name)
{
	int err = seen_check_name(client, SEEN_CMD_FILTER_SET, SEEN_A_FILTER_NAME, name);
	struct nl_msg *msg;

	if (err)
		return err;
	msg = seen_request(client, SEEN_CMD_FILTER_SET, NLM_F_ACK, REQUEST_BYTES);
	if (msg && (nla_put_string(msg, SEEN_A_FILTER_NAME, name) ||
		    nla_put_flag(msg, SEEN_A_FILTER_RESET))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, NULL, NULL);
}

static void parse_field(struct nlattr *nest, struct seen_key_field *field)
{
	struct nlattr *tb[SEEN_A_FIELD_MAX + 1];

	if (nla_parse_nested(tb, SEEN_A_FIELD_MAX, nest, NULL))
		return;
	field->id = seen_attr_u32(tb[SEEN_A_FIELD_ID]);
	field->param = seen_attr_u32(tb[SEEN_A_FIELD_PARAM]);
	field->param6 = seen_attr_u32(tb[SEEN_A_FIELD_PARAM6]);
}

static void filter_parse_vxlan(struct seen_client *client, struct nlmsghdr *nlh,
			       struct seen_key_spec *spec)
{
	struct genlmsghdr *header = genlmsg_hdr(nlh);
	int left, count = 0;
	struct nlattr *attr;

	nla_for_each_attr(attr, genlmsg_attrdata(header, 0),
			  genlmsg_attrlen(header, 0), left)
		if (nla_type(attr) == SEEN_A_FILTER_VXLAN_PORT &&
		    seen_fits(client, "VXLAN ports of a key", count,
			      SEEN_VXLAN_PORTS_ROOM))
			spec->vxlan[count++] = seen_attr_u16(attr);
}

static void parse_key(struct seen_client *client, struct nlattr **tb,
		      struct seen_key_spec *spec)
{
	struct nlattr *nest = tb[SEEN_A_FILTER_KEY], *entry;
	int left;

	spec->profile = seen_attr_u32(tb[SEEN_A_FILTER_PROFILE]);
	spec->inner = tb[SEEN_A_FILTER_INNER];
	if (!nest)
		return;
	nla_for_each_nested(entry, nest, left)
		if (nla_type(entry) == SEEN_A_FIELD_ENTRY &&
		    seen_fits(client, "fields of a key", spec->count,
			      SEEN_KEY_FIELDS_ROOM))
			parse_field(entry, &spec->field[spec->count++]);
}

/* @shorter: added to each length, see seen_filter_info.length */
static void parse_lengths(struct seen_client *client, const struct nlattr *attr,
			  uint8_t shorter, struct seen_filter_info *info)
{
	size_t len = attr ? nla_len(attr) : 0;
	const uint8_t *from = len ? nla_data(attr) : NULL;

	for (size_t i = 0; i < len && seen_fits(client, "prefix lengths", info->lengths,
						SEEN_LENGTHS_ROOM); i++)
		info->length[info->lengths++] = from[i] + shorter;
}

int seen_filter_put_lengths(struct nl_msg *msg, const struct seen_filter_info *info)
{
	uint8_t ipv4[SEEN_LENGTHS_ROOM], ipv6[SEEN_LENGTHS_ROOM];
	int count4 = 0, count6 = 0;

	for (uint32_t i = 0; i < info->lengths; i++)
		if (info->length[i] <= SEEN_PREFIX4_MAX)
			ipv4[count4++] = info->length[i];
		else
			ipv6[count6++] = info->length[i] - SEEN_PREFIX4_MAX;
	if (count4 && nla_put(msg, SEEN_A_FILTER_LENGTHS4, count4, ipv4))
		return -NLE_NOMEM;
	return count6 ? nla_put(msg, SEEN_A_FILTER_LENGTHS6, count6, ipv6) : 0;
}

static void parse_first(struct seen_client *client, const struct nlattr *attr,
			struct seen_filter_config *config)
{
	size_t len = attr ? nla_len(attr) : 0;

	if (len && !seen_fits(client, "bytes of a bitmap's first key", len - 1,
			      sizeof(config->first)))
		return;
	config->first_len = len;
	seen_attr_bytes(attr, config->first, len);
}

static void parse_config(struct seen_client *client, struct nlattr **tb,
			 struct seen_filter_config *config)
{
	seen_attr_name(client, tb[SEEN_A_FILTER_NAME], config->name,
		       sizeof(config->name));
	config->type = seen_attr_u32(tb[SEEN_A_FILTER_TYPE]);
	config->layout = seen_attr_u32(tb[SEEN_A_FILTER_LAYOUT]);
	config->fp_bits = seen_attr_u32(tb[SEEN_A_FILTER_FP_BITS]);
	config->on_full = seen_attr_u32(tb[SEEN_A_FILTER_ON_FULL]);
	config->refresh = tb[SEEN_A_FILTER_REFRESH];
	config->capacity = seen_attr_u64(tb[SEEN_A_FILTER_CAPACITY]);
	config->fpp = seen_attr_u64(tb[SEEN_A_FILTER_FPP]);
	config->window = seen_attr_u64(tb[SEEN_A_FILTER_WINDOW]);
	config->threshold = seen_attr_u32(tb[SEEN_A_FILTER_THRESHOLD]);
	config->conservative = tb[SEEN_A_FILTER_CONSERVATIVE];
	config->top = seen_attr_u32(tb[SEEN_A_FILTER_TOP]);
	parse_first(client, tb[SEEN_A_FILTER_FIRST], config);
	parse_key(client, tb, &config->key);
}

static void parse_stats(struct nlattr *nest, uint64_t *stats)
{
	struct nlattr *tb[SEEN_STATS_ROOM];

	if (!nest || nla_parse_nested(tb, SEEN_STATS_ROOM - 1, nest, NULL))
		return;
	for (int i = 0; i < SEEN_STATS_ROOM; i++)
		stats[i] = seen_attr_u64(tb[i]);
}

static void filter_parse_feed(struct nlattr *nest, struct seen_filter_info *info)
{
	struct nlattr *tb[SEEN_A_FEED_MAX + 1];

	if (!nest || nla_parse_nested(tb, SEEN_A_FEED_MAX, nest, NULL))
		return;
	info->has_feed = true;
	info->feed_stale = tb[SEEN_A_FEED_IS_STALE];
	info->feed_updated = tb[SEEN_A_FEED_AGE];
	info->feed_room = seen_attr_u32(tb[SEEN_A_FEED_RECORDS]);
	info->feed_records = seen_attr_u64(tb[SEEN_A_FEED_TOTAL]);
	info->feed_lost = seen_attr_u64(tb[SEEN_A_FEED_LOST]);
	info->feed_pending = seen_attr_u64(tb[SEEN_A_FEED_PENDING]);
	info->feed_age = seen_attr_u64(tb[SEEN_A_FEED_AGE]);
	info->feed_limit = seen_attr_u64(tb[SEEN_A_FEED_STALE]);
}

int seen_filter_parse(struct seen_client *client, struct nlmsghdr *nlh,
		      struct seen_filter_info *info, struct nlattr **tb)
{
	if (genlmsg_parse(nlh, 0, tb, SEEN_A_FILTER_MAX, NULL))
		return -EPROTO;
	memset(info, 0, sizeof(*info));
	parse_config(client, tb, &info->config);
	filter_parse_vxlan(client, nlh, &info->config.key);
	info->id = seen_attr_u32(tb[SEEN_A_FILTER_ID]);
	info->table_id = seen_attr_u64(tb[SEEN_A_FILTER_TABLE_ID]);
	info->hashes = seen_attr_u32(tb[SEEN_A_FILTER_HASHES]);
	info->users = seen_attr_u32(tb[SEEN_A_FILTER_USERS]);
	info->rules = seen_attr_u32(tb[SEEN_A_FILTER_RULES]);
	info->missing = tb[SEEN_A_FILTER_MISSING];
	info->unfit_rules = seen_attr_u32(tb[SEEN_A_FILTER_UNFIT_RULES]);
	filter_parse_feed(tb[SEEN_A_FILTER_FEED], info);
	info->unanswered = seen_attr_u64(tb[SEEN_A_FILTER_UNANSWERED]);
	info->allowed = seen_attr_u32(tb[SEEN_A_FILTER_ALLOWED]);
	info->guard_owned = tb[SEEN_A_FILTER_GUARD_OWNED];
	info->full = tb[SEEN_A_FILTER_FULL];
	info->blocks = seen_attr_u64(tb[SEEN_A_FILTER_BLOCKS]);
	info->tick = seen_attr_u64(tb[SEEN_A_FILTER_TICK]);
	info->ticks = seen_attr_u32(tb[SEEN_A_FILTER_TICKS]);
	info->fold = seen_attr_u32(tb[SEEN_A_FILTER_FOLD]);
	info->bytes = seen_attr_u64(tb[SEEN_A_FILTER_BYTES]);
	info->entries = seen_attr_u64(tb[SEEN_A_FILTER_ENTRIES]);
	info->used = seen_attr_u64(tb[SEEN_A_FILTER_USED]);
	info->room = seen_attr_u64(tb[SEEN_A_FILTER_ROOM]);
	info->effective = seen_attr_u64(tb[SEEN_A_FILTER_EFFECTIVE]);
	parse_lengths(client, tb[SEEN_A_FILTER_LENGTHS4], 0, info);
	parse_lengths(client, tb[SEEN_A_FILTER_LENGTHS6], SEEN_PREFIX4_MAX, info);
	info->total = seen_attr_u64(tb[SEEN_A_FILTER_TOTAL]);
	seen_attr_name(client, tb[SEEN_A_FILTER_ALLOW_MAP], info->allow_map,
		       sizeof(info->allow_map));
	info->allow_map_id = seen_attr_u32(tb[SEEN_A_FILTER_ALLOW_MAP_ID]);
	parse_stats(tb[SEEN_A_FILTER_STATS], info->stats);
	return 0;
}

static int parse_one(struct seen_client *client, struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_FILTER_MAX + 1];

	return seen_filter_parse(client, nlh, context, tb);
}

int seen_filter_ask(struct seen_client *client, struct nl_msg *msg,
		    struct seen_filter_info *info)
{
	int err;

	memset(info, 0, sizeof(*info));
	err = seen_transact(client, msg, parse_one, info);
	if (!err && !*info->config.name)
		err = seen_fail(client, -EPROTO, seen_short_reply);
	return err;
}

int seen_filter_get(struct seen_client *client, const char *name,
		    struct seen_filter_info *info)
{
	int err = seen_check_name(client, SEEN_CMD_FILTER_GET, SEEN_A_FILTER_NAME, name);
	struct nl_msg *msg;

	if (err)
		return err;
	msg = seen_request(client, SEEN_CMD_FILTER_GET, NLM_F_ACK, REQUEST_BYTES);
	if (msg && nla_put_string(msg, SEEN_A_FILTER_NAME, name)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_filter_ask(client, msg, info);
}
