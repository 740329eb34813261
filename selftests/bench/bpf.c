// SPDX-License-Identifier: GPL-2.0
/*
 * Times a lookup per packet: in the sets of BPF, from an XDP program of this machine's kernel by
 * BPF_PROG_TEST_RUN; and in the sets of kmod/core with the same addresses, hash included, in
 * userspace. Each program computes the next address from its packet, looks it up, counts in the
 * packet how many were found, and passes. A program that stores first looks up, as XDP programs
 * do, and stores addresses that are absent.
 *
 *	bpf KEYS ROUNDS		prints a line "# json:" for each round of each program
 *
 * Exit status 4: not possible with this kernel or this user; the reason is on stderr.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "item.h"
#include "pattern.h"
#include "plan.h"

#define FIRST		0x0a000000U
#define FPP_ONE		(2 * SEEN_FPP_MAX)

static unsigned int keys;
/* The counter that a lock of core raises and lowers. */
__thread uint32_t bench_preempt_count;

/* --- programs ---------------------------------------------------------------- */

#define INSN(op, to, from, at, value)					\
	((struct bpf_insn){ .code = (op), .dst_reg = (to),		\
			    .src_reg = (from), .off = (at), .imm = (value) })
#define MOV(to, from)	INSN(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0)
#define SET(to, value)	INSN(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, value)
#define ADD(to, value)	INSN(BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, value)
#define LOAD(to, at, off) INSN(BPF_LDX | BPF_MEM | BPF_W, to, at, off, 0)
#define STORE(at, off, from) INSN(BPF_STX | BPF_MEM | BPF_W, at, from, off, 0)
#define CALL(helper)	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
#define EXIT()		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* How a program uses a set. */
struct way {
	const char *name;
	enum bpf_map_type type;
	int ask;		/* helper for a lookup; 0: no lookup */
	int store;		/* helper that stores absent addresses; 0: does not store */
	bool key;		/* the map has keys and values; otherwise only values */
	u8 absent;		/* the jump that is taken if the address is absent */
};

#define BLOOM	.type = BPF_MAP_TYPE_BLOOM_FILTER, .absent = BPF_JNE
#define LRU	.type = BPF_MAP_TYPE_LRU_HASH, .absent = BPF_JEQ, .key = true

/* The first way of a type that stores fills the map for all ways of this type. */
static const struct way ways[] = {
	{ .name = "nothing" },
	{ "bloom, test-add", BLOOM, .ask = BPF_FUNC_map_peek_elem,
	  .store = BPF_FUNC_map_push_elem },
	{ "bloom, test", BLOOM, .ask = BPF_FUNC_map_peek_elem },
	{ "LRU hash, test-add", LRU, .ask = BPF_FUNC_map_lookup_elem,
	  .store = BPF_FUNC_map_update_elem },
	{ "LRU hash, test", LRU, .ask = BPF_FUNC_map_lookup_elem },
};

#define WAYS	(sizeof(ways) / sizeof(*ways))

/*
 * The data that a program reads and writes: the last address, the step to the next one, and the
 * number of addresses found.
 */
struct packet {
	uint32_t at;
	uint32_t step;
	uint32_t seen;
	unsigned char rest[52];
};

static long bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/*
 * Sets are filled in turn 0 and looked up in other turns: in the order of filling, each entry
 * would bring the next one into the cache.
 */
static unsigned int step_of(unsigned int turn)
{
	unsigned int step = (unsigned long long)keys * 618034 / 1000000;
	unsigned int a, b, rest;

	if (turn)
		step = keys / 4 + seen_remix(turn) % (keys / 2);

	for (;; step--) {
		for (a = step, b = keys; b; a = b, b = rest)
			rest = a % b;
		if (a == 1)
			return step;
	}
}

/* Arguments: a key at fp - 4 and a value at fp - 8; a Bloom map has only the value. */
static unsigned int call(struct bpf_insn *insns, const struct way *way, int map, int helper)
{
	unsigned int n = 0;
	int i;

	insns[n++] = INSN(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, map);
	insns[n++] = INSN(0, 0, 0, 0, 0);
	for (i = 2; i <= 3; i++) {
		insns[n++] = MOV(i, BPF_REG_10);
		insns[n++] = ADD(i, i == 2 ? -4 : -8);
	}
	if (!way->key)
		insns[n++] = SET(BPF_REG_3, BPF_ANY);
	insns[n++] = SET(BPF_REG_4, BPF_ANY);
	insns[n++] = CALL(helper);
	return n;
}

