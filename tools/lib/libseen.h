/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libseen: the netlink client of the kernel module as plain C. This file has all of
 * it; a program may also include the parts that it uses.
 *
 * Units: times are nanoseconds, sizes bytes, false-positive rates whole numbers of 10^-12
 * (SEEN_FPP_ONE), counters numbers of packets, keys or events.
 *
 * Errors: a function that returns int returns 0 or a negative errno, and seen_error() then
 * has one line for people, in the kernel's own words where it gave any. An errno has one
 * meaning, for filters of the kernel and for those of local.h. Of a request to the kernel
 * each of these may come, beside those that a function names:
 *
 *	-EPERM		no CAP_NET_ADMIN over the network namespace
 *	-EINVAL		a value is refused: a name that is too long or has no end, what is
 *			reserved in a structure is not 0, a bit in "given" is unknown
 *	-ENOENT		there is no such filter or guard
 *	-EOPNOTSUPP	the type of the filter, or an older kernel, cannot do it
 *	-ENOMEM		no memory
 *	-ENOSPC		no room: for a key, or below a limit of the namespace's memory
 *	-EMSGSIZE	the kernel reports more than a structure has room for; update libseen
 *	-EBUSY		a callback uses the client that called it
 *	-ENOTCONN	seen_open() of the client failed
 *	-EIO, -EPROTO	netlink failed, or the answer made no sense
 *
 * Names: a request means a filter by its name, and a guard by device and hook. Ids are only
 * reported (of filters, guards, their filters and allow maps): they show whether what has a
 * name now is what had it before. No function of this library takes an id.
 *
 * A request that fails has changed nothing, unless the function says otherwise.
 *
 * Threads: a client serves one thread at a time; several clients serve several threads.
 * Functions without a client may run in any number of threads at the same time. No function
 * may run in a signal handler.
 *
 * Callbacks: a callback must not use the client that called it. The functions of the client
 * return -EBUSY meanwhile, whatever else is wrong with the call, and seen_close() does
 * nothing. Until the callback returns, seen_error() has the text of that -EBUSY.
 *
 * Room: arrays in public structures have the library's own sizes (..._ROOM), which are
 * larger than what the kernel has use for today, and structures have members in reserve.
 * Neither the size of a structure nor the place of a member changes while the library is
 * called libseen.so.1. What is reserved must be 0: clear a structure before you fill it.
 * Lists have no size that a program depends on: seen_filters_at() and its like read them.
 */
#ifndef LIBSEEN_H
#define LIBSEEN_H

#include "libseen_client.h"
#include "libseen_filter.h"
#include "libseen_keys.h"
#include "libseen_guard.h"
#include "libseen_event.h"

#endif
