// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: parse an input as a snapshot file, once as it is and once with valid checksums, so
 * that the code after the checks is reached. A file that is accepted must give a filter that
 * answers, and must stay the same when it is written and read again.
 */
#include <stdlib.h>
#include <string.h>

#include "again.h"
#include "crc32c.h"
#include "local.h"
#include "local_open.h"
#include "snapshot_file.h"
#include "snapshot_head.h"

#define CRC_AT		16
#define STORED_AT	24
#define TABLE_CRC_AT	40

static void put(uint8_t *to, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		to[i] = value >> 8 * i;
}

/* Convert keys of any length to text, and parse that text. */
static void use_text(const struct seen_key_spec *spec)
{
	char text[SEEN_KEY_TEXT_LEN(40)], error[SEEN_KEY_ERROR_LEN];
	uint8_t key[SEEN_KEY_TEXT_LEN(40) + SEEN_KEY_HEAD_MAX] = { 1, 2, 3 };

	seen_key_spec_format(spec, text);
	for (size_t len = 1; len < 40; len++) {
		seen_key_format(spec, key, len, text, sizeof(text));
		seen_key_parse(spec, text, key, error);
	}
}

static void use(struct seen_local *local)
{
	uint8_t key[40] = { 1, 2, 3 };
	struct seen_filter_info info;
	uint32_t number;

	seen_local_info(local, &info);
	for (size_t len = 1; len < 40; len += 3) {
		seen_local_test(local, key, len);
		seen_local_test_and_add(local, key, len);
		seen_local_add(local, key, len);
		seen_local_count(local, key, len, &number);
		seen_local_put(local, key, len, len);
		seen_local_del(local, key, len);
	}
	use_text(&info.config.key);
	seen_local_fold(local, 0);
}

static void try(const uint8_t *data, size_t size)
{
	struct seen_local *local;
	struct seen_table table;

	if (seen_snapshot_parse(&table, data, size))
		return;
	if (!seen_local_take(&local, &table)) {
		use(local);
		seen_local_close(local);
		again_taken(data, size);
	}
	seen_table_free(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy;

	try(data, size);
	if (size < SEEN_SNAPSHOT_HEAD)
		return 0;
	copy = malloc(size);
	memcpy(copy, data, size);
	put(copy + STORED_AT, size - SEEN_SNAPSHOT_HEAD);
	put(copy + STORED_AT + 4, 0);
	put(copy + TABLE_CRC_AT, seen_crc32c(0, copy + SEEN_SNAPSHOT_HEAD,
					     size - SEEN_SNAPSHOT_HEAD));
	put(copy + CRC_AT, 0);
	put(copy + CRC_AT, seen_crc32c(0, copy, SEEN_SNAPSHOT_HEAD));
	try(copy, size);
	free(copy);
	return 0;
}
