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

/* Bytes of attributes in the longest request that is kept. */
#define KEPT_MAX	4096

/**
 * struct kept - a request to add something
 * @cmd: enum seen_cmd; 0: none
 * @len: bytes of @attrs
 * @attrs: as they were sent
 */
struct kept {
	uint8_t cmd;
	size_t len;
	uint8_t attrs[KEPT_MAX];
};

/* kernel_keeps() - the first filter and the first guard that are added from now on */
void kernel_keeps(struct kept *filter, struct kept *guard);

/* kernel_plays() - it takes all, and has just what was added so; NULL: no more */
void kernel_plays(const struct kept *added);

#endif
