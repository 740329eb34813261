// SPDX-License-Identifier: GPL-2.0
/*
 * When a guard blocks a port, and for how long: the module's own files under a
 * fake kernel. The test drives the clock and the dice.
 */
#include "../../kmod/guard.h"
#include "../fake/fake.h"
#include "test.h"

#define PORTS		3
#define BLOCKS		12
/* What the manual says, in ns. */
#define FIRST		(5 * SECOND)
#define LONGEST		(300 * SECOND)
#define FORGOTTEN	(300 * SECOND)
/* Of the die: the length itself. */
#define MIDDLE		(U32_MAX / 2 + 1)
/* The longest, and a quarter: 6 min 15 s. */
#define LIMIT		(375 * SECOND)

/* --- a bridge with three ports -------------------------------------------- */

static struct seen_guard guard;
static struct seen_port port[PORTS];
static u64 frames;

/* The first one is the sender's. */
static void begin(u32 action)
{
	int i;

	memset(&guard, 0, sizeof(guard));
	memset(port, 0, sizeof(port));
	spin_lock_init(&guard.evidence_lock);
	INIT_LIST_HEAD(&guard.ports);
	guard.config.kind = SEEN_GUARD_BRIDGE;
	guard.config.verdict = SEEN_VERDICT_LOOP;
	guard.config.action = action;
	for (i = 0; i < PORTS; i++) {
		port[i].guard = &guard;
		port[i].number = i + 1;
		list_add_tail(&port[i].list, &guard.ports);
	}
	clock_add(SECOND);
}

/* @frame was first seen on port number @first at @since, and comes to @to now. */
static void comes(struct seen_port *to, u64 frame, u32 first, u64 since)
{
	const struct seen_port_answer answer = {
		.result = SEEN_PORT_DUP_OTHER, .first = first, .since = since,
	};
	const struct sk_buff skb = { .skb_iif = to->number };

	seen_guard_evidence(to, &skb, frame, &answer);
}

/* So many frames of the sender's, of which nobody has had any. */
static void come(struct seen_port *to, int count)
{
	while (count--)
		comes(to, ++frames, port[0].number, seen_now());
}

/* As the work tells it: how long it is to last. */
static u64 told(struct seen_port *which)
{
	which->events = 0;
	return which->blocked_until - which->blocked_since;
}

/* To its end and no sooner: what is told of it, 0 if it ends at another time. */
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
	come(which, SEEN_EVIDENCE);
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
	   "which is three quarters of it");
	fake_random = U32_MAX;
	doubles("the highest");
	ok(port[1].released - port[1].blocked_since > LIMIT - MS,
	   "which is a quarter more, but for less than a ms");
	fake_random = MIDDLE;
	doubles("the one in the middle");
	ok(port[1].released - port[1].blocked_since == LONGEST,
	   "which is the length itself");
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
	ok(good == 1000 * BLOCKS, "1000 times with throws at random");
	fake_random = MIDDLE;
}

static void forgotten(void)
{
	begin(SEEN_ACTION_BLOCK);
	ok(lasts(&port[1], MS, FIRST) && lasts(&port[1], FORGOTTEN - 1, 2 * FIRST),
	   "a ns less than 5 min after its end a block is not forgotten");
	ok(lasts(&port[1], FORGOTTEN, FIRST), "after 5 min it is");
	ok(lasts(&port[1], MS, 2 * FIRST), "and the next one is twice as long");
	ok(lasts(&port[2], MS, FIRST), "ports have lengths of their own");
}

/* The same for one that is only noted: its end is not told. */
static bool would_last(struct seen_port *which, u64 nominal)
{
	clock_add(MS);
	come(which, SEEN_EVIDENCE);
	return which->shadow && told(which) == nominal && !end(which);
}

static void shadows(void)
{
	begin(SEEN_ACTION_COUNT);
	ok(would_last(&port[1], FIRST) && would_last(&port[1], 2 * FIRST) &&
	   port[1].would_block == 2 && !port[1].blocks,
	   "blocks that would be made last as long");
	guard.config.action = SEEN_ACTION_BLOCK;
	ok(lasts(&port[1], MS, FIRST) && !port[1].shadow,
	   "and do not lengthen those that are");
	guard.config.action = SEEN_ACTION_COUNT;
	ok(would_last(&port[1], FIRST), "nor the other way round");
	come(&port[1], SEEN_EVIDENCE);
	come(&port[2], SEEN_EVIDENCE);
	ok(port[1].would_block == 4 && !port[2].would_block,
	   "one port at a time");
}

/* --- when ----------------------------------------------------------------- */

static void evidence(void)
{
	begin(SEEN_ACTION_BLOCK);
	come(&port[1], SEEN_EVIDENCE - 1);
	ok(!seen_port_blocked(&port[1]), "two frames are no evidence");
	comes(&port[1], frames, port[0].number, seen_now());
	ok(!seen_port_blocked(&port[1]), "nor is one of them again");
	comes(&port[1], ++frames, port[1].number, seen_now());
	comes(&port[1], ++frames, 0, seen_now());
	ok(!seen_port_blocked(&port[1]), "nor one of its own, or of nobody knows whom");
	guard.config.action = SEEN_ACTION_DROP;
	come(&port[1], SEEN_EVIDENCE);
	ok(!seen_port_blocked(&port[1]), "nor does drop block");
	guard.config.action = SEEN_ACTION_BLOCK;
	come(&port[1], 1);
	ok(seen_port_blocked(&port[1]) && port[1].cause.first == port[0].number,
	   "the third one is, and it names the port that was first");
}

