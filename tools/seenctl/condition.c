// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "../lib/condition.h"
#include "seenctl.h"

#define LIST_LEN	1024

/*
 * Take the next entry of a list such as "A,B,C" off *@list. @word: out: the entry, NULL at
 * the end. Returns DONE, or USAGE after an error message if the list is too long.
 */
static int next(const struct param *param, char **list, uint32_t count,
		const char **word)
{
	*word = strsep(list, ",");
	if (*word && count == SEEN_CONDITIONS_MAX)
		return usage("%s: at most %d entries", param->word,
			     SEEN_CONDITIONS_MAX);
	return DONE;
}

static int copy_list(const struct param *param, const char *value, char *list)
{
	if ((size_t)snprintf(list, LIST_LEN, "%s", value) >= LIST_LEN)
		return usage("%s: the list has more than %d characters", param->word,
			     LIST_LEN - 1);
	return DONE;
}

/* @fault: of a number in the entry, or NULL; @what: what the entry should be */
static int bad_entry(const struct param *param, const char *word,
		     const char *fault, const char *what)
{
	return fault ? usage("%s: %s: %s", param->word, fault, word) :
		       usage("%s: \"%s\" is not a %s", param->word, word, what);
}

int read_ports(const struct param *param, const char *value)
{
	struct seen_guard_config *config = param->into;
	char list[LIST_LEN], *left = list;
	const char *word;
	int status = copy_list(param, value, list);

	while (!status) {
		status = next(param, &left, config->udps, &word);
		if (status || !word)
			break;
		if (!seen_port_range_parse(&config->udp[config->udps++], word))
			return bad_entry(param, word, seen_port_range_fault(word),
					 "port (53, 6000-6010, all)");
	}
	return status;
}

int read_prefixes(const struct param *param, const char *value)
{
	struct seen_prefixes *prefixes = param->into;
	char list[LIST_LEN], *left = list;
	const char *word;
	int status = copy_list(param, value, list);

	while (!status) {
		status = next(param, &left, prefixes->count, &word);
		if (status || !word)
			break;
		if (!seen_prefix_parse(&prefixes->prefix[prefixes->count++],
				       word))
			return bad_entry(param, word, seen_prefix_fault(word),
					 "prefix (10.0.0.0/8, fe80::/10)");
	}
	return status;
}

/* Room for the text of a list, with its commas and its NUL. */
#define LIST_TEXT_LEN	(SEEN_CONDITIONS_ROOM * SEEN_CONDITION_LEN)

static void prefixes_text(const char *word,
			  const struct seen_prefixes *prefixes)
{
	char list[LIST_TEXT_LEN], text[SEEN_CONDITION_LEN];
	int len = 0;

	for (uint32_t i = 0; i < prefixes->count; i++)
		len += snprintf(list + len, sizeof(list) - len, "%s%s", i ? "," : "",
				seen_prefix_text(&prefixes->prefix[i], text));
	if (len)
		put(word, "%s", list);
}

void conditions_text(const struct seen_guard_config *config)
{
	char list[LIST_TEXT_LEN], text[SEEN_CONDITION_LEN];
	int len = 0;

	for (uint32_t i = 0; i < config->udps; i++)
		len += snprintf(list + len, sizeof(list) - len, "%s%s", i ? "," : "",
				seen_port_range_text(&config->udp[i], text));
	if (len)
		put("udp", "%s", list);
	prefixes_text("src", &config->src);
	prefixes_text("dst", &config->dst);
}

static void prefixes_json(const char *key, const struct seen_prefixes *prefixes)
{
	char text[SEEN_CONDITION_LEN];

	json_open(key, '[');
	for (uint32_t i = 0; i < prefixes->count; i++)
		json_text(NULL, seen_prefix_text(&prefixes->prefix[i], text));
	json_close();
}

void conditions_json(const struct seen_guard_config *config)
{
	char text[SEEN_CONDITION_LEN];

	json_open("udp", '[');
	for (uint32_t i = 0; i < config->udps; i++)
		json_text(NULL, seen_port_range_text(&config->udp[i], text));
	json_close();
	prefixes_json("src", &config->src);
	prefixes_json("dst", &config->dst);
}
