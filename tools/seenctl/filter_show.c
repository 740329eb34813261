// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "../lib/sizing.h"
#include "color.h"
#include "wrap.h"

static struct seen_sizing sizing_of(const struct seen_filter_info *info)
{
	const struct seen_filter_config *config = &info->config;
	struct seen_sizing sizing = {
		.type = config->type,
		.layout = config->layout,
		.fp_bits = config->fp_bits,
		.refresh = config->refresh,
		.evict = config->on_full == SEEN_ON_FULL_EVICT,
		.capacity = config->capacity,
		.fpp = config->fpp,
		.window = config->window,
		.hashes = info->hashes,
		.tick = info->tick,
		.blocks = info->blocks,
		.asks = info->lengths,
	};

	if (info->tick)
		sizing.ticks = (config->window + info->tick - 1) / info->tick;
	return sizing;
}

double filter_rate(const struct seen_filter_info *info)
{
	struct seen_sizing sizing = sizing_of(info);

	return seen_sizing_rate(&sizing, info->entries);
}

/* Direction of error of the answers. */
static const char *errs(const struct seen_filter_config *config)
{
	switch (config->type) {
	case SEEN_TYPE_BITMAP:
	case SEEN_TYPE_MAP:
		return "exact";
	case SEEN_TYPE_CMS:
		return "over";
	case SEEN_TYPE_CMM:
		return "either";
	}
	return "seen";
}

/* What "key count" prints for a key. */
static const char *counts(const struct seen_filter_config *config)
{
	switch (config->type) {
	case SEEN_TYPE_CUCKOO:
		return config->window ? "none" : "copies";
	case SEEN_TYPE_COUNTING:
		return "to-15";
	case SEEN_TYPE_MAP:
		return "value";
	case SEEN_TYPE_CMS:
		return "over";
	case SEEN_TYPE_CMM:
		return "mean";
	}
	return "none";
}

static bool is_sketch(const struct seen_filter_config *config)
{
	return config->type == SEEN_TYPE_CMS || config->type == SEEN_TYPE_CMM;
}

static bool is_exact(const struct seen_filter_config *config)
{
	return config->type == SEEN_TYPE_BITMAP ||
	       config->type == SEEN_TYPE_MAP;
}

/* Maximum error of a count of a sketch, which holds with the probability confidence(). */
static uint64_t error_bound(const struct seen_filter_info *info)
{
	uint64_t capacity = info->config.capacity;

	return capacity ? info->total / capacity + !!(info->total % capacity)
			: 0;
}

static double confidence(const struct seen_filter_config *config)
{
	return 1 - real_rate(config->fpp);
}

static double fill(const struct seen_filter_info *info)
{
	return info->room ? (double)info->used / info->room : 0;
}

/* Format a prefix length: IPv4 as 24, IPv6 as 6/48. */
static const char *length_text(char *text, uint8_t length)
{
	bool v4 = length <= 32;

	snprintf(text, TEXT_LEN, v4 ? "%u" : "6/%u", v4 ? length : length - 32);
	return text;
}

static void lengths_text(const struct seen_filter_info *info)
{
	char list[SEEN_LENGTHS_ROOM * 6], text[TEXT_LEN];
	int len = 0;

	for (uint32_t i = 0; i < info->lengths; i++)
		len += snprintf(list + len, sizeof(list) - len, "%s%s",
				i ? "," : "", length_text(text, info->length[i]));
	if (len)
		put("lengths", "%s", list);
}

static void lengths_json(const struct seen_filter_info *info)
{
	char text[TEXT_LEN];

	if (!seen_key_spec_prefix(&info->config.key))
		return;
	json_open("lengths", '[');
	for (uint32_t i = 0; i < info->lengths; i++)
		json_text(NULL, length_text(text, info->length[i]));
	json_close();
}

static void type_text(const struct seen_filter_config *config)
{
	char range[SEEN_RANGE_TEXT_LEN];

	if (config->first_len) {
		seen_range_format(config, range);
		put("range", "%s", range);
	}
	if (config->threshold)
		put_number("threshold", config->threshold);
	put_flag("conservative", config->conservative);
	if (config->top)
		put_number("top", config->top);
}

