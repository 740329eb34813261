// SPDX-License-Identifier: GPL-2.0
/*
 * Filters that are replaced and freed while packets ask for them: every
 * interleaving of kmod's own functions, which part.sh has taken from its files,
 * with packets in read sections and with what runs a grace period later.
 */
#include <stdint.h>
#include <string.h>

#include "interleave.h"
#include "kmod.h"
#include "map_keys.h"

enum { KEY, PRESENT, KEYS, LISTED = PRESENT };
enum { BUCKETS = 2, LEN = 8, VALUE = 7, SPEC = 5 };

static struct seen_net sn;
static struct seen_slot *slot, *other, *third;
static struct seen_filter *filter, *spare;
static struct seen_item item[KEYS];
static struct seen_item listed;	/* of the packet, in an allow map */
static struct seen_map_table rehashed;	/* that a rehash comes to use */
static struct seen_slot *named;	/* by a command that is about an allow map */
static const struct seen_slot *hooked;	/* where a packet finds its slot */

/* Shared: done() judges it. */
static struct {
	enum seen_rule_answer answer[2];
	enum seen_result bulk;
	u32 events;
} told;

/* --- what kmod's functions call ------------------------------------------------- */

/* A command's attributes lead to the slot; its reply is of no matter. */
struct genl_info {
	struct netlink_ext_ack *extack;
};

struct nlattr {
	const char *text;
};

#define nla_data(attribute)			((attribute)->text)
#define seen_slot_find(sn, attribute, extack)	((void)(extack), (void)(sn), named)
#define check(slot, map, extack)		0
#define seen_filter_find(filter, item)						\
	(seen_item_test(&(filter)->set, item) == SEEN_SEEN)
#define find(info, attribute)			((void)(skb), found(info))
#define seen_nl_reply(info, size)		((struct sk_buff *)(info))
#define nlmsg_free(reply)			((void)(reply))
#define send(info, reply, slot)			((void)(reply), 0)
#define create_folded(info, old)		spare
#define move_stats(from, to)			((void)(to))
#define move_effective(from, to)		((void)(to))
#define get_random_u64()			rehashed.seed
#define allocate(filter, extack)		((void)(extack), rehashed.entries)
#define seen_filter_table_bytes(geo)		((void)(geo), 0)
#define seen_filter_count(filter, stat)		((void)(filter))
#define seen_filter_passes(filter)		false
#define can(filter, question)			true
#define count(filter, op, answer)		((void)(op))

#define struct_size(p, member, count)		sizeof(*(p))
#define kmalloc(size, gfp)			(&on_list)

enum { SLICE = 1, SEEN_GFP };

static struct seen_allowed on_list;

static struct seen_slot *found(const struct genl_info *info)
{
	(void)info;
	return slot;
}

/* Each filter has hashes of its own: a map, its; these two have the same. */
static bool seen_filter_item(const struct seen_filter *at, const void *key,
			     size_t len, struct seen_item *to)
{
	(void)len;
	*to = at == filter || at == spare ? item[*(const u8 *)key] : listed;
	return true;
}

#include "allow_h.part"

static int insert(struct seen_allow *allow, const struct seen_allowed *allowed)
{
	if (allowed->key[0] == LISTED)
		WRITE_ONCE(allow->has_it, true);
	return 0;
}

/* No acquire: a list that is not there orders nothing. */
static bool list_holds(const struct seen_slot *slot, const void *key, size_t len)
{
	const struct seen_allow *allow = READ_ONCE(slot->allow);

	(void)len;
	return *(const u8 *)key == LISTED && allow && READ_ONCE(allow->has_it);
}

/* No acquire either where there is none: that orders nothing. */
#undef rcu_dereference
/* Pairs with rcu_assign_pointer(). */
#define rcu_dereference(p)	(READ_ONCE(p) ? smp_load_acquire(&(p)) : NULL)
#include "allow.part"
#undef rcu_dereference
/* Pairs with rcu_assign_pointer(). */
#define rcu_dereference(p)	smp_load_acquire(&(p))

