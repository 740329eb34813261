// SPDX-License-Identifier: GPL-2.0
/* Which host is named for messages that cannot be used, and for how long. */
#include <string.h>

#include "../../tools/seend/blame.h"
#include "tap.h"

#define NOW	(1000000 * NS_PER_SEC)

static struct blame blames[REASONS];

static void refused(enum reason reason, enum message_type type, size_t peer)
{
	const struct message message = { .type = type, .peer = peer, .time = NOW };

	blame_note(blames, reason, &message, NOW);
}

static bool holds(enum reason reason, bool collects, unsigned int seconds)
{
	return blame_holds(&blames[reason], collects, NOW + seconds * NS_PER_SEC);
}

static void test_batches(void)
{
	refused(REASON_SEAL, MESSAGE_OUT, 2);
	ok(blames[REASON_SEAL].peer == 2 && blames[REASON_SEAL].named &&
	   holds(REASON_SEAL, false, 5), "the sender of a batch is named");
	ok(strstr(blame_text(&blames[REASON_SEAL], REASON_SEAL),
		  "sends batches that are not sealed"),
	   "with the reason");
	ok(!holds(REASON_SEAL, false, 11), "as long as it sends some");
	blame_end(blames, 1, true, NOW);
	ok(holds(REASON_SEAL, false, 5), "batches of another host change nothing");
	blame_end(blames, 2, true, NOW);
	ok(!holds(REASON_SEAL, false, 5), "a batch that is used ends it");
}

static void test_keys(void)
{
	refused(REASON_CHECK, MESSAGE_PUBLISH, 3);
	ok(holds(REASON_CHECK, true, 800) && !holds(REASON_CHECK, true, 901),
	   "a publisher is named for 15 minutes");
	ok(!holds(REASON_CHECK, false, 1), "only by the aggregator, which reads its messages");
}

static void test_strangers(void)
{
	refused(REASON_SENDER, MESSAGE_OUT, PEERS_MAX);
	ok(!blames[REASON_SENDER].named && !holds(REASON_SENDER, false, 1),
	   "nobody is named for a message of a stranger");
	refused(REASON_SENDER, MESSAGE_OUT, 4);
	refused(REASON_SENDER, MESSAGE_OUT, PEERS_MAX);
	ok(!blames[REASON_SENDER].named && holds(REASON_SENDER, false, 1),
	   "which does not hide a host that is");
}

/* Only some batches have keys of a publisher that is not in the list. */
static void test_lists(void)
{
	refused(REASON_ROSTER, MESSAGE_OUT, 5);
	blame_end(blames, 5, false, NOW + 60 * NS_PER_SEC);
	ok(holds(REASON_ROSTER, false, 65), "another list is a fault until it is equal");
	blame_end(blames, 5, true, NOW + 60 * NS_PER_SEC);
	ok(!holds(REASON_ROSTER, false, 65), "and not then");
	refused(REASON_QUOTA, MESSAGE_PUBLISH, 6);
	ok(!blame_text(&blames[REASON_QUOTA], REASON_QUOTA), "a quota is no difference of hosts");
}

int main(void)
{
	tap_begin(12);
	test_batches();
	test_keys();
	test_strangers();
	test_lists();
	return tap_end();
}
