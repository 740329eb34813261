/* SPDX-License-Identifier: GPL-2.0 */
/* The generic netlink family: operations in netlink.c, handlers by object. */
#ifndef SEEN_NETLINK_H
#define SEEN_NETLINK_H

#include <net/genetlink.h>

#include "seen.h"

extern struct genl_family seen_family;

struct seen_event_sender;
/* What is told of filters and guards, for events, too. */
extern const struct seen_event_sender seen_nl_event_sender;

/*
 * What pre_doit found, in info->user_ptr[0]: the namespace, locked: for reading
 * by "get" and the key commands. Commands that change something hold its changes:
 * those that allocate tables hold no more, others its lock for writing as well, and
 * those of guards rtnl before that. post_doit unlocks.
 */
static inline struct seen_net *seen_info_net(const struct genl_info *info)
{
	return info->user_ptr[0];
}

/* netlink_reply.c */
/* seen_nl_reply() - an empty message of so many bytes; NULL, and extack says why */
struct sk_buff *seen_nl_reply(struct genl_info *info, size_t bytes);
/* seen_nl_refuse() - set text and attribute of the refusal; @msg stays; -EINVAL */
int seen_nl_refuse(struct genl_info *info, const struct nlattr *nla, const char *msg);
/**
 * seen_nl_send() - send a reply, or drop it
 * @info: the request
 * @reply: is freed in either case
 * @header: of the message in @reply; may be NULL with @err
 * @err: not 0 if something did not fit into @reply
 *
 * Return: 0 or an error; -EMSGSIZE, with a text, if @err is not 0.
 */
int seen_nl_send(struct genl_info *info, struct sk_buff *reply, void *header,
		 int err);

/* Bytes of a part of a dump, where keys may be long. */
#define SEEN_NL_DUMP_BYTES	SKB_WITH_OVERHEAD(32768)

/* seen_nl_dump_attr() - an attribute of a dump's request, or NULL */
const struct nlattr *seen_nl_dump_attr(const struct netlink_callback *cb, int type);

/*
 * seen_nl_dump_all() - refuse attributes; for kernels whose dumps have no policy of their
 * own. 0 or -EINVAL
 */
int seen_nl_dump_all(const struct netlink_callback *cb);

/* seen_nl_dump_begin() - the header of a part; NULL: it does not fit */
void *seen_nl_dump_begin(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd);

/* seen_nl_dump_end() - the part's end; -EMSGSIZE, and no part, unless it @holds anything */
int seen_nl_dump_end(struct sk_buff *skb, void *header, bool holds);

/* netlink_object.c */
struct seen_binding;
/**
 * struct seen_nl_which - attributes that say which filter a request means
 * @name: number of the one with its name
 * @id: number of the one with its id
 * @word: what texts call @id
 * @required: text of the refusal of a request with neither
 */
struct seen_nl_which {
	int name;
	int id;
	const char *word;
	const char *required;
};

/*
 * Of filter commands; the second filter of merge and swap; of key commands; the allow map
 * of a filter; the filter of a guard that is added.
 */
extern const struct seen_nl_which seen_nl_filter;
extern const struct seen_nl_which seen_nl_other_filter;
extern const struct seen_nl_which seen_nl_key_filter;
extern const struct seen_nl_which seen_nl_allow_map;
extern const struct seen_nl_which seen_nl_guard_filter;

/**
 * seen_nl_binding_find() - the filter that a request means
 * @info: the request; its namespace's lock or changes held
 * @which: the attributes
 *
 * A name and an id together must mean the same filter.
 *
 * Return: the binding, which has a filter, or ERR_PTR(): -EINVAL, -ENOENT.
 */
struct seen_binding *seen_nl_binding_find(struct genl_info *info,
					  const struct seen_nl_which *which);

/* seen_nl_binding_find_to_change() - the same with changes held, the lock not: it stays */
struct seen_binding *
seen_nl_binding_find_to_change(struct genl_info *info,
			       const struct seen_nl_which *which);

/*
 * seen_nl_binding_find_to_dump() - the same of a dump's request; the lock of its namespace
 * is held
 */
struct seen_binding *
seen_nl_binding_find_to_dump(const struct netlink_callback *cb,
			     const struct seen_nl_which *which);

struct seen_guard;
/* struct seen_nl_place - numbers of the attributes that say which guard a request means */
struct seen_nl_place {
	int id;
	int kind;
	int dev;
	int hook;
};

/**
 * seen_nl_guard_find() - the guard that a request means
 * @sn: the namespace, its lock held
 * @attrs: the request's
 * @place: which of them
 * @extack: says why there is none
 *
 * By its id, or by kind, device and hook. What is given beside the id must be the guard's.
 *
 * Return: the guard or ERR_PTR(): -EINVAL, -ENOENT.
 */
struct seen_guard *seen_nl_guard_find(struct seen_net *sn,
				      struct nlattr *const attrs[],
				      const struct seen_nl_place *place,
				      struct netlink_ext_ack *extack);
/* seen_info_guard() - the guard that a guard command means, or ERR_PTR */
struct seen_guard *seen_info_guard(struct genl_info *info);

/* netlink_filter.c */
int seen_nl_filter_add(struct sk_buff *skb, struct genl_info *info);
int seen_nl_filter_del(struct sk_buff *skb, struct genl_info *info);
int seen_nl_filter_set(struct sk_buff *skb, struct genl_info *info);
int seen_nl_filter_flush(struct sk_buff *skb, struct genl_info *info);
int seen_nl_filter_rename(struct sk_buff *skb, struct genl_info *info);
int seen_nl_filter_swap(struct sk_buff *skb, struct genl_info *info);

