// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "charge.h"
#include "keys.h"
#include "numbers.h"

/* Sizes of structures are multiples of this number. */
#define GRAIN		8
/* Time for freed memory to be uncharged: limit in seconds, and pause between tries in ms. */
#define PATIENCE	30
#define MOMENT		10
/* Number of keys by which the probe is tested. */
#define KEYS		16
#define KEY_BYTES	2
/* Records of the feed that is measured, and bytes of a record. */
#define RECORDS		64
#define RECORD_BYTES	16

static struct message message;

static struct message *start(uint8_t cmd)
{
	message.cmd = cmd;
	message.version = SEEN_FAMILY_VERSION;
	message.flags = NLM_F_REQUEST | NLM_F_ACK;
	message.len = 0;
	return &message;
}

/* Begin a request for a filter of ports. */
static struct message *start_filter(const char *name, uint32_t type)
{
	struct message *add = start(SEEN_CMD_FILTER_ADD);
	uint32_t key, field;

	message_put_text(add, SEEN_A_FILTER_NAME, name);
	message_put_u32(add, SEEN_A_FILTER_TYPE, type);
	message_put_u64(add, SEEN_A_FILTER_CAPACITY, 2 * KEYS);
	key = message_nest(add, SEEN_A_FILTER_KEY);
	field = message_nest(add, SEEN_A_FIELD_ENTRY);
	message_put_u32(add, SEEN_A_FIELD_ID, SEEN_FIELD_SPORT);
	message_nest_end(add, field);
	message_nest_end(add, key);
	return add;
}

/* The probe: a bitmap of ports, which is small and exact. */
static int add_probe(const struct space *space, uint16_t family,
		     const char *name)
{
	struct message *add = start_filter(name, SEEN_TYPE_BITMAP);
	const uint8_t first[KEY_BYTES] = {};

	message_put(add, SEEN_A_FILTER_FIRST, first, sizeof(first));
	return talk_ask(space->fd, family, add, NULL, NULL).err;
}

/* A filter that can have a feed. */
static int add_fed(const struct space *space, uint16_t family)
{
	struct message *add = start_filter("fed", SEEN_TYPE_BLOOM);

	message_put_u64(add, SEEN_A_FILTER_FPP, SEEN_FPP_ONE / 100);
	return talk_ask(space->fd, family, add, NULL, NULL).err;
}

static int add_feed(const struct space *space, uint16_t family)
{
	struct message *add = start(SEEN_CMD_FEED_ADD);

	message_put_text(add, SEEN_A_FEED_FILTER, "fed");
	message_put_u32(add, SEEN_A_FEED_RECORDS, RECORDS);
	return talk_ask(space->fd, family, add, NULL, NULL).err;
}

static void del(const struct space *space, uint16_t family, const char *name)
{
	struct message *del = start(SEEN_CMD_FILTER_DEL);

	message_put_text(del, SEEN_A_FILTER_NAME, name);
	if (talk_ask(space->fd, family, del, NULL, NULL).err)
		fatal("the probe cannot be deleted");
}

static void put_keys(struct message *to, uint32_t first, uint32_t count)
{
	for (; count; count--, first++) {
		const uint8_t key[KEY_BYTES] = { [KEY_BYTES - 1] = first };

		keys_put_entry(to, SEEN_A_KEY_ENTRY, key, sizeof(key), NULL);
	}
}

static int add_allowed(const struct space *space, uint16_t family,
		       uint32_t number)
{
	struct message *add = start(SEEN_CMD_ALLOW_ADD);

	message_put_text(add, SEEN_A_KEY_FILTER, "probe");
	put_keys(add, number, 1);
	return talk_ask(space->fd, family, add, NULL, NULL).err;
}

static int ask_guard(const struct space *space, uint16_t family, uint8_t cmd,
		     const char *device)
{
	struct message *ask = start(cmd);

	message_put_u32(ask, SEEN_A_GUARD_KIND, SEEN_GUARD_KIND_DEV);
	message_put_text(ask, SEEN_A_GUARD_DEV, device);
	if (cmd == SEEN_CMD_GUARD_ADD) {
		message_put_text(ask, SEEN_A_GUARD_FILTER, "probe");
		message_put_u32(ask, SEEN_A_GUARD_VERDICT,
				SEEN_VERDICT_LISTED);
	}
	return talk_ask(space->fd, family, ask, NULL, NULL).err;
}

/* --- costs ------------------------------------------------------------------------ */

static void hear_bytes(void *context, const struct reply *reply)
{
	*(uint64_t *)context = attr_u64(attr_find(reply->attrs, reply->len,
						  SEEN_A_FILTER_BYTES));
}

static uint64_t probe_bytes(const struct space *space, uint16_t family)
{
	struct message *get = start(SEEN_CMD_FILTER_GET);
	uint64_t bytes = 0;

	message_put_text(get, SEEN_A_FILTER_NAME, "probe");
	talk_ask(space->fd, family, get, hear_bytes, &bytes);
	return bytes;
}

/*
 * The smallest cap, from @from on, under which one more guard that waits for a device can be
 * added. The guard is charged at once, or refused without a charge.
 */
static uint64_t least_cap(const struct space *space, uint16_t family,
			  uint64_t from, uint32_t grain, const char *device)
{
	int err;

	for (;; from += grain) {
		space_cap(space, from);
		err = ask_guard(space, family, SEEN_CMD_GUARD_ADD, device);
		if (!err)
			break;
		if (err != ENOSPC)
			fatal("a cost cannot be measured");
	}
	space_cap(space, NO_CAP);
	return from;
}

