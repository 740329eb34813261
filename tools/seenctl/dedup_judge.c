// SPDX-License-Identifier: GPL-2.0
/* Decide which lines dedup drops. */
#include <stdlib.h>
#include <string.h>

#include "../lib/local_open.h"
#include "dedup.h"

/* Lines with a key that are judged at the same time. */
struct group {
	const void *key[SEEN_LOCAL_BATCH];
	size_t len[SEEN_LOCAL_BATCH];
	const struct line_filter_line *line[SEEN_LOCAL_BATCH];
	bool *drop[SEEN_LOCAL_BATCH];
	size_t count;
};

/*
 * A disk error does not lose lines: all further lines pass, repeats among them. But
 * numbers of occurrences would be wrong, so --count and --repeated fail.
 */
static int note_error(struct dedup *dedup, int err)
{
	dedup->disk = err;
	dedup->unrecorded++;
	if (!dedup_at_end(dedup))
		return DONE;
	return refused("--temp: %s: %s; no line was printed, try another folder",
		       dedup->temp, strerror(-err));
}

static int record(struct dedup *dedup, const struct ledger_line *line)
{
	int err = ledger_add(dedup->ledger, line);

	return err ? note_error(dedup, err) : DONE;
}

/*
 * Record a new line, or compare a line that the filters report as seen. @seen: in: answer
 * of the filters; out: answer after the comparison.
 */
static int verify(struct dedup *dedup, const struct ledger_line *line, bool *seen)
{
	int came;

	if (!*seen)
		return record(dedup, line);
	dedup->verified++;
	came = ledger_came(dedup->ledger, line);
	*seen = came == 1;
	if (*seen)
		return DONE;
	if (came < 0)
		return note_error(dedup, came);
	/*
	 * Do not count false positives if the filters report new keys as seen for lack of
	 * memory, or if the ledger misses lines after a disk error.
	 */
	if (!dedup->scalable.unstored && !dedup->disk)
		dedup->rescued++;
	return record(dedup, line);
}

static int verify_all(struct dedup *dedup, const struct group *group, bool *seen)
{
	int status = DONE;

	for (size_t i = 0; i < group->count && !status; i++) {
		struct ledger_line line = {
			.key = group->key[i],
			.key_len = group->len[i],
			.text = group->line[i]->text,
			.text_len = group->line[i]->len,
		};

		/* A key that no filter can store is never seen. */
		if (seen_local_hash(dedup->scalable.part[0].local, line.key,
				    line.key_len, &line.hash))
			status = verify(dedup, &line, &seen[i]);
	}
	return status;
}

static int ask(struct dedup *dedup, struct group *group)
{
	bool seen[SEEN_LOCAL_BATCH];
	int status = DONE;

	scalable_test_and_add(&dedup->scalable, group->key, group->len,
			      group->count, seen);
	if (dedup->ledger)
		status = verify_all(dedup, group, seen);
	for (size_t i = 0; i < group->count; i++) {
		*group->drop[i] = seen[i] || dedup_at_end(dedup);
		dedup->dropped += seen[i];
	}
	group->count = 0;
	return status;
}

/* Parse seconds, with an optional fraction. */
static bool read_time(const char *text, size_t len, uint64_t *ns)
{
	uint64_t unit = 1000000000;
	bool fraction = false;

	*ns = 0;
	for (size_t i = 0; i < len; i++) {
		unsigned int digit = text[i] - '0';

		if (text[i] == '.' && !fraction && i) {
			fraction = true;
			continue;
		}
		if (digit > 9 || (!fraction && *ns > INT64_MAX / 20))
			return false;
		if (fraction)
			unit /= 10;
		else
			*ns *= 10;
		*ns += digit * unit;
	}
	return len;
}

/* A line with an earlier time than the latest line is judged at the latest time. */
static int follow_time(struct dedup *dedup, const struct line_filter_line *line,
		       struct group *group)
{
	size_t len = line->len;
	const char *text;
	uint64_t ns;
	bool moved;
	int status;

	text = columns_get(&dedup->columns, dedup->time, line->text, &len);
	if (!text || !read_time(text, len, &ns)) {
		dedup->untimed++;
		return DONE;
	}
	status = timeline_step(&dedup->timeline, ns, &moved);
	if (status || !moved)
		return status;
	status = ask(dedup, group);
	seen_local_clock(dedup->timeline.clock);
	return status;
}

/*
 * Make room for keys of several columns. No key is longer than its line. Two more bytes are
 * needed: one gives an empty key an address, one is for the CR that complete() may add.
 */
static int make_room(struct dedup *dedup, const struct line_filter_line *line,
		     size_t count)
{
	size_t sum = 2;
	char *arena;

	for (size_t i = 0; i < count; i++)
		sum += line[i].len;
	if (!dedup->columns.key || sum <= dedup->room)
		return DONE;
	arena = realloc(dedup->arena, sum);
	if (!arena)
		return refused("not enough memory for keys of %zu bytes", sum);
	dedup->arena = arena;
	dedup->room = sum;
	return DONE;
}

/* Was the key of this line, with @len bytes, seen before? */
static bool came(struct dedup *dedup, const struct line_filter_line *line,
		 size_t len)
{
	const char *key = columns_key(&dedup->columns, line->text, &len,
				      dedup->arena);

	return key && scalable_test(&dedup->scalable, key, len);
}

/*
 * The last line of a file without a terminator equals a line with LF, and a line with
 * CR LF. If neither was seen before, assume the line end of the previous line.
 */
static void complete(struct dedup *dedup, struct line_filter_line *line)
{
	bool cr = dedup->cr;

	if (dedup->line_filter.terminator != '\n' ||
	    (line->len && line->text[line->len - 1] == '\r'))
		return;
	line->text[line->len] = '\r';
	if (!came(dedup, line, line->len + cr) &&
	    came(dedup, line, line->len + !cr))
		cr = !cr;
	line->len += cr;
}

static void note_end(struct dedup *dedup, const struct line_filter_line *line)
{
	dedup->cr = line->len && line->text[line->len - 1] == '\r';
}

/* A line without a key equals no other line. */
static int pass_keyless(struct dedup *dedup,
			const struct line_filter_line *line, bool *drop)
{
	const struct ledger_line keyless = {
		.text = line->text, .text_len = line->len,
	};

	dedup->keyless++;
	*drop = dedup_at_end(dedup);
	return *drop ? record(dedup, &keyless) : DONE;
}

/* Find the key of each line, and test the keys in groups. */
static int judge_all(struct dedup *dedup, const struct line_filter_line *line,
		     size_t count, bool *drop)
{
	struct group group = {};
	char *to = dedup->arena;
	int status = DONE;

	for (size_t i = 0; i < count && !status; i++) {
		size_t len = line[i].len;
		const char *key;

		if (dedup->time)
			status = follow_time(dedup, &line[i], &group);
		key = columns_key(&dedup->columns, line[i].text, &len, to);
		if (!key) {
			status = pass_keyless(dedup, &line[i], &drop[i]);
			continue;
		}
		if (key == to)
			to += len;
		group.key[group.count] = key;
		group.len[group.count] = len;
		group.line[group.count] = &line[i];
		group.drop[group.count++] = &drop[i];
	}
	return status ? status : ask(dedup, &group);
}

int dedup_judge(struct line_filter_line *line, size_t count, bool *drop,
		void *context)
{
	struct dedup *dedup = context;
	int status = make_room(dedup, line, count);

	if (status)
		return status;
	if (line->cut)
		complete(dedup, line);
	note_end(dedup, &line[count - 1]);
	return judge_all(dedup, line, count, drop);
}
