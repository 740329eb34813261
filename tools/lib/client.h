/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of libseen: requests, answers, attributes. */
#ifndef SEEN_CLIENT_H
#define SEEN_CLIENT_H

#include <netlink/netlink.h>
#include <netlink/msg.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>

#include "libseen.h"

/**
 * struct seen_client - a connection
 * @sock: socket of libnl
 * @family: number of the generic netlink family
 * @request: the request that waits for its answer
 * @status: of @request: 1 until it is answered, then 0 or -errno
 * @busy: a request, or seen_listen_next(), is being processed
 * @interrupted: the kernel marked the dump as interrupted by a change
 * @crowded: the kind of elements for which the current answer needs a larger array, or NULL
 * @room: elements of that array
 * @misused: a callback called the client while it was @busy
 * @error: see seen_error(), of the current or the last call
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
 * Parses one message of an answer. Returns 0, or an errno, which ends the request. It may set
 * the error text with seen_fail(); otherwise the text is that of the errno.
 */
typedef int (*seen_parse_t)(struct seen_client *client, struct nlmsghdr *nlh, void *context);

/* seen_request() - begin a message with room for @size bytes of attributes; NULL: no memory */
struct nl_msg *seen_request(struct seen_client *client, enum seen_cmd cmd,
			    int flags, size_t size);

/**
 * seen_transact() - send a request and wait for its whole answer
 * @client: the connection
 * @msg: from seen_request(); freed here; NULL: it could not be built
 * @parse: called for each message of the answer; NULL: no message is expected
 * @context: passed to @parse
 *
 * Return: 0; -EAGAIN: the dump was interrupted by a change; or -errno.
 */
int seen_transact(struct seen_client *client, struct nl_msg *msg,
		  seen_parse_t parse, void *context);

/* seen_simple() - send a request with one or two names; its answer is only 0 or an errno */
int seen_simple(struct seen_client *client, enum seen_cmd cmd, int attr,
		const char *name, int other_attr, const char *other);

/* filter.c: add a filter's configuration to a request; 0 or a negative libnl error */
int seen_filter_config_put(struct nl_msg *msg,
			   const struct seen_filter_config *config);
/* filter.c: add a filter's prefix lengths to a request; 0 or a negative libnl error */
int seen_filter_put_lengths(struct nl_msg *msg, const struct seen_filter_info *info);
/* filter.c: parse a filter in a reply; @tb: SEEN_A_FILTER_MAX + 1 entries, out */
int seen_filter_parse(struct seen_client *client, struct nlmsghdr *nlh,
		      struct seen_filter_info *info, struct nlattr **tb);

/* filter.c: send a request that is answered with one filter; -EPROTO: there was no filter */
int seen_filter_ask(struct seen_client *client, struct nl_msg *msg,
		    struct seen_filter_info *info);

/* guard.c: parse a guard in a reply; @guard: out, zeroed by the caller */
int seen_guard_parse(struct seen_client *client, struct nlmsghdr *nlh,
		     struct seen_guard_info *guard);

/* The error text for a reply that lacks a required attribute. */
extern const char seen_short_reply[];

/* How often a list is read, at most, if it changes each time while it is read. */
#define SEEN_LIST_TRIES	64

/* seen_fail_list() - set the error after SEEN_LIST_TRIES for a list of @what; -EAGAIN */
int seen_fail_list(struct seen_client *client, const char *what);

/*
 * seen_enter() - reserve a client for a call, until seen_leave()
 *
 * Return: 0; -EBUSY: a callback uses its own client; -ENOTCONN: seen_open() failed.
 */
int seen_enter(struct seen_client *client);
void seen_leave(struct seen_client *client);

/*
 * seen_begin() - check whether the client can be used, for a call that does something before
 * its first request. Returns as seen_enter(). A call that fails here has changed nothing.
 */
int seen_begin(struct seen_client *client);

/* seen_refuse() - refuse an argument: -EINVAL with the text @fault, or as seen_begin() */
int seen_refuse(struct seen_client *client, const char *fault);

/* seen_check_name() - -EINVAL with a text if @name is too long for @attr, or as seen_begin() */
int seen_check_name(struct seen_client *client, enum seen_cmd cmd, int attr,
		    const char *name);

/*
 * seen_fits() - is there room for one more than @count in an array of @room elements? If not,
 * the current answer is refused, and the error text names @what.
 */
bool seen_fits(struct seen_client *client, const char *what, size_t count, size_t room);

/* seen_fail_room() - set the error after seen_fits() returned false; -EMSGSIZE */
int seen_fail_room(struct seen_client *client);

/* seen_fail() - set the error text; returns @err */
int seen_fail(struct seen_client *client, int err, const char *text);
/* seen_fail_nl() - set the error text for an error of libnl; returns -errno */
int seen_fail_nl(struct seen_client *client, int nl_err);

/*
 * seen_grow() - append a zeroed element of @size bytes to a list of *@count elements
 *
 * Return: the element, or NULL: no memory.
 */
void *seen_grow(void **list, size_t *count, size_t size);

/* Values of an answer's attributes: 0, "" or false if the attribute is absent or too short. */
uint8_t seen_attr_u8(const struct nlattr *attr);
uint16_t seen_attr_u16(const struct nlattr *attr);
uint32_t seen_attr_u32(const struct nlattr *attr);
uint64_t seen_attr_u64(const struct nlattr *attr);
/* seen_attr_text() - read a text for people, cut to @size bytes */
void seen_attr_text(const struct nlattr *attr, char *text, size_t size);
/* seen_attr_name() - read a name; one that does not fit @size refuses the answer */
void seen_attr_name(struct seen_client *client, const struct nlattr *attr, char *name,
		    size_t size);
void seen_attr_bytes(const struct nlattr *attr, void *bytes, size_t size);

/* seen_dup_parse() - parse a nest of enum seen_a_dup */
void seen_dup_parse(struct seen_client *client, struct nlattr *nest,
		    struct seen_dup_info *dup);
/* seen_finding_parse() - parse a nest of enum seen_a_finding */
void seen_finding_parse(struct seen_client *client, struct nlattr *nest,
			struct seen_finding_info *finding);

#endif
