// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <sys/mman.h>

#include "meter.h"

struct meters *meters_map(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	struct meters *meters;

	if (fd < 0 || ftruncate(fd, sizeof(*meters)))
		fatal(path);
	meters = mmap(NULL, sizeof(*meters), PROT_READ | PROT_WRITE,
		      MAP_SHARED, fd, 0);
	if (meters == MAP_FAILED)
		fatal("mmap");
	close(fd);
	return meters;
}

uint64_t meter_frames(const struct meters *meters, uint32_t cpu)
{
	return __atomic_load_n(&meters->of[cpu].frames, __ATOMIC_RELAXED);
}

uint64_t ns(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec * 1000000000ULL + at.tv_nsec;
}
