/* SPDX-License-Identifier: GPL-2.0 */
/* Print the words that may complete the last word of a command line. */
#ifndef SEENCTL_OFFER_H
#define SEENCTL_OFFER_H

#include "seenctl.h"

/**
 * struct offers - the last word, and how words for it are printed
 * @begun: the part of the last word before the cursor, without quotes
 * @kept: bytes of @begun before the part that is completed, such as "-color=" or "src,"
 * @cut: bytes of @begun that the shell keeps, because it takes them for words of their own
 * @quoted: print words as the shell reads them; otherwise as they are
 * @quote: with @quoted: the open quote, ' or "; '\0': none
 * @paths: "files", "folders" or "programs": the shell also offers these; "none"
 * @joined: the word may continue after an offered word, so the shell adds no blank
 * @any: number of words that fit
 */
struct offers {
	const char *begun;
	size_t kept;
	size_t cut;
	bool quoted;
	char quote;
	const char *paths;
	bool joined;
	size_t any;
};

extern struct offers offers;

/* offer() - print a word, if it begins like the last word */
void offer(const char *word);

/* offer_text() - as offer(), for the first @len bytes of a text */
void offer_text(const char *text, size_t len);

/* offer_names() - offer each word of an enum */
void offer_names(const struct seen_names *names);

/* offer_key() - offer the fields of a key. @whole: offer also the names of whole keys */
void offer_key(bool whole);

/* offer_events() - offer the events in a list */
void offer_events(void);

/* offer_end() - print the last line, which is for the shell */
void offer_end(void);

#endif
