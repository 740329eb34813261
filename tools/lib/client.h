/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of libseen share: requests, answers, attributes. */
#ifndef SEEN_CLIENT_H
#define SEEN_CLIENT_H

#include <netlink/netlink.h>
#include <netlink/msg.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "libseen.h"

/**
 * struct seen_client - a connection
 * @sock: of libnl
 * @family: number of the generic netlink family
 * @request: that is under way
 * @status: of it: 1 until it is answered, then 0 or -errno
 * @busy: a request, or seen_listen_next(), is under way
 * @interrupted: the dump under way met a change
 * @crowded: what the answer under way had more of than a structure has room for, or NULL
 * @room: of that structure
 * @misused: a callback has called the client that is @busy
 * @error: see seen_error(), of the call under way or the last one
 * @warning: see seen_warning()
 */
struct seen_client {
	struct nl_sock *sock;
	int family;
	struct nlmsghdr *request;
	int status;
	bool busy;
	bool interrupted;
	const char *crowded;
	uint32_t room;
	bool misused;
	char error[512];
	char warning[256];
};

/*
 * Reads one message of an answer; not 0: an errno that ends it. It may call seen_fail();
 * else the text of the error is that of the errno.
 */
typedef int (*seen_parse_t)(struct seen_client *client, struct nlmsghdr *nlh, void *context);

/* seen_request() - begin a request with room for @size bytes; NULL: no memory */
struct nl_msg *seen_request(struct seen_client *client, enum seen_cmd cmd,
			    int flags, size_t size);

/**
 * seen_transact() - send a request and wait for its whole answer
 * @client: the connection
 * @msg: from seen_request(), is freed; NULL: it could not be built
 * @parse: for each message of the answer; NULL: there is none
 * @context: handed to it
 *
 * Return: 0; -EAGAIN: the dump was interrupted by a change; or -errno.
 */
int seen_transact(struct seen_client *client, struct nl_msg *msg,
		  seen_parse_t parse, void *context);

/* seen_simple() - a request of up to two names that answers nothing */
int seen_simple(struct seen_client *client, enum seen_cmd cmd, int attr,
		const char *name, int other_attr, const char *other);

/* filter.c: what a request says of a filter; a libnl error if it does not fit */
int seen_filter_config_put(struct nl_msg *msg,
			   const struct seen_filter_config *config);
/* filter.c: the prefix lengths of a filter; a libnl error if they do not fit */
int seen_filter_put_lengths(struct nl_msg *msg, const struct seen_filter_info *info);
/* filter.c: what a reply tells of one; @tb: SEEN_A_FILTER_MAX + 1 entries, out */
int seen_filter_parse(struct seen_client *client, struct nlmsghdr *nlh,
		      struct seen_filter_info *info, struct nlattr **tb);

/* filter.c: a request that tells of one filter; -EPROTO: it told of none */
int seen_filter_ask(struct seen_client *client, struct nl_msg *msg,
		    struct seen_filter_info *info);

/* guard.c: what a reply tells of one; @guard: out, zeroed */
int seen_guard_parse(struct seen_client *client, struct nlmsghdr *nlh,
		     struct seen_guard_info *guard);

/* A reply without an attribute that it must have. */
extern const char seen_short_reply[];

/* How often a list that changes while it is read is read again. */
#define SEEN_LIST_TRIES	64

/* seen_fail_list() - after that: the error of a list of @what; returns -EAGAIN */
int seen_fail_list(struct seen_client *client, const char *what);

/*
 * seen_enter() - begin to use a client: nobody else does until seen_leave()
 *
 * Return: 0; -EBUSY: a callback uses its own client; -ENOTCONN: it is not connected.
 */
int seen_enter(struct seen_client *client);
void seen_leave(struct seen_client *client);

/*
 * seen_begin() - may a call begin that does something before its first request? Its errors
 * are those of seen_enter(). A call that fails here leaves everything as it was.
 */
int seen_begin(struct seen_client *client);

/* seen_refuse() - refuse what a program has given, with a text: -EINVAL, or as seen_begin() */
int seen_refuse(struct seen_client *client, const char *fault);

/* seen_check_name() - -EINVAL and a text if @attr of @cmd cannot be @name, or as seen_begin() */
int seen_check_name(struct seen_client *client, enum seen_cmd cmd, int attr,
		    const char *name);

/*
 * seen_fits() - does an array of @room elements have room for one more than @count? If
 * not, the answer under way is refused, and the text names @what.
 */
bool seen_fits(struct seen_client *client, const char *what, size_t count, size_t room);

/* seen_fail_room() - after a seen_fits() that was false; returns -EMSGSIZE */
int seen_fail_room(struct seen_client *client);

/* seen_fail() - set the error text */
int seen_fail(struct seen_client *client, int err, const char *text);
/* seen_fail_nl() - the same for an error of libnl; returns -errno */
int seen_fail_nl(struct seen_client *client, int nl_err);

/*
 * seen_grow() - room for one more element of @size in a list of *@count, zeroed
 *
 * Return: the element, or NULL: no memory.
 */
void *seen_grow(void **list, size_t *count, size_t size);

/* Attributes of an answer: 0, "" or false where one is absent or too short. */
uint8_t seen_attr_u8(const struct nlattr *attr);
uint16_t seen_attr_u16(const struct nlattr *attr);
uint32_t seen_attr_u32(const struct nlattr *attr);
uint64_t seen_attr_u64(const struct nlattr *attr);
/* seen_attr_text() - a text for people: what is longer than @size is cut off */
void seen_attr_text(const struct nlattr *attr, char *text, size_t size);
/* seen_attr_name() - a name: one that is longer than @size has the answer refused */
void seen_attr_name(struct seen_client *client, const struct nlattr *attr, char *name,
		    size_t size);
void seen_attr_bytes(const struct nlattr *attr, void *bytes, size_t size);

/* seen_dup_parse() - a nest of enum seen_a_dup */
void seen_dup_parse(struct seen_client *client, struct nlattr *nest,
		    struct seen_dup_info *dup);
/* seen_finding_parse() - a nest of enum seen_a_finding */
void seen_finding_parse(struct seen_client *client, struct nlattr *nest,
			struct seen_finding_info *finding);

#endif
