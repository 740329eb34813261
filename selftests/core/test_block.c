// SPDX-License-Identifier: GPL-2.0
/*
 * When copies are a suspicion, which port a proved loop blocks, and for how long. The
 * module's own files run under a fake kernel. The test sets the clock and the random
 * numbers.
 */
#include "../../kmod/guard_port.h"
#include "../fake/fake.h"
#include "../fake/module.h"
#include "test.h"

#define PORTS		3
#define BLOCKS		12
/* The manual's values, in ns. */
#define FIRST		(5 * SECOND)
#define LONGEST		(300 * SECOND)
#define FORGOTTEN	(300 * SECOND)
#define QUIET		(100 * MS)
/* Of the die: the length itself. */
#define MIDDLE		(U32_MAX / 2 + 1)
/* The longest, and a quarter: 6 min 15 s. */
#define LIMIT		(375 * SECOND)

/* --- a bridge with three ports -------------------------------------------- */

static struct seen_guard guard;
static struct seen_port port[PORTS];
static struct net_device dev[PORTS];
static u8 group[ETH_ALEN];	/* destination of the frames */
static u64 frames;

/* The first port is the sender's. */
static void begin(u32 action)
{
	int i;

	fake_sn_begin();
	memset(&guard, 0, sizeof(guard));
	memset(port, 0, sizeof(port));
	memset(group, 0xff, sizeof(group));
	spin_lock_init(&guard.evidence_lock);
	INIT_LIST_HEAD(&guard.ports);
	guard.sn = &fake_sn;
	guard.config.kind = SEEN_GUARD_KIND_BRIDGE;
	guard.config.verdict = SEEN_VERDICT_LOOP;
	guard.config.action = action;
	guard.config.suspect = SEEN_SUSPECT;
	guard.config.block_first = SEEN_BLOCK_FIRST;
	guard.config.block_max = SEEN_BLOCK_MAX;
	for (i = 0; i < PORTS; i++) {
		dev[i].running = true;
		dev[i].carrier = true;
		port[i].guard = &guard;
		port[i].dev = &dev[i];
		port[i].ethernet = true;
		port[i].number = i + 1;
		list_add_tail(&port[i].list, &guard.ports);
	}
	clock_add(SECOND);
}

/* @frame was first seen on port number @first at @since, and comes to @to now. */
static void comes(struct seen_port *to, u64 frame, u32 first, u64 since)
{
	const struct seen_arrival_answer answer = {
		.result = SEEN_ARRIVAL_DUP_OTHER, .first = first, .since = since,
	};
	struct seen_link link = { };

	memcpy(link.eth.h_dest, group, sizeof(group));
	seen_guard_evidence(to, &link, (struct seen_vlan) {}, frame, &answer);
}

/* So many frames of the sender's, of which nobody has had any. */
static void come(struct seen_port *to, int count)
{
	while (count--)
		comes(to, ++frames, port[0].number, seen_now());
}

/* The guard has begun to send probes, and limits repeats on both ports. */
static bool suspected(const struct seen_port *back)
{
	return guard.probe.stage == SEEN_PROBE_FIRST &&
	       guard.probe.back == back->number &&
	       guard.probe.first == port[0].number &&
	       seen_repeat_signed(back, 0) && seen_repeat_signed(&port[0], 0);
}

static bool unsuspected(void)
{
	int i;

	for (i = 0; i < PORTS; i++)
		if (seen_repeat_signed(&port[i], 0))
			return false;
	return guard.probe.stage == SEEN_PROBE_IDLE;
}

/* Probes have proved a loop of two ports. Copies came back on @back. */
static void prove(const struct seen_port *back, const struct seen_port *left,
		  const struct seen_port *came)
{
	spin_lock_bh(&guard.evidence_lock);
	seen_guard_block(&guard, back->number, left->number, came->number);
	spin_unlock_bh(&guard.evidence_lock);
}

/* The same between the sender's port and @back. */
static void loop(const struct seen_port *back)
{
	prove(back, back, &port[0]);
}

/* The length of a block as the work reports it. */
static u64 told(struct seen_port *which)
{
	which->events = 0;
	return which->blocked_until - which->blocked_since;
}

/* The reported length of a block that ends exactly on time; 0 if it ends at another time. */
static u64 end(struct seen_port *which)
{
	u64 lasted = 0;

	clock_set(which->blocked_until - 1);
	if (!seen_port_release(which, &lasted) || lasted)
		return 0;
	clock_add(1);
	return seen_port_release(which, &lasted) ? 0 : lasted;
}