/* Looks an address up; counts it if it is there, and may store it if not. */
static unsigned int ask(struct bpf_insn *insns, const struct way *way, int map)
{
	unsigned int n = call(insns, way, map, way->ask);
	struct bpf_insn *over;

	insns[n++] = INSN(BPF_JMP | way->absent | BPF_K, BPF_REG_0, 0, 4, 0);
	insns[n++] = LOAD(BPF_REG_7, BPF_REG_6, offsetof(struct packet, seen));
	insns[n++] = ADD(BPF_REG_7, 1);
	insns[n++] = STORE(BPF_REG_6, offsetof(struct packet, seen), BPF_REG_7);
	over = &insns[n++];
	*over = INSN(BPF_JMP | BPF_JA, 0, 0, 0, 0);
	if (way->store) {
		over->off = call(insns + n, way, map, way->store);
		n += over->off;
	}
	return n;
}

/* The program puts the address at fp - 4 and a value at fp - 8. */
static long load_program(const struct way *way, int map)
{
	static char log[65536];
	struct bpf_insn insns[64];
	unsigned int n = 0;
	union bpf_attr attr = {};

	insns[n++] = LOAD(BPF_REG_6, BPF_REG_1, 0);
	insns[n++] = LOAD(BPF_REG_2, BPF_REG_1, 4);
	insns[n++] = MOV(BPF_REG_3, BPF_REG_6);
	insns[n++] = ADD(BPF_REG_3, 14);
	insns[n++] = INSN(BPF_JMP | BPF_JLE | BPF_X, BPF_REG_3, BPF_REG_2, 2, 0);
	insns[n++] = SET(BPF_REG_0, XDP_PASS);
	insns[n++] = EXIT();
	insns[n++] = LOAD(BPF_REG_7, BPF_REG_6, offsetof(struct packet, at));
	insns[n++] = LOAD(BPF_REG_8, BPF_REG_6, offsetof(struct packet, step));
	insns[n++] = INSN(BPF_ALU64 | BPF_ADD | BPF_X, BPF_REG_7, BPF_REG_8, 0, 0);
	insns[n++] = INSN(BPF_JMP | BPF_JLT | BPF_K, BPF_REG_7, 0, 1, keys);
	insns[n++] = ADD(BPF_REG_7, -keys);
	insns[n++] = STORE(BPF_REG_6, offsetof(struct packet, at), BPF_REG_7);
	insns[n++] = ADD(BPF_REG_7, FIRST);
	insns[n++] = STORE(BPF_REG_10, -4, BPF_REG_7);
	insns[n++] = STORE(BPF_REG_10, -8, BPF_REG_7);
	if (way->ask)
		n += ask(insns + n, way, map);
	insns[n++] = SET(BPF_REG_0, XDP_PASS);
	insns[n++] = EXIT();
	attr.prog_type = BPF_PROG_TYPE_XDP;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = n;
	attr.license = (uintptr_t)"GPL";
	attr.log_buf = (uintptr_t)log;
	attr.log_size = sizeof(log);
	attr.log_level = 1;
	return bpf(BPF_PROG_LOAD, &attr);
}

/*
 * A full LRU hash evicts an entry before it notices that its key exists. So it gets room up to
 * the next power of two, which needs no more buckets.
 */
static unsigned int room(void)
{
	unsigned int entries = 1;

	while (entries <= keys)
		entries *= 2;
	return entries;
}

static long make_map(const struct way *way)
{
	union bpf_attr attr = {
		.map_type = way->type,
		.key_size = way->key ? sizeof(uint32_t) : 0,
		.value_size = sizeof(uint32_t),
		.max_entries = way->key ? room() : keys,
	};

	return way->ask ? bpf(BPF_MAP_CREATE, &attr) : 0;
}

/* CPU time of this thread, also in the kernel. */
static double cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

/* Return: nanoseconds per packet, or -1; @seen: out: number of addresses found. */
static double run_program(int program, unsigned int turn, unsigned long *seen)
{
	struct packet packet = { .step = step_of(turn) };
	union bpf_attr attr = {
		.test = {
			.prog_fd = program,
			.data_in = (uintptr_t)&packet,
			.data_size_in = sizeof(packet),
			.data_out = (uintptr_t)&packet,
			.data_size_out = sizeof(packet),
			.repeat = keys,
		},
	};
	double from = cpu_ns(), took;

	/* BPF's own figure has whole ns only, and includes time in which others ran. */
	if (bpf(BPF_PROG_TEST_RUN, &attr))
		return -1;
	took = cpu_ns() - from;
	*seen = packet.seen;
	return took / keys;
}

/* --- the core ------------------------------------------------------------------ */

/* A constant, because none of these sets has a window. */
u64 seen_now(void)
{
	return 0;
}

static struct seen_set *make_set(enum seen_set_kind kind, unsigned int one_in)
{
	struct seen_geometry geo = {
		.kind = kind,
		.capacity = keys,
		.fpp = FPP_ONE / one_in,
	};
	struct seen_set *set = malloc(sizeof(*set));
	size_t bytes;

