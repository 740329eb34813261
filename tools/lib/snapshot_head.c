// SPDX-License-Identifier: GPL-2.0
/* The header of a snapshot file: little-endian numbers at fixed offsets. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "crc32c.h"
#include "key.h"
#include "local_error.h"
#include "number.h"
#include "snapshot_head.h"
#include "snapshot_part.h"

/* A byte with the high bit set, and line ends: a transfer in text mode would change them. */
static const uint8_t magic[8] = { 0x89, 'S', 'E', 'E', 'N', '\r', '\n', 0x1a };

#define VERSION_AT	8
#define LENGTH_AT	12
#define CRC_AT		16
#define FIELDS_AT	256

enum geometry_flags {
	REFRESH		= 1,
	CONSERVATIVE	= 2,
};

/* The numbers after the CRC, by the names in Documentation/snapshot.md. */
struct numbers {
	uint64_t flags, crc, stored, bytes, time;
	uint64_t type, layout, on_full, geometry;
	uint64_t capacity, fpp, window, tick, blocks, span;
	uint64_t fp_bits, hashes, ticks, fold, threshold, top;
	uint64_t check, entries, total;
	uint64_t profile, inner, fields, first_len;
};

static const struct place {
	uint16_t at;
	uint16_t bytes;
	uint16_t number;
} places[] = {
#define NUMBER(at, bytes, member) \
	{ at, bytes, offsetof(struct numbers, member) }
	NUMBER(20, 4, flags),
	NUMBER(24, 8, stored),
	NUMBER(32, 8, bytes),
	NUMBER(40, 4, crc),
	NUMBER(44, 4, type),
	NUMBER(48, 4, layout),
	NUMBER(52, 4, on_full),
	NUMBER(56, 8, time),
	NUMBER(64, 8, capacity),
	NUMBER(72, 8, fpp),
	NUMBER(80, 8, window),
	NUMBER(88, 8, tick),
	NUMBER(96, 8, blocks),
	NUMBER(104, 8, span),
	NUMBER(112, 4, fp_bits),
	NUMBER(116, 4, hashes),
	NUMBER(120, 4, ticks),
	NUMBER(124, 4, fold),
	NUMBER(128, 4, threshold),
	NUMBER(132, 4, top),
	NUMBER(136, 4, geometry),
	NUMBER(140, 4, first_len),
	NUMBER(144, 8, entries),
	NUMBER(152, 8, total),
	NUMBER(160, 8, check),
	NUMBER(168, 4, profile),
	NUMBER(172, 2, inner),
	NUMBER(174, 2, fields),
};

#define SECRET_AT	176
#define FIRST_AT	192
#define NAME_AT		208
#define VXLAN_AT	240

uint64_t seen_snapshot_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static uint64_t *number_of(struct numbers *numbers, const struct place *place)
{
	return (uint64_t *)((char *)numbers + place->number);
}

static struct numbers to_numbers(const struct seen_table *table,
				 const struct seen_snapshot_head *head)
{
	const struct seen_filter_info *info = &table->info;
	const struct seen_filter_config *config = &info->config;

	return (struct numbers) {
		.flags = head->flags,
		.crc = head->crc,
		.stored = head->stored,
		.bytes = head->bytes,
		.time = head->time,
		.type = config->type,
		.layout = config->layout == SEEN_LAYOUT_CLASSIC,
		.on_full = config->on_full,
		.geometry = (config->refresh ? REFRESH : 0) |
			    (config->conservative ? CONSERVATIVE : 0),
		.capacity = config->capacity,
		.fpp = config->fpp,
		.window = config->window,
		.tick = info->tick,
		.blocks = info->blocks,
		.span = table->span,
		.fp_bits = config->fp_bits,
		.hashes = info->hashes,
		.ticks = info->ticks,
		.fold = info->fold,
		.threshold = config->threshold,
		.top = config->top,
		.check = table->check,
		.entries = info->entries,
		.total = info->total,
		.profile = config->key.profile,
		.inner = config->key.inner,
		.fields = config->key.count,
		.first_len = config->first_len,
	};
}

/* In a file, 0 means layout blocked, or a type without a layout. */
static uint32_t layout_of(const struct numbers *n)
{
	if (n->layout)
		return SEEN_LAYOUT_CLASSIC;
	return n->type == SEEN_TYPE_BLOOM ? SEEN_LAYOUT_BLOCKED : SEEN_LAYOUT_UNSPEC;
}

static void from_numbers(const struct numbers *n, struct seen_table *table,
			 struct seen_snapshot_head *head)
{
	struct seen_filter_info *info = &table->info;

