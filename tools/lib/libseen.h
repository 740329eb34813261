/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libseen: the netlink client of the kernel module as plain C. This header includes the whole
 * client. A program may include only the parts that it uses.
 *
 * Units: times are nanoseconds, sizes bytes, false-positive rates whole numbers of 10^-12
 * (SEEN_FPP_ONE), counters numbers of packets, keys or events.
 *
 * Errors: a function that returns int returns 0 or a negative errno. After an error,
 * seen_error() returns one line of text for people: the kernel's own text if there is one.
 * An errno has the same meaning for kernel filters and for the filters of local.h. Any
 * request to the kernel may fail with one of the following errors, and with the errors that
 * its function lists:
 *	-EPERM		no CAP_NET_ADMIN over the network namespace
 *	-EINVAL		a value is refused: a name is too long or not terminated, a reserved
 *			member is not 0, or a bit in "given" is unknown
 *	-ENOENT		the filter or guard does not exist
 *	-EOPNOTSUPP	the type of the filter, or an older kernel, cannot do it
 *	-ENOMEM		no memory
 *	-ENOSPC		no room for a key, or a memory limit of the namespace is reached
 *	-EMSGSIZE	the kernel reports more than fits a structure; update libseen
 *	-EBUSY		a callback uses its own client, see below
 *	-ENOTCONN	seen_open() of the client failed
 *	-EIO, -EPROTO	netlink failed, or the answer is malformed
 *
 * Names: a request identifies a filter by its name, and a guard by device and hook. The kernel
 * reports an id for each filter, guard and allow map. An id that differs from the earlier one
 * shows that another object has the name now. No function of this library takes an id.
 *
 * A request that fails has changed nothing, unless the function says otherwise.
 *
 * Threads: a client serves one thread at a time; several clients serve several threads.
 * Functions without a client may run in any number of threads at the same time. No function
 * may run in a signal handler.
 *
 * Callbacks: a callback must not use the client that called it. Until the callback returns,
 * every function of that client returns -EBUSY, whatever its arguments are, and
 * seen_close() does nothing. After such a call, seen_error() returns the text of the -EBUSY
 * until the callback returns.
 *
 * Room: arrays in public structures have the library's own sizes (..._ROOM), which are
 * larger than today's kernel needs, and structures have reserved members. Neither the size
 * of a structure nor the place of a member changes while the library is called
 * libseen.so.1. Reserved members must be 0: clear a structure before you fill it.
 * Lists are opaque: seen_filters_at(), seen_guards_at() and seen_ports_at() read elements.
 */
#ifndef LIBSEEN_H
#define LIBSEEN_H

#include "libseen_client.h"
#include "libseen_filter.h"
#include "libseen_keys.h"
#include "libseen_guard.h"
#include "libseen_event.h"
#include "libseen_feed.h"

#endif
