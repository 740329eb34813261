// SPDX-License-Identifier: GPL-2.0
/*
 * Keys in bulk: thousands a message. The whole message is checked before the
 * first key is applied; then keys are applied in order until one is refused.
 * The reply has an answer for every key that was tried.
 */
#include <linux/sched.h>

#include "allow.h"
#include "core/prefetch.h"
#include "netlink.h"

/* Keys applied between two chances to be scheduled away. */
#define SLICE	256
/* Keys that one reply tells the counts of. */
#define COUNTS_MAX	16000

/**
 * struct record - a cursor over SEEN_A_KEY_DATA, and SEEN_A_KEY_VALUES
 * @bytes: of the key, canonical
 * @len: how many
 * @key: the key itself, once the bytes were found to be one
 * @value: in: that a map shall have for it; out: that it has, or a count
 * @last: a map has other hashes by now, or gets none
 */
struct record {
	const u8 *bytes;
	u16 len;
	struct seen_key key;
	u32 value;
	bool last;
};

/**
 * struct task - a request for keys
 * @op: what is done with each
 * @stored: keys that the filter cannot hold are refused
 * @listed: keys that an allow list cannot hold are refused
 * @tells: the reply has a value for each key
 */
struct task {
	int (*op)(struct seen_binding *binding, struct record *record,
		  struct netlink_ext_ack *extack);
	bool stored;
	bool listed;
	bool tells;
};

/* Returns where the next record begins, or NULL if this one is cut short. */
static const u8 *next_record(const u8 *at, const u8 *end, struct record *record)
{
	if (end - at < (ptrdiff_t)sizeof(record->len))
		return NULL;
	memcpy(&record->len, at, sizeof(record->len));
	record->bytes = at + sizeof(record->len);
	if (end - record->bytes < record->len)
		return NULL;
	return record->bytes + record->len;
}

static bool take_key(const struct seen_filter *filter, struct record *record)
{
	return seen_key_take(&filter->spec, &record->key, record->bytes,
			     record->len);
}

static const char *check_key(const struct seen_filter *filter,
			     struct record *record, const struct task *task)
{
	struct seen_item item;

	if (!take_key(filter, record))
		return filter->spec.prefix ?
		       "keys: not a prefix, or a key's length does not fit the filter's key" :
		       "keys: a key's length does not fit the filter's key";
	if (task->listed && record->len > SEEN_ALLOWED_MAX)
		return "keys: a key of an allow list has at most 16000 bytes; use payload:N";
	if (!task->stored || seen_item_takes_all(&filter->set.geo) ||
	    seen_filter_item(filter, &record->key, &item))
		return NULL;
	return filter->set.geo.kind == SEEN_SET_BITMAP ?
	       "keys: a key is outside of the bitmap's range" :
	       "keys: a key is longer than the 48 bytes that this filter keeps";
}

/* Counts the records, or refuses them all. */
static int nl_key_check(const struct nlattr *data, const struct seen_filter *filter,
			const struct task *task, struct netlink_ext_ack *extack)
{
	const u8 *at = nla_data(data), *end = at + nla_len(data);
	struct record record;
	const char *error;
	int count = 0;

	while (at < end) {
		at = next_record(at, end, &record);
		if (!at) {
			NL_SET_ERR_MSG_ATTR(extack, data,
					    "keys: the last record is cut short");
			return -EINVAL;
		}
		error = check_key(filter, &record, task);
		if (error) {
			NL_SET_BAD_ATTR(extack, data);
			extack->_msg = error;
			return -EINVAL;
		}
		if (++count % SLICE == 0)
			cond_resched();
	}
	if (count)
		return count;
	NL_SET_ERR_MSG_ATTR(extack, data, "keys: none given");
	return -EINVAL;
}

