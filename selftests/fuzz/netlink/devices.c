// SPDX-License-Identifier: GPL-2.0
/* Creates and deletes devices, and moves them into and out of bridges. */
#include <stdlib.h>
#include <string.h>

#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include "draw.h"
#include "numbers.h"
#include "worker.h"

/* Devices that the pool of names contains. */
static const char * const wires[] = { "x0", "x1" };

struct request {
	struct nlmsghdr header;
	struct ifinfomsg info;
	uint8_t attrs[256];
};

static void put(struct request *request, uint16_t type, const void *data,
		uint32_t len)
{
	struct nlattr attr = { .nla_len = NLA_HDRLEN + len, .nla_type = type };
	uint8_t *at = (uint8_t *)request + request->header.nlmsg_len;

	memcpy(at, &attr, sizeof(attr));
	memcpy(at + NLA_HDRLEN, data, len);
	request->header.nlmsg_len += NLA_HDRLEN + NLA_ALIGN(len);
}

static void put_kind(struct request *request, const char *kind)
{
	uint8_t nest[64] = {};
	struct nlattr attr = {
		.nla_len = NLA_HDRLEN + strlen(kind) + 1,
		.nla_type = IFLA_INFO_KIND,
	};

	memcpy(nest, &attr, sizeof(attr));
	strcpy((char *)nest + NLA_HDRLEN, kind);
	put(request, IFLA_LINKINFO | NLA_F_NESTED, nest,
	    NLA_ALIGN(attr.nla_len));
}

/* The kernel's answer does not matter: another process may have been faster. */
static void ask(int fd, struct request *request)
{
	char answer[4096];

	request->header.nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	if (send(fd, request, request->header.nlmsg_len, 0) < 0)
		fatal("devices");
	while (recv(fd, answer, sizeof(answer), MSG_DONTWAIT) > 0)
		;
}

static struct request start(uint16_t type, const char *name)
{
	struct request request = {
		.header.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
		.header.nlmsg_type = type,
	};

	put(&request, IFLA_IFNAME, name, strlen(name) + 1);
	return request;
}

static void create(int fd, const char *name, const char *kind)
{
	struct request request = start(RTM_NEWLINK, name);

	request.header.nlmsg_flags = NLM_F_CREATE | NLM_F_EXCL;
	request.info.ifi_flags = IFF_UP;
	request.info.ifi_change = IFF_UP;
	put_kind(&request, kind);
	ask(fd, &request);
}

static void delete(int fd, const char *name)
{
	struct request request = start(RTM_DELLINK, name);

	ask(fd, &request);
}

static void join(int fd, const char *name, const char *bridge)
{
	struct request request = start(RTM_NEWLINK, name);
	uint32_t master = bridge ? if_nametoindex(bridge) : 0;

	put(&request, IFLA_MASTER, &master, sizeof(master));
	ask(fd, &request);
}

static void change(struct draw *draw, int fd)
{
	const char *wire = PICK(draw, wires);

	switch (draw_below(draw, 6)) {
	case 0:
	case 1:
		create(fd, wire, "veth");
		break;
	case 2:
		join(fd, wire, draw_chance(draw, 70) ? "br0" : "br1");
		break;
	case 3:
		join(fd, wire, NULL);
		break;
	case 4:
		delete(fd, wire);
		break;
	case 5:
		if (draw_chance(draw, 60))
			create(fd, "br1", "bridge");
		else
			delete(fd, "br1");
		break;
	}
}

void devices_run(const struct space *space, uint64_t seed, uint32_t changes)
{
	struct draw draw = { .state = seed };
	int fd;

	space_enter(space);
	fd = talk_open(NETLINK_ROUTE, 0);
	for (; changes; changes--)
		change(&draw, fd);
	close(fd);
}