static void config_text(const struct seen_filter_config *config)
{
	char text[TEXT_LEN], key[SEEN_KEY_SPEC_LEN];

	wrap_begin("filter %s%s%s", COLORED(COLOR_NAME, config->name));
	put("type", "%s", seen_word(&seen_types, config->type));
	if (config->type == SEEN_TYPE_BLOOM)
		put("layout", "%s", seen_word(&seen_layouts, config->layout));
	if (config->fp_bits)
		put("bits", "%u", config->fp_bits);
	put_number("capacity", config->capacity);
	if (!is_exact(config))
		put("fpp", "%g", real_rate(config->fpp));
	type_text(config);
	if (config->window)
		put("window", "%s", text_exact(text, config->window));
	put_flag("refresh", config->refresh);
	seen_key_spec_format(&config->key, key);
	put("key", "%s", key);
	if (config->on_full)
		put("on-full", "%s",
		    seen_word(&seen_on_fulls, config->on_full));
}

static void load_text(const struct seen_filter_info *info)
{
	put_number("entries", info->entries);
	put("fill", "%.1f%%", 100 * fill(info));
	if (is_sketch(&info->config)) {
		put_number("total", info->total);
		put_number("error", error_bound(info));
		put("confidence", "%g", confidence(&info->config));
	} else if (!is_exact(&info->config)) {
		put("rate", "%.2g", filter_rate(info));
	}
}

static void unfit_text(const struct seen_filter_info *info)
{
	char word[TEXT_LEN];

	snprintf(word, sizeof(word), "%s%s%s", COLORED(COLOR_BAD, "UNFIT"));
	put_number(word, info->unfit_rules);
}

static void state_text(const struct seen_filter_info *info)
{
	char text[TEXT_LEN];

	wrap_next("    bytes %s", text_bytes(text, info->bytes));
	lengths_text(info);
	if (info->tick)
		put("tick", "%s", text_about(text, info->tick));
	load_text(info);
	put("errs", "%s", errs(&info->config));
	if (info->config.window)
		put("effective", "%s", text_about(text, info->effective));
	put("users", "%u", info->users);
	put("rules", "%u", info->rules);
	if (info->unfit_rules)
		unfit_text(info);
	if (info->allowed)
		put_number("allowed", info->allowed);
	if (*info->allow_map)
		put("allow-map", "%s", info->allow_map);
	if (info->unanswered)
		put_number("unanswered", info->unanswered);
	put_flag("of-a-guard", info->guard_owned);
	if (info->full)
		wrap_words("%s%s%s", COLORED(COLOR_BAD, "FULL"));
}

static void feed_text(const struct seen_filter_info *info)
{
	char text[TEXT_LEN];

	wrap_next("    feed");
	put_number("records", info->feed_records);
	put_number("lost", info->feed_lost);
	put_number("pending", info->feed_pending);
	put("room", "%u", info->feed_room);
	put("stale", "%s", info->feed_limit ? text_exact(text, info->feed_limit) : "never");
	if (info->feed_updated)
		put("age", "%s", text_about(text, info->feed_age));
	if (info->feed_stale)
		wrap_words("%s%s%s", COLORED(COLOR_BAD, "STALE"));
}

static void stats_text(const uint64_t *stats)
{
	wrap_next("   ");
	for (unsigned int i = 0; i < seen_stats_names.count; i++)
		if (seen_stats_names.word[i])
			put_number(seen_stats_names.word[i], stats[i]);
}

static void type_json(const struct seen_filter_config *config)
{
	char range[SEEN_RANGE_TEXT_LEN];

	if (config->first_len) {
		seen_range_format(config, range);
		json_text("range", range);
	}
	if (config->threshold)
		json_number("threshold", config->threshold);
	json_bool("conservative", config->conservative);
	if (config->top)
		json_number("top", config->top);
}

