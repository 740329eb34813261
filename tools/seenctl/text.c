// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "wrap.h"

static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "h", 3600000000000 },
	{ "m", 60000000000 },
	{ "s", 1000000000 },
	{ "ms", 1000000 },
	{ "us", 1000 },
	{ "ns", 1 },
};

const char *text_exact(char *text, uint64_t ns)
{
	size_t i = 0;

	while (!ns || ns % units[i].ns)
		if (++i == ARRAY_SIZE(units) - 1)
			break;
	snprintf(text, TEXT_LEN, "%ju%s", ns / units[i].ns,
		 units[i].name);
	return text;
}

static const char *three_digits(char *text, double value, const char *unit)
{
	snprintf(text, TEXT_LEN, "%.*f%s",
		 value >= 100 ? 0 : value >= 10 ? 1 : 2, value, unit);
	return text;
}

const char *text_about(char *text, uint64_t ns)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(units) - 1 && ns < units[i].ns)
		i++;
	return three_digits(text, (double)ns / units[i].ns, units[i].name);
}

const char *text_count(char *text, uint64_t count)
{
	static const char *const names[] = { "", "k", "M", "G", "T", "P" };
	double value = count;
	size_t i = 0;

	for (; value >= 1000 && i < ARRAY_SIZE(names) - 1; i++)
		value /= 1000;
	if (count < 10000)
		snprintf(text, TEXT_LEN, "%ju", count);
	else
		three_digits(text, value, names[i]);
	return text;
}

const char *text_bytes(char *text, uint64_t bytes)
{
	static const char *const names[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double value = bytes;
	size_t i = 0;

	for (; value >= 1024 && i < ARRAY_SIZE(names) - 1; i++)
		value /= 1024;
	if (!i)
		snprintf(text, TEXT_LEN, "%juB", bytes);
	else
		three_digits(text, value, names[i]);
	return text;
}

const char *text_mac(char *text, const uint8_t *mac)
{
	snprintf(text, TEXT_LEN, "%02x:%02x:%02x:%02x:%02x:%02x",
		 mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
	return text;
}

double real_rate(uint64_t fpp)
{
	return (double)fpp / SEEN_FPP_ONE;
}

/* A word and its value stay together if they fit a line. */
static void put_wrapped(const char *word, const char *value)
{
	char *text;

	if (asprintf(&text, "%s %s", word, value) < 0)
		return;
	if (wrap_len(text) <= WRAP_WIDTH - WRAP_INDENT) {
		wrap_add(text);
	} else {
		wrap_add(word);
		wrap_add(value);
	}
	free(text);
}

void put(const char *word, const char *format, ...)
{
	va_list values;
	char *value;
	int len;

	va_start(values, format);
	len = vasprintf(&value, format, values);
	va_end(values);
	if (len < 0)
		return;
	if (wrap_on())
		put_wrapped(word, value);
	else
		printf(" %s %s", word, value);
	free(value);
}

void put_number(const char *word, uint64_t number)
{
	put(word, "%ju", number);
}

void next_line(void)
{
	putchar(ctl.oneline ? '\\' : '\n');
}

void put_flag(const char *word, bool flag)
{
	if (!flag)
		return;
	if (wrap_on())
		wrap_add(word);
	else
		printf(" %s", word);
}
