/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEENCTL_FILE_H
#define SEENCTL_FILE_H

#include <limits.h>

#include "../lib/local.h"
#include "seenctl.h"

/**
 * struct file - a filter in a file
 * @path: of it, as it was given
 * @real: of it, without symbolic links; of what is changed
 * @fd: locked against others who would change it, -1: only read
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
 * @file: to fill; for file_close()
 * @args: the next word is the file
 * @change: it will be saved: nobody else changes it meanwhile
 *
 * Return: DONE, or another exit status, and said why.
 */
int file_open(struct file *file, struct args *args, bool change);
/* file_save() - in the place of what was there */
int file_save(const struct file *file);
void file_close(struct file *file);

/* file_failed() - FAILED for REFUSED, which would mean that a key is not seen */
int file_failed(int status);

/* file_key.c: commands */
int file_add(struct args *args);
int file_test(struct args *args);
int file_del(struct args *args);

#endif
