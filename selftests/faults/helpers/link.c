// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <net/if.h>
#include <sys/socket.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "link.h"
#include "nth.h"
#include "numbers.h"

/* The group of all devices that are created here. */
#define GROUP	1

static int open_route(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (fd < 0)
		fatal("rtnetlink");
	return fd;
}

/* Skips old acknowledgements of other requests. */
static int answer(int fd, uint32_t sequence)
{
	struct nlmsgerr *error;
	union {
		struct nlmsghdr nlh;
		char bytes[8192];
	} reply;

	do {
		ssize_t got = recv(fd, &reply, sizeof(reply), 0);

		if (got < 0) {
			nth_calls.recv_errno = errno;
			return -errno;
		}
		if (got < (ssize_t)(NLMSG_HDRLEN + sizeof(int)))
			return -EBADMSG;
	} while (reply.nlh.nlmsg_type != NLMSG_ERROR ||
		 reply.nlh.nlmsg_seq != sequence);
	error = NLMSG_DATA(&reply.nlh);
	return error->error;
}

/* Sends @msg, while a failure may be armed, and frees it. Return: 0 or a negative errno. */
static int ask(struct nl_msg *msg)
{
	static uint32_t sequence;
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct iovec iov = { nlh, nlh->nlmsg_len };
	struct msghdr header = { .msg_iov = &iov, .msg_iovlen = 1 };
	int fd = open_route(), err;

	nlh->nlmsg_seq = ++sequence;
	err = sendmsg(fd, &header, 0) < 0 ? -errno : answer(fd, sequence);
	nlmsg_free(msg);
	return err;
}

static struct nl_msg *request(int type, int flags, const char *name)
{
	struct ifinfomsg info = {
		.ifi_index = name ? if_nametoindex(name) : 0,
	};
	struct nl_msg *msg = nlmsg_alloc_simple(type, NLM_F_REQUEST |
						NLM_F_ACK | flags);

	if (!msg || nlmsg_append(msg, &info, sizeof(info), NLMSG_ALIGNTO))
		fatal("rtnetlink: no memory");
	return msg;
}

int link_add(const char *name, const char *kind)
{
	struct nl_msg *msg = request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL,
				     NULL);
	struct nlattr *nest;

	nla_put_string(msg, IFLA_IFNAME, name);
	nla_put_u32(msg, IFLA_GROUP, GROUP);
	nest = nla_nest_start(msg, IFLA_LINKINFO);
	nla_put_string(msg, IFLA_INFO_KIND, kind);
	nla_nest_end(msg, nest);
	return ask(msg);
}

int link_del(const char *name)
{
	return ask(request(RTM_DELLINK, 0, name));
}

int link_del_all(void)
{
	struct nl_msg *msg = request(RTM_DELLINK, 0, NULL);
	int err;

	nla_put_u32(msg, IFLA_GROUP, GROUP);
	err = ask(msg);
	return err == -ENODEV ? 0 : err;
}

int link_rename(const char *name, const char *new_name)
{
	struct nl_msg *msg = request(RTM_NEWLINK, 0, name);

	nla_put_string(msg, IFLA_IFNAME, new_name);
	return ask(msg);
}

int link_master(const char *name, const char *master)
{
	struct nl_msg *msg = request(RTM_NEWLINK, 0, name);

	nla_put_u32(msg, IFLA_MASTER, master ? if_nametoindex(master) : 0);
	return ask(msg);
}
