// SPDX-License-Identifier: GPL-2.0
/*
 * Frames that arrive again on their own port, under verdict loop. The module's own files
 * run under a fake kernel, from a packet's item to its verdict.
 */
#include "../../kmod/guard_verdict.h"
#include "../fake/fake.h"
#include "../fake/module.h"
#include "test.h"

#define PORTS		3
#define MAX		100	/* repeats a second */
#define CONTROL_MAX	10	/* of control groups, in 100 ms */
#define BURST_MAX	50
#define VLAN		5
#define OTHER_VLAN	6
#define SHARING_VLAN	(VLAN + 16)

static struct seen_guard guard;
static struct seen_port port[PORTS];
static struct seen_port_stats stats[PORTS];
static struct net_device dev[PORTS];
static struct seen_binding *binding;
static struct seen_filter *filter;
static u32 frames;
static u64 swept;

/* The clock is at the beginning of a second. */
static void begin(void)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_CUCKOO_WINDOW, .fp_bits = 32, .capacity = 100000,
		.window = 500 * MS,
	};
	int i;

	clock_set((seen_now() / SECOND + 100) * SECOND);
	if (seen_plan(&geo, MIN_TICK))
		abort();
	fake_sn_begin();
	filter = fake_filter(&geo);
	binding = seen_binding_add(&fake_sn, "f", filter, false, NULL);
	binding->ports = PORTS;
	swept = seen_now();
	memset(&guard, 0, sizeof(guard));
	memset(port, 0, sizeof(port));
	memset(stats, 0, sizeof(stats));
	spin_lock_init(&guard.evidence_lock);
	INIT_LIST_HEAD(&guard.ports);
	guard.sn = &fake_sn;
	guard.binding = binding;
	guard.config.kind = SEEN_GUARD_KIND_BRIDGE;
	guard.config.verdict = SEEN_VERDICT_LOOP;
	guard.config.action = SEEN_ACTION_DROP;
	guard.config.repeat = MAX;
	guard.config.suspect = SEEN_SUSPECT;
	for (i = 0; i < PORTS; i++) {
		dev[i].running = true;
		dev[i].carrier = true;
		port[i].sn = &fake_sn;
		port[i].guard = &guard;
		port[i].dev = &dev[i];
		port[i].number = i + 1;
		port[i].ethernet = true;
		port[i].stats = &stats[i];
		spin_lock_init(&port[i].last_lock);
		seen_budget_init(&port[i].budget);
		list_add_tail(&port[i].list, &guard.ports);
	}
}

static void end(void)
{
	fake_cancel_work(&guard.work.work);
	seen_binding_del(binding);
	fake_run();
}

static void pass_time(u64 ns)
{
	clock_add(ns);
	if (seen_now() - swept < seen_set_sweep_period(&filter->set.geo) / 2)
		return;
	seen_set_sweep(&filter->set, 0, filter->set.geo.blocks);
	swept = seen_now();
}

/* Return: the frame passes. */
static bool judged(struct seen_port *to, u32 frame, u16 vlan, bool control)
{
	static const u8 cfm[] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x30 };
	struct seen_link link = { .eth.h_dest = "\xff\xff\xff\xff\xff\xff" };
	const struct seen_sought sought = {
		.link = &link, .item = fake_item(filter, frame),
	};
	struct sk_buff skb = { };

	if (control)
		memcpy(link.eth.h_dest, cfm, sizeof(cfm));
	return seen_guard_decide(to, filter, &skb, &sought,
				 (struct seen_vlan) { .id = vlan }) ==
	       NF_ACCEPT;
}

static bool comes(struct seen_port *to, u32 frame, u16 vlan)
{
	return judged(to, frame, vlan, false);
}

/* A new frame comes, and then @count times again, @gap apart. */
static u32 repeats(struct seen_port *to, u16 vlan, u32 count, u64 gap)
{
	u32 frame = ++frames, passed = 0;

	if (!comes(to, frame, vlan))
		abort();
	while (count--) {
		pass_time(gap);
		passed += comes(to, frame, vlan);
	}
	return passed;
}

/* @count new frames come; then each of them again, after @gap. */
static u32 again(struct seen_port *to, u16 vlan, u32 count, u64 gap)
{
	u32 first = frames + 1, i, passed = 0;

	for (i = 0; i < count; i++)
		comes(to, ++frames, vlan);
	pass_time(gap);
	for (i = 0; i < count; i++)
		passed += comes(to, first + i, vlan);
	return passed;
}

