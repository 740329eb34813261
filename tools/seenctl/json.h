/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write one JSON document to standard output. json_end() closes all open brackets, also
 * after an error. Dashes in keys are written as underscores. Values in an array and at
 * the top level have the key NULL.
 */
#ifndef SEENCTL_JSON_H
#define SEENCTL_JSON_H

#include <stdbool.h>
#include <stdint.h>

/* json_pretty() - from now on write each member on a line of its own, indented */
void json_pretty(void);

/**
 * json_members() - pass the members of objects to a function instead of printing them
 * @member: called for each value with its key, after the keys of the objects around it and
 *          "-"; NULL: print again
 */
void json_members(void (*member)(const char *key, const char *value));

/* json_open() - open an object or array; @bracket: '{' or '[' */
void json_open(const char *key, char bracket);
void json_close(void);

/* json_end() - close all open brackets and end the line, unless the line is empty */
void json_end(void);

/* json_values() - number of values written so far */
unsigned long json_values(void);

/* json_line() - end the line after a whole document; another document may follow */
void json_line(void);

void json_text(const char *key, const char *value);
void json_number(const char *key, uint64_t value);
void json_signed(const char *key, int64_t value);
void json_float(const char *key, double value);
void json_bool(const char *key, bool value);

#endif
