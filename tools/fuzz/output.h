/* SPDX-License-Identifier: GPL-2.0 */
/* Captures the output of commands, and checks that it matches their exit status. */
#ifndef SEEN_FUZZ_OUTPUT_H
#define SEEN_FUZZ_OUTPUT_H

#include <stddef.h>

/**
 * struct output - the output of the commands between output_begin() and output_end()
 * @out: standard output, written through the stream
 * @err: standard error
 * @data: standard output, written directly to the descriptor
 * @size: bytes of @data
 */
struct output {
	char *out;
	char *err;
	char *data;
	size_t size;
};

void output_begin(void);

/* output_end() - the output; free it with output_free() */
struct output output_end(void);
void output_free(struct output *output);

/* output_judge() - abort if a failed command gives no reason, or a successful one an error */
void output_judge(const struct output *output, int status);

/* wrong() - abort with the message @what and its place @where */
void wrong(const char *what, const char *where) __attribute__((noreturn));

#endif