static u32 controls(struct seen_port *to, u32 count)
{
	u32 frame = ++frames, passed = 0;

	if (!judged(to, frame, VLAN, true))
		abort();
	while (count--)
		passed += judged(to, frame, VLAN, true);
	return passed;
}

static void suspect(struct seen_port *at)
{
	spin_lock_bh(&guard.evidence_lock);
	seen_repeat_suspect(at, seen_now());
	spin_unlock_bh(&guard.evidence_lock);
}

static void prove(struct seen_port *at, u64 until)
{
	spin_lock_bh(&guard.evidence_lock);
	seen_repeat_proved(at, until);
	spin_unlock_bh(&guard.evidence_lock);
}

/* --- signs ---------------------------------------------------------------- */

static void without_sign(void)
{
	begin();
	ok(repeats(&port[0], VLAN, MAX, MS) == MAX &&
	   seen_port_sum(&port[0], SEEN_COUNT_REPEAT) == MAX,
	   "without a sign of a loop as many repeats as the limit pass");
	ok(!seen_repeat_signed(&port[0], VLAN), "these repeats are no sign");
	pass_time(SECOND);
	ok(repeats(&port[0], VLAN, 10 * MAX, 2 * SECOND / MAX) == 10 * MAX,
	   "half of the limit passes for any time");
	end();
}

static void many(void)
{
	u32 passed;

	begin();
	repeats(&port[0], VLAN, MAX + 1, 0);
	ok(seen_repeat_signed(&port[0], VLAN),
	   "more repeats than the limit are a sign");
	ok(!seen_repeat_signed(&port[0], OTHER_VLAN) &&
	   !seen_repeat_signed(&port[0], 0), "not for other VLANs");
	ok(!seen_repeat_signed(&port[1], VLAN), "not for other ports");
	ok(seen_repeat_signed(&port[0], SHARING_VLAN),
	   "but for the VLANs that share its counter");
	passed = repeats(&port[0], VLAN, 40, 5 * MS);
	ok(passed >= 1 && passed <= 2,
	   "with the sign a frame passes once in 100 ms");
	ok(repeats(&port[0], OTHER_VLAN, 40, 5 * MS) == 40,
	   "in another VLAN it passes each time");
	pass_time(2 * SECOND);
	ok(!seen_repeat_signed(&port[0], VLAN) &&
	   repeats(&port[0], VLAN, 40, 5 * MS) == 40,
	   "after a second without so many the sign is over");
	end();
	begin();
	repeats(&port[0], VLAN, MAX + 1, 0);
	pass_time(SECOND - 1);
	ok(seen_repeat_signed(&port[0], VLAN), "a ns before that the sign is not over");
	end();
}

/* A frame circles behind one port. */
static void storm(void)
{
	u32 passed;

	begin();
	passed = repeats(&port[0], VLAN, 100000, MS / 10);
	ok(passed > MAX && passed <= MAX + 10 * 10,
	   "of a storm of 10 s ten repeats a second pass after the first 100");
	ok(seen_port_sum(&port[0], SEEN_COUNT_REPEAT) == passed &&
	   seen_port_sum(&port[0], SEEN_COUNT_DUP_SAME) == 100000 - passed &&
	   seen_port_sum(&port[0], SEEN_COUNT_DROPPED) == 100000 - passed,
	   "the others are dropped as duplicates of their port");
	end();
}

static void suspicion(void)
{
	u64 began;

	begin();
	suspect(&port[0]);
	began = seen_now();
	ok(seen_repeat_signed(&port[0], VLAN) &&
	   seen_repeat_signed(&port[0], OTHER_VLAN) &&
	   seen_repeat_signed(&port[0], 0), "a suspicion is a sign in each VLAN");
	ok(!seen_repeat_signed(&port[1], VLAN), "only its own port has the sign");
	ok(!repeats(&port[0], VLAN, 10, MS),
	   "a frame does not pass again at once");
	clock_set(began + 500 * MS - 1);
	suspect(&port[0]);
	ok(seen_repeat_signed(&port[0], VLAN), "the sign lasts 500 ms");
	clock_add(1);
	ok(!seen_repeat_signed(&port[0], VLAN),
	   "the sign does not last longer after another suspicion");
	clock_set(began + 10 * SECOND - 1);
	suspect(&port[0]);
	ok(!seen_repeat_signed(&port[0], VLAN),
	   "within 10 s the next suspicion is no sign");
	clock_add(1);
	suspect(&port[0]);
	ok(seen_repeat_signed(&port[0], VLAN), "after 10 s it is a sign");
	clock_add(MS);
	spin_lock_bh(&guard.evidence_lock);
	seen_repeat_answered(&port[0]);
	spin_unlock_bh(&guard.evidence_lock);
	ok(!seen_repeat_signed(&port[0], VLAN),
	   "the answer of the probes ends the sign");
	end();
}

