/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Times what a packet costs in a network namespace's hooks: a prepared packet
 * goes through them again and again, from one CPU or from several at once, with
 * another source address each time. Whatever is there is timed, as it is.
 *
 *	command -> run -> worker, one a CPU -> loop -> packet
 */
#ifndef SEEN_BENCH_H
#define SEEN_BENCH_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/types.h>

/* The device that packets come by, in the namespace of who starts a run. */
#define BENCH_DEVICE	"bench0"
#define BENCH_CPUS_MAX	8

struct bench_run;
struct bench_worker;

/**
 * struct bench_loop - what is repeated
 * @name: by which it is asked for
 * @begin: what it needs beside the packets; may be NULL
 * @batch: go through it so many times: of those, how many packets came out. If
 *         fewer than that, worker->skb has gone
 * @end: undo @begin; may be NULL
 */
struct bench_loop {
	const char *name;
	int (*begin)(struct bench_run *run);
	u32 (*batch)(struct bench_worker *worker, u32 count);
	void (*end)(struct bench_run *run);
};

/**
 * struct bench_config - what to do, a file each in debugfs
 * @keys: source addresses to go through, each once before any comes again
 * @first: of these addresses, in the host's order
 * @turn: in which of many orders they come; 0 is that in which tables are filled
 * @packets: of each CPU
 * @cpus: that work at the same time, from CPU 0 on
 * @fence: a packet begins when the one before it has ended, as where a network
 *         stack lies between two; without, the CPU overlaps what it can of them
 * @frame: bytes of a packet from its Ethernet header on, without FCS
 * @evict: bytes of other memory to read before each packet, 0: none
 * @bytes: to hash, or of the memory to go through, for the loops that do so
 */
struct bench_config {
	u32 keys;
	u32 first;
	u32 turn;
	u32 packets;
	u32 cpus;
	u32 fence;
	u32 frame;
	u32 evict;
	u32 bytes;
};

/**
 * struct bench_worker - a CPU's part in a run
 * @run: this is
 * @skb: its packet; NULL: a hook did not accept it
 * @index: of the address that is next, below config.keys
 * @step: from one to the next, modulo config.keys
 * @accepted: packets that came out
 * @begin: when it began, by ktime_get_ns()
 * @end: when the last one was out
 * @cycles: of the CPU's clock from then to then
 * @batches: cycles of each whole batch
 * @batch_count: of these
 * @ps: picoseconds a packet in the median of them
 * @sink: what a loop computes goes here, so that it is computed
 */
struct bench_worker {
	struct bench_run *run;
	struct sk_buff *skb;
	u32 index;
	u32 step;
	u32 accepted;
	u64 begin;
	u64 end;
	u64 cycles;
	u32 *batches;
	u32 batch_count;
	u64 ps;
	u64 sink;
} ____cacheline_aligned_in_smp;

/**
 * struct bench_run - a run
 * @loop: what is repeated
 * @config: as it was when the run began
 * @dev: BENCH_DEVICE
 * @priv: of the loop
 * @litter: config.evict bytes
 * @awaited: workers that are not ready yet
 * @worker: as many as config.cpus
 */
struct bench_run {
	const struct bench_loop *loop;
	struct bench_config config;
	struct net_device *dev;
	void *priv;
	const u8 *litter;
	atomic_t awaited;
	struct bench_worker worker[BENCH_CPUS_MAX];
};

/* bench_loop_find() - by its name, or NULL */
const struct bench_loop *bench_loop_find(const char *name);

extern const struct bench_loop bench_chase;
extern const struct bench_loop bench_by_nh;
extern const struct bench_loop bench_by_siphash13;

/**
 * bench_packet() - a UDP packet, as if a driver had just received it
 * @dev: by which
 * @frame: its bytes, see struct bench_config
 *
 * Return: the packet, or NULL.
 */
struct sk_buff *bench_packet(struct net_device *dev, u32 frame);

/* bench_packet_from() - give it another source address, in the host's order */
void bench_packet_from(struct sk_buff *skb, u32 address);

/* The least that such a packet needs. */
u32 bench_packet_min(void);

/**
 * bench_work() - all workers, from the first to the end of the last
 * @run: loop, config and dev are set
 *
 * Return: 0, or -ENOMEM, or -EIO: a hook kept a packet.
 */
int bench_work(struct bench_run *run);

/* bench_address() - what comes next in this worker's order */
static inline u32 bench_address(struct bench_worker *worker)
{
	const struct bench_config *config = &worker->run->config;
	u32 address = config->first + worker->index;

	worker->index += worker->step;
	if (worker->index >= config->keys)
		worker->index -= config->keys;
	return address;
}

static inline void bench_fence(const struct bench_worker *worker)
{
	if (!worker->run->config.fence)
		return;
	/* On x86 it holds back all that follows, not only loads. */
	rmb();
}

#endif
