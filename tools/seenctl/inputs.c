// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inputs.h"
#include "seenctl.h"
#include "stream.h"

/* Number of samples of a file, and bytes per sample. */
#define SAMPLES		64
#define SAMPLE_BYTES	16384

static bool is_standard(const char *path)
{
	return !strcmp(path, "-");
}

static const char *name_of(const char *path)
{
	return is_standard(path) ? "standard input" : path;
}

static int input_open(const char *path)
{
	if (is_standard(path))
		return STDIN_FILENO;
	return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

static void input_close(int fd)
{
	if (fd > STDIN_FILENO)
		close(fd);
}

/* Do not open the path: the writer of a pipe would see a reader that closes it. */
static int check_path(const char *path)
{
	struct stat stat_of;

	if (is_standard(path) ? fstat(STDIN_FILENO, &stat_of) :
				stat(path, &stat_of) || access(path, R_OK))
		return refused("%s: %s", name_of(path), strerror(errno));
	if (S_ISDIR(stat_of.st_mode))
		return refused("%s: %s", name_of(path), strerror(EISDIR));
	return DONE;
}

int inputs_check(const struct inputs *inputs)
{
	int status = DONE;

	for (size_t i = 0; i < inputs->count && !status; i++)
		status = check_path(inputs->path[i]);
	return status;
}

bool inputs_next(struct inputs *inputs, int *status)
{
	const char *path;

	inputs_close(inputs);
	if (inputs->at == inputs->count)
		return false;
	path = inputs->path[inputs->at++];
	inputs->fd = input_open(path);
	if (inputs->fd < 0)
		*status = refused("%s: %s", path, strerror(errno));
	return inputs->fd >= 0;
}

void inputs_close(struct inputs *inputs)
{
	input_close(inputs->fd);
	inputs->fd = -1;
}

bool inputs_last(const struct inputs *inputs)
{
	return inputs->at == inputs->count;
}

const char *inputs_name(const struct inputs *inputs)
{
	return name_of(inputs->path[inputs->at - 1]);
}

/* Get the size of a regular file; false: not a regular file. Does not open a pipe. */
static bool input_bytes(const char *path, uint64_t *bytes)
{
	struct stat stat_of;

	if (is_standard(path)) {
		*bytes = stream_left(STDIN_FILENO);
		return !fstat(STDIN_FILENO, &stat_of) && S_ISREG(stat_of.st_mode);
	}
	*bytes = 0;
	if (stat(path, &stat_of) || !S_ISREG(stat_of.st_mode))
		return false;
	*bytes = stat_of.st_size;
	return true;
}

uint64_t inputs_bytes(const struct inputs *inputs)
{
	uint64_t sum = 0, bytes;

	for (size_t i = 0; i < inputs->count; i++) {
		if (!input_bytes(inputs->path[i], &bytes))
			return 0;
		sum += bytes;
	}
	return sum;
}

static uint64_t lines_of(int fd, char terminator)
{
	uint64_t left = stream_left(fd), read = 0, ends = 0;
	off_t start = lseek(fd, 0, SEEK_CUR);
	char bytes[SAMPLE_BYTES];

	for (unsigned int i = 0; i < SAMPLES && left; i++) {
		uint64_t skip = left > SAMPLES * SAMPLE_BYTES ?
				left / SAMPLES : SAMPLE_BYTES;
		ssize_t got = pread(fd, bytes, sizeof(bytes), start + i * skip);

		for (ssize_t at = 0; at < got; at++)
			ends += bytes[at] == terminator;
		read += got > 0 ? got : 0;
	}
	return read ? 1.05 * left * ends / read : 0;
}

uint64_t inputs_lines(const struct inputs *inputs, char terminator)
{
	/* A margin, because samples are not exact. */
	uint64_t lines = 1000;

	if (!inputs_bytes(inputs))
		return 0;
	for (size_t i = 0; i < inputs->count; i++) {
		int fd = input_open(inputs->path[i]);

		if (fd >= 0)
			lines += lines_of(fd, terminator);
		input_close(fd);
	}
	return lines;
}
