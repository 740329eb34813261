// SPDX-License-Identifier: GPL-2.0
/* Local filters: creating them, and adding, testing and deleting keys; local.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "clock.h"
#include "key_field.h"
#include "kinds.h"
#include "local_open.h"
#include "local_set.h"
#include "lpm.h"
#include "map.h"
#include "memory.h"
#include "pattern.h"
#include "plan_text.h"
#include "prefetch.h"
#include "reserved.h"
#include "sizing.h"
#include "snapshot_head.h"
#include "top.h"

/* Ask for huge pages for a table of this size or more. */
#define LARGE		(2UL << 20)
#define SWEEP_SLICE	4096

static __thread char error[256];

const char *seen_local_error(void)
{
	return error;
}

int seen_local_no_memory(uint64_t bytes)
{
	return bytes ? seen_local_fail(-ENOMEM, "not enough memory: %ju bytes are needed",
				       (uintmax_t)bytes) :
		       seen_local_fail(-ENOMEM, "not enough memory");
}

int seen_local_fail(int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, sizeof(error), format, args);
	va_end(args);
	return err;
}

void *seen_local_pages(size_t bytes)
{
	void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return NULL;
	if (bytes >= LARGE)
		madvise(pages, bytes, MADV_HUGEPAGE);
	return pages;
}

void seen_local_pages_free(void *pages, size_t bytes)
{
	munmap(pages, bytes);
}

/* Low bits of an address that a prefix of the key's length leaves out. */
static u32 spare_bits(const struct seen_key_field *field, const u8 *first)
{
	static const u8 mapped[12] = { [10] = 0xff, 0xff };

	if (field->id != SEEN_FIELD_SRC && field->id != SEEN_FIELD_DST)
		return 0;
	if (!memcmp(first, mapped, sizeof(mapped)))
		return field->param ? SEEN_PREFIX4_MAX - field->param : 0;
	return field->param6 ? SEEN_PREFIX6_MAX - field->param6 : 0;
}

static int set_span(struct seen_span *span,
		    const struct seen_filter_config *config)
{
	const struct seen_key_spec *spec = &config->key;
	u32 bytes = config->first_len;

	if (spec->count != 1)
		return seen_local_fail(-EINVAL,
				       "key: type bitmap takes one field");
	if (!bytes)
		bytes = seen_key_spec_longest(spec);
	if (!bytes || bytes > sizeof(span->first))
		return seen_local_fail(-EINVAL,
				       "key: must have 1 to 16 bytes for type bitmap");
	*span = (struct seen_span) { .len = bytes };
	memcpy(span->first, config->first, config->first_len);
	span->shift = spare_bits(&spec->field[0], span->first);
	return 0;
}

u32 seen_local_key_bytes(const struct seen_filter_config *config)
{
	if (config->type != SEEN_TYPE_MAP && !config->top)
		return 0;
	return seen_key_spec_longest(&config->key);
}

u32 seen_local_asks(const struct seen_filter_config *config)
{
	return seen_key_spec_prefix(&config->key) ? SEEN_LENGTHS_MAX : 0;
}

static bool has_no_prefixes(uint32_t type)
{
	return type == SEEN_TYPE_BITMAP || seen_sizing_sketch(type);
}

static bool keeps_no_payload(const struct seen_filter_config *config)
{
	return (config->type == SEEN_TYPE_MAP || config->top) &&
	       seen_key_spec_head(&config->key);
}

bool seen_local_evicts(const struct seen_filter_config *config)
{
	return config->window && config->type == SEEN_TYPE_CUCKOO &&
	       (!config->on_full || config->on_full == SEEN_ON_FULL_EVICT);
}

static int local_plan(struct seen_filter_config *config,
		      struct seen_geometry *geo)
{
	struct seen_sizing sizing = {
		.type = config->type,
		.layout = config->layout,
		.fp_bits = config->fp_bits,
		.refresh = config->refresh,
		.key_bytes = seen_local_key_bytes(config),
		.asks = seen_local_asks(config),
		.capacity = config->capacity,
		.fpp = config->fpp,
		.window = config->window,
		.conservative = config->conservative,
		.threshold = config->threshold,
		.top = config->top,
		.min_tick = 1,
	};
	const char *refused;

