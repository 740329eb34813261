// SPDX-License-Identifier: GPL-2.0
/*
 * lifetime netns|module PATH [long]: a network namespace is created, or a module is loaded,
 * while each of its allocations fails in turn. It begins at the last allocation and goes back
 * until the module has not allocated for a while; in long runs, to the first one.
 *
 * Prints TAP and figures.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/syscall.h>

#include "nth.h"
#include "numbers.h"

/* So many allocations in a row that the module did not make: it made none of the earlier ones. */
#define FAR	64

/**
 * struct call - the operation that is repeated
 * @run: the operation; 0 or a negative errno
 * @undo: undoes it after success
 * @is_left: does its result exist? Also asked after a failure
 */
struct call {
	int (*run)(void);
	void (*undo)(void);
	bool (*is_left)(void);
};

static int home;
static const char *path;

static int come(void)
{
	int err;

	nth_begin();
	err = unshare(CLONE_NEWNET) ? -errno : 0;
	nth_end();
	return err;
}

static void go(void)
{
	if (setns(home, CLONE_NEWNET))
		fatal("setns");
}

static bool is_elsewhere(void)
{
	struct stat was, is;

	if (fstat(home, &was) || stat("/proc/self/ns/net", &is))
		fatal("/proc/self/ns/net");
	return was.st_ino != is.st_ino;
}

static int load(void)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		fatal(path);
	nth_begin();
	err = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	nth_end();
	close(fd);
	return err;
}

static void unload(void)
{
	if (syscall(SYS_delete_module, "seen", 0))
		fatal("delete_module");
}

static bool is_loaded(void)
{
	FILE *file = fopen("/proc/modules", "r");
	bool found = false;
	char line[256];

	if (!file)
		fatal("/proc/modules");
	while (fgets(line, sizeof(line), file))
		found |= !strncmp(line, "seen ", 5);
	fclose(file);
	return found;
}

static const struct call netns = { come, go, is_elsewhere };
static const struct call module = { load, unload, is_loaded };

static struct {
	unsigned int failures;
	unsigned int own;
	unsigned int bad;
} found;

static void blame(unsigned int n, int err, const struct nth_fault *fault,
		  const char *why)
{
	found.bad++;
	printf("# allocation %u, in %s, error %d: %s\n", n,
	       fault->own ? fault->site : "the kernel", err, why);
}

/* Return: true if an allocation failed. */
static bool try(const struct call *call, unsigned int n,
		struct nth_fault *fault)
{
	bool failed;
	int err;

	nth_arm(n);
	err = call->run();
	failed = nth_disarm();
	nth_log(fault);
	found.failures += failed;
	found.own += failed && fault->own;
	if (fault->noise)
		blame(n, err, fault, "the kernel complained");
	if (err && !failed)
		blame(n, err, fault, "it fails without a failure");
	if (err && fault->own && err != -ENOMEM)
		blame(n, err, fault, "the error is not ENOMEM");
	if (err && call->is_left())
		blame(n, err, fault, "it failed, but its result exists");
	if (!err && !call->is_left())
		blame(n, err, fault, "it succeeded, but its result does not exist");
	if (!err && failed && fault->own)
		blame(n, err, fault, "it succeeded although an allocation of the module failed");
	if (!err)
		call->undo();
	return failed;
}

/* The number of the last allocation. */
static unsigned int last(const struct call *call)
{
	unsigned int low = 0, high = 1, middle;
	struct nth_fault fault;

	while (try(call, high, &fault)) {
		low = high;
		high *= 2;
	}
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (try(call, middle, &fault))
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void test(const struct call *call, bool all)
{
	unsigned int n = last(call), far = 0;
	struct nth_fault fault;
	bool own = false;

	for (; n && (all || far < FAR); n--) {
		try(call, n, &fault);
		own |= fault.own;
		far = !own || fault.own ? 0 : far + 1;
	}
	printf("%sok 1 - it succeeds, or fails and leaves nothing\n", found.bad ? "not " : "");
	printf("%sok 2 - the module made some of the allocations\n", found.own ? "" : "not ");
}

int main(int argc, char **argv)
{
	bool all = argc > 1 && !strcmp(argv[argc - 1], "long");
	const struct call *call = &netns;

	if (argc < 2)
		fatal("usage: lifetime netns|module PATH [long]");
	if (!strcmp(argv[1], "module") && argc > 2) {
		path = argv[2];
		call = &module;
	}
	home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	nth_open();
	puts("TAP version 13\n1..2");
	test(call, all);
	printf("# figure: %s: %u allocations failed in turn,", argv[1],
	       found.failures);
	printf(" %u of them the module's, %u unexpected\n", found.own,
	       found.bad);
	return found.bad || !found.own;
}
