// SPDX-License-Identifier: GPL-2.0
/*
 * unload MODULE...: requests once for each module that the kernel unloads it. (rmmod would look
 * into sysfs first, and not try to unload a module in use.) Prints for each "refused", "gone", or
 * the error.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/fcntl.h>
#include <sys/syscall.h>

static const char *ask(const char *module)
{
	if (!syscall(SYS_delete_module, module, O_NONBLOCK))
		return "gone";
	return errno == EWOULDBLOCK ? "refused" : strerrorname_np(errno);
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		puts(ask(argv[i]));
	return 0;
}
