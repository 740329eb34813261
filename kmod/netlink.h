/* SPDX-License-Identifier: GPL-2.0 */
/* The generic netlink family: operations in netlink.c, handlers by object. */
#ifndef SEEN_NETLINK_H
#define SEEN_NETLINK_H

#include <net/genetlink.h>

#include "seen.h"

extern struct genl_family seen_family;

struct seen_event_sender;
/* Puts filters and guards into events, in the same form as in replies. */
extern const struct seen_event_sender seen_nl_event_sender;

/*
 * seen_info_net() - the namespace of a request, which pre_doit stored in info->user_ptr[0]
 *
 * The handler runs under the locks that the table of operations in netlink.c lists for its
 * command. pre_doit takes them, post_doit releases them.
 */
static inline struct seen_net *seen_info_net(const struct genl_info *info)
{
	return info->user_ptr[0];
}

/* netlink_reply.c */
/* seen_nl_reply() - a new message with room for @bytes; NULL, with an error text: no memory */
struct sk_buff *seen_nl_reply(struct genl_info *info, size_t bytes);
/* seen_nl_refuse() - set text and attribute of an error; @msg is not copied; -EINVAL */
int seen_nl_refuse(struct genl_info *info, const struct nlattr *nla, const char *msg);
/**
 * seen_nl_send() - send a reply, or free it after an error
 * @info: the request
 * @reply: the reply; always consumed
 * @header: header of the message in @reply; may be NULL if @err is not 0
 * @err: not 0: an attribute did not fit into @reply
 *
 * Return: 0 or a negative error; -EMSGSIZE, with a text, if @err is not 0.
 */
int seen_nl_send(struct genl_info *info, struct sk_buff *reply, void *header,
		 int err);

/* Buffer size of a dump whose keys may be long, in bytes. */
#define SEEN_NL_DUMP_BYTES	SKB_WITH_OVERHEAD(32768)

/* seen_nl_dump_attr() - find an attribute in the request of a dump; NULL: not given */
const struct nlattr *seen_nl_dump_attr(const struct netlink_callback *cb, int type);

/*
 * seen_nl_dump_all() - refuse a dump request with attributes; 0 or -EINVAL. For kernels
 * without a separate policy for dumps. dumpit makes the checks of a request, because on Linux 6.1
 * start has no extack for the error text
 */
int seen_nl_dump_all(const struct netlink_callback *cb);

/* seen_nl_dump_begin() - put the header of a dump message; NULL: no room */
void *seen_nl_dump_begin(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd);

/* seen_nl_dump_end() - end a dump message. If it @holds no entry, cancel it: -EMSGSIZE */
int seen_nl_dump_end(struct sk_buff *skb, void *header, bool holds);

/* netlink_object.c */
struct seen_binding;
struct seen_feed;
/**
 * struct seen_nl_which - the attributes by which a request names a filter
 * @name: type of the attribute with the filter's name
 * @id: type of the attribute with the filter's id
 * @word: name of @id in error texts
 * @required: error text if the request has neither attribute
 */
struct seen_nl_which {
	int name;
	int id;
	const char *word;
	const char *required;
};

/*
 * In this order: the filter of a filter command, the second filter of merge and swap, the
 * filter of a key command, the allow map of a filter, the filter of a new guard, and the
 * filter of a feed.
 */
extern const struct seen_nl_which seen_nl_filter;
extern const struct seen_nl_which seen_nl_other_filter;
extern const struct seen_nl_which seen_nl_key_filter;
extern const struct seen_nl_which seen_nl_allow_map;
extern const struct seen_nl_which seen_nl_guard_filter;
extern const struct seen_nl_which seen_nl_feed_filter;

/**
 * seen_nl_binding_find() - find the filter that a request names
 * @info: the request; seen_net.lock of its namespace is held
 * @which: the attributes with name and id
 *
 * If the request has a name and an id, both must mean the same filter.
 *
 * Return: the binding, which has a filter, or ERR_PTR(): -EINVAL, -ENOENT, with a text.
 */
struct seen_binding *seen_nl_binding_find(struct genl_info *info,
					  const struct seen_nl_which *which);

/*
 * seen_nl_binding_find_to_change() - the same if seen_net.changes is held, but not
 * seen_net.lock. The binding stays valid while changes is held
 */
struct seen_binding *
seen_nl_binding_find_to_change(struct genl_info *info,
			       const struct seen_nl_which *which);

/*
 * seen_nl_binding_find_to_dump() - the same for the request of a dump; seen_net.lock of
 * its namespace is held
 */
struct seen_binding *
seen_nl_binding_find_to_dump(const struct netlink_callback *cb,
			     const struct seen_nl_which *which);

struct seen_guard;
/* struct seen_nl_place - types of the attributes by which a request names a guard */
struct seen_nl_place {
	int id;
	int kind;
	int dev;
	int hook;
};

/**
 * seen_nl_guard_find() - find the guard that a request names
 * @sn: the namespace, its lock held
 * @attrs: attributes of the request
 * @place: the attributes that name the guard
 * @extack: receives the text of an error
 *
 * A request names a guard by its id, or by kind, device and hook. If it gives kind, device
 * or hook together with the id, they must match the guard.
 *
 * Return: the guard or ERR_PTR(): -EINVAL, -ENOENT.
 */
struct seen_guard *seen_nl_guard_find(struct seen_net *sn,
				      struct nlattr *const attrs[],
				      const struct seen_nl_place *place,
				      struct netlink_ext_ack *extack);
