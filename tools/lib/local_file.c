// SPDX-License-Identifier: GPL-2.0
/* Local filters: snapshots, merging and folding. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "keycount.h"
#include "local_open.h"
#include "local_set.h"
#include "sizing.h"
#include "sketch.h"
#include "snapshot.h"
#include "snapshot_file.h"
#include "snapshot_out.h"
#include "total.h"
#include "unit_set.h"

#define SLICE	1024

static struct seen_geometry geometry_of(const struct seen_table *table)
{
	const struct seen_filter_config *config = &table->info.config;
	const struct seen_sizing sizing = {
		.type = config->type,
		.layout = config->layout,
		.fp_bits = config->fp_bits,
		.hashes = table->info.hashes,
		.ticks = table->info.ticks,
		.refresh = config->refresh,
		.conservative = config->conservative,
		.evict = seen_local_evicts(config),
		.threshold = config->threshold,
		.top = config->top,
		.key_bytes = seen_local_key_bytes(config),
		.asks = seen_local_asks(config),
		.fold = table->info.fold,
		.span = table->span,
		.capacity = config->capacity,
		.fpp = config->fpp,
		.window = config->window,
		.tick = table->info.tick,
		.blocks = table->info.blocks,
	};
	struct seen_geometry geo;

	seen_sizing_geometry(&sizing, &geo);
	return geo;
}

int64_t seen_snapshot_bytes(const struct seen_table *table)
{
	struct seen_geometry geo = geometry_of(table);
	const char *member = seen_geometry_check(&geo);

	if (member)
		return seen_local_fail(-EBADMSG,
				       "the header is damaged: %s does not fit the rest",
				       member);
	return seen_unit_count(&geo) * seen_snapshot_unit_bytes(&geo);
}

/* Not for types with times, which the file stores as ages; nor for maps, whose keys are checked. */
bool seen_snapshot_in_place(const struct seen_table *table)
{
	struct seen_geometry geo = geometry_of(table);

	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return false;
	switch (geo.kind) {
	case SEEN_SET_BLOCKED:
	case SEEN_SET_CLASSIC:
	case SEEN_SET_CUCKOO:
	case SEEN_SET_BITMAP:
	case SEEN_SET_COUNTING:
		return true;
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		return !geo.tick;
	default:
		return false;
	}
}

static int choose_secret(struct seen_table *table, const uint8_t *secret)
{
	struct seen_filter_config *config = &table->info.config;
	struct seen_secret known;

	if (!config->has_secret && !secret)
		return seen_local_fail(-ENOKEY,
				       "the file has no secret; give the filter's seed");
	if (secret)
		memcpy(config->secret, secret, SEEN_SECRET_LEN);
	config->has_secret = true;
	seen_secret_set(&known, config->secret);
	return seen_secret_check(&known, seen_key_spec_head(&config->key)) ==
	       table->check ? 0 :
	       seen_local_fail(-ENOKEY,
			       "the file was made with another secret; give the seed of that filter");
}

/* Are the unused bits after the last one clear? The kernel checks this, too, in an import. */
static bool ends_clear(const struct seen_geometry *geo,
		       const struct seen_table *table)
{
	u64 bit;

	if (geo->kind != SEEN_SET_CLASSIC && geo->kind != SEEN_SET_BITMAP)
		return true;
	for (bit = geo->blocks; bit < 8 * table->bytes; bit++)
		if (table->data[bit / 8] >> bit % 8 & 1)
			return false;
	return true;
}

/* Each add raises one counter in each row, so the sum of the first row is the total. */
static u64 sum_row(const struct seen_set *set)
{
	u64 column, sum = 0;

	for (column = 0; column < set->geo.blocks; column++)
		sum += seen_sketch_get(set, column, 0, 0);
	return sum;
}

/* Count the entries, as an import that copies does; seen_set_import_end() does the rest. */
static void count_in_place(struct seen_set *set)
{
	u64 at = 0, used = 0, room = 0;

	switch (set->geo.kind) {
	case SEEN_SET_CUCKOO:
	case SEEN_SET_BITMAP:
	case SEEN_SET_COUNTING:
		do {
			at = seen_set_used(set, at, SLICE, &used, &room);
		} while (at);
		seen_keycount_put(set, 0, used);
		break;
	case SEEN_SET_CMS:
	case SEEN_SET_CMM:
		seen_total_add(set, 0, sum_row(set));
		break;
	default:
		break;
	}
}

static bool take_in_place(struct seen_local *local, struct seen_table *table)
{
	if (!ends_clear(&local->set.geo, table))
		return false;
	count_in_place(&local->set);
	local->mapped = table->file;
	local->bytes = table->file_bytes;
	table->file = NULL;
	table->data = NULL;
	return true;
}

