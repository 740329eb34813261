// SPDX-License-Identifier: GPL-2.0
/*
 * unload MODULE...: asks the kernel, once for each, to let the module go; rmmod would ask
 * sysfs, and not the kernel if that says that it is in use. Prints for each "refused", "gone",
 * or the error.
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
