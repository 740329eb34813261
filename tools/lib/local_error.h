/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_LOCAL_ERROR_H
#define SEEN_LOCAL_ERROR_H

#include <stdint.h>

/* seen_local_fail() - set the text of seen_local_error(); returns @err */
int seen_local_fail(int err, const char *format, ...)
	__attribute__((__format__(__printf__, 2, 3)));

/* seen_local_no_memory() - the same for lack of memory; @bytes: needed, 0: a few; -ENOMEM */
int seen_local_no_memory(uint64_t bytes);

#endif
