// SPDX-License-Identifier: GPL-2.0
/* Key commands: the operation on each key. netlink_key_run.c has the loop. */
#include "allow.h"
#include "netlink_key.h"

static bool nl_key_item_of(struct seen_binding *binding,
			   const struct seen_nl_record *record,
			   struct seen_item *item)
{
	return seen_filter_item(seen_binding_filter(binding), &record->key,
				item);
}

/* Check the prefix length. A failure counts as full. @asked: count it as a lookup, too. */
static int nl_key_admit(struct seen_filter *filter, const struct seen_nl_record *record,
			bool asked, struct netlink_ext_ack *extack)
{
	if (seen_filter_admit(filter, &record->key))
		return 0;
	if (asked)
		seen_filter_count(filter, SEEN_STAT_LOOKUPS);
	seen_filter_count(filter, SEEN_STAT_FULL);
	NL_SET_ERR_MSG(extack,
		       SEEN_TEXT_LENGTHS("filter"));
	return -E2BIG;
}

static int nl_key_put(struct seen_filter *filter, const struct seen_item *item,
		      const struct seen_nl_record *record, bool replace,
		      struct netlink_ext_ack *extack)
{
	int result = seen_filter_put(filter, item, record->value, replace,
				     record->last);

	return result < 0 ? result : seen_nl_key_answer(result, extack);
}

/* run_check() has accepted the key for this filter; the lock prevents a flush in between. */
static int nl_key_add(struct seen_binding *binding, struct seen_nl_record *record,
		      struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_binding_filter(binding);
	struct seen_item item;
	int err = nl_key_admit(filter, record, false, extack);

	if (err)
		return err;
	nl_key_item_of(binding, record, &item);
	if (filter->set.geo.kind == SEEN_SET_MAP)
		return nl_key_put(filter, &item, record, true, extack);
	return seen_nl_key_answer(seen_filter_add_by_user(filter, &item, false), extack);
}

static int nl_key_add_new(struct seen_binding *binding, struct seen_nl_record *record,
			  struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_binding_filter(binding);
	struct seen_item item;
	int err = nl_key_admit(filter, record, true, extack);

	if (err)
		return err;
	nl_key_item_of(binding, record, &item);
	if (filter->set.geo.kind == SEEN_SET_MAP)
		return nl_key_put(filter, &item, record, false, extack);
	return seen_nl_key_answer(seen_filter_add_by_user(filter, &item, true), extack);
}

static bool nl_key_is_allowed(const struct seen_binding *binding,
			      const struct seen_nl_record *record)
{
	bool allowed;

	rcu_read_lock();
	allowed = seen_allowed(binding, &record->key);
	rcu_read_unlock();
	return allowed;
}

static enum seen_result nl_key_test_prefix(struct seen_filter *filter,
					   const struct seen_nl_record *record)
{
	enum seen_result result;
	u32 value;

	rcu_read_lock();
	result = seen_filter_test_prefix(filter, &record->key, &value);
	rcu_read_unlock();
	return result;
}

static int nl_key_test(struct seen_binding *binding, struct seen_nl_record *record,
		       struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_binding_filter(binding);
	struct seen_item item;

	if (nl_key_is_allowed(binding, record))
		return SEEN_KEY_RESULT_ALLOWED;
	if (record->key.prefix)
		return seen_nl_key_answer(nl_key_test_prefix(filter, record), extack);
	if (nl_key_item_of(binding, record, &item))
		return seen_nl_key_answer(seen_filter_test(filter, &item), extack);
	seen_filter_miss(filter);
	return SEEN_KEY_RESULT_NEW;
}

/* Find the key's longest stored prefix. record->value: its value in a map, or its count. */
static enum seen_result nl_key_count_prefix(struct seen_filter *filter,
					    struct seen_nl_record *record)
{
	bool counts = filter->set.geo.kind != SEEN_SET_MAP;
	u32 threshold = max(filter->set.geo.threshold, 1U);
	enum seen_result result;

	rcu_read_lock();
	result = seen_filter_match(filter, &record->key,
				   counts ? 0 : SEEN_LPM_SEEN, &record->value);
	rcu_read_unlock();
	if ((counts && record->value < threshold) || seen_filter_passes(filter))
		result = SEEN_NEW;
	return seen_filter_answered(filter, result);
}

static int nl_key_count(struct seen_binding *binding, struct seen_nl_record *record,
			struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_binding_filter(binding);
	struct seen_item item;

	if (record->key.prefix)
		return seen_nl_key_answer(nl_key_count_prefix(filter, record), extack);
	if (nl_key_item_of(binding, record, &item))
		return seen_nl_key_answer(seen_filter_value(filter, &item, &record->value),
				     extack);
	seen_filter_miss(filter);
	return SEEN_KEY_RESULT_NEW;
}

static int nl_key_del(struct seen_binding *binding, struct seen_nl_record *record,
		      struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_binding_filter(binding);
	struct seen_item item;

	nl_key_item_of(binding, record, &item);
	return seen_nl_key_answer(seen_filter_del_by_user(filter, &item), extack);
}

int seen_nl_key_add(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *if_new = info->attrs[SEEN_A_KEY_IF_NEW];
	struct seen_nl_task task = {
		.op = if_new ? nl_key_add_new : nl_key_add,
		.stored = true,
		.adds = true,
	};
	struct seen_binding *binding = seen_nl_key_find(info, false);
	const struct seen_geometry *geo;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	geo = &seen_binding_filter(binding)->set.geo;
	if (if_new && !seen_set_can_test_and_add(geo)) {
		NL_SET_ERR_MSG_ATTR(info->extack, if_new,
				    "new: types cms and cmm count every key; omit new");
		return -EOPNOTSUPP;
	}
	task.valued = geo->kind == SEEN_SET_MAP;
	return seen_nl_key_run(info, binding, &task);
}

int seen_nl_key_test(struct sk_buff *skb, struct genl_info *info)
{
	static const struct seen_nl_task task = { .op = nl_key_test };

	return seen_nl_key_find_and_run(info, &task);
}

int seen_nl_key_del(struct sk_buff *skb, struct genl_info *info)
{
	static const struct seen_nl_task task = { .op = nl_key_del, .stored = true };
	struct seen_binding *binding = seen_nl_key_find(info, false);

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	if (!seen_set_can_del(&seen_binding_filter(binding)->set.geo)) {
		NL_SET_ERR_MSG(info->extack,
			       "type: bloom, cms and cmm cannot delete keys; use cuckoo or counting");
		return -EOPNOTSUPP;
	}
	return seen_nl_key_run(info, binding, &task);
}

int seen_nl_key_count(struct sk_buff *skb, struct genl_info *info)
{
	static const struct seen_nl_task task = { .op = nl_key_count, .tells = true };
	struct seen_binding *binding = seen_nl_key_find(info, false);
	const struct seen_geometry *geo;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	geo = &seen_binding_filter(binding)->set.geo;
	if (!seen_set_can_count(geo) && geo->kind != SEEN_SET_MAP) {
		NL_SET_ERR_MSG(info->extack,
			       "type: key count needs cuckoo without a window, counting, cms, cmm or map");
		return -EOPNOTSUPP;
	}
	return seen_nl_key_run(info, binding, &task);
}
