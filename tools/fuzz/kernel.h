/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel that answers by bytes of an input. It stands in for those functions of
 * libnl that would ask the real one; all that reads answers is libnl's and libseen's.
 */
#ifndef SEEN_FUZZ_KERNEL_H
#define SEEN_FUZZ_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/*
 * kernel_answers() - what it will say, until kernel_answers(NULL, 0)
 * @bytes: a message after the other, each of: a byte, what kind it is; for a whole
 *	one: attributes (a type, a length, bytes; upper bit of the type: the next
 *	lie in it, until a type of 0)
 * @size: of them
 */
void kernel_answers(const uint8_t *bytes, size_t size);

#endif