/* A block that begins @after ns, is judged, and ends. */
static bool lasts(struct seen_port *which, u64 after, u64 nominal)
{
	u64 spread = nominal / 4, length;

	clock_add(after);
	loop(which);
	if (!seen_port_blocked(which))
		return false;
	length = told(which);
	if (length > LIMIT || length < nominal - spread || length > nominal + spread)
		return false;
	return end(which) == length;
}

/* --- how long ------------------------------------------------------------- */

static u64 nominal(int n)
{
	return n < 6 ? FIRST << n : LONGEST;
}

static void doubles(const char *name)
{
	int n, good = 0;

	begin(SEEN_ACTION_BLOCK);
	for (n = 0; n < BLOCKS; n++)
		good += lasts(&port[1], MS, nominal(n));
	ok(good == BLOCKS && port[1].blocks == BLOCKS,
	   "5 s, doubling to 5 min, and no more, a quarter either way: %s", name);
}

static void extremes(void)
{
	fake_random = 0;
	doubles("the lowest throw");
	ok(port[1].blocked_since + LONGEST * 3 / 4 == port[1].released,
	   "the shortest block is three quarters of the length");
	fake_random = U32_MAX;
	doubles("the highest");
	ok(port[1].released - port[1].blocked_since > LIMIT - MS,
	   "the longest block is a quarter longer, less than a ms short");
	fake_random = MIDDLE;
	doubles("the one in the middle");
	ok(port[1].released - port[1].blocked_since == LONGEST,
	   "the middle block is the length itself");
}

static void random_throws(void)
{
	int i, n, good = 0;

	for (i = 0; i < 1000; i++) {
		begin(SEEN_ACTION_BLOCK);
		for (n = 0; n < BLOCKS; n++) {
			fake_random = random64();
			good += lasts(&port[1], MS, nominal(n));
		}
	}
	ok(good == 1000 * BLOCKS, "1000 blocks with random numbers");
	fake_random = MIDDLE;
}

static void forgotten(void)
{
	begin(SEEN_ACTION_BLOCK);
	ok(lasts(&port[1], MS, FIRST) && lasts(&port[1], FORGOTTEN - 1, 2 * FIRST),
	   "a ns before 5 min after its end a block still counts");
	ok(lasts(&port[1], FORGOTTEN, FIRST), "after 5 min it does not");
	ok(lasts(&port[1], MS, 2 * FIRST), "and the next one is twice as long");
	ok(lasts(&port[2], MS, FIRST), "ports have lengths of their own");
}

/* The same for a block that is only counted: its end is not reported. */
static bool would_last(struct seen_port *which, u64 nominal)
{
	clock_add(MS);
	loop(which);
	return which->shadow && told(which) == nominal && !end(which);
}

static void shadows(void)
{
	begin(SEEN_ACTION_COUNT);
	ok(would_last(&port[1], FIRST) && would_last(&port[1], 2 * FIRST) &&
	   port[1].would_block == 2 && !port[1].blocks,
	   "blocks that are only counted have the same lengths");
	guard.config.action = SEEN_ACTION_BLOCK;
	ok(lasts(&port[1], MS, FIRST) && !port[1].shadow,
	   "they do not lengthen real blocks");
	guard.config.action = SEEN_ACTION_COUNT;
	ok(would_last(&port[1], FIRST), "real blocks do not lengthen counted ones");
	loop(&port[1]);
	loop(&port[2]);
	ok(port[1].would_block == 4 && !port[2].would_block,
	   "one port at a time");
}

/* --- suspicion ------------------------------------------------------------ */

static void evidence(void)
{
	begin(SEEN_ACTION_BLOCK);
	come(&port[1], SEEN_SUSPECT - 1);
	ok(unsuspected(), "two frames are no suspicion");
	comes(&port[1], frames, port[0].number, seen_now());
	ok(unsuspected(), "a repeat of one of them is no suspicion");
	comes(&port[1], ++frames, port[1].number, seen_now());
	comes(&port[1], ++frames, 0, seen_now());
	ok(unsuspected(), "a frame of its own port, or of an unknown one, is no suspicion");
	come(&port[2], SEEN_SUSPECT - 1);
	ok(unsuspected(), "frames on different ports are no suspicion");
	come(&port[1], 1);
	ok(suspected(&port[1]) && port[1].cause.first == port[0].number,
	   "the third frame is a suspicion, and reports the first port");
	ok(fake_cancel_work(&guard.work.work),
	   "the suspicion queues the guard's work");
	ok(!port[1].blocked_until && !port[0].blocked_until && !port[1].blocks,
	   "no suspicion blocks a port");
}

