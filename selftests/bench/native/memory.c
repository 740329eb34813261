// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "memory.h"

#define HUGE	(2UL << 20)

bool memory_huge;

static u64 round_up(u64 bytes)
{
	return (bytes + HUGE - 1) / HUGE * HUGE;
}

void memory_advise(void *memory, u64 bytes)
{
	if (!madvise(memory, bytes, memory_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE))
		return;
	perror("madvise");
	exit(1);
}

/* Reads a line such as "AnonHugePages:      2048 kB" after the mapping's line in smaps. */
bool memory_is_huge(const void *memory)
{
	unsigned long from, to, kib, sum = 0;
	FILE *smaps = fopen("/proc/self/smaps", "r");
	bool inside = false;
	char line[512];

	while (smaps && fgets(line, sizeof(line), smaps)) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			inside = (unsigned long)memory - from < to - from;
		else if (inside && (sscanf(line, "AnonHugePages: %lu", &kib) == 1 ||
				    sscanf(line, "ShmemPmdMapped: %lu", &kib) == 1))
			sum += kib;
	}
	if (smaps)
		fclose(smaps);
	return sum;
}

/* Maps a large page more than needed, so that the memory can begin at a large page. */
void *memory_get(u64 bytes)
{
	u64 room = round_up(bytes) + HUGE;
	char *memory = mmap(NULL, room, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	u64 before;

	if (memory == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	before = -(unsigned long)memory % HUGE;
	if (before)
		munmap(memory, before);
	if (before != HUGE)
		munmap(memory + before + round_up(bytes), HUGE - before);
	memory += before;
	memory_advise(memory, round_up(bytes));
	memset(memory, 0, round_up(bytes));
	return memory;
}

void memory_put(void *memory, u64 bytes)
{
	munmap(memory, round_up(bytes));
}
