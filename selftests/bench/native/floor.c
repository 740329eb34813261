// SPDX-License-Identifier: GPL-2.0
/* Lower bounds for any filter on this machine: a line of memory, an update, a hash. */
#include "bench.h"
#include "siphash.h"

#define LINE_WORDS	8
#define LINE_BITS	512
#define BITS		12
#define L1_WORDS	2048	/* 16 KiB */

static const struct seen_secret secret = { { 0x5eed, 0x5eed5eed } };

struct table {
	u64 words;
	u64 *word;
};

static void *make_words(u64 words)
{
	struct table *table = memory_get(sizeof(*table));

	table->words = words;
	table->word = memory_get(words * sizeof(u64));
	return table;
}

/* As many lines as a Bloom filter for so many keys has. */
static void *make_lines(u64 capacity, u32 len)
{
	return make_words((capacity * BITS + LINE_BITS - 1) / LINE_BITS * LINE_WORDS);
}

static void *make_l1(u64 capacity, u32 len)
{
	return make_words(L1_WORDS);
}

static u64 table_bytes(const void *self)
{
	const struct table *table = self;

	return table->words * sizeof(u64);
}

static void table_destroy(void *self)
{
	struct table *table = self;

	memory_put(table->word, table_bytes(table));
	memory_put(table, sizeof(*table));
}

static u64 *word_of(const struct table *table, u64 hash)
{
	return &table->word[seen_range(hash, table->words)];
}

static __always_inline u64 read_words(const struct table *table, const struct keys *keys,
				      bool fenced)
{
	u64 seen = 0;
	u64 i;

	for (i = 0; i < keys->count; i++) {
		seen += READ_ONCE(*word_of(table, keys->hash[i])) & 1;
		if (fenced)
			fence();
	}
	return seen;
}

static u64 read_all(void *self, const struct keys *keys)
{
	return read_words(self, keys, false);
}

static u64 read_serial(void *self, const struct keys *keys)
{
	return read_words(self, keys, true);
}

static __always_inline u64 update_words(const struct table *table, const struct keys *keys,
					bool fenced)
{
	u64 i, *word;

	for (i = 0; i < keys->count; i++) {
		word = word_of(table, keys->hash[i]);
		WRITE_ONCE(*word, *word | keys->hash[i]);
		if (fenced)
			fence();
	}
	return 0;
}

static u64 update_all(void *self, const struct keys *keys)
{
	return update_words(self, keys, false);
}

static u64 update_serial(void *self, const struct keys *keys)
{
	return update_words(self, keys, true);
}

static u64 lock_all(void *self, const struct keys *keys)
{
	const struct table *table = self;
	u64 i;

	for (i = 0; i < keys->count; i++)
		__atomic_fetch_or(word_of(table, keys->hash[i]), 1, __ATOMIC_RELAXED);
	return 0;
}

static u64 hash13(void *self, const struct keys *keys)
{
	u64 sum = 0;
	u64 i;

	for (i = 0; i < keys->count; i++)
		sum += seen_siphash13(keys->bytes + i * keys->len, keys->len, &secret) & 1;
	return sum;
}

static u64 hash13_serial(void *self, const struct keys *keys)
{
	u64 sum = 0;
	u64 i;

	for (i = 0; i < keys->count; i++) {
		sum += seen_siphash13(keys->bytes + i * keys->len, keys->len, &secret) & 1;
		fence();
	}
	return sum;
}

static u64 hash24(void *self, const struct keys *keys)
{
	u64 sum = 0;
	u64 i;

	for (i = 0; i < keys->count; i++)
		sum += seen_siphash24(keys->bytes + i * keys->len, keys->len, &secret) & 1;
	return sum;
}

#define TABLE(label, from)						\
	.name = label, .make = from, .bytes = table_bytes, .destroy = table_destroy

const struct contender contenders[] = {
	{ TABLE("a line of memory", make_lines), .run[OP_INSERT] = update_all,
	  .run[OP_LOOKUP] = read_all, .run[OP_LOOKUP_SERIAL] = read_serial,
	  .run[OP_FUSED_SERIAL] = update_serial },
	{ TABLE("update in L1", make_l1), .run[OP_INSERT] = update_all },
	{ TABLE("locked update in L1", make_l1), .run[OP_INSERT] = lock_all },
	{ TABLE("siphash-1-3", make_l1), .whole = true, .run[OP_INSERT] = hash13,
	  .run[OP_LOOKUP] = hash13, .run[OP_LOOKUP_SERIAL] = hash13_serial },
	{ TABLE("siphash-2-4", make_l1), .whole = true, .run[OP_INSERT] = hash24,
	  .run[OP_LOOKUP] = hash24 },
	{ }
};

void contenders_init(bool huge)
{
}
