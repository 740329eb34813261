// SPDX-License-Identifier: GPL-2.0
/*
 * Filters that are replaced and freed while packets use them: every interleaving of the
 * module's own files, under a fake kernel, with packets in RCU read sections and with the
 * callbacks after a grace period.
 */
#include <stdint.h>

#include "../../kmod/allow.h"
#include "../../kmod/core/snapshot.h"
#include "../../kmod/guard_port.h"
#include "../../kmod/rule.h"
#include "../fake/explored.h"
#include "../fake/module.h"
#include "interleave.h"
#include "map_keys.h"

/* Interfaces that packets come by; the filters' keys. */
enum { KEY = 1, PRESENT, OTHERS, LISTED = PRESENT };
enum { BUCKETS = 2, VALUE = 7 };

static struct seen_net *const sn = &fake_sn;
static struct seen_binding *binding, *other, *third;
static struct seen_filter *filter, *spare;
static const struct seen_binding *hooked; /* where a packet finds its binding */
static struct seen_feed *feed;
static struct seen_port_hooks hooks;
static struct seen_port *port;	/* or its guard's port */
static struct fake_request request;

/* Shared: done() judges it. */
static struct {
	enum seen_rule_answer answer[2];
	enum seen_result bulk;
	bool there;
} told;

/* The contents of the reply make no difference here. */
int seen_nl_filter_reply(struct genl_info *info, struct sk_buff *reply,
			 struct seen_binding *at)
{
	return 0;
}

/* --- a case --------------------------------------------------------------- */

/* A binding with a filter of two lines, and one of which nobody knows yet. */
static void begin(const struct seen_geometry *geo,
		  const struct seen_geometry *geo_spare)
{
	unshare();
	explored_begin();
	fake_sn_begin();
	share(sn, sizeof(*sn));
	memset(&told, 0, sizeof(told));
	told.answer[0] = SEEN_RULE_UNKNOWN;
	told.answer[1] = SEEN_RULE_UNKNOWN;
	share(&told, sizeof(told));
	share(&hooked, sizeof(hooked));
	filter = fake_filter(geo);
	spare = fake_filter(geo_spare);
	binding = seen_binding_add(sn, "f", filter, false, NULL);
	hooked = binding;
}

static struct seen_geometry bloom(void)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_BLOCKED,
		.capacity = 80,
		.fpp = FPP_ONE / 20,
	};

	expect(seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK && geo.blocks == 2);
	return geo;
}

static void put(struct seen_filter *at, u32 key)
{
	struct seen_item item = fake_item(at, key);

	expect(seen_item_test_and_add(&at->set, &item) == SEEN_NEW);
}

static void begin_bloom(void)
{
	struct seen_geometry geo = bloom();

	begin(&geo, &geo);
	put(filter, PRESENT);
}

/* Frees the spare filter, so that a flush can use its memory for the new filter. */
static void begin_flush(void)
{
	begin_bloom();
	seen_filter_free(spare);
}

/* Frees it for the folded filter, which has room for two keys. */
static void begin_fold(void)
{
	struct seen_geometry geo = bloom(), folded;
	const u64 two = 2;

	begin_bloom();
	expect(seen_fold_plan(&filter->set, two, &folded) &&
	       folded.blocks == 1);
	begin(&geo, &folded);
	put(filter, PRESENT);
	seen_filter_free(spare);
	fake_request(&request);
	request.attrs[SEEN_A_FILTER_NAME] =
		fake_string(SEEN_A_FILTER_NAME, "f");
	request.attrs[SEEN_A_FILTER_CAPACITY] =
		fake_attr(SEEN_A_FILTER_CAPACITY, &two, sizeof(two));
}

static void put_on(struct seen_binding *map)
{
	struct seen_item item = fake_item(map->filter, LISTED);

	expect(seen_item_put(&map->filter->set, &item, VALUE) == SEEN_NEW);
}

