/* SPDX-License-Identifier: GPL-2.0 */
/* What fuzzers of whole commands make of their input. */
#ifndef SEEN_FUZZ_INPUT_H
#define SEEN_FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* input_options() - begins anew, with the options of the first byte; false: none */
bool input_options(const uint8_t **at, size_t *left);

/*
 * input_part() - cuts off what is before the first NUL, or all
 * @at, @left: the input, which moves on
 * @from: the part
 *
 * Return: its size.
 */
size_t input_part(const uint8_t **at, size_t *left, const uint8_t **from);

/* input_file() - a descriptor of a file without a name, at its begin. */
int input_file(const uint8_t *bytes, size_t size);

/* input_stdin() - such a file, as standard input. */
void input_stdin(const uint8_t *bytes, size_t size);

#endif
