/* SPDX-License-Identifier: GPL-2.0 */
/* Read several files one after the other, as cat(1) does. */
#ifndef SEENCTL_INPUTS_H
#define SEENCTL_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct inputs - the files of a command
 * @path: names of the files; "-" is standard input
 * @count: number of files
 * @at: number of files that were opened so far
 * @fd: descriptor of file @at - 1, or -1: none is open
 */
struct inputs {
	const char *const *path;
	size_t count;
	size_t at;
	int fd;
};

/**
 * inputs_check() - check that each file can be read, before anything is written
 * @inputs: the files
 *
 * Return: DONE, or REFUSED after an error message that names the file.
 */
int inputs_check(const struct inputs *inputs);

/**
 * inputs_next() - close the file that is open, and open the next one
 * @inputs: the files
 * @status: out: set to REFUSED after an error message, otherwise unchanged
 *
 * Return: true if a file is open.
 */
bool inputs_next(struct inputs *inputs, int *status);

/* inputs_close() - close the file that is open, if any */
void inputs_close(struct inputs *inputs);

/* inputs_last() - true if no file follows the open one */
bool inputs_last(const struct inputs *inputs);

/* inputs_name() - name of the open file, for messages */
const char *inputs_name(const struct inputs *inputs);

/**
 * inputs_bytes() - count the bytes of all files; standard input from its current position
 * @inputs: the files; none is open yet
 *
 * Return: the sum, or 0 if at least one file is not a regular file.
 */
uint64_t inputs_bytes(const struct inputs *inputs);

/**
 * inputs_lines() - estimate the number of lines by samples
 * @inputs: the files; none is open yet
 * @terminator: byte that ends a line
 *
 * Return: the estimate, rounded up by 5 % and 1000 lines; 0 if at least one file is not a
 * regular file.
 */
uint64_t inputs_lines(const struct inputs *inputs, char terminator);

#endif