/* seen_info_guard() - the guard that a guard command names, or ERR_PTR; lock held */
struct seen_guard *seen_info_guard(struct genl_info *info);

/* netlink_filter.c */
int seen_nl_filter_add(struct sk_buff *skb, struct genl_info *info);
int seen_nl_filter_del(struct sk_buff *skb, struct genl_info *info);
int seen_nl_filter_set(struct sk_buff *skb, struct genl_info *info);
int seen_nl_filter_flush(struct sk_buff *skb, struct genl_info *info);
int seen_nl_filter_rename(struct sk_buff *skb, struct genl_info *info);
int seen_nl_filter_swap(struct sk_buff *skb, struct genl_info *info);

struct seen_filter_config;
/* seen_nl_filter_parse() - parse the parameters of a filter, except secret; 0 or error */
int seen_nl_filter_parse(struct genl_info *info,
			 struct seen_filter_config *config);

/* netlink_filter_type.c */
struct seen_filter;
struct seen_geometry;
/* seen_nl_type_parse() - parse the kind of set, check the attributes for it; 0 or -EINVAL */
int seen_nl_type_parse(struct genl_info *info, struct seen_geometry *geo);
/* _rest() - parse the other attributes that only some types have, after key and capacity */
int seen_nl_type_parse_rest(struct genl_info *info,
			    struct seen_filter_config *config);
/* seen_nl_type_put() - put the attributes that only some types have; 0 or -EMSGSIZE */
int seen_nl_type_put(struct sk_buff *skb, const struct seen_filter *filter);
/* seen_nl_type_of() - convert an enum seen_set_kind to its enum seen_type */
u32 seen_nl_type_of(u32 kind);
bool seen_nl_type_is_exact(const struct seen_geometry *geo);

/* netlink_filter_get.c */
/* seen_nl_filter_put() - put all attributes of a filter; 0 or -EMSGSIZE */
int seen_nl_filter_put(struct sk_buff *skb, struct seen_binding *binding);
/* seen_nl_filter_reply() - put a filter into @reply (NLMSG_GOODSIZE bytes), and send it */
int seen_nl_filter_reply(struct genl_info *info, struct sk_buff *reply,
			 struct seen_binding *binding);
int seen_nl_filter_get(struct sk_buff *skb, struct genl_info *info);
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
int seen_nl_top_dump(struct sk_buff *skb, struct netlink_callback *cb);
int seen_nl_top_done(struct netlink_callback *cb);

/* netlink_feed.c */
/* seen_nl_feed_put() - put the feed of a filter, as a nest; 0 or -EMSGSIZE */
int seen_nl_feed_put(struct sk_buff *skb, int attr, struct seen_feed *feed);
int seen_nl_feed_add(struct sk_buff *skb, struct genl_info *info);
int seen_nl_feed_del(struct sk_buff *skb, struct genl_info *info);
int seen_nl_feed_get(struct sk_buff *skb, struct genl_info *info);

/* netlink_hash.c */
int seen_nl_hash_add(struct sk_buff *skb, struct genl_info *info);
int seen_nl_hash_del(struct sk_buff *skb, struct genl_info *info);

/* netlink_guard.c */
int seen_nl_guard_add(struct sk_buff *skb, struct genl_info *info);
int seen_nl_guard_del(struct sk_buff *skb, struct genl_info *info);
int seen_nl_guard_set(struct sk_buff *skb, struct genl_info *info);

/* netlink_guard_match.c */
struct seen_conditions;
/* Bytes of a range in a message, and of a prefix whose address has @bytes. */
#define SEEN_NL_RANGE_BYTES	nla_total_size(2 * nla_total_size(sizeof(u16)))
#define SEEN_NL_PREFIX_BYTES(bytes)				\
	nla_total_size(nla_total_size(bytes) + nla_total_size(sizeof(u8)))
/* Bytes of all conditions in a message. */
#define SEEN_NL_CONDITIONS_BYTES				\
	(SEEN_CONDITIONS_MAX *					\
	 (SEEN_NL_RANGE_BYTES + 2 * SEEN_NL_PREFIX_BYTES(16)))
/* seen_nl_prefix_parse() - parse a nest of enum seen_a_prefix; 0, or an error with its text */
int seen_nl_prefix_parse(struct genl_info *info, const struct nlattr *nest,
			 const struct nla_policy *policy, struct nlattr **tb);
/* seen_nl_prefix_put() - put a nest of enum seen_a_prefix; 0 or -EMSGSIZE */
int seen_nl_prefix_put(struct sk_buff *skb, int attr, const void *address,
		       int bytes, u8 len);
int seen_nl_conditions_parse(struct genl_info *info,
			     struct seen_conditions *conditions);
/* seen_nl_conditions_put() - put a guard's conditions; 0 or -EMSGSIZE */
int seen_nl_conditions_put(struct sk_buff *skb,
			   const struct seen_conditions *conditions);

/* netlink_guard_get.c */
/* seen_nl_guard_put() - put all attributes of a guard; ports have a dump; 0 or -EMSGSIZE */
int seen_nl_guard_put(struct sk_buff *skb, struct seen_guard *guard);
int seen_nl_guard_get(struct sk_buff *skb, struct genl_info *info);
int seen_nl_guard_start(struct netlink_callback *cb);
int seen_nl_guard_dump(struct sk_buff *skb, struct netlink_callback *cb);

/* netlink_port.c */
int seen_nl_port_dump(struct sk_buff *skb, struct netlink_callback *cb);

#endif
