// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "json.h"

#define DEPTH_MAX	16
/* Bytes for the keys of all open objects. */
#define PATH_MAX_LEN	256

/*
 * @closers: closing brackets of the open brackets
 * @depth: number of open brackets
 * @values: number of values written so far
 * @filled: the innermost bracket has a member
 * @wrote: the line is not empty
 * @pretty: see json_pretty()
 * @member: see json_members()
 * @path: for @member: the keys of the open objects, each with "-"
 * @ends: for @member: bytes of @path before each open bracket
 */
static struct {
	char closers[DEPTH_MAX];
	unsigned int depth;
	unsigned long values;
	bool filled;
	bool wrote;
	bool pretty;
	void (*member)(const char *key, const char *value);
	char path[PATH_MAX_LEN];
	size_t ends[DEPTH_MAX];
} json;

void json_members(void (*member)(const char *key, const char *value))
{
	json.member = member;
}

/* Pass a value to json.member. */
static void pass(const char *key, const char *value)
{
	char path[PATH_MAX_LEN];

	snprintf(path, sizeof(path), "%s%s", json.path, key ? key : "");
	json.member(path, value);
}

static void path_open(const char *key)
{
	size_t len = strlen(json.path);

	json.ends[json.depth++] = len;
	if (key)
		snprintf(json.path + len, sizeof(json.path) - len, "%s-", key);
}

static void path_close(void)
{
	json.path[json.ends[--json.depth]] = '\0';
}

void json_pretty(void)
{
	json.pretty = true;
}

static void newline(void)
{
	if (json.pretty)
		printf("\n%*s", 4 * json.depth, "");
}

/* Length of the UTF-8 sequence at @text in bytes; 0: it is not valid. */
static unsigned int utf8_len(const unsigned char *text)
{
	unsigned int len, point;

	if (text[0] < 0x80)
		return 1;
	if (text[0] < 0xc2 || text[0] > 0xf4)
		return 0;
	len = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
	point = text[0] & (0x7f >> len);
	for (unsigned int i = 1; i < len; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (text[i] & 0x3f);
	}
	if ((len == 3 && point < 0x800) || (len == 4 && point < 0x10000) ||
	    (point >= 0xd800 && point <= 0xdfff) || point > 0x10ffff)
		return 0;
	return len;
}

/* Write a string. A byte that is not UTF-8 is written as the Unicode character of its value. */
static void quote(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;

	putchar('"');
	while (*c) {
		unsigned int len = utf8_len(c);

		if (!len || *c < ' ' || *c == 0x7f) {
			printf("\\u%04x", *c++);
			continue;
		}
		if (*c == '"' || *c == '\\')
			putchar('\\');
		fwrite(c, 1, len, stdout);
		c += len;
	}
	putchar('"');
}

static void name(const char *key)
{
	putchar('"');
	for (; *key; key++)
		putchar(*key == '-' ? '_' : *key);
	fputs(json.pretty ? "\": " : "\":", stdout);
}

/* Write the comma, line break and key before a value. */
static void begin(const char *key)
{
	if (json.filled)
		putchar(',');
	if (json.depth)
		newline();
	if (key)
		name(key);
	json.filled = true;
	json.wrote = true;
	json.values++;
}

void json_open(const char *key, char bracket)
{
	if (json.member) {
		path_open(key);
		return;
	}
	begin(key);
	putchar(bracket);
	json.closers[json.depth++] = bracket == '{' ? '}' : ']';
	json.filled = false;
}

void json_close(void)
{
	char closer;

	if (json.member) {
		path_close();
		return;
	}
	closer = json.closers[--json.depth];
	if (json.filled)
		newline();
	putchar(closer);
	json.filled = true;
}

unsigned long json_values(void)
{
	return json.values;
}

void json_line(void)
{
	putchar('\n');
	json.filled = json.depth;
	json.wrote = json.depth;
}

void json_end(void)
{
	while (json.depth)
		json_close();
	if (json.wrote)
		json_line();
}

void json_text(const char *key, const char *value)
{
	if (json.member) {
		pass(key, value);
		return;
	}
	begin(key);
	quote(value);
}

/* Write a value that needs no quotes. */
static void plain(const char *key, const char *value)
{
	if (json.member) {
		pass(key, value);
		return;
	}
	begin(key);
	fputs(value, stdout);
}

void json_number(const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%ju", value);
	plain(key, text);
}

void json_signed(const char *key, int64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%jd", value);
	plain(key, text);
}

void json_float(const char *key, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.6g", value);
	plain(key, isfinite(value) ? text : "null");
}

void json_bool(const char *key, bool value)
{
	plain(key, value ? "true" : "false");
}