static bool local_file_take_copy(struct seen_local *local,
				 const struct seen_table *table)
{
	const struct seen_geometry *geo = &local->set.geo;

	if (!seen_set_import(&local->set, 0, seen_unit_count(geo), table->data,
			     table->age))
		return false;
	return geo->kind != SEEN_SET_MAP || seen_local_map_valid(local);
}

static int take_lengths(struct seen_local *local, const struct seen_table *table)
{
	if (!table->info.lengths ||
	    (local->prefix && seen_lengths_take(&local->lengths,
						table->info.length,
						table->info.lengths)))
		return 0;
	return seen_local_fail(-EBADMSG,
			       "the header is damaged: the prefix lengths are not valid");
}

/* If any part of the table is refused, no filter is created. */
int seen_local_take(struct seen_local **made, struct seen_table *table)
{
	struct seen_geometry geo = geometry_of(table);
	struct seen_local *local;
	bool good;
	int err;

	err = seen_local_make(&local, &table->info.config, &geo,
			      table->file ? table->data : NULL);
	if (err)
		return err;
	good = table->file ? take_in_place(local, table) :
			     local_file_take_copy(local, table);
	if (!good) {
		seen_local_close(local);
		return seen_local_fail(-EBADMSG,
				       "the table is damaged: the header describes another table");
	}
	seen_set_import_end(&local->set);
	if (!seen_set_can_test_and_add(&geo))
		seen_set_total_raise(&local->set, table->info.total);
	err = take_lengths(local, table);
	if (!err)
		err = seen_local_top_put(local, table);
	if (err) {
		seen_local_close(local);
		return err;
	}
	*made = local;
	return 0;
}

/* @err: result of reading @table */
static int open_table(struct seen_local **local, struct seen_table *table,
		      const uint8_t *secret, int err)
{
	if (err)
		return err;
	err = choose_secret(table, secret);
	if (!err)
		err = seen_local_take(local, table);
	seen_table_free(table);
	return err;
}

int seen_local_open(struct seen_local **local, const char *path,
		    const uint8_t *secret)
{
	struct seen_table table;
	int err = seen_snapshot_map(&table, path);

	return open_table(local, &table, secret, err);
}

int seen_local_parse(struct seen_local **local, const uint8_t *file,
		     size_t bytes)
{
	struct seen_table table;
	int err = seen_snapshot_parse(&table, file, bytes);

	return open_table(local, &table, NULL, err);
}

/* Write the table in pieces, without a copy. No other thread can disturb the export. */
static int put_all(struct seen_local *local, struct seen_table *table,
		   struct seen_snapshot_out *out, uint8_t *piece)
{
	const struct seen_geometry *geo = &local->set.geo;
	u32 bytes = seen_snapshot_unit_bytes(geo);
	u64 cookie = seen_set_export_begin(&local->set);
	u64 from = 0, units, next;
	int err = seen_snapshot_out_begin(out, table);

	for (; !err && from < seen_unit_count(geo); from += units) {
		units = seen_unit_count(geo) - from;
		if (units > SEEN_CHUNK_MAX / bytes)
			units = SEEN_CHUNK_MAX / bytes;
		seen_set_export(&local->set, cookie, from, units, piece, &next);
		err = seen_snapshot_out_put(out, piece, units * bytes);
	}
	table->age = seen_unit_now(geo);
	return err ? err : seen_snapshot_out_end(out, table);
}

static int local_file_put(struct seen_local *local,
			  struct seen_snapshot_out *out)
{
	const struct seen_geometry *geo = &local->set.geo;
	struct seen_table table = {
		.span = geo->fold > 1 ? geo->span : 0,
		.check = seen_secret_check(&local->secret, local->head),
		.bytes = seen_unit_count(geo) * seen_snapshot_unit_bytes(geo),
	};
	uint8_t *piece = malloc(SEEN_CHUNK_MAX);
	int err;

	if (!piece)
		return seen_local_no_memory(0);
	seen_local_info(local, &table.info);
	err = seen_local_top_get(local, &table);
	if (!err)
		err = put_all(local, &table, out, piece);
	if (err == SEEN_SNAPSHOT_AGAIN)
		err = put_all(local, &table, out, piece);
	seen_table_free(&table);
	free(piece);
	return err;
}

int seen_local_save(struct seen_local *local, const char *path,
		    unsigned int flags)
{
	struct seen_snapshot_out out;
	int err = seen_snapshot_out_open(&out, path, flags);

	if (!err)
		err = local_file_put(local, &out);
	return seen_snapshot_out_close(&out, err);
}

int seen_local_append(struct seen_local *local, int fd, uint64_t base)
{
	struct seen_snapshot_out out;
	int err = seen_snapshot_out_part(&out, fd, base, SEEN_LOCAL_WITH_SECRET);

	if (!err)
		err = local_file_put(local, &out);
	return seen_snapshot_out_close(&out, err);
}

