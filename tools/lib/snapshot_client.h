/* SPDX-License-Identifier: GPL-2.0 */
/* Copies of the kernel's filters. Internal to libseen and seenctl. */
#ifndef LIBSEEN_SNAPSHOT_CLIENT_H
#define LIBSEEN_SNAPSHOT_CLIENT_H

#include "local.h"

/**
 * seen_filter_copy() - copy a filter of the kernel to a local filter
 * @client: the connection
 * @name: of the filter
 * @local: out: free it with seen_local_close()
 *
 * Return: 0 or -errno, with the reason in seen_error().
 */
int seen_filter_copy(struct seen_client *client, const char *name,
		     struct seen_local **local);

#endif
