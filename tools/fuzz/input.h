/* SPDX-License-Identifier: GPL-2.0 */
/* Splits the input of the fuzzers that run whole commands. */
#ifndef SEEN_FUZZ_INPUT_H
#define SEEN_FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* input_options() - reset seenctl, with options from the first byte; false: no input */
bool input_options(const uint8_t **at, size_t *left);

/*
 * input_part() - split off the part before the first NUL, or all
 * @at, @left: the input; moved behind the part
 * @from: out: the part
 *
 * Return: bytes of the part.
 */
size_t input_part(const uint8_t **at, size_t *left, const uint8_t **from);

/* input_file() - a descriptor of an unnamed file with these bytes, at its beginning */
int input_file(const uint8_t *bytes, size_t size);

/* input_stdin() - make such a file the standard input */
void input_stdin(const uint8_t *bytes, size_t size);

#endif