static void config_json(const struct seen_filter_config *config)
{
	char key[SEEN_KEY_SPEC_LEN];

	seen_key_spec_format(&config->key, key);
	json_text("name", config->name);
	json_text("type", seen_word(&seen_types, config->type));
	if (config->type == SEEN_TYPE_BLOOM)
		json_text("layout", seen_word(&seen_layouts, config->layout));
	if (config->fp_bits)
		json_number("bits", config->fp_bits);
	json_number("capacity", config->capacity);
	if (!is_exact(config))
		json_float("fpp", real_rate(config->fpp));
	type_json(config);
	if (config->window)
		json_number("window", config->window);
	json_bool("refresh", config->refresh);
	json_text("key", key);
	if (config->on_full)
		json_text("on-full",
			  seen_word(&seen_on_fulls, config->on_full));
}

static void users_json(const struct seen_filter_info *info)
{
	json_number("users", info->users);
	json_number("rules", info->rules);
	json_number("allowed", info->allowed);
	if (*info->allow_map) {
		json_text("allow-map", info->allow_map);
		json_number("allow-map-id", info->allow_map_id);
	}
	json_number("unanswered", info->unanswered);
}

static void load_json(const struct seen_filter_info *info)
{
	json_number("entries", info->entries);
	if (is_sketch(&info->config)) {
		json_number("total", info->total);
		json_number("error", error_bound(info));
		json_float("confidence", confidence(&info->config));
	} else if (!is_exact(&info->config)) {
		json_float("rate", filter_rate(info));
	}
}

static void state_json(const struct seen_filter_info *info)
{
	json_number("id", info->id);
	json_number("hashes", info->hashes);
	json_number("blocks", info->blocks);
	lengths_json(info);
	if (info->tick)
		json_number("tick", info->tick);
	json_number("bytes", info->bytes);
	load_json(info);
	json_number("used", info->used);
	json_number("room", info->room);
	json_float("fill", fill(info));
	json_text("errs", errs(&info->config));
	json_text("counts", counts(&info->config));
	if (info->config.window)
		json_number("effective", info->effective);
	users_json(info);
	json_number("unfit-rules", info->unfit_rules);
	json_bool("of-a-guard", info->guard_owned);
	json_bool("full", info->full);
}

static void feed_json(const struct seen_filter_info *info)
{
	json_open("feed", '{');
	json_number("records", info->feed_records);
	json_number("lost", info->feed_lost);
	json_number("pending", info->feed_pending);
	json_number("room", info->feed_room);
	json_number("stale", info->feed_limit);
	if (info->feed_updated)
		json_number("age", info->feed_age);
	json_bool("is-stale", info->feed_stale);
	json_close();
}

static void stats_json(const uint64_t *stats)
{
	json_open("stats", '{');
	for (unsigned int i = 0; i < seen_stats_names.count; i++)
		if (seen_stats_names.word[i])
			json_number(seen_stats_names.word[i], stats[i]);
	json_close();
}

/* Print a name that rules use although no filter has it. */
static void tell_missing(const struct seen_filter_info *info)
{
	if (!ctl.json) {
		wrap_begin("filter %s%s%s %s%s%s",
			   COLORED(COLOR_NAME, info->config.name),
			   COLORED(COLOR_BAD, "MISSING"));
		put("rules", "%u", info->rules);
		put_number("unanswered", info->unanswered);
		wrap_end();
		return;
	}
	json_open(NULL, '{');
	json_text("name", info->config.name);
	json_bool("missing", true);
	users_json(info);
	json_close();
}

void filter_tell(const struct seen_filter_info *info)
{
	if (info->missing) {
		tell_missing(info);
		return;
	}
	if (ctl.json) {
		json_open(NULL, '{');
		config_json(&info->config);
		state_json(info);
		if (info->has_feed)
			feed_json(info);
		if (ctl.stats)
			stats_json(info->stats);
		json_close();
		return;
	}
	config_text(&info->config);
	state_text(info);
	if (info->has_feed)
		feed_text(info);
	if (ctl.stats)
		stats_text(info->stats);
	wrap_end();
}
