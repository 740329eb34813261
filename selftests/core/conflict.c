// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "conflict.h"
#include "weak.h"

#define WORDS_MAX	8192

static struct word words[WORDS_MAX];
bool surprised;
/* So it was; and it may be about a lock, of which nobody knew that it was one. */
static bool renewed;

void words_begin(void)
{
	memset(words, 0, sizeof(words));
}

/* Words noted without a lock may belong to a locked section. */
void words_renew(void)
{
	u32 i;

	for (i = 0; i < WORDS_MAX && renewed; i++)
		words[i].locks = ~0ULL;
	renewed = false;
}

struct word *word_of(const volatile void *memory)
{
	u64 i = seen_remix((u64)memory) % WORDS_MAX;
	u64 tries;

	for (tries = 0; tries < WORDS_MAX; tries++, i = (i + 1) % WORDS_MAX) {
		if (!words[i].memory)
			words[i] = (struct word) {
				memory, .place = NOWHERE, .locks = ~0ULL
			};
		if (words[i].memory == memory)
			return &words[i];
	}
	printf("Bail out! too many words of memory\n");
	exit(1);
}

bool conflict(const struct word *word)
{
	u32 others = word->readers | word->writers;

	return word->writers && (others & (others - 1));
}

bool is_guarded(const struct word *word)
{
	return word->locks || !(word->writers & (word->writers - 1));
}

void note_access(struct word *word, int actor, bool write, u64 locks,
		 bool weakly)
{
	bool conflicts = conflict(word), guarded = is_guarded(word);

	if (write) {
		word->writers |= 1U << actor;
		word->locks &= locks;
	} else {
		word->readers |= 1U << actor;
	}
	if (conflict(word) && !conflicts) {
		surprised = true;
		renewed = true;
	}
	surprised |= weakly && guarded && !is_guarded(word);
}
