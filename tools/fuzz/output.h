/* SPDX-License-Identifier: GPL-2.0 */
/* What commands say, and whether that fits how they end. */
#ifndef SEEN_FUZZ_OUTPUT_H
#define SEEN_FUZZ_OUTPUT_H

#include <stddef.h>

/**
 * struct output - of the commands between output_begin() and output_end()
 * @out: standard output, by its stream
 * @err: standard error
 * @data: what was written to standard output past the stream
 * @size: bytes of that
 */
struct output {
	char *out;
	char *err;
	char *data;
	size_t size;
};

void output_begin(void);

/* output_end() - to be given to output_free() */
struct output output_end(void);
void output_free(struct output *output);

/* output_judge() - a command that fails says why; one that does not blames nobody */
void output_judge(const struct output *output, int status);

/* wrong() - ends the fuzzer, and says what is wrong and where */
void wrong(const char *what, const char *where) __attribute__((noreturn));

#endif