	if (keeps_no_payload(config))
		return seen_local_fail(-EINVAL,
				       SEEN_TEXT_WHOLE_KEY);
	if (sizing.asks && has_no_prefixes(config->type))
		return seen_local_fail(-EINVAL,
				       SEEN_TEXT_ANY_PREFIX);
	refused = seen_sizing_plan(&sizing);
	if (refused)
		return seen_local_fail(-EINVAL, "%s", refused);
	config->type = sizing.type;
	config->layout = sizing.layout;
	seen_sizing_geometry(&sizing, geo);
	geo->evict = seen_local_evicts(config);
	return 0;
}

/* Allocate the locks (stripes), and the table, unless the caller has one. */
static int give_memory(struct seen_local *local,
		       const struct seen_geometry *geo, void *table)
{
	u32 stripes = seen_geometry_stripes(geo);
	void *memory;
	int err;

	local->bytes = seen_geometry_bytes(geo);
	/* On a 32-bit machine size_t may be too small. */
	if (local->bytes != seen_geometry_bytes(geo))
		return seen_local_no_memory(seen_geometry_bytes(geo));
	if (!table) {
		err = seen_memory_check(geo->capacity, local->bytes);
		if (err)
			return err;
		local->mapped = seen_local_pages(local->bytes);
		table = local->mapped;
	}
	memory = aligned_alloc(SEEN_LINE_BYTES,
			       stripes * sizeof(struct seen_stripe));
	if (memory)
		memset(memory, 0, stripes * sizeof(struct seen_stripe));
	if (!table || !memory) {
		free(memory);
		return seen_local_no_memory(local->bytes);
	}
	seen_set_init(&local->set, geo, table, memory);
	return 0;
}

static int give_top(struct seen_local *local)
{
	u64 bytes = seen_top_bytes(&local->set.geo);

	if (!bytes)
		return 0;
	local->set.top = calloc(1, bytes);
	return local->set.top ? 0 : seen_local_no_memory(0);
}

static u32 payload_max(const struct seen_key_spec *spec)
{
	const struct seen_key_field *payload =
		seen_key_find(spec, SEEN_FIELD_PAYLOAD);

	return payload && payload->param ? payload->param : SEEN_PAYLOAD_MAX;
}

static pthread_once_t patterns = PTHREAD_ONCE_INIT;

int seen_local_make(struct seen_local **made,
		    const struct seen_filter_config *config,
		    const struct seen_geometry *geo, void *table)
{
	struct seen_local *local = calloc(1, sizeof(*local));
	int err = 0;

	pthread_once(&patterns, seen_pattern_init);
	if (!local)
		return seen_local_no_memory(0);
	pthread_mutex_init(&local->busy, NULL);
	local->config = *config;
	seen_secret_set(&local->secret, config->secret);
	local->head = seen_key_spec_head(&config->key);
	local->prefix = seen_key_spec_prefix(&config->key);
	local->key_bytes = seen_key_spec_longest(&config->key);
	local->most = payload_max(&config->key);
	if (local->head)
		seen_nh_key_set(&local->nh, &local->secret);
	local->period = seen_set_sweep_period(geo);
	local->sweep = seen_now() + local->period;
	if (geo->kind == SEEN_SET_BITMAP)
		err = set_span(&local->span, config);
	if (!err)
		err = give_memory(local, geo, table);
	if (!err)
		err = give_top(local);
	if (err) {
		seen_local_close(local);
		return err;
	}
	*made = local;
	return 0;
}

/* Refuse what the kernel's netlink policies refuse. */
static int check_config(const struct seen_filter_config *config)
{
	const char *fault = seen_filter_fault(config);

	if (fault)
		return seen_local_fail(-EINVAL, "%s", fault);
	if (config->type > SEEN_TYPE_MAX)
		return seen_local_fail(-EINVAL, "type: must be 1 to %d", SEEN_TYPE_MAX);
	if (config->layout > SEEN_LAYOUT_MAX)
		return seen_local_fail(-EINVAL, "layout: must be 1 to %d", SEEN_LAYOUT_MAX);
	if (!config->key.count)
		return seen_local_fail(-EINVAL, "key: required");
	if (config->key.count > SEEN_KEY_FIELDS_MAX)
		return seen_local_fail(-EINVAL, "key: must have at most %d fields",
				       SEEN_KEY_FIELDS_MAX);
	if (config->key.vxlan[SEEN_VXLAN_PORTS_MAX])
		return seen_local_fail(-EINVAL, "key: at most %d ports of VXLAN",
				       SEEN_VXLAN_PORTS_MAX);
	if (!seen_snapshot_name_valid(config->name))
		return seen_local_fail(-EINVAL,
				       "name: must be at most %d bytes of printable ASCII without blanks and slashes",
				       SEEN_NAME_MAX - 1);
	return 0;
}

