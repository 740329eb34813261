// SPDX-License-Identifier: GPL-2.0
/*
 * Requests that need more than one message or answer, or more than one key of a kind: long
 * lists, tables in chunks, guards with many ports, maps that are rehashed.
 */
#include <errno.h>
#include <string.h>

#include <sys/socket.h>

#include "client.h"
#include "collide.h"
#include "link.h"
#include "numbers.h"
#include "ops.h"

#define SNAPSHOT	"/tmp/faults.many"
#define EXPORT		"/tmp/faults.many-export"

/* More ports than a message of a dump contains, and keys than a message of a list contains. */
#define PORTS		24
#define KEYS		SEEN_KEYS_MAX

/* --- keys -------------------------------------------------------------------------- */

static const struct sort *map(void)
{
	return op_sort("map");
}

static void filter_of(const char *name, const struct sort *sort,
		      uint64_t capacity)
{
	struct seen_filter_config config = fixture_config(name, sort);

	config.capacity = capacity;
	must(seen_filter_add(client, &config));
}

static void one_map(const struct sort *unused)
{
	fixture_filter("f", map());
}

static int key_add_values(const struct sort *unused)
{
	unsigned int i;

	fixture_keys_none(true);
	for (i = 4; i < 9; i++)
		fixture_keys_put(map(), i);
	return fixture_keys_send(SEEN_CMD_KEY_ADD, "f", false);
}

static void one_bloom(const struct sort *unused)
{
	fixture_filter("f", op_sort("bloom"));
}

static int allow(unsigned int count)
{
	return fixture_keys(SEEN_CMD_ALLOW_ADD, "f", op_sort("bloom"), false, 1,
			    count);
}

static int allow_some(const struct sort *unused)
{
	return allow(6);
}

/* Keys before the refused one stay stored. */
static int allow_done(unsigned int done)
{
	return done ? allow(done) : 0;
}

static void allowed_many(const struct sort *unused)
{
	one_bloom(unused);
	must(allow(KEYS));
}

static int tell(const uint8_t *key, size_t len, void *context)
{
	answer(key, len);
	return 0;
}

static int allow_list(const struct sort *unused)
{
	return seen_allow_list(client, "f", tell, NULL);
}

/* --- tables in chunks -------------------------------------------------------------- */

static void large(const char *sort, uint64_t capacity)
{
	filter_of("f", op_sort(sort), capacity);
	must(fixture_keys(SEEN_CMD_KEY_ADD, "f", op_sort(sort), false, 1,
			  KEYS));
}

static void large_bloom(const struct sort *unused)
{
	large("bloom", 60000);
}

static void large_map(const struct sort *unused)
{
	large("map", KEYS);
}

static int export(const struct sort *unused)
{
	int err = seen_filter_export(client, "f", EXPORT, true);

	if (!err)
		op_answer_file(EXPORT);
	return err;
}

static void save(void)
{
	must(seen_filter_export(client, "f", SNAPSHOT, true));
}

static void saved_bloom(const struct sort *unused)
{
	large_bloom(unused);
	save();
}

static void saved_map(const struct sort *unused)
{
	large_map(unused);
	save();
}

static int import(const struct sort *unused)
{
	return seen_filter_import(client, "i", SNAPSHOT, NULL, false);
}

/* --- maps that are rehashed ---------------------------------------------------------- */

/* Keys for the same two buckets of f: one more than these have slots. */
static unsigned int alike[COLLIDE_KEYS];

static void find_alike(void)
{
	const struct seen_filter_config config = fixture_config("f", map());
	unsigned int found = 0, i;
	struct seen_filter_info info;
	uint64_t place, first = 0;
	uint8_t key[16];
	uint16_t len;

	must(seen_filter_get(client, "f", &info));
	for (i = 0; i <= UINT16_MAX && found < COLLIDE_KEYS; i++) {
		len = fixture_key(map(), i, key);
		place = collide_place(config.secret, info.blocks, key, len);
		if (!found)
			first = place;
		if (place == first)
			alike[found++] = i;
	}
	if (found < COLLIDE_KEYS)
		fatal("no keys for the same two buckets");
}

