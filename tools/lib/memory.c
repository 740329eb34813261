// SPDX-License-Identifier: GPL-2.0
/* The memory that a process may still allocate; memory.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "local_error.h"
#include "memory.h"

#define PATH	256

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* MemAvailable, or all memory of the machine if MemAvailable cannot be read. */
static uint64_t machine_free(const char *root)
{
	uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) *
			 sysconf(_SC_PAGESIZE);
	char path[PATH], line[128];
	uintmax_t kib;
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %ju", &kib) == 1)
			bytes = kib * 1024;
	if (file)
		fclose(file);
	return bytes;
}

/* Address space that RLIMIT_AS (ulimit -v) leaves. */
static uint64_t addresses_free(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	uintmax_t pages = 0;
	struct rlimit limit;
	uint64_t used;

	if (file) {
		if (fscanf(file, "%ju", &pages) != 1)
			pages = 0;
		fclose(file);
	}
	if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return SIZE_MAX;
	used = pages * sysconf(_SC_PAGESIZE);
	return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

uint64_t seen_memory_free(const char *root)
{
	uint64_t bytes = smaller(machine_free(root), addresses_free());

	return smaller(bytes, seen_cgroup_free(root));
}

static const char *text_of(char *text, size_t size, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double value = bytes;
	size_t unit = 0;

	for (; value >= 1024 && unit < sizeof(units) / sizeof(*units) - 1; unit++)
		value /= 1024;
	snprintf(text, size, "%.*f%s", unit ? 1 : 0, value, units[unit]);
	return text;
}

int seen_memory_check(uint64_t keys, uint64_t bytes)
{
	char need[32], there[32];
	uint64_t room;

	/* Every machine has that much; do not read /proc. */
	if (bytes < 1 << 20)
		return 0;
	room = seen_memory_free("");
	if (bytes <= room)
		return 0;
	return seen_local_fail(-ENOMEM,
			       "capacity: %ju keys need %s (%ju bytes), %s is available",
			       (uintmax_t)keys,
			       text_of(need, sizeof(need), bytes),
			       (uintmax_t)bytes,
			       text_of(there, sizeof(there), room));
}