static void take_off(struct seen_binding *map)
{
	struct seen_item item = fake_item(map->filter, LISTED);

	expect(seen_item_del(&map->filter->set, &item) == SEEN_SEEN);
}

/* An add has found no place, and so it is to have other hashes. */
static void begin_rehash(void)
{
	struct seen_geometry geo = map_tiny(FAKE_KEY_LEN, BUCKETS);

	begin(&geo, &geo);
	put_on(binding);
	filter->set.map.torn = true;
	fake_random = random64();
	seen_filter_free(spare);
}

static struct seen_binding *new_map(const char *map_name)
{
	struct seen_geometry geo = map_tiny(FAKE_KEY_LEN, 1);

	return seen_binding_add(sn, map_name, fake_filter(&geo), false, NULL);
}

static void set_allow_map(int which)
{
	down_write(&sn->lock);
	expect(!seen_binding_set_allow_map(binding, which ? third : other, NULL));
	up_write(&sn->lock);
}

/* A filter, a map that may be its allow map, and one that comes to be. */
static void begin_maps(bool is_one)
{
	begin_bloom();
	other = new_map("other");
	third = new_map("third");
	put_on(other);
	if (is_one)
		set_allow_map(0);
}

static void list(u32 number)
{
	const __be32 bytes = htonl(number);
	const struct seen_key key = {
		.head = (const u8 *)&bytes, .len = sizeof(bytes),
	};

	expect(!seen_allow_add(binding, &key, NULL));
}

static void unlist(u32 number)
{
	const __be32 bytes = htonl(number);
	const struct seen_key key = {
		.head = (const u8 *)&bytes, .len = sizeof(bytes),
	};

	expect(seen_allow_del(binding, &key));
}

/* And memory for as many keys as come to the list later. */
static void begin_list(u32 key, u32 more)
{
	list(key);
	explored_reserve(sizeof(struct seen_allowed) + FAKE_KEY_LEN, more);
}

static void add_feed(u32 records)
{
	feed = seen_feed_create(sn, records, 0, NULL);
	expect(!IS_ERR(feed));
	down_write(&sn->lock);
	seen_binding_feed_add(binding, feed);
	up_write(&sn->lock);
	seen_feed_put(feed, PRESENT, false);
}

/* A feed has room for two records. One of them is taken. */
static void begin_feed(void)
{
	begin_bloom();
	add_feed(2);
}

/* The same with a filter that can delete, and with room for the records of both actors. */
static void begin_cuckoo(u64 window)
{
	struct seen_geometry geo = {
		.kind = window ? SEEN_SET_CUCKOO_WINDOW : SEEN_SET_CUCKOO,
		.capacity = 4,
		.fp_bits = 16,
		.window = window,
	};

	expect(seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK);
	begin(&geo, &geo);
	put(filter, PRESENT);
	add_feed(8);
}

static int fits(const struct seen_pin *pin, const struct seen_filter *filter,
		struct netlink_ext_ack *extack)
{
	return 0;
}

/* A guard of the binding, which drops what is in the filter. */
static void begin_guard(void)
{
	struct seen_guard *guard = fake_alloc(sizeof(*guard));

	guard->binding = binding;
	guard->config.match = SEEN_MATCH_ALL;
	guard->config.verdict = SEEN_VERDICT_LISTED;
	guard->config.action = SEEN_ACTION_DROP;
	port = fake_alloc(sizeof(*port));
	port->guard = guard;
	RCU_INIT_POINTER(hooks.port, port);
	port->stats = fake_alloc_percpu(sizeof(*port->stats));
	guard->pin.check = fits;
	seen_binding_pin(binding, &guard->pin);
}

/* --- actors --------------------------------------------------------------- */

static void packet(int i, u32 key, u8 op)
{
	const struct seen_question question = { .op = op };
	const struct sk_buff skb = fake_packet(key);
	const struct seen_binding *at;

	rcu_read_lock();
	at = rcu_dereference(hooked);
	if (at)
		told.answer[i] = seen_rule_ask(at, &skb, &question);
	rcu_read_unlock();
}

