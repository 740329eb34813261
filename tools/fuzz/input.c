// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../seenctl/seenctl.h"
#include "input.h"

bool input_options(const uint8_t **at, size_t *left)
{
	uint8_t options;

	if (!*left)
		return false;
	options = *(*at)++;
	--*left;
	ctl = (struct seenctl) {
		.object = "", .command = "", .json = options & 1,
		.stats = options & 2, .exist = options & 4,
	};
	return true;
}

size_t input_part(const uint8_t **at, size_t *left, const uint8_t **from)
{
	const uint8_t *nul = memchr(*at, '\0', *left);
	size_t size = nul ? (size_t)(nul - *at) : *left;

	*from = *at;
	*at += size + !!nul;
	*left -= size + !!nul;
	return size;
}

int input_file(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	lseek(fd, 0, SEEK_SET);
	return fd;
}

void input_stdin(const uint8_t *bytes, size_t size)
{
	int fd = input_file(bytes, size);

	dup2(fd, STDIN_FILENO);
	close(fd);
	__fpurge(stdin);
	clearerr(stdin);
}
