/* SPDX-License-Identifier: GPL-2.0 */
/* A filter's file, read and written again, must be the same. */
#ifndef SEEN_FUZZ_AGAIN_H
#define SEEN_FUZZ_AGAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* again_check() - ends the fuzzer if not; a file that is not there is no matter */
void again_check(const char *path);

/*
 * again_taken() - the same of a file that others made: from the first time on that it
 * was written here, if it can be read without more than is in it
 */
void again_taken(const uint8_t *bytes, size_t size);

/* again_keeps() - is each key seen in it that was added? */
bool again_keeps(const char *path);

#endif
