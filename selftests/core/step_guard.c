// SPDX-License-Identifier: GPL-2.0
/*
 * A guard's action and its marks change beside a packet: kmod's own functions, which
 * part.sh has taken from its files.
 */
#include <linux/atomic.h>

#include "interleave.h"

/* --- what kmod's functions need of it ----------------------------------------------- */

enum { SEEN_ACTION_COUNT, SEEN_ACTION_MARK, SEEN_ACTION_DROP, SEEN_ACTION_BLOCK };
enum { NF_DROP, NF_ACCEPT };
enum { SEEN_A_GUARD_ACTION, SEEN_A_GUARD_MARK, SEEN_A_GUARD_MARK_VALUE, ATTRIBUTES };

struct nlattr {
	u32 number;
};

struct genl_info {
	const struct nlattr *attrs[ATTRIBUTES];
};

struct seen_guard_config {
	u32 action;
	u32 mark;
	bool mark_value;
	bool paused;
};

struct seen_guard {
	struct seen_guard_config config;
};

struct seen_port {
	struct seen_guard *guard;
};

struct sk_buff {
	u32 mark;
};

#define nla_get_u32(attribute)		((attribute)->number)
#define refuse(info, attribute, text)	((void)(info), -1)
#define seen_port_count(port, counter)	((void)(port))
#define lockdep_assert_held_write(l)	((void)0)
#define release(guard)			((void)(guard))

#include "guard.part"
#include "guard_conf.part"
#include "netlink_guard.part"

/* --- a case --------------------------------------------------------------------------- */

/* Of the packet: nobody's, of before, of now; and its value in the guard's map. */
enum { NONE = 1, BEFORE = 2, NOW = 3, VALUE = 4 };
static const u32 in_map = VALUE;

static struct seen_guard guard;
/* Shared: done() judges it. */
static struct {
	u32 verdict;
	u32 mark;
} told;
static u32 action;	/* to come */
static const u32 *value;	/* of the packet, if it has asked a map */
static bool one;	/* mark for all, or its own for each */

static void begin(u32 before, bool mark_value)
{
	value = &in_map;
	unshare();
	share(&guard, sizeof(guard));
	share(&told, sizeof(told));
	guard.config = (struct seen_guard_config) {
		.action = before, .mark = BEFORE, .mark_value = mark_value,
	};
}

/* As GUARD_SET does it. */
static void change(void)
{
	static const struct nlattr mark = { NOW };
	struct genl_info info = {};
	struct seen_guard_config config = guard.config;

	config.action = action;
	if (action == SEEN_ACTION_MARK)
		info.attrs[one ? SEEN_A_GUARD_MARK : SEEN_A_GUARD_MARK_VALUE] = &mark;
	expect(!parse_mark(&info, &config));
	seen_guard_change(&guard, &config);
}

static void packet(void)
{
	struct seen_port port = { &guard };
	struct sk_buff skb = { NONE };

	told.verdict = act(&port, &skb, value);
	told.mark = skb.mark;
}

static bool is_marked(u32 with)
{
	return told.verdict == NF_ACCEPT && told.mark == with;
}

static void one_or_value(void)
{
	ends++;
	expect(is_marked(BEFORE) || is_marked(VALUE));
}

static void value_or_one(void)
{
	ends++;
	expect(is_marked(VALUE) || is_marked(NOW));
}

static void dropped_or_one(void)
{
	ends++;
	expect(told.verdict == NF_DROP || is_marked(NOW));
}

static void dropped_or_value(void)
{
	ends++;
	expect(told.verdict == NF_DROP || is_marked(VALUE));
}

static void dropped_or_none(void)
{
	ends++;
	expect(told.verdict == NF_DROP || is_marked(NONE));
}

static void as_before(void)
{
	ends++;
	expect(is_marked(BEFORE));
}

static void changes(const char *what, u32 to, bool to_one, void (*done)(void))
{
	action = to;
	one = to_one;
	play(what, (void (*[])(void)) { change, packet, NULL }, done);
}

int main(void)
{
	test_begin(6);
	begin(SEEN_ACTION_MARK, false);
	changes("one mark for all gives way to a map's values, a packet",
		SEEN_ACTION_MARK, false, one_or_value);
	begin(SEEN_ACTION_MARK, true);
	changes("values give way to one mark, a packet",
		SEEN_ACTION_MARK, true, value_or_one);
	begin(SEEN_ACTION_DROP, true);
	changes("what drops marks with one mark, a packet",
		SEEN_ACTION_MARK, true, dropped_or_one);
	begin(SEEN_ACTION_DROP, false);
	changes("what drops marks with values, a packet",
		SEEN_ACTION_MARK, false, dropped_or_value);
	begin(SEEN_ACTION_MARK, false);
	value = NULL;
	changes("a map comes, and its values are the marks, a packet from before",
		SEEN_ACTION_MARK, false, as_before);
	begin(SEEN_ACTION_DROP, false);
	guard.config.mark = 0;
	value = NULL;
	changes("the same where there was no mark",
		SEEN_ACTION_MARK, false, dropped_or_none);
	return test_end();
}