/* The payload of these profiles consists of other bytes than that of a list of the same fields. */
static uint32_t meaning(const struct seen_key_spec *key)
{
	return key->profile == SEEN_KEY_PROFILE_FRAME ||
	       key->profile == SEEN_KEY_PROFILE_PACKET ? key->profile : 0;
}

/* As seen_keyspec_equal() of kmod/keyspec.c, and for bitmaps the first key, too. */
static bool same_key(const struct seen_filter_config *a,
		     const struct seen_filter_config *b)
{
	if (meaning(&a->key) != meaning(&b->key) ||
	    a->key.count != b->key.count || a->key.inner != b->key.inner ||
	    memcmp(a->key.vxlan, b->key.vxlan, sizeof(a->key.vxlan)) ||
	    a->first_len != b->first_len ||
	    memcmp(a->first, b->first, sizeof(a->first)))
		return false;
	for (u32 i = 0; i < a->key.count; i++)
		if (memcmp(&a->key.field[i], &b->key.field[i],
			   sizeof(a->key.field[i])))
			return false;
	return true;
}

static int can_merge(struct seen_local *local, struct seen_local *from)
{
	const char *differs = seen_set_can_merge(&local->set.geo,
						 &from->set.geo);

	if (local == from)
		return seen_local_fail(-EINVAL, "a filter cannot be merged with itself");
	if (!differs && !same_key(&local->config, &from->config))
		differs = "key";
	if (!differs && memcmp(&local->secret, &from->secret,
			       sizeof(local->secret)))
		differs = "secret (seed)";
	return differs ? seen_local_fail(-EINVAL, "the filters differ in %s",
					 differs) : 0;
}

static u64 keys_of_both(struct seen_local *local, struct seen_local *from)
{
	u64 keys, at = 0;

	do {
		at = seen_set_merge_room(&local->set, &from->set, at, SLICE,
					 &keys);
	} while (at);
	return keys;
}

/* No other thread uses the filters, so the merge cannot be disturbed. */
static bool merge_all(struct seen_local *local, struct seen_local *from)
{
	enum seen_merge result;
	u64 at = 0;

	seen_set_merge_begin(&local->set);
	do {
		result = seen_set_merge(&local->set, &from->set, at, SLICE, &at);
	} while (result == SEEN_MERGE_OK && at);
	seen_set_merge_end(&local->set);
	return result == SEEN_MERGE_OK;
}

int seen_local_merge(struct seen_local *local, struct seen_local *from,
		     bool force)
{
	u64 capacity = local->set.geo.capacity;
	int err = can_merge(local, from);
	u64 keys;

	if (err)
		return err;
	keys = keys_of_both(local, from);
	if (!seen_lengths_merge(&local->lengths, &from->lengths))
		return seen_local_fail(-E2BIG,
				       "both filters together have prefixes of more than %u lengths",
				       SEEN_LENGTHS_MAX);
	if (keys > capacity && !force)
		return seen_local_fail(-ENOSPC,
				       "both filters together hold %ju keys, more than the capacity of %ju; use --force to exceed it",
				       (uintmax_t)keys, (uintmax_t)capacity);
	return merge_all(local, from) ? 0 :
	       seen_local_fail(-ENOSPC, "the filter is full");
}

/* Exchange the sets, so that @local has the smaller one; the caller closes @small. */
static void replace(struct seen_local *local, struct seen_local *small)
{
	struct seen_set set = local->set;
	void *mapped = local->mapped;
	size_t bytes = local->bytes;

	local->set = small->set;
	local->mapped = small->mapped;
	local->bytes = small->bytes;
	small->set = set;
	small->mapped = mapped;
	small->bytes = bytes;
	local->config.capacity = local->set.geo.capacity;
}

int seen_local_fold(struct seen_local *local, uint64_t keys)
{
	const char *kind = seen_set_can_fold(&local->set.geo);
	struct seen_geometry geo;
	struct seen_local *small;
	u64 at = 0;
	int err;

	if (kind)
		return seen_local_fail(-EOPNOTSUPP,
				       "only type bloom can be folded");
	if (keys > SEEN_CAPACITY_MAX)
		return seen_local_fail(-ERANGE, "%s", seen_capacity_text);
	if (!seen_fold_plan(&local->set, keys, &geo))
		return seen_local_fail(-ENOSPC, "the filter cannot be made smaller");
	err = seen_local_make(&small, &local->config, &geo, NULL);
	if (err)
		return err;
	do {
		at = seen_set_fold(&local->set, &small->set, at, SLICE);
	} while (at);
	replace(local, small);
	seen_local_close(small);
	return 0;
}