	seen_pattern_init();
	if (!set || seen_plan(&geo, 1))
		return NULL;
	bytes = (seen_geometry_bytes(&geo) + 4095) & ~4095UL;
	seen_set_init(set, &geo, aligned_alloc(4096, bytes),
		      calloc(seen_geometry_stripes(&geo), sizeof(struct seen_stripe)));
	if (!set->table || !set->stripes)
		return NULL;
	memset(set->table, 0, bytes);
	return set;
}

static double run_set(struct seen_set *set, bool add, unsigned int turn, unsigned long *seen)
{
	static const struct seen_secret secret = { { 1, 2 } };
	unsigned char key[16] = { [10] = 0xff, [11] = 0xff };
	unsigned int i, at = 0, step = step_of(turn);
	double from = cpu_ns();
	uint64_t hash;
	uint32_t address;

	*seen = 0;
	for (i = 0; i < keys; i++) {
		at += step;
		at -= at < keys ? 0 : keys;
		address = __builtin_bswap32(FIRST + at);
		memcpy(key + 12, &address, 4);
		hash = seen_siphash13(key, sizeof(key), &secret);
		*seen += (add ? seen_set_test_and_add(set, hash) :
			  seen_set_test(set, hash)) == SEEN_SEEN;
	}
	return (cpu_ns() - from) / keys;
}

static void tell(const char *row, int round, double ns)
{
	printf("# json: {\"what\":\"bpf\",\"row\":\"%s\",\"keys\":%u,", row, keys);
	printf("\"round\":%d,\"run\":{\"ns\":%.3f}}\n", round, ns);
}

/* --- rounds -------------------------------------------------------------------- */

/**
 * struct part - a part that is timed
 * @row: its name in the results
 * @program: a program, or -1: the core
 * @set: the core's set
 * @add: it stores absent addresses
 * @seen: number of addresses that must be found
 */
struct part {
	const char *row;
	int program;
	struct seen_set *set;
	bool add;
	unsigned long seen;
};

static struct part parts[WAYS + 4];
static unsigned int part_count;

static double run(const struct part *part, unsigned int turn, unsigned long *seen)
{
	return part->program < 0 ? run_set(part->set, part->add, turn, seen) :
				   run_program(part->program, turn, seen);
}

/* Makes the programs and their filled maps. Return: false if this kernel lacks them. */
static bool make_programs(void)
{
	unsigned long seen;
	unsigned int i;
	int program;
	long map = 0;

	for (i = 0; i < WAYS; i++) {
		if (!i || ways[i].type != ways[i - 1].type)
			map = make_map(&ways[i]);
		program = map < 0 ? -1 : load_program(&ways[i], map);
		if (program < 0 || (ways[i].store && run_program(program, 0, &seen) < 0)) {
			fprintf(stderr, "%s: %s\n", ways[i].name, strerror(errno));
			return false;
		}
		parts[part_count++] = (struct part) {
			.row = ways[i].name,
			.program = program,
			.seen = ways[i].ask ? keys : 0,
		};
	}
	return true;
}

static bool make_core(enum seen_set_kind kind, const char *test, const char *add)
{
	struct seen_set *set = make_set(kind, 1000);
	struct part part = { .row = test, .program = -1, .set = set, .seen = keys };
	unsigned long seen;

	if (!set)
		return false;
	run_set(set, true, 0, &seen);
	parts[part_count++] = part;
	part.row = add;
	part.add = true;
	parts[part_count++] = part;
	return true;
}

/* Looks up all addresses once before the timed run. Return: false if one is missing. */
static bool time_part(const struct part *part, int round)
{
	unsigned long seen = 0;
	double ns;

	run(part, 2 * round + 1, &seen);
	ns = run(part, 2 * round + 2, &seen);
	if (ns >= 0 && seen == part->seen) {
		tell(part->row, round, ns);
		return true;
	}
	fprintf(stderr, "%s: %lu of %lu are there\n", part->row, seen, part->seen);
	return false;
}

int main(int argc, char **argv)
{
	struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
	int round, rounds;
	unsigned int i;

	if (argc != 3)
		return 2;
	keys = atoi(argv[1]);
	rounds = atoi(argv[2]);
	setrlimit(RLIMIT_MEMLOCK, &all);
	if (!make_programs())
		return 4;
	if (!make_core(SEEN_SET_BLOCKED, "seen bloom, test", "seen bloom, test-add") ||
	    !make_core(SEEN_SET_CUCKOO, "seen cuckoo, test", "seen cuckoo, test-add"))
		return 1;
	for (round = 0; round < rounds; round++)
		for (i = 0; i < part_count; i++)
			if (!time_part(&parts[round % 2 ? part_count - 1 - i : i], round))
				return 1;
	return 0;
}