static int add_alike(unsigned int from, unsigned int to)
{
	fixture_keys_none(true);
	for (; from < to; from++)
		fixture_keys_put(map(), alike[from]);
	return fixture_keys_send(SEEN_CMD_KEY_ADD, "f", false);
}

static void crowded(const struct sort *unused)
{
	filter_of("f", map(), 100);
	find_alike();
	must(add_alike(0, COLLIDE_SLOTS));
}

static int key_add_rehash(const struct sort *unused)
{
	return add_alike(COLLIDE_SLOTS, COLLIDE_KEYS);
}

/* The cap forbids another table, which has the same effect as lack of memory. */
static int key_add_capped(unsigned int done)
{
	int err;

	fixture_cap(1);
	err = key_add_rehash(NULL);
	fixture_cap(0);
	return err == -ENOSPC ? 0 : -EPROTO;
}

/* An import must rehash: with the initial secret there is no place for all keys. */
static void saved_crowded(const struct sort *unused)
{
	crowded(unused);
	must(key_add_rehash(unused));
	save();
	must(seen_filter_del(client, "f", true));
}

/* A merge must rehash: g's key has no place among those of f. */
static void two_crowded(const struct sort *unused)
{
	crowded(unused);
	filter_of("g", map(), 100);
	fixture_keys_none(true);
	fixture_keys_put(map(), alike[COLLIDE_SLOTS]);
	must(fixture_keys_send(SEEN_CMD_KEY_ADD, "g", false));
}

static int merge(const struct sort *unused)
{
	struct seen_filter_info info;

	return seen_filter_merge(client, "f", "g", false, &info);
}

/* --- feeds -------------------------------------------------------------------------- */

static const struct sort *windowed(void)
{
	return op_sort("cuckoo-window");
}

static void one_windowed(const struct sort *unused)
{
	fixture_filter("f", windowed());
}

static int feed_add(const struct sort *unused)
{
	const struct seen_feed_config config = { .records = 64, .stale = SEEN_FEED_NEVER };

	return seen_feed_add(client, "f", &config);
}

/* With records that were not taken. */
static void fed(const struct sort *unused)
{
	one_windowed(unused);
	must(feed_add(unused));
	must(fixture_keys(SEEN_CMD_KEY_ADD, "f", windowed(), false, 10, 5));
}

static int feed_del(const struct sort *unused)
{
	return seen_feed_del(client, "f");
}

/* All of a record but its age, which grows. */
static int feed_take(const struct sort *unused)
{
	struct seen_feed_batch batch;
	int err = seen_feed_take(client, "f", 0, &batch);

	if (err)
		return err;
	answer(&batch.count, sizeof(batch.count));
	for (size_t i = 0; i < batch.count; i++)
		answer(&batch.records[i].hash, sizeof(batch.records[i].hash));
	seen_feed_batch_free(&batch);
	return 0;
}

static const struct seen_feed_record hashes[] = {
	{ .hash = 0x0123456789abcdef }, { .hash = 0xfedcba9876543210 },
};

#define HASHES	(sizeof(hashes) / sizeof(*hashes))

static int hash_add(const struct sort *unused)
{
	uint8_t results[HASHES];
	uint64_t age = 0;
	int err = seen_hash_add(client, "f", hashes, HASHES, &age, results);

	if (!err)
		answer(results, sizeof(results));
	return err;
}

static void hashed(const struct sort *unused)
{
	fed(unused);
	must(hash_add(unused));
}

static int hash_del(const struct sort *unused)
{
	uint8_t results[HASHES];
	int err = seen_hash_del(client, "f", hashes, HASHES, results);

	if (!err)
		answer(results, sizeof(results));
	return err;
}

/* --- guards ------------------------------------------------------------------------ */

static void many_ports(const struct sort *unused)
{
	unsigned int i;

	must(link_add("br0", "bridge"));
	for (i = 0; i < PORTS; i++) {
		must(link_add(fixture_port(i), "dummy"));
		must(link_master(fixture_port(i), "br0"));
	}
}

