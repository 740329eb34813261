// SPDX-License-Identifier: GPL-2.0
/* Ports of guards, which have a dump of their own. */
#include <errno.h>

#include "port.h"

static void parse_port(struct seen_client *client, struct nlattr **tb,
		       struct seen_port_info *port)
{
	seen_attr_name(client, tb[SEEN_A_PORT_NAME], port->name, sizeof(port->name));
	port->ifindex = seen_attr_u32(tb[SEEN_A_PORT_IFINDEX]);
	port->self = tb[SEEN_A_PORT_SELF];
	port->protect = tb[SEEN_A_PORT_PROTECTED];
	port->suspended = tb[SEEN_A_PORT_SUSPENDED];
	port->gro = tb[SEEN_A_PORT_GRO];
	port->offloaded = tb[SEEN_A_PORT_OFFLOADED];
	port->alarm = seen_attr_u32(tb[SEEN_A_PORT_ALARM]);
	port->blocked = tb[SEEN_A_PORT_BLOCKED_SINCE];
	port->has_last = tb[SEEN_A_PORT_LAST];
	if (port->has_last)
		seen_dup_parse(client, tb[SEEN_A_PORT_LAST], &port->last);
	port->has_last_other = tb[SEEN_A_PORT_LAST_OTHER];
	if (port->has_last_other)
		seen_dup_parse(client, tb[SEEN_A_PORT_LAST_OTHER], &port->last_other);
	seen_attr_name(client, tb[SEEN_A_PORT_PEER], port->peer, sizeof(port->peer));
	for (int i = 0; i < SEEN_PORT_ROOM; i++)
		port->count[i] = seen_attr_u64(tb[i]);
}

size_t seen_ports_count(const struct seen_ports *ports)
{
	return ports ? ports->count : 0;
}

const struct seen_port_info *seen_ports_at(const struct seen_ports *ports,
					   size_t index)
{
	return index < seen_ports_count(ports) ? &ports->port[index] : NULL;
}

struct reading {
	const struct seen_guard_info *guard;
	struct seen_ports *ports;
	size_t count;
};

/* NULL: the guard was added after the guards were listed. */
static struct seen_ports *ports_of(struct reading *reading, uint32_t id)
{
	for (size_t i = 0; i < reading->count; i++)
		if (reading->guard[i].id == id)
			return &reading->ports[i];
	return NULL;
}

static int parse_next(struct seen_client *client, struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_PORT_ROOM];
	struct seen_port_info *port;
	struct seen_ports *ports;

	if (genlmsg_parse(nlh, 0, tb, SEEN_PORT_ROOM - 1, NULL))
		return -EPROTO;
	ports = ports_of(context, seen_attr_u32(tb[SEEN_A_PORT_GUARD_ID]));
	if (!ports)
		return -EAGAIN;
	port = seen_grow((void **)&ports->port, &ports->count, sizeof(*port));
	if (!port)
		return -ENOMEM;
	parse_port(client, tb, port);
	return 0;
}

int seen_ports_read(struct seen_client *client, const struct seen_guard_info *guard,
		    struct seen_ports *ports, size_t count)
{
	struct reading reading = { guard, ports, count };
	int err;

	err = seen_transact(client,
			    seen_request(client, SEEN_CMD_PORT_GET, NLM_F_DUMP,
					 0),
			    parse_next, &reading);
	/* A guard has at least one port if and only if it has a device. */
	for (size_t i = 0; !err && i < count; i++)
		if (!guard[i].ifindex != !ports[i].count)
			err = seen_fail(client, -EAGAIN,
					"the guards changed while they were listed; try again");
	return err;
}