	*head = (struct seen_snapshot_head) {
		.flags = n->flags,
		.crc = n->crc,
		.stored = n->stored,
		.bytes = n->bytes,
		.time = n->time,
	};
	*table = (struct seen_table) { .span = n->span, .check = n->check };
	info->config = (struct seen_filter_config) {
		.type = n->type,
		.layout = layout_of(n),
		.on_full = n->on_full,
		.refresh = n->geometry & REFRESH,
		.conservative = n->geometry & CONSERVATIVE,
		.capacity = n->capacity,
		.fpp = n->fpp,
		.window = n->window,
		.fp_bits = n->fp_bits,
		.threshold = n->threshold,
		.top = n->top,
		.key = { .profile = n->profile, .inner = n->inner,
			 .count = n->fields },
		.first_len = n->first_len,
		.has_secret = n->flags & SEEN_SNAPSHOT_SECRET,
	};
	info->tick = n->tick;
	info->blocks = n->blocks;
	info->hashes = n->hashes;
	info->ticks = n->ticks;
	info->fold = n->fold;
	info->entries = n->entries;
	info->total = n->total;
}

size_t seen_snapshot_head_bytes(const struct seen_table *table)
{
	return SEEN_SNAPSHOT_HEAD + seen_snapshot_parts_bytes(table);
}

void seen_snapshot_head_write(const struct seen_table *table,
			      const struct seen_snapshot_head *head,
			      uint8_t *to)
{
	const struct seen_filter_config *config = &table->info.config;
	struct numbers numbers = to_numbers(table, head);

	size_t length = seen_snapshot_head_bytes(table);

	memset(to, 0, SEEN_SNAPSHOT_HEAD);
	memcpy(to, magic, sizeof(magic));
	number_put(to + VERSION_AT, 2, SEEN_SNAPSHOT_VERSION);
	number_put(to + LENGTH_AT, 4, length);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		number_put(to + places[i].at, places[i].bytes,
			   *number_of(&numbers, &places[i]));
	if (head->flags & SEEN_SNAPSHOT_SECRET)
		memcpy(to + SECRET_AT, config->secret, SEEN_SECRET_LEN);
	memcpy(to + FIRST_AT, config->first, sizeof(config->first));
	memcpy(to + NAME_AT, config->name, SEEN_NAME_MAX);
	for (int i = 0; i < SEEN_VXLAN_PORTS_MAX; i++)
		number_put(to + VXLAN_AT + 2 * i, 2, config->key.vxlan[i]);
	for (uint32_t i = 0; i < config->key.count; i++) {
		const struct seen_key_field *field = &config->key.field[i];
		uint8_t *at = to + FIELDS_AT + 12 * i;

		number_put(at, 4, field->id);
		number_put(at + 4, 4, field->param);
		number_put(at + 8, 4, field->param6);
	}
	seen_snapshot_parts_write(table, to + SEEN_SNAPSHOT_HEAD);
	number_put(to + CRC_AT, 4, seen_crc32c(0, to, length));
}

bool seen_snapshot_head_secret(const uint8_t *from)
{
	return !memcmp(from, magic, sizeof(magic)) &&
	       number_get(from + 20, 4) & SEEN_SNAPSHOT_SECRET;
}

int seen_snapshot_head_length(const uint8_t *from)
{
	uint64_t version = number_get(from + VERSION_AT, 2);
	uint64_t length = number_get(from + LENGTH_AT, 4);

	if (memcmp(from, magic, sizeof(magic)))
		return seen_local_fail(-EBADMSG, "not a snapshot");
	if (!version || version > SEEN_SNAPSHOT_VERSION)
		return seen_local_fail(-EPROTONOSUPPORT,
				       "snapshot version %ju is unknown; this version reads 1 to %d",
				       (uintmax_t)version,
				       SEEN_SNAPSHOT_VERSION);
	if (length < SEEN_SNAPSHOT_HEAD || length > SEEN_SNAPSHOT_HEAD_MAX ||
	    length % 64)
		return seen_local_fail(-EBADMSG,
				       "the header is damaged: its length is %ju",
				       (uintmax_t)length);
	return length;
}

static bool crc_kept(const uint8_t *from, size_t length)
{
	static const uint8_t none[4];
	uint32_t crc = seen_crc32c(0, from, CRC_AT);

	crc = seen_crc32c(crc, none, sizeof(none));
	crc = seen_crc32c(crc, from + CRC_AT + 4, length - CRC_AT - 4);
	return crc == number_get(from + CRC_AT, 4);
}

