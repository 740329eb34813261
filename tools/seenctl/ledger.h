/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Record the lines that passed in temporary files: their keys, to compare later lines
 * with, and the number of occurrences. Memory holds only tables and buffers of fixed
 * size.
 *
 * Direction of error: none. Two lines are equal only if all bytes of their keys are
 * equal. After a disk error the ledger still finds the lines that it recorded.
 */
#ifndef SEENCTL_LEDGER_H
#define SEENCTL_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ledger;

/**
 * struct ledger_line - a line
 * @hash: hash of the key
 * @key: key of the line
 * @key_len: bytes of the key
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
 * ledger_open() - create an empty ledger
 * @ledger: out: the ledger
 * @folder: folder for the temporary files
 * @counts: count the lines and keep their text, for ledger_print()
 *
 * Return: 0 or a negative errno.
 */
int ledger_open(struct ledger **ledger, const char *folder, bool counts);
void ledger_close(struct ledger *ledger);

/**
 * ledger_add() - record a line that is not in the ledger
 * @ledger: the ledger
 * @line: the line; with @key NULL no later line equals this line
 *
 * Return: 0 or a negative errno. After an error this function adds no line and returns
 * the same error again.
 */
int ledger_add(struct ledger *ledger, const struct ledger_line *line);

/**
 * ledger_came() - look for an equal key, and count this line if there is one
 * @ledger: the ledger
 * @line: the line; its text is not used
 *
 * Return: 1 if the key is in the ledger, 0 if not, or a negative errno.
 */
int ledger_came(struct ledger *ledger, const struct ledger_line *line);

/**
 * struct ledger_print - output format of ledger_print()
 * @out: descriptor of the output
 * @terminator: byte after each line
 * @least: print only lines with at least this number of occurrences
 * @counts: print the number of occurrences before the line, as uniq -c does
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
 * @how: which lines are printed, and the output
 * @printed: out: number of printed lines
 *
 * Return: DONE, or REFUSED after an error message.
 */
int ledger_print(struct ledger *ledger, const struct ledger_print *how,
		 uint64_t *printed);

/* ledger_bytes() - bytes of the file that holds the recorded lines */
uint64_t ledger_bytes(const struct ledger *ledger);

#endif
