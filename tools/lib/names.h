/* SPDX-License-Identifier: GPL-2.0 */
/* Words for the numbers in the netlink interface, such as "bloom" for SEEN_TYPE_BLOOM. */
#ifndef SEEN_NAMES_H
#define SEEN_NAMES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct seen_names - the words of one enum
 * @count: elements of @word
 * @word: by value; NULL: that value has no word
 */
struct seen_names {
	unsigned int count;
	const char *const *word;
};

/** seen_types - words of enum seen_type */
extern const struct seen_names seen_types;
/** seen_layouts - words of enum seen_layout */
extern const struct seen_names seen_layouts;
/** seen_on_fulls - words of enum seen_on_full */
extern const struct seen_names seen_on_fulls;
/** seen_guard_kinds - words of enum seen_guard_kind */
extern const struct seen_names seen_guard_kinds;
/** seen_hooks - words of enum seen_hook */
extern const struct seen_names seen_hooks;
/** seen_profiles - words of enum seen_guard_profile */
extern const struct seen_names seen_profiles;
/** seen_matches - words of enum seen_match */
extern const struct seen_names seen_matches;
/** seen_verdicts - words of enum seen_verdict */
extern const struct seen_names seen_verdicts;
/** seen_actions - words of enum seen_action */
extern const struct seen_names seen_actions;
/** seen_states - words of enum seen_guard_state */
extern const struct seen_names seen_states;
/** seen_alarms - words of enum seen_alarm */
extern const struct seen_names seen_alarms;
/** seen_findings - words of enum seen_finding_kind */
extern const struct seen_names seen_findings;
/** seen_key_results - words of enum seen_key_result */
extern const struct seen_names seen_key_results;
/** seen_hash_results - words of enum seen_hash_result */
extern const struct seen_names seen_hash_results;
/** seen_stats_names - words of enum seen_a_stats, the counters of a filter */
extern const struct seen_names seen_stats_names;
/** seen_port_counters - words of enum seen_a_port, the counters of a port */
extern const struct seen_names seen_port_counters;
/** seen_events - words of the events in enum seen_cmd */
extern const struct seen_names seen_events;
/** seen_changes - words of enum seen_change */
extern const struct seen_names seen_changes;

/**
 * seen_word() - the word for a number
 * @names: the enum
 * @value: the number
 *
 * Context: any thread.
 * Return: the word, which stays valid; "unknown" if @names has no word for @value.
 */
const char *seen_word(const struct seen_names *names, uint32_t value);

/**
 * seen_value() - the number for a word
 * @names: the enum
 * @word: such as "bloom"
 *
 * Context: any thread.
 * Return: the number; -1: @names does not have @word.
 */
int seen_value(const struct seen_names *names, const char *word);

#ifdef __cplusplus
}
#endif

#endif
