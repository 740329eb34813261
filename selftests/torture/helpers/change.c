// SPDX-License-Identifier: GPL-2.0
/*
 * change SWAPS FILTER...: until SIGTERM, changes each filter in every way in which a filter in
 * use can be changed, one after the other: keys are added and deleted; another filter with the
 * control set is swapped with it, or replaces it by an import; it is merged into an empty filter,
 * with which it is then swapped; it is folded. The spare filters are renamed, flushed and deleted.
 * Keys that this program has added must be found until another one can have removed them. Prints
 * how often each change was made, the number of changes that a type supports but that its filter
 * never got, and the number of missed keys.
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
/* Tries of a millisecond each, within which memory becomes available again. */
#define TRIES	60000

/**
 * struct subject - a filter that is changed
 * @name: its name
 * @spare: name of the filter that is swapped with it
 * @spent: another name for the spare filter
 * @path: file for exports
 * @config: parameters of the spare filter
 * @done: number of changes of each kind
 */
struct subject {
	const char *name;
	char spare[SEEN_NAME_MAX];
	char spent[SEEN_NAME_MAX];
	char path[64];
	struct seen_filter_config config;
	uint64_t done[DEEDS];
};

static struct subject subjects[FILTERS];
static int count;
/* Number of swaps in a row, because a single one is short. */
static uint64_t swaps;
static struct seen_client *client;
static struct seen_keys keys;
static uint64_t refused, added, missed;

static bool folds(const struct subject *subject)
{
	return subject->config.type == SEEN_TYPE_BLOOM &&
	       !subject->config.window;
}

/* Types with room for a fixed number of keys. */
static bool fills(const struct subject *subject)
{
	uint32_t type = subject->config.type;

	return type == SEEN_TYPE_CUCKOO || type == SEEN_TYPE_MAP ||
	       type == SEEN_TYPE_COUNTING;
}

/* Types whose keys move. */
static bool moves(const struct subject *subject)
{
	uint32_t type = subject->config.type;

	return type == SEEN_TYPE_CUCKOO || type == SEEN_TYPE_MAP;
}

/* Keys with the same fingerprint share one entry, which any deletion removes. */
static bool shares(const struct subject *subject)
{
	return subject->config.type == SEEN_TYPE_CUCKOO &&
	       subject->config.window;
}

/*
 * The only permitted reasons: the filter is full; a key moved during an export or a merge; the
 * sizes differ after a fold; the filter has its smallest size already.
 */
static bool may_refuse(const struct subject *subject, enum deed deed, int err)
{
	switch (deed) {
	case CHURN:
		return err == -ENOSPC && fills(subject);
	case IMPORT:
		return err == -EAGAIN && moves(subject);
	case MERGE:
		return (err == -ENOSPC && fills(subject)) ||
		       (err == -EAGAIN && moves(subject)) ||
		       (err == -EINVAL && folds(subject));
	case FOLD:
		return err == (folds(subject) ? -ENOSPC : -EOPNOTSUPP);
	default:
		return false;
	}
}

static void fail(const char *filter, const char *deed)
{
	fprintf(stderr, "%s: %s: ", filter, deed);
	errno = 0;
	fatal(seen_error(client));
}

/* Return: true if the change was made. Memory may be short at any time. */
static bool did(const struct subject *subject, enum deed deed, int err)
{
	if (!err)
		return true;
	if (err != -ENOMEM && !may_refuse(subject, deed, err))
		fail(subject->name, words[deed]);
	refused++;
	return false;
}

/* Repeats a change that must succeed as soon as there is memory. */
static void must(int (*deed)(const char *filter), const char *filter)
{
	int tries = 0, err;

	while ((err = deed(filter)) == -ENOMEM && ++tries < TRIES) {
		refused++;
		usleep(1000);
	}
	if (err)
		fail(filter, "must");
}

static int delete(const char *filter)
{
	int err = seen_filter_del(client, filter, false);

	return err == -ENOENT ? 0 : err;
}

/* Return: number of keys stored; for the others the filter was full, or memory short. */
static uint32_t add(const struct subject *subject, enum deed deed,
		    const char *filter, uint16_t first, uint32_t count)
{
	ports_fill(&keys, first, count);
	did(subject, deed, seen_keys_send(client, SEEN_CMD_KEY_ADD, filter,
					  false, &keys));
	added += keys.done;
	return keys.done;
}

