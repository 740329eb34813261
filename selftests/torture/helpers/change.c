// SPDX-License-Identifier: GPL-2.0
/*
 * change FILTER...: until told to end, changes each filter in every way that it can
 * be changed in use, one after the other: keys come and go; another filter with the
 * control set is swapped for it, or takes its place as an import; it is merged
 * into an empty one, which is swapped; it is folded. The filters that are left
 * over are renamed, flushed and deleted. The keys that it has added are there as
 * long as nobody else can have taken them away. Prints how often what was done,
 * and how many keys were missed.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ports.h"

enum deed { CHURN, SWAP, IMPORT, MERGE, FOLD, RENAME, FLUSH, DEEDS };

static const char *const words[DEEDS] = {
	"churns", "swaps", "imports", "merges", "folds", "renames", "flushes",
};

#define FILTERS	16
/* A swap is short: many of them. */
#define SWAPS	64

/**
 * struct subject - a filter that is changed
 * @name: its name
 * @spare: that of the one to be swapped for it, and then of what it was
 * @spent: another name of that
 * @path: where it is exported to
 * @config: what the spare one shall be
 */
struct subject {
	const char *name;
	char spare[SEEN_NAME_MAX];
	char spent[SEEN_NAME_MAX];
	char path[64];
	struct seen_filter_config config;
};

static struct seen_client *client;
static struct seen_keys keys;
static uint64_t done[DEEDS], refused, added, missed;

/*
 * True if it was done. What may be refused: there is no memory; keys moved during
 * an export or a merge; it is as small as can be; the type cannot; or a folded
 * filter's size differs. Anything else is an error.
 */
static bool did(int err)
{
	switch (err) {
	case 0:
		return true;
	case -ENOMEM:
	case -ESTALE:
	case -EAGAIN:
	case -ENOSPC:
	case -EOPNOTSUPP:
	case -EINVAL:
		refused++;
		return false;
	}
	errno = 0;
	fatal(seen_error(client));
}

/* What has to come true, as soon as there is memory. */
static void must(int (*deed)(const char *filter), const char *filter)
{
	int err;

	while ((err = deed(filter)) == -ENOMEM)
		refused++;
	if (err) {
		errno = 0;
		fatal(seen_error(client));
	}
}

static int delete(const char *filter)
{
	int err = seen_filter_del(client, filter, false);

	return err == -ENOENT ? 0 : err;
}

/* How many keys were taken: the rest found the filter full. */
static uint32_t add(const char *filter, uint16_t first, uint32_t count)
{
	ports_fill(&keys, first, count);
	seen_keys_send(client, SEEN_CMD_KEY_ADD, filter, false, &keys);
	added += keys.done;
	return keys.done;
}

static void ask(const char *filter, uint16_t first, uint32_t count)
{
	uint32_t i;

	ports_fill(&keys, first, count);
	if (!did(seen_keys_send(client, SEEN_CMD_KEY_TEST, filter, false,
				&keys)))
		return;
	for (i = 0; i < keys.done; i++)
		missed += keys.result[i] != SEEN_KEY_SEEN;
}

static bool can_delete(const struct subject *subject)
{
	uint32_t type = subject->config.type;

	return type == SEEN_TYPE_BITMAP || type == SEEN_TYPE_COUNTING ||
	       type == SEEN_TYPE_MAP || type == SEEN_TYPE_CUCKOO;
}

static void fill(const char *filter)
{
	uint32_t at, i;

	for (at = 0; at < CONTROL_COUNT; at += STEP) {
		for (i = 0; i < STEP; )
			i += add(filter, CONTROL_FIRST + at + i, STEP - i);
	}
}

/* The spare one, of the same kind, empty. */
static bool add_spare(const struct subject *subject)
{
	must(delete, subject->spare);
	return did(seen_filter_add(client, &subject->config));
}

static bool churn(const struct subject *subject)
{
	uint32_t count = add(subject->name, OWN_FIRST, OWN_COUNT);

	if (!count)
		return false;
	ask(subject->name, OWN_FIRST, count);
	if (!can_delete(subject))
		return true;
	ports_fill(&keys, OWN_FIRST, count);
	return did(seen_keys_send(client, SEEN_CMD_KEY_DEL, subject->name,
				  false, &keys));
}