static void apart(void)
{
	int i;

	begin(SEEN_ACTION_BLOCK);
	for (i = 0; i < 100; i++) {
		come(&port[1], 1);
		clock_add(SECOND / 2);
	}
	ok(unsuspected(), "no three frames within a second: no suspicion");
	come(&port[1], 1);
	clock_add(SECOND / 2 - 1);
	come(&port[1], 1);
	ok(suspected(&port[1]), "within a ns less: a suspicion");
}

/* Copies within 100 ms of a suspicion are not looked at. */
static void pauses(void)
{
	u64 when;

	begin(SEEN_ACTION_BLOCK);
	come(&port[1], SEEN_SUSPECT);
	when = seen_now();
	clock_add(QUIET - 1);
	come(&port[1], SEEN_SUSPECT);
	ok(port[1].cause.when == when, "after a suspicion copies are ignored for 100 ms");
	clock_add(1);
	come(&port[1], SEEN_SUSPECT - 1);
	ok(port[1].cause.when == when, "the next one needs three frames again");
	come(&port[1], 1);
	ok(port[1].cause.when == seen_now(), "three frames make the next suspicion");
}

/* Without probes and blocks a suspicion limits repeats all the same. */
static void other_actions(void)
{
	begin(SEEN_ACTION_DROP);
	come(&port[1], SEEN_SUSPECT);
	ok(guard.probe.stage == SEEN_PROBE_IDLE && !port[1].rounds &&
	   seen_repeat_signed(&port[1], 0),
	   "drop: a suspicion is a sign, and sends no probes");
	begin(SEEN_ACTION_COUNT);
	come(&port[1], SEEN_SUSPECT);
	ok(suspected(&port[1]), "count: it sends probes");
}

static void in_order(void)
{
	u64 before, lasted = 0;

	begin(SEEN_ACTION_BLOCK);
	port[0].protect = true;
	come(&port[2], SEEN_SUSPECT - 1);
	loop(&port[1]);
	before = seen_now();
	clock_add(MS);
	come(&port[2], 1);
	ok(guard.probe.stage == SEEN_PROBE_IDLE,
	   "a frame that came back before a block is no evidence");
	comes(&port[2], ++frames, port[0].number, before);
	comes(&port[2], ++frames, port[0].number, before);
	ok(guard.probe.stage == SEEN_PROBE_IDLE,
	   "a frame that was first seen before the block is no evidence");
	come(&port[2], SEEN_SUSPECT - 1);
	ok(suspected(&port[2]), "frames that were first seen after the block are evidence");
	guard.probe.stage = SEEN_PROBE_IDLE;
	told(&port[1]);
	clock_set(port[1].blocked_until);
	come(&port[1], SEEN_SUSPECT);
	ok(guard.probe.stage == SEEN_PROBE_IDLE,
	   "a port is not suspected before the end of its block is reported");
	loop(&port[1]);
	ok(port[1].blocks == 1, "the port is not blocked again");
	seen_port_release(&port[1], &lasted);
	come(&port[1], SEEN_SUSPECT);
	ok(lasted && guard.probe.stage == SEEN_PROBE_FIRST,
	   "after that the port is suspected");
	loop(&port[1]);
	ok(port[1].blocks == 2, "and the port is blocked");
}

static void dead_ports(void)
{
	begin(SEEN_ACTION_BLOCK);
	dev[1].carrier = false;
	come(&port[1], SEEN_SUSPECT);
	ok(unsuspected(), "copies on a port without a carrier: no suspicion");
	begin(SEEN_ACTION_BLOCK);
	dev[0].carrier = false;
	come(&port[1], SEEN_SUSPECT);
	ok(unsuspected(), "the first port without a carrier: no suspicion");
	begin(SEEN_ACTION_BLOCK);
	dev[0].running = false;
	come(&port[1], SEEN_SUSPECT);
	ok(unsuspected(), "the first port is down: no suspicion");
	begin(SEEN_ACTION_BLOCK);
	port[0].self = true;
	dev[0].carrier = false;
	come(&port[1], SEEN_SUSPECT);
	ok(suspected(&port[1]), "the bridge itself needs no carrier");
	begin(SEEN_ACTION_BLOCK);
	comes(&port[1], ++frames, PORTS + 1, seen_now());
	comes(&port[1], ++frames, PORTS + 1, seen_now());
	comes(&port[1], ++frames, PORTS + 1, seen_now());
	ok(guard.probe.stage == SEEN_PROBE_FIRST,
	   "a port that has left the guard needs no carrier");
}

