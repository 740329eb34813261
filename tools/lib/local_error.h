/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_LOCAL_ERROR_H
#define SEEN_LOCAL_ERROR_H

/* seen_local_fail() - leaves the reason for people; returns @err */
int seen_local_fail(int err, const char *format, ...)
	__attribute__((__format__(__printf__, 2, 3)));

#endif