static int nl_key_answer(enum seen_result result, struct netlink_ext_ack *extack)
{
	static const u8 answers[] = {
		[SEEN_NEW] = SEEN_KEY_NEW,
		[SEEN_SEEN] = SEEN_KEY_SEEN,
		[SEEN_ABSENT] = SEEN_KEY_ABSENT,
		[SEEN_STALE] = SEEN_KEY_STALE,
	};

	switch (result) {
	case SEEN_FULL:
		NL_SET_ERR_MSG(extack, "keys: the filter is full");
		return -ENOSPC;
	case SEEN_COPIES:
		NL_SET_ERR_MSG(extack,
			       "keys: as many copies as fit of this key are there");
		return -EOVERFLOW;
	default:
		return answers[result];
	}
}

static bool item_of(struct seen_binding *binding, const struct record *record,
		    struct seen_item *item)
{
	return seen_filter_item(seen_binding_filter(binding), &record->key,
				item);
}

/* @asked: a question, too. What finds no room for its length is counted as any other. */
static int nl_key_admit(struct seen_filter *filter, const struct record *record,
			bool asked, struct netlink_ext_ack *extack)
{
	if (seen_filter_admit(filter, &record->key))
		return 0;
	if (asked)
		seen_filter_count(filter, SEEN_STAT_LOOKUPS);
	seen_filter_count(filter, SEEN_STAT_FULL);
	NL_SET_ERR_MSG(extack,
		       "keys: the filter has prefixes of 64 lengths already");
	return -E2BIG;
}

static int nl_key_put(struct seen_filter *filter, const struct seen_item *item,
		      const struct record *record, bool replace,
		      struct netlink_ext_ack *extack)
{
	int result = seen_filter_put(filter, item, record->value, replace,
				     record->last);

	return result < 0 ? result : nl_key_answer(result, extack);
}

/* A flush does not come between nl_key_check() and this: the lock is held. */
static int nl_key_add(struct seen_binding *binding, struct record *record,
		      struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_binding_filter(binding);
	struct seen_item item;
	int err = nl_key_admit(filter, record, false, extack);

	if (err)
		return err;
	item_of(binding, record, &item);
	if (filter->set.geo.kind == SEEN_SET_MAP)
		return nl_key_put(filter, &item, record, true, extack);
	return nl_key_answer(seen_filter_add(filter, &item), extack);
}

static int add_new(struct seen_binding *binding, struct record *record,
		   struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_binding_filter(binding);
	struct seen_item item;
	int err = nl_key_admit(filter, record, true, extack);

	if (err)
		return err;
	item_of(binding, record, &item);
	if (filter->set.geo.kind == SEEN_SET_MAP)
		return nl_key_put(filter, &item, record, false, extack);
	return nl_key_answer(seen_filter_test_and_add(filter, &item), extack);
}

static bool is_allowed(const struct seen_binding *binding,
		       const struct record *record)
{
	bool allowed;

	rcu_read_lock();
	allowed = seen_allowed(binding, &record->key);
	rcu_read_unlock();
	return allowed;
}

static enum seen_result test_prefix(struct seen_filter *filter,
				    const struct record *record)
{
	enum seen_result result;
	u32 value;

	rcu_read_lock();
	result = seen_filter_test_prefix(filter, &record->key, &value);
	rcu_read_unlock();
	return result;
}

static int nl_key_test(struct seen_binding *binding, struct record *record,
		       struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_binding_filter(binding);
	struct seen_item item;

	if (is_allowed(binding, record))
		return SEEN_KEY_ALLOWED;
	if (record->key.prefix)
		return nl_key_answer(test_prefix(filter, record), extack);
	if (item_of(binding, record, &item))
		return nl_key_answer(seen_filter_test(filter, &item), extack);
	seen_filter_miss(filter);
	return SEEN_KEY_NEW;
}

/* Of the longest prefix that is there: a map's value, or its count. */
static enum seen_result count_prefix(struct seen_filter *filter,
				     struct record *record)
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

