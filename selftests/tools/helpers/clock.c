// SPDX-License-Identifier: GPL-2.0
/* Preloaded: sets the real-time clock to SEEN_CLOCK, in seconds since 1970. */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t id, struct timespec *now)
{
	int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT,
							  "clock_gettime");
	const char *text = getenv("SEEN_CLOCK");

	if (id != CLOCK_REALTIME || !text)
		return real(id, now);
	*now = (struct timespec) { .tv_sec = strtoll(text, NULL, 10) };
	return 0;
}