static void ask_some(const struct subject *subject, enum deed deed,
		     uint16_t first, uint32_t count)
{
	uint32_t i;

	ports_fill(&keys, first, count);
	if (seen_keys_send(client, SEEN_CMD_KEY_TEST, subject->name, false,
			   &keys) == -ENOMEM)
		refused++;
	else if (keys.done != count)
		fail(subject->name, words[deed]);
	for (i = 0; i < keys.done; i++)
		missed += keys.result[i] != SEEN_KEY_RESULT_SEEN;
}

static void ask(const struct subject *subject, enum deed deed, uint16_t first,
		uint32_t count)
{
	uint32_t at;

	for (at = 0; at < count; at += step())
		ask_some(subject, deed, first + at,
			 count - at < step() ? count - at : step());
}

static bool can_delete(const struct subject *subject)
{
	uint32_t type = subject->config.type;

	return type == SEEN_TYPE_BITMAP || type == SEEN_TYPE_COUNTING ||
	       type == SEEN_TYPE_MAP || type == SEEN_TYPE_CUCKOO;
}

/* Fills a new filter, which has room for all keys. Return: false if SIGTERM arrived before. */
static bool fill(const struct subject *subject, enum deed deed)
{
	uint32_t at, i;

	for (at = 0; at < control_count(); at += step())
		for (i = 0; i < step(); ) {
			if (ended)
				return false;
			i += add(subject, deed, subject->spare,
				 CONTROL_FIRST + at + i, step() - i);
		}
	return true;
}

/* Adds the spare filter: the same parameters, empty. */
static bool add_spare(const struct subject *subject, enum deed deed)
{
	must(delete, subject->spare);
	return did(subject, deed, seen_filter_add(client, &subject->config));
}

/* A key that was seen when it was added may share another key's entry, so it must stay. */
static bool can_take(const struct subject *subject, uint8_t result)
{
	return !shares(subject) || result == SEEN_KEY_RESULT_NEW;
}

/* Deletes those of the first @count own keys that may be deleted. Return: at least one was. */
static bool take_away(const struct subject *subject, const uint8_t *result,
		      uint32_t count)
{
	uint32_t first = 0, taken = 0, end;
	int err = 0;

	while (first < count && !err) {
		for (end = first; end < count && can_take(subject, result[end]);)
			end++;
		if (end > first) {
			ports_fill(&keys, OWN_FIRST + first, end - first);
			err = seen_keys_send(client, SEEN_CMD_KEY_DEL,
					     subject->name, false, &keys);
			taken += keys.done;
		}
		first = end + 1;
	}
	return did(subject, CHURN, err) && taken;
}

static bool swap(const struct subject *subject)
{
	return did(subject, SWAP, seen_filter_swap(client, subject->name,
						   subject->spare));
}

/* Looks up the first @count own keys, which have just been added, and deletes them. */
static bool ask_and_take(const struct subject *subject, const uint8_t *result,
			 uint32_t count)
{
	ask(subject, CHURN, OWN_FIRST, count);
	return !can_delete(subject) || take_away(subject, result, count);
}

/* If packets fill the filter, use the spare one, which has room until it is swapped in. */
static bool churn_new(const struct subject *subject)
{
	uint8_t result[OWN_COUNT];
	uint32_t count;

	if (!add_spare(subject, CHURN) || !fill(subject, CHURN))
		return false;
	count = add(subject, CHURN, subject->spare, OWN_FIRST, OWN_COUNT);
	memcpy(result, keys.result, sizeof(result));
	return count && swap(subject) && ask_and_take(subject, result, count);
}

static bool churn(struct subject *subject)
{
	uint32_t count = add(subject, CHURN, subject->name, OWN_FIRST,
			     OWN_COUNT);
	uint8_t result[OWN_COUNT];

	if (!count)
		return churn_new(subject);
	memcpy(result, keys.result, sizeof(result));
	return ask_and_take(subject, result, count);
}