/* A packet's address is the number of its key. */
static bool build(const int *spec, const struct sk_buff *skb, bool arrival,
		  struct seen_key *key)
{
	(void)arrival;
	/* Its key's fields and its secret: memory of the filter. */
	expect(READ_ONCE(*spec) == SPEC);
	key->bytes[0] = (uintptr_t)skb;
	key->len = 1;
	return true;
}

static enum seen_rule_answer ask(struct seen_filter *filter,
				 const struct seen_item *item,
				 const struct seen_question *question)
{
	enum seen_result result;

	result = question->op == SEEN_RULE_TEST ?
		 seen_item_test(&filter->set, item) :
		 seen_item_test_and_add(&filter->set, item);
	return result == SEEN_SEEN ? SEEN_RULE_SEEN : SEEN_RULE_NEW;
}

/* --- a guard's ------------------------------------------------------------------- */

enum { NF_DROP, NF_ACCEPT };
enum { SEEN_COUNT_NOKEY, SEEN_COUNT_ALLOWED, SEEN_COUNT_BLOCKED_IN };
enum { SEEN_STAT_NOKEY, SEEN_STAT_ALLOWED };

struct nf_hook_state;

static struct seen_port {
	struct {
		struct {
			int verdict;
		} config;
		struct seen_slot *slot;
	} *guard;
} port;

#define seen_key_build(spec, skb, key)	build(spec, skb, true, key)
#define idle(port)			false
#define is_frame(port, skb)		true
#define looks_at(port, skb)		true
#define seen_port_blocked(port)		false
#define exempt(port, skb)		false
#define seen_port_count(port, counter)	((void)(port))
#define seen_verdict_remembers(verdict)	true
#define hit				judge

static unsigned int judge(struct seen_port *at, struct seen_filter *filter,
			  struct sk_buff *skb, const struct seen_item *item)
{
	const struct seen_question question = { .op = SEEN_RULE_TEST };

	(void)at;
	(void)skb;
	told.answer[0] = ask(filter, item, &question);
	return NF_ACCEPT;
}

#define read_packet			guard_reads_packet
#include "guard_in.part"
#undef read_packet

#include "filter.part"
static void seen_allow_map_drop(struct seen_slot *slot);
#include "registry.part"
#include "allow_map.part"
#include "rule.part"
#include "netlink_merge.part"
#include "rehash.part"

/* --- a case ---------------------------------------------------------------------- */

static void *memory(size_t bytes)
{
	void *new = aligned_alloc(64, (bytes + 63) & ~63UL);

	memset(new, 0, bytes);
	share(new, bytes);
	return new;
}

static struct seen_slot *new_slot(void)
{
	struct seen_slot *new = memory(sizeof(*new));

	new->sn = &sn;
	return new;
}

static struct seen_filter *new_filter(const struct seen_geometry *geo)
{
	size_t beside = seen_geometry_stripes(geo) * sizeof(struct seen_stripe);
	struct seen_filter *new = memory(sizeof(*new));

	new->sn = &sn;
	new->beside = memory(beside);
	seen_set_init(&new->set, geo, memory(seen_geometry_bytes(geo)),
		      new->beside);
	new->free_work.work.fn = free_work;
	new->retire_work.fn = retire;
	return new;
}

