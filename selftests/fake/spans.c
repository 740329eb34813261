// SPDX-License-Identifier: GPL-2.0
/* This file is compiled without the instrumentation that it implements. */
#include <stdlib.h>
#include <string.h>

#include "spans.h"

#define LINE	64

const char * const span_name[SPANS] = {
	"with bottom halves off", "under RCU", "under seen_net.lock",
	"between two chances to be scheduled away",
};

static unsigned long done;	/* work so far */
static unsigned long from[SPANS];
static unsigned int depth[SPANS];
static struct spans *watch;
static unsigned long watched;	/* work before the watch began */

void __sanitizer_cov_trace_pc(void)
{
	done++;
}

/* --- string functions: the linker replaces calls by calls of these -------- */

void *__real_memset(void *to, int byte, size_t bytes);
void *__wrap_memset(void *to, int byte, size_t bytes);
void *__real_memcpy(void *to, const void *bytes_from, size_t bytes);
void *__wrap_memcpy(void *to, const void *bytes_from, size_t bytes);

void *__wrap_memset(void *to, int byte, size_t bytes)
{
	done += bytes / sizeof(long);
	return __real_memset(to, byte, bytes);
}

void *__wrap_memcpy(void *to, const void *bytes_from, size_t bytes)
{
	done += bytes / sizeof(long);
	return __real_memcpy(to, bytes_from, bytes);
}

void *spans_memory(size_t bytes)
{
	void *memory = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);

	if (!memory)
		abort();
	/* Not memset(), which would be counted. */
	explicit_bzero(memory, bytes);
	return memory;
}

/* --- spans ---------------------------------------------------------------- */

static void tell(enum span span)
{
	unsigned long in_it = done - from[span];

	if (watch && in_it > watch->worst[span])
		watch->worst[span] = in_it;
}

void span_begin(enum span span)
{
	if (!depth[span]++)
		from[span] = done;
}

void span_end(enum span span)
{
	if (!depth[span])
		abort();
	if (!--depth[span])
		tell(span);
}

void span_sleeps(void)
{
	if (watch && (depth[SPAN_BH_OFF] || depth[SPAN_RCU]))
		watch->atomic++;
	tell(SPAN_UNSCHEDULED);
	from[SPAN_UNSCHEDULED] = done;
}

void spans_watch(struct spans *spans)
{
	span_sleeps();
	if (watch)
		watch->total += done - watched;
	watch = spans;
	watched = done;
}