static void packet_tests(void)
{
	packet(0, PRESENT, SEEN_RULE_TEST);
}

static void packet_at_guard(void)
{
	struct sk_buff skb = fake_packet(PRESENT);

	rcu_read_lock();
	if (rcu_dereference(hooked) &&
	    seen_guard_judge(&hooks, &skb, NULL) == NF_DROP)
		told.answer[0] = SEEN_RULE_SEEN;
	rcu_read_unlock();
}

static void packet_adds(void)
{
	packet(0, KEY, SEEN_RULE_TEST_ADD);
}

static void packet_adds_too(void)
{
	packet(1, KEY, SEEN_RULE_TEST_ADD);
}

/* Keys in bulk are brought under the lock. */
static void bulk_adds(void)
{
	struct seen_item item;

	down_read(&sn->lock);
	item = fake_item(seen_binding_filter(binding), KEY);
	told.bulk = seen_item_test_and_add(&seen_binding_filter(binding)->set,
					   &item);
	up_read(&sn->lock);
}

static void packet_adds_present(void)
{
	packet(0, PRESENT, SEEN_RULE_TEST_ADD);
}

static void user_deletes(void)
{
	struct seen_item item;

	down_read(&sn->lock);
	item = fake_item(seen_binding_filter(binding), PRESENT);
	expect(seen_filter_del_by_user(seen_binding_filter(binding), &item) == SEEN_SEEN);
	up_read(&sn->lock);
}

/* @other has its name from a rule, and @spare comes to it. */
static void name_spare(void)
{
	expect(seen_binding_add(sn, "other", spare, false, NULL) == other);
}

static void swap_in(void)
{
	put(spare, PRESENT);
	down_write(&sn->lock);
	name_spare();
	expect(!seen_binding_swap(binding, other, NULL));
	up_write(&sn->lock);
}

/* A filter that has a pending event before it gets a name. */
static void name_late(void)
{
	WRITE_ONCE(spare->events, 1UL << SEEN_FILTER_STALE);
	down_write(&sn->lock);
	name_spare();
	up_write(&sn->lock);
}

/* As an import does. */
static void replace(void)
{
	put(spare, PRESENT);
	down_write(&sn->lock);
	expect(!seen_binding_replace(binding, spare, NULL));
	up_write(&sn->lock);
}

static void delete_feed(void)
{
	down_write(&sn->lock);
	seen_binding_feed_del(binding);
	up_write(&sn->lock);
}

/* The new filter has the feed, too. The old one forgets it. */
static void replace_and_delete_feed(void)
{
	replace();
	delete_feed();
}

static void flush(void)
{
	expect(!seen_binding_flush(binding, NULL));
}

/* The filter first, then the rule; iptables waits for packets in between. */
static void delete(void)
{
	down_write(&sn->lock);
	seen_binding_del(binding);
	up_write(&sn->lock);
	RCU_INIT_POINTER(hooked, NULL);
	synchronize_rcu();
	seen_binding_unpin_rule(binding, 0);
}

/* A guard's hook goes, and nobody waits. */
static void delete_guarded(void)
{
	down_write(&sn->lock);
	RCU_INIT_POINTER(hooked, NULL);
	seen_binding_unpin(binding, &port->guard->pin);
	seen_binding_del(binding);
	up_write(&sn->lock);
}

static void fold_it(void)
{
	expect(!seen_nl_filter_fold(NULL, &request.info));
}

static void rehash(void)
{
	expect(!seen_rehash(filter, NULL));
}

static void callback(void)
{
	run_callback(0);
}

static void callback_too(void)
{
	run_callback(1);
}

/* --- ends ----------------------------------------------------------------- */

static bool holds(struct seen_binding *at, u32 key)
{
	struct seen_item item = fake_item(at->filter, key);

	return seen_item_test(&at->filter->set, &item) == SEEN_SEEN;
}

static void after_feed(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_NEW);
	expect(!binding->feed && !binding->filter->feed);
}