/* A slot with a filter of two lines, and one that nobody knows yet. */
static void begin(const struct seen_geometry *geo,
		  const struct seen_geometry *geo_spare)
{
	unshare();
	share(&test_clock, sizeof(test_clock));
	share(&sn, sizeof(sn));
	share(&told, sizeof(told));
	share(&hooked, sizeof(hooked));
	share_rcu();
	memset(&told, 0, sizeof(told));
	slot = new_slot();
	other = new_slot();
	filter = new_filter(geo);
	spare = new_filter(geo_spare);
	slot->filter = filter;
	filter->slot = slot;
	filter->spec = SPEC;
	hooked = slot;
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

static void begin_bloom(void)
{
	struct seen_geometry geo = bloom();

	item[KEY].hash = hash_of(0, 1);
	item[PRESENT].hash = hash_of(0, 2);
	begin(&geo, &geo);
	expect(seen_item_test_and_add(&filter->set, &item[PRESENT]) ==
	       SEEN_NEW);
}

/* The spare one is what the filter folds to. */
static void begin_fold(void)
{
	struct seen_geometry geo = bloom(), folded;

	begin_bloom();
	expect(seen_fold_plan(&filter->set, 2, &folded) && folded.blocks == 1);
	begin(&geo, &folded);
	seen_item_test_and_add(&filter->set, &item[PRESENT]);
}

static void begin_map(void)
{
	struct seen_geometry geo = map_tiny(LEN, BUCKETS);

	begin(&geo, &geo);
	rehashed.seed = random64();
	rehashed.entries = spare->set.table;
	item[PRESENT] = map_item(&filter->set, LEN, 1);
	item[KEY] = map_item(&filter->set, LEN, 2);
	expect(seen_item_put(&filter->set, &item[PRESENT], VALUE) == SEEN_NEW);
}

static struct seen_slot *new_map(const struct seen_geometry *geo)
{
	struct seen_slot *new = new_slot();

	new->filter = new_filter(geo);
	new->filter->slot = new;
	return new;
}

static void begin_list(bool has_it)
{
	slot->allow = memory(sizeof(*slot->allow));
	slot->allow->has_it = has_it;
	slot->lists = 1;
}

static void put_on(struct seen_slot *map)
{
	expect(seen_item_put(&map->filter->set, &listed, VALUE) == SEEN_NEW);
}

/* A filter with an allow map, and a map that is to be that. */
static void begin_maps(void)
{
	struct seen_geometry geo = map_tiny(LEN, 1);

	begin_bloom();
	other = new_map(&geo);
	third = new_map(&geo);
	slot->allow_map = other;
	slot->lists = 1;
	other->allow_maps = 1;
	listed = map_item(&other->filter->set, LEN, 1);
	put_on(other);
}

/* --- actors ---------------------------------------------------------------------- */

static void packet(int i, int key, u8 op)
{
	const struct seen_question question = { .op = op };
	const struct seen_slot *at;

	rcu_read_lock();
	at = rcu_dereference(hooked);
	told.answer[i] = at ? seen_rule_ask(at, (void *)(uintptr_t)key,
					    &question) : SEEN_RULE_UNKNOWN;
	rcu_read_unlock();
}

static void packet_tests(void)
{
	packet(0, PRESENT, SEEN_RULE_TEST);
}

static void packet_at_guard(void)
{
	typeof(*port.guard) guard = { };

	rcu_read_lock();
	guard.slot = (struct seen_slot *)rcu_dereference(hooked);
	port.guard = &guard;
	if (guard.slot)
		seen_guard_judge(&port, (void *)(uintptr_t)PRESENT, NULL);
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
	down_read(&sn.lock);
	told.bulk = seen_item_test_and_add(&seen_slot_filter(slot)->set,
					   &item[KEY]);
	up_read(&sn.lock);
}

static void swap_in(void)
{
	WRITE_ONCE(spare->spec, SPEC);
	seen_item_test_and_add(&spare->set, &item[PRESENT]);
	down_write(&sn.lock);
	install(other, spare);
	expect(!seen_slot_swap(slot, other, NULL));
	up_write(&sn.lock);
}

static void tell(struct work_struct *work)
{
	(void)work;
	told.events++;
}

/* It had something to tell while it had no name. */
static void name_late(void)
{
	WRITE_ONCE(spare->events, 1);
	down_write(&sn.lock);
	install(other, spare);
	up_write(&sn.lock);
}

/* As an import does. */
static void replace(void)
{
	WRITE_ONCE(spare->spec, SPEC);
	seen_item_test_and_add(&spare->set, &item[PRESENT]);
	down_write(&sn.lock);
	expect(!seen_slot_replace(slot, spare, NULL));
	up_write(&sn.lock);
}

/* As a flush does. */
static void exchange(void)
{
	WRITE_ONCE(spare->spec, SPEC);
	seen_slot_exchange(slot, spare);
	seen_filter_destroy(filter);
}

/* The filter first, then the rule; iptables waits for packets in between. */
static void delete(void)
{
	down_write(&sn.lock);
	seen_slot_del(slot);
	up_write(&sn.lock);
	RCU_INIT_POINTER(hooked, NULL);
	synchronize_rcu();
	seen_slot_unpin_rule(slot);
}

/* A guard's hook goes, and nobody waits. */
static void delete_guarded(void)
{
	down_write(&sn.lock);
	RCU_INIT_POINTER(hooked, NULL);
	seen_slot_unpin(slot, false);
	seen_slot_del(slot);
	up_write(&sn.lock);
}

static void fold_it(void)
{
	struct genl_info info = { };

	WRITE_ONCE(spare->spec, SPEC);
	expect(!seen_nl_filter_fold((struct sk_buff *)&info, &info));
}

static void rehash(void)
{
	expect(!try(filter, NULL));
}

static void callback(void)
{
	run_callback(0);
}

static void callback_too(void)
{
	run_callback(1);
}

/* --- ends ------------------------------------------------------------------------ */

static bool holds(struct seen_slot *at, int key)
{
	return seen_item_test(&at->filter->set, &item[key]) == SEEN_SEEN;
}

static void after_swap(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN);
	expect(holds(slot, PRESENT) && holds(other, PRESENT));
	expect(slot->filter == spare && other->filter == filter);
}

