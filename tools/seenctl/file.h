/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEENCTL_FILE_H
#define SEENCTL_FILE_H

#include <limits.h>

#include "../lib/local.h"
#include "seenctl.h"

/**
 * struct file - a filter in a file
 * @path: path as the user gave it
 * @real: path without symbolic links; only set if the file will be changed
 * @fd: descriptor that holds a lock against other writers; -1: the file is only read
 * @local: the filter
 */
struct file {
	const char *path;
	char real[PATH_MAX];
	int fd;
	struct seen_local *local;
};

/**
 * file_open() - read a filter
 * @file: out: to be closed by file_close()
 * @args: the next word is the path
 * @change: the file will be saved; lock it against other writers
 *
 * Return: DONE, or another exit status after an error message.
 */
int file_open(struct file *file, struct args *args, bool change);
/* file_save() - replace the file; returns the exit status, after an error message */
int file_save(const struct file *file);
void file_close(struct file *file);

/* file_failed() - turn REFUSED into FAILED: exit status 1 means that a key is not seen */
int file_failed(int status);

/* file_key.c: commands of "seenctl file" */
int file_add(struct args *args);
int file_test(struct args *args);
int file_del(struct args *args);

#endif