struct seen_filter_config;
/* seen_nl_filter_parse() - type, geometry, key and policy of a request; 0 or error */
int seen_nl_filter_parse(struct genl_info *info,
			 struct seen_filter_config *config);

/* netlink_filter_type.c */
struct seen_filter;
struct seen_geometry;
/* seen_nl_type_parse() - kind, and whether the attributes fit it; 0 or -EINVAL */
int seen_nl_type_parse(struct genl_info *info, struct seen_geometry *geo);
/* _rest() - what only some types have, once key and capacity are known */
int seen_nl_type_parse_rest(struct genl_info *info,
			    struct seen_filter_config *config);
/* seen_nl_type_put() - the same to a message; 0 or -EMSGSIZE */
int seen_nl_type_put(struct sk_buff *skb, const struct seen_filter *filter);
/* seen_nl_type_of() - enum seen_type of an enum seen_set_kind */
u32 seen_nl_type_of(u32 kind);
bool seen_nl_type_is_exact(const struct seen_geometry *geo);

/* netlink_filter_get.c */
/* seen_nl_filter_put() - all that is told of a filter; 0 or -EMSGSIZE */
int seen_nl_filter_put(struct sk_buff *skb, struct seen_binding *binding);
/* seen_nl_filter_reply() - send it in @reply, of NLMSG_GOODSIZE, which is freed */
int seen_nl_filter_reply(struct genl_info *info, struct sk_buff *reply,
			 struct seen_binding *binding);
int seen_nl_filter_get(struct sk_buff *skb, struct genl_info *info);
int seen_nl_filter_start(struct netlink_callback *cb);
int seen_nl_filter_dump(struct sk_buff *skb, struct netlink_callback *cb);

/* netlink_snapshot.c */
int seen_nl_filter_export(struct sk_buff *skb, struct genl_info *info);
int seen_nl_filter_import(struct sk_buff *skb, struct genl_info *info);
/* netlink_merge.c */
int seen_nl_filter_merge(struct sk_buff *skb, struct genl_info *info);
int seen_nl_filter_fold(struct sk_buff *skb, struct genl_info *info);

/* netlink_key.c */
int seen_nl_key_add(struct sk_buff *skb, struct genl_info *info);
int seen_nl_key_test(struct sk_buff *skb, struct genl_info *info);
int seen_nl_key_del(struct sk_buff *skb, struct genl_info *info);
int seen_nl_key_count(struct sk_buff *skb, struct genl_info *info);

/* netlink_allow.c */
int seen_nl_allow_add(struct sk_buff *skb, struct genl_info *info);
int seen_nl_allow_del(struct sk_buff *skb, struct genl_info *info);
int seen_nl_allow_start(struct netlink_callback *cb);
int seen_nl_allow_dump(struct sk_buff *skb, struct netlink_callback *cb);

/* netlink_top.c */
int seen_nl_top_start(struct netlink_callback *cb);
int seen_nl_top_dump(struct sk_buff *skb, struct netlink_callback *cb);
int seen_nl_top_done(struct netlink_callback *cb);

/* netlink_guard.c */
int seen_nl_guard_add(struct sk_buff *skb, struct genl_info *info);
int seen_nl_guard_del(struct sk_buff *skb, struct genl_info *info);
int seen_nl_guard_set(struct sk_buff *skb, struct genl_info *info);

/* netlink_guard_match.c */
struct seen_conditions;
/* Bytes of a range, and of a prefix of so many bytes, in a message. */
#define SEEN_NL_RANGE_BYTES	nla_total_size(2 * nla_total_size(sizeof(u16)))
#define SEEN_NL_PREFIX_BYTES(bytes)				\
	nla_total_size(nla_total_size(bytes) + nla_total_size(sizeof(u8)))
/* Bytes of all conditions in a message. */
#define SEEN_NL_CONDITIONS_BYTES				\
	(SEEN_CONDITIONS_MAX *					\
	 (SEEN_NL_RANGE_BYTES + 2 * SEEN_NL_PREFIX_BYTES(16)))
/* seen_nl_prefix_parse() - a nest's attributes; 0, or an error with its text */
int seen_nl_prefix_parse(struct genl_info *info, const struct nlattr *nest,
			 const struct nla_policy *policy, struct nlattr **tb);
/* seen_nl_prefix_put() - a nest of enum seen_a_prefix; 0 or -EMSGSIZE */
int seen_nl_prefix_put(struct sk_buff *skb, int attr, const void *address,
		       int bytes, u8 len);
int seen_nl_conditions_parse(struct genl_info *info,
			     struct seen_conditions *conditions);
/* 0 or -EMSGSIZE */
int seen_nl_conditions_put(struct sk_buff *skb,
			   const struct seen_conditions *conditions);

/* netlink_guard_get.c */
/* seen_nl_guard_put() - all that is told of a guard but its ports; 0 or -EMSGSIZE */
int seen_nl_guard_put(struct sk_buff *skb, struct seen_guard *guard);
int seen_nl_guard_get(struct sk_buff *skb, struct genl_info *info);
int seen_nl_guard_start(struct netlink_callback *cb);
int seen_nl_guard_dump(struct sk_buff *skb, struct netlink_callback *cb);

/* netlink_port.c */
int seen_nl_port_start(struct netlink_callback *cb);
int seen_nl_port_dump(struct sk_buff *skb, struct netlink_callback *cb);

#endif