static struct seen_guard_config bridge_config(void)
{
	struct seen_guard_config config = fixture_guard(SEEN_GUARD_KIND_BRIDGE,
							"br0",
							SEEN_GUARD_PROFILE_LOOP,
							NULL);

	config.protects = 2;
	strcpy(config.protect[0], "p0");
	strcpy(config.protect[1], "p9");
	return config;
}

static int add_bridge(const struct sort *unused)
{
	const struct seen_guard_config config = bridge_config();

	return seen_guard_add(client, &config);
}

static void guarded_ports(const struct sort *unused)
{
	many_ports(unused);
	must(add_bridge(unused));
}

static int bridge_del(const struct sort *unused)
{
	const struct seen_guard_config config = bridge_config();

	return seen_guard_del(client, &config.id);
}

static void device(const struct sort *unused)
{
	struct sort with_key = *op_sort("cuckoo-window");

	with_key.key = "src";
	must(link_add("d0", "dummy"));
	filter_of("f", &with_key, 100);
}

static int add_conditions(const struct sort *unused)
{
	struct seen_guard_config config = fixture_guard(SEEN_GUARD_KIND_DEV, "d0", 0,
							"f");

	config.udps = 1;
	config.udp[0] = (struct seen_port_range){ 53, 60 };
	config.src.count = 1;
	config.src.prefix[0] = (struct seen_prefix){ AF_INET, 8, { 10 } };
	config.dst.count = 1;
	config.dst.prefix[0] = (struct seen_prefix){ AF_INET6, 16, { 0xfe } };
	return seen_guard_add(client, &config);
}

/* All attributes except ids, which differ each time. */
static int tell_guard(struct seen_client *unused, struct nlmsghdr *nlh, void *context)
{
	struct genlmsghdr *gnlh = nlmsg_data(nlh);
	struct nlattr *nla;
	int rest;

	nla_for_each_attr(nla, genlmsg_attrdata(gnlh, 0),
			  genlmsg_attrlen(gnlh, 0), rest)
		if (nla_type(nla) != SEEN_A_GUARD_IFINDEX &&
		    nla_type(nla) != SEEN_A_GUARD_ID &&
		    nla_type(nla) != SEEN_A_GUARD_FILTER_ID)
			answer(nla, nla->nla_len);
	return 0;
}

int op_guard_get(enum seen_guard_kind kind, const char *dev)
{
	struct nl_msg *msg = seen_request(client, SEEN_CMD_GUARD_GET,
					  NLM_F_ACK, 128);

	if (!msg || nla_put_u32(msg, SEEN_A_GUARD_KIND, kind) ||
	    nla_put_string(msg, SEEN_A_GUARD_DEV, dev))
		fatal("guard get");
	return seen_transact(client, msg, tell_guard, NULL);
}

const struct op op_many[] = {
	{ "key add, with values", one_map, key_add_values },
	{ "key add, rehash", crowded, key_add_rehash,
	  .refused = key_add_capped, .tells = "saturated f" },
	{ "allow add, several", one_bloom, allow_some, .refused = allow_done },
	{ "allow show, in several parts", allowed_many, allow_list, .free = true },
	{ "filter export, in chunks", large_bloom, export },
	{ "filter export, map in chunks", large_map, export },
	{ "filter import, in chunks", saved_bloom, import },
	{ "filter import, map in chunks", saved_map, import },
	{ "filter import, rehash", saved_crowded, import },
	{ "filter merge, rehash", two_crowded, merge },
	{ "feed add", one_windowed, feed_add },
	{ "feed del", fed, feed_del },
	{ "feed get", fed, feed_take },
	{ "hash add", fed, hash_add },
	{ "hash del", hashed, hash_del },
	{ "guard add, conditions", device, add_conditions },
	{ "guard add bridge, many ports", many_ports, add_bridge },
	{ "guard show, many ports", guarded_ports, op_guard_list, .free = true },
	{ "guard del bridge, many ports", guarded_ports, bridge_del },
};
const unsigned int op_many_count = sizeof(op_many) / sizeof(*op_many);
