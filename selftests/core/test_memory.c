// SPDX-License-Identifier: GPL-2.0
/*
 * The available memory, from trees of /proc and of cgroups (v1 and v2) as on real machines:
 * the smallest limit counts, also that of a parent, and page cache counts as free.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "local.h"
#include "local_error.h"
#include "memory.h"

#define MIB		(UINT64_C(1) << 20)

static int results, failures;
static char root[64];

static void ok(bool good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++results, name);
	failures += !good;
}

static void room_is(uint64_t bytes, const char *name)
{
	uint64_t room = seen_memory_free(root);

	ok(room == bytes, name);
	if (room != bytes)
		printf("# got %ju, want %ju\n", (uintmax_t)room,
		       (uintmax_t)bytes);
}

/* Makes the folders of the path, too. */
static void put(const char *path, const char *text)
{
	char name[512];
	FILE *file;

	snprintf(name, sizeof(name), "%s/%s", root, path);
	for (char *at = strchr(name + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		mkdir(name, 0700);
		*at = '/';
	}
	file = fopen(name, "w");
	if (!file || fputs(text, file) < 0 || fclose(file)) {
		printf("Bail out! %s\n", name);
		exit(1);
	}
}

static void put_number(const char *path, uint64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%ju\n", (uintmax_t)number);
	put(path, text);
}

static void clean(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	if (system(command))
		exit(1);
}

/* A new tree on a machine with 8 GiB available. */
static void machine(void)
{
	clean();
	put("proc/meminfo",
	    "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:    8388608 kB\n");
}

#define UNIFIED								\
	"30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
#define SLICE	"sys/fs/cgroup/user.slice"
#define LEAF	SLICE "/job.scope"

/* Version 2: a process in a scope of a slice. */
static void unified(void)
{
	machine();
	put("proc/self/cgroup", "0::/user.slice/job.scope\n");
	put("proc/self/mountinfo",
	    "23 28 0:22 / /proc rw shared:1 - proc none rw\n" UNIFIED);
	put(LEAF "/memory.max", "max\n");
	put(LEAF "/memory.high", "max\n");
	put_number(LEAF "/memory.current", 300 * MIB);
	put(LEAF "/memory.stat", "anon 104857600\nfile 209715200\n");
	put(SLICE "/memory.max", "max\n");
	put(SLICE "/memory.high", "max\n");
	put_number(SLICE "/memory.current", 500 * MIB);
}

static void version_2(void)
{
	unified();
	room_is(8192 * MIB, "version 2: without limits it is MemAvailable");
	put_number(LEAF "/memory.max", 1000 * MIB);
	room_is(700 * MIB, "memory.max, less what is used");
	put_number(LEAF "/memory.high", 900 * MIB);
	room_is(600 * MIB, "memory.high, if it is lower");
	put(LEAF "/memory.stat",
	    "anon 1\ninactive_file 104857600\nactive_file 52428800\n");
	room_is(750 * MIB, "page cache is free");
	put_number(SLICE "/memory.max", 600 * MIB);
	room_is(100 * MIB, "the limit of a parent");
	put_number(SLICE "/memory.current", 601 * MIB);
	room_is(0, "beyond a limit there is nothing");
	put("sys/fs/cgroup/user.slice/memory.current", "nonsense\n");
	room_is(750 * MIB, "a file without a number is no limit");
}

/* In a container the root that it sees is its own cgroup. */
static void container(void)
{
	machine();
	put("proc/self/cgroup", "0::/\n");
	put("proc/self/mountinfo", UNIFIED);
	put_number("sys/fs/cgroup/memory.max", 256 * MIB);
	put_number("sys/fs/cgroup/memory.current", 56 * MIB);
	room_is(200 * MIB, "in a container the root has the limit");
	put("proc/self/cgroup", "0::/../other\n");
	room_is(200 * MIB, "a path beyond the root is the root");
}

static void version_1(void)
{
	machine();
	put("proc/self/cgroup",
	    "5:cpu,cpuacct:/\n4:hugetlb,memory:/docker/abc\n0::/docker/abc\n");
	put("proc/self/mountinfo",
	    "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup none rw,cpu\n35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup none rw,hugetlb,memory\n");
	put_number("sys/fs/cgroup/memory/memory.limit_in_bytes", 512 * MIB);
	put_number("sys/fs/cgroup/memory/memory.usage_in_bytes", 500 * MIB);
	put("sys/fs/cgroup/memory/memory.stat",
	    "inactive_file 7\ntotal_inactive_file 104857600\n");
	room_is(112 * MIB, "version 1: a folder that is mounted on its own");
	put("proc/self/cgroup", "4:memory:/docker/abc/in\n");
	put_number("sys/fs/cgroup/memory/in/memory.limit_in_bytes",
		   9223372036854771712);
	put_number("sys/fs/cgroup/memory/in/memory.usage_in_bytes", MIB);
	room_is(112 * MIB, "version 1: a folder below it without a limit");
	put_number("sys/fs/cgroup/memory/in/memory.limit_in_bytes", 11 * MIB);
	room_is(10 * MIB, "version 1: a folder below it with a limit");
}

static void nothing_there(void)
{
	machine();
	room_is(8192 * MIB, "without cgroups it is MemAvailable");
	put("proc/self/cgroup", "0::/a\n:\n4\n4:memory\n");
	put("proc/self/mountinfo", "junk\n - cgroup2\n");
	room_is(8192 * MIB, "invalid lines");
	clean();
	ok(seen_memory_free(root) > 0, "without /proc it is all memory");
}

static void check(void)
{
	ok(!seen_memory_check(1, 4096), "a page is available");
	ok(seen_memory_check(7, UINT64_MAX / 2) < 0, "8 EiB are not available");
	ok(strstr(seen_local_error(),
		  "capacity: 7 keys need 8388608.0TiB (9223372036854775807 bytes), "),
	   "the text has keys and bytes");
	ok(strstr(seen_local_error(), " is available"),
	   "and what is available");
}

int main(void)
{
	int planned = 7 + 2 + 3 + 3 + 4;

	printf("TAP version 13\n1..%d\n", planned);
	snprintf(root, sizeof(root), "/tmp/seen-memory-XXXXXX");
	if (!mkdtemp(root))
		return 1;
	version_2();
	container();
	version_1();
	nothing_there();
	check();
	clean();
	return failures || results != planned;
}