static bool controls(u64 addr)
{
	begin(SEEN_ACTION_BLOCK);
	u64_to_ether_addr(addr, group);
	come(&port[1], 10);
	return unsuspected();
}

static void control_groups(void)
{
	static const u64 builtin[] = {
		0x0180c2000030, 0x0180c200003f, 0x01000ccccccc, 0x01000ccccccd,
		0x01000ccccccf, 0x01000ccdcdd0, 0x0119a7000000, 0x0119a70000ff,
		0x01154e000001, 0x01216c000001, 0x030480000000, 0x01e052cccccc,
		0x010081000100, 0x010081000101, 0x0900090913a6, 0xcf0000000000,
	};
	static const u64 beside[] = {
		0x0180c200002f, 0x0180c2000040, 0x01000cccccd0, 0x01000ccdcdd1,
		0x0119a8000000, 0x01005e000001, 0x010081000102, 0xcf0000000001,
	};
	struct seen_exempts *more = fake_alloc(struct_size(more, group, 1));
	u32 i, good = 0;

	for (i = 0; i < ARRAY_SIZE(builtin); i++)
		good += controls(builtin[i]);
	ok(good == ARRAY_SIZE(builtin), "control groups are never suspicion");
	for (i = 0, good = 0; i < ARRAY_SIZE(beside); i++)
		good += !controls(beside[i]);
	ok(good == ARRAY_SIZE(beside), "the neighbouring addresses are");
	begin(SEEN_ACTION_BLOCK);
	u64_to_ether_addr(0x333300000016, group);
	more->count = 1;
	more->group[0] = (struct seen_group) { { 0x33, 0x33 }, 16 };
	guard.exempts = more;
	come(&port[1], 10);
	ok(unsuspected(), "the operator's groups are never suspicion");
	group[0] = 0x35;
	come(&port[1], SEEN_SUSPECT);
	ok(suspected(&port[1]), "other groups are");
	fake_free(more);
	begin(SEEN_ACTION_BLOCK);
	u64_to_ether_addr(builtin[0], group);
	port[1].ethernet = false;
	come(&port[1], SEEN_SUSPECT);
	ok(suspected(&port[1]), "only Ethernet has control groups");
}

/* --- which port ----------------------------------------------------------- */

/* A block that ends before the work has reported it. */
static void short_lived(void)
{
	u64 lasted = 0;

	begin(SEEN_ACTION_BLOCK);
	loop(&port[1]);
	clock_add(MS);
	seen_port_unblock(&port[1]);
	ok(seen_port_release(&port[1], &lasted) && !lasted,
	   "the end of a block is not reported before its beginning");
	ok(!seen_port_blocked(&port[1]) && told(&port[1]) == MS,
	   "the beginning is reported with the real length");
	ok(!seen_port_release(&port[1], &lasted) && lasted == MS, "then the end is reported");
}

/* The port on which copies came back is blocked, if it may be. */
static void pairs(void)
{
	begin(SEEN_ACTION_BLOCK);
	prove(&port[1], &port[1], &port[0]);
	ok(seen_port_blocked(&port[1]) && !seen_port_blocked(&port[0]) &&
	   port[1].peer == port[0].number,
	   "the probe left by the port of the copies: that port is blocked");
	begin(SEEN_ACTION_BLOCK);
	prove(&port[1], &port[0], &port[1]);
	ok(seen_port_blocked(&port[1]) && !seen_port_blocked(&port[0]) &&
	   port[1].peer == port[0].number,
	   "the probe came in by the port of the copies: the same");
	begin(SEEN_ACTION_BLOCK);
	come(&port[1], SEEN_SUSPECT);
	clock_add(MS);
	prove(&port[1], &port[2], &port[0]);
	ok(!port[1].blocks && port[0].blocks == 1 &&
	   port[0].peer == port[2].number,
	   "a loop of two other ports: one of them is blocked");
	ok(port[0].cause.when == port[1].cause.when && port[0].cause.when,
	   "the block has the frame of the suspicion");
	begin(SEEN_ACTION_BLOCK);
	port[1].protect = true;
	loop(&port[1]);
	ok(!port[1].blocks && seen_port_blocked(&port[0]) &&
	   port[0].peer == port[1].number,
	   "the port is protected: the other one is blocked");
	begin(SEEN_ACTION_BLOCK);
	port[0].protect = true;
	port[1].protect = true;
	loop(&port[1]);
	ok(!port[0].blocks && !port[1].blocks && !port[2].blocks,
	   "both ports are protected: no port is blocked");
}

