// SPDX-License-Identifier: GPL-2.0
/*
 * shadow READERS FILTER...: until SIGTERM, keeps each filter filled with numbered keys, the KEEP
 * youngest that it stored. One process adds keys and deletes the oldest ones if the type can
 * delete; otherwise it replaces or flushes the filter. Other processes look up keys that must be
 * there: every key that was stored and not deleted must be seen. A cuckoo filter or a map this
 * full moves a key for each new one. Bloom filters are folded meanwhile. Prints how often each
 * was done, and the number of missed keys.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ports.h"

/* Keys in a request that changes a filter, and keys in a filter. */
#define BATCH	50
#define KEEP	1500

/**
 * struct stream - the keys of a filter, shared by the writer and the readers
 * @tail: number of the oldest stored key; set before older keys are deleted
 * @head: number of the next key; set after keys are added
 */
struct stream {
	uint64_t tail;
	uint64_t head;
	uint64_t added;
	uint64_t deleted;
	uint64_t renewed;
	uint64_t folded;
	uint64_t asked;
	uint64_t missed;
};

static struct stream *streams;
static struct seen_client *client;
static struct seen_keys keys;

static uint64_t load(const uint64_t *at)
{
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

static void count(uint64_t *at, uint64_t more)
{
	__atomic_add_fetch(at, more, __ATOMIC_RELEASE);
}

static void check(int err)
{
	if (!err)
		return;
	errno = 0;
	fatal(seen_error(client));
}

/* Return: number of keys done. If memory is short, the caller repeats the others later. */
static uint32_t bring(const char *filter, enum seen_cmd cmd, uint64_t first,
		      uint32_t number)
{
	int err;

	keys_fill(&keys, first, number);
	err = seen_keys_send(client, cmd, filter, false, &keys);
	if (err != -ENOMEM)
		check(err);
	return keys.done;
}

/* With a window two keys may share an entry, which the first deletion removes. */
static bool can_delete(const struct seen_filter_config *config)
{
	return config->type != SEEN_TYPE_BLOOM && !config->window;
}

static bool can_fold(const struct seen_filter_config *config)
{
	return config->type == SEEN_TYPE_BLOOM && !config->window;
}

static void delete_oldest(struct stream *stream, const char *filter)
{
	uint64_t first = stream->tail;
	uint32_t done = 0;

	count(&stream->tail, BATCH);
	while (done < BATCH)
		done += bring(filter, SEEN_CMD_KEY_DEL, first + done,
			      BATCH - done);
	count(&stream->deleted, BATCH);
}

/* Replaces the filter by a new one of the original size; types without fold are also flushed. */
static void renew(struct stream *stream,
		  const struct seen_filter_config *config)
{
	bool flush = !can_fold(config) && stream->renewed % 2;
	int err;

	count(&stream->tail, stream->head - stream->tail);
	if (!flush)
		check(seen_filter_del(client, config->name, false));
	do
		err = flush ? seen_filter_flush(client, config->name) :
			      seen_filter_add(client, config);
	while (err == -ENOMEM);
	check(err);
	count(&stream->renewed, 1);
}

static void keep(struct stream *stream, const struct seen_filter_config *config)
{
	uint32_t done;

	if (stream->head - stream->tail + BATCH > KEEP) {
		if (can_delete(config))
			delete_oldest(stream, config->name);
		else
			renew(stream, config);
	}
	done = bring(config->name, SEEN_CMD_KEY_ADD, stream->head, BATCH);
	count(&stream->head, done);
	count(&stream->added, done);
}

/* The filter is just being replaced, or memory is short for the answer. */
static bool is_away(int err)
{
	return err == -ENOENT || err == -ENOMEM;
}

static void judge(struct stream *stream, const char *filter, uint64_t first)
{
	uint64_t tail = load(&stream->tail), asked = 0, missed = 0;
	uint32_t i;

	for (i = 0; i < keys.done; i++) {
		if (first + i < tail)
			continue;
		asked++;
		if (keys.result[i] == SEEN_KEY_RESULT_SEEN)
			continue;
		if (!missed++)
			fprintf(stderr, "%s: key %ju: answer %u\n", filter,
				(uintmax_t)(first + i), keys.result[i]);
	}
	count(&stream->asked, asked);
	count(&stream->missed, missed);
}

static void ask(struct stream *stream, const struct seen_filter_config *config)
{
	uint64_t tail = load(&stream->tail), head = load(&stream->head);
	uint64_t first = tail + random() % (head - tail + 1);
	int err;

	if (first == head)
		return;
	keys_fill(&keys, first, head - first < step() ? head - first : step());
	err = seen_keys_send(client, SEEN_CMD_KEY_TEST, config->name, false,
			     &keys);
	if (!is_away(err))
		check(err);
	judge(stream, config->name, first);
}

/* Folds the filter to the size for KEEP keys; -ENOSPC means that it has that size already. */
static void fold(struct stream *stream, const struct seen_filter_config *config)
{
	struct seen_filter_info info;
	int err = seen_filter_fold(client, config->name, KEEP, &info);

	if (!is_away(err) && err != -ENOSPC)
		check(err);
	count(&stream->folded, !err);
}

static void run(void (*role)(struct stream *stream,
			     const struct seen_filter_config *config),
		struct stream *stream, const struct seen_filter_config *config,
		unsigned int index)
{
	if (fork())
		return;
	client = connect_seen();
	draw_anew(index);
	pin(index);
	while (!ended) {
		role(stream, config);
		if (!ended)
			rest();
	}
	exit(0);
}

/* Return: number of processes started. */
static unsigned int start(struct stream *stream, const char *filter,
			  unsigned int readers, unsigned int index)
{
	struct seen_filter_info info;
	unsigned int i;

	client = connect_seen();
	check(seen_filter_get(client, filter, &info));
	seen_close(client);
	run(keep, stream, &info.config, index);
	for (i = 1; i <= readers; i++)
		run(ask, stream, &info.config, index + i);
	if (!can_fold(&info.config))
		return i;
	run(fold, stream, &info.config, index + i);
	return i + 1;
}

static int lacking(int filters)
{
	int i, sum = 0;

	for (i = 0; i < filters; i++)
		sum += !load(&streams[i].asked) ||
		       load(&streams[i].added) < 2 * KEEP;
	return sum;
}

#define SUM(word)						\
do {								\
	uint64_t sum = 0;					\
	int i;							\
								\
	for (i = 0; i < filters; i++)				\
		sum += streams[i].word;				\
	printf(#word " %ju ", (uintmax_t)sum);			\
} while (0)

static void report(int filters)
{
	SUM(added);
	SUM(deleted);
	SUM(renewed);
	SUM(folded);
	SUM(asked);
	SUM(missed);
	puts("");
}

int main(int argc, char **argv)
{
	unsigned int children = 0;
	int filters = argc - 2, i;

	if (filters < 1)
		fatal("usage: shadow READERS FILTER...");
	streams = shared_alloc(filters * sizeof(*streams));
	until_told();
	setpgid(0, 0);
	for (i = 0; i < filters; i++)
		children += start(&streams[i], argv[i + 2], number(argv[1]),
				  children);
	while (!ended) {
		if (!lacking(filters))
			passed();
		usleep(100000);
	}
	kill(0, SIGTERM);
	if (!reap(children))
		fatal("a process failed");
	report(filters);
	return 0;
}
