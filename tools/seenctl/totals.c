// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <unistd.h>

#include "totals.h"

void totals_count(struct totals *totals, unsigned int answer)
{
	if (answer < ARRAY_SIZE(totals->answer))
		totals->answer[answer]++;
}

void totals_add(struct totals *totals, const struct seen_keys *keys)
{
	totals->answer[SEEN_KEY_RESULT_NEW] += keys->added;
	totals->answer[SEEN_KEY_RESULT_STALE] += keys->stale;
	totals->answer[SEEN_KEY_RESULT_SEEN] += keys->done - keys->added - keys->stale;
}

uint64_t totals_keys(const struct totals *totals)
{
	uint64_t sum = 0;

	for (size_t i = SEEN_KEY_RESULT_NEW; i < ARRAY_SIZE(totals->answer); i++)
		sum += totals->answer[i];
	return sum;
}

static void tell_json(const struct totals *totals)
{
	json_open(NULL, '{');
	json_number("keys", totals_keys(totals));
	for (size_t i = SEEN_KEY_RESULT_NEW; i < ARRAY_SIZE(totals->answer); i++)
		json_number(seen_word(&seen_key_results, i), totals->answer[i]);
	json_number("skipped", totals->skipped);
	json_close();
}

static void tell_text(const struct totals *totals)
{
	printf("keys %ju", totals_keys(totals));
	for (size_t i = SEEN_KEY_RESULT_NEW; i < ARRAY_SIZE(totals->answer); i++)
		if (totals->answer[i])
			put_number(seen_word(&seen_key_results, i),
				   totals->answer[i]);
	if (totals->skipped)
		put_number("skipped", totals->skipped);
	putchar('\n');
}

void totals_tell(const struct totals *totals)
{
	if (ctl.json)
		tell_json(totals);
	else if (ctl.stats)
		tell_text(totals);
}

void totals_summary(const struct totals *totals, bool each)
{
	uint64_t added = totals->answer[SEEN_KEY_RESULT_NEW];
	uint64_t there = totals->answer[SEEN_KEY_RESULT_SEEN];

	if (ctl.json || ctl.stats || !isatty(STDERR_FILENO))
		return;
	if (each)
		added += there;
	fprintf(stderr, "added %ju, already there %ju, skipped %ju\n", added,
		each ? 0 : there, totals->skipped);
}