static void after_replace(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN);
	expect(slot->filter == spare && holds(slot, PRESENT));
}

static void after_event(void)
{
	ends++;
	expect(told.events == 1 && spare->slot == other);
}

static void after_exchange(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN ||
	       told.answer[0] == SEEN_RULE_NEW);
	expect(slot->filter == spare && !holds(slot, PRESENT));
}

static void after_delete(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN ||
	       told.answer[0] == SEEN_RULE_UNKNOWN);
}

static void set_allow_map(struct seen_slot *map)
{
	const struct nlattr name = { "a map" };

	named = map;
	down_write(&sn.lock);
	expect(!seen_slot_set_allow_map(slot, &name, NULL));
	up_write(&sn.lock);
}

static void take_off(struct seen_slot *map)
{
	down_read(&sn.lock);
	expect(seen_item_del(&map->filter->set, &listed) == SEEN_SEEN);
	up_read(&sn.lock);
}

/* From one map to another, which has the key as well. */
static void set_third(void)
{
	put_on(third);
	set_allow_map(third);
}

static void set_and_forget(void)
{
	set_third();
	take_off(other);
}

static void set_and_set_back(void)
{
	set_and_forget();
	down_read(&sn.lock);
	put_on(other);
	up_read(&sn.lock);
	set_allow_map(other);
}

/* More often than a packet looks. */
static void set_to_and_fro(void)
{
	set_and_set_back();
	take_off(third);
	down_read(&sn.lock);
	put_on(third);
	up_read(&sn.lock);
	set_allow_map(third);
	take_off(other);
}

/* The map's filter changes, and what it was loses the key. */
static void swap_map(void)
{
	put_on(third);
	down_write(&sn.lock);
	expect(!seen_slot_swap(other, third, NULL));
	up_write(&sn.lock);
	take_off(third);
}

static void list(u8 key)
{
	expect(!add(slot, slot->allow, &key, sizeof(key)));
}

static void unlist(void)
{
	down_write(&sn.lock);
	WRITE_ONCE(slot->allow->has_it, false);
	up_write(&sn.lock);
}

static void map_to_list(void)
{
	list(LISTED);
	take_off(other);
}

static void map_to_list_alone(void)
{
	list(LISTED);
	down_write(&sn.lock);
	seen_allow_map_drop(slot);
	up_write(&sn.lock);
}

static void list_to_map(void)
{
	set_third();
	unlist();
}

