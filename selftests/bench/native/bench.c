// SPDX-License-Identifier: GPL-2.0
/*
 * PROGRAM KEYS LEN 2M|4K ROUND: one round of all contenders of a program, each with KEYS keys of
 * LEN bytes (0: with ready hashes), in memory with pages of this size. Prints a line of JSON for
 * each figure. The exit status is 1 if a stored key is missing. ONLY=WORDS,WORDS: only contenders
 * whose name contains one of these texts.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "memory.h"
#include "siphash.h"

/* Lookups in a figure, which is their mean; and the least number of inserts, in several fills. */
#define QUERIES		1048576ULL
/* A prime that divides no number of keys: steps of it visit each key before one again. */
#define STRIDE		982451653ULL
/* In a full filter, so many keys at a time are deleted, and as many others inserted. */
#define EXCHANGE	64

static const char *const op_names[OPS] = {
	"insert", "lookup", "lookup serial", "lookup batch", "test-and-add",
	"test-and-add serial", "delete", "insert full", "delete full",
};

static struct {
	u64 keys;
	u32 len;
	const char *pages;
	u64 round;
} option;

static const struct seen_secret secret = { { 0x5eed, 0x5eed5eed } };
static bool wrong;

/* Makes key number @number: different for each number, and without a pattern. */
static void key_make(u64 number, unsigned char *key, u32 len)
{
	u64 word;
	u32 at;

	for (at = 0; at < len; at += sizeof(word)) {
		word = seen_remix(number * 8 + at / sizeof(word) + 1);
		memcpy(key + at, &word, len - at < sizeof(word) ? len - at : sizeof(word));
	}
}

static void keys_alloc(struct keys *keys, u64 most)
{
	keys->len = option.len;
	if (option.len)
		keys->bytes = memory_get(most * option.len);
	else
		keys->hash = memory_get(most * sizeof(u64));
}

static void keys_free(struct keys *keys, u64 most)
{
	if (keys->bytes)
		memory_put(keys->bytes, most * keys->len);
	if (keys->hash)
		memory_put(keys->hash, most * sizeof(u64));
}

static void keys_put(struct keys *keys, u64 at, u64 number)
{
	unsigned char key[sizeof(u64)];

	if (keys->bytes) {
		key_make(number, keys->bytes + at * keys->len, keys->len);
		return;
	}
	key_make(number, key, sizeof(key));
	keys->hash[at] = seen_siphash13(key, sizeof(key), &secret);
}

/* The number of the first key of a round. Each round has keys of its own. */
static u64 first_number(void)
{
	return (option.round + 1) << 40;
}

static void keys_range(struct keys *keys, u64 first, u64 count)
{
	u64 i;

	for (i = 0; i < count; i++)
		keys_put(keys, i, first_number() + first + i);
	keys->count = count;
}

/**
 * struct members - the numbers of the keys in a filter
 * @first: the first number
 * @count: how many there are
 * @asked: how many were drawn for lookups so far
 * @strangers: how many numbers of other keys were drawn so far
 */
struct members {
	u64 first;
	u64 count;
	u64 asked;
	u64 strangers;
};

/* Fills @keys with @percent members and other keys. Return: number of members. */
static u64 keys_draw(struct keys *keys, struct members *members, u32 percent, u64 count)
{
	u64 i, number, inside = 0;

	for (i = 0; i < count; i++) {
		if (seen_remix(members->asked + i + 1) % 100 < percent) {
			number = members->first +
				 (members->asked + inside++) * STRIDE % members->count;
		} else {
			number = (1ULL << 39) + members->strangers++;
		}
		keys_put(keys, i, first_number() + number);
	}
	members->asked += inside;
	keys->count = count;
	return inside;
}

/* CPU time of this thread, so that time in which others run does not count. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

/**
 * struct figure - one result
 * @contender: the contender
 * @op: the operation
 * @percent: percentage of members among the keys
 * @ns: time in total
 * @count: number of keys
 * @inside: number of members among them
 * @seen: number of answers "seen"
 * @bytes: memory of the filter
 */
struct figure {
	const struct contender *contender;
	enum operation op;
	u32 percent;
	double ns;
	u64 count;
	u64 inside;
	u64 seen;
	u64 bytes;
};

/* The time of reading the clock, which is a system call. */
static double clock_ns(void)
{
	double begin = now();
	u32 i;

	for (i = 1; i < EXCHANGE * EXCHANGE; i++)
		now();
	return (now() - begin) / i;
}

/* The function for an operation: those on a full filter use the normal functions. */
static enum operation done_by(enum operation op)
{
	switch (op) {
	case OP_INSERT_FULL:
		return OP_INSERT;
	case OP_DELETE_FULL:
		return OP_DELETE;
	default:
		return op;
	}
}

