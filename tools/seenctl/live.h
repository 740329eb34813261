/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Offer values, among them live names: filters, groups, guards, devices and namespaces. Nothing
 * asks the kernel before such a name is to be completed, and nothing loads the module.
 */
#ifndef SEENCTL_LIVE_H
#define SEENCTL_LIVE_H

#include "seenctl.h"

/**
 * struct live_place - where on the command line a name stands
 * @object: name of the object
 * @command: name of the command
 * @bridge: the bridge that an earlier word names, or NULL
 */
struct live_place {
	const char *object;
	const char *command;
	const char *bridge;
};

/* live_netns() - names stand for objects of this namespace; NULL: of the caller's */
void live_netns(const char *name);

/* live_offer() - offer words for a VALUE of a synopsis; @value has @len bytes */
void live_offer(const struct live_place *place, const char *value, size_t len);

/* live_offer_spaces() - offer the named network namespaces */
void live_offer_spaces(void);

#endif
