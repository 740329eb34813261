/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Times packets in the hooks of a network namespace: a prepared packet passes the hooks again and
 * again, on one CPU or on several at once, with another source address each time. All rules and
 * guards of the namespace are part of the measurement.
 *
 *	command -> run -> worker, one a CPU -> loop -> packet
 */
#ifndef SEEN_BENCH_H
#define SEEN_BENCH_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/types.h>

/* The device by which packets arrive, in the namespace of the process that starts a run. */
#define BENCH_DEVICE	"bench0"
#define BENCH_CPUS_MAX	8

struct bench_run;
struct bench_worker;

/**
 * struct bench_loop - code that is repeated and timed
 * @name: its name in the file "run"
 * @begin: prepares a run; may be NULL
 * @batch: repeats the code @count times. Return: packets that came out; if fewer,
 *         worker->skb is gone
 * @end: undoes @begin; may be NULL
 */
struct bench_loop {
	const char *name;
	int (*begin)(struct bench_run *run);
	u32 (*batch)(struct bench_worker *worker, u32 count);
	void (*end)(struct bench_run *run);
};

/**
 * struct bench_config - parameters of a run, each a file in debugfs
 * @keys: number of source addresses; all are used before one is used again
 * @first: the first of these addresses, in host byte order
 * @turn: number of the order of addresses; 0 is the order in which tables are filled
 * @packets: packets on each CPU
 * @cpus: CPUs that work at the same time, from CPU 0 on
 * @fence: a packet begins after the one before it has ended, as if the rest of a network stack
 *         lay between them; otherwise the CPU overlaps them as far as it can
 * @frame: bytes of a packet from its Ethernet header on, without FCS
 * @evict: bytes of other memory to read before each packet, 0: no eviction
 * @bytes: for some loops: bytes to hash, or bytes of the memory to walk
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
 * struct bench_worker - the part of a CPU in a run
 * @run: the run
 * @skb: its packet; NULL: a hook did not accept it
 * @index: index of the next address, below config.keys
 * @step: from one address to the next, modulo config.keys
 * @accepted: packets that came out
 * @begin: begin, by ktime_get_ns()
 * @end: end of the last packet, by ktime_get_ns()
 * @cycles: cycles of the CPU's clock between these
 * @batches: cycles of each whole batch
 * @batch_count: number of @batches
 * @ps: picoseconds per packet in the median batch
 * @sink: results of a loop are stored here, so that the compiler cannot omit the computation
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
 * @loop: the loop
 * @config: parameters as they were when the run began
 * @dev: BENCH_DEVICE
 * @priv: private data of the loop
 * @litter: config.evict bytes
 * @awaited: workers that are not ready yet
 * @worker: the workers, config.cpus of them
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

/* bench_loop_find() - the loop with this name, or NULL */
const struct bench_loop *bench_loop_find(const char *name);

extern const struct bench_loop bench_chase;
extern const struct bench_loop bench_by_nh;
extern const struct bench_loop bench_by_siphash13;

/**
 * bench_packet() - make a UDP packet as if a driver had just received it
 * @dev: the receiving device
 * @frame: its length, see struct bench_config
 *
 * Return: the packet, or NULL.
 */
struct sk_buff *bench_packet(struct net_device *dev, u32 frame);

/* bench_packet_from() - set another source address, in host byte order */
void bench_packet_from(struct sk_buff *skb, u32 address);

/* The smallest length of such a packet. */
u32 bench_packet_min(void);

/**
 * bench_work() - run all workers, from the begin of the first to the end of the last
 * @run: loop, config and dev are set
 *
 * Return: 0, -ENOMEM, or -EIO if a hook kept a packet.
 */
int bench_work(struct bench_run *run);

/* bench_address() - the next address in this worker's order */
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
	/* On x86 this delays all later instructions, not only loads. */
	rmb();
}

#endif
