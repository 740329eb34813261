/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every line that passed, in temporary files: the keys themselves, to compare a line
 * with, and how often each came. In memory are a table of fixed size and two buffers.
 *
 * Direction of error: none. Two lines are the same only if all bytes of their keys are.
 * After an error of the disk the ledger still finds what it holds.
 */
#ifndef SEENCTL_LEDGER_H
#define SEENCTL_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ledger;

/**
 * struct ledger_line - a line
 * @hash: of its key
 * @key: bytes that stand for the line
 * @key_len: number of them
 * @text: the line, without its end
 * @text_len: bytes of the line
 */
struct ledger_line {
	uint64_t hash;
	const void *key;
	size_t key_len;
	const void *text;
	size_t text_len;
};

/**
 * ledger_open() - an empty ledger
 * @ledger: out
 * @folder: where the temporary files are
 * @counts: lines are counted and printed at the end, so their text is kept, too
 *
 * Return: 0 or a negative errno.
 */
int ledger_open(struct ledger **ledger, const char *folder, bool counts);
void ledger_close(struct ledger *ledger);

/**
 * ledger_add() - a line that is not in the ledger
 * @ledger: the ledger
 * @line: the line; @key NULL: no later line is the same as this one
 *
 * Return: 0 or a negative errno. After an error nothing is added any more.
 */
int ledger_add(struct ledger *ledger, const struct ledger_line *line);

/**
 * ledger_came() - look for the same key, and count this line if it is there
 * @ledger: the ledger
 * @line: the line; its text is not used
 *
 * Return: 1 if the key is there, 0 if not, or a negative errno.
 */
int ledger_came(struct ledger *ledger, const struct ledger_line *line);

/**
 * struct ledger_print - what is printed of the lines
 * @out: descriptor
 * @terminator: byte behind each line
 * @least: times that a line must have come
 * @counts: that number stands before the line, as uniq -c has it
 */
struct ledger_print {
	int out;
	char terminator;
	uint64_t least;
	bool counts;
};

/**
 * ledger_print() - print lines in the order of their first occurrence
 * @ledger: opened with @counts
 * @how: which lines, and where to
 * @printed: out: number of lines
 *
 * Return: DONE, or REFUSED after an error message.
 */
int ledger_print(struct ledger *ledger, const struct ledger_print *how,
		 uint64_t *printed);

/* ledger_bytes() - of the lines that it holds */
uint64_t ledger_bytes(const struct ledger *ledger);

#endif