static void must(int err)
{
	if (err)
		fatal("a cost cannot be measured");
}

static void clean(const struct space *space, uint16_t family)
{
	static const char * const devices[] = {
		"absent0", "absent1", "absent2", "absent3", "absent4", "absent5", "absent6",
		"lo",
	};
	size_t i;

	for (i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		must(ask_guard(space, family, SEEN_CMD_GUARD_DEL, devices[i]));
	del(space, family, "probe");
}

void charge_costs(const struct space *space, uint16_t family,
		  struct costs *costs)
{
	uint64_t cap, next;

	space_cap(space, NO_CAP);
	must(add_probe(space, family, "probe"));
	costs->binding = probe_bytes(space, family);
	cap = least_cap(space, family, costs->binding, GRAIN, "absent0");
	next = least_cap(space, family, cap, GRAIN, "absent1");
	costs->guard = next - cap;
	costs->probe = cap - costs->guard;
	costs->binding = costs->probe - costs->binding;

	must(ask_guard(space, family, SEEN_CMD_GUARD_ADD, "lo"));
	cap = next + 2 * costs->guard;
	next = least_cap(space, family, cap, GRAIN, "absent2");
	costs->port = next - cap;

	must(add_allowed(space, family, 1));
	cap = next + costs->guard;
	next = least_cap(space, family, cap, 1, "absent3");
	costs->list = next - cap;
	must(add_allowed(space, family, 2));
	cap = next + costs->guard;
	next = least_cap(space, family, cap, 1, "absent4");
	costs->list -= next - cap;
	costs->entry = next - cap - KEY_BYTES;

	must(add_fed(space, family));
	cap = least_cap(space, family, next + costs->guard, 1, "absent5");
	must(add_feed(space, family));
	costs->record = (sysconf(_SC_NPROCESSORS_CONF) + 1) * RECORD_BYTES;
	next = cap + costs->guard + RECORDS * costs->record;
	next = least_cap(space, family, next, 1, "absent6");
	costs->feed = next - cap - costs->guard - RECORDS * costs->record;
	del(space, family, "fed");
	clean(space, family);
	space_cap(space, space->cap);
}

/* --- the check -------------------------------------------------------------------- */

struct results {
	uint8_t want;
	uint32_t right;
};

static void hear_results(void *context, const struct reply *reply)
{
	struct results *results = context;
	struct key_walk walk;
	struct key key;

	key_walk_entries(&walk, reply->attrs, reply->len);
	while (key_walk_next(&walk, &key))
		results->right += key.result == results->want;
}

static bool keys_are(const struct space *space, uint16_t family, uint8_t cmd,
		     uint32_t first, uint8_t want)
{
	struct results results = { .want = want };
	struct message *ask = start(cmd);

	message_put_text(ask, SEEN_A_KEY_FILTER, "probe");
	if (cmd == SEEN_CMD_KEY_ADD)
		message_put(ask, SEEN_A_KEY_IF_NEW, NULL, 0);
	put_keys(ask, first, KEYS);
	return !talk_ask(space->fd, family, ask, hear_results, &results).err &&
	       results.right == KEYS;
}

static bool probe_works(const struct space *space, uint16_t family)
{
	return keys_are(space, family, SEEN_CMD_KEY_TEST, 0, SEEN_KEY_RESULT_NEW) &&
	       keys_are(space, family, SEEN_CMD_KEY_ADD, 0, SEEN_KEY_RESULT_NEW) &&
	       keys_are(space, family, SEEN_CMD_KEY_ADD, 0, SEEN_KEY_RESULT_SEEN) &&
	       keys_are(space, family, SEEN_CMD_KEY_TEST, 0, SEEN_KEY_RESULT_SEEN) &&
	       keys_are(space, family, SEEN_CMD_KEY_TEST, KEYS, SEEN_KEY_RESULT_NEW);
}

/* Prints how many bytes too many are charged: a range. */
static void measure(const struct space *space, uint16_t family, uint64_t cap)
{
	uint64_t more = 1;

	do {
		more *= 2;
		space_cap(space, cap + more);
	} while (add_probe(space, family, "probe") == ENOSPC);
	del(space, family, "probe");
	fprintf(stderr, "charged too much: from %ju to %ju bytes\n",
		(uintmax_t)more / 2, (uintmax_t)more);
}

static const char *await_probe(const struct space *space, uint16_t family,
			       uint64_t cap)
{
	double end = now() + PATIENCE;
	int err;

	space_cap(space, cap);
	while ((err = add_probe(space, family, "probe")) == ENOSPC) {
		if (now() > end) {
			measure(space, family, cap);
			return "more is charged than the objects cost";
		}
		poll(NULL, 0, MOMENT);
	}
	return err ? "a new filter cannot be added" : NULL;
}

const char *charge_check(const struct space *space, uint16_t family,
			 const struct costs *costs, uint64_t bytes)
{
	const char *wrong;

	wrong = await_probe(space, family, bytes + costs->probe);
	if (wrong)
		return wrong;
	if (!probe_works(space, family))
		wrong = "a new filter does not work";
	space_cap(space, bytes + 2 * costs->probe - 1);
	if (add_probe(space, family, "probe2") != ENOSPC) {
		del(space, family, "probe2");
		wrong = "less is charged than the objects cost";
	}
	del(space, family, "probe");
	return wrong;
}