static void apart(void)
{
	int i;

	begin(SEEN_ACTION_BLOCK);
	for (i = 0; i < 100; i++) {
		come(&port[1], 1);
		clock_add(SECOND / 2);
	}
	ok(!port[1].blocks, "no three within a second: no block");
	come(&port[1], 1);
	clock_add(SECOND / 2 - 1);
	come(&port[1], 1);
	ok(seen_port_blocked(&port[1]), "a ns less: a block");
}

static void in_order(void)
{
	u64 before, lasted = 0;

	begin(SEEN_ACTION_BLOCK);
	come(&port[2], SEEN_EVIDENCE - 1);
	come(&port[1], SEEN_EVIDENCE);
	before = seen_now();
	clock_add(MS);
	come(&port[2], 1);
	ok(!seen_port_blocked(&port[2]), "what came back before a block proves nothing");
	comes(&port[2], ++frames, port[0].number, before);
	comes(&port[2], ++frames, port[0].number, before);
	ok(!seen_port_blocked(&port[2]), "nor what was first seen before it");
	come(&port[2], SEEN_EVIDENCE - 1);
	ok(seen_port_blocked(&port[2]), "what came after it does");
	told(&port[1]);
	clock_set(port[1].blocked_until);
	come(&port[1], SEEN_EVIDENCE);
	ok(port[1].blocks == 1, "while its end is not told, a port is not blocked");
	seen_port_release(&port[1], &lasted);
	come(&port[1], SEEN_EVIDENCE);
	ok(lasted && port[1].blocks == 2, "then it is");
}

/* A block that is over before the work has told of it. */
static void short_lived(void)
{
	u64 lasted = 0;

	begin(SEEN_ACTION_BLOCK);
	come(&port[1], SEEN_EVIDENCE);
	clock_add(MS);
	seen_port_unblock(&port[1]);
	ok(seen_port_release(&port[1], &lasted) && !lasted,
	   "no end of a block is told before its beginning");
	ok(!seen_port_blocked(&port[1]) && told(&port[1]) == MS,
	   "which is told with the length that it had");
	ok(!seen_port_release(&port[1], &lasted) && lasted == MS, "then its end is");
}

static void never(void)
{
	begin(SEEN_ACTION_BLOCK);
	port[1].protect = true;
	come(&port[1], 100);
	ok(!port[1].blocks, "a protected port is never blocked");
	come(&port[2], SEEN_EVIDENCE);
	clock_add(MS);
	come(&port[1], 100);
	ok(seen_port_blocked(&port[2]) && !port[1].blocks, "nor beside a blocked one");
	clock_add(MS);
	seen_port_protect(&port[2], true);
	ok(port[2].blocks && !seen_port_blocked(&port[2]),
	   "one that comes to be protected is blocked no more");
	begin(SEEN_ACTION_BLOCK);
	port[0].self = true;
	come(&port[1], SEEN_EVIDENCE);
	clock_add(MS);
	come(&port[2], 100);
	ok(seen_port_blocked(&port[1]) && !port[2].blocks,
	   "nor the last one, whatever the bridge itself sends");
}

/* By a spanning tree: such a port passes nothing, and no block opens it. */
static void closed(void)
{
	begin(SEEN_ACTION_BLOCK);
	port[0].closed = true;
	port[2].closed = true;
	come(&port[1], 100);
	ok(!port[1].blocks, "nor is one beside which the others are closed");
	port[2].closed = false;
	come(&port[1], SEEN_EVIDENCE);
	ok(seen_port_blocked(&port[1]), "beside one that has opened it is");
	port[2].closed = true;
	seen_guard_keep_open(&guard);
	ok(!seen_port_blocked(&port[1]), "until that one is closed again");
	begin(SEEN_ACTION_BLOCK);
	come(&port[1], SEEN_EVIDENCE);
	clock_add(SECOND);
	come(&port[2], SEEN_EVIDENCE);
	port[1].closed = true;
	seen_guard_keep_open(&guard);
	ok(seen_port_blocked(&port[1]) && seen_port_blocked(&port[2]),
	   "of two blocks none ends while a third port is open");
	port[0].closed = true;
	seen_guard_keep_open(&guard);
	ok(seen_port_blocked(&port[1]) && !seen_port_blocked(&port[2]),
	   "then that of the port which is not closed, were it the longer one");
	begin(SEEN_ACTION_COUNT);
	port[2].closed = true;
	come(&port[1], SEEN_EVIDENCE);
	ok(port[1].would_block == 1, "a closed port is no block that is noted");
}

int main(void)
{
	test_begin(40);
	extremes();
	random_throws();
	forgotten();
	shadows();
	evidence();
	apart();
	in_order();
	short_lived();
	never();
	closed();
	return test_end();
}