/* The key has a record, unless its filter was no longer published. */
static void after_fed(void)
{
	struct seen_feed_batch batch;

	ends++;
	expect(told.answer[0] == SEEN_RULE_NEW);
	expect(binding->filter == spare && spare->feed == feed);
	seen_feed_choose(feed, NULL, 2, &batch);
	expect(batch.count == 1 + holds(binding, KEY) || batch.count == 2);
}

/* Hosts that apply the records in their order have the key if this host has it. */
static void after_deleted(void)
{
	struct seen_packed_record record[8];
	struct seen_feed_batch batch;
	bool deleted;

	ends++;
	seen_feed_choose(feed, NULL, ARRAY_SIZE(record), &batch);
	seen_feed_read(feed, record);
	expect(batch.count >= 2 && !batch.lost);
	deleted = record[batch.count - 1].age & SEEN_RECORD_DELETED;
	expect(holds(binding, PRESENT) == !deleted);
}

static void after_swap(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN);
	expect(holds(binding, PRESENT) && holds(other, PRESENT));
	expect(binding->filter == spare && other->filter == filter);
}

static void after_replace(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN);
	expect(binding->filter == spare && holds(binding, PRESENT));
}

static void after_event(void)
{
	ends++;
	/* It had been announced, too. */
	expect(fake_events == 2 && spare->name == other->name);
	expect(fake_event.cmd == SEEN_CMD_WINDOW_SHORT_NTF);
}

static void after_flush(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN ||
	       told.answer[0] == SEEN_RULE_NEW);
	expect(binding->filter == spare && !holds(binding, PRESENT));
}

static void after_delete(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN ||
	       told.answer[0] == SEEN_RULE_UNKNOWN);
}

/* From one map to another, which has the key as well. */
static void set_third(void)
{
	put_on(third);
	set_allow_map(1);
}

static void set_and_forget(void)
{
	set_third();
	take_off(other);
}

static void set_and_set_back(void)
{
	set_and_forget();
	down_read(&sn->lock);
	put_on(other);
	up_read(&sn->lock);
	set_allow_map(0);
}

/* More often than a packet looks. */
static void set_to_and_fro(void)
{
	set_and_set_back();
	take_off(third);
	down_read(&sn->lock);
	put_on(third);
	up_read(&sn->lock);
	set_allow_map(1);
	take_off(other);
}

/* Swaps the filter of the allow map; the old filter then loses the key. */
static void swap_map(void)
{
	put_on(third);
	down_write(&sn->lock);
	expect(!seen_binding_swap(other, third, NULL));
	up_write(&sn->lock);
	take_off(third);
}

static void map_to_list(void)
{
	list(LISTED);
	take_off(other);
}

static void map_to_list_alone(void)
{
	list(LISTED);
	down_write(&sn->lock);
	seen_allow_map_drop(binding);
	up_write(&sn->lock);
}

static void list_to_map(void)
{
	set_third();
	unlist(LISTED);
}

/* Which is there already. */
static void list_to_that_map(void)
{
	down_read(&sn->lock);
	put_on(other);
	up_read(&sn->lock);
	unlist(LISTED);
}

static void unlist_other(void)
{
	unlist(OTHERS);
}

/* More often than a packet looks. */
static void list_others(void)
{
	list(OTHERS);
	list(OTHERS + 1);
	list(OTHERS + 2);
}

static void set_and_delete(void)
{
	set_third();
	down_write(&sn->lock);
	seen_binding_del(other);
	up_write(&sn->lock);
}

/* Packets change a map under no lock. */
static void through_map(void)
{
	put_on(other);
	/* Pairs with packet_through(). */
	smp_store_release(&told.there, true);
	list(LISTED);
	take_off(other);
}

static void packet_through(void)
{
	/* Pairs with through_map(). */
	bool there = smp_load_acquire(&told.there);

	packet_tests();
	expect(!there || told.answer[0] == SEEN_RULE_ALLOWED);
}