/* Check the values: a file with a valid CRC may be of another program. */
static int snapshot_head_check(const struct numbers *n)
{
	if (n->flags & ~(uint64_t)(SEEN_SNAPSHOT_SECRET | SEEN_SNAPSHOT_ZSTD))
		return seen_local_fail(-EPROTONOSUPPORT,
				       "the file has flags of a later version (%#jx); update libseen",
				       (uintmax_t)n->flags);
	if (!n->type || n->type > SEEN_TYPE_MAX ||
	    n->layout > 1 || n->on_full > SEEN_ON_FULL_MAX)
		return seen_local_fail(-EPROTONOSUPPORT,
				       "the file has a filter type of a later version (%ju); update libseen",
				       (uintmax_t)n->type);
	if (n->fields > SEEN_KEY_FIELDS_MAX ||
	    n->first_len > sizeof(((struct seen_filter_config *)0)->first))
		return seen_local_fail(-EBADMSG,
				       "the header is damaged: the key has too many fields");
	return 0;
}

static void read_key(const uint8_t *from, struct seen_key_spec *key)
{
	for (uint32_t i = 0; i < key->count; i++) {
		const uint8_t *at = from + FIELDS_AT + 12 * i;

		key->field[i] = (struct seen_key_field) {
			.id = number_get(at, 4),
			.param = number_get(at + 4, 4),
			.param6 = number_get(at + 8, 4),
		};
	}
	for (int i = 0; i < SEEN_VXLAN_PORTS_MAX; i++)
		key->vxlan[i] = number_get(from + VXLAN_AT + 2 * i, 2);
}

static bool same_fields(const struct seen_key_spec *a,
			const struct seen_key_spec *b)
{
	return a->count == b->count && a->inner == b->inner &&
	       !memcmp(a->vxlan, b->vxlan, sizeof(a->vxlan)) &&
	       !memcmp(a->field, b->field, a->count * sizeof(*a->field));
}

/* Version 1 hashed payloads differently, and at most 448 bytes of them. */
static int check_version(const uint8_t *from, const struct seen_key_spec *key)
{
	if (number_get(from + VERSION_AT, 2) > 1 || !seen_key_spec_head(key))
		return 0;
	return seen_local_fail(-EPROTONOSUPPORT,
			       "a snapshot of version 1 with a payload in its key cannot be read, because payloads are hashed differently now; fill a new filter");
}

/* No fields: keys are the caller's bytes. Otherwise the key must be valid for a new filter. */
static int snapshot_head_check_key(const struct seen_key_spec *key,
				   uint64_t inner)
{
	char text[SEEN_KEY_SPEC_LEN], error[SEEN_KEY_ERROR_LEN];
	struct seen_key_spec known;

	if (!key->count && !key->profile && !inner)
		return 0;
	if (key->profile > SEEN_KEY_PROFILE_MAX)
		return seen_local_fail(-EPROTONOSUPPORT,
				       "the file has a key profile of a later version (%u); update libseen",
				       key->profile);
	seen_key_spec_format(key, text);
	if (inner > 1 || seen_key_spec_parse(&known, text, error) ||
	    !same_fields(&known, key))
		return seen_local_fail(-EBADMSG,
				       "the header is damaged: the key is not valid");
	return 0;
}

/* No control characters, because names are printed. */
bool seen_snapshot_name_valid(const char *name)
{
	size_t len = strnlen(name, SEEN_NAME_MAX);

	for (size_t i = 0; i < len; i++)
		if (name[i] <= ' ' || name[i] >= 0x7f || name[i] == '/')
			return false;
	return len < SEEN_NAME_MAX;
}

int seen_snapshot_head_read(const uint8_t *from, size_t length,
			    struct seen_table *table,
			    struct seen_snapshot_head *head)
{
	struct seen_filter_config *config = &table->info.config;
	struct numbers numbers;
	int err;

	if (!crc_kept(from, length))
		return seen_local_fail(-EBADMSG,
				       "the header is damaged: its checksum differs");
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		*number_of(&numbers, &places[i]) = number_get(from + places[i].at,
						       places[i].bytes);
	err = snapshot_head_check(&numbers);
	if (err)
		return err;
	from_numbers(&numbers, table, head);
	head->length = length;
	if (config->has_secret)
		memcpy(config->secret, from + SECRET_AT, SEEN_SECRET_LEN);
	memcpy(config->first, from + FIRST_AT, sizeof(config->first));
	memcpy(config->name, from + NAME_AT, SEEN_NAME_MAX - 1);
	read_key(from, &config->key);
	err = check_version(from, &config->key);
	if (!err && number_get(from + VERSION_AT, 2) > 1)
		err = seen_snapshot_parts_read(table, from + SEEN_SNAPSHOT_HEAD,
					       length - SEEN_SNAPSHOT_HEAD);
	if (!err)
		err = snapshot_head_check_key(&config->key, numbers.inner);
	if (!err && !seen_snapshot_name_valid(config->name))
		err = seen_local_fail(-EBADMSG, "the header is damaged: the name is not valid");
	return err;
}
