/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files with the key specification and the hash secret of a filter, which the hosts of a group
 * share. Two lines, "key SPEC" and "seed HEX"; lines that begin with # are comments.
 */
#ifndef SEENCTL_SECRET_FILE_H
#define SEENCTL_SECRET_FILE_H

#include "seenctl.h"

/**
 * secret_write() - write a new file, which only its owner may read
 * @path: of the file, which must not exist
 * @key: specification
 * @secret: SEEN_SECRET_LEN bytes
 *
 * Return: DONE, or REFUSED after an error message.
 */
int secret_write(const char *path, const struct seen_key_spec *key, const uint8_t *secret);

/**
 * secret_read() - read a file, which other users must not be able to read
 * @path: of the file
 * @key: out: specification
 * @secret: out: SEEN_SECRET_LEN bytes
 *
 * Return: DONE; REFUSED or USAGE after an error message.
 */
int secret_read(const char *path, struct seen_key_spec *key, uint8_t *secret);

#endif
