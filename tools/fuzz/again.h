/* SPDX-License-Identifier: GPL-2.0 */
/* A filter's file must stay the same when it is read and written again. */
#ifndef SEEN_FUZZ_AGAIN_H
#define SEEN_FUZZ_AGAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* again_check() - abort if the file changes; a missing file is not an error */
void again_check(const char *path);

/*
 * again_taken() - the same for a file from the input, if it can be opened. The file is written
 * once before the first comparison, because the input may have other bytes for the same filter.
 */
void again_taken(const uint8_t *bytes, size_t size);

/* again_keeps() - must each key that was added to the file's filter be seen? */
bool again_keeps(const char *path);

#endif