static void figure_run(struct figure *f, void *self, const struct keys *keys)
{
	u64 (*run)(void *self, const struct keys *keys) =
		f->contender->run[done_by(f->op)];
	double begin = now();

	f->seen += run(self, keys);
	f->ns += now() - begin;
	f->count += keys->count;
}

/* Prints a figure; a stored key that is missing is an error. */
static void figure_print(const struct figure *f)
{
	bool missing = f->contender->exact && f->seen < f->inside;

	printf("{\"contender\": \"%s\", \"op\": \"%s\", ", f->contender->name,
	       op_names[f->op]);
	printf("\"keys\": %llu, \"len\": %u, \"percent\": %u, ", option.keys, option.len,
	       f->percent);
	printf("\"pages\": \"%s\", \"round\": %llu, ", option.pages, option.round);
	printf("\"ns\": %.4f, \"count\": %llu, ", f->ns / f->count, f->count);
	printf("\"inside\": %llu, \"seen\": %llu, \"bytes\": %llu}\n", f->inside, f->seen,
	       f->bytes);
	if (missing)
		fprintf(stderr, "%s: %s: %llu of %llu keys are missing\n",
			f->contender->name, op_names[f->op], f->inside - f->seen, f->inside);
	wrong |= missing;
}

static u64 bytes_of(const struct contender *c, const void *self)
{
	return c->bytes ? c->bytes(self) : 0;
}

static void *make(const struct contender *c)
{
	void *self = c->make(option.keys, option.len);

	if (!self) {
		fprintf(stderr, "%s: none for %llu keys\n", c->name, option.keys);
		exit(1);
	}
	return self;
}

/* Fills an empty filter, repeatedly if the keys are few; the last filter is returned. */
static void *fill(const struct contender *c, enum operation op, const struct keys *keys)
{
	struct figure f = { .contender = c, .op = op };
	void *self = make(c);

	for (;;) {
		figure_run(&f, self, keys);
		if (f.count >= QUERIES)
			break;
		c->destroy(self);
		self = make(c);
	}
	f.bytes = bytes_of(c, self);
	figure_print(&f);
	return self;
}

static void ask(const struct contender *c, void *self, struct members *members,
		struct keys *keys)
{
	static const enum operation ops[] = { OP_LOOKUP, OP_LOOKUP_SERIAL, OP_LOOKUP_BATCH };
	static const u32 percents[] = { 0, 50, 100 };
	u32 i, j;

	for (i = 0; i < 3; i++)
		for (j = 0; j < 3; j++) {
			struct figure f = {
				.contender = c,
				.op = ops[i],
				.percent = percents[j],
				.bytes = bytes_of(c, self),
			};

			if (!c->run[ops[i]])
				continue;
			f.inside = keys_draw(keys, members, percents[j], QUERIES);
			figure_run(&f, self, keys);
			figure_print(&f);
		}
}

/* Test-and-add with keys that are there: it only looks up, and stores nothing. */
static void ask_fused(const struct contender *c, void *self, struct members *members,
		      struct keys *keys)
{
	enum operation op;

	for (op = OP_FUSED; op <= OP_FUSED_SERIAL; op++) {
		struct figure f = { .contender = c, .op = op, .percent = 100 };

		if (!c->run[op])
			continue;
		f.inside = keys_draw(keys, members, 100, QUERIES);
		f.bytes = bytes_of(c, self);
		figure_run(&f, self, keys);
		figure_print(&f);
	}
}

/* Deletes all keys, in another order than they were inserted. */
static void delete_all(const struct contender *c, void *self, struct keys *keys)
{
	struct figure f = { .contender = c, .op = OP_DELETE, .percent = 100 };
	struct members members = { .count = option.keys };
	u64 left = option.keys;
	u64 count;

	f.bytes = bytes_of(c, self);
	while (left) {
		count = left < QUERIES ? left : QUERIES;
		f.inside += keys_draw(keys, &members, 100, count);
		figure_run(&f, self, keys);
		left -= count;
	}
	figure_print(&f);
}

/*
 * The number of the @i-th key to delete: first the keys of the fill, in another order than they
 * were inserted, and then the keys that replaced them.
 */
static u64 old_number(u64 i)
{
	return i < option.keys ? i * STRIDE % option.keys : i;
}

/* The number of the @i-th key to insert, also in another order than that of deletion. */
static u64 new_number(u64 i)
{
	u64 block = option.keys < QUERIES ? option.keys : QUERIES;

	return option.keys + i / block * block + i % block * STRIDE % block;
}