static void proved(void)
{
	begin();
	prove(&port[0], seen_now() + SECOND);
	clock_add(SECOND - 1);
	ok(seen_repeat_signed(&port[0], VLAN) &&
	   !seen_repeat_signed(&port[1], VLAN),
	   "a proved loop is one until its block ends");
	clock_add(1);
	ok(!seen_repeat_signed(&port[0], VLAN), "and not longer");
	prove(&port[0], seen_now() + SECOND);
	prove(&port[0], 0);
	ok(!seen_repeat_signed(&port[0], VLAN), "or until it is released");
	end();
}

/* --- with a sign ---------------------------------------------------------- */

static void limits(void)
{
	begin();
	prove(&port[0], seen_now() + 100 * SECOND);
	prove(&port[1], seen_now() + 100 * SECOND);
	ok(repeats(&port[0], VLAN, 9, 10 * MS) == 0,
	   "with a sign no frame passes twice within 100 ms");
	ok(repeats(&port[0], VLAN, 9, 126 * MS) == 9, "after that it does");
	clock_set((seen_now() / SECOND + 1) * SECOND);
	ok(again(&port[0], VLAN, 3 * MAX, 130 * MS) == MAX,
	   "as many repeats as the limit pass in a second, of any frames");
	ok(again(&port[0], OTHER_VLAN, MAX, 130 * MS) == 0,
	   "in any VLAN");
	ok(again(&port[1], VLAN, MAX, 130 * MS) == MAX, "on one port");
	clock_set((seen_now() / SECOND + 1) * SECOND);
	ok(again(&port[0], VLAN, 3 * MAX, 130 * MS) == MAX,
	   "the next second has a limit of its own");
	guard.config.repeat = 2 * MAX;
	clock_set((seen_now() / SECOND + 1) * SECOND);
	ok(again(&port[0], VLAN, 3 * MAX, 130 * MS) == 2 * MAX,
	   "the limit changes while the guard runs");
	ok(seen_port_sum(&port[0], SEEN_COUNT_DUP_OTHER) == 0,
	   "no frame is taken for a copy of another port");
	end();
}

static void other_port(void)
{
	u32 frame = ++frames;

	begin();
	comes(&port[0], frame, VLAN);
	ok(!comes(&port[1], frame, VLAN) &&
	   seen_port_sum(&port[1], SEEN_COUNT_DUP_OTHER) == 1,
	   "a copy on another port is dropped without a sign, too");
	ok(comes(&port[0], frame, VLAN), "and its own port may repeat it");
	frame = ++frames;
	judged(&port[0], frame, VLAN, true);
	ok(!judged(&port[1], frame, VLAN, true),
	   "the same for a control group: its frames must not circle");
	end();
}

/* A frame of port 0's comes back on port 1, and then ever again on its own port, at once. */
static u32 circles(u32 count)
{
	u32 frame = ++frames, passed = 0;

	comes(&port[0], frame, VLAN);
	comes(&port[1], frame, VLAN);
	while (count--)
		passed += comes(&port[0], frame, VLAN);
	return passed;
}