static int nl_key_count(struct seen_binding *binding, struct record *record,
			struct netlink_ext_ack *extack)
{
	struct seen_filter *filter = seen_binding_filter(binding);
	struct seen_item item;

	if (record->key.prefix)
		return nl_key_answer(count_prefix(filter, record), extack);
	if (item_of(binding, record, &item))
		return nl_key_answer(seen_filter_value(filter, &item, &record->value),
				     extack);
	seen_filter_miss(filter);
	return SEEN_KEY_NEW;
}

static int nl_key_del(struct seen_binding *binding, struct record *record,
		      struct netlink_ext_ack *extack)
{
	struct seen_item item;

	item_of(binding, record, &item);
	return nl_key_answer(seen_filter_del(seen_binding_filter(binding), &item),
			     extack);
}

static int nl_key_allow(struct seen_binding *binding, struct record *record,
			struct netlink_ext_ack *extack)
{
	int err = seen_allow_add(binding, &record->key, extack);

	if (err < 0)
		return err;
	return err ? SEEN_KEY_SEEN : SEEN_KEY_NEW;
}

static int nl_key_disallow(struct seen_binding *binding, struct record *record,
			   struct netlink_ext_ack *extack)
{
	return seen_allow_del(binding, &record->key) ?
	       SEEN_KEY_SEEN : SEEN_KEY_ABSENT;
}

/**
 * struct answers - of a reply
 * @results: a byte a key
 * @values: a u32 a key, unaligned, or NULL
 * @done: keys that were done
 */
struct answers {
	u8 *results;
	u8 *values;
	u32 done;
};

/*
 * Other hashes for a map. Not under the lock, which those may wait for who hold rtnl:
 * the namespace's changes keep the filter where it is until the lock is held again.
 * @err: out: seen_rehash()
 */
static struct seen_binding *nl_key_rehash(struct genl_info *info,
					  struct seen_binding *binding, int *err)
{
	u32 serial = seen_binding_filter(binding)->serial;
	struct seen_net *sn = seen_info_net(info);

	up_read(&sn->lock);
	mutex_lock(&sn->changes);
	binding = seen_nl_binding_find_to_change(info, &seen_nl_key_filter);
	if (!IS_ERR(binding) &&
	    seen_binding_filter(binding)->serial != serial) {
		NL_SET_ERR_MSG(info->extack,
			       "keys: another filter has come by this name");
		binding = ERR_PTR(-EAGAIN);
	}
	if (!IS_ERR(binding))
		*err = seen_rehash(seen_binding_filter(binding), NULL);
	down_read(&sn->lock);
	mutex_unlock(&sn->changes);
	return binding;
}

static int apply_one(struct genl_info *info, struct seen_binding **binding,
		     const struct task *task, struct record *record)
{
	int result = task->op(*binding, record, info->extack), err;

	if (result != -EAGAIN)
		return result;
	*binding = nl_key_rehash(info, *binding, &err);
	if (IS_ERR(*binding))
		return PTR_ERR(*binding);
	record->last = true;
	result = task->op(*binding, record, info->extack);
	if (result != -ENOSPC)
		return result;
	switch (err) {
	case -ENOSPC:
		NL_SET_ERR_MSG(info->extack,
			       "memory: the caps leave none for other hashes");
		return err;
	case -ENOMEM:
		NL_SET_ERR_MSG(info->extack,
			       "keys: not enough memory for the map's other hashes");
		return err;
	default:
		return result;
	}
}

/*
 * Has the memory of the next @count keys fetched, where that is known. Returns where
 * those behind begin.
 */
static const u8 *look_ahead(const struct seen_filter *filter, const u8 *at,
			    const u8 *end, u32 count)
{
	struct record record;
	struct seen_item item;

	for (; count && at < end; count--) {
		at = next_record(at, end, &record);
		if (take_key(filter, &record) &&
		    seen_filter_item(filter, &record.key, &item) &&
		    !seen_set_prefetch(&filter->set, item.hash))
			return end;
	}
	return at;
}

