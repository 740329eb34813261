/* SPDX-License-Identifier: GPL-2.0 */
/* The ports of guards. Internal to libseen. */
#ifndef LIBSEEN_PORT_H
#define LIBSEEN_PORT_H

#include "client.h"

/**
 * struct seen_ports - the ports of a guard
 * @port: the ports
 * @count: elements of @port
 */
struct seen_ports {
	struct seen_port_info *port;
	size_t count;
};

/**
 * seen_ports_read() - read the ports of all guards
 * @client: the connection
 * @guard: the guards
 * @ports: out: the ports of each guard; empty before the call
 * @count: elements of @guard and of @ports
 *
 * Return: 0; -EAGAIN: guards were added or deleted since they were listed; or -errno.
 */
int seen_ports_read(struct seen_client *client, const struct seen_guard_info *guard,
		    struct seen_ports *ports, size_t count);

#endif
