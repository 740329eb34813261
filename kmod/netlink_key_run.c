// SPDX-License-Identifier: GPL-2.0
/*
 * Keys in bulk: up to SEEN_KEYS_MAX per message. All keys are checked before the first is
 * applied. Then they are applied in order until one is refused. The reply has a result for
 * each key that was tried, or counts of the results.
 */
#include <linux/sched.h>
#include <linux/stringify.h>

#include "core/prefetch.h"
#include "netlink_key.h"

/* Keys applied between two calls of cond_resched(). */
#define SLICE	256

static bool run_take_key(const struct seen_filter *filter,
			 const struct seen_nl_entry *entry, struct seen_key *key)
{
	return seen_key_take(&filter->spec, key, entry->bytes, entry->len);
}

static const char *run_check_key(const struct seen_filter *filter,
				 const struct seen_nl_entry *entry,
				 const struct seen_nl_task *task)
{
	struct seen_item item;
	struct seen_key key;

	if (!run_take_key(filter, entry, &key))
		return filter->spec.prefix ?
		       "keys: a key is not a prefix, or its length does not fit the filter's key" :
		       "keys: the length of a key does not fit the filter's key";
	if (task->listed && entry->len > SEEN_ALLOWED_MAX)
		return "keys: a key of an allow list must have at most 16000 bytes; use payload:N";
	if (!task->stored || seen_item_takes_all(&filter->set.geo) ||
	    seen_filter_item(filter, &key, &item))
		return NULL;
	return filter->set.geo.kind == SEEN_SET_BITMAP ?
	       "keys: a key is outside the bitmap's range" :
	       "keys: a key of this filter must have at most 48 bytes";
}

static int run_refuse(struct genl_info *info, const struct nlattr *attr,
		      const char *msg)
{
	NL_SET_BAD_ATTR(info->extack, attr);
	info->extack->_msg = msg;
	return -EINVAL;
}

static int run_refuse_value(struct genl_info *info, const struct nlattr *value)
{
	NL_SET_ERR_MSG_ATTR(info->extack, value,
			    "value: needs key add and a filter of type map");
	return -EOPNOTSUPP;
}

/* Return: the number of keys, or an error if any key is not acceptable. */
static int run_check(struct genl_info *info, const struct seen_filter *filter,
		     const struct seen_nl_task *task)
{
	const struct nlattr *attr = info->attrs[SEEN_A_KEY_PACKED] ?:
				    info->attrs[SEEN_A_KEY_ENTRY];
	struct seen_nl_cursor cursor;
	struct seen_nl_entry entry;
	const char *error;
	int count = 0, more;

	seen_nl_cursor_begin(&cursor, info);
	while ((more = seen_nl_cursor_next(&cursor, &entry, info->extack)) > 0) {
		error = run_check_key(filter, &entry, task);
		if (!error && count == SEEN_KEYS_MAX)
			error = "keys: at most " __stringify(SEEN_KEYS_MAX) " in one request";
		if (error)
			return run_refuse(info, attr, error);
		if (entry.value && !task->valued)
			return run_refuse_value(info, entry.value);
		if (++count % SLICE == 0)
			cond_resched();
	}
	if (more)
		return more;
	return count ?: run_refuse(info, attr, "keys: required");
}

int seen_nl_key_answer(enum seen_result result, struct netlink_ext_ack *extack)
{
	static const u8 answers[] = {
		[SEEN_NEW] = SEEN_KEY_RESULT_NEW,
		[SEEN_SEEN] = SEEN_KEY_RESULT_SEEN,
		[SEEN_ABSENT] = SEEN_KEY_RESULT_ABSENT,
		[SEEN_STALE] = SEEN_KEY_RESULT_STALE,
	};

	switch (result) {
	case SEEN_FULL:
		NL_SET_ERR_MSG(extack, "keys: the filter is full");
		return -ENOSPC;
	case SEEN_COPIES:
		NL_SET_ERR_MSG(extack,
			       "keys: no room for another copy of this key (at most 8)");
		return -EOVERFLOW;
	default:
		return answers[result];
	}
}

