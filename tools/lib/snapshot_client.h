/* SPDX-License-Identifier: GPL-2.0 */
/* A copy of a filter of the kernel. Inside of libseen and seenctl. */
#ifndef LIBSEEN_SNAPSHOT_CLIENT_H
#define LIBSEEN_SNAPSHOT_CLIENT_H

#include "local.h"

/**
 * seen_filter_copy() - what is in a filter now, to be looked at without the kernel
 * @client: the connection
 * @name: of the filter
 * @local: out: to be closed by seen_local_close()
 *
 * Return: 0 or -errno, and the reason in seen_error().
 */
int seen_filter_copy(struct seen_client *client, const char *name,
		     struct seen_local **local);

#endif
