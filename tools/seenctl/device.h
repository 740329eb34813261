/* SPDX-License-Identifier: GPL-2.0 */
/* Ask rtnetlink which bridge a device belongs to. */
#ifndef SEENCTL_DEVICE_H
#define SEENCTL_DEVICE_H

#include <net/if.h>
#include <stdbool.h>

/**
 * struct device - the bridge of a network device
 * @bridge: the device's own name if it is a bridge; name of its bridge if it is a bridge
 *          port; otherwise ""
 * @port: the device is a port of @bridge
 */
struct device {
	char bridge[IF_NAMESIZE];
	bool port;
};

/* device_get() - look up a device by name; all members are empty if it does not exist */
struct device device_get(const char *name);

/* device_each() - call @each for each device of the namespace */
void device_each(void (*each)(const char *name, const struct device *device, void *context),
		 void *context);

#endif