/* Returns the error of the key that was refused, if one was. */
static int nl_key_apply(struct genl_info *info, struct seen_binding *binding,
			const struct task *task, struct answers *answers)
{
	const struct nlattr *data = info->attrs[SEEN_A_KEY_DATA];
	const struct nlattr *values = info->attrs[SEEN_A_KEY_VALUES];
	const u8 *at = nla_data(data), *end = at + nla_len(data);
	const u8 *ahead =
		look_ahead(seen_binding_filter(binding), at, end, SEEN_AHEAD);
	struct record record;
	int result;
	u32 i;

	for (i = 0; at < end; answers->done = ++i) {
		ahead = look_ahead(seen_binding_filter(binding), ahead, end, 1);
		at = next_record(at, end, &record);
		take_key(seen_binding_filter(binding), &record);
		record.value = 0;
		record.last = false;
		if (values)
			memcpy(&record.value, nla_data(values) + i * sizeof(u32),
			       sizeof(u32));
		result = apply_one(info, &binding, task, &record);
		if (result < 0) {
			answers->results[i] = result == -EOVERFLOW ?
					      SEEN_KEY_COPIES : SEEN_KEY_FULL;
			return result;
		}
		answers->results[i] = result;
		if (answers->values)
			memcpy(answers->values + i * sizeof(u32),
			       &record.value, sizeof(u32));
		if (i % SLICE == SLICE - 1)
			cond_resched();
	}
	return 0;
}

/* @change: not under the lock, but its namespace's changes */
static struct seen_binding *nl_key_find(struct genl_info *info, bool change)
{
	if (!info->attrs[SEEN_A_KEY_DATA]) {
		NL_SET_ERR_MSG(info->extack, "keys: none given");
		return ERR_PTR(-EINVAL);
	}
	return change ? seen_nl_binding_find_to_change(info, &seen_nl_key_filter)
		      : seen_nl_binding_find(info, &seen_nl_key_filter);
}

static int check_values(struct genl_info *info, const struct seen_filter *filter,
			int count)
{
	const struct nlattr *values = info->attrs[SEEN_A_KEY_VALUES];

	if (!values)
		return 0;
	NL_SET_BAD_ATTR(info->extack, values);
	if (info->genlhdr->cmd != SEEN_CMD_KEY_ADD ||
	    filter->set.geo.kind != SEEN_SET_MAP) {
		NL_SET_ERR_MSG(info->extack,
			       "values: only keys that are added to type map have them");
		return -EINVAL;
	}
	if (nla_len(values) == count * (int)sizeof(u32))
		return 0;
	NL_SET_ERR_MSG(info->extack, "values: not one for each key");
	return -EINVAL;
}

/* An attribute of zeros, or NULL. */
static u8 *nl_key_reserve(struct sk_buff *reply, int attr, int bytes)
{
	struct nlattr *nla = nla_reserve(reply, attr, bytes);

	return nla ? memset(nla_data(nla), 0, bytes) : NULL;
}

static size_t nl_key_reply_bytes(int count, bool tells)
{
	return nla_total_size(count) + 2 * nla_total_size(4) +
	       (tells ? nla_total_size(count * sizeof(u32)) : 0);
}

/*
 * The reply goes out even if a key was refused: it tells which. The error with
 * its text follows.
 */
