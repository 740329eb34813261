// SPDX-License-Identifier: GPL-2.0
/* See fake_kernel.h. If it is preloaded, the kernel has two filters. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <netlink/genl/ctrl.h>
#include <netlink/msg.h>
#include <linux/genetlink.h>
#include <linux/seen.h>

#include "fake_kernel.h"

#define FAMILY	77
#define GROUP	5
#define LETTERS	64

/* The messages that recvmsg() returns next. */
static struct nl_msg *letter[LETTERS];
static unsigned int first, count;

static void must(int good)
{
	if (good)
		return;
	fputs("fake_kernel: no memory, or no room\n", stderr);
	abort();
}

void fake_send(struct nl_msg *msg)
{
	must(msg && count < LETTERS);
	letter[(first + count++) % LETTERS] = msg;
}

static struct nl_msg *fake_message(const struct nlmsghdr *request, int type, int flags)
{
	struct nl_msg *msg = nlmsg_alloc_size(16384);

	must(msg && nlmsg_put(msg, request->nlmsg_pid, request->nlmsg_seq, type, 0, flags));
	return msg;
}

struct nl_msg *fake_begin(const struct nlmsghdr *request, int flags)
{
	const struct genlmsghdr head = { .cmd = genlmsg_hdr((void *)request)->cmd };
	struct nl_msg *msg = fake_message(request, FAMILY, flags);

	must(!nlmsg_append(msg, (void *)&head, sizeof(head), NLMSG_ALIGNTO));
	return msg;
}

struct nl_msg *fake_event(uint8_t cmd)
{
	const struct nlmsghdr none = {};
	const struct genlmsghdr head = { .cmd = cmd };
	struct nl_msg *msg = fake_message(&none, FAMILY, 0);

	must(!nlmsg_append(msg, (void *)&head, sizeof(head), NLMSG_ALIGNTO));
	return msg;
}

void fake_ack(const struct nlmsghdr *request, int err)
{
	const struct nlmsgerr end = { .error = err, .msg = *request };
	struct nl_msg *msg = fake_message(request, NLMSG_ERROR, NLM_F_CAPPED);

	must(!nlmsg_append(msg, (void *)&end, sizeof(end), NLMSG_ALIGNTO));
	fake_send(msg);
}

void fake_text(const struct nlmsghdr *request, int err, const char *text)
{
	const struct nlmsgerr end = { .error = err, .msg = *request };
	struct nl_msg *msg = fake_message(request, NLMSG_ERROR,
					  NLM_F_CAPPED | NLM_F_ACK_TLVS);

	must(!nlmsg_append(msg, (void *)&end, sizeof(end), NLMSG_ALIGNTO) &&
	     !nla_put_string(msg, NLMSGERR_ATTR_MSG, text));
	fake_send(msg);
}

void fake_done(const struct nlmsghdr *request, int flags)
{
	struct nl_msg *msg = fake_message(request, NLMSG_DONE, NLM_F_MULTI | flags);
	int err = 0;

	must(!nlmsg_append(msg, &err, sizeof(err), NLMSG_ALIGNTO));
	fake_send(msg);
}

static void fake_family(const struct nlmsghdr *request)
{
	const struct genlmsghdr head = { .cmd = CTRL_CMD_NEWFAMILY, .version = 2 };
	struct nl_msg *msg = fake_message(request, GENL_ID_CTRL, 0);
	struct nlattr *groups, *group;

	must(!nlmsg_append(msg, (void *)&head, sizeof(head), NLMSG_ALIGNTO) &&
	     !nla_put_string(msg, CTRL_ATTR_FAMILY_NAME, SEEN_FAMILY_NAME) &&
	     !nla_put_u16(msg, CTRL_ATTR_FAMILY_ID, FAMILY));
	groups = nla_nest_start(msg, CTRL_ATTR_MCAST_GROUPS);
	group = nla_nest_start(msg, 1);
	must(!nla_put_string(msg, CTRL_ATTR_MCAST_GRP_NAME, SEEN_MCGRP_EVENTS) &&
	     !nla_put_u32(msg, CTRL_ATTR_MCAST_GRP_ID, GROUP));
	nla_nest_end(msg, group);
	nla_nest_end(msg, groups);
	fake_send(msg);
	fake_ack(request, 0);
}

ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
	struct nlmsghdr *request = msg->msg_iov[0].iov_base;

	(void)fd;
	(void)flags;
	if (request->nlmsg_type == GENL_ID_CTRL)
		fake_family(request);
	else
		fake_answer(request);
	return request->nlmsg_len;
}

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	struct sockaddr_nl from = { .nl_family = AF_NETLINK };
	struct nlmsghdr *next;
	size_t len;

	(void)fd;
	if (!count) {
		errno = ENODATA;
		return -1;
	}
	next = nlmsg_hdr(letter[first % LETTERS]);
	len = next->nlmsg_len;
	must(len <= msg->msg_iov[0].iov_len || flags & MSG_PEEK);
	memcpy(msg->msg_iov[0].iov_base, next,
	       len < msg->msg_iov[0].iov_len ? len : msg->msg_iov[0].iov_len);
	memcpy(msg->msg_name, &from, sizeof(from));
	msg->msg_namelen = sizeof(from);
	msg->msg_flags = 0;
	msg->msg_controllen = 0;
	if (flags & MSG_PEEK)
		return len;
	nlmsg_free(letter[first++ % LETTERS]);
	count--;
	return len;
}

/* Lets programs join the family's group, which does not exist. */
int setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
	(void)fd;
	(void)level;
	(void)name;
	(void)value;
	(void)len;
	return 0;
}

static void fake_filter(const struct nlmsghdr *request, const char *name, uint32_t type)
{
	struct nl_msg *msg = fake_begin(request, NLM_F_MULTI);

	must(!nla_put_string(msg, SEEN_A_FILTER_NAME, name) &&
	     !nla_put_u32(msg, SEEN_A_FILTER_TYPE, type) &&
	     !nla_put_u64(msg, SEEN_A_FILTER_CAPACITY, 1000) &&
	     !nla_put_u64(msg, SEEN_A_FILTER_ENTRIES, 7));
	fake_send(msg);
}

__attribute__((weak)) void fake_answer(struct nlmsghdr *request)
{
	fake_filter(request, "hosts", SEEN_TYPE_BLOOM);
	fake_filter(request, "flows", SEEN_TYPE_CUCKOO);
	fake_done(request, 0);
}
