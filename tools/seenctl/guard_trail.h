/* SPDX-License-Identifier: GPL-2.0 */
/* The words of "guard add" about trails, and the same words in replies. */
#ifndef SEENCTL_GUARD_TRAIL_H
#define SEENCTL_GUARD_TRAIL_H

#include "save.h"
#include "seenctl.h"

/**
 * struct trail_words - the words of a command about trails
 * @args: all words; a port has several
 * @trail: out
 * @on: the word "trail" was given
 * @only: the word "trail-only" was given
 */
struct trail_words {
	struct args *args;
	struct seen_trail_config *trail;
	bool on;
	bool only;
};

/* Readers for struct param; @into is a struct trail_words, for read_node() its trail. */
int read_trail_port(const struct param *param, const char *value);
int read_node(const struct param *param, const char *value);

/* trail_settle() - after all words were read; DONE or USAGE */
int trail_settle(const struct trail_words *words);

/* trail_text(), trail_json(), trail_save() - the words, if frames have trails */
void trail_text(const struct seen_trail_config *trail);
void trail_json(const struct seen_trail_config *trail);
void trail_save(const struct save *save, const struct seen_trail_config *trail);

/* trail_differs() - the word of @want that @has does not have; NULL: none */
const char *trail_differs(const struct seen_trail_config *want,
			  const struct seen_trail_config *has);

#endif