/**
 * struct run_reply - a reply under construction
 * @skb: the message, with room for all results
 * @counts: the reply has counts of results instead of entries
 * @tells: entries have a value
 * @err: not 0: an entry did not fit
 * @done: number of keys that were applied
 * @fresh: number of keys that were new
 * @stale: number of keys that were not stored because the sweep is late
 */
struct run_reply {
	struct sk_buff *skb;
	bool counts;
	bool tells;
	int err;
	u32 done;
	u32 fresh;
	u32 stale;
};

static void run_answer(struct run_reply *reply, u32 result, const u32 *value)
{
	reply->fresh += result == SEEN_KEY_RESULT_NEW;
	reply->stale += result == SEEN_KEY_RESULT_STALE;
	if (!reply->counts && seen_nl_entry_put_result(reply->skb, result, value))
		reply->err = -EMSGSIZE;
}

/*
 * Rehash a map without seen_net.lock, because holders of rtnl may wait for that lock.
 * seen_net.changes keeps the filter in place until seen_net.lock is held again.
 * @err: out: result of seen_rehash()
 *
 * Return: the binding, or ERR_PTR: the filter was deleted or replaced.
 */
static struct seen_binding *run_rehash(struct genl_info *info,
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
			       "keys: the filter was replaced during the request");
		binding = ERR_PTR(-EAGAIN);
	}
	if (!IS_ERR(binding))
		*err = seen_rehash(seen_binding_filter(binding), NULL);
	down_read(&sn->lock);
	mutex_unlock(&sn->changes);
	return binding;
}

static int run_apply_one(struct genl_info *info, struct seen_binding **binding,
			 const struct seen_nl_task *task, struct seen_nl_record *record)
{
	int result = task->op(*binding, record, info->extack), err;

	if (result != -EAGAIN)
		return result;
	*binding = run_rehash(info, *binding, &err);
	if (IS_ERR(*binding))
		return PTR_ERR(*binding);
	record->last = true;
	result = task->op(*binding, record, info->extack);
	if (result != -ENOSPC)
		return result;
	switch (err) {
	case -ENOSPC:
		NL_SET_ERR_MSG(info->extack, SEEN_TEXT_REHASH_CAP);
		return err;
	case -ENOMEM:
		NL_SET_ERR_MSG(info->extack, SEEN_TEXT_REHASH_MEMORY);
		return err;
	default:
		return result;
	}
}

/* Prefetch the memory of the next @count keys, if the filter's type supports it. */
static void run_look_ahead(const struct seen_filter *filter,
			   struct seen_nl_cursor *ahead, u32 count)
{
	struct seen_nl_entry entry;
	struct seen_item item;
	struct seen_key key;

	for (; count && seen_nl_cursor_next(ahead, &entry, NULL) > 0; count--)
		if (run_take_key(filter, &entry, &key) &&
		    seen_filter_item(filter, &key, &item) &&
		    !seen_set_prefetch(&filter->set, item.hash))
			seen_nl_cursor_end(ahead);
}

/* The result of a refused key in the reply. An allow list cannot be full. */
static u32 run_refusal(const struct seen_nl_task *task, int err)
{
	if (task->listed)
		return SEEN_KEY_RESULT_REFUSED;
	switch (err) {
	case -EOVERFLOW:
		return SEEN_KEY_RESULT_COPIES;
	case -ENOSPC:
	case -E2BIG:
		return SEEN_KEY_RESULT_FULL;
	default:
		return SEEN_KEY_RESULT_REFUSED;
	}
}

/* Return: 0, or the error of the key that was refused. */
static int run_apply(struct genl_info *info, struct seen_binding *binding,
		     const struct seen_nl_task *task, struct run_reply *reply)
{
	struct seen_nl_cursor cursor, ahead;
	struct seen_nl_record record;
	struct seen_nl_entry entry;
	int result;

	seen_nl_cursor_begin(&cursor, info);
	ahead = cursor;
	run_look_ahead(seen_binding_filter(binding), &ahead, SEEN_AHEAD);
	while (seen_nl_cursor_next(&cursor, &entry, info->extack) > 0) {
		run_look_ahead(seen_binding_filter(binding), &ahead, 1);
		run_take_key(seen_binding_filter(binding), &entry, &record.key);
		record.value = entry.value ? nla_get_u32(entry.value) : 0;
		record.last = false;
		result = run_apply_one(info, &binding, task, &record);
		if (result < 0) {
			run_answer(reply, run_refusal(task, result), NULL);
			return result;
		}
		run_answer(reply, result, reply->tells ? &record.value : NULL);
		if (++reply->done % SLICE == 0)
			cond_resched();
	}
	return 0;
}

