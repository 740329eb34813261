// SPDX-License-Identifier: GPL-2.0
/* Print the statistics of a run of dedup. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dedup.h"

/* warn() prints its note if at least this many lines were probably lost. */
#define LOST_NOTED	0.5

static double expected_lost(const struct dedup *dedup)
{
	if (dedup->ledger)
		return 0;
	/* With a window this is an upper bound. */
	if (dedup->scalable.window)
		return real_rate(dedup->scalable.fpp) *
		       (dedup->line_filter.lines - dedup->dropped);
	return scalable_lost(&dedup->scalable) - dedup->state.lost;
}

/* Further figures that are computed at the end of the run. */
struct figures {
	double seconds;
	double lost;
	double fill;
	uint64_t kept;
};

static void tell_text(const struct dedup *dedup, const struct figures *figures)
{
	const struct scalable *scalable = &dedup->scalable;
	const struct line_filter *line_filter = &dedup->line_filter;
	char text[TEXT_LEN];

	printf("lines %ju unique %ju dropped %ju", line_filter->lines,
	       line_filter->lines - dedup->dropped, dedup->dropped);
	put("expected-lost", "%.3g", figures->lost);
	if (dedup->ledger) {
		put_number("verified", dedup->verified);
		put_number("rescued", dedup->rescued);
		put("temporary", "%s",
		    text_bytes(text, ledger_bytes(dedup->ledger)));
	}
	if (dedup->unrecorded)
		put_number("unrecorded", dedup->unrecorded);
	if (dedup_at_end(dedup))
		put_number("printed", dedup->printed);
	if (dedup->keyless)
		put_number("keyless", dedup->keyless);
	if (dedup->untimed)
		put_number("untimed", dedup->untimed);
	if (dedup->timeline.earlier)
		put_number("earlier", dedup->timeline.earlier);
	if (dedup->timeline.restarts)
		put_number("restarts", dedup->timeline.restarts);
	if (scalable->unstored)
		put_number("unstored", scalable->unstored);
	printf("\n    filters %u capacity %ju bytes %s fill %.1f%%",
	       scalable->parts, scalable_capacity(scalable),
	       text_bytes(text, scalable->bytes), 100 * figures->fill);
	if (scalable->window)
		put("window-kept", "%s", text_about(text, figures->kept));
	put("seconds", "%.2f", figures->seconds);
	put("lines-a-second", "%.0f", line_filter->lines / figures->seconds);
	putchar('\n');
}

static void tell_json(const struct dedup *dedup, const struct figures *figures)
{
	const struct scalable *scalable = &dedup->scalable;

	json_open(NULL, '{');
	json_number("lines", dedup->line_filter.lines);
	json_number("unique", dedup->line_filter.lines - dedup->dropped);
	json_number("dropped", dedup->dropped);
	json_float("expected-lost", figures->lost);
	if (dedup->ledger) {
		json_number("verified", dedup->verified);
		json_number("rescued", dedup->rescued);
		json_number("temporary", ledger_bytes(dedup->ledger));
		json_number("unrecorded", dedup->unrecorded);
	}
	if (dedup_at_end(dedup))
		json_number("printed", dedup->printed);
	json_number("keyless", dedup->keyless);
	json_number("untimed", dedup->untimed);
	json_number("earlier", dedup->timeline.earlier);
	json_number("restarts", dedup->timeline.restarts);
	json_number("unstored", scalable->unstored);
	json_number("filters", scalable->parts);
	json_number("capacity", scalable_capacity(scalable));
	json_number("bytes", scalable->bytes);
	json_float("fill", figures->fill);
	if (scalable->window)
		json_number("effective", figures->kept);
	json_number("duration", llround(figures->seconds * 1e9));
	json_float("lines-per-second", dedup->line_filter.lines / figures->seconds);
	json_close();
}

/* Print statistics on a terminal, and with -stats. */
static bool is_shown(const struct dedup *dedup)
{
	return !dedup->quiet && (ctl.stats || isatty(STDERR_FILENO));
}

/* A run that has dropped no line has lost no line. */
static void warn(const struct dedup *dedup, double lost)
{
	if (!dedup->quiet && dedup->dropped && lost >= LOST_NOTED)
		remark("about %.*f new lines were taken for repeats and lost; --exact loses none",
		       lost < 10, lost);
}

/* A run fails if repeats passed for lack of memory or because the ledger failed. */
static int judge_run(const struct dedup *dedup)
{
	if (dedup->disk)
		return refused("--temp: %s: %s; %ju lines were not recorded, repeats passed",
			       dedup->temp, strerror(-dedup->disk),
			       dedup->unrecorded);
	if (dedup->scalable.unstored && !dedup->ledger)
		return refused("not enough memory to record %ju lines; their repeats passed",
			       dedup->scalable.unstored);
	return DONE;
}

int dedup_tell(const struct dedup *dedup, double seconds)
{
	struct figures figures = {
		.seconds = seconds, .lost = expected_lost(dedup),
	};

	scalable_look(&dedup->scalable, &figures.fill, &figures.kept);
	if (ctl.json)
		tell_json(dedup, &figures);
	else if (is_shown(dedup))
		tell_text(dedup, &figures);
	else
		warn(dedup, figures.lost);
	return judge_run(dedup);
}