static void circling(void)
{
	begin();
	guard.config.repeat = SEEN_REPEAT_DEFAULT;
	guard.config.action = SEEN_ACTION_BLOCK;
	/* The frame that gives the sign passes, too. */
	ok(circles(10 * BURST_MAX) == BURST_MAX + 1,
	   "if a frame came back on another port, a burst passes and no more");
	ok(seen_repeat_signed(&port[0], VLAN) && seen_repeat_signed(&port[1], VLAN),
	   "these repeats are a suspicion for both ports");
	ok(guard.probe.stage == SEEN_PROBE_FIRST &&
	   guard.probe.back == port[1].number && guard.probe.first == port[0].number,
	   "the suspicion sends probes");
	pass_time(499 * MS);
	ok(seen_repeat_signed(&port[0], VLAN), "the sign lasts as long as probes may answer");
	pass_time(2 * MS);
	ok(!seen_repeat_signed(&port[0], VLAN), "and not longer");
	end();

	begin();
	guard.config.repeat = SEEN_REPEAT_DEFAULT;
	ok(circles(10 * BURST_MAX) == BURST_MAX + 1,
	   "the same if no probes are sent");
	pass_time(1900 * MS);
	ok(seen_repeat_signed(&port[0], VLAN) && !seen_repeat_signed(&port[1], VLAN),
	   "without probes the sign lasts longer, if the frame circles");
	pass_time(200 * MS);
	ok(!seen_repeat_signed(&port[0], VLAN), "this sign lasts 2 s");
	end();

	begin();
	guard.config.action = SEEN_ACTION_BLOCK;
	guard.config.repeat = 100 * BURST_MAX;
	ok(repeats(&port[0], VLAN, 20 * BURST_MAX, 0) == 20 * BURST_MAX &&
	   !seen_repeat_signed(&port[0], VLAN),
	   "a burst alone is no sign");
	pass_time(SECOND);
	ok(circles(4 * BURST_MAX) == 4 * BURST_MAX &&
	   !seen_repeat_signed(&port[0], VLAN),
	   "a burst within the limit is no sign, although a frame has come back");
	pass_time(SECOND);
	ok(repeats(&port[0], VLAN, 10 * BURST_MAX, MS) == 10 * BURST_MAX &&
	   !seen_repeat_signed(&port[0], VLAN), "ten frames in 10 ms are no sign");
	ok(guard.probe.stage == SEEN_PROBE_IDLE, "and no probe is sent");
	end();
}

/* Two ports have returned a frame: the last one is suspected, unless it has no rounds left. */
static void returned(void)
{
	u32 i;

	begin();
	guard.config.action = SEEN_ACTION_BLOCK;
	comes(&port[0], ++frames, VLAN);
	comes(&port[2], frames, VLAN);
	pass_time(10 * MS);
	comes(&port[1], frames, VLAN);
	repeats(&port[0], VLAN, 2 * BURST_MAX, 0);
	ok(guard.probe.back == port[1].number, "the last port that returned a frame is suspected");
	end();

	begin();
	guard.config.action = SEEN_ACTION_BLOCK;
	for (i = 0; i < SEEN_PROBE_ROUNDS; i++)
		port[2].round[i] = seen_now();
	comes(&port[0], ++frames, VLAN);
	comes(&port[1], frames, VLAN);
	pass_time(10 * MS);
	comes(&port[2], frames, VLAN);
	repeats(&port[0], VLAN, 2 * BURST_MAX, 0);
	ok(guard.probe.back == port[1].number, "but not a port that has used up its rounds");
	end();

	begin();
	guard.config.action = SEEN_ACTION_BLOCK;
	comes(&port[0], ++frames, VLAN);
	comes(&port[1], frames, VLAN);
	pass_time(61 * SECOND);
	ok(repeats(&port[0], VLAN, 2 * BURST_MAX, 0) == 2 * BURST_MAX &&
	   guard.probe.stage == SEEN_PROBE_IDLE,
	   "a port that returned a frame a minute ago is not suspected");
	end();
}

static void control_groups(void)
{
	begin();
	ok(controls(&port[0], MAX) == MAX,
	   "frames to control groups pass without a sign");
	end();
	begin();
	prove(&port[0], seen_now() + 100 * SECOND);
	ok(controls(&port[0], 50) == CONTROL_MAX,
	   "with a sign ten of their repeats pass at once");
	pass_time(100 * MS);
	ok(controls(&port[0], 50) == CONTROL_MAX, "ten more after 100 ms");
	ok(again(&port[0], VLAN, 2 * MAX, 130 * MS) == MAX,
	   "they do not use the limit of other frames");
	ok(controls(&port[0], 50) == CONTROL_MAX, "other frames do not use their limit");
	prove(&port[1], seen_now() + SECOND);
	ok(controls(&port[1], 50) == CONTROL_MAX, "each port has a limit of its own");
	end();
}

int main(void)
{
	test_begin(56);
	without_sign();
	many();
	storm();
	suspicion();
	proved();
	limits();
	other_port();
	circling();
	returned();
	control_groups();
	return test_end();
}
