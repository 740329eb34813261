/* SPDX-License-Identifier: GPL-2.0 */
/* What rtnetlink says of a device. */
#ifndef SEENCTL_DEVICE_H
#define SEENCTL_DEVICE_H

#include <net/if.h>
#include <stdbool.h>

/**
 * struct device - a network device and the bridge that it belongs to
 * @bridge: name of the bridge that it is, or is a port of; "": of none
 * @port: it is a port of that
 */
struct device {
	char bridge[IF_NAMESIZE];
	bool port;
};

/* device_get() - by name; all is empty where there is no such device */
struct device device_get(const char *name);

#endif
