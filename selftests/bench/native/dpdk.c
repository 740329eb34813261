// SPDX-License-Identifier: GPL-2.0
/* DPDK's member library: a hash table of signatures, and a vector of Bloom filters. */
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_log.h>
#include <rte_malloc.h>
#include <rte_member.h>
#include <rte_memory.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define FPP	0.0042f		/* what 12 bits a key give the others */
#define SET	1
#define ARGS	8
#define PROBE	(4 << 20)
#define HEAVIEST	100

static struct rte_member_setsum *make(enum rte_member_setsum_type type, u64 capacity, u32 len)
{
	static u32 count;
	struct rte_member_parameters parameters = {
		.type = type,
		.num_keys = capacity,
		.key_len = len,
		.num_set = 1,
		.false_positive_rate = type == RTE_MEMBER_TYPE_SKETCH ?
				       SKETCH_FPP : FPP,
		.error_rate = 1.0f / SKETCH_ERROR,
		.sample_rate = 1.0f,
		.top_k = HEAVIEST,
		.prim_hash_seed = 1,
		.sec_hash_seed = 11,
	};
	struct rte_member_setsum *set;
	char name[RTE_MEMBER_NAMESIZE];

	snprintf(name, sizeof(name), "set %u", count++);
	parameters.name = name;
	set = rte_member_create(&parameters);
	if (!set)
		fprintf(stderr, "rte_member_create: %s\n", rte_strerror(rte_errno));
	return set;
}

static void *make_table(u64 capacity, u32 len)
{
	return make(RTE_MEMBER_TYPE_HT, capacity, len);
}

static void *make_bloom(u64 capacity, u32 len)
{
	return make(RTE_MEMBER_TYPE_VBF, capacity, len);
}

static void *make_sketch(u64 capacity, u32 len)
{
	return make(RTE_MEMBER_TYPE_SKETCH, capacity, len);
}

static u64 table_bytes(const void *self)
{
	const struct rte_member_setsum *set = self;

	return (u64)set->bucket_cnt * RTE_MEMBER_BUCKET_ENTRIES * 2 * sizeof(member_set_t);
}

static u64 bloom_bytes(const void *self)
{
	const struct rte_member_setsum *set = self;

	return (u64)set->bits * set->num_set / 8;
}

static u64 sketch_bytes(const void *self)
{
	const struct rte_member_setsum *set = self;

	return (u64)set->num_row * set->num_col * sizeof(uint64_t);
}

static void destroy(void *self)
{
	rte_member_free(self);
}

static const void *key_of(const struct keys *keys, u64 i)
{
	return keys->bytes + i * keys->len;
}

static u64 insert(void *self, const struct keys *keys)
{
	u64 stored = 0;
	u64 i;

	for (i = 0; i < keys->count; i++)
		stored += rte_member_add(self, key_of(keys, i), SET) >= 0;
	return stored;
}

static u64 lookup(void *self, const struct keys *keys)
{
	member_set_t set;
	u64 seen = 0;
	u64 i;

	for (i = 0; i < keys->count; i++)
		seen += rte_member_lookup(self, key_of(keys, i), &set) > 0;
	return seen;
}

static u64 count(void *self, const struct keys *keys)
{
	uint64_t times;
	u64 seen = 0;
	u64 i;

	for (i = 0; i < keys->count; i++)
		seen += !rte_member_query_count(self, key_of(keys, i), &times) &&
			times;
	return seen;
}

static u64 lookup_serial(void *self, const struct keys *keys)
{
	member_set_t set;
	u64 seen = 0;
	u64 i;

	for (i = 0; i < keys->count; i++) {
		seen += rte_member_lookup(self, key_of(keys, i), &set) > 0;
		fence();
	}
	return seen;
}

static u64 fused(void *self, const struct keys *keys)
{
	member_set_t set;
	u64 seen = 0;
	u64 i;

	for (i = 0; i < keys->count; i++) {
		if (rte_member_lookup(self, key_of(keys, i), &set) > 0)
			seen++;
		else
			rte_member_add(self, key_of(keys, i), SET);
	}
	return seen;
}

static u64 delete(void *self, const struct keys *keys)
{
	u64 done = 0;
	u64 i;

	for (i = 0; i < keys->count; i++)
		done += !rte_member_delete(self, key_of(keys, i), SET);
	return done;
}

/* Not exact: a key of the table may be missing if an insert has failed. */
const struct contender contenders[] = {
	{
		.name = "dpdk hash table",
		.whole = true,
		.make = make_table,
		.bytes = table_bytes,
		.destroy = destroy,
		.run[OP_INSERT] = insert,
		.run[OP_LOOKUP] = lookup,
		.run[OP_LOOKUP_SERIAL] = lookup_serial,
		.run[OP_FUSED] = fused,
		.run[OP_DELETE] = delete,
	},
	{
		.name = "dpdk bloom vector",
		.whole = true,
		.exact = true,
		.make = make_bloom,
		.bytes = bloom_bytes,
		.destroy = destroy,
		.run[OP_INSERT] = insert,
		.run[OP_LOOKUP] = lookup,
		.run[OP_LOOKUP_SERIAL] = lookup_serial,
		.run[OP_FUSED] = fused,
	},
	{
		.name = "dpdk sketch",
		.whole = true,
		.exact = true,
		.make = make_sketch,
		.bytes = sketch_bytes,
		.destroy = destroy,
		.run[OP_INSERT] = insert,
		.run[OP_LOOKUP] = count,
	},
	{ }
};

static int advise(const struct rte_memseg_list *list, void *unused)
{
	memory_advise(list->base_va, list->len);
	return 0;
}

/* DPDK's memory is shared, and gets large pages only if the machine allows it for such memory. */
static bool gets_huge(void)
{
	void *probe = rte_malloc(NULL, PROBE, PROBE);
	bool huge;

	if (!probe)
		return false;
	memset(probe, 0, PROBE);
	huge = memory_is_huge(probe);
	rte_free(probe);
	return huge;
}

/* Without DPDK's own pool of large pages, which the machine would have to reserve. */
void contenders_init(bool huge)
{
	static char words[ARGS][24] = {
		"dpdk", "--no-huge", "--no-shconf", "--no-pci", "--no-telemetry",
		"--log-level=error", "-m", "1024",
	};
	char *args[ARGS + 1] = { };
	int i;

	for (i = 0; i < ARGS; i++)
		args[i] = words[i];
	if (rte_eal_init(ARGS, args) < 0) {
		fprintf(stderr, "rte_eal_init: %s\n", rte_strerror(rte_errno));
		exit(1);
	}
	rte_memseg_list_walk(advise, NULL);
	if (huge && !gets_huge())
		exit(NO_SUCH_PAGES);
}
