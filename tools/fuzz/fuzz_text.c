// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: parsers of single words. The first byte selects the parser, the rest is the word (or
 * two, separated by a line feed). An accepted word must be printed such that it is accepted again
 * with the same meaning. Words made of numbers within their bounds must be accepted.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/key_field.h"
#include "../seenctl/columns.h"
#include "../seenctl/lines.h"
#include "../seenctl/list.h"
#include "../seenctl/seenctl.h"

/* Times are parsed as double, which is exact below this number of ns. */
#define EXACT_NS	(UINT64_C(1) << 53)
#define PORTS		65536

static void require(bool good)
{
	if (!good)
		abort();
}

static void spec_text(char *text, char *rest)
{
	char told[SEEN_KEY_SPEC_LEN], error[SEEN_KEY_ERROR_LEN];
	struct seen_key_spec spec = {}, again = {};

	(void)rest;
	if (seen_key_spec_parse(&spec, text, error)) {
		require(strlen(error) < sizeof(error) && *error);
		return;
	}
	seen_key_spec_format(&spec, told);
	require(!seen_key_spec_parse(&again, told, error));
	require(spec.profile == again.profile && spec.inner == again.inner &&
		spec.count == again.count);
	require(!memcmp(spec.field, again.field,
			spec.count * sizeof(*spec.field)));
	require(seen_key_spec_longest(&spec) <= SEEN_KEY_MAX);
	require(seen_key_spec_head(&spec) <= SEEN_KEY_HEAD_MAX);
}

static char told[SEEN_KEY_TEXT_LEN(SEEN_KEY_MAX)];

/* Parse into memory of exactly the largest size of the key. */
static uint8_t *parse_key(const struct seen_key_spec *spec, const char *text,
			  int *len)
{
	uint8_t *key = malloc(seen_key_room(text));
	char error[SEEN_KEY_ERROR_LEN];

	require(key);
	*len = seen_key_parse(spec, text, key, error);
	return key;
}

static void key_text(char *text, char *rest)
{
	char error[SEEN_KEY_ERROR_LEN];
	struct seen_key_spec spec;
	uint8_t *key, *again;
	int len, len_again;

	if (seen_key_spec_parse(&spec, text, error))
		return;
	key = parse_key(&spec, rest, &len);
	if (len >= 0) {
		require(len && len <= SEEN_KEY_MAX);
		seen_key_format(&spec, key, len, told, sizeof(told));
		again = parse_key(&spec, told, &len_again);
		require(len == len_again && !memcmp(key, again, len));
		free(again);
	}
	free(key);
}

/* Any bytes, as the kernel may report them, must have a text; the text may be refused. */
static void key_bytes(char *text, char *rest)
{
	char error[SEEN_KEY_ERROR_LEN];
	struct seen_key_spec spec;
	size_t len = strlen(rest);
	int bytes;

	if (len > SEEN_KEY_MAX || seen_key_spec_parse(&spec, text, error))
		return;
	seen_key_format(&spec, (uint8_t *)rest, len, told, sizeof(told));
	require(strlen(told) < SEEN_KEY_TEXT_LEN(len));
	free(parse_key(&spec, told, &bytes));
}

static void range_text(char *text, char *rest)
{
	struct seen_filter_config config = {}, again = {};
	char told[SEEN_RANGE_TEXT_LEN], error[SEEN_KEY_ERROR_LEN];

	if (seen_key_spec_parse(&config.key, text, error) ||
	    seen_range_parse(&config, rest, error))
		return;
	require(config.capacity && config.first_len <= sizeof(config.first));
	again.key = config.key;
	seen_range_format(&config, told);
	require(!seen_range_parse(&again, told, error));
	require(again.capacity == config.capacity &&
		again.first_len == config.first_len &&
		!memcmp(again.first, config.first, config.first_len));
}

static void condition_text(char *text, char *rest)
{
	struct seen_prefix prefix = {}, prefix_again = {};
	struct seen_port_range range, range_again;
	char told[SEEN_CONDITION_LEN];

	if (seen_port_range_parse(&range, text)) {
		require(seen_port_range_parse(&range_again,
					      seen_port_range_text(&range,
								   told)));
		require(range.first == range_again.first &&
			range.last == range_again.last);
	}
	if (!seen_prefix_parse(&prefix, rest))
		return;
	require(prefix.len <= (prefix.family == AF_INET ? 32 : 128));
	seen_prefix_text(&prefix, told);
	require(seen_prefix_parse(&prefix_again, told));
	require(!memcmp(&prefix, &prefix_again, sizeof(prefix)));
}