static int reply_to(struct genl_info *info, struct seen_binding *binding,
		    const struct task *task, int count)
{
	struct answers answers = {};
	struct sk_buff *reply;
	void *header;
	int err;

	reply = seen_nl_reply(info, nl_key_reply_bytes(count, task->tells));
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &seen_family, 0,
				   info->genlhdr->cmd);
	answers.results = nl_key_reserve(reply, SEEN_A_KEY_RESULTS, count);
	if (task->tells)
		answers.values = nl_key_reserve(reply, SEEN_A_KEY_VALUES,
						count * sizeof(u32));
	if (!header || !answers.results || (task->tells && !answers.values))
		return seen_nl_send(info, reply, header, -EMSGSIZE);
	err = nl_key_apply(info, binding, task, &answers);
	return seen_nl_send(info, reply, header,
			    nla_put_u32(reply, SEEN_A_KEY_DONE, answers.done) ||
			    (err && nla_put_u32(reply, SEEN_A_KEY_FAILED,
						answers.done))) ?: err;
}

static int nl_key_run(struct genl_info *info, struct seen_binding *binding,
		      const struct task *task)
{
	const struct seen_filter *filter = seen_binding_filter(binding);
	int count, err;

	count = nl_key_check(info->attrs[SEEN_A_KEY_DATA], filter, task,
			     info->extack);
	if (count < 0)
		return count;
	if (task->tells && count > COUNTS_MAX) {
		NL_SET_ERR_MSG(info->extack,
			       "keys: at most 16000 can be counted at once");
		return -EINVAL;
	}
	err = check_values(info, filter, count);
	return err ? err : reply_to(info, binding, task, count);
}

static int find_and_run(struct genl_info *info, bool change,
			const struct task *task)
{
	struct seen_binding *binding = nl_key_find(info, change);

	return IS_ERR(binding) ? PTR_ERR(binding) : nl_key_run(info, binding, task);
}

int seen_nl_key_add(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *if_new = info->attrs[SEEN_A_KEY_IF_NEW];
	const struct task task = { if_new ? add_new : nl_key_add, .stored = true };
	struct seen_binding *binding = nl_key_find(info, false);
	const struct seen_geometry *geo;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	geo = &seen_binding_filter(binding)->set.geo;
	if (if_new && !seen_set_can_test_and_add(geo)) {
		NL_SET_ERR_MSG_ATTR(info->extack, if_new,
				    "new: types cms and cmm count each key that is added");
		return -EOPNOTSUPP;
	}
	return nl_key_run(info, binding, &task);
}

int seen_nl_key_test(struct sk_buff *skb, struct genl_info *info)
{
	static const struct task task = { nl_key_test };

	return find_and_run(info, false, &task);
}

int seen_nl_key_del(struct sk_buff *skb, struct genl_info *info)
{
	static const struct task task = { nl_key_del, .stored = true };
	struct seen_binding *binding = nl_key_find(info, false);

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	if (!seen_set_can_del(&seen_binding_filter(binding)->set.geo)) {
		NL_SET_ERR_MSG(info->extack,
			       "type: types bloom, cms and cmm cannot forget a key; use cuckoo or counting");
		return -EOPNOTSUPP;
	}
	return nl_key_run(info, binding, &task);
}

int seen_nl_key_count(struct sk_buff *skb, struct genl_info *info)
{
	static const struct task task = { nl_key_count, .tells = true };
	struct seen_binding *binding = nl_key_find(info, false);
	const struct seen_geometry *geo;

	if (IS_ERR(binding))
		return PTR_ERR(binding);
	geo = &seen_binding_filter(binding)->set.geo;
	if (!seen_set_can_count(geo) && geo->kind != SEEN_SET_MAP) {
		NL_SET_ERR_MSG(info->extack,
			       "type: only cuckoo without a window, counting, cms and cmm count, and map has values");
		return -EOPNOTSUPP;
	}
	return nl_key_run(info, binding, &task);
}

int seen_nl_allow_add(struct sk_buff *skb, struct genl_info *info)
{
	static const struct task task = { nl_key_allow, .listed = true };

	return find_and_run(info, true, &task);
}

int seen_nl_allow_del(struct sk_buff *skb, struct genl_info *info)
{
	static const struct task task = { nl_key_disallow };

	return find_and_run(info, true, &task);
}