static bool swap(const struct subject *subject)
{
	return did(seen_filter_swap(client, subject->name, subject->spare));
}

/* Both have the control set: one takes the other's place, and is given it back. */
static bool swap_new(const struct subject *subject)
{
	int i;

	if (!add_spare(subject))
		return false;
	fill(subject->spare);
	for (i = 0; i < SWAPS && !ended; i++)
		done[SWAP] += swap(subject);
	return swap(subject);
}

static bool import(const struct subject *subject)
{
	return did(seen_filter_export(client, subject->name, subject->path,
				      true)) &&
	       did(seen_filter_import(client, subject->name, subject->path,
				      NULL, true));
}

static bool merge(const struct subject *subject)
{
	struct seen_filter_info info;

	return add_spare(subject) &&
	       did(seen_filter_merge(client, subject->spare, subject->name,
				     true, &info)) &&
	       swap(subject);
}

static bool fold(const struct subject *subject)
{
	struct seen_filter_info info;

	return did(seen_filter_fold(client, subject->name, 0, &info));
}

static bool flush(const struct subject *subject)
{
	return add_spare(subject) && add(subject->spare, OWN_FIRST, OWN_COUNT) &&
	       did(seen_filter_flush(client, subject->spare));
}

/* What was swapped out goes by another name. */
static bool rename_spare(const struct subject *subject)
{
	must(delete, subject->spent);
	return did(seen_filter_rename(client, subject->spare, subject->spent));
}

static bool (*const deeds[DEEDS])(const struct subject *) = {
	[CHURN] = churn,
	[SWAP] = swap_new,
	[IMPORT] = import,
	[MERGE] = merge,
	[FOLD] = fold,
	[RENAME] = rename_spare,
	[FLUSH] = flush,
};

/* Small deeds before each large one; a spare one is there to be renamed. */
static void change_all(const struct subject *subject)
{
	static const enum deed order[] = {
		SWAP, RENAME, CHURN, IMPORT, CHURN, MERGE, RENAME, CHURN,
		FOLD, CHURN, IMPORT, CHURN, FLUSH, RENAME,
	};
	unsigned int i;

	for (i = 0; i < sizeof(order) / sizeof(order[0]) && !ended; i++) {
		done[order[i]] += deeds[order[i]](subject);
		ask(subject->name, CONTROL_FIRST, CONTROL_COUNT);
	}
}

static void report(void)
{
	enum deed deed;

	for (deed = 0; deed < DEEDS; deed++)
		printf("%s %ju ", words[deed], (uintmax_t)done[deed]);
	printf("adds %ju refused %ju missed %ju\n", (uintmax_t)added,
	       (uintmax_t)refused, (uintmax_t)missed);
}

static void prepare(struct subject *subject, const char *name)
{
	struct seen_filter_info info;

	subject->name = name;
	snprintf(subject->spare, sizeof(subject->spare), "%.20s.spare", name);
	snprintf(subject->spent, sizeof(subject->spent), "%.20s.spent", name);
	snprintf(subject->path, sizeof(subject->path), "/tmp/%.20s.%d", name,
		 getpid());
	if (seen_filter_get(client, name, &info) ||
	    seen_filter_secret(client, name, info.config.secret)) {
		errno = 0;
		fatal(seen_error(client));
	}
	subject->config = info.config;
	subject->config.has_secret = true;
	strcpy(subject->config.name, subject->spare);
}

static void clean_up(const struct subject *subject)
{
	must(delete, subject->spare);
	must(delete, subject->spent);
	unlink(subject->path);
}

int main(int argc, char **argv)
{
	static struct subject subjects[FILTERS];
	int count = argc - 1, i;

	if (!count || count > FILTERS)
		fatal("usage: change FILTER...");
	client = connect_seen();
	for (i = 0; i < count; i++)
		prepare(&subjects[i], argv[i + 1]);
	until_told();
	for (i = 0; !ended; i = (i + 1) % count)
		change_all(&subjects[i]);
	for (i = 0; i < count; i++)
		clean_up(&subjects[i]);
	seen_close(client);
	report();
	return 0;
}
