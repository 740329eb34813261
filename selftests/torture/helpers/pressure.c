// SPDX-License-Identifier: GPL-2.0
/*
 * pressure SPARE: until SIGTERM, allocates all memory but SPARE MiB and frees it again, drops
 * caches, compacts memory, and changes the kernel's own reserve. Prints how often, and how much
 * memory it was.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include "ports.h"

#define CHUNK	(16UL << 20)
#define CHUNKS	4096

/* The file may not exist in this kernel. */
static void set(const char *name, const char *value)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/sys/vm/%s", name);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return;
	if (write(fd, value, strlen(value)) < 0)
		fatal(path);
	close(fd);
}

/* Return: number of bytes allocated. */
static uint64_t squeeze(uint64_t spare)
{
	static void *chunks[CHUNKS];
	uint64_t count = 0, i;

	while (count < CHUNKS && !ended && meminfo_bytes("MemAvailable") > spare + CHUNK) {
		chunks[count] = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
				     -1, 0);
		if (chunks[count] == MAP_FAILED)
			break;
		count++;
	}
	for (i = 0; i < count; i++)
		munmap(chunks[i], CHUNK);
	return count * CHUNK;
}

int main(int argc, char **argv)
{
	uint64_t times = 0, bytes = 0;

	if (argc != 2)
		fatal("usage: pressure SPARE");
	until_told();
	for (; !ended; times++) {
		set("min_free_kbytes", times % 2 ? "8192" : "16384");
		set("vfs_cache_pressure", times % 2 ? "1000" : "100");
		bytes += squeeze(number(argv[1]) << 20);
		set("drop_caches", "3");
		set("compact_memory", "1");
		if (!ended)
			rest();
	}
	printf("times %ju bytes %ju\n", (uintmax_t)times, (uintmax_t)bytes);
	return 0;
}
