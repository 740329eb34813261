// SPDX-License-Identifier: GPL-2.0
/*
 * What the sets of BPF take for a packet in an XDP program of this machine's kernel, by
 * BPF_PROG_TEST_RUN, and beside it kmod/core's for the same addresses, hash included, as
 * the CPU takes them without a kernel around. Each program takes the next address from its
 * packet, asks, and passes.
 *
 *	bpf KEYS ROUNDS		a line "# json:" for each round of each
 *
 * Exit status 4: this kernel, or who runs it, cannot, for a reason on stderr.
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
/* What a lock of core counts up and down. */
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

/* How a set is asked. */
struct way {
	const char *name;
	enum bpf_map_type type;
	int helper;		/* 0: not at all */
	bool key;		/* it has a key apart from the value */
};

static const struct way ways[] = {
	{ "nothing", BPF_MAP_TYPE_UNSPEC, 0, false },
	{ "bloom, peek", BPF_MAP_TYPE_BLOOM_FILTER, BPF_FUNC_map_peek_elem, false },
	{ "bloom, push", BPF_MAP_TYPE_BLOOM_FILTER, BPF_FUNC_map_push_elem, false },
	{ "LRU hash, lookup", BPF_MAP_TYPE_LRU_HASH, BPF_FUNC_map_lookup_elem, true },
	{ "LRU hash, update", BPF_MAP_TYPE_LRU_HASH, BPF_FUNC_map_update_elem, true },
};

static long bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static unsigned int step_of(void)
{
	unsigned int step = (unsigned long long)keys * 618034 / 1000000;
	unsigned int a, b, rest;

	for (;; step--) {
		for (a = step, b = keys; b; a = b, b = rest)
			rest = a % b;
		if (a == 1)
			return step;
	}
}

/* The address is at fp - 4, a value at fp - 8. */
static long load_program(const struct way *way, int map)
{
	static char log[65536];
	struct bpf_insn insns[40];
	unsigned int n = 0;
	union bpf_attr attr = {};
	int i;

	insns[n++] = LOAD(BPF_REG_6, BPF_REG_1, 0);
	insns[n++] = LOAD(BPF_REG_2, BPF_REG_1, 4);
	insns[n++] = MOV(BPF_REG_3, BPF_REG_6);
	insns[n++] = ADD(BPF_REG_3, 14);
	insns[n++] = INSN(BPF_JMP | BPF_JLE | BPF_X, BPF_REG_3, BPF_REG_2, 2, 0);
	insns[n++] = SET(BPF_REG_0, XDP_PASS);
	insns[n++] = EXIT();
	insns[n++] = LOAD(BPF_REG_7, BPF_REG_6, 0);
	insns[n++] = ADD(BPF_REG_7, step_of());
	insns[n++] = INSN(BPF_JMP | BPF_JLT | BPF_K, BPF_REG_7, 0, 1, keys);
	insns[n++] = ADD(BPF_REG_7, -keys);
	insns[n++] = STORE(BPF_REG_6, 0, BPF_REG_7);
	insns[n++] = ADD(BPF_REG_7, FIRST);
	insns[n++] = STORE(BPF_REG_10, -4, BPF_REG_7);
	insns[n++] = STORE(BPF_REG_10, -8, BPF_REG_7);
	if (way->helper) {
		insns[n++] = INSN(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1,
				  BPF_PSEUDO_MAP_FD, 0, map);
		insns[n++] = INSN(0, 0, 0, 0, 0);
		for (i = 2; i <= 3; i++) {
			insns[n++] = MOV(i, BPF_REG_10);
			insns[n++] = ADD(i, i == 2 ? -4 : -8);
		}
		if (!way->key)
			insns[n++] = SET(BPF_REG_3, BPF_ANY);
		insns[n++] = SET(BPF_REG_4, BPF_ANY);
		insns[n++] = CALL(way->helper);
	}
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

static long make_map(const struct way *way)
{
	union bpf_attr attr = {
		.map_type = way->type,
		.key_size = way->key ? sizeof(uint32_t) : 0,
		.value_size = sizeof(uint32_t),
		.max_entries = keys,
	};

	return way->helper ? bpf(BPF_MAP_CREATE, &attr) : 0;
}

/* Of this thread, in the kernel too. */
static double cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

/* Nanoseconds a packet, or -1. */
static double run_program(int program)
{
	unsigned char packet[64] = {};
	union bpf_attr attr = {
		.test = {
			.prog_fd = program,
			.data_in = (uintptr_t)packet,
			.data_size_in = sizeof(packet),
			.repeat = keys,
		},
	};

	double from = cpu_ns();

	/* Its own figure is in whole ns, and of the time in which others run, too. */
	if (bpf(BPF_PROG_TEST_RUN, &attr))
		return -1;
	return (cpu_ns() - from) / keys;
}

/* --- the core ------------------------------------------------------------------ */

/* None of these sets has a window. */
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

static double run_set(struct seen_set *set, bool add, unsigned long *seen)
{
	static const struct seen_secret secret = { { 1, 2 } };
	unsigned char key[16] = { [10] = 0xff, [11] = 0xff };
	unsigned int i, at = 0, step = step_of();
	double from = cpu_ns();
	uint64_t hash;
	uint32_t address;

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

int main(int argc, char **argv)
{
	struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
	int programs[sizeof(ways) / sizeof(*ways)];
	struct seen_set *bloom, *cuckoo;
	unsigned long seen = 0;
	int round, rounds;
	long map = 0;
	unsigned int i;
	double ns;

	if (argc != 3)
		return 2;
	keys = atoi(argv[1]);
	rounds = atoi(argv[2]);
	setrlimit(RLIMIT_MEMLOCK, &all);
	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (!i || ways[i].type != ways[i - 1].type)
			map = make_map(&ways[i]);
		programs[i] = map < 0 ? -1 : load_program(&ways[i], map);
		if (programs[i] < 0 || run_program(programs[i]) < 0) {
			fprintf(stderr, "%s: %s\n", ways[i].name, strerror(errno));
			return 4;
		}
	}
	bloom = make_set(SEEN_SET_BLOCKED, 1000);
	cuckoo = make_set(SEEN_SET_CUCKOO, 1000);
	if (!bloom || !cuckoo)
		return 1;
	run_set(bloom, true, &seen);
	run_set(cuckoo, true, &seen);
	for (round = 0; round < rounds; round++) {
		for (i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
			ns = run_program(programs[i]);
			if (ns < 0)
				return 1;
			tell(ways[i].name, round, ns);
		}
		seen = 0;
		tell("seen bloom, test", round, run_set(bloom, false, &seen));
		tell("seen bloom, test-add", round, run_set(bloom, true, &seen));
		tell("seen cuckoo, test", round, run_set(cuckoo, false, &seen));
		tell("seen cuckoo, test-add", round, run_set(cuckoo, true, &seen));
		if (seen != 4UL * keys)
			return 1;
	}
	return 0;
}
