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

static int read_link(struct nl_msg *msg, void *into)
{
	const struct ifinfomsg *link = nlmsg_data(nlmsg_hdr(msg));
	struct nlattr *attrs[IFLA_MAX + 1], *info[IFLA_INFO_MAX + 1];
	struct device *device = into;

	if (nlmsg_hdr(msg)->nlmsg_type != RTM_NEWLINK ||
	    nlmsg_parse(nlmsg_hdr(msg), sizeof(*link), attrs, IFLA_MAX, NULL) ||
	    !attrs[IFLA_LINKINFO] ||
	    nla_parse_nested(info, IFLA_INFO_MAX, attrs[IFLA_LINKINFO], NULL))
		return NL_STOP;
	device->port = is_bridge(info[IFLA_INFO_SLAVE_KIND]) &&
		       attrs[IFLA_MASTER];
	if (device->port)
		if_indextoname(nla_get_u32(attrs[IFLA_MASTER]), device->bridge);
	else if (is_bridge(info[IFLA_INFO_KIND]))
		if_indextoname(link->ifi_index, device->bridge);
	return NL_STOP;
}

static void ask(struct nl_sock *sock, const char *name, struct device *device)
{
	const struct ifinfomsg link = { .ifi_index = if_nametoindex(name) };

	nl_socket_disable_auto_ack(sock);
	nl_socket_disable_seq_check(sock);
	nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, read_link, device);
	if (link.ifi_index && !nl_connect(sock, NETLINK_ROUTE) &&
	    nl_send_simple(sock, RTM_GETLINK, NLM_F_REQUEST,
			   (void *)&link, sizeof(link)) >= 0)
		nl_recvmsgs_default(sock);
}

struct device device_get(const char *name)
{
	struct nl_sock *sock = nl_socket_alloc();
	struct device device = {};

	if (sock)
		ask(sock, name, &device);
	nl_socket_free(sock);
	return device;
}
