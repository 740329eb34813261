/* SPDX-License-Identifier: GPL-2.0 */
/* The words for the numbers of the netlink ABI. */
#ifndef SEEN_NAMES_H
#define SEEN_NAMES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct seen_names - words of one enum
 * @count: how many
 * @word: by value; NULL: that value has none
 */
struct seen_names {
	unsigned int count;
	const char *const *word;
};

extern const struct seen_names seen_types;
extern const struct seen_names seen_layouts;
extern const struct seen_names seen_on_fulls;
extern const struct seen_names seen_guard_kinds;
extern const struct seen_names seen_hooks;
extern const struct seen_names seen_profiles;
extern const struct seen_names seen_matches;
extern const struct seen_names seen_verdicts;
extern const struct seen_names seen_actions;
extern const struct seen_names seen_states;
extern const struct seen_names seen_alarms;
extern const struct seen_names seen_findings;
extern const struct seen_names seen_key_results;
extern const struct seen_names seen_stats_names;
extern const struct seen_names seen_port_counters;
extern const struct seen_names seen_events;

/* seen_word() - the word for @value; "unknown" if a newer kernel told it */
const char *seen_word(const struct seen_names *names, uint32_t value);

/* seen_value() - the value of @word, or -1 */
int seen_value(const struct seen_names *names, const char *word);

#ifdef __cplusplus
}
#endif

#endif
