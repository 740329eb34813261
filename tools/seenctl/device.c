// SPDX-License-Identifier: GPL-2.0
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "device.h"

static bool is_bridge(const struct nlattr *kind)
{
	return kind && !strcmp(nla_get_string(kind), "bridge");
}

static bool device_parse(struct nl_msg *msg, struct nlattr **attrs)
{
	const struct nlmsghdr *head = nlmsg_hdr(msg);

	return head->nlmsg_type == RTM_NEWLINK &&
	       !nlmsg_parse(nlmsg_hdr(msg), sizeof(struct ifinfomsg), attrs, IFLA_MAX, NULL);
}

static void device_read(struct nl_msg *msg, struct nlattr **attrs, struct device *device)
{
	const struct ifinfomsg *link = nlmsg_data(nlmsg_hdr(msg));
	struct nlattr *info[IFLA_INFO_MAX + 1];

	if (!attrs[IFLA_LINKINFO] ||
	    nla_parse_nested(info, IFLA_INFO_MAX, attrs[IFLA_LINKINFO], NULL))
		return;
	device->port = is_bridge(info[IFLA_INFO_SLAVE_KIND]) &&
		       attrs[IFLA_MASTER];
	if (device->port)
		if_indextoname(nla_get_u32(attrs[IFLA_MASTER]), device->bridge);
	else if (is_bridge(info[IFLA_INFO_KIND]))
		if_indextoname(link->ifi_index, device->bridge);
}

static int read_link(struct nl_msg *msg, void *into)
{
	struct nlattr *attrs[IFLA_MAX + 1];

	if (device_parse(msg, attrs))
		device_read(msg, attrs, into);
	return NL_STOP;
}

/* @index: of one device; 0: all devices. @read: called for each message. */
static void ask(unsigned int index, int (*read)(struct nl_msg *msg, void *into), void *into)
{
	const struct ifinfomsg link = { .ifi_index = index };
	struct nl_sock *sock = nl_socket_alloc();

	if (!sock)
		return;
	nl_socket_disable_auto_ack(sock);
	nl_socket_disable_seq_check(sock);
	nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, read, into);
	if (!nl_connect(sock, NETLINK_ROUTE) &&
	    nl_send_simple(sock, RTM_GETLINK, NLM_F_REQUEST | (index ? 0 : NLM_F_DUMP),
			   (void *)&link, sizeof(link)) >= 0)
		nl_recvmsgs_default(sock);
	nl_socket_free(sock);
}

struct device device_get(const char *name)
{
	unsigned int index = if_nametoindex(name);
	struct device device = {};

	if (index)
		ask(index, read_link, &device);
	return device;
}

/* The caller of device_each(). */
struct visitor {
	void (*each)(const char *name, const struct device *device, void *context);
	void *context;
};

static int visit_link(struct nl_msg *msg, void *into)
{
	const struct visitor *visitor = into;
	struct nlattr *attrs[IFLA_MAX + 1];
	struct device device = {};

	if (!device_parse(msg, attrs) || !attrs[IFLA_IFNAME])
		return NL_OK;
	device_read(msg, attrs, &device);
	visitor->each(nla_get_string(attrs[IFLA_IFNAME]), &device, visitor->context);
	return NL_OK;
}

void device_each(void (*each)(const char *name, const struct device *device, void *context),
		 void *context)
{
	struct visitor visitor = { each, context };

	ask(0, visit_link, &visitor);
}