/* Which is there already. */
static void list_to_that_map(void)
{
	down_read(&sn.lock);
	put_on(other);
	up_read(&sn.lock);
	unlist();
}

/* More often than a packet looks. */
static void list_others(void)
{
	list(KEY);
	list(KEY);
	list(KEY);
}

static void set_and_delete(void)
{
	set_third();
	down_write(&sn.lock);
	seen_slot_del(other);
	up_write(&sn.lock);
}

/* Packets change a map under no lock. */
static void through_map(void)
{
	put_on(other);
	/* Pairs with packet_through(). */
	smp_store_release(&told.events, 1);
	list(LISTED);
	expect(seen_item_del(&other->filter->set, &listed) == SEEN_SEEN);
}

static void packet_through(void)
{
	/* Pairs with through_map(). */
	bool there = smp_load_acquire(&told.events);

	packet_tests();
	expect(!there || told.answer[0] == SEEN_RULE_ALLOWED);
}

static void after_through(void)
{
	ends++;
}

static void set_the_same(void)
{
	set_allow_map(other);
	set_allow_map(other);
	set_allow_map(other);
}

/* The rule is kept, the filter goes with its allow map. */
static void delete_with_map(void)
{
	down_write(&sn.lock);
	seen_slot_del(slot);
	up_write(&sn.lock);
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
	WRITE_ONCE(spare->spec, SPEC);
	down_write(&sn.lock);
	seen_slot_del(slot);
	install(slot, spare);
	up_write(&sn.lock);
}

/* Nothing is in the other one: who says seen has asked the first, without its list. */
static void after_another(void)
{
	ends++;
	expect(told.answer[0] != SEEN_RULE_SEEN);
	expect(slot->filter == spare);
}

static void after_allowed(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_ALLOWED ||
	       told.answer[0] == SEEN_RULE_UNKNOWN);
}

/* Whoever was first, by whichever table: one was told so. */
static void after_fold(void)
{
	ends++;
	expect((told.answer[0] == SEEN_RULE_NEW) +
	       (told.answer[1] == SEEN_RULE_NEW) == 1);
	expect((told.answer[0] == SEEN_RULE_SEEN) +
	       (told.answer[1] == SEEN_RULE_SEEN) == 1);
	expect(slot->filter == spare && holds(slot, PRESENT) &&
	       holds(slot, KEY));
}

static void after_bulk(void)
{
	ends++;
	expect((told.answer[0] == SEEN_RULE_NEW) +
	       (told.bulk == SEEN_NEW) == 1);
	expect(slot->filter == spare && holds(slot, PRESENT) &&
	       holds(slot, KEY));
}

static void after_test(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN);
	expect(slot->filter == spare && holds(slot, PRESENT));
}

static void after_rehash(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN);
	expect(filter->set.table == rehashed.entries && holds(slot, PRESENT));
}