static size_t run_reply_bytes(const struct run_reply *reply, int count)
{
	size_t entry = SEEN_NL_RESULT_BYTES +
		       (reply->tells ? SEEN_NL_VALUE_BYTES : 0);

	return 4 * nla_total_size(sizeof(u32)) + (reply->counts ? 0 : count * entry);
}

/* @err: error of the refused key, or 0. Return: not 0: an attribute did not fit. */
static int run_end_reply(const struct run_reply *reply, int err)
{
	struct sk_buff *skb = reply->skb;

	return reply->err || nla_put_u32(skb, SEEN_A_KEY_DONE, reply->done) ||
	       (err && nla_put_u32(skb, SEEN_A_KEY_FAILED, reply->done)) ||
	       (reply->counts &&
		(nla_put_u32(skb, SEEN_A_KEY_NEW, reply->fresh) ||
		 nla_put_u32(skb, SEEN_A_KEY_STALE, reply->stale)));
}

/*
 * The reply is allocated before the first key is applied. It is sent even if a key was
 * refused, and has the index of that key. The error with its text follows.
 */
static int run_and_reply(struct genl_info *info, struct seen_binding *binding,
			 const struct seen_nl_task *task, int count)
{
	struct run_reply reply = {
		.counts = task->adds && info->attrs[SEEN_A_KEY_PACKED],
		.tells = task->tells,
	};
	void *header;
	int err;

	reply.skb = seen_nl_reply(info, run_reply_bytes(&reply, count));
	if (!reply.skb)
		return -ENOMEM;
	header = genlmsg_put_reply(reply.skb, info, &seen_family, 0,
				   info->genlhdr->cmd);
	if (!header)
		return seen_nl_send(info, reply.skb, header, -EMSGSIZE);
	err = run_apply(info, binding, task, &reply);
	return seen_nl_send(info, reply.skb, header, run_end_reply(&reply, err)) ?: err;
}

/* Is SEEN_A_KEY_PACKED given twice? The first list would be ignored. */
static bool run_packed_twice(const struct genl_info *info)
{
	const struct nlattr *nla = nlmsg_attrdata(info->nlhdr, GENL_HDRLEN);
	int rest = nlmsg_attrlen(info->nlhdr, GENL_HDRLEN), count = 0;

	for (; nla_ok(nla, rest); nla = nla_next(nla, &rest))
		count += nla_type(nla) == SEEN_A_KEY_PACKED;
	return count > 1;
}

struct seen_binding *seen_nl_key_find(struct genl_info *info, bool change)
{
	const struct nlattr *packed = info->attrs[SEEN_A_KEY_PACKED];
	const struct nlattr *entry = info->attrs[SEEN_A_KEY_ENTRY];

	if (packed && entry)
		return ERR_PTR(run_refuse(info, packed,
					  "keys: must be entries or a packed list, not both"));
	if (packed && run_packed_twice(info))
		return ERR_PTR(run_refuse(info, packed,
					  "keys: must be at most one packed list per request"));
	if (!packed && !entry) {
		NL_SET_ERR_MSG(info->extack, "keys: required");
		return ERR_PTR(-EINVAL);
	}
	return change ? seen_nl_binding_find_to_change(info, &seen_nl_key_filter)
		      : seen_nl_binding_find(info, &seen_nl_key_filter);
}

int seen_nl_key_run(struct genl_info *info, struct seen_binding *binding,
		    const struct seen_nl_task *task)
{
	int count = run_check(info, seen_binding_filter(binding), task);

	return count < 0 ? count : run_and_reply(info, binding, task, count);
}

int seen_nl_key_find_and_run(struct genl_info *info,
			     const struct seen_nl_task *task)
{
	struct seen_binding *binding = seen_nl_key_find(info, false);

	return IS_ERR(binding) ? PTR_ERR(binding) : seen_nl_key_run(info, binding, task);
}