int seen_local_create(struct seen_local **local,
		      const struct seen_filter_config *config)
{
	struct seen_filter_config all = *config;
	struct seen_geometry geo;
	int err = check_config(config);

	if (err)
		return err;
	err = local_plan(&all, &geo);
	if (err)
		return err;
	if (!all.has_secret &&
	    getrandom(all.secret, sizeof(all.secret), 0) < 0)
		return seen_local_fail(-errno, "cannot get random numbers: %s",
				       strerror(errno));
	all.has_secret = true;
	all.fp_bits = geo.fp_bits;
	all.fpp = geo.fpp;
	return seen_local_make(local, &all, &geo, NULL);
}

void seen_local_close(struct seen_local *local)
{
	if (!local)
		return;
	seen_local_retired_free(local);
	if (local->mapped)
		seen_local_pages_free(local->mapped, local->bytes);
	free(local->set.top);
	free(local->set.stripes);
	explicit_bzero(local, sizeof(*local));
	free(local);
}

void seen_local_info(struct seen_local *local, struct seen_filter_info *info)
{
	struct seen_set *set = &local->set;
	u64 at = 0, used = 0, room = 0;

	do {
		at = seen_set_used(set, at, SWEEP_SLICE, &used, &room);
	} while (at);
	*info = (struct seen_filter_info) {
		.config = local->config,
		.hashes = set->geo.hashes,
		.full = seen_set_full(set),
		.blocks = set->geo.blocks,
		.tick = set->geo.tick,
		.ticks = set->geo.ticks,
		.fold = set->geo.fold,
		.bytes = seen_geometry_bytes(&set->geo) +
			 seen_top_bytes(&set->geo),
		.entries = seen_set_entries(set),
		.used = used,
		.room = room,
	};
	info->lengths = seen_lengths_list(&local->lengths, info->length);
	if (set->geo.window)
		info->effective = seen_set_effective(set);
	if (!seen_set_can_test_and_add(&set->geo))
		info->total = seen_sketch_total(set);
}

/* Check the time again under the lock: another thread may have swept meanwhile. */
static noinline void local_sweep(struct seen_local *local)
{
	u64 now, at = 0;

	pthread_mutex_lock(&local->busy);
	now = seen_now();
	if (now >= local->sweep) {
		do {
			at = seen_set_sweep(&local->set, at, SWEEP_SLICE);
		} while (at);
		WRITE_ONCE(local->sweep, now + local->period);
	}
	pthread_mutex_unlock(&local->busy);
}

/* Sweep before stamps and epochs wrap around. A clock set by seen_local_clock() may leap. */
static void sweep_if_due(struct seen_local *local)
{
	if (local->period && seen_now() >= READ_ONCE(local->sweep))
		local_sweep(local);
}

static bool hash_payload(const struct seen_local *local, const uint8_t *key,
			 size_t len, struct seen_item *item)
{
	struct seen_hash hash;
	u32 head = local->head;

	if (len < head || len - head > local->most ||
	    seen_number_get(key + head - 4, 4) != len - head)
		return false;
	seen_hash_begin(&hash, &local->secret, &local->nh, key, head);
	seen_hash_append(&hash, key + head, len - head);
	*item = (struct seen_item) { .hash = seen_hash_end(&hash) };
	return true;
}

static bool is_prefix(const struct seen_local *local, const uint8_t *key,
		      size_t len)
{
	return len == local->key_bytes &&
	       seen_lengths_index(key + local->prefix - 1) >= 0;
}

static bool make_item(const struct seen_local *local, const void *key,
		      size_t len, struct seen_item *item)
{
	if (local->head)
		return hash_payload(local, key, len, item);
	if (local->prefix && !is_prefix(local, key, len))
		return false;
	return seen_item_make(&local->set.geo, &local->secret, &local->span,
			      key, len, item);
}

bool seen_local_hash(const struct seen_local *local, const void *key,
		     size_t len, uint64_t *hash)
{
	struct seen_item item;

	if (!make_item(local, key, len, &item))
		return false;
	*hash = item.hash;
	return true;
}

/* Core's results as enum seen_key_result. */
static const u8 results[] = {
	[SEEN_NEW] = SEEN_KEY_RESULT_NEW,
	[SEEN_SEEN] = SEEN_KEY_RESULT_SEEN,
	[SEEN_FULL] = SEEN_KEY_RESULT_FULL,
	[SEEN_COPIES] = SEEN_KEY_RESULT_COPIES,
	[SEEN_ABSENT] = SEEN_KEY_RESULT_ABSENT,
	[SEEN_STALE] = SEEN_KEY_RESULT_STALE,
};