static void after_through(void)
{
	ends++;
}

static void set_the_same(void)
{
	set_allow_map(0);
	set_allow_map(0);
	set_allow_map(0);
}

/* Deletes the filter and its allow map; the rule stays. */
static void delete_with_map(void)
{
	down_write(&sn->lock);
	seen_binding_del(binding);
	up_write(&sn->lock);
}

static void after_map(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_ALLOWED);
}

static void after_others(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN);
}

/* The name is kept by a rule, and given to another filter. */
static void delete_and_add(void)
{
	down_write(&sn->lock);
	seen_binding_del(binding);
	expect(seen_binding_add(sn, "f", spare, false, NULL) == binding);
	up_write(&sn->lock);
}

/* The other filter is empty: SEEN is of the first one, without its list. */
static void after_another(void)
{
	ends++;
	expect(told.answer[0] != SEEN_RULE_SEEN);
	expect(binding->filter == spare);
}

static void after_allowed(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_ALLOWED ||
	       told.answer[0] == SEEN_RULE_UNKNOWN);
}

/* Exactly one of the two packets was new, no matter which table it used. */
static void after_fold(void)
{
	ends++;
	expect((told.answer[0] == SEEN_RULE_NEW) +
	       (told.answer[1] == SEEN_RULE_NEW) == 1);
	expect((told.answer[0] == SEEN_RULE_SEEN) +
	       (told.answer[1] == SEEN_RULE_SEEN) == 1);
	expect(binding->filter == spare && holds(binding, PRESENT) &&
	       holds(binding, KEY));
}

static void after_bulk(void)
{
	ends++;
	expect((told.answer[0] == SEEN_RULE_NEW) +
	       (told.bulk == SEEN_NEW) == 1);
	expect(binding->filter == spare && holds(binding, PRESENT) &&
	       holds(binding, KEY));
}

static void after_test(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN);
	expect(binding->filter == spare && holds(binding, PRESENT));
}

static void after_rehash(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN);
	expect(!filter->set.map.torn && holds(binding, PRESENT));
}

/* case_of() - its name, its end, and the actors */
#define case_of(name, done, ...)					\
	play(name, (void (*[])(void)) { __VA_ARGS__, NULL }, done)