int main(void)
{
	test_begin(28);

	begin_bloom();
	play("a filter is swapped, a packet",
	     (void (*[])(void)) { swap_in, packet_tests, NULL }, after_swap);

	begin_bloom();
	play("a filter is replaced, a packet, the old one is freed",
	     (void (*[])(void)) { replace, packet_tests, callback, NULL },
	     after_replace);

	begin_bloom();
	play("the same, a packet at a guard",
	     (void (*[])(void)) { replace, packet_at_guard, callback, NULL },
	     after_replace);

	begin_bloom();
	spare->event_work.fn = tell;
	play("a filter had something to tell before it had a name",
	     (void (*[])(void)) { name_late, callback, NULL }, after_event);

	begin_bloom();
	play("a filter is flushed, a packet, the old one is freed",
	     (void (*[])(void)) { exchange, packet_tests, callback, NULL },
	     after_exchange);

	begin_bloom();
	slot->rules = 1;
	play("a filter and then its rule go, a packet, both are freed",
	     (void (*[])(void)) { delete, packet_tests, callback, callback_too,
				  NULL }, after_delete);

	begin_bloom();
	slot->guards = 1;
	play("a guard and its filter go, a packet, both are freed",
	     (void (*[])(void)) { delete_guarded, packet_tests, callback,
				  callback_too, NULL }, after_delete);

	begin_bloom();
	slot->guards = 1;
	begin_list(true);
	play("a guard, its filter and its list go, a packet that is on it",
	     (void (*[])(void)) { delete_guarded, packet_at_guard, NULL }, after_allowed);

	begin_bloom();
	slot->rules = 1;
	begin_list(true);
	play("a filter, its list and its rule go, a packet that is on it",
	     (void (*[])(void)) { delete, packet_tests, NULL }, after_allowed);

	begin_bloom();
	slot->rules = 1;
	begin_list(true);
	play("a filter and its list go, another one comes, a packet that is on it",
	     (void (*[])(void)) { delete_and_add, packet_tests, NULL }, after_another);

	begin_maps();
	play("a filter gets another allow map, a packet that is in both",
	     (void (*[])(void)) { set_third, packet_tests, NULL }, after_map);

	begin_maps();
	play("and the first one loses the key",
	     (void (*[])(void)) { set_and_forget, packet_tests, NULL }, after_map);

	begin_maps();
	play("or is deleted and freed",
	     (void (*[])(void)) { set_and_delete, packet_tests, callback, callback_too,
				  NULL }, after_map);

	begin_maps();
	play("or is the allow map again",
	     (void (*[])(void)) { set_and_set_back, packet_tests, NULL }, after_map);

	begin_maps();
	play("and again, and again",
	     (void (*[])(void)) { set_to_and_fro, packet_tests, NULL }, after_map);

	begin_maps();
	play("an allow map is swapped, and what it was loses the key, a packet",
	     (void (*[])(void)) { swap_map, packet_tests, NULL }, after_map);

	begin_maps();
	begin_list(false);
	play("a key goes from the allow map to the list, a packet of it",
	     (void (*[])(void)) { map_to_list, packet_tests, NULL }, after_map);

	begin_maps();
	begin_list(false);
	play("to the list, and the filter has no map any more",
	     (void (*[])(void)) { map_to_list_alone, packet_tests, NULL }, after_map);

	begin_maps();
	slot->allow_map = NULL;
	other->allow_maps = 0;
	begin_list(true);
	play("from the list to a map",
	     (void (*[])(void)) { list_to_map, packet_tests, NULL }, after_map);

	begin_maps();
	take_off(other);
	begin_list(true);
	play("from the list to the map that is there",
	     (void (*[])(void)) { list_to_that_map, packet_tests, NULL }, after_map);

	begin_maps();
	take_off(other);
	begin_list(false);
	play("others come to the list, a packet that is on none",
	     (void (*[])(void)) { list_others, packet_tests, NULL }, after_others);

	begin_maps();
	take_off(other);
	play("the allow map is set again and again, a packet that is not in it",
	     (void (*[])(void)) { set_the_same, packet_tests, NULL }, after_others);

	begin_maps();
	slot->rules = 1;
	play("a filter and its allow map go, a packet that is in that",
	     (void (*[])(void)) { delete_with_map, packet_tests, NULL }, after_allowed);

	begin_maps();
	take_off(other);
	begin_list(false);
	play("a packet puts a key in the map, it comes to the list, and goes from the map",
	     (void (*[])(void)) { through_map, packet_through, NULL }, after_through);

	begin_fold();
	play("a filter is folded, a packet, the old one is freed",
	     (void (*[])(void)) { fold_it, packet_tests, callback, NULL },
	     after_test);

	begin_fold();
	play("a filter is folded, a new key by two packets",
	     (void (*[])(void)) { fold_it, packet_adds, packet_adds_too, NULL },
	     after_fold);

	begin_fold();
	play("a filter is folded, a new key by a packet and in bulk",
	     (void (*[])(void)) { fold_it, packet_adds, bulk_adds, NULL },
	     after_bulk);

	begin_map();
	play("a map has other hashes, a packet, the old table is freed",
	     (void (*[])(void)) { rehash, packet_tests, callback, NULL },
	     after_rehash);
	return test_end();
}
