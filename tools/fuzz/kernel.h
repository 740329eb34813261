/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fake kernel whose answers are bytes of an input. It replaces the functions of libnl that
 * talk to the real kernel; libnl and libseen parse the answers as usual.
 */
#ifndef SEEN_FUZZ_KERNEL_H
#define SEEN_FUZZ_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/*
 * kernel_answers() - set the answers; kernel_answers(NULL, 0) ends them
 * @bytes: messages; each begins with a byte for its kind. A complete message has attributes: a
 *	type, a length, bytes. The upper bit of the type begins a nest, which a type of 0 ends
 * @size: bytes of @bytes
 */
void kernel_answers(const uint8_t *bytes, size_t size);

/* Bytes of attributes in the longest request that is kept. */
#define KEPT_MAX	4096

/**
 * struct kept - a recorded request to add something
 * @cmd: enum seen_cmd; 0: none
 * @len: bytes of @attrs
 * @attrs: the attributes as they were sent
 */
struct kept {
	uint8_t cmd;
	size_t len;
	uint8_t attrs[KEPT_MAX];
};

/* kernel_keeps() - record the next request that adds a filter, and the next that adds a guard */
void kernel_keeps(struct kept *filter, struct kept *guard);

/* kernel_plays() - accept all requests, and report @added as the only object; NULL: stop that */
void kernel_plays(const struct kept *added);

#endif