static void list_text(char *text, char *rest)
{
	struct seen_guard_config config = {};
	struct param ports = { "udp", read_ports, &config };
	struct param sources = { "src", read_prefixes, &config.src };

	read_ports(&ports, text);
	read_prefixes(&sources, rest);
	require(config.udps <= SEEN_CONDITIONS_MAX &&
		config.src.count <= SEEN_CONDITIONS_MAX);
}

static void number_text(char *text, char *rest)
{
	uint64_t number = 0, again = 0;
	struct param param = { "number", .into = &number };
	struct param other = { "number", .into = &again };
	uint8_t secret[SEEN_SECRET_LEN];
	char told[TEXT_LEN];

	(void)rest;
	read_count(&param, text);
	read_size(&param, text);
	read_u32(&param, text);
	read_s32(&param, text);
	if (!read_rate(&param, text))
		require(number == UINT64_MAX || (number && number < SEEN_FPP_ONE));
	param.zero = window_zero;
	if (!read_duration(&param, text)) {
		require(number);
		text_about(told, number);
		text_exact(told, number);
		require(!read_duration(&other, told));
		require(number == again || number >= EXACT_NS);
	}
	text_bytes(told, number);
	param.into = secret;
	read_secret(&param, text);
}

static void line_text(char *text, char *rest)
{
	uint32_t value;
	char *line;

	(void)rest;
	line = lines_trim(text);
	require(!*line || !strchr(" \t\r", *line));
	if (lines_value(line, &value))
		require(!value || !strchr(" \t", line[strlen(line) - 1]));
}

/* Check a key from a line of a list. The first keys of a range are enough. */
static int take_key(void *context, const struct list_key *key)
{
	unsigned int *left = context;

	require(key->len && key->len <= SEEN_KEY_MAX);
	require(strlen(key->text) < sizeof(told));
	return --*left ? DONE : REFUSED;
}

static void read_line(const struct seen_filter_config *config, const char *text,
		      const char *columns, bool values)
{
	struct list list = { .config = config, .values = values };
	unsigned int left = 100;
	const char *error;
	char *line = strdup(text);
	int status;

	require(line && !list_open(&list));
	if (columns)
		list.csv = csv_open(columns, &error);
	status = list_line(&list, line, take_key, &left);
	require(status == DONE || status == REFUSED || status == LIST_BAD ||
		status == LIST_USELESS);
	require(status >= 0 || *list.error);
	list_close(&list);
	free(line);
}

/* Parse the word as a line of a list of such keys. */
static void list_keys(char *text, char *rest)
{
	struct seen_filter_config config = {};
	char error[SEEN_KEY_ERROR_LEN];

	if (seen_key_spec_parse(&config.key, text, error))
		return;
	read_line(&config, rest, NULL, false);
	read_line(&config, rest, NULL, true);
	read_line(&config, rest, "1", false);
	read_line(&config, rest, "2,a", true);
}

static void keys_text(char *text, char *rest)
{
	key_text(text, rest);
	list_keys(text, rest);
}

/* Column number @which of a line, found in a simple way. */
static bool is_column(const char *line, size_t len, char delimiter,
		      unsigned int which, size_t *from, size_t *to)
{
	unsigned int column = 1;
	size_t i;

	for (i = *from = 0; i < len; i++) {
		if (line[i] != delimiter)
			continue;
		if (column == which)
			break;
		column++;
		*from = i + 1;
	}
	*to = i;
	return column == which;
}

/* Select columns as cut(1) does, column after column. */
static bool cut(const struct columns *columns, const char *line, size_t len,
		char *to, size_t *used)
{
	size_t from, end;
	bool found = false;
	unsigned int i;

	*used = 0;
	for (i = 1; is_column(line, len, columns->delimiter, i, &from, &end);
	     i++) {
		unsigned int bit = i > COLUMNS_MAX ? COLUMNS_MAX : i - 1;

		if (!(columns->key >> bit & 1))
			continue;
		if (found)
			to[(*used)++] = columns->delimiter;
		memcpy(to + *used, line + from, end - from);
		*used += end - from;
		found = true;
	}
	return found;
}

static void check_columns(const struct columns *columns, const char *line)
{
	size_t len = strlen(line), got = len, used;
	char *exact = malloc(len + !len), *to = malloc(len + !len);
	char *want = malloc(len + !len);
	const char *key;
	bool has;

	memcpy(exact, line, len);
	key = columns_key(columns, exact, &got, to);
	require(!key || got <= len);
	if (columns->delimiter >= 0) {
		has = cut(columns, exact, len, want, &used);
		require(has == !!key);
		require(!has || (got == used && !memcmp(key, want, used)));
	}
	free(exact);
	free(to);
	free(want);
}