/* An operation on an item; @value is for maps only. */
typedef enum seen_result (*act_fn)(struct seen_set *set,
				   const struct seen_item *item, u32 value);

static enum seen_result act_test(struct seen_set *set,
				 const struct seen_item *item, u32 value)
{
	(void)value;
	return seen_item_test(set, item);
}

static enum seen_result act_add(struct seen_set *set,
				const struct seen_item *item, u32 value)
{
	(void)value;
	return seen_item_add(set, item);
}

static enum seen_result act_test_and_add(struct seen_set *set,
					 const struct seen_item *item,
					 u32 value)
{
	(void)value;
	if (!seen_set_can_test_and_add(&set->geo))
		return seen_item_add(set, item);
	return seen_item_test_and_add(set, item);
}

static enum seen_result act_del(struct seen_set *set,
				const struct seen_item *item, u32 value)
{
	(void)value;
	return seen_item_del(set, item);
}

static bool torn(const struct seen_local *local, enum seen_result result)
{
	return result == SEEN_FULL && local->set.geo.kind == SEEN_SET_MAP &&
	       seen_map_torn(&local->set);
}

/* Retry after a rehash, which this thread or another one has done. */
static noinline enum seen_result act_again(struct seen_local *local, act_fn act,
					   const struct seen_item *item,
					   u32 value)
{
	enum seen_result result = SEEN_FULL;

	pthread_mutex_lock(&local->busy);
	if (!seen_map_torn(&local->set) || !seen_local_rehash(local))
		result = act(&local->set, item, value);
	pthread_mutex_unlock(&local->busy);
	return result;
}

static __always_inline int run_item(struct seen_local *local, act_fn act,
				    const struct seen_item *item, u32 value)
{
	enum seen_result result;

	sweep_if_due(local);
	result = act(&local->set, item, value);
	if (torn(local, result))
		result = act_again(local, act, item, value);
	return results[result];
}

static int fail_key(void)
{
	return seen_local_fail(-EINVAL, "the key does not fit the filter");
}

/*
 * Result of a test for a key that make_item() refuses, as in the module: a key outside a
 * bitmap's range, or longer than a map's keys, was never stored, so it is new. Any other key
 * has a wrong length.
 */
static int answer_misfit(const struct seen_local *local, size_t len)
{
	if (local->head || (local->set.geo.kind == SEEN_SET_BITMAP && len != local->span.len))
		return fail_key();
	return SEEN_KEY_RESULT_NEW;
}

static int fail_value(void)
{
	return seen_local_fail(-EOPNOTSUPP, "only type map has values");
}

/* Find the longest stored prefix of a key; @over: as for seen_lpm_ask(). */
static noinline int ask_prefix(struct seen_local *local, const void *key, size_t len,
			       u32 over, u32 *value)
{
	const struct seen_lpm lpm = {
		.set = &local->set,
		.secret = &local->secret,
		.lengths = &local->lengths,
		.over = over,
	};

	if (!is_prefix(local, key, len))
		return fail_key();
	sweep_if_due(local);
	return results[seen_lpm_ask(&lpm, key, len, local->prefix - 1, value)];
}

/* Note the length of a prefix to be stored; false: too many lengths. */
static bool admit(struct seen_local *local, int index)
{
	bool fits;

	if (seen_lengths_next(&local->lengths, index) == index)
		return true;
	pthread_mutex_lock(&local->busy);
	fits = seen_lengths_add(&local->lengths, index);
	pthread_mutex_unlock(&local->busy);
	return fits;
}

/* Make the item of a key that is to be stored. */
static int make_entry(struct seen_local *local, const void *key, size_t len,
		      struct seen_item *item)
{
	const uint8_t *prefix = (const uint8_t *)key + local->prefix - 1;

	if (!make_item(local, key, len, item))
		return fail_key();
	if (!local->prefix || admit(local, seen_lengths_index(prefix)))
		return 0;
	return seen_local_fail(-E2BIG,
			       "the filter already has prefixes of %u lengths; use one of these lengths",
			       SEEN_LENGTHS_MAX);
}

static __always_inline int local_run(struct seen_local *local, act_fn act,
				     const void *key, size_t len, u32 value)
{
	struct seen_item item;
	int err = make_entry(local, key, len, &item);

	return err ? err : run_item(local, act, &item, value);
}