int main(void)
{
	test_begin(34);

	begin_bloom();
	other = seen_binding_pin_rule(sn, "other", 0, NULL);
	case_of("a filter is swapped, a packet",
		after_swap, swap_in, packet_tests);

	begin_bloom();
	case_of("a filter is replaced, a packet, the old one is freed",
		after_replace, replace, packet_tests, callback);

	begin_bloom();
	begin_guard();
	case_of("the same, a packet at a guard",
		after_replace, replace, packet_at_guard, callback);

	begin_bloom();
	other = seen_binding_pin_rule(sn, "other", 0, NULL);
	fake_events = 0;
	share(&fake_events, sizeof(fake_events));
	share(&fake_event, sizeof(fake_event));
	case_of("a filter has a pending event before it has a name",
		after_event, name_late, callback);

	begin_flush();
	case_of("a filter is flushed, a packet, the old one is freed",
		after_flush, flush, packet_tests, callback);

	begin_bloom();
	seen_binding_pin_rule(sn, "f", 0, NULL);
	case_of("a filter and then its rule are deleted, a packet, both are freed",
		after_delete, delete, packet_tests, callback, callback_too);

	begin_bloom();
	begin_guard();
	case_of("a guard and its filter are deleted, a packet, both are freed",
		after_delete, delete_guarded, packet_tests, callback, callback_too);

	begin_bloom();
	begin_guard();
	begin_list(LISTED, 0);
	case_of("a guard, its filter and its list are deleted, a packet on the list",
		after_allowed, delete_guarded, packet_at_guard, callback);

	begin_bloom();
	seen_binding_pin_rule(sn, "f", 0, NULL);
	begin_list(LISTED, 0);
	case_of("a filter, its list and its rule are deleted, a packet on the list",
		after_allowed, delete, packet_tests);

	begin_bloom();
	seen_binding_pin_rule(sn, "f", 0, NULL);
	begin_list(LISTED, 0);
	case_of("a filter and its list are deleted, a new one is added, a packet on the list",
		after_another, delete_and_add, packet_tests);

	begin_maps(true);
	case_of("a filter gets another allow map, a packet in both maps",
		after_map, set_third, packet_tests);

	begin_maps(true);
	case_of("the same, and the first map loses the key",
		after_map, set_and_forget, packet_tests);

	begin_maps(true);
	case_of("the same, and the first map is deleted and freed",
		after_map, set_and_delete, packet_tests, callback, callback_too);

	begin_maps(true);
	case_of("the same, and the first map is set again",
		after_map, set_and_set_back, packet_tests);

	begin_maps(true);
	case_of("the same, several times",
		after_map, set_to_and_fro, packet_tests);

	begin_maps(true);
	case_of("an allow map is swapped, and the old filter loses the key, a packet",
		after_map, swap_map, packet_tests);

	begin_maps(true);
	begin_list(OTHERS, 1);
	case_of("a key moves from the allow map to the list, a packet with it",
		after_map, map_to_list, packet_tests);

	begin_maps(true);
	begin_list(OTHERS, 1);
	case_of("a key moves to the list, and the filter loses its map",
		after_map, map_to_list_alone, packet_tests);

	begin_maps(false);
	begin_list(LISTED, 0);
	case_of("a key moves from the list to a new map",
		after_map, list_to_map, packet_tests);

	begin_maps(true);
	take_off(other);
	begin_list(LISTED, 0);
	case_of("a key moves from the list to the same map",
		after_map, list_to_that_map, packet_tests);

	begin_maps(true);
	take_off(other);
	begin_list(KEY, 3);
	case_of("other keys are added to the list, a packet that is not on it",
		after_others, list_others, packet_tests);

	begin_maps(true);
	take_off(other);
	case_of("the allow map is set several times, a packet that is not in it",
		after_others, set_the_same, packet_tests);

	begin_maps(true);
	seen_binding_pin_rule(sn, "f", 0, NULL);
	case_of("a filter and its allow map are deleted, a packet in the map",
		after_allowed, delete_with_map, packet_tests);

	begin_maps(true);
	take_off(other);
	begin_list(OTHERS, 1);
	case_of("a packet adds a key to the map, the key moves to the list",
		after_through, through_map, packet_through);

	begin_fold();
	case_of("a filter is folded, a packet, the old one is freed",
		after_test, fold_it, packet_tests, callback);

	begin_fold();
	case_of("a filter is folded, a new key by two packets",
		after_fold, fold_it, packet_adds, packet_adds_too);

	begin_fold();
	case_of("a filter is folded, a new key by a packet and in bulk",
		after_bulk, fold_it, packet_adds, bulk_adds);

	begin_rehash();
	case_of("a map is rehashed, a packet, the old table is freed",
		after_rehash, rehash, packet_tests, callback);

	begin_bloom();
	list(LISTED);
	list(OTHERS);
	case_of("another key is deleted from the list and freed, a packet on the list",
		after_map, unlist_other, packet_tests, callback);

	begin_feed();
	case_of("a feed is deleted, a packet with a new key, the feed is freed",
		after_feed, delete_feed, packet_adds, callback);

	begin_feed();
	case_of("a filter with a feed is replaced, a packet with a new key, the old one is freed",
		after_fed, replace, packet_adds, callback);

	begin_feed();
	case_of("the same, and then its feed is deleted, both are freed",
		after_feed, replace_and_delete_feed, packet_adds, callback, callback_too);

	begin_cuckoo(0);
	case_of("a user deletes a key of a filter with a feed, a packet adds it",
		after_deleted, user_deletes, packet_adds_present);

	begin_cuckoo(SECOND);
	case_of("the same with a window",
		after_deleted, user_deletes, packet_adds_present);
	return test_end();
}
