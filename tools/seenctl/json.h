/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A JSON writer on standard output: one document, closed at the end whatever
 * happens. Keys come with dashes and are written with underscores; NULL is the
 * key inside an array and at the top.
 */
#ifndef SEENCTL_JSON_H
#define SEENCTL_JSON_H

#include <stdbool.h>
#include <stdint.h>

/* json_pretty() - a member a line, indented */
void json_pretty(void);

/* @bracket: '{' or '[' */
void json_open(const char *key, char bracket);
void json_close(void);

/* json_end() - close what is open and end the line; nothing if nothing was */
void json_end(void);

/* json_values() - how many were written so far */
unsigned long json_values(void);

/* json_line() - end the line after a whole document; the next one may follow */
void json_line(void);

void json_text(const char *key, const char *value);
void json_number(const char *key, uint64_t value);
void json_signed(const char *key, int64_t value);
void json_real(const char *key, double value);
void json_bool(const char *key, bool value);

#endif