static void column_text(char *text, char *rest)
{
	struct columns columns = { .delimiter = ',' };

	if (!columns_parse(&columns.key, text))
		return;
	require(columns.key);
	check_columns(&columns, rest);
	columns.delimiter = -1;
	check_columns(&columns, rest);
}

/* Numbers within the bounds must be accepted, the bounds included. */
static void columns_within(unsigned int a, unsigned int b)
{
	unsigned int first = 1 + a % COLUMNS_MAX, i;
	unsigned int last = first + b % (COLUMNS_MAX + 1 - first);
	uint64_t got, want = 0;
	char text[32];

	for (i = first; i <= last; i++)
		want |= UINT64_C(1) << (i - 1);
	snprintf(text, sizeof(text), "%u-%u", first, last);
	require(columns_parse(&got, text) && got == want);
	snprintf(text, sizeof(text), "%u", COLUMNS_MAX + 1 + a);
	require(!columns_parse(&got, text));
}

static void ports_within(unsigned int a, unsigned int b)
{
	unsigned int first = a % PORTS, last = first + b % (PORTS - first);
	struct seen_port_range range;
	char text[32];

	snprintf(text, sizeof(text), "%u-%u", first, last);
	require(seen_port_range_parse(&range, text));
	require(range.first == first && range.last == last);
	snprintf(text, sizeof(text), "%u", PORTS + a);
	require(!seen_port_range_parse(&range, text));
}

static void prefix_within(unsigned int a, unsigned int b)
{
	unsigned int bits = a & 1 ? 32 : 128, len = b % (bits + 1);
	struct seen_prefix prefix;
	char text[32];

	snprintf(text, sizeof(text), "%s/%u", a & 1 ? "192.0.2.1" : "fe80::1",
		 len);
	require(seen_prefix_parse(&prefix, text) && prefix.len == len);
	snprintf(text, sizeof(text), "%s/%u", a & 1 ? "192.0.2.1" : "fe80::1",
		 bits + 1 + b);
	require(!seen_prefix_parse(&prefix, text));
}

static void spec_within(unsigned int a, unsigned int b)
{
	char text[64], error[SEEN_KEY_ERROR_LEN];
	unsigned int len4 = 1 + a % 31, len6 = 1 + b % 127;
	unsigned int bytes = 1 + a % SEEN_PAYLOAD_MAX;
	struct seen_key_spec spec;

	snprintf(text, sizeof(text), "src/%u/%u,payload:%u", len4, len6, bytes);
	require(!seen_key_spec_parse(&spec, text, error));
	require(spec.field[0].param == len4 && spec.field[0].param6 == len6 &&
		spec.field[1].param == bytes);
	snprintf(text, sizeof(text), "payload:%u", SEEN_PAYLOAD_MAX + 1 + a);
	require(seen_key_spec_parse(&spec, text, error));
}

static void numbers_within(unsigned int a, unsigned int b)
{
	uint64_t number = 0, ns = (uint64_t)a << 32 | b;
	struct param param = { "number", .into = &number };
	char text[TEXT_LEN];

	snprintf(text, sizeof(text), "%ju", ns);
	require(!read_count(&param, text) && number == ns);
	ns = ns % EXACT_NS + !(ns % EXACT_NS);
	text_exact(text, ns);
	require(!read_duration(&param, text) && number == ns);
	snprintf(text, sizeof(text), "%uk", a);
	require(!read_count(&param, text) && number == a * UINT64_C(1000));
	snprintf(text, sizeof(text), "%uKiB", b);
	require(!read_size(&param, text) && number == b * UINT64_C(1024));
	snprintf(text, sizeof(text), "%u", a);
	require(!read_u32(&param, text) && (uint32_t)number == a);
}

static void within(char *text, char *rest)
{
	unsigned int a = 0, b = 0;

	memcpy(&a, text, strnlen(text, sizeof(a)));
	memcpy(&b, rest, strnlen(rest, sizeof(b)));
	columns_within(a % 4096, b);
	ports_within(a % 131072, b);
	prefix_within(a, b % 4096);
	spec_within(a % 4096, b);
	numbers_within(a, b);
}

static void (*const tries[])(char *text, char *rest) = {
	spec_text, keys_text, key_bytes, range_text, condition_text, list_text,
	number_text, line_text, column_text, within,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text, *rest;

	if (!size)
		return 0;
	text = malloc(size);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	rest = strchr(text, '\n');
	if (rest)
		*rest++ = '\0';
	else
		rest = text + strlen(text);
	tries[*data % ARRAY_SIZE(tries)](text, rest);
	free(text);
	return 0;
}
