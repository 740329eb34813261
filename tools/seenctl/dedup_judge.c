// SPDX-License-Identifier: GPL-2.0
/* dedup: which lines came before? */
#include <stdlib.h>

#include "dedup.h"

/* Lines of one time that have a key. */
struct group {
	const void *key[SEEN_LOCAL_BATCH];
	size_t len[SEEN_LOCAL_BATCH];
	bool *drop[SEEN_LOCAL_BATCH];
	size_t count;
};

static void ask(struct dedup *dedup, struct group *group)
{
	bool seen[SEEN_LOCAL_BATCH];

	chain_ask(&dedup->chain, group->key, group->len, group->count, seen);
	for (size_t i = 0; i < group->count; i++) {
		*group->drop[i] = seen[i];
		dedup->dropped += seen[i];
	}
	group->count = 0;
}

/* Seconds, with a fraction or without. */
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

/* What comes late is judged as if it were of now. */
static int follow_time(struct dedup *dedup, const struct strain_line *line,
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
	ask(dedup, group);
	seen_local_clock(dedup->timeline.clock);
	return DONE;
}

/*
 * Room for keys that consist of several columns: none is longer than its line. A key
 * of no bytes has a place, too, and a line that was cut may get one byte more.
 */
static int make_room(struct dedup *dedup, const struct strain_line *line,
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
		return refused("no memory for keys of %zu bytes", sum);
	dedup->arena = arena;
	dedup->room = sum;
	return DONE;
}

/* Does a line with so many bytes have a key that came before? */
static bool came(struct dedup *dedup, const struct strain_line *line, size_t len)
{
	const char *key = columns_key(&dedup->columns, line->text, &len,
				      dedup->arena);

	return key && chain_came(&dedup->chain, key, len);
}

/*
 * The last line of a file that does not end is the same line as one that ends with LF
 * or with CR LF. If neither form came before, the line above says which one it is.
 */
static void complete(struct dedup *dedup, struct strain_line *line)
{
	bool cr = dedup->cr;

	if (dedup->strain.terminator != '\n' ||
	    (line->len && line->text[line->len - 1] == '\r'))
		return;
	line->text[line->len] = '\r';
	if (!came(dedup, line, line->len + cr) &&
	    came(dedup, line, line->len + !cr))
		cr = !cr;
	line->len += cr;
}

static void note_end(struct dedup *dedup, const struct strain_line *line)
{
	dedup->cr = line->len && line->text[line->len - 1] == '\r';
}

/* Find the key of each line, and ask for groups of them. */
static int judge_all(struct dedup *dedup, const struct strain_line *line,
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
		drop[i] = false;
		key = columns_key(&dedup->columns, line[i].text, &len, to);
		if (!key) {
			dedup->keyless++;
			continue;
		}
		if (key == to)
			to += len;
		group.key[group.count] = key;
		group.len[group.count] = len;
		group.drop[group.count++] = &drop[i];
	}
	if (!status)
		ask(dedup, &group);
	return status;
}

int dedup_judge(struct strain_line *line, size_t count, bool *drop,
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