/* Replaces a few keys at a time, so that the filter stays equally full. */
static void exchange(const struct contender *c, void *self, struct keys *keys)
{
	struct figure insert = { .contender = c, .op = OP_INSERT_FULL };
	struct figure delete = { .contender = c, .op = OP_DELETE_FULL, .percent = 100 };
	double clock = clock_ns();
	u64 at, i, times = 0;

	insert.bytes = bytes_of(c, self);
	delete.bytes = insert.bytes;
	for (at = 0; at < QUERIES; at += keys->count, times++) {
		/* No key is deleted in the same turn in which it was inserted. */
		keys->count = option.keys - at % option.keys;
		if (keys->count > EXCHANGE)
			keys->count = EXCHANGE;
		for (i = 0; i < keys->count; i++)
			keys_put(keys, i, first_number() + old_number(at + i));
		figure_run(&delete, self, keys);
		for (i = 0; i < keys->count; i++)
			keys_put(keys, i, first_number() + new_number(at + i));
		figure_run(&insert, self, keys);
	}
	delete.inside = delete.count;
	insert.ns -= times * clock;
	delete.ns -= times * clock;
	figure_print(&insert);
	figure_print(&delete);
}

/* Inserted keys are surely there; a test-and-add does not store false positives. */
static void measure(const struct contender *c, struct keys *stored, struct keys *queries)
{
	struct members members = { .count = option.keys };
	void *self;

	keys_range(stored, 0, option.keys);
	if (c->run[OP_FUSED_SERIAL])
		c->destroy(fill(c, OP_FUSED_SERIAL, stored));
	if (c->run[OP_FUSED])
		c->destroy(fill(c, OP_FUSED, stored));
	if (!c->run[OP_INSERT])
		return;
	self = fill(c, OP_INSERT, stored);
	ask(c, self, &members, queries);
	ask_fused(c, self, &members, queries);
	if (c->run[OP_DELETE]) {
		delete_all(c, self, queries);
		c->run[OP_INSERT](self, stored);
		exchange(c, self, queries);
	}
	c->destroy(self);
}

/* Inserts as many keys as fit into a window, then measures lookups, and inserts at the end. */
static void measure_window(const struct contender *c, struct keys *stored,
			   struct keys *queries)
{
	static const enum operation ops[] = { OP_FUSED, OP_FUSED_SERIAL, OP_INSERT };
	struct members members = { .count = option.keys / 2 };
	void *self = make(c);
	u64 i, next = 0;
	u32 j;

	for (j = 0; j < 3; j++) {
		struct figure f = { .contender = c, .op = ops[j] };

		for (i = 0; !i || f.count < QUERIES; i++) {
			keys_range(stored, next, option.keys);
			next += option.keys;
			c->rest(self);
			if (i)
				figure_run(&f, self, stored);
			else
				c->run[ops[j]](self, stored);
		}
		f.bytes = bytes_of(c, self);
		figure_print(&f);
	}
	members.first = next - members.count;
	ask(c, self, &members, queries);
	c->destroy(self);
}

/* Return: true if @name contains one of the texts in @list, which are separated by commas. */
static bool is_one_of(const char *name, const char *list)
{
	char words[64];
	size_t len;

	for (; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		snprintf(words, sizeof(words), "%.*s", (int)len, list);
		if (strstr(name, words))
			return true;
	}
	return false;
}

/* Each round begins with another contender. */
static void measure_all(struct keys *stored, struct keys *queries)
{
	const char *only = getenv("ONLY");
	const struct contender *c;
	u64 count = 0, i;

	while (contenders[count].name)
		count++;
	for (i = 0; i < count; i++) {
		c = &contenders[(i + option.round) % count];
		if (c->whole != !!option.len || (only && !is_one_of(c->name, only)))
			continue;
		if (c->window)
			measure_window(c, stored, queries);
		else
			measure(c, stored, queries);
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	struct keys stored = { }, queries = { };

	if (argc != 5) {
		fprintf(stderr, "usage: %s KEYS LEN 2M|4K ROUND\n", argv[0]);
		return 2;
	}
	option.keys = strtoull(argv[1], NULL, 0);
	option.len = strtoul(argv[2], NULL, 0);
	option.pages = argv[3];
	option.round = strtoull(argv[4], NULL, 0);
	memory_huge = !strcmp(option.pages, "2M");
	contenders_init(memory_huge);
	keys_alloc(&stored, option.keys);
	keys_alloc(&queries, QUERIES);
	measure_all(&stored, &queries);
	keys_free(&stored, option.keys);
	keys_free(&queries, QUERIES);
	return wrong;
}