int seen_local_test_and_add_hash(struct seen_local *local, u64 hash)
{
	const struct seen_item item = { .hash = hash };

	return run_item(local, act_test_and_add, &item, 0);
}

int seen_local_test(struct seen_local *local, const void *key, size_t len)
{
	struct seen_item item;
	u32 value;

	if (local->prefix)
		return ask_prefix(local, key, len, SEEN_LPM_SEEN, &value);
	if (!make_item(local, key, len, &item))
		return answer_misfit(local, len);
	return run_item(local, act_test, &item, 0);
}

int seen_local_add(struct seen_local *local, const void *key, size_t len)
{
	return local_run(local, act_add, key, len, 0);
}

int seen_local_test_and_add(struct seen_local *local, const void *key,
			    size_t len)
{
	return local_run(local, act_test_and_add, key, len, 0);
}

int seen_local_del(struct seen_local *local, const void *key, size_t len)
{
	struct seen_item item;

	if (!seen_set_can_del(&local->set.geo))
		return seen_local_fail(-EOPNOTSUPP,
				       "type %s cannot delete keys; use cuckoo, counting or map",
				       seen_word(&seen_types,
						 local->config.type));
	if (!make_item(local, key, len, &item))
		return fail_key();
	return run_item(local, act_del, &item, 0);
}

int seen_local_put(struct seen_local *local, const void *key, size_t len,
		   uint32_t value)
{
	if (local->set.geo.kind != SEEN_SET_MAP)
		return fail_value();
	return local_run(local, seen_item_put, key, len, value);
}

int seen_local_count(struct seen_local *local, const void *key, size_t len,
		     uint32_t *count)
{
	struct seen_item item;

	if (!seen_set_can_count(&local->set.geo))
		return seen_local_fail(-EOPNOTSUPP, "type %s does not count keys",
				       seen_word(&seen_types,
						 local->config.type));
	if (local->prefix)
		return ask_prefix(local, key, len, 0, count);
	if (!make_item(local, key, len, &item))
		return fail_key();
	sweep_if_due(local);
	*count = seen_item_count(&local->set, &item);
	return *count ? SEEN_KEY_RESULT_SEEN : SEEN_KEY_RESULT_NEW;
}

int seen_local_value(struct seen_local *local, const void *key, size_t len,
		     uint32_t *value)
{
	struct seen_item item;

	if (local->set.geo.kind != SEEN_SET_MAP)
		return fail_value();
	if (local->prefix)
		return ask_prefix(local, key, len, SEEN_LPM_SEEN, value);
	if (!make_item(local, key, len, &item))
		return answer_misfit(local, len);
	return seen_item_value(&local->set, &item, value) ? SEEN_KEY_RESULT_SEEN
							  : SEEN_KEY_RESULT_NEW;
}

/* Keys that do not fit the filter have result NEW, and are not stored. */
static __always_inline void run_many(struct seen_local *local, act_fn act,
				     const void *const *key, const size_t *len,
				     size_t count, uint8_t *result)
{
	struct seen_item item[SEEN_LOCAL_BATCH];
	enum seen_result one;
	bool fits[SEEN_LOCAL_BATCH];
	size_t i;

	for (i = 0; i < count; i++) {
		fits[i] = act == act_test ?
			  make_item(local, key[i], len[i], &item[i]) :
			  !make_entry(local, key[i], len[i], &item[i]);
		if (fits[i])
			seen_set_prefetch(&local->set, item[i].hash);
	}
	sweep_if_due(local);
	for (i = 0; i < count; i++) {
		one = SEEN_NEW;
		if (fits[i])
			one = act(&local->set, &item[i], 0);
		if (torn(local, one))
			one = act_again(local, act, &item[i], 0);
		result[i] = results[one];
	}
}

void seen_local_test_and_add_many(struct seen_local *local,
				  const void *const *key, const size_t *len,
				  size_t count, uint8_t *result)
{
	run_many(local, act_test_and_add, key, len, count, result);
}

void seen_local_test_many(struct seen_local *local, const void *const *key,
			  const size_t *len, size_t count, uint8_t *result)
{
	size_t i;
	u32 value;
	int err;

	if (!local->prefix) {
		run_many(local, act_test, key, len, count, result);
		return;
	}
	for (i = 0; i < count; i++) {
		err = ask_prefix(local, key[i], len[i], SEEN_LPM_SEEN, &value);
		result[i] = err < 0 ? SEEN_KEY_RESULT_NEW : err;
	}
}