/* Both filters have the control set: they are swapped, and swapped back. */
static bool swap_new(struct subject *subject)
{
	uint64_t i;

	if (!add_spare(subject, SWAP) || !fill(subject, SWAP))
		return false;
	for (i = 0; i < swaps && !ended; i++)
		subject->done[SWAP] += swap(subject);
	return swap(subject);
}

static bool import(struct subject *subject)
{
	return did(subject, IMPORT,
		   seen_filter_export(client, subject->name, subject->path,
				      true)) &&
	       did(subject, IMPORT,
		   seen_filter_import(client, subject->name, subject->path,
				      NULL, true));
}

static bool merge(struct subject *subject)
{
	struct seen_filter_info info;

	return add_spare(subject, MERGE) &&
	       did(subject, MERGE,
		   seen_filter_merge(client, subject->spare, subject->name,
				     true, &info)) &&
	       swap(subject);
}

static bool fold(struct subject *subject)
{
	struct seen_filter_info info;

	return did(subject, FOLD,
		   seen_filter_fold(client, subject->name, 0, &info));
}

static bool flush(struct subject *subject)
{
	return add_spare(subject, FLUSH) &&
	       add(subject, FLUSH, subject->spare, OWN_FIRST, OWN_COUNT) &&
	       did(subject, FLUSH, seen_filter_flush(client, subject->spare));
}

/* Renames the filter that was swapped out. */
static bool rename_spare(struct subject *subject)
{
	must(delete, subject->spent);
	return did(subject, RENAME,
		   seen_filter_rename(client, subject->spare,
				      subject->spent));
}

static bool (*const deeds[DEEDS])(struct subject *) = {
	[CHURN] = churn,
	[SWAP] = swap_new,
	[IMPORT] = import,
	[MERGE] = merge,
	[FOLD] = fold,
	[RENAME] = rename_spare,
	[FLUSH] = flush,
};

/* Small changes before each large one; a rename needs the spare filter of the one before. */
static void change_all(struct subject *subject)
{
	static const enum deed order[] = {
		SWAP, RENAME, CHURN, IMPORT, CHURN, MERGE, RENAME, CHURN,
		FOLD, CHURN, IMPORT, CHURN, FLUSH, RENAME,
	};
	unsigned int i;

	for (i = 0; i < sizeof(order) / sizeof(order[0]) && !ended; i++) {
		subject->done[order[i]] += deeds[order[i]](subject);
		ask(subject, order[i], CONTROL_FIRST, control_count());
		if (!ended)
			rest();
	}
}

static bool lacks(const struct subject *subject, enum deed deed)
{
	return !subject->done[deed] && (deed != FOLD || folds(subject));
}

/* The number of changes that a filter never got although its type supports them. */
static int lacking(void)
{
	int i, sum = 0, deed;

	for (i = 0; i < count; i++)
		for (deed = 0; deed < DEEDS; deed++)
			sum += lacks(&subjects[i], deed);
	return sum;
}

static void report(void)
{
	uint64_t sum;
	int deed, i;

	for (deed = 0; deed < DEEDS; deed++) {
		for (sum = i = 0; i < count; i++)
			sum += subjects[i].done[deed];
		printf("%s %ju ", words[deed], (uintmax_t)sum);
	}
	printf("adds %ju refused %ju missed %ju lacking %d\n",
	       (uintmax_t)added, (uintmax_t)refused, (uintmax_t)missed,
	       lacking());
	for (i = 0; i < count; i++)
		for (deed = 0; deed < DEEDS; deed++)
			if (lacks(&subjects[i], deed))
				fprintf(stderr, "%s lacks %s\n",
					subjects[i].name, words[deed]);
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
	int i;

	count = argc - 2;
	if (count < 1 || count > FILTERS)
		fatal("usage: change SWAPS FILTER...");
	swaps = number(argv[1]);
	client = connect_seen();
	for (i = 0; i < count; i++)
		prepare(&subjects[i], argv[i + 2]);
	until_told();
	for (i = 0; !ended; i = (i + 1) % count) {
		change_all(&subjects[i]);
		if (!lacking())
			passed();
	}
	for (i = 0; i < count; i++)
		clean_up(&subjects[i]);
	seen_close(client);
	report();
	return 0;
}