/* While a port is blocked, repeats are limited on it and on its peer. */
static void signs(void)
{
	u64 lasted = 0;

	begin(SEEN_ACTION_BLOCK);
	loop(&port[1]);
	told(&port[1]);
	clock_set(port[1].blocked_until - 1);
	ok(seen_repeat_signed(&port[0], 0) && seen_repeat_signed(&port[1], 0) &&
	   !seen_repeat_signed(&port[2], 0),
	   "a block is a sign of a loop at both of its ports");
	clock_add(1);
	ok(unsuspected(), "the sign ends with the block");
	seen_port_release(&port[1], &lasted);
	loop(&port[1]);
	clock_add(MS);
	seen_port_unblock(&port[1]);
	ok(unsuspected(), "the sign ends when the port is released");
}

static void never(void)
{
	begin(SEEN_ACTION_BLOCK);
	loop(&port[2]);
	clock_add(MS);
	seen_port_protect(&port[2], true);
	ok(port[2].blocks && !seen_port_blocked(&port[2]),
	   "a blocked port that becomes protected is released");
	begin(SEEN_ACTION_BLOCK);
	loop(&port[1]);
	loop(&port[2]);
	ok(seen_port_blocked(&port[1]) && seen_port_blocked(&port[2]),
	   "two of three ports can be blocked");
	prove(&port[0], &port[0], &port[2]);
	ok(!port[0].blocks && port[2].blocks == 1,
	   "the last open port is not blocked, nor a blocked one again");
	begin(SEEN_ACTION_BLOCK);
	port[0].self = true;
	prove(&port[1], &port[1], &port[2]);
	clock_add(MS);
	prove(&port[2], &port[2], &port[1]);
	ok(seen_port_blocked(&port[1]) && !port[2].blocks,
	   "the bridge itself is no open port");
}

/* A port without a carrier is not open, and no block of it counts. */
static void carrier(void)
{
	begin(SEEN_ACTION_BLOCK);
	port[0].protect = true;
	dev[0].carrier = false;
	dev[2].running = false;
	loop(&port[1]);
	ok(!port[1].blocks && !port[0].blocks,
	   "a port is not blocked if no other port has a carrier");
	dev[2].running = true;
	loop(&port[1]);
	ok(seen_port_blocked(&port[1]), "a port is blocked if another port has a carrier");
	seen_guard_keep_open(&guard);
	ok(seen_port_blocked(&port[1]), "it stays blocked while the other port has a carrier");
	dev[2].carrier = false;
	seen_guard_keep_open(&guard);
	ok(!seen_port_blocked(&port[1]) && fake_cancel_work(&guard.work.work),
	   "it is released when the other port loses its carrier");
	begin(SEEN_ACTION_BLOCK);
	loop(&port[1]);
	clock_add(SECOND);
	loop(&port[2]);
	dev[1].carrier = false;
	seen_guard_keep_open(&guard);
	ok(seen_port_blocked(&port[1]) && seen_port_blocked(&port[2]),
	   "two blocks do not end while a third port is open");
	dev[0].carrier = false;
	seen_guard_keep_open(&guard);
	ok(seen_port_blocked(&port[1]) && !seen_port_blocked(&port[2]),
	   "without it the block of the port with a carrier ends, even if it is longer");
	begin(SEEN_ACTION_BLOCK);
	loop(&port[1]);
	clock_add(SECOND);
	loop(&port[2]);
	dev[0].carrier = false;
	seen_guard_keep_open(&guard);
	ok(!seen_port_blocked(&port[1]) && seen_port_blocked(&port[2]),
	   "of two ports with a carrier the one whose block ends first is released");
	begin(SEEN_ACTION_COUNT);
	port[0].protect = true;
	dev[0].carrier = false;
	dev[2].carrier = false;
	loop(&port[1]);
	ok(!port[1].would_block,
	   "count: the last open port would not be blocked");
}

int main(void)
{
	test_begin(70);
	extremes();
	random_throws();
	forgotten();
	shadows();
	evidence();
	apart();
	pauses();
	other_actions();
	in_order();
	dead_ports();
	control_groups();
	short_lived();
	pairs();
	signs();
	never();
	carrier();
	return test_end();
}
